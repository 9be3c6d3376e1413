"""The disclaimer that the server's start, every paper and every screen show."""

from typing import Final

DISCLAIMER: Final = (
    "Pitboss is not legal advice, not certified, and not from the Pennsylvania Gaming Control Board; "
    "it uses play money by default, and its text of 683a is the proposal of 2017."
)
SHORT_DISCLAIMER: Final = "Not legal advice, not certified, not from the Board"
"""For places with little room that link to the full text."""
