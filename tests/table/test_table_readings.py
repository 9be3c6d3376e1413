"""Readings that a table consults: each option leads to other events or other payouts."""

import pytest
from msgspec.structs import replace
from table_play import (
    ANTE,
    DEALER,
    FLOORPERSON,
    PRESETS,
    advance_until,
    after_command,
    given_by_patron,
    open_for_gaming,
    shuffle_and_wager,
)

from pitboss.cards import DECK, hand
from pitboss.games import Outcome
from pitboss.money import CENT
from pitboss.progressive import open_bank
from pitboss.rulebook.procedures import Do
from pitboss.submission.model import Dealing
from pitboss.table import Acknowledge, Decide, Given, Perform, Report, Table, Wager, decide, transitions, view
from pitboss.table import events as happened
from pitboss.table.commands import Command
from pitboss.table.evolution import last_table
from pitboss.table.metering import apply_to_bank

DEALERS = hand("9h 8h 7h 6h 5h")
"""A straight flush: 10 % of the meter."""
SHARED = {**ANTE, "five-card-hand-dealer": 100}


def next_command(table: Table, meters: dict[str, int]) -> tuple[Command, Given]:
    """The command that is due, and who gives it."""
    if seat := view(table).to_act:
        return Decide(seat, 2), given_by_patron(table.boxes[seat].patron)
    if any(box.claimed for box in table.boxes.values()):
        return Acknowledge(), replace(FLOORPERSON, light=True)
    return Perform(), replace(DEALER, meters=meters, counted=len(table.boxes))


@pytest.mark.proves("639a.12(e)(2)")
@pytest.mark.parametrize(
    ("option", "paid"),
    [
        # The meter: $10,000 and three times 13 cents; a tenth is $1,000.03(9).
        ("split-per-wager-at-reveal", {1: 333_34, 2: 333_34, 4: 333_34}),
        ("one-part-per-player", {1: 0, 2: 500_01, 4: 500_01}),
    ],
)
def test_639a_12_e_2_the_dealers_jackpot_is_divided_by_wager_or_by_player(option: str, paid: dict[int, int]) -> None:
    """Ann has boxes 1 and 2, Bob has box 4. Settled from the dealer's right: 4, 2, 1."""
    others = iter([card for card in DECK if card not in DEALERS])
    cards = [DEALERS[place // 4] if place % 4 == 3 else next(others) for place in range(20)]
    table = open_for_gaming(PRESETS["639a"], {1: "Ann", 4: "Bob"}, readings={"dealer-hand-jackpot": option})
    table = shuffle_and_wager(table, {1: SHARED, 4: SHARED}, (*cards, *others))
    table = after_command(table, Wager(2, SHARED), given_by_patron("Ann"))
    bank = open_bank(table.rules.terms, {"five-card-hand": 100})
    while not all(box.settled for box in table.boxes.values()):
        command, given = next_command(table, bank.shows)
        decided = transitions(table, command, replace(given, time=table.now))
        bank, table = apply_to_bank(bank, decided), last_table(table, decided)
    lines = {seat: box.lines[-1] for seat, box in table.boxes.items()}
    assert {line.wager for line in lines.values()} == {"five-card-hand-dealer"}
    assert {seat: line.pays for seat, line in lines.items()} == paid
    assert bank.shows["five-card-hand"] == (10_000_39 - sum(paid.values())) * CENT
    assert bank.unpaid == {"five-card-hand-dealer": 0}


@pytest.mark.proves("639a.11(c)(5)(v)")
@pytest.mark.parametrize(("option", "envy"), [("none-between-own", 0), ("between-own", 1_000_00)])
def test_639a_11_c_5_v_envy_between_the_boxes_of_one_patron(option: str, envy: int) -> None:
    """Box 2 holds a royal flush: $1,000 for a $1 Progressive wager on box 1, of the same patron, by Paytable D."""
    cards = hand("2d Ac 9h 3c Kc 8d 4s Qc 7h Td Jc 6h Jd Tc 5h")
    table = open_for_gaming(
        PRESETS["639a"], {1: "Ann"}, readings={"envy-own-boxes": option}, paytable_letters={"progressive": "D"}
    )
    made = {**ANTE, "progressive": 100}
    table = shuffle_and_wager(table, {1: made}, (*cards, *(card for card in DECK if card not in cards)))
    table = after_command(table, Wager(2, made), given_by_patron("Ann"))
    while not all(box.settled for box in table.boxes.values()):
        command, given = next_command(table, dict(DEALER.meters))
        table = after_command(table, command, given)
    assert sum(line.pays for line in table.boxes[1].lines if line.wager == "envy-bonus") == envy
    assert not any(line.wager == "envy-bonus" for line in table.boxes[2].lines)


@pytest.mark.proves(
    "639a.8(h)", "682a.8(g)", "683a.8(g)", *(f"{chapter}.{at}(f)" for chapter in PRESETS for at in (9, 10))
)
@pytest.mark.parametrize("chapter", PRESETS)
@pytest.mark.parametrize("dealing", Dealing)
@pytest.mark.parametrize(("option", "removed"), [("void-return-remove", True), ("void-return", False)])
def test_8_9_10_a_misdeal_with_an_incomplete_deck(
    chapter: str, dealing: Dealing, option: str, *, removed: bool
) -> None:
    table = open_for_gaming(PRESETS[chapter], {1: "Ann"}, dealing=dealing, readings={"misdeal-not-52": option})
    table = advance_until(shuffle_and_wager(replace(table, uncounted=4), {1: ANTE}), Do.COUNT)
    short = replace(DEALER, counted=table.expected_stub_count - 1, misdealt=True, whole=False)
    events = decide(table, Perform(), short)
    assert any(isinstance(event, happened.Removed) for event in events) == removed
    (settled,) = [event for event in events if isinstance(event, happened.Settled)]
    assert [line.net for line in settled.lines] == [0]  # returned either way
    assert not any(
        isinstance(event, happened.Removed) for event in decide(table, Perform(), replace(short, whole=True))
    )
    assert any(
        isinstance(event, happened.Removed) for event in decide(table, Perform(), replace(short, misdealt=False))
    )


@pytest.mark.proves("682a.13(d)", "683a.13(d)")
@pytest.mark.parametrize(
    ("option", "lo_ball", "pocket"),
    [("deal-out-and-settle", (Outcome.LOSE, -500), (Outcome.WIN, 2500)), ("dealt-hands-only", (Outcome.RETURNED, 0), (Outcome.WIN, 2500))],
)  # fmt: skip
def test_683a_13_d_side_wagers_on_undealt_cards(
    option: str, lo_ball: tuple[Outcome, int], pocket: tuple[Outcome, int]
) -> None:
    """Two nines pay the Pocket Bonus 5 to 1; one of three community cards lies there and is exposed."""
    first = hand("9c 9d Kh")
    table = open_for_gaming(PRESETS["683a"], {1: "Ann"}, readings={"exposed-card-side-wagers": option})
    made = {**ANTE, "pocket-bonus": 500, "lo-ball": 500}
    table = shuffle_and_wager(table, {1: made}, (*first, *(card for card in DECK if card not in first)))
    while len(table.places.get("board", ())) < 1:
        table = after_command(table, Perform())
    void = after_command(table, Report("exposed"))
    found = {line.wager: (line.outcome, line.net) for line in void.boxes[1].lines}
    assert found == {"ante": (Outcome.RETURNED, 0), "pocket-bonus": pocket, "lo-ball": lo_ball}
    assert len(void.places["board"]) == (3 if option == "deal-out-and-settle" else 1)
    assert len(set(void.cards)) == 52
    assert void.void == "683a.13(d)"
    over = after_command(after_command(void, Acknowledge(), FLOORPERSON), Perform())
    assert over.round == 1


@pytest.mark.proves("682a.13(d)")
@pytest.mark.parametrize(
    ("option", "prime"), [("deal-out-and-settle", Outcome.LOSE), ("dealt-hands-only", Outcome.RETURNED)]
)
def test_682a_13_d_side_wagers_on_undealt_cards(option: str, prime: Outcome) -> None:
    """The dealer's first card is exposed; the player has one of five."""
    cards = hand("2c 3d 4h 5d 6s 7h 8s 9h Th Jd Qs Kc")
    table = open_for_gaming(PRESETS["682a"], {1: "Ann"}, readings={"exposed-card-side-wagers": option})
    table = shuffle_and_wager(
        table, {1: {**ANTE, "prime": 500}}, (*cards, *(card for card in DECK if card not in cards))
    )
    while "dealer" not in table.places:
        table = after_command(table, Perform())
    void = after_command(table, Report("exposed"))
    assert [(line.wager, line.outcome) for line in void.boxes[1].lines] == [
        ("ante", Outcome.RETURNED),
        ("prime", prime),
    ]


@pytest.mark.proves("682a.13(d)", "683a.13(d)")
@pytest.mark.parametrize("chapter", ["682a", "683a"])
@pytest.mark.parametrize(("option", "void"), [("void-as-c", True), ("exposed-plays-on", False)])
def test_13_d_an_exposed_all_six_card(chapter: str, option: str, *, void: bool) -> None:
    table = open_for_gaming(PRESETS[chapter], {1: "Ann"}, readings={"all-six-irregular": option})
    table = advance_until(shuffle_and_wager(table, {1: {**ANTE, "all-six": 500}}), Do.ASK)
    after = after_command(table, Report("exposed", place="all-six"))
    assert bool(after.void) == void
    assert after_command(table, Report("wrong-number", place="all-six", cards=3)).void == f"{chapter}.13(c)"
    if not void:
        assert advance_until(after, Do.CLEAR).boxes[1].lines[-1].wager == "all-six"
