-- Indexes to search rounds by table, time, patron or amount.

DROP INDEX round_ended;
DROP INDEX round_highest;
CREATE INDEX round_of_table ON round (chain, ended, number, highest);
CREATE INDEX round_by_time ON round (ended, chain, number, highest);
CREATE INDEX round_by_amount ON round (highest, ended, chain, number);
CREATE INDEX round_void ON round (ended, chain, number) WHERE is_void = 1;
CREATE INDEX played_round ON played (chain, number, patron);
