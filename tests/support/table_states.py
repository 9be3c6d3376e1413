"""A table of a running server in every state that affects permissions."""

from collections.abc import Callable

from staffed_house import Staffed

from pitboss.submission import text_of

ROYAL, HOLE = ["Ah", "Kh", "Qh", "Jh", "Th"], ["3d", "4h", "6s", "8c"]
"""The scanned cards of Ann's hand, and of the dealer's face-down cards."""


def opened(staffed: Staffed, table: str, *, scanned: bool = False, dealing: str = "manual-shoe") -> None:
    """A table that is being opened, with Ann and Bob seated."""
    text = text_of("caribbean-stud-standard").replace('dealing = "manual-shoe"', f'dealing = "{dealing}"')
    settings = {"automatic": False, "betting": 3600}
    staffed.act_ok("olga", "OpenTable", table=table, submission=text, settings=settings, scanned=scanned)
    staffed.order_ok("ann", table, "Sit", seat=1)
    staffed.order_ok("bob", table, "Sit", seat=3)


def ready(
    staffed: Staffed, table: str, *who: str, side: int = 0, scanned: bool = False, dealing: str = "manual-shoe"
) -> None:
    """Open a table for gaming; these patrons wager."""
    opened(staffed, table, scanned=scanned, dealing=dealing)
    staffed.order_ok("dana", table, "Perform", {"preshuffled": True})
    for name in who:
        made = {"ante": 1000, **({"progressive": side} if side else {})}
        staffed.order_ok(name, table, "Wager", seat={"ann": 1, "bob": 3}[name], wagers=made)


def until(staffed: Staffed, table: str, due: str, *, scanned: bool = False) -> None:
    """Deal until a step is due; Ann raises."""
    while (view := staffed.dealer_view(table))["due"] != due:
        up = view["due"] == "deal" and not view["places"] and all(len(box["cards"]) == 1 for box in view["boxes"])
        named = {"deal": ["2c"] if up else [], "turn": HOLE}.get(view["due"], []) if scanned else []
        chips = sum("progressive" in box["wagers"] for box in view["boxes"])
        if view["due"] == "ask":
            staffed.order_ok("ann", table, "Decide", seat=1, multiple=2)
        else:
            staffed.order_ok("dana", table, "Perform", {"depth": 20, "counted": chips, "cards": named})


def betting(staffed: Staffed, table: str) -> None:
    """Ann has wagered, and wagers are still taken."""
    ready(staffed, table, "ann")
    until(staffed, table, "call")


def dealing(staffed: Staffed, table: str) -> None:
    """Ann and Bob have wagered, and the first cards are out."""
    ready(staffed, table, "ann", "bob")
    until(staffed, table, "deal")
    staffed.order_ok("dana", table, "Perform")


def asking(staffed: Staffed, table: str) -> None:
    """Ann must decide; the only known card is the dealer's face-up card."""
    ready(staffed, table, "ann", "bob", scanned=True)
    until(staffed, table, "ask", scanned=True)


def claim(staffed: Staffed, table: str) -> None:
    """Ann's royal flush claims the meter."""
    ready(staffed, table, "ann", side=100, scanned=True)
    until(staffed, table, "settle", scanned=True)
    staffed.order_ok("dana", table, "Perform", {"cards": ROYAL})


def documenting(staffed: Staffed, table: str) -> None:
    """Two floorpersons have validated the payout; nobody has documented it."""
    claim(staffed, table)
    for name in ("flo", "fred"):
        staffed.order_ok(name, table, "Acknowledge", {"light": True})


def void(staffed: Staffed, table: str) -> None:
    """A void round that nobody has acknowledged."""
    dealing(staffed, table)
    staffed.order_ok("flo", table, "Report", kind="wrong-number")


def failed(staffed: Staffed, table: str) -> None:
    """A table whose shuffler has failed."""
    ready(staffed, table, dealing="hand")
    staffed.order_ok("dana", table, "Report", kind="malfunction", device="shuffler")


def covered(staffed: Staffed, table: str) -> None:
    """A table whose failed shuffler is covered."""
    failed(staffed, table)
    staffed.order_ok("dana", table, "Cover", device="shuffler")


STATES: dict[str, Callable[[Staffed, str], None]] = {
    "opening": opened,
    "betting open": betting,
    "dealing": dealing,
    "asking": asking,
    "claim pending": claim,
    "payout undocumented": documenting,
    "void unacknowledged": void,
    "device failed": failed,
    "device covered": covered,
}
"""By state: the function that brings a new table of that name into it."""
