"""The count of the stub: every fifth round without a device that counts, and which cards it has to find."""

import pytest
from msgspec.structs import replace
from table_play import ANTE, DEALER, FLOOR, PRESETS, SIDES, bets, dealt, done, opened, told, until

from pitboss.house.duties import prompt
from pitboss.rulebook.procedures import Do
from pitboss.submission.model import Dealing, Shuffler
from pitboss.table import Acknowledge, Perform, Report, Table, decide, refusal
from pitboss.table import events as happened

COUNTS = {
    "639a": {"manual-shoe": ("639a.8(f)", "639a.8(h)"), "hand": ("639a.9(d)", "639a.9(f)"), "automated-shoe": ("639a.10(d)", "639a.10(f)")},
    "682a": {"manual-shoe": ("682a.8(e)", "682a.8(g)"), "hand": ("682a.9(d)", "682a.9(f)"), "automated-shoe": ("682a.10(d)", "682a.10(f)")},
    "683a": {"manual-shoe": ("683a.8(e)", "683a.8(g)"), "hand": ("683a.9(d)", "683a.9(f)"), "automated-shoe": ("683a.10(d)", "683a.10(f)")},
}  # fmt: skip


@pytest.mark.proves(
    *(cite for methods in COUNTS.values() for cites in methods.values() for cite in cites),
    "639a.8(g)", "639a.9(e)", "639a.10(e)", "682a.8(f)", "682a.9(e)", "682a.10(e)", "683a.8(f)", "683a.9(e)", "683a.10(e)",
)  # fmt: skip
@pytest.mark.parametrize(
    ("chapter", "dealing"), [(chapter, dealing) for chapter in COUNTS for dealing in COUNTS[chapter]]
)
def test_the_stub_is_counted_every_fifth_round_and_a_wrong_count_voids(chapter: str, dealing: str) -> None:
    counted, wrong = COUNTS[chapter][dealing]
    table = opened(PRESETS[chapter], {1: "Ann"}, dealing=Dealing(dealing))
    rounds = []
    for number in range(11):
        table = until(bets(table, {1: SIDES[chapter]}), Do.COUNT, Do.ASK)
        if table.due.do is Do.COUNT:
            rounds.append(number)
            assert table.due.cite == counted
            assert refusal(table, Perform(), DEALER)
            before = table
            table = done(table, Perform(), replace(DEALER, counted=table.to_count))
            stub = set(table.shoe)
            table = done(table, Perform(), DEALER)
            assert (table.shoe, stub <= set(table.stub)) == ((), True)  # right: the stub goes to the discard rack
        while table.round == number:
            table = told(table)
    assert rounds == [4, 9]
    for misdealt, whole, removed in ((True, True, False), (False, True, True), (True, False, True)):
        given = replace(DEALER, counted=before.to_count - 1, misdealt=misdealt, whole=whole)
        events = decide(before, Perform(), given)
        (settled,) = [event for event in events if isinstance(event, happened.Settled)]
        assert {line.wager: (line.returned - line.stake, line.cite) for line in settled.lines} == dict.fromkeys(
            SIDES[chapter], (0, wrong)
        )
        assert any(isinstance(event, happened.Removed) for event in events) == removed
        void = done(before, Perform(), given)
        assert void.void == wrong
        assert refusal(void, Perform(), DEALER)
        assert not done(void, Acknowledge(), FLOOR).unacknowledged


def test_a_counting_shuffler_needs_no_count_of_the_stub() -> None:
    for shuffler in (Shuffler.COUNTING, Shuffler.APPROVED_DEVICE):
        table = opened(PRESETS["639a"], {1: "Ann"}, shuffler=shuffler)
        for number in range(6):
            table = until(bets(table, {1: ANTE}), Do.COUNT, Do.ASK)
            assert table.due.do is Do.ASK
            while table.round == number:
                table = told(table)


STACKED = [
    pytest.param({}, 4, marks=pytest.mark.proves("682a.10(d)", "682a.10(e)", "682a.10(b)")),
    pytest.param({"all-six": 100}, 3, marks=pytest.mark.proves("682a.10(d)", "682a.10(e)", "682a.10(b)")),
]


def fifth(table: Table) -> Table:
    """The same table, four rounds after the stub was counted."""
    return replace(table, uncounted=4)


@pytest.mark.parametrize(("side", "rest"), STACKED)
def test_reading_last_stack_in_count_what_is_left_of_the_last_stack_counts_with_the_stub(
    side: dict[str, int], rest: int
) -> None:
    """682a.10(b) racks the rest of the last stack of five: one card is the dealer's sixth, one the All-Six card."""
    table = opened(PRESETS["682a"], {1: "Ann"}, dealing=Dealing.AUTOMATED_SHOE)
    table = until(bets(fifth(table), {1: {**ANTE, **side}}), Do.COUNT)
    assert (len(table.shoe), len(table.rack)) == (52 - 15, rest)
    assert prompt(table).startswith(f"Count the stub with the cards of this round in the discard rack ({rest})")
    alone = done(table, Perform(), replace(DEALER, counted=37))
    assert (alone.void, alone.miscount) == ("682a.10(f)", 0)  # the deck is gone, and its count with it
    assert done(table, Perform(), replace(DEALER, counted=37 + rest)).due.do is Do.STUB


@pytest.mark.proves("{chapter}.13(a)", "{chapter}.{counts}")
@pytest.mark.parametrize(
    ("chapter", "dealing", "counts", "wrong"),
    [
        (chapter, dealing, counts.partition(".")[2], wrong)
        for chapter, methods in COUNTS.items()
        for dealing, (counts, wrong) in methods.items()
    ],
)
def test_reading_face_up_card_in_count_a_card_found_face_up_counts_with_the_stub(
    chapter: str, dealing: str, counts: str, wrong: str
) -> None:
    table = dealt(bets(fifth(opened(PRESETS[chapter], {1: "Ann"}, dealing=Dealing(dealing))), {1: ANTE}), 1)
    table = done(table, Report("face-up-card"))
    table = until(table, Do.COUNT)
    assert table.due.cite == f"{chapter}.{counts}"
    stacked = 4 if (chapter, dealing) == ("682a", "automated-shoe") else 0
    assert len(table.rack) == 1 + stacked
    held = sum(map(len, table.places.values())) + len(table.boxes[1].cards)
    assert done(table, Perform(), replace(DEALER, counted=52 - held)).due.do is Do.STUB
    assert done(table, Perform(), replace(DEALER, counted=52 - held - 1)).void == wrong
