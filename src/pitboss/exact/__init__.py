"""Exact mathematics: every figure is an integer over all equally likely deals; nothing is sampled.

Import its modules; the package itself imports nothing, because numba is slow to load.

analysis                     all figures of a game, cached
duel, staged, side_wagers    the best decisions and their results, by kind of game and wager
distribution, jackpots       edge, deviation and the other figures; returns of meters
joint, payout_limits         several wagers together; the effect of a payout limit
liability                    the most that a round can cost the house
advice, strategies           the value of a decision; simple strategies compared with the best
rules_of_thumb               known strategies as data, for reports and drills
suit_classes, dealer_counts, board_counts, extra_card_counts, hand_counts
counting: hands up to suits, dealer hands by rank, boards, rankings
payoffs                      the pay of every outcome, from `settle`
recount                      the second method, which shares no code with the first
"""
