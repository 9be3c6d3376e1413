"""The house: live tables on one database, money in double entry, linked meters, people, and the evidence of it all.

    driver, postgres   SQLite or PostgreSQL behind one face
    store              every statement there is, and what one transaction adds
    ledger             what a table's events move between accounts
    standing           a table as the house knows it, rebuilt from its log
    orders, desk       an order, and the desk that carries it out: decides, posts, meters, answers; one transaction
    policy, finished   what the house asks of an order; what is noted of a finished round
    acts, office, log  what concerns the whole house: people, cash, tables, approvals; and its log
    people             posts, passwords, sessions
    duties, missed     what needs a person; what happened since somebody looked
    pit, follow        desk and office on threads of their own, for a server; and what other servers do
    evidence           checkpoints, search, export, and the audit that verifies everything
    config, opening    how a house is run, and how it is opened

What it guarantees is numbered in `docs/house.md`.
"""
