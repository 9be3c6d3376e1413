"""A second method, for checking the first: plain enumeration with numpy, every hand evaluated one by one.

It shares no code with the kernels. Hands are ranked by the evaluator the table uses, ends are paid by `settle`,
and nothing is cleverer than looking at all of the dealer's hands for each class of the player's.

`python -m pitboss.exact.recount [GAME]` recounts every side wager, and the required wagers under every paytable and
every reading that changes them, on all cores. It shows how far it is, and goes on where it was stopped.
"""
