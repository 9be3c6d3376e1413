-- The numbers of slips, each given out once, in the transaction that writes the entry it is about.

CREATE TABLE slip (
    kind TEXT NOT NULL, -- fill, credit, jackpot, dispute
    number BIGINT NOT NULL,
    entry BIGINT NOT NULL, -- of the house's log
    PRIMARY KEY (kind, number)
);
