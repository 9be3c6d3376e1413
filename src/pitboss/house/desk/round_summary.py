"""The summary of a finished round: its entries, patrons, totals, and the table after it."""

from collections.abc import Sequence

from pitboss.games import stakes
from pitboss.house.hold.wager_totals import round_totals
from pitboss.house.live_table import (
    LiveTable,
    snapshot,
)
from pitboss.house.storage.unit_of_work import UnitOfWork
from pitboss.table import events as happens
from pitboss.table.event_effects import evolve


def write_round_summary(
    unit: UnitOfWork, standing: LiveTable, after: LiveTable, happened: Sequence[happens.Event], time: int
) -> None:
    """Add the rows of a finished round: its summary, wager totals, and each patron's result."""
    table = last = standing.table
    for event in happened:
        last, table = table, evolve(table, event)
        if table.round != last.round:
            break
    boxes = list(last.boxes.values())
    wagered = {box.seat: sum(stakes(last.rules.terms, box.wagers, box.decisions).values()) for box in boxes}
    highest = max((sum(line.pays for line in box.lines) for box in boxes), default=0)
    number = last.round
    unit.rounds.append(
        (
            standing.chain,
            number,
            standing.first,
            after.seq,
            time,
            sum(wagered.values()),
            highest,
            int(bool(last.void)),
            snapshot(after.table),
        )
    )
    for one in round_totals(last):
        unit.add_wager_total(standing.chain, one.wager, one.stake, (one.boxes, one.wagered, one.won))
    by_patron: dict[str, tuple[int, int]] = {}
    for box in boxes:
        made, net = by_patron.get(box.patron, (0, 0))
        by_patron[box.patron] = made + wagered[box.seat], net + sum(line.net for line in box.lines)
    unit.played += [(patron, time, standing.chain, number, made, net) for patron, (made, net) in by_patron.items()]
