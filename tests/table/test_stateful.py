"""Random commands, legal and illegal, at every game and dealing method: invariants that hold after each of them."""

import random

import msgspec
import pytest
from msgspec.structs import replace
from slices import TABLE_STEPS
from table_play import open_for_gaming

from pitboss.cards import DECK
from pitboss.games import FOLD, stakes
from pitboss.progressive import Bank, open_bank
from pitboss.rulebook import cite
from pitboss.rulebook.procedures import Do
from pitboss.submission.model import Dealing, Shuffler
from pitboss.table import (
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
    Table,
    Tick,
    Wager,
    Warn,
    Withhold,
    evolve,
    refusal,
    transitions,
    view,
)
from pitboss.table import events as happened
from pitboss.table.box_settlement import undocumented_boxes
from pitboss.table.metering import apply_to_bank
from pitboss.table.refusals import count_accepted_wagers
from pitboss.table.state import Slot

GAMES = ("caribbean-stud-standard", "four-card-prime-standard", "cajun-stud-standard")
PATRONS = ("Ann", "Bob", "Cy")
ROLES = {
    "Dealer": Role.DEALER,
    "Floor": Role.FLOORPERSON,
    "Eye": Role.SURVEILLANCE,
    "System": Role.SYSTEM,
    **dict.fromkeys(PATRONS, Role.PLAYER),
}
KINDS = ("face-up-card", "drawn-in-error", "wrong-number", "exposed", "shuffler-jam", "shoe-jam", "malfunction", "fire")


FACTS: tuple[tuple[int, str, int | None], ...] = (
    (0, "", None),
    (2, "", 6),
    (4, "", 1),
    (0, "dealer", 4),
    (0, "board", 4),
)


def command(table: Table, bank: Bank, chance: random.Random) -> tuple[Command, Given]:  # noqa: C901, PLR0911 (one for each thing to do)
    """A random command: it usually moves the round on, sometimes it is nonsense."""
    deck = list(DECK)
    chance.shuffle(deck)
    actor = chance.choice(list(ROLES))
    given = Given(
        actor=actor, role=ROLES[actor], time=table.now + chance.choice((0, 0, 1, 40, 4000, -5)), cards=tuple(deck),
        depth=chance.choice((5, 10, 26, 51)), counted=chance.choice((None, table.expected_stub_count, 52, 3)), misdealt=chance.random() < 0.5,
        meters=bank.shows,
    )  # fmt: skip
    seat = chance.randrange(0, 8)
    game = table.rules.terms.game
    if chance.random() < 0.75:
        given = replace(given, time=table.now + chance.choice((0, 0, 0, 7)))
        if (acting := view(table).to_act) and chance.random() < 0.9:
            box = table.boxes[acting]
            multiples = game.decisions[len(box.decisions)].multiples
            return Decide(acting, chance.choice((FOLD, *multiples))), replace(given, actor=box.patron, role=Role.PLAYER)
        if table.due.do is Do.DEAL and chance.random() < 0.02:
            return Report("face-up-card"), replace(given, actor="Dealer", role=Role.DEALER)
        if any(box.settled for box in table.boxes.values()) and not table.void and chance.random() < 0.05:
            return Report("wrong-number", "", *chance.choice(FACTS)), replace(given, actor="Dealer", role=Role.DEALER)
        if table.unacknowledged_void or any(box.claimed for box in table.boxes.values()):
            answer = chance.choice((Acknowledge(), Acknowledge(), Acknowledge(), Reject(), Withhold("no light")))
            return answer, replace(given, actor="Floor", role=Role.FLOORPERSON, light=True)
        if table.due.do is Do.CLEAR and (held := undocumented_boxes(table)):
            return Document(chance.choice(held).seat), replace(given, actor="Floor", role=Role.FLOORPERSON)
        if table.broken:
            return Cover(table.broken[0]), replace(given, actor="Dealer", role=Role.DEALER)
        if table.covered and table.due.do is Do.SHUFFLE and chance.random() < 0.5:
            return Repair(table.covered[0]), replace(given, actor="Floor", role=Role.FLOORPERSON)
        if table.due.do in (Do.SHUFFLE, Do.CALL) and table.now - table.since >= 4 * 3600:
            return ChangeDeck(), replace(given, actor="Floor", role=Role.FLOORPERSON)
        if table.due.do is Do.CALL and chance.random() < 0.6:
            name = chance.choice(PATRONS)
            here = next((place for place, sitter in table.seated.items() if sitter == name), None)
            given = replace(given, actor=name, role=Role.PLAYER)
            return (Wager(here + chance.choice((0, 0, 1, -1)), wagers(table, chance)) if here else Sit(seat)), given
        counted = {
            Do.COUNT: table.expected_stub_count,
            Do.SHUFFLE: 52,
            Do.CHIPS: count_accepted_wagers(table, table.due.needs),
        }.get(table.due.do)
        role = Role(table.due.by)
        return Perform(), replace(given, role=role, depth=26, counted=counted)
    return chance.choice((
        Sit(seat), Stand(seat), Wager(seat, wagers(table, chance)), Decide(seat, chance.randrange(-1, 5)), Perform(), Leave(seat),
        Report(chance.choice(KINDS), chance.choice(("", "shuffler", "shoe")), *chance.choice(FACTS)) if chance.random() < 0.6 else Perform(),
        Tick(), Warn(seat), ChangeDealing(chance.choice(list(Dealing))),
        Acknowledge(), Recut(), Reshuffle(), Cover("shoe"), Reject(), Withhold("no light"), Correct(deck[0], 0, place="dealer"), Repair("shuffler"), Document(seat), Idle() if chance.random() < 0.1 else Perform(), ChangeDeck() if chance.random() < 0.1 else Recut(),
    )), given  # fmt: skip


def wagers(table: Table, chance: random.Random) -> dict[str, int]:
    made = {"ante": chance.choice((100, 1000, 1050, 0))}
    for wager in table.rules.terms.game.initial:
        if wager.name != "ante" and chance.random() < 0.4:
            made[wager.name] = (
                chance.choice((100, 100, 3)) if wager.offer in table.rules.terms.meters else chance.choice((100, 500))
            )
    return chance.choice((made, made, made, made, {}))


def with_hidden_cards_swapped(table: Table, viewer: str, chance: random.Random) -> Table:
    """The same table with every card this viewer cannot see replaced by another such card."""
    slots = [slot for held in table.places.values() for slot in held]
    slots += [slot for box in table.boxes.values() if not box.racked and box.patron != viewer for slot in box.cards]
    racked = [slot.card for box in table.boxes.values() if box.racked for slot in box.cards]
    shown = {card for box in table.boxes.values() if box.patron == viewer for card in (slot.card for slot in box.cards)}
    unseen = [
        *table.shoe,
        *(slot.card for slot in slots if not slot.up),
        *table.stub,
        *(card for card in table.rack if card not in racked),
    ]
    unseen = [card for card in unseen if card not in shown]
    mixed = unseen[:]
    chance.shuffle(mixed)
    other = dict(zip(unseen, mixed, strict=True))

    def swap(slot: Slot) -> Slot:
        return slot if slot.up else Slot(other.get(slot.card, slot.card))

    return replace(
        table,
        shoe=tuple(other.get(card, card) for card in table.shoe),
        stub=tuple(other.get(card, card) for card in table.stub),
        rack=tuple(card if card in racked else other.get(card, card) for card in table.rack),
        places={name: tuple(map(swap, held)) for name, held in table.places.items()},
        boxes={
            seat: box if box.patron == viewer or box.racked else replace(box, cards=tuple(map(swap, box.cards)))
            for seat, box in table.boxes.items()
        },
    )


def encoded_view(table: Table, viewer: str) -> bytes:
    return msgspec.json.encode(view(table, viewer), enc_hook=str)


@pytest.mark.parametrize("dealing", list(Dealing))
@pytest.mark.parametrize("preset", GAMES)
def test_invariants_hold_after_any_command(preset: str, dealing: Dealing) -> None:
    chance = random.Random(f"{preset} {dealing}")  # noqa: S311 (a test that can be repeated)
    shuffler = chance.choice((Shuffler.AUTOMATED, Shuffler.COUNTING)) if dealing is Dealing.HAND else Shuffler.AUTOMATED
    start = table = open_for_gaming(
        preset, dict(zip((2, 4, 6), PATRONS, strict=True)), dealing=dealing, shuffler=shuffler, timeout=30
    )
    amounts = dict.fromkeys(table.rules.terms.meters, 100)
    bank = open_bank(table.rules.terms, amounts)
    log: list[happened.Event] = []
    voids = 0
    refused_by: set[str] = set()
    kinds: set[type] = set()
    for step in range(TABLE_STEPS):
        asked, given = command(table, bank, chance)
        refused = refusal(table, asked, given)
        if refused:
            assert refused.why.endswith((".", "?", ")."))
            refused_by.add(refused.cite)
            continue
        decided = transitions(table, asked, given)
        events = [one.event for one in decided]
        bank, number = apply_to_bank(bank, decided), table.round
        for event in events:
            voids += isinstance(event, happened.Voided)
            if isinstance(event, happened.Settled):
                box = table.boxes[event.seat]
                staked = {line.wager: line.stake for line in event.lines if line.stake}
                assert staked == stakes(table.rules.terms, box.wagers, box.decisions)
                assert all(line.net == line.returned + line.pays - line.stake for line in event.lines)
            table = evolve(table, event)
            log.append(event)
            kinds.add(type(event))
        if table.shoe or table.rack or table.stub:
            assert sorted(map(str, table.cards)) == sorted(map(str, DECK))
        assert all(meter.is_balanced for meter in bank.meters.values())
        if table.round != number:
            assert voids <= 1  # a round is void once
            assert not any(meter.pending for meter in bank.meters.values())  # every win is paid or back on the meter
            voids = 0
        if step % 50 == 0:
            viewer = chance.choice(("", *PATRONS))
            other = with_hidden_cards_swapped(table, viewer, chance)
            assert encoded_view(table, viewer) == encoded_view(other, viewer)
            role = chance.choice((Role.DEALER, Role.FLOORPERSON, Role.SURVEILLANCE, Role.SYSTEM))
            hidden = with_hidden_cards_swapped(table, "", chance)
            assert msgspec.json.encode(view(table, role=role), enc_hook=str) == msgspec.json.encode(
                view(hidden, role=role), enc_hook=str
            )
    again = start
    for event in log:
        again = evolve(again, event)
    assert again == table
    for text in refused_by:
        assert text.startswith("house rule: ") or cite(text)
    assert table.round > 100
    assert kinds >= {
        happened.Settled,
        happened.Voided,
        happened.Left,
        happened.SetAside,
        happened.Cleared,
        happened.Acknowledged,
        happened.TimedOut,
        happened.Reversed,
    }
    assert len(refused_by) > 15
