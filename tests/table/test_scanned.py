"""A scanned shoe: nobody knows the order of the cards; the dealer names each card that is turned."""

import random

import pytest
from msgspec.structs import replace
from table_play import (
    ANTE,
    ANTE_AND_SIDE_WAGER,
    DEALER,
    PRESETS,
    advance_until,
    after_command,
    given_by_patron,
    open_for_gaming,
    perform_due,
    shuffle_and_wager,
)

from pitboss.cards import DECK, Card, hand
from pitboss.games import FOLD
from pitboss.record import Entry, encoded, header, replay, table_of
from pitboss.rulebook.procedures import Do
from pitboss.submission import text_of
from pitboss.submission.model import Dealing
from pitboss.table import Command, Decide, Given, Perform, Report, Sit, Table, Wager, after, decide, refusal, view
from pitboss.table import events as happened
from pitboss.table.event_effects import evolve
from pitboss.table.runner import automatic_command
from pitboss.table.shoe import seeded_source


def newly_visible(table: Table, events: list[happened.Event], unknown: Table) -> tuple[Card, ...]:
    """The cards that these events turn up and that the other table does not know yet."""
    names: list[Card] = []
    for event in events:
        if isinstance(event, happened.SetAside):
            names += [card for card in table.shoe[:1] if card]
        elif isinstance(event, happened.Dealt) and event.up:
            names += [card for card in table.shoe[: event.cards] if card]
        elif isinstance(event, happened.Turned):
            here, there = (
                state.boxes[event.seat].cards if event.seat else state.places[event.place] for state in (table, unknown)
            )
            names += [here[place].card for place in event.which if there[place].card is None]  # type: ignore[misc]
        table = evolve(table, event)
        unknown = evolve(unknown, event if not isinstance(event, happened.Shuffled) else happened.Shuffled(()))
    return tuple(names)


class Twins:
    """One table that knows its cards and one that does not, with the same cards and the same commands."""

    def __init__(self, preset: str, dealing: Dealing) -> None:
        seats = {1: "Ann", 3: "Bob", 4: "Cy"}
        self.known, self.scanned = (
            open_for_gaming(preset, seats, dealing=dealing, scanned=way) for way in (False, True)
        )
        self.settled = 0
        self.voided = 0

    def do(self, command: Command, given: Given) -> None:
        if refused := refusal(self.known, command, given):
            assert refusal(self.scanned, command, replace(given, cards=())) == refused
            return
        events = decide(self.known, command, given)
        names = newly_visible(self.known, events, self.scanned)
        if names:  # without their names nothing happens
            for wrong in (names[1:], (*names, names[0]), (names[0],) * len(names) if len(names) > 1 else ()):
                assert refusal(self.scanned, command, replace(given, cards=wrong, salts=()))
        same = decide(self.scanned, command, replace(given, cards=names, salts=()))
        money = (happened.Settled, happened.Added, happened.Claimed, happened.Voided, happened.Reversed)
        assert [event for event in same if isinstance(event, money)] == [
            event for event in events if isinstance(event, money)
        ]
        assert [type(event) for event in same] == [type(event) for event in events]
        self.known, self.scanned = after(self.known, events), after(self.scanned, same)
        self.settled += sum(isinstance(event, happened.Settled) for event in events)
        self.voided += any(isinstance(event, happened.Voided) for event in events)
        for viewer in ("", "Ann"):  # what lies face up is the same for both
            mine, theirs = view(self.scanned, viewer), view(self.known, viewer)
            assert (mine.places, mine.due, mine.to_act) == (theirs.places, theirs.due, theirs.to_act)
            assert [box.lines for box in mine.boxes] == [box.lines for box in theirs.boxes]
        if self.scanned.shoe or self.scanned.rack or self.scanned.stub:
            seen = [card for card in self.scanned.cards if card]
            assert len(self.scanned.cards) == len(DECK)
            assert len(set(seen)) == len(seen)


@pytest.mark.parametrize("dealing", list(Dealing))
@pytest.mark.parametrize("preset", PRESETS.values())
def test_a_scanned_table_settles_like_one_with_known_cards(preset: str, dealing: Dealing) -> None:
    twins, source = Twins(preset, dealing), seeded_source(f"{preset} {dealing}")
    chance = random.Random(f"{preset} {dealing}")  # noqa: S311 (a test that can be repeated)
    house = replace(DEALER, meters={"main": 10**12, "five-card-hand": 10**12})
    sides = [wager.name for wager in twins.known.rules.terms.game.initial if wager.name != "ante"]
    while twins.known.round < 60:
        table = twins.known
        if acting := view(table).to_act:
            box = table.boxes[acting]
            multiples = table.rules.terms.game.decisions[len(box.decisions)].multiples
            twins.do(Decide(acting, chance.choice((FOLD, *multiples))), given_by_patron(box.patron))
        elif table.due.do is Do.CALL and not table.boxes:
            for seat, name in table.seated.items():
                wagers = {**ANTE, **{side: 100 for side in sides if chance.random() < 0.5}}
                twins.do(Wager(seat, wagers), given_by_patron(name))
        elif chance.random() < 0.03:
            kind = chance.choice(("face-up-card", "exposed", "wrong-number", "drawn-in-error"))
            twins.do(Report(kind), house)
        elif due := automatic_command(table, source, house, bets_are_in=True):
            command, given = due
            twins.do(command, replace(given, salts=()))
    assert twins.settled > 100
    assert twins.voided > 0


def test_a_card_is_named_once_when_turned() -> None:
    table = shuffle_and_wager(
        open_for_gaming(PRESETS["639a"], {1: "Ann"}, scanned=True), {1: ANTE_AND_SIDE_WAGER["639a"]}, deck=()
    )
    while not (table.due.do is Do.DEAL and table.due.up):
        table = perform_due(table)
    refused = refusal(table, Perform(), DEALER)
    assert refused
    assert refused.why == "Name each card turned up: 1 turned up, 0 named."
    table = after_command(table, Perform(), replace(DEALER, cards=hand("Kd")))
    table = advance_until(table, Do.ASK)
    assert set(view(table, "Ann").boxes[0].cards) == {None}  # the table does not know Ann's cards
    table = after_command(table, Decide(1, 2), given_by_patron("Ann"))
    again = refusal(table, Perform(), replace(DEALER, cards=hand("Ks Kd 8c 2c")))
    assert again
    assert again.why == "Kd is already on the table."
    twice = refusal(table, Perform(), replace(DEALER, cards=hand("Ks 8h 8c") + hand("Ks")))
    assert twice
    assert twice.why == "Ks is named twice."
    table = advance_until(after_command(table, Perform(), replace(DEALER, cards=hand("Ks 8h 8c 2c"))), Do.SETTLE)
    settled = after_command(table, Perform(), replace(DEALER, cards=hand("Ah Jh 9h 6h 3h")))
    nets = {line.wager: line.net for line in settled.boxes[1].lines}
    assert nets["ante"] == 1000
    assert nets["bet"] == 5 * 2000  # a flush: 639a.12(b)


def test_a_scanned_shoe_has_no_commitment() -> None:
    table = open_for_gaming(PRESETS["639a"], {1: "Ann"}, scanned=True)
    assert refusal(table, Perform(), replace(DEALER, cards=DECK))
    salted = refusal(table, Perform(), replace(DEALER, salts=("00" * 32,) * 52))
    assert salted
    assert salted.why == "The cards of a scanned shoe have no salts."
    assert refusal(table, Perform(), DEALER) is None


def test_the_record_of_a_scanned_table_replays() -> None:
    text = text_of("cajun-stud-standard")
    line, digest = encoded(header(text, scanned=True), "")
    lines = [line]
    table = table_of(header(text, scanned=True))
    said: list[tuple[Command, Given]] = [(Sit(1), given_by_patron("Ann")), (Perform(), DEALER)]
    for seq, (command, given) in enumerate(said, 1):
        events = decide(table, command, given)
        table = after(table, events)
        line, digest = encoded(Entry(seq, command, given, tuple(events)), digest)
        lines.append(line)
    assert list(replay(lines))[-1].after == table
    assert table.rules.scanned
