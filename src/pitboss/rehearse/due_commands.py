"""Performs due steps until a given step is reached; decisions are left to the players."""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from pitboss.rulebook.procedures import Do
from pitboss.table import Command, Given, Perform, Role
from pitboss.table import steps as interpreter
from pitboss.table.runner import automatic_command
from pitboss.table.state import Table

MIDDLE: Final = 26
"""Default number of cards above the cover card."""
_PEOPLE: Final = {Role.SYSTEM: Role.DEALER}
_INPUTS_BY_STEP: Final[Mapping[Do, tuple[str, ...]]] = {
    Do.RECEIVE: ("preshuffled", "backs", "wrong"),
    Do.INSPECT: ("wrong",),
    Do.VERIFY: ("wrong",),
    Do.SHUFFLE: ("counted", "wrong"),
    Do.CUT: ("depth",),
    Do.COUNT: ("counted", "misdealt", "whole"),
    Do.CHIPS: ("counted", "without_chip"),
    Do.CALL: ("magic", "lucky"),
}
"""Inputs beside `until` that each step takes; the first such step uses them."""


def next_due(table: Table, given: Given, said: frozenset[str]) -> tuple[Command, Given, frozenset[str]]:
    """Return the next command, its inputs, and the names of the line's inputs that it uses.

    Where a player must decide, it returns the dealer's step, which the table refuses with the reason.
    """
    dealer = replace(given, actor=Role.DEALER, role=Role.DEALER, cards=())
    due = automatic_command(table, bytes, dealer, bets_are_in=True)
    if due is None:
        return Perform(), dealer, frozenset()
    command, at_hand = due
    role = _PEOPLE.get(at_hand.role, at_hand.role)
    taken = said & set(_INPUTS_BY_STEP.get(table.due.do, ())) if isinstance(command, Perform) else frozenset()
    beside = {name: getattr(given, name) for name in taken}
    drawn = {"magic": None, "lucky": ()} if table.due.do is Do.CALL else {}
    depth = {"depth": MIDDLE} if table.due.do is Do.CUT else {}
    at_hand = replace(at_hand, actor=role.value, role=role, cards=(), salts=(), **{**drawn, **depth, **beside})
    if table.rules.scanned and isinstance(command, Perform):
        named = given.cards[: interpreter.cards_to_name(table, at_hand)]
        return command, replace(at_hand, cards=named), taken
    return command, at_hand, frozenset(taken)
