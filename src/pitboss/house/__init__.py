"""The house runs live tables on one database: double-entry money, linked meters, people and evidence.

An order, from the request to the ledger:

    orders                 an order and its reply
    desk                   carries an order out: decides, posts, moves meters; one transaction
    order_policy           the house's own conditions for an order
    live_table             a table with its log position, rebuilt from its log
    ledger                 postings for a table's events
    round_summary          the row written for a finished round
    store                  the SQL of a transaction, collected and written at its end

The whole house:

    acts, office           people, cash, tables, Submissions; requests for a second person
    approvals              approvals of Submissions and tables
    people                 posts, passwords, sessions
    house_log, slips       the house's own log; numbers of slips

What staff see:

    duties                 prompts for the dealer; duties that wait for staff
    table_overview         a table at a glance, for the pit
    table_clock            the time at a table, which never runs backwards
    catch_up               entries since a given position
    actual_hold            actual hold against exact figures
    wager_totals           wagered and won, by wager and amount

Running it:

    config, startup        settings; opening the database and the tables
    connections, postgres  SQLite or PostgreSQL behind one interface
    writers                threads that own the desk and the office
    postgres_follower      changes that other servers made
    evidence               checkpoints, search, export, and the audit

`docs/house.md` numbers the guarantees.
"""
