"""Devices of a table: which of them work, and which of them each way of dealing needs."""

from collections.abc import Iterable, Mapping
from typing import Final

from pitboss.rulebook.procedures import Do
from pitboss.submission import Dealing, Shuffler
from pitboss.submission.model import is_automated_shuffler
from pitboss.table.state import Rules, Table

COUNT_EVERY: Final = 5
"""Maximum rounds between two stub counts where no device counts: .8(e) or (f), .9(d), .10(d)."""
ONE_DEVICE: Final = "approved-device-and-shoe"
"""Reading: whether an approved device at a table with an automated shoe is that shoe."""


def device_wagers(rules: Rules, wagers: Mapping[str, int]) -> dict[str, int]:
    """Return the wagers placed on wagering devices, which a step of the round locks out."""
    offers = {step.needs for step in rules.steps if step.do is Do.LOCK}
    names = {name for offer in offers for name in rules.offered.get(offer, ())}
    return {name: amount for name, amount in wagers.items() if name in names}


def is_shuffled_by_hand(table: Table) -> bool:
    """Whether the cards are shuffled by hand, for lack of a working shuffler."""
    return table.rules.shuffler is Shuffler.NONE or _has_failed(table.rules, "shuffler", table.covered)


def shuffler_counts(table: Table) -> bool:
    """Whether a device counts the cards at every shuffle."""
    return table.rules.shuffler in (Shuffler.COUNTING, Shuffler.APPROVED_DEVICE) and not is_shuffled_by_hand(table)


def stub_count_due(table: Table) -> bool:
    """Whether this round's stub must be counted: no device counts, and the last count is too old."""
    return not shuffler_counts(table) and table.uncounted + 1 >= COUNT_EVERY


def approved_device_works(table: Table) -> bool:
    """Whether a working approved device reshuffles and counts, so that .5(d) to (f) do not apply."""
    return table.rules.shuffler is Shuffler.APPROVED_DEVICE and not is_shuffled_by_hand(table)


def spread_due(table: Table) -> bool:
    """Whether the cards must be spread because the last player left; .5(g) exempts an approved device."""
    return table.unattended and table.ready and not approved_device_works(table)


def can_deal_by(table: Table, dealing: Dealing) -> bool:
    """Whether the table has the working device that a way of dealing needs."""
    failed = (*table.broken, *table.covered)
    match dealing:
        case Dealing.HAND:
            shuffles = is_automated_shuffler(table.rules.shuffler, table.rules.terms.readings)
            return shuffles and not _has_failed(table.rules, "shuffler", failed)
        case Dealing.AUTOMATED_SHOE:
            return table.rules.submitted is dealing and not _has_failed(table.rules, "shoe", failed)
        case Dealing.MANUAL_SHOE:
            return True


def _has_failed(rules: Rules, device: str, failed: Iterable[str]) -> bool:
    """Whether a device failed; an approved device that is also the shoe fails with it."""
    one = (
        rules.shuffler is Shuffler.APPROVED_DEVICE
        and rules.submitted is Dealing.AUTOMATED_SHOE
        and rules.terms.readings[ONE_DEVICE] == "one"
    )
    return bool(({"shuffler", "shoe"} if one else {device}) & set(failed))
