-- What wagers came to in finished rounds, summed: actual holds are read off without going through the rounds.

CREATE TABLE held (
    chain TEXT NOT NULL,
    wager TEXT NOT NULL, -- an initial wager, with its raises and what a result pays on top; or another bonus by its name
    stake BIGINT NOT NULL, -- the initial wager of a box, in cents; nothing for a bonus
    boxes BIGINT NOT NULL, -- how often it was made
    wagered BIGINT NOT NULL, -- with raises, in cents
    won BIGINT NOT NULL, -- by the house, in cents
    PRIMARY KEY (chain, wager, stake)
);
