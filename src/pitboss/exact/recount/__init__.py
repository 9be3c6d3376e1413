"""A second, independent method that checks the first: plain enumeration of every hand with numpy.

It shares no code with the kernels. The table's evaluator ranks hands and `settle` pays them. The algorithm looks at
all dealer hands for each class of player hands.

`python -m pitboss.exact.recount [GAME]` recounts every side wager, and the required wagers under every paytable and
every reading that changes them, on all cores. It shows its progress and resumes an interrupted run.
"""
