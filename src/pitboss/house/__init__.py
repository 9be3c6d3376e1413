"""The house: live tables on one database, money in double entry, linked meters, people, and the evidence of it all.

    driver, postgres   SQLite or PostgreSQL behind one face
    store              every statement there is, and what one transaction adds
    ledger             what a table's events move between accounts
    standing           a table as the house knows it, rebuilt from its log
    desk               carries orders out: decides, posts, meters, answers; one transaction
    office             what concerns the whole house: people, cash, tables, approvals
    pit                the desk on a thread of its own, for a server
    evidence           checkpoints, search, export, and the audit that verifies everything

What it guarantees is numbered in `docs/house.md`.
"""
