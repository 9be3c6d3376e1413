-- Replies are looked up only by person and key.

DROP INDEX answered_time;
