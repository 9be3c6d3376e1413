"""Completing a round, clause by clause of .11: decisions, collections, validations, and how cards go to the rack."""

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
    perform_due,
    shuffle_and_wager,
)

from pitboss.cards import DECK, Card, hand
from pitboss.games import FOLD
from pitboss.rulebook.procedures import Do
from pitboss.table import Acknowledge, Decide, Perform, Table, Withhold, decide, refusal, view
from pitboss.table import events as happened

STUD = PRESETS["639a"]
METERS = {"main": 20_000 * 10**8, "five-card-hand": 10_000 * 10**8}
SHOWN = replace(DEALER, meters=METERS)
OPTIONAL = {
    "682a": ("prime", "aces-bonus", "all-six"),
    "683a": ("pocket-bonus", "board-bonus", "lo-ball", "all-six"),
}


def deck(*hands: str) -> tuple[Card, ...]:
    """A deck whose first cards make these hands, dealt one card at a time."""
    woven = [card for cards in zip(*map(hand, hands), strict=True) for card in cards]
    return (*woven, *(card for card in DECK if card not in woven))


@pytest.mark.proves("{chapter}.11(b)", "{chapter}.11({part})")
@pytest.mark.parametrize(
    ("chapter", "part", "before", "multiples"),
    [
        ("639a", "b", 0, [2]),
        ("682a", "b", 0, [1, 2, 3]),
        ("683a", "b", 0, [1, 2, 3]),
        ("683a", "d", 1, [1, 2, 3]),
        ("683a", "f", 2, [1, 2, 3]),
    ],
)
def test_11_a_player_raises_by_an_allowed_multiple_or_folds(
    chapter: str, part: str, before: int, multiples: list[int]
) -> None:
    table = advance_until(shuffle_and_wager(open_for_gaming(PRESETS[chapter], {1: "Ann"}), {1: ANTE}), Do.ASK)
    for _ in range(before):
        table = advance_until(perform_due(table), Do.ASK)
    assert table.due.cite == f"{chapter}.11({part})"
    allowed = [number for number in range(-1, 8) if refusal(table, Decide(1, number), given_by_patron("Ann")) is None]
    assert allowed == [FOLD, *multiples]
    assert refusal(table, Perform(), DEALER)  # the dealer waits for the player's decision
    staked = view(after_command(table, Decide(1, multiples[-1]), given_by_patron("Ann"))).boxes[0].staked
    assert list(staked.values())[-1] == multiples[-1] * ANTE["ante"]


@pytest.mark.proves("{clause}")
@pytest.mark.parametrize(
    ("clause", "before", "side"),
    [("682a.11(c)", 0, side) for side in OPTIONAL["682a"]]
    + [(f"683a.11({part})", before, side) for before, part in enumerate("bdf") for side in OPTIONAL["683a"]],
)
def test_11_folded_cards_are_collected_unless_an_optional_wager_needs_them(clause: str, before: int, side: str) -> None:
    table = shuffle_and_wager(
        open_for_gaming(PRESETS[clause[:4]], {1: "Ann", 2: "Bob"}), {1: {**ANTE, side: 100}, 2: ANTE}
    )
    table = advance_until(table, Do.ASK)
    for _ in range(2 * before):
        table = advance_until(perform_due(table), Do.ASK)
    for seat, name in ((1, "Ann"), (2, "Bob")):
        table = after_command(table, Decide(seat, FOLD), given_by_patron(name))
    assert (table.due.do, str(table.due.cite)) == (Do.COLLECT, clause)
    table = perform_due(perform_due(table))
    assert [(box.collected, box.racked) for box in table.boxes.values()] == [(True, False), (True, True)]
    assert [str(card) for card in table.rack] == [str(slot.card) for slot in table.boxes[2].cards]


@pytest.mark.proves("{clause}")
@pytest.mark.parametrize("clause", ["639a.11(d)", "682a.11(f)", "683a.11(j)"])
def test_11_cards_go_to_the_rack_in_an_order_that_lets_hands_be_rebuilt(clause: str) -> None:
    wagers = {1: ANTE, 3: ANTE, 4: ANTE}
    table = advance_until(
        shuffle_and_wager(open_for_gaming(PRESETS[clause[:4]], {1: "Ann", 3: "Bob", 4: "Cy"}), wagers), Do.CLEAR
    )
    assert table.due.cite == clause
    assert all(box.settled for box in table.boxes.values())
    hands = [[slot.card for slot in box.cards] for box in table.boxes.values()]
    hands += [[slot.card for slot in held] for held in table.places.values()]
    rack = list(after_command(table, Perform()).rack)
    assert sorted(map(str, rack)) == sorted(map(str, DECK))
    for held in hands:  # the cards of a hand lie together, in the order they were dealt or its reverse
        first = min(rack.index(card) for card in held)
        assert rack[first : first + len(held)] in (held, held[::-1])


@pytest.mark.proves("{chapter}.11(a)")
@pytest.mark.parametrize(("chapter", "preset"), PRESETS.items())
def test_11_a_players_see_only_their_own_cards(chapter: str, preset: str) -> None:
    table = advance_until(shuffle_and_wager(open_for_gaming(preset, {1: "Ann", 2: "Bob"}), {1: ANTE, 2: ANTE}), Do.ASK)
    ann, bob = view(table, "Ann").boxes
    assert list(ann.cards) == [str(slot.card) for slot in table.boxes[1].cards]
    assert set(bob.cards) == {None}
    assert all(set(box.cards) == {None} for box in view(table).boxes), chapter


WINS = {"progressive": "639a.11(c)(5)(i)", "five-card-hand-player": "639a.11(c)(6)(i)"}


def settling(player: str, dealer: str, **wagers: int) -> Table:
    """Ann's box, about to be settled."""
    made = {**ANTE, **{name.replace("_", "-"): stake for name, stake in wagers.items()}}
    return advance_until(
        shuffle_and_wager(open_for_gaming(STUD, {1: "Ann"}), {1: made}, deck(player, dealer)), Do.SETTLE
    )


@pytest.mark.proves("{clause}")
@pytest.mark.parametrize(("wager", "clause"), WINS.items())
def test_639a_11_c_a_payout_is_claimed_for_a_winning_hand_once_turned(wager: str, clause: str) -> None:
    royal, plain = "Ah Kh Qh Jh Th", "Kc Jd 8s 4c 2h"
    events = decide(settling(royal, "9c 9d 3c 3d 4c", **{wager: 100}), Perform(), SHOWN)
    kinds = [type(event) for event in events]
    assert kinds.index(happened.Turned) < kinds.index(happened.Claimed)
    table = after_command(settling(royal, "9c 9d 3c 3d 4c", **{wager: 100}), Perform(), SHOWN)
    assert view(table).boxes[0].cards == ("Ah", "Kh", "Qh", "Jh", "Th")  # face up, for everybody to see
    lost = decide(settling(plain, "As Ks Qs Js Ts", **{wager: 100}), Perform(), SHOWN)
    assert not any(isinstance(event, happened.Claimed) for event in lost), clause
    (settled,) = [event for event in lost if isinstance(event, happened.Settled)]
    assert {line.wager: line.net for line in settled.lines}[wager] == -100


ROYAL, STRAIGHT_FLUSH, FOUR, FULL = "Ah Kh Qh Jh Th", "9h 8h 7h 6h 5h", "9c 9d 9h 9s 2c", "8c 8d 8h 3c 3d"


@pytest.mark.proves("{clause}")
@pytest.mark.parametrize(
    ("clause", "wager", "player", "validated"),
    [
        ("639a.11(c)(5)(iii)", "progressive", ROYAL, True),
        ("639a.11(c)(5)(iii)", "progressive", "Kh Jh 8h 5h 2h", True),  # every payout: 50 for 1
        ("639a.11(c)(5)(iii)", "progressive", "8c 8d 3c 3d 2h", True),  # 2 for 1
        ("639a.11(c)(6)(ii)", "five-card-hand-player", ROYAL, True),
        ("639a.11(c)(6)(ii)", "five-card-hand-player", STRAIGHT_FLUSH, True),  # 10 % of the meter
        ("639a.11(c)(6)(ii)", "five-card-hand-player", FOUR, True),  # 500 for 1
        ("639a.11(c)(6)(ii)", "five-card-hand-player", FULL, False),  # 100 for 1
    ],
)
def test_639a_11_c_a_floorperson_validates_these_payouts_first(
    clause: str, wager: str, player: str, *, validated: bool
) -> None:
    table = after_command(settling(player, "Ac Kd 7c 6d 4c", **{wager: 100}), Perform(), SHOWN)
    assert (view(table).claimed == 1) == validated, clause
    if validated:
        assert not table.boxes[1].lines
        assert refusal(table, Perform(), SHOWN)
        assert refusal(table, Acknowledge(), replace(DEALER, light=True))
        paid = after_command(table, Acknowledge(), replace(FLOORPERSON, light=True))
        assert next(line.pays for line in paid.boxes[1].lines if line.wager == wager) > 0


@pytest.mark.proves("639a.11(c)(5)(ii)")
def test_639a_11_c_5_ii_a_progressive_payout_needs_the_systems_light() -> None:
    table = after_command(settling(ROYAL, "Ac Kd 7c 6d 4c", progressive=100), Perform(), SHOWN)
    refused = refusal(table, Acknowledge(), FLOORPERSON)
    assert refused
    assert refused.cite == "639a.11(c)(5)(ii)"
    assert refusal(table, Acknowledge(), replace(FLOORPERSON, light=True)) is None
    withheld = after_command(table, Withhold("no light"), FLOORPERSON)
    assert {line.wager: line.pays for line in withheld.boxes[1].lines}["progressive"] == 0
