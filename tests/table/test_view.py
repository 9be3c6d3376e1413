"""Views: what players, dealers, floorpersons, surveillance and the public see of a table."""

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
    as_replayed_entry,
    deal_cards,
    open_for_gaming,
    perform_due,
    shuffle_and_wager,
)

from pitboss.cards import DECK, hand
from pitboss.record import narrate as narrated
from pitboss.rulebook.procedures import Do
from pitboss.submission.model import Dealing
from pitboss.table import Perform, Report, Role, view
from pitboss.table.views import cards_seen_by

STAFF = (Role.DEALER, Role.FLOORPERSON, Role.SURVEILLANCE, Role.SYSTEM)


@pytest.mark.parametrize("preset", PRESETS.values())
def test_staff_see_no_more_cards_than_the_public(preset: str) -> None:
    table = advance_until(shuffle_and_wager(open_for_gaming(preset, {1: "Ann", 2: "Bob"}), {1: ANTE, 2: ANTE}), Do.ASK)
    public = view(table)
    for role in STAFF:
        seen = view(table, "Ann", role)  # even under the name of a patron
        assert [box.cards for box in seen.boxes] == [box.cards for box in public.boxes]
        assert seen.places == public.places
    assert [box.cards for box in view(table, "Ann", Role.PLAYER).boxes] == [
        box.cards for box in view(table, "Ann").boxes
    ]


@pytest.mark.proves("{chapter}.11(a)")
@pytest.mark.parametrize("chapter", PRESETS)
@pytest.mark.parametrize("dealing", Dealing)
def test_reading_cards_examined_players_see_no_cards_during_the_deal(chapter: str, dealing: Dealing) -> None:
    table = replace(open_for_gaming(PRESETS[chapter], {1: "Ann"}, dealing=dealing), uncounted=4)
    table = shuffle_and_wager(table, {1: ANTE})
    while table.due.do is not Do.ASK:
        assert all(set(box.cards) <= {None} for box in view(table, "Ann").boxes), table.due
        assert not cards_seen_by(table, "Ann") - {str(slot.card) for held in table.places.values() for slot in held}
        table = perform_due(table)
    assert [box.cards for box in view(table, "Ann").boxes] == [tuple(str(slot.card) for slot in table.boxes[1].cards)]


@pytest.mark.proves("{chapter}.11(a)")
@pytest.mark.parametrize("chapter", PRESETS)
def test_11_a_a_void_during_the_deal_reveals_no_cards(chapter: str) -> None:
    table = deal_cards(shuffle_and_wager(open_for_gaming(PRESETS[chapter], {1: "Ann"}), {1: ANTE}), 2)
    void = after_command(table, Report("wrong-number"))
    assert set(view(void, "Ann").boxes[0].cards) == {None}
    later = advance_until(shuffle_and_wager(open_for_gaming(PRESETS[chapter], {1: "Ann"}), {1: ANTE}), Do.ASK)
    assert None not in view(after_command(later, Report("wrong-number")), "Ann").boxes[0].cards


@pytest.mark.proves("{chapter}.11(a)")
@pytest.mark.parametrize("chapter", PRESETS)
def test_11_a_the_log_names_a_players_own_cards_after_the_deal(chapter: str) -> None:
    table = shuffle_and_wager(open_for_gaming(PRESETS[chapter], {1: "Ann"}), {1: ANTE})
    lines: dict[str, list[str]] = {"Ann": [], "": []}
    while table.due.do is not Do.ASK:
        moment = as_replayed_entry(table, Perform())
        for viewer in lines:
            lines[viewer] += narrated(moment, viewer, staff=False)
        table = moment.after
    cards = [str(slot.card) for slot in table.boxes[1].cards]
    naming = [line for line in lines["Ann"] if any(card in line.split() for card in cards)]
    assert len(naming) == 1
    assert naming[0].endswith(f"1: Ann looks at {' '.join(cards)} (§ {chapter}.11(a))")
    assert not [line for line in lines[""] if any(card in line.split() for card in cards)]


def test_the_public_sees_no_names_and_only_staff_see_the_house_section() -> None:
    table = advance_until(
        shuffle_and_wager(open_for_gaming(PRESETS["639a"], {1: "Ann", 2: "Bob"}), {1: ANTE, 2: ANTE}), Do.ASK
    )
    public = view(table)
    assert public.seated == {1: "", 2: ""}
    assert {box.patron for box in public.boxes} == {""}
    assert public.house is None
    patron = view(table, "Ann")
    assert patron.seated == {1: "Ann", 2: "Bob"}
    assert patron.house is None
    broken = after_command(table, Report("malfunction", "shuffler"))
    for role in STAFF:
        house = view(broken, role=role).house
        assert house
        assert (house.broken, house.dealing, house.inspected_by) == (("shuffler",), "manual-shoe", "Dealer")
    assert view(broken, "Ann").house is None


def test_a_floorperson_sees_a_claim_before_it_is_paid() -> None:
    royal = hand("Ah Kh Qh Jh Th")
    rest = [card for card in DECK if card not in royal]
    order = tuple(card for pair in zip(royal, rest[:10:2], strict=True) for card in pair)
    deck = (*order, *(card for card in rest if card not in order))
    wagers = {**ANTE, "progressive": 100}
    table = advance_until(shuffle_and_wager(open_for_gaming(PRESETS["639a"], {1: "Ann"}), {1: wagers}, deck), Do.SETTLE)
    claimed = after_command(table, Perform(), DEALER)
    house = view(claimed, role=FLOORPERSON.role).house
    assert house
    assert {line.wager for line in house.claims[1]} >= {"progressive"}
    assert view(claimed, "Ann").boxes[0].lines == ()


@pytest.mark.parametrize("chapter", PRESETS)
def test_hands_are_named_only_for_viewers_who_see_all_their_cards(chapter: str) -> None:
    """A name or a paytable row would give a hidden card away."""
    table = advance_until(
        shuffle_and_wager(
            open_for_gaming(PRESETS[chapter], {1: "Ann", 2: "Bob"}),
            {1: ANTE_AND_SIDE_WAGER[chapter], 2: ANTE_AND_SIDE_WAGER[chapter]},
        ),
        Do.ASK,
    )
    for viewer, role in (("Ann", Role.PLAYER), ("Bob", Role.PLAYER), ("", None), ("Ann", Role.DEALER)):
        seen = view(table, viewer, role)
        assert seen.hands == {}  # a card of the dealer is face down
        for box in seen.boxes:
            own = role is Role.PLAYER and box.patron == viewer
            whole = own and chapter != "683a"  # the board is face down
            assert bool(box.hand) == whole
            assert bool(box.rows) == own
    settled = view(advance_until(table, Do.CLEAR), "Ann", Role.PLAYER)
    assert all(box.hand for box in settled.boxes if box.patron == "Ann")
    assert bool(settled.hands.get("dealer")) == (chapter != "683a")


def test_the_view_names_the_hand_and_the_row_of_each_wager() -> None:
    """Aces and eights: the hand by its ranks, the rows as the paytables print them."""
    mine = hand("Ah As 8h 8s 2c")
    rest = [card for card in DECK if card not in mine]
    order = tuple(card for pair in zip(mine, rest[:5], strict=True) for card in pair)
    deck = (*order, *(card for card in rest if card not in order))
    table = advance_until(
        shuffle_and_wager(open_for_gaming(PRESETS["639a"], {1: "Ann"}), {1: ANTE_AND_SIDE_WAGER["639a"]}, deck), Do.ASK
    )
    (box,) = view(table, "Ann", Role.PLAYER).boxes
    assert box.hand == "Two pair, aces and eights"
    assert box.rows == {"bet": "Two pair", "bonus": "Two pair"}
