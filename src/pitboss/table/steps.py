"""The interpreter of procedures: whether a step applies, what doing it leads to, when it is done."""

from collections.abc import Iterator

from pitboss.games import Balances, Hands, Other, Wager, limit_counts, settle
from pitboss.games.declare import ByTable, OnOthers
from pitboss.rulebook.procedures import Do, Step
from pitboss.table import events
from pitboss.table.commands import Given
from pitboss.table.state import Box, Table

BOXES = "boxes"


def applies(table: Table, step: Step) -> bool:
    """Whether a step is to be done at all, as the table stands."""
    if step.needs and not _needed(table, step):
        return False
    match step.do:
        case Do.ASK:
            return to_act(table, step) is not None
        case Do.COLLECT:
            return next(_to_collect(table), None) is not None
        case _:
            return True


def complete(table: Table) -> bool:
    """Whether the step that was due is done."""
    step = table.due
    match step.do:
        case Do.DEAL:
            return step.to != BOXES or table.turn == len(table.boxes)
        case Do.ASK:
            return to_act(table) is None
        case Do.COLLECT:
            return next(_to_collect(table), None) is None
        case Do.SETTLE:
            return _to_settle(table) is None
        case _:
            return True


def to_act(table: Table, step: Step | None = None) -> Box | None:
    """Return the box that decides next: clockwise from the dealer's left."""
    step = step or table.due
    if step.do is not Do.ASK:
        return None
    wagers = [decision.wager for decision in table.rules.terms.game.decisions]
    number = wagers.index(step.decision)
    return next((box for box in table.boxes.values() if len(box.decisions) == number and not box.folded), None)


def perform(table: Table, given: Given) -> list[events.Event]:  # noqa: PLR0911 (one for each kind of step)
    """Return what doing the step that is due leads to: one card or stack, one box, or the whole of it."""
    step = table.due
    match step.do:
        case Do.SHUFFLE:
            return [events.Shuffled(given.cards)]
        case Do.CALL:
            return [events.Called(given.magic, given.lucky)]
        case Do.DEAL:
            return [_deal(table, step)]
        case Do.TURN:
            return [_turn(table, step, given)]
        case Do.STUB:
            return [events.Racked()]
        case Do.COLLECT:
            box = next(_to_collect(table))
            return [events.Collected(box.seat, cards=not _needs_cards(table, box))]
        case Do.SETTLE:
            return list(_settle(table, given))
        case Do.CLEAR:
            return [events.Cleared()]
        case _:  # what happens beside the cards: locking out, counting chips
            return []


def _needed(table: Table, step: Step) -> bool:
    terms = table.rules.terms
    if step.do is Do.LOCK:
        return step.needs in terms.offered
    names = {wager.name for wager in terms.game.initial if wager.offer == step.needs}
    return any(names & box.wagers.keys() for box in table.boxes.values())


def _deal(table: Table, step: Step) -> events.Event:
    if step.to == BOXES:
        seat = list(table.boxes)[table.turn]
        return events.Dealt(step.cards, seat=seat, up=step.up)
    count = step.cards or len(table.places[step.source])
    return events.Dealt(count, place=step.to, source=step.source, up=step.up)


def _turn(table: Table, step: Step, given: Given) -> events.Event:
    held = len(table.places[step.place])
    first = step.first % held
    which = tuple(range(first, held if not step.cards else first + step.cards))
    contest = table.rules.terms.game.contest
    revealed = contest is not None and step.place in contest.dealer and not step.cards
    return events.Turned(which, place=step.place, meters=given.meters if revealed else {})


def _to_collect(table: Table) -> Iterator[Box]:
    return (box for box in table.boxes.values() if box.folded and not box.collected)


def _needs_cards(table: Table, box: Box) -> bool:
    """Whether a wager that survives a fold still looks at the player's cards."""
    placed = (wager for wager in table.rules.terms.game.wagers if box.wagers.get(wager.name))
    return any(
        wager.survives_fold and isinstance(wager.by, ByTable) and "player" in wager.by.places for wager in placed
    )


def _to_settle(table: Table) -> Box | None:
    """Return the box that is settled next: counter-clockwise from the dealer's right."""
    return next((box for box in reversed(list(table.boxes.values())) if not box.settled), None)


def _settle(table: Table, given: Given) -> Iterator[events.Event]:
    box = _to_settle(table)
    assert box is not None
    if not box.racked:
        yield events.Turned(tuple(range(len(box.cards))), seat=box.seat)
    terms = table.rules.terms
    before = [line for other in table.boxes.values() if other.patron == box.patron for line in other.lines]
    lines = settle(
        terms,
        _hands(table, box),
        box.wagers,
        box.decisions,
        Balances(given.meters, table.meters_at_reveal, _sharing(table)),
        won_before=limit_counts(terms, before),
    )
    yield events.Settled(box.seat, lines)


def _hands(table: Table, box: Box) -> Hands:
    """Return the cards a box is settled on."""
    game = table.rules.terms.game
    known = {place.name for place in game.places}
    cards = {name: tuple(slot.card for slot in held) for name, held in table.places.items() if name in known}
    cards["player"] = tuple(slot.card for slot in box.cards)
    lucky = tuple(place for place, drawn in (("dealer", "dealer"), ("player", str(box.seat))) if drawn in table.lucky)
    return Hands(cards, tuple(_others(table, box)), table.magic, lucky)


def _others(table: Table, box: Box) -> Iterator[Other]:
    """Yield the hands of other patrons, where a bonus is paid for them."""
    for bonus in table.rules.terms.game.bonuses:
        if isinstance(bonus.trigger, OnOthers):
            for other in table.boxes.values():
                if other.patron != box.patron:
                    cards = tuple(slot.card for slot in other.cards)
                    yield Other(cards, other.folded, bool(other.wagers.get(bonus.on)))


def _sharing(table: Table) -> int:
    """Return how many boxes divide a jackpot that is measured when the dealer's hand is turned."""

    def divides(wager: Wager) -> bool:
        return isinstance(wager.by, ByTable) and wager.by.at_reveal

    names = {wager.name for wager in table.rules.terms.game.wagers if divides(wager)}
    return max(1, sum(bool(names & box.wagers.keys()) for box in table.boxes.values()))
