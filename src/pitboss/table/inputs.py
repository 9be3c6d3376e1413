"""Checks of a command's inputs: salts, drawn bonuses, meter balances, the progressive system's light."""

import re
from typing import Final

from pitboss.cards import DECK
from pitboss.games import Outcome
from pitboss.games.declarations import OnLuck, OnMatch
from pitboss.games.settlement_inputs import meter_key
from pitboss.table.commands import Given
from pitboss.table.state import Table

_SALT: Final = re.compile("[0-9a-f]{64}")


def has_valid_salts(given: Given) -> bool:
    """Whether the salts are absent, or one of 32 bytes for each position."""
    return len(given.salts) in (0, len(DECK)) and all(map(_SALT.fullmatch, given.salts))


def draws_are_offered(table: Table, given: Given) -> bool:
    """Whether every card and position that the system drew belongs to an offered bonus."""
    triggers = [bonus.trigger for bonus in table.rules.terms.game.bonuses]
    positions = {"dealer", *map(str, range(1, table.rules.seats + 1))}
    card = given.magic is None or any(isinstance(trigger, OnMatch) for trigger in triggers)
    lucky = not given.lucky or any(isinstance(trigger, OnLuck) for trigger in triggers)
    return card and lucky and set(given.lucky) <= positions and len(set(given.lucky)) == len(given.lucky)


def missing_meter(table: Table, given: Given) -> str:
    """Return a meter that this round's wagers can win from and whose balance is missing."""
    terms = table.rules.terms
    needed = (
        (name, amount)
        for wager in terms.game.wagers
        if wager.by.paytable in terms.meters
        for amount in {box.wagers.get(wager.name, 0) for box in table.boxes.values()} - {0}
        for name, meter in terms.meters[wager.by.paytable].items()
        if meter.seed is not None
    )
    return next((name for name, amount in needed if not {name, meter_key(name, amount)} & given.meters.keys()), "")


def needs_system_light(table: Table) -> bool:
    """Whether the progressive system announces the claimed payout with its light."""
    names = {line.wager for box in table.boxes.values() for line in box.claimed if line.outcome is Outcome.WIN}
    return any(
        wager.name in names and not wager.electronic
        for wager in table.rules.terms.game.wagers
        if wager.name in table.rules.validated
    )
