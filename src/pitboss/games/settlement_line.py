"""`Line`: the result of one wager or bonus, with the clause and the reason."""

import msgspec

from pitboss.games.declarations import Bonus, Outcome, Wager


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one wager, or one bonus without a stake; money in cents."""

    wager: str
    outcome: Outcome
    stake: int
    returned: int = 0
    pays: int = 0
    cite: str
    why: str
    hand: str = ""
    """The row of the paytable that paid."""
    meter: str = ""
    """The meter that pays, if it is not the table."""

    @property
    def net(self) -> int:
        """The patron's gain or loss."""
        return self.returned + self.pays - self.stake

    def as_json(self) -> dict[str, str | int]:
        """Return the line as `--format json` prints it."""
        shown = {name: getattr(self, name) for name in ("wager", "outcome", "stake", "returned", "pays", "net")}
        return {**shown, "cite": str(self.cite), "why": self.why}


def wager_line(  # noqa: PLR0913 (the columns)
    wager: Wager,
    stake: int,
    outcome: Outcome,
    cite: str,
    why: str,
    *,
    returned: int = 0,
    pays: int = 0,
    hand: str = "",
    meter: str = "",
) -> Line:
    """Return the line of a wager."""
    return Line(
        wager=wager.name,
        outcome=outcome,
        stake=stake,
        returned=returned,
        pays=pays,
        cite=cite,
        why=why,
        hand=hand,
        meter=meter,
    )


def bonus_line(bonus: Bonus, pays: int, why: str, hand: str = "") -> Line:
    """Return the line of a bonus, which has no stake."""
    return Line(wager=bonus.name, outcome=Outcome.BONUS, stake=0, pays=pays, cite=bonus.cite, why=why, hand=hand)
