"""What happened in words: to staff with who did it, to a patron with what they are."""

from msgspec.structs import replace
from table_play import ANTE, DEALER, FLOOR, PRESETS, bets, done, opened, until

from pitboss.record import Entry, narrate
from pitboss.record.replay import ReplayedEntry
from pitboss.rulebook.procedures import Do
from pitboss.table import Acknowledge, Report, after, decide


def test_a_patron_is_not_told_the_names_of_staff() -> None:
    """A floorperson acknowledges a void (639a.13(c)); who of them did is for the house to know."""
    table = until(bets(opened(PRESETS["639a"], {1: "Ann"}), {1: ANTE}), Do.ASK)
    void = done(table, Report("wrong-number"), DEALER)
    given = replace(FLOOR, time=void.now)
    happened = decide(void, Acknowledge(), given)
    moment = ReplayedEntry(void, Entry(1, Acknowledge(), given, tuple(happened)), after(void, happened))
    (staff,) = (line for line in narrate(moment, "") if "acknowledges" in line)
    (patron,) = (line for line in narrate(moment, "Ann", staff=False) if "acknowledges" in line)
    assert staff.endswith("Floor acknowledges the void (§ 639a.13(c))")
    assert patron.endswith("a floorperson acknowledges the void (§ 639a.13(c))")
