"""Exact mathematics: every figure as an integer over all equally likely deals; nothing is sampled.

classes, sweep, boards, tally   counting: hands up to suits, dealer's hands by rank, boards, rankings
payoffs                         what outcomes pay, asked of `settle`
duel, staged, sides             the best decisions and what they come to, for each kind of game and wager
distribution, jackpots          the figures
analyze                         all of it for a game, kept once worked out
"""
