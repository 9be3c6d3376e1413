"""Reasons to refuse a patron's command to sit, stand, wager or decide, with their clauses."""

from collections.abc import Mapping
from typing import Final

from pitboss.errors import Mistake
from pitboss.games import FOLD, check_wagers
from pitboss.rulebook.grounds import Ground
from pitboss.table.commands import Given, Refusal
from pitboss.table.devices import device_wagers, spread_due
from pitboss.table.state import Table
from pitboss.table.steps import next_to_decide

WAGERED: Final = "house rule: no wager is left behind"
SEATS: Final = "house rule: one seat for a patron, one patron for a seat"


def sit_refusal(table: Table, seat: int, given: Given) -> Refusal | None:
    """Return the reason to refuse a seat."""
    if not 1 <= seat <= table.rules.seats:
        return Refusal(f"The table has seats 1 to {table.rules.seats}.", table.rules.grounds[Ground.SEATS])
    if not given.actor.strip() or not given.actor.isprintable():
        return Refusal("A patron needs a printable name.", SEATS)
    if seat in table.seated or given.actor in table.seated.values():
        return Refusal("Seat taken, or you already have one.", SEATS)
    box = table.boxes.get(seat)
    if box and box.patron != given.actor:
        return Refusal("Another patron plays this box in this round.", SEATS)
    return None


def stand_refusal(table: Table, seat: int, given: Given) -> Refusal | None:
    """Return the reason to refuse a patron to stand up."""
    if table.seated.get(seat) != given.actor:
        return Refusal("That seat is not yours.", SEATS)
    own = [box for box in table.boxes.values() if box.patron == given.actor]
    if own and not table.called:
        return Refusal("Take your wagers back before you stand up.", WAGERED)
    if own:
        return Refusal("You have wagered. Stay seated until the round is over.", table.rules.grounds[Ground.SEATED])
    return None


def wager_refusal(table: Table, seat: int, wagers: Mapping[str, int], given: Given) -> Refusal | None:
    """Return the reason to refuse new, changed or withdrawn wagers on a box."""
    if table.called:
        return _late_refusal(table, seat, wagers)
    if wagers and (table.spread or spread_due(table)):
        return Refusal(
            "Nobody was playing. Wagers open after the cards are spread, washed and shuffled.",
            table.rules.grounds[Ground.NO_PLAY],
        )
    if not table.ready and wagers:
        return Refusal("The table is not open for gaming.", table.rules.grounds[Ground.OPENING])
    own = next((place for place, patron in table.seated.items() if patron == given.actor), None)
    if own is None:
        return Refusal("Take a seat before you wager.", table.rules.grounds[Ground.SEATED])
    if not 1 <= seat <= table.rules.seats:
        return Refusal(f"The table has boxes 1 to {table.rules.seats}.", table.rules.grounds[Ground.SEATS])
    taken = table.boxes.get(seat)
    if table.seated.get(seat, given.actor) != given.actor or (taken and taken.patron != given.actor):
        return Refusal("Another patron has this box.", SEATS)
    boxes = {box.seat for box in table.boxes.values() if box.patron == given.actor}
    if why := _boxes_problem(boxes | {seat} if wagers else boxes - {seat}, own, table.rules.boxes):
        back = (
            ""
            if wagers
            else f"Without box {seat} your boxes are not one row beside seat {own}; take back an outer box first."
        )
        return Refusal(back or why, table.rules.grounds[Ground.BOXES])
    if not wagers:
        return None
    try:
        check_wagers(table.rules.terms, wagers)
    except Mistake as mistake:
        return Refusal(str(mistake), table.rules.grounds[Ground.WAGERS])
    return None


def _late_refusal(table: Table, seat: int, wagers: Mapping[str, int]) -> Refusal:
    """Return the reason to refuse a late wager; a device locks out wagers placed on it."""
    grounds = table.rules.grounds
    box = table.boxes.get(seat)
    before = box.wagers if box else {}
    changed = {name for name in {*wagers, *before} if wagers.get(name) != before.get(name)}
    placed = all(wagers.get(name, 0) > before.get(name, 0) for name in changed)
    if changed and placed and changed == device_wagers(table.rules, dict.fromkeys(changed, 0)).keys():
        wager = table.rules.terms.game.wager(min(changed))
        ground = Ground.ELECTRONIC_SYSTEM if wager.electronic else Ground.PROGRESSIVE_LOCK_OUT
        return Refusal(f"The {wager.title} is locked out: its device takes no more wagers.", grounds[ground])
    return Refusal("No more bets: you cannot place, increase or withdraw a wager now.", grounds[Ground.NO_MORE_BETS])


def _boxes_problem(boxes: set[int], own: int, most: int) -> str:
    """Describe what is wrong with a player's boxes; empty if nothing is.

    They must be adjacent, each with a wager, and include or touch the player's seat.
    """
    if not boxes:
        return ""
    first, last = min(boxes), max(boxes)
    if len(boxes) > most:
        return f"A player may wager on at most {most} adjacent boxes."
    if last - first + 1 > len(boxes):
        return f"Boxes {first} and {last} are not adjacent; wager on every box between them."
    if not first - 1 <= own <= last + 1:
        return f"Box {first if own < first else last} is not beside seat {own}; a player's boxes begin beside the seat."
    return ""


def decide_refusal(table: Table, seat: int, multiple: int, given: Given) -> Refusal | None:
    """Return the reason to refuse a decision."""
    box = next_to_decide(table)
    if box is None:
        return Refusal("There is nothing to decide now.", str(table.rules.terms.game.decisions[0].cite))
    if box.seat != seat:
        return Refusal(f"It is seat {box.seat}'s turn.", table.due.cite)
    if box.patron != given.actor:
        return Refusal("Another patron plays this box.", table.due.cite)
    decision = table.rules.terms.game.decisions[len(box.decisions)]
    if multiple != FOLD and multiple not in decision.multiples:
        allowed = " or ".join(map(str, decision.multiples))
        return Refusal(f"Wager {allowed} times the Ante, or fold.", decision.cite)
    return None
