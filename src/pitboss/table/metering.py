"""The meters of a table as its events move them: increments at the call, wins as they are settled, voids undone."""

from collections.abc import Iterable

from pitboss.games import Outcome
from pitboss.progressive import Bank, accept, end_round, give_back, paid, reveal, take, void
from pitboss.table import events
from pitboss.table.evolve import evolve
from pitboss.table.settling import hands_of
from pitboss.table.state import Table


def metered(bank: Bank, table: Table, happened: Iterable[events.Event]) -> Bank:
    """Return the meters after what happened at a table, which is given as it was before."""
    told = list(happened)
    voids = any(isinstance(event, events.Voided) for event in told)
    for event in told:
        before = table
        table = evolve(table, event)
        boxes = list(table.boxes.values())
        match event:
            case events.Called():
                for box in boxes:
                    bank = accept(bank, box.wagers)
            case events.Turned(meters=meters) if meters:
                bank = reveal(bank, hands_of(table, boxes[0]), _sharing(table))
            case events.Claimed(lines=lines):  # the amount is fixed at the player's turn, and waits
                bank = take(bank, lines)
            case events.Rejected(seat=seat) | events.Withheld(seat=seat):
                bank = give_back(bank, before.boxes[seat].claimed, for_good=isinstance(event, events.Withheld))
            case events.Settled(seat=seat, lines=lines) if not voids:
                withheld = any(line.outcome is Outcome.WITHHELD for line in lines)
                bank = bank if before.boxes[seat].claimed and not withheld else take(bank, lines)
            case events.Corrected(place=place) if table.meters_at_reveal and place in _dealers(table):
                bank = reveal(void(bank, []), hands_of(table, boxes[0]), _sharing(table))
            case events.Removed() if before.called:
                bank = end_round(bank)
            case events.Voided():
                bank = void(bank, [box.wagers for box in boxes])
            case events.Cleared():  # by then all that was won is validated and documented
                bank = end_round(paid(bank))
            case _:
                pass
    return bank


def _dealers(table: Table) -> tuple[str, ...]:
    contest = table.rules.terms.game.contest
    return contest.dealer if contest else ()


def _sharing(table: Table) -> dict[str, int]:
    """Return how many boxes have each wager that is measured when the dealer's hand is turned."""
    return {
        wager.name: sum(bool(box.wagers.get(wager.name)) for box in table.boxes.values())
        for wager in table.rules.terms.game.at_reveal
    }
