-- Wager totals of finished rounds, so that actual holds need no scan of the rounds.

CREATE TABLE held (
    chain TEXT NOT NULL,
    wager TEXT NOT NULL, -- an initial wager with its raises and bonuses on it, or a bonus without a stake
    stake BIGINT NOT NULL, -- the initial wager of a box, in cents; 0 for a bonus
    boxes BIGINT NOT NULL, -- number of boxes that made it
    wagered BIGINT NOT NULL, -- with raises, in cents
    won BIGINT NOT NULL, -- by the house, in cents
    PRIMARY KEY (chain, wager, stake)
);
