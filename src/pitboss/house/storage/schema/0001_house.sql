-- The house, for SQLite and PostgreSQL alike. Money is in micro-cents, time in seconds since 1970.

CREATE TABLE chain ( -- an append-only log: one for each table, and `house` for the whole house
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL, -- house, table
    header BLOB NOT NULL,
    seq BIGINT NOT NULL,
    hash TEXT NOT NULL,
    is_open INTEGER NOT NULL,
    settings BLOB NOT NULL, -- of a table: automatic dealer, betting times
    played BLOB NOT NULL -- meter data of the round under way
);

CREATE TABLE entry ( -- one command that was carried out, linked to the entry before by its hash
    chain TEXT NOT NULL REFERENCES chain (id),
    seq BIGINT NOT NULL,
    body BLOB NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (chain, seq)
);

CREATE TABLE account (
    name TEXT PRIMARY KEY,
    balance BIGINT NOT NULL,
    CHECK (balance >= 0 OR name NOT LIKE 'patron/%')
);

CREATE TABLE posting ( -- double-entry postings; those of one entry sum to zero
    chain TEXT NOT NULL,
    seq BIGINT NOT NULL,
    line INTEGER NOT NULL,
    account TEXT NOT NULL,
    amount BIGINT NOT NULL,
    PRIMARY KEY (chain, seq, line)
);
CREATE INDEX posting_account ON posting (account, chain, seq);

CREATE TABLE answered ( -- replies by idempotency key: a repeated key gets the same reply
    person TEXT NOT NULL,
    key TEXT NOT NULL,
    payload TEXT NOT NULL,
    reply BLOB NOT NULL,
    time BIGINT NOT NULL,
    PRIMARY KEY (person, key)
);
CREATE INDEX answered_time ON answered (time);

CREATE TABLE meter (
    id TEXT PRIMARY KEY,
    current BIGINT NOT NULL,
    reserve BIGINT NOT NULL,
    waiting BIGINT NOT NULL,
    pending BIGINT NOT NULL,
    paid BIGINT NOT NULL,
    house BIGINT NOT NULL,
    contributed BIGINT NOT NULL,
    seq BIGINT NOT NULL, -- moves so far: the order of wins
    rule BLOB NOT NULL -- seed and rates, fixed while the meter is in play
);

CREATE TABLE contribution ( -- increments by wagers: appended, and folded into the meter when it is won
    meter TEXT NOT NULL REFERENCES meter (id),
    chain TEXT NOT NULL,
    seq BIGINT NOT NULL,
    current BIGINT NOT NULL,
    waiting BIGINT NOT NULL,
    reserve BIGINT NOT NULL,
    is_folded INTEGER NOT NULL,
    PRIMARY KEY (meter, chain, seq)
);
CREATE INDEX contribution_open ON contribution (meter) WHERE is_folded = 0;

CREATE TABLE move ( -- every other change of a meter, in order
    meter TEXT NOT NULL REFERENCES meter (id),
    meter_seq BIGINT NOT NULL,
    chain TEXT NOT NULL,
    seq BIGINT NOT NULL,
    change BLOB NOT NULL,
    PRIMARY KEY (meter, meter_seq)
);

CREATE TABLE round ( -- a finished round: its entries, and a snapshot of the table after it
    chain TEXT NOT NULL,
    number BIGINT NOT NULL,
    first BIGINT NOT NULL,
    last BIGINT NOT NULL,
    ended BIGINT NOT NULL,
    wagered BIGINT NOT NULL,
    highest BIGINT NOT NULL, -- the highest payout to one box, in cents
    is_void INTEGER NOT NULL,
    after BLOB NOT NULL,
    PRIMARY KEY (chain, number)
);
CREATE INDEX round_ended ON round (chain, ended);
CREATE INDEX round_highest ON round (highest);

CREATE TABLE played ( -- a patron's result in a finished round, in cents
    patron TEXT NOT NULL,
    ended BIGINT NOT NULL,
    chain TEXT NOT NULL,
    number BIGINT NOT NULL,
    wagered BIGINT NOT NULL,
    net BIGINT NOT NULL,
    PRIMARY KEY (patron, ended, chain, number)
);

CREATE TABLE person (
    name TEXT PRIMARY KEY,
    post TEXT NOT NULL,
    password TEXT NOT NULL,
    is_active INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    locked_until BIGINT NOT NULL
);

CREATE TABLE session (
    id TEXT PRIMARY KEY, -- the hash of the browser's token
    person TEXT NOT NULL REFERENCES person (name),
    csrf TEXT NOT NULL,
    began BIGINT NOT NULL,
    seen BIGINT NOT NULL
);
CREATE INDEX session_person ON session (person);

CREATE TABLE approval ( -- requests that wait for a second person
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    chain TEXT NOT NULL,
    body BLOB NOT NULL,
    requested_by TEXT NOT NULL,
    time BIGINT NOT NULL
);

CREATE TABLE checkpoint ( -- signed ends of all logs
    number BIGINT PRIMARY KEY,
    time BIGINT NOT NULL,
    body BLOB NOT NULL,
    signature TEXT NOT NULL
);
