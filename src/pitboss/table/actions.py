"""The actions that a person can take at a table now; `refusal` decides which are possible.

A screen shows this list, so it needs no rules of its own.
"""

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from pitboss.cards import DECK, Card
from pitboss.games import FOLD
from pitboss.money import format_money
from pitboss.rulebook.procedures import Do, Effect
from pitboss.table import irregularities, steps
from pitboss.table.commands import (
    ROLES_BY_COMMAND,
    Acknowledge,
    ChangeDealing,
    ChangeDeck,
    Command,
    Correct,
    Cover,
    Decide,
    Document,
    Given,
    Idle,
    Leave,
    Perform,
    Recut,
    Reject,
    Repair,
    Report,
    Reshuffle,
    Role,
    Sit,
    Stand,
    Warn,
    Withhold,
)
from pitboss.table.decider import WARNING_SECONDS
from pitboss.table.decks import questions
from pitboss.table.refusals import count_accepted_wagers, refusal, seats_with_wager
from pitboss.table.runner import add_device_inputs
from pitboss.table.state import Table
from pitboss.table.steps import is_timed, next_to_decide

_SOMEBODY: Final = "somebody who has no seat"
_PERFORMS: Final[Mapping[Do, tuple[str, ...]]] = {
    Do.RECEIVE: ("preshuffled",),
    Do.CUT: ("depth",),
    Do.COUNT: ("counted", "misdealt", "whole"),
    Do.CHIPS: ("counted",),
}
"""Inputs that a step needs."""
_DECIDES: Final[Mapping[Do, tuple[str, ...]]] = {Do.CHIPS: ("without_chip",)}
"""Further inputs where a floorperson performs the step."""
EFFECTS: Final[Mapping[Effect, str]] = {
    Effect.NOTE: "Play continues; the report is recorded.",
    Effect.SET_ASIDE: "The card is set aside and play continues. A second such card voids the round.",
    Effect.VOID: "All hands are void. Every wager is returned.",
    Effect.VOID_BUT_SIDES: "All hands are void and their wagers returned. Side wagers on the cards are settled.",
    Effect.RESHUFFLE: "The cards are shuffled again.",
    Effect.OUT_OF_ORDER: "The device is out of order. Cover it or put a sign on it before play continues.",
}
"""The consequence of an irregularity, for the screen."""
IRREGULARITIES: Final[Mapping[str, str]] = {
    "face-up-card": "A card is found face up while dealing",
    "drawn-in-error": "A card was drawn in error, face down",
    "wrong-number": "A hand has a wrong number of cards",
    "exposed": "A card that must be face down was exposed",
    "shuffler-jam": "The shuffler jams before the cards are out",
    "shoe-jam": "The automated shoe fails to deal all cards",
    "malfunction": "A device malfunctions",
}
"""The irregularities of section .13, for the screen."""


class StepQuestion(msgspec.Struct, frozen=True):
    """A question of a step; a “no” is sent by adding its name to `Given.wrong`."""

    name: str
    says: str
    cite: str


class PossibleAction(msgspec.Struct, frozen=True, kw_only=True):
    """An action; `why` and `cite` give the refusal, and are empty where the action is possible."""

    command: Command
    says: str
    needs: tuple[str, ...] = ()
    """Inputs to enter, by field of `Given` or of the command."""
    questions: tuple[StepQuestion, ...] = ()
    """Questions that the person answers."""
    cards: int = 0
    """How many cards of a scanned shoe to name."""
    boxes: tuple[int, ...] = ()
    """Boxes that `without_chip` may name."""
    amount: int | None = None
    """Cost of a decision, in cents."""
    orders: str = ""
    """Consequence of a report."""
    under: str = ""
    """Clause of that consequence."""
    why: str = ""
    cite: str = ""


def free_seats(table: Table) -> tuple[int, ...]:
    """Return the seats that a new patron may take."""
    new = Given(actor=_SOMEBODY, role=Role.PLAYER, time=table.now)
    return tuple(seat for seat in range(1, table.rules.seats + 1) if refusal(table, Sit(seat), new) is None)


def possible_actions(table: Table, actor: str, role: Role) -> list[PossibleAction]:
    """Return the actions of one person, each with its refusal where it is not possible now."""
    given = Given(actor=actor or f"a {role}", role=role, time=table.now)
    if role is Role.PLAYER:
        return list(_player_actions(table, given))
    return [action for action in _staff_actions(table, given) if role in ROLES_BY_COMMAND[type(action.command)]]


def _player_actions(table: Table, given: Given) -> Iterator[PossibleAction]:
    seat = next((seat for seat, patron in table.seated.items() if patron == given.actor), None)
    if seat is not None:
        leaves = any(box.patron == given.actor for box in table.boxes.values())
        command: Command = Leave(seat) if leaves else Stand(seat)
        yield _possible_action(table, command, given, "Leave during the round" if leaves else "Stand up")
    box = next_to_decide(table)
    if box and box.patron == given.actor:
        decision = table.rules.terms.game.decisions[len(box.decisions)]
        title = table.rules.terms.game.wager(decision.wager).title
        yield _possible_action(table, Decide(box.seat, FOLD), given, "Fold")
        for multiple in decision.multiples:
            amount = multiple * box.wagers[decision.on]
            says = title if len(decision.multiples) == 1 else f"{title} {multiple} ×"
            yield _possible_action(table, Decide(box.seat, multiple), given, says, amount=amount)


def _staff_actions(table: Table, given: Given) -> Iterator[PossibleAction]:
    yield _perform_action(table, given)
    claims = any(box.claimed for box in table.boxes.values())
    lit = msgspec.structs.replace(given, light=True)
    yield _possible_action(
        table,
        Acknowledge(),
        lit,
        "Validate the payout" if claims and not table.void else "Acknowledge the void",
        needs=("light",) if claims and not table.void else (),
    )
    yield _possible_action(table, Reject(), given, "Have the box settled again")
    yield _possible_action(table, Withhold("a reason"), given, "Withhold the payout", needs=("reason",))
    for seat in table.boxes:
        yield _possible_action(table, Document(seat), given, _documents(table, seat))
    yield _possible_action(table, Recut(), given, "Have the cards cut again")
    yield _possible_action(table, Reshuffle(), given, "Have the cards shuffled again")
    yield _possible_action(table, ChangeDeck(), given, "Change the deck")
    yield _possible_action(table, Idle(), given, "Spread the cards: nobody is playing")
    yield _possible_action(table, Idle(face_up=True), given, "Spread the cards face up: a player asks")
    for dealing in table.rules.ways:
        if dealing is not table.rules.dealing:
            yield _possible_action(table, ChangeDealing(dealing), given, f"Deal {dealing.words}")
    for device in (*table.broken, *table.covered):
        yield _possible_action(table, Cover(device), given, f"The {device} is covered")
        yield _possible_action(table, Repair(device), given, f"The {device} works again")
    yield from _reports(table, given)
    yield from _corrections(table, given)
    if (box := next_to_decide(table)) and not is_timed(table):
        says = f"Warn seat {box.seat}: {WARNING_SECONDS} seconds to decide, then the hand folds"
        yield _possible_action(table, Warn(box.seat), given, says)
    for seat in table.seated:
        yield _possible_action(table, Leave(seat), given, f"Seat {seat} has left during the round")


def _documents(table: Table, seat: int) -> str:
    """Label the action that documents a payout, with the amount to pay by hand."""
    box = table.boxes[seat]
    if not box.paid_by_hand:
        return f"The payout of seat {seat} is documented"
    return f"The payout of seat {seat} is documented: pay {format_money(box.paid_by_hand)} to {box.patron} by hand"


def _reports(table: Table, given: Given) -> Iterator[PossibleAction]:
    for kind, rule in table.rules.irregularities.items():
        devices = ("shuffler", "shoe") if rule.effect is Effect.OUT_OF_ORDER else ("",)
        for device in devices:
            report = Report(kind, device=device)
            says = f"{IRREGULARITIES[kind]}{f': the {device}' if device else ''}"
            count = 0
            if table.rules.scanned and irregularities.report_refusal(table, report) is None:
                count = irregularities.count_cards_a_report_turns(table, report, given)
            named = msgspec.structs.replace(given, cards=_unused_cards(table, count))
            needs = ("where",) if kind == "wrong-number" else ("place",) if kind == "exposed" else ()
            action = _possible_action(table, report, named, says, needs=needs, cards=count)
            yield msgspec.structs.replace(action, orders=EFFECTS[rule.effect], under=rule.cite)


def _corrections(table: Table, given: Given) -> Iterator[PossibleAction]:
    """Yield a correction for every face-up card of a scanned shoe; the person enters the right card."""
    if not table.rules.scanned:
        return
    (other,) = _unused_cards(table, 1)
    groups = [(0, place, f"the {place}", cards) for place, cards in table.places.items()]
    groups += [(box.seat, "", f"seat {box.seat}", box.cards) for box in table.boxes.values() if not box.racked]
    for seat, place, whose, cards in groups:
        for number, slot in enumerate(cards):
            if slot.card and slot.up:
                says = f"{slot.card}, card {number + 1} of {whose}"
                action = _possible_action(table, Correct(other, number, seat, place), given, says, needs=("card",))
                yield msgspec.structs.replace(action, command=Correct(slot.card, number, seat, place))


def _perform_action(table: Table, given: Given) -> PossibleAction:
    """Return the action for the due step, checked as if all its inputs were given."""
    do = table.due.do
    meters = {name: 0 for by_name in table.rules.terms.meters.values() for name in by_name}
    counted = count_accepted_wagers(table, table.due.needs) if do is Do.CHIPS else table.expected_stub_count
    given = msgspec.structs.replace(given, meters=meters, counted=counted, actor=_SOMEBODY)
    count = steps.cards_to_name(table, given) if table.rules.scanned and do is not Do.ASK else 0
    given = add_device_inputs(table, bytes, given)
    if table.rules.scanned:
        given = msgspec.structs.replace(given, cards=_unused_cards(table, count), salts=())
    needs = (*_PERFORMS.get(do, ()), *(("backs",) if do is Do.RECEIVE and table.rules.decks > 1 else ()))
    decides = _DECIDES.get(do, ()) if given.role is Role.FLOORPERSON else ()
    boxes = seats_with_wager(table, table.due.needs) if decides else ()
    needs = (*needs, *decides)
    action = _possible_action(table, Perform(), given, "", needs=needs, cards=count)
    grounds = table.rules.grounds
    step_questions = tuple(StepQuestion(one.name, one.asks, str(grounds[one.ground])) for one in questions(table))
    return msgspec.structs.replace(action, questions=step_questions, boxes=boxes)


def _unused_cards(table: Table, count: int) -> tuple[Card, ...]:
    """Return `count` cards that are not on the table."""
    on_table = set(table.cards)
    return tuple(card for card in DECK if card not in on_table)[:count]


def _possible_action(  # noqa: PLR0913 (the fields of an action)
    table: Table,
    command: Command,
    given: Given,
    says: str,
    *,
    needs: tuple[str, ...] = (),
    cards: int = 0,
    amount: int | None = None,
) -> PossibleAction:
    refused = refusal(table, command, given)
    why, cite = (refused.why, str(refused.cite)) if refused else ("", "")
    return PossibleAction(command=command, says=says, needs=needs, cards=cards, amount=amount, why=why, cite=cite)
