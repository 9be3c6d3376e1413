"""Narrates a record: who did what, card by card, with the clause of each step."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec.structs import replace

from pitboss.errors import Mistake
from pitboss.record.replay import ReplayedEntry
from pitboss.record.sentences import (
    Sentence,
    Words,
    card,
    cards,
    clause,
    join,
    money,
    parse_text,
    person,
    sentence,
    wager,
)
from pitboss.rulebook.grounds import Ground
from pitboss.rulebook.procedures import Do
from pitboss.submission.model import Dealing
from pitboss.table import Given, Perform, Role, events, view
from pitboss.table.box_settlement import PaidFrom, paid_from
from pitboss.table.decks import decks_to_spread, failed_question
from pitboss.table.refusals import count_accepted_wagers
from pitboss.table.state import Box, Slot, Table

ALL_CARDS = None
"""Viewer who sees every card: an auditor. A patron is a name; the public is an empty name."""


def narrate(replayed: ReplayedEntry, viewer: str | None = ALL_CARDS, *, staff: bool = True) -> list[str]:
    """Narrate one entry for a viewer as lines of text."""
    return [format_line(said) for said in narrate_sentences(replayed, viewer, staff=staff)]


def format_line(said: Sentence) -> str:
    """Return a sentence as a line of text, after the clause of its step."""
    return f"{said.clauses[0]:<16} {said.text}"


def narrate_sentences(replayed: ReplayedEntry, viewer: str | None = ALL_CARDS, *, staff: bool = True) -> list[Sentence]:
    """Narrate one entry for a viewer; only staff read the names of staff."""
    if not staff:
        replayed = _without_staff_names(replayed)
    try:
        return list(_sentences(replayed, viewer))
    except (LookupError, ValueError):
        raise Mistake(f"The events of entry {replayed.entry.seq} do not follow from those before it.") from None


def _sentences(replayed: ReplayedEntry, viewer: str | None) -> Iterator[Sentence]:
    table = replayed.before
    if isinstance(replayed.entry.command, Perform) and (beside := _describe_step(table, replayed.entry.given)):
        yield sentence(*beside, under=str(table.due.cite))
    for one in replayed.transitions:
        for words in _describe_event(one.event, one.before, one.after, viewer):
            yield sentence(*words, under=_clause(one.before, one.event))


def _clause(table: Table, event: events.Event) -> str:
    """Return the clause of the due step, or of the turn of cards within it."""
    turned = event.place if isinstance(event, events.Turned) else ""
    within = (step for step in table.rules.steps if turned and step.within is table.due.do and step.place == turned)
    return str(next(within, table.due).cite)


def _without_staff_names(replayed: ReplayedEntry) -> ReplayedEntry:
    """Replace the names of staff in an entry."""
    entry = replayed.entry
    transitions = [replace(one, event=_without_staff_name(one.event)) for one in replayed.transitions]
    actor = f"the {entry.given.role}" if entry.given.role is not Role.PLAYER else entry.given.actor
    given = replace(entry.given, actor=actor)
    return replace(replayed, entry=replace(entry, given=given), transitions=transitions)


def _without_staff_name(event: events.Event) -> events.Event:
    return replace(event, **_STAFF_FIELDS[type(event)]) if type(event) in _STAFF_FIELDS else event


_STAFF_FIELDS: Final[Mapping[type[events.Event], Mapping[str, Any]]] = {
    events.Withheld: {"by": "a floorperson"},
    events.Acknowledged: {"by": "a floorperson"},
    events.Rejected: {"by": "a floorperson"},
    events.Inspected: {"by": "the house"},
    events.Settled: {"validated_by": ()},
    events.Documented: {"by": "", "validated_by": ()},
}
"""Fields of events that name staff, and their replacements for patrons."""


def _describe_step(table: Table, given: Given) -> Words:  # noqa: PLR0911 (a sentence for each step)
    """Describe a step that has no event of its own, or a failed inspection."""
    match table.due.do:
        case Do.INSPECT | Do.VERIFY if question := failed_question(table, given):
            return person(given.actor), f" answers no: “{question.asks}”"
        case Do.VERIFY:
            return person(given.actor), " verifies the inspection"
        case Do.SPREAD:
            return ("the cards are spread face up",)
        case Do.WASH:
            which = "both decks" if table.spread and decks_to_spread(table) > 1 else "the cards"
            names = join(", ", ((person(name),) for name in table.seated.values()))
            return *names, f" may look; {which} are turned, washed and stacked"
        case Do.LOCK:
            return wager(table.due.needs), " wagers are locked out"
        case Do.CHIPS:
            accepted = count_accepted_wagers(table, table.due.needs)
            decides = () if given.counted == accepted else ("; ", person(given.actor), " decides")
            return f"chips counted: {given.counted}, wagers accepted: {accepted}", *decides
        case _:
            return ()


def _describe_event(event: events.Event, before: Table, after: Table, viewer: str | None) -> Iterator[Words]:  # noqa: C901, PLR0912, PLR0915 (a sentence for each event)
    match event:
        case events.Seated(seat, patron):
            yield person(patron), f" sits at {seat}"
        case events.Stood(seat) | events.Left(seat):
            how = "leaves during the round" if isinstance(event, events.Left) else "stands up"
            yield person(before.seated[seat]), f" {how} ({seat})"
        case events.Wagered(seat, patron, wagers):
            placed = join(", ", ((wager(name), " ", money(amount)) for name, amount in wagers.items()))
            yield person(patron), f" at {seat}: ", *(placed or ("takes the wagers back",))
        case events.Accepted(seat, wagers):
            yield f"the device at {seat} accepts ", *join(", ", (_on_device(after, name) for name in wagers))
        case events.Received(_, preshuffled, backs):
            received = "two decks are received" if after.rules.decks > 1 else "a deck is received"
            colours = f", {' and '.join(backs)}" if backs else ""
            yield (f"{received}{colours}{', preinspected and preshuffled' if preshuffled else ''}",)
        case events.Stored():
            other, rack = (after.rules.grounds[role] for role in (Ground.OTHER_DECK, Ground.DISCARD_RACK))
            yield (
                "the other deck is in the shuffler (",
                clause(other),
                "), the discard rack is empty (",
                clause(rack),
                ")",
            )
        case events.Ready():
            yield ("the table is open",)
        case events.Removed(cite):
            yield "the deck is removed (", clause(cite), ")"
        case events.Shuffled():
            yield ("the preshuffled cards are placed" if before.preshuffled else "the cards are shuffled",)
        case events.Cut(depth):
            yield (f"the cards are cut, {depth} above the cover card",)
        case events.Called(magic, lucky):
            drawn = ("; the system draws ", card(magic)) if magic else ()
            picked = f"; it picks {', '.join(lucky)}" if lucky else ""
            yield "“No more bets”", *drawn, picked
        case events.ChipsPlaced():
            yield from _chips(event, before)
        case events.Slid(count, place, source):
            slots = after.places[place][-count:]
            yield f"{source} → {place} ", *cards(slot.card if viewer is ALL_CARDS else None for slot in slots)
        case events.Dealt() | events.Turned():
            yield _describe_cards(event, before, after, viewer)
        case events.Counted(count):
            yield (f"the stub is counted: {count}",)
        case events.Racked():
            yield (f"the stub goes to the discard rack, {len(before.shoe)} cards",)
            yield from _describe_examination(after, viewer)
        case events.Decided(seat, multiple):
            yield (f"{seat} {f'raises {multiple} ×' if multiple else 'folds'}",)
        case events.Collected(seat, racked, under):
            where = f"tucked under {under}" if under else "racked" if racked else "stay"
            yield (f"{seat}: forfeited wagers are collected, cards {where}",)
        case events.Claimed(seat, _):
            yield (f"{seat}: a payout waits for a floorperson",)
        case events.Announced(seat, hand):
            yield (f"{seat}: the dealer announces {hand}",)
        case events.Settled(seat, lines) | events.Added(seat, lines):
            for line in lines:
                source = paid_from(before, line) if line.pays > 0 else PaidFrom.INVENTORY
                place = "" if source is PaidFrom.INVENTORY else f" [{source}]"
                yield (
                    f"{seat}: ",
                    wager(line.wager),
                    f" {line.outcome} ",
                    money(line.net),
                    f"{place} (",
                    clause(line.cite),
                    ") ",
                    *parse_text(line.why),
                )
            if isinstance(event, events.Settled):
                yield from _describe_payable(after.boxes[seat])
        case events.Reported(kind, cite, device, seat, place, count):
            held = "" if count is None else f": {seat or place} has {count}"
            yield f"reported: {kind}{f' of the {device}' if device else ''}{held} (", clause(cite), ")"
        case events.SetAside(shown):
            yield card(shown or before.shoe[0]), " is set aside"
        case events.Reversed(seat):
            yield (f"{seat}: the settlement is undone",)
        case events.DealingChanged(dealing):
            yield (f"the cards are dealt by {dealing} from now on",)
        case events.Timed(deadline, warned, by) if warned:
            yield person(by), f" warns {warned}: {deadline - after.now} seconds to decide, then the hand folds"
        case events.Timed(deadline):
            yield (f"{view(after).to_act} has {deadline - after.now} seconds to decide",)
        case events.Withheld(seat, by, reason, aside):
            yield person(by), f" withholds the payout of {seat}: {reason}"
            if aside:
                yield money(sum(aside.values())), " is set aside until the dispute is decided"
        case events.Reshuffling():
            yield ("a reshuffle is ordered",)
        case events.Corrected(right, number, seat, place):
            wrong = str(_slots(before, seat, place)[number].card)
            yield f"{seat or place}: card {number + 1} is ", card(right), ", not ", card(wrong)
        case events.TimedOut(seat):
            yield (f"{seat} did not decide in time and folds by house policy",)
        case events.Voided(cite):
            yield "the round is void (", clause(cite), ")"
        case events.Acknowledged(by):
            yield person(by), " acknowledges the void (", clause(before.void), ")"
        case events.Inspected(by):
            yield person(by), " inspects a deck"
        case events.Recutting():
            yield ("a recut is ordered",)
        case events.Rejected(seat, by):
            yield person(by), f" does not validate the payout of {seat}"
        case events.Repaired(device):
            yield (f"the {device} is back in use",)
        case events.Documented(seat, by, validated_by, paid):
            documented: Words = (" by ", person(by)) if by else ()
            names = join(" and ", ((person(name),) for name in validated_by))
            validated: Words = (", validated by ", *names) if names else ()
            yield f"the payout of {seat} is documented", *documented, *validated
            if paid:
                yield f"{seat}: ", money(paid), " is paid to ", person(before.boxes[seat].patron), " by hand"
        case events.Idled(face_up, decks):
            which = "both decks" if decks > 1 else "the cards"
            what = f"{which} are turned" if before.spread else f"nobody plays: {which} are spread out"
            how = "face up, as a player asks" if face_up else "face down"
            yield f"{what} {how} (", clause(before.rules.grounds[Ground.NO_PLAY]), ")"
        case events.Covered(device):
            yield (f"the {device} is covered",)
        case events.TakenOver(rules, engine):
            yield (f"other rules or another engine decide from here on: rules {rules[:12]}, engine {engine[:12]}",)
        case events.Cleared():
            yield ("the cards are cleared; the round is over",)
        case events.Stepped() | events.Passed():
            return


def _describe_examination(table: Table, viewer: str | None) -> Iterator[Words]:
    """Describe the cards that the viewing patron looks at after the deal."""
    for box in table.boxes.values():
        if viewer and box.patron == viewer:
            held = cards(slot.card for slot in box.cards)
            yield (
                f"{box.seat}: ",
                person(viewer),
                " looks at ",
                *held,
                " (",
                clause(table.rules.grounds[Ground.EXAMINE]),
                ")",
            )


def _on_device(table: Table, name: str) -> Words:
    """Name a wager that a device acknowledged, with the clause of that device."""
    electronic = table.rules.terms.game.wager(name).electronic
    device = Ground.ELECTRONIC_SYSTEM if electronic else Ground.WAGERING_DEVICE
    return wager(name), " (", clause(table.rules.grounds[device]), ")"


def _chips(event: events.ChipsPlaced, before: Table) -> Iterator[Words]:
    """Describe the chips: cancelled wagers, spare chips, and the amount for the inventory."""
    for seat in event.cancelled:
        back = money(sum(before.wagers_of(seat, event.offer).values()))
        cancelled = wager(event.offer), " is cancelled; "
        yield f"{seat}: no chip, so ", *cancelled, back, " goes back to ", person(before.boxes[seat].patron)
    spare = event.counted - count_accepted_wagers(before, event.offer)
    if spare > 0:
        chips = f"{spare} chips go" if spare > 1 else "1 chip goes"
        yield (f"{chips} back to the patron: no wager was accepted for it",)
    what = "chips go" if spare >= 0 or event.cancelled else "wagers all stand, and their amount goes"
    yield wager(event.offer), f" {what} into the table inventory: ", money(event.amount)


def _describe_payable(box: Box) -> Iterator[Words]:
    """Describe payouts by hand; the hand stays until they are documented."""
    for line in box.lines:
        if line.wager in box.by_hand:
            yield (
                f"{box.seat}: ",
                money(line.pays),
                " is payable to ",
                person(box.patron),
                " by hand, not to an account; the hand stays until that is documented (",
                clause(line.cite),
                ")",
            )


def _slots(table: Table, seat: int, place: str) -> tuple[Slot, ...]:
    return table.boxes[seat].cards if seat else table.places[place]


def _describe_cards(event: events.Dealt | events.Turned, before: Table, after: Table, viewer: str | None) -> Words:
    """Describe moved or turned cards; hidden ones are “▒▒”."""
    place = f"{event.seat}" if event.seat else event.place
    if isinstance(event, events.Turned):
        slots = _slots(after, event.seat, event.place)
        return f"{place} shows ", *cards(str(slots[number].card) for number in event.which)
    next_cards = event.shown or before.shoe
    drawn = before.places[event.source] if event.source else tuple(Slot(one, event.up) for one in next_cards)
    known = (slot.card if slot.up or viewer is ALL_CARDS else None for slot in drawn[: event.cards])
    stack = "deck" if before.rules.dealing is Dealing.HAND else "shoe"
    return f"{event.source or stack} → {place} ", *cards(known)
