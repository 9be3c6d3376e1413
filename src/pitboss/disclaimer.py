"""What Pitboss is not: said where the house opens, on every paper and under every screen."""

from typing import Final

DISCLAIMER: Final = (
    "Pitboss is not legal advice, not certified, and not from the Pennsylvania Gaming Control Board; "
    "it uses play money by default, and its text of 683a is the proposal of 2017."
)
SHORT_DISCLAIMER: Final = "Not legal advice, not certified, not from the Board"
"""The same where there is little room; the whole is one step away."""
