-- Slip numbers, each assigned once, in the transaction that writes its entry.

CREATE TABLE slip (
    kind TEXT NOT NULL, -- fill, credit, jackpot, dispute
    number BIGINT NOT NULL,
    entry BIGINT NOT NULL, -- of the house's log
    PRIMARY KEY (kind, number)
);
