"""The stub count: every fifth round without a counting device, and the number of cards it must find."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from table_play import (
    ANTE,
    ANTE_AND_SIDE_WAGER,
    DEALER,
    FLOORPERSON,
    PRESETS,
    advance_until,
    after_command,
    deal_cards,
    open_for_gaming,
    perform_due,
    shuffle_and_wager,
)

from pitboss.house.floor.duties import prompt
from pitboss.rulebook.procedures import Do
from pitboss.submission.model import Dealing, Shuffler
from pitboss.table import Acknowledge, Perform, Report, Table, decide, refusal, view
from pitboss.table import events as happened

COUNTS = {
    "639a": {"manual-shoe": ("639a.8(f)", "639a.8(h)"), "hand": ("639a.9(d)", "639a.9(f)"), "automated-shoe": ("639a.10(d)", "639a.10(f)")},
    "682a": {"manual-shoe": ("682a.8(e)", "682a.8(g)"), "hand": ("682a.9(d)", "682a.9(f)"), "automated-shoe": ("682a.10(d)", "682a.10(f)")},
    "683a": {"manual-shoe": ("683a.8(e)", "683a.8(g)"), "hand": ("683a.9(d)", "683a.9(f)"), "automated-shoe": ("683a.10(d)", "683a.10(f)")},
}  # fmt: skip


WAYS = [
    (chapter, dealing, section, parts)
    for chapter in PRESETS
    for dealing, section, parts in (
        ("manual-shoe", 8, "fgh" if chapter == "639a" else "efg"),
        ("hand", 9, "def"),
        ("automated-shoe", 10, "def"),
    )
]
COUNTED, RIGHT, WRONG = (
    [(chapter, dealing, f"{chapter}.{section}({parts[place]})") for chapter, dealing, section, parts in WAYS]
    for place in range(3)
)
"""By chapter and dealing method: the clauses for the count, for a correct count and for a wrong one."""


def rounds(table: Table, chapter: str, number: int) -> Iterator[Table]:
    """Play so many rounds; yield each table where the stub is counted or the first player asked."""
    for _ in range(number):
        table = advance_until(shuffle_and_wager(table, {1: ANTE_AND_SIDE_WAGER[chapter]}), Do.COUNT, Do.ASK)
        yield table
        now = table.round
        while table.round == now:
            table = perform_due(table)


def at_count(chapter: str, dealing: str) -> Table:
    """A table in its fifth round, when the stub count is due."""
    *_, table = rounds(open_for_gaming(PRESETS[chapter], {1: "Ann"}, dealing=Dealing(dealing)), chapter, 5)
    assert table.due.do is Do.COUNT
    return table


def undealt_cards(table: Table) -> int:
    """The number of cards that are in no box and in no place of the layout."""
    return 52 - sum(map(len, table.places.values())) - sum(len(box.cards) for box in table.boxes.values())


@pytest.mark.proves("{clause}")
@pytest.mark.parametrize(("chapter", "dealing", "clause"), COUNTED)
def test_the_stub_is_counted_every_fifth_round(chapter: str, dealing: str, clause: str) -> None:
    table = open_for_gaming(PRESETS[chapter], {1: "Ann"}, dealing=Dealing(dealing))
    tables = list(rounds(table, chapter, 11))
    counts = [number for number, table in enumerate(tables) if table.due.do is Do.COUNT]
    assert counts == [4, 9]
    assert {str(tables[number].due.cite) for number in counts} == {clause}
    refused = refusal(tables[4], Perform(), DEALER)  # without a number
    assert refused
    assert refused.cite == clause


@pytest.mark.proves("{clause}")
@pytest.mark.parametrize(("chapter", "dealing", "clause"), COUNTED)
@pytest.mark.parametrize("shuffler", [Shuffler.COUNTING, Shuffler.APPROVED_DEVICE])
def test_a_counting_shuffler_needs_no_count_of_the_stub(
    chapter: str, dealing: str, clause: str, shuffler: Shuffler
) -> None:
    table = open_for_gaming(PRESETS[chapter], {1: "Ann"}, dealing=Dealing(dealing), shuffler=shuffler)
    for played in rounds(table, chapter, 6):
        assert played.due.do is Do.ASK, clause


@pytest.mark.proves("{clause}")
@pytest.mark.parametrize(("chapter", "dealing", "clause"), RIGHT)
def test_a_correct_count_racks_the_stub_face_down(chapter: str, dealing: str, clause: str) -> None:
    table = at_count(chapter, dealing)
    racked = after_command(after_command(table, Perform(), replace(DEALER, counted=undealt_cards(table))), Perform())
    assert (racked.void, racked.shoe, racked.stub) == ("", (), table.shoe), clause
    assert racked.due.do is Do.ASK
    before, after = view(table), view(racked)
    assert (after.boxes, after.places) == (before.boxes, before.places)  # no card of it was shown
    own, mine = view(racked, "Ann"), racked.boxes[1].cards
    assert own.places == before.places
    assert [box.cards for box in own.boxes] == [tuple(str(slot.card) for slot in mine)]  # the player's, no other
    assert after.rack == before.rack + len(table.shoe)


@pytest.mark.proves("{clause}")
@pytest.mark.parametrize(("chapter", "dealing", "clause"), WRONG)
@pytest.mark.parametrize(
    ("misdealt", "whole", "removed"), [(True, True, False), (False, True, True), (True, False, True), (False, False, True)]
)  # fmt: skip
@pytest.mark.parametrize("too_many", [1, -1])
def test_a_wrong_count_voids_the_round_and_removes_the_deck_unless_cards_were_misdealt(  # noqa: PLR0913 (a row)
    chapter: str, dealing: str, clause: str, too_many: int, *, misdealt: bool, whole: bool, removed: bool
) -> None:
    table = at_count(chapter, dealing)
    given = replace(DEALER, counted=undealt_cards(table) + too_many, misdealt=misdealt, whole=whole)
    events = decide(table, Perform(), given)
    (settled,) = [event for event in events if isinstance(event, happened.Settled)]
    assert {line.wager: (line.returned, line.pays, line.cite) for line in settled.lines} == {
        name: (stake, 0, clause) for name, stake in ANTE_AND_SIDE_WAGER[chapter].items()
    }
    assert any(isinstance(event, happened.Removed) for event in events) == removed
    void = after_command(table, Perform(), given)
    assert void.void == clause
    assert void.ready != removed
    assert refusal(void, Perform(), DEALER)  # until a floorperson has acknowledged it
    assert not after_command(void, Acknowledge(), FLOORPERSON).unacknowledged_void


STACKED = [
    pytest.param({}, 4, marks=pytest.mark.proves("682a.10(d)", "682a.10(e)", "682a.10(b)")),
    pytest.param({"all-six": 100}, 3, marks=pytest.mark.proves("682a.10(d)", "682a.10(e)", "682a.10(b)")),
]


def in_fifth_round(table: Table) -> Table:
    """The same table, four rounds after the stub was counted."""
    return replace(table, uncounted=4)


@pytest.mark.parametrize(("side", "rest"), STACKED)
def test_reading_last_stack_in_count_the_rest_of_the_last_stack_counts_with_the_stub(
    side: dict[str, int], rest: int
) -> None:
    """682a.10(b) racks the rest of the last stack of five: one card is the dealer's sixth, one the All-Six card."""
    table = open_for_gaming(PRESETS["682a"], {1: "Ann"}, dealing=Dealing.AUTOMATED_SHOE)
    table = advance_until(shuffle_and_wager(in_fifth_round(table), {1: {**ANTE, **side}}), Do.COUNT)
    assert (len(table.shoe), len(table.rack)) == (52 - 15, rest)
    assert prompt(table).text.startswith(f"Count the stub with the cards of this round in the discard rack ({rest})")
    alone = after_command(table, Perform(), replace(DEALER, counted=37))
    assert (alone.void, alone.miscount) == ("682a.10(f)", 0)  # the deck is gone, and its count with it
    assert after_command(table, Perform(), replace(DEALER, counted=37 + rest)).due.do is Do.STUB


@pytest.mark.proves("{chapter}.13(a)", "{chapter}.{counts}")
@pytest.mark.parametrize(
    ("chapter", "dealing", "counts", "wrong"),
    [
        (chapter, dealing, counts.partition(".")[2], wrong)
        for chapter, methods in COUNTS.items()
        for dealing, (counts, wrong) in methods.items()
    ],
)
def test_reading_face_up_card_in_count_a_face_up_card_counts_with_the_stub(
    chapter: str, dealing: str, counts: str, wrong: str
) -> None:
    table = deal_cards(
        shuffle_and_wager(
            in_fifth_round(open_for_gaming(PRESETS[chapter], {1: "Ann"}, dealing=Dealing(dealing))), {1: ANTE}
        ),
        1,
    )
    table = after_command(table, Report("face-up-card"))
    table = advance_until(table, Do.COUNT)
    assert table.due.cite == f"{chapter}.{counts}"
    stacked = 4 if (chapter, dealing) == ("682a", "automated-shoe") else 0
    assert len(table.rack) == 1 + stacked
    held = sum(map(len, table.places.values())) + len(table.boxes[1].cards)
    assert after_command(table, Perform(), replace(DEALER, counted=52 - held)).due.do is Do.STUB
    assert after_command(table, Perform(), replace(DEALER, counted=52 - held - 1)).void == wrong


@pytest.mark.proves("{chapter}.{counts}")
@pytest.mark.parametrize(
    ("chapter", "dealing", "counts"),
    [
        (chapter, dealing, counts.partition(".")[2])
        for chapter, methods in COUNTS.items()
        for dealing, (counts, _) in methods.items()
    ],
)
def test_reading_void_round_in_count_the_stub_of_a_void_round_is_counted(
    chapter: str, dealing: str, counts: str
) -> None:
    table = deal_cards(
        shuffle_and_wager(
            in_fifth_round(open_for_gaming(PRESETS[chapter], {1: "Ann"}, dealing=Dealing(dealing))), {1: ANTE}
        ),
        1,
    )
    void = after_command(after_command(table, Report("wrong-number")), Acknowledge(), FLOORPERSON)
    assert (void.due.do, void.due.cite, void.void) == (Do.COUNT, f"{chapter}.{counts}", f"{chapter}.13(c)")
    assert refusal(void, Perform(), DEALER)
    held = sum(map(len, void.places.values())) + len(void.boxes[1].cards)
    counted = after_command(void, Perform(), replace(DEALER, counted=52 - held))
    assert counted.due.do is Do.CLEAR
    over = after_command(counted, Perform())
    assert (over.round, over.uncounted, over.void) == (1, 0, "")
    misdealt = replace(DEALER, counted=51 - held, misdealt=True)
    assert (
        after_command(void, Perform(), misdealt).due.do is Do.CLEAR
    )  # 52 cards are there, and the round is void already
    short = after_command(void, Perform(), replace(DEALER, counted=51 - held))
    assert (short.ready, short.void, short.round) == (False, "", 1)  # the deck is gone; the void was acknowledged


@pytest.mark.parametrize("chapter", PRESETS)
def test_a_void_round_before_the_fifth_is_one_of_the_five_without_a_count(chapter: str) -> None:
    table = open_for_gaming(PRESETS[chapter], {1: "Ann"})
    for number in range(4):
        table = deal_cards(shuffle_and_wager(table, {1: ANTE}), 1)
        table = after_command(after_command(table, Report("wrong-number")), Acknowledge(), FLOORPERSON)
        assert table.due.do is Do.CLEAR
        table = after_command(table, Perform())
        assert table.uncounted == number + 1
    assert advance_until(shuffle_and_wager(table, {1: ANTE}), Do.COUNT, Do.ASK).due.do is Do.COUNT


@pytest.mark.proves("682a.8(e)", "683a.8(e)", "682a.13(d)", "683a.13(d)")
@pytest.mark.parametrize("chapter", ["682a", "683a"])
def test_the_stub_is_counted_when_a_void_round_settles_side_wagers(chapter: str) -> None:
    table = deal_cards(
        shuffle_and_wager(
            in_fifth_round(open_for_gaming(PRESETS[chapter], {1: "Ann"})), {1: ANTE_AND_SIDE_WAGER[chapter]}
        ),
        4,
    )
    place = "dealer" if chapter == "682a" else "board"
    void = after_command(after_command(table, Report("exposed", place=place)), Acknowledge(), FLOORPERSON)
    assert void.due.do is Do.COUNT
    assert void.boxes[1].settled
    held = sum(map(len, void.places.values())) + len(void.boxes[1].cards)
    assert after_command(void, Perform(), replace(DEALER, counted=52 - held)).due.do is Do.CLEAR
