"""Totals of finished rounds by table, wager and amount; actual holds are calculated from them.

A wager that a void round returns does not count. An initial wager includes its raises and the bonuses that a result
pays on it. Envy, Magic Card and Lucky Bonus have totals of their own, since they have no stake.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from pitboss.games import Line, Outcome
from pitboss.games.declarations import OnResult
from pitboss.house.storage.connections import Connection
from pitboss.house.storage.wager_totals import totals_of_table
from pitboss.table.state import Box, Table

LIMIT: Final = "payout-limit"
"""The key for a payout limit's reduction of several wagers together."""


class WagerTotal(NamedTuple):
    """The total of one wager at one amount; money in cents."""

    wager: str
    stake: int
    boxes: int
    wagered: int
    won: int
    """Won by the house."""


def round_totals(table: Table) -> list[WagerTotal]:
    """Return the totals of a round, from the table at the end of the round."""
    return sum_totals(one for box in table.boxes.values() for one in _box_totals(table, box))


def sum_totals(many: Iterable[WagerTotal]) -> list[WagerTotal]:
    """Return one total for each wager and amount, sorted."""
    sums: dict[tuple[str, int], tuple[int, int, int]] = {}
    for one in many:
        boxes, wagered, won = sums.get((one.wager, one.stake), (0, 0, 0))
        sums[one.wager, one.stake] = boxes + one.boxes, wagered + one.wagered, won + one.won
    return [WagerTotal(wager, stake, *amounts) for (wager, stake), amounts in sorted(sums.items())]


def _box_totals(table: Table, box: Box) -> Iterable[WagerTotal]:
    groups: dict[str, list[Line]] = {}
    for line in box.lines:
        groups.setdefault(_total_key(table, box, line.wager), []).append(line)
    for name, lines in groups.items():
        if not (table.void and all(line.outcome is Outcome.RETURNED for line in lines)):
            staked, won = sum(line.stake for line in lines), -sum(line.net for line in lines)
            yield WagerTotal(name, box.wagers.get(name, 0), 1, staked, won)


def _total_key(table: Table, box: Box, wager: str) -> str:
    """Return the total that a line belongs to: its initial wager, or its own name."""
    game = table.rules.terms.game
    if wager == LIMIT:
        limited = (
            {_total_key(table, box, name) for name in game.limit.wagers} & set(box.wagers) if game.limit else set()
        )
        return limited.pop() if len(limited) == 1 else LIMIT
    on = {decision.wager: decision.on for decision in game.decisions}
    on |= {bonus.name: bonus.on for bonus in game.bonuses if isinstance(bonus.trigger, OnResult)}
    return on.get(wager, wager)


def read_totals(db: Connection, chain: str) -> list[WagerTotal]:
    """Return the stored totals of a table."""
    return [WagerTotal(wager, *map(int, amounts)) for wager, *amounts in totals_of_table(db, chain)]
