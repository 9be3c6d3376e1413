"""The summary of a finished round: its entries, patrons, totals, and the table after it.

The desk stores it, and the audit compares the stored rows with the summary of the round that it replayed.
"""

import msgspec

from pitboss.games import stakes
from pitboss.house.hold.wager_totals import WagerTotal, round_totals
from pitboss.house.live_table import LiveTable, snapshot
from pitboss.house.storage.rounds import PatronResult
from pitboss.house.storage.unit_of_work import UnitOfWork
from pitboss.table import Table


class FinishedRound(msgspec.Struct, frozen=True):
    """A finished round; money in cents."""

    number: int
    """Counted from 0."""
    ended: int
    wagered: int
    highest: int
    """The highest payout to one box."""
    is_void: bool
    patrons: list[PatronResult]
    """Sorted by name."""
    totals: list[WagerTotal]


def summarize_round(table: Table, ended: int) -> FinishedRound:
    """Summarize a round that ended at a time; `table` is the table before the event that ended it."""
    boxes = list(table.boxes.values())
    wagered = {box.seat: sum(stakes(table.rules.terms, box.wagers, box.decisions).values()) for box in boxes}
    patrons = []
    for patron in sorted({box.patron for box in boxes}):
        own = [box for box in boxes if box.patron == patron]
        net = sum(line.net for box in own for line in box.lines)
        patrons.append(PatronResult(patron, ended, sum(wagered[box.seat] for box in own), net))
    return FinishedRound(
        number=table.round,
        ended=ended,
        wagered=sum(wagered.values()),
        highest=max((sum(line.pays for line in box.lines) for box in boxes), default=0),
        is_void=bool(table.void),
        patrons=patrons,
        totals=round_totals(table),
    )


def write_round_summary(unit: UnitOfWork, live: LiveTable, after: LiveTable, finished: FinishedRound) -> None:
    """Add the rows of a finished round: its summary, wager totals, and each patron's result."""
    unit.rounds.append(
        (
            live.chain,
            finished.number,
            live.first,
            after.seq,
            finished.ended,
            finished.wagered,
            finished.highest,
            int(finished.is_void),
            snapshot(after.table),
        )
    )
    for one in finished.totals:
        unit.add_wager_total(live.chain, one.wager, one.stake, (one.boxes, one.wagered, one.won))
    unit.results += [
        (one.patron, one.ended, live.chain, finished.number, one.wagered, one.net) for one in finished.patrons
    ]
