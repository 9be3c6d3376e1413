"""Meters of a rehearsal: they start as in the Submission, move with play, and take balances from lines.

A balance in a line includes the increments of its round: a hand of this round wins its share of exactly this
amount. Wins, voids and later rounds move the meter from there.
"""

from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from pitboss.errors import Mistake
from pitboss.games.settlement_inputs import meter_key
from pitboss.house.ledger import Posting, meter_postings
from pitboss.progressive import Bank, Meter
from pitboss.table import Transition, events
from pitboss.table.metering import Banks, apply_to_banks, meter_balances


class SceneMeters(msgspec.Struct, frozen=True):
    """All meters of the table, and the balances that the scene gives them for this round."""

    banks: Banks
    given: Mapping[str, int] = {}

    @property
    def shows(self) -> dict[str, int]:
        """Balances for `Given.meters`."""
        return {**meter_balances(self.banks), **self.given}


def set_meters(meters: SceneMeters, amounts: Mapping[str, int], *, called: bool) -> SceneMeters:
    """Set balances by meter name, or by name and amount of the wager: `main`, `main@500`."""
    known = meter_balances(meters.banks)
    wanted: dict[str, int] = {}
    for name, amount in amounts.items():
        places = [place for place in known if name in (place, place.partition("@")[0])]
        if not places:
            raise Mistake(f"There is no meter “{name}” at this table; there are {', '.join(known) or 'none'}.")
        if amount < 0:
            raise Mistake(f"The meter “{name}” cannot be negative.")
        wanted |= dict.fromkeys(places, amount)
    banks = _set_balances(meters.banks, wanted)
    return SceneMeters(banks) if called else SceneMeters(banks, {**meters.given, **wanted})


def move(meters: SceneMeters, transitions: Sequence[Transition]) -> tuple[SceneMeters, list[Posting]]:
    """Return the meters after the transitions of a command, and their postings."""
    after = apply_to_banks(meters.banks, transitions)
    postings = list(_postings(meters.banks, after))
    if meters.given and any(isinstance(one.event, events.Called) for one in transitions):
        return SceneMeters(_set_balances(after, meters.given)), postings
    return SceneMeters(after, meters.given), postings


def _postings(before: Banks, after: Banks) -> Iterator[Posting]:
    for key, bank in after.items():
        for name, meter in bank.meters.items():
            if meter != before[key].meters[name]:
                yield from meter_postings(meter_key(name, key[1]), before[key].meters[name], meter)


def _set_balances(banks: Banks, amounts: Mapping[str, int]) -> dict[tuple[str, int], Bank]:
    """Set balances, and count the difference as the house's money."""
    return {
        (offer, amount): replace(
            bank,
            meters={
                name: _at(meter, amounts.get(meter_key(name, amount), meter.current))
                for name, meter in bank.meters.items()
            },
        )
        for (offer, amount), bank in banks.items()
    }


def _at(meter: Meter, current: int) -> Meter:
    house = meter.house + current - meter.current
    return replace(meter, current=current, house=max(house, 0), contributed=meter.contributed + min(house, 0))
