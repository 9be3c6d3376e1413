"""Storage: the database of the house, SQLite or PostgreSQL. All SQL stands here, and no rule of the house.

The database:

    opening        connects by URL or file
    connections    one interface to both databases
    sqlite         SQLite
    postgres       PostgreSQL
    dialects       every difference between the two
    migrations     creates and updates the database, from the files of `schema`
    reading        snapshots, and long reads in pages

Statements by subject:

    logs            logs and entries
    tables          open and closed tables, their settings
    rounds          finished rounds and patrons' results
    round_search    the search for rounds
    wager_totals    totals by table, wager and amount
    meters          meters, contributions to them, and their moves
    ledger_rows     accounts and postings
    people          people and their sign-in
    sessions        sessions of people who signed in
    requests        requests that wait for a second person
    replies         replies by idempotency key
    slips           numbers of slips
    checkpoints     signed checkpoints

`table_states` rebuilds a table from a snapshot and the entries after it.
`unit_of_work` collects the rows of one transaction and writes them together.
"""
