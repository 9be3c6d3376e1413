"""Storage: the database of the house, SQLite or PostgreSQL. All SQL stands here.

connections     one interface to both databases; SQLite
postgres        PostgreSQL
schema          the tables, as numbered migrations
unit_of_work    the rows that one transaction adds
logs            reading logs while others write
"""
