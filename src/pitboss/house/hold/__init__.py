"""Hold: what tables won, compared with exact figures.

wager_totals    wagered and won, by wager and amount
actual_hold     actual hold against exact figures
backfill        totals of rounds played before totals were stored
"""
