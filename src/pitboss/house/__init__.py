"""The house runs live tables on one database: double-entry money, linked meters, people and evidence.

Its rooms; each imports only from those below it:

    evidence    checkpoints, search, export, and the audit
    floor       what staff and players see of a table
    desk        carries out orders at tables
    office      people, cash, tables, Submissions; requests for a second person
    hold        actual hold against exact figures
    storage     the database: SQLite or PostgreSQL; all SQL

All rooms use:

    live_table    a table with its log position, rebuilt from its log
    ledger        postings for a table's events; names of accounts
    zone          the time zone of the house

Running it:

    config, startup      settings; opening the database and the tables
    writers              threads that own the desk and the office
    postgres_follower    changes that other servers made

`docs/house.md` numbers the guarantees.
"""
