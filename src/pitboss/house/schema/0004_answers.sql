-- Answers are found by person and key, and by nothing else.

DROP INDEX answered_time;
