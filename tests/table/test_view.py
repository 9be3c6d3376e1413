"""Views: what each seat, dealer, floorperson, surveillance and the public see of a table."""

import pytest
from table_play import ANTE, DEALER, FLOOR, PRESETS, bets, done, opened, until

from pitboss.cards import DECK, hand
from pitboss.rulebook.procedures import Do
from pitboss.table import Perform, Report, Role, view

STAFF = (Role.DEALER, Role.FLOORPERSON, Role.SURVEILLANCE, Role.SYSTEM)


@pytest.mark.parametrize("preset", PRESETS.values())
def test_who_works_here_sees_no_card_more_than_the_public_does(preset: str) -> None:
    table = until(bets(opened(preset, {1: "Ann", 2: "Bob"}), {1: ANTE, 2: ANTE}), Do.ASK)
    public = view(table)
    for role in STAFF:
        seen = view(table, "Ann", role)  # even under the name of a patron
        assert [box.cards for box in seen.boxes] == [box.cards for box in public.boxes]
        assert seen.places == public.places
    assert [box.cards for box in view(table, "Ann", Role.PLAYER).boxes] == [
        box.cards for box in view(table, "Ann").boxes
    ]


def test_the_public_sees_nobodys_name_and_only_staff_what_the_house_keeps() -> None:
    table = until(bets(opened(PRESETS["639a"], {1: "Ann", 2: "Bob"}), {1: ANTE, 2: ANTE}), Do.ASK)
    public = view(table)
    assert public.seated == {1: "", 2: ""}
    assert {box.patron for box in public.boxes} == {""}
    assert public.house is None
    patron = view(table, "Ann")
    assert patron.seated == {1: "Ann", 2: "Bob"}
    assert patron.house is None
    broken = done(table, Report("malfunction", "shuffler"))
    for role in STAFF:
        house = view(broken, role=role).house
        assert house
        assert (house.broken, house.dealing, house.inspected_by) == (("shuffler",), "manual-shoe", "Dealer")
    assert view(broken, "Ann").house is None


def test_a_claim_is_for_the_floorperson_to_see_before_it_is_paid() -> None:
    royal = hand("Ah Kh Qh Jh Th")
    rest = [card for card in DECK if card not in royal]
    order = tuple(card for pair in zip(royal, rest[:10:2], strict=True) for card in pair)
    deck = (*order, *(card for card in rest if card not in order))
    wagers = {**ANTE, "progressive": 100}
    table = until(bets(opened(PRESETS["639a"], {1: "Ann"}), {1: wagers}, deck), Do.SETTLE)
    claimed = done(table, Perform(), DEALER)
    house = view(claimed, role=FLOOR.role).house
    assert house
    assert {line.wager for line in house.claims[1]} >= {"progressive"}
    assert view(claimed, "Ann").boxes[0].lines == ()
