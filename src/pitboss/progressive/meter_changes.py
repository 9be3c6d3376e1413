"""Changes of a meter as differences of its amounts: the form in which a house stores and audits them."""

from collections.abc import Mapping
from typing import Final

from pitboss.progressive.meter import Meter

AMOUNTS: Final = Meter.__struct_fields__
"""The names of a meter's amounts."""


def apply_change(meter: Meter, change: Mapping[str, int]) -> Meter:
    """Return a meter with changes added to its amounts.

    >>> apply_change(Meter(current=5), {"current": -5, "pending": 5}).pending
    5
    """
    return Meter(**{name: getattr(meter, name) + change.get(name, 0) for name in AMOUNTS})


def add_contributions(meter: Meter, current: int, waiting: int, reserve: int) -> Meter:
    """Return a meter with contributions of wagers added."""
    change = {"current": int(current), "waiting": int(waiting), "reserve": int(reserve)}
    return apply_change(meter, {**change, "contributed": sum(change.values())})


def meter_change(before: Meter, after: Meter) -> dict[str, int]:
    """Return the changed amounts of a meter, each as a difference."""
    changes = {name: getattr(after, name) - getattr(before, name) for name in AMOUNTS}
    return {name: change for name, change in changes.items() if change}
