"""Readings with one option: a settlement or a table shows each of them."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace
from table_play import (
    ANTE,
    DEALER,
    PRESETS,
    advance_until,
    after_command,
    given_by_patron,
    open_for_gaming,
    perform_due,
    shuffle_and_wager,
)

from pitboss.cards import DECK, hand
from pitboss.games import FOLD, Hands, Terms, settle
from pitboss.ranking import evaluator
from pitboss.rulebook import rulebook
from pitboss.rulebook.procedures import Do
from pitboss.submission.model import Dealing, Shuffler
from pitboss.table import Decide, Perform, Report, Wager, decide, refusal, view
from pitboss.table import events as happened
from pitboss.table.box_settlement import PaidFrom, paid_from
from pitboss.table.refusals import deck_hours

Make = Callable[..., Terms]


def rows(terms: Terms, hands: Hands, wagers: dict[str, int], decisions: list[int]) -> dict[str, tuple[str, int]]:
    return {line.wager: (line.hand, line.net) for line in settle(terms, hands, wagers, decisions)}


@pytest.mark.parametrize(
    ("game", "ranking", "higher", "lower"),
    [
        ("caribbean-stud", "five-card", "Kc Kd Qh 3s 2c", "2d 2h As 4c 3d"),
        ("caribbean-stud", "five-card", "6c 5d 4h 3s 2c", "5c 4d 3h 2s Ac"),
        ("four-card-prime", "four-card", "Kc Kd Qh 5s 4c", "2d 2h As 6c 9d"),
    ],
)
def test_reading_kicker_rule_kickers_compare_after_the_cards_that_make_the_hand(
    game: str, ranking: str, higher: str, lower: str
) -> None:
    evaluate = evaluator(rulebook().ranking(game, ranking))
    assert evaluate(hand(higher)).order > evaluate(hand(lower)).order


def test_reading_highest_only_one_row_is_paid(make_terms: Make) -> None:
    """Nines full of eights in the Aces Bonus: three-of-a-kind, 10 to 1 by Paytable A, and not two pair too."""
    terms = make_terms("four-card-prime")
    hands = Hands.of(player="9c 9d 9h 8s 8c", dealer="Kc Kd 7h 5s 4c 3d")
    assert rows(terms, hands, {"ante": 100, "aces-bonus": 100}, [FOLD])["aces-bonus"] == ("Three-of-a-kind", 1000)


@pytest.mark.parametrize("game", ["four-card-prime", "cajun-stud"])
def test_reading_all_six_full_house_is_three_and_a_pair(game: str) -> None:
    evaluate = evaluator(rulebook().ranking(game, "all-six"))
    assert evaluate(hand("8s 8h 8d Jc Jh 5s")).hand.name == "Full house"
    assert evaluate(hand("8s 8h 8d 8c Jh Js")).hand.name == "Four-of-a-kind"


def test_reading_proposed_pair_order_two_pairs_rank_above_a_pair() -> None:
    evaluate = evaluator(rulebook().ranking("four-card-prime", "four-card"))
    assert evaluate(hand("3c 3d 2h 2s 9c")).order > evaluate(hand("Ac Ad Kh Qs 9d")).order


def test_reading_pair_of_sixes_to_tens_push(make_terms: Make) -> None:
    for pair, net in (("6c 6d", 0), ("Tc Td", 0), ("Jc Jd", 100), ("5c 5d", -100)):
        found = rows(make_terms("cajun-stud"), Hands.of(player=pair, board="Kh 8s 2c"), {"ante": 100}, [1, 1, 1])
        assert {wager: pays for wager, (_, pays) in found.items()} == dict.fromkeys(
            ("ante", "raise-1", "raise-2", "raise-3"), net
        )


@pytest.mark.parametrize("game", ["four-card-prime", "cajun-stud"])
@pytest.mark.parametrize(("letter", "pays"), [("D", "7 to 1"), ("E", "5 to 1")])
def test_reading_all_six_last_row_is_three_of_a_kind(game: str, letter: str, pays: str) -> None:
    assert str(rulebook().paytable(game, "all-six", letter)["Three-of-a-kind"]) == pays
    assert str(rulebook().paytable(game, "all-six", letter)["Four-of-a-kind"]) != pays


@pytest.mark.parametrize("cards", ["Ac Kc Qc Jc Tc", "9c 8c 7c 6c 5c", "9c 9d 9h 9s 2c"])
def test_reading_jackpot_levels_no_meter_pays_from_the_inventory(cards: str) -> None:
    """Paytable G: mega, major and minor jackpot."""
    held = hand(cards)
    others = iter([card for card in DECK if card not in held])
    deck = tuple(held[place // 2] if place % 2 == 0 else next(others) for place in range(10)) + tuple(others)
    table = open_for_gaming(PRESETS["639a"], {1: "Ann"}, paytable_letters={"progressive": "G"})
    table = advance_until(shuffle_and_wager(table, {1: {**ANTE, "progressive": 100}}, deck), Do.TURN)
    dealer = replace(DEALER, meters={**DEALER.meters, **dict.fromkeys(("mega", "major", "minor"), 10**12)})
    table = after_command(table, Perform(), dealer)
    (claimed,) = [event for event in decide(table, Perform(), dealer) if isinstance(event, happened.Claimed)]
    (line,) = [line for line in claimed.lines if line.wager == "progressive"]
    assert paid_from(table, line) is PaidFrom.METER


def test_reading_five_cards_in_cajun_a_player_gets_two_cards_and_the_dealer_racks_the_stub() -> None:
    table = advance_until(
        shuffle_and_wager(open_for_gaming(PRESETS["683a"], {1: "Ann"}, dealing=Dealing.HAND), {1: ANTE}), Do.STUB
    )
    assert len(table.boxes[1].cards) == 2
    assert table.due.cite == "683a.9(c)"
    assert len(after_command(table, Perform()).stub) == 52 - 2 - 3


def test_reading_folded_side_wagers_are_settled_in_seat_order() -> None:
    table = open_for_gaming(PRESETS["683a"], {1: "Ann", 3: "Bob", 5: "Cy"})
    table = advance_until(shuffle_and_wager(table, {1: ANTE, 3: {**ANTE, "pocket-bonus": 500}, 5: ANTE}), Do.ASK)
    table = perform_due(table)
    table = advance_until(after_command(table, Decide(3, FOLD), given_by_patron("Bob")), Do.SETTLE)
    order = []
    while table.due.do is Do.SETTLE:
        order += [event.seat for event in decide(table, Perform(), DEALER) if isinstance(event, happened.Settled)]
        table = after_command(table, Perform())
    assert order == [5, 3, 1]


def test_reading_several_boxes_a_player_sees_all_own_hands_before_the_first_decision() -> None:
    table = shuffle_and_wager(open_for_gaming(PRESETS["639a"], {1: "Ann"}), {1: ANTE})
    table = advance_until(after_command(table, Wager(2, ANTE), given_by_patron("Ann")), Do.ASK)
    assert all(card for box in view(table, "Ann").boxes for card in box.cards)
    assert view(table).to_act == 1
    assert view(after_command(table, Decide(1, FOLD), given_by_patron("Ann"))).to_act == 2


def test_reading_deck_clock_mixed_an_automated_shoe_has_eight_hours() -> None:
    table = open_for_gaming(PRESETS["683a"], {1: "Ann"}, dealing=Dealing.AUTOMATED_SHOE)
    assert deck_hours(table) == (8, "683a.3(c)(2)")
    assert deck_hours(open_for_gaming(PRESETS["683a"], {1: "Ann"}, dealing=Dealing.HAND)) == (4, "683a.3(c)(1)")


def test_reading_cut_for_hand_dealing_preshuffled_cards_are_cut_then_dealt_from_the_hand() -> None:
    table = open_for_gaming(PRESETS["683a"], {1: "Ann"}, dealing=Dealing.HAND)
    table = after_command(replace(table, preshuffled=True), Perform(), replace(DEALER, cards=DECK))
    assert (table.due.do, table.due.cite) == (Do.CUT, "683a.5(d)")
    table = after_command(table, Perform(), replace(DEALER, depth=26))
    assert table.shoe == (*DECK[26:], *DECK[:26])
    assert table.due.cite == "683a.9(a)(3)"


@pytest.mark.parametrize("preset", PRESETS.values())
def test_reading_exposed_card_in_play_an_exposed_stub_card_is_set_aside_and_a_players_card_plays(preset: str) -> None:
    table = advance_until(shuffle_and_wager(open_for_gaming(preset, {1: "Ann"}), {1: ANTE}), Do.DEAL)
    table = after_command(table, Perform())
    unused = table.shoe[0]
    aside = after_command(table, Report("face-up-card"))
    assert (aside.void, aside.set_aside, unused in aside.shoe) == ("", 1, False)
    asked = advance_until(table, Do.ASK)
    assert refusal(asked, Report("exposed", place="player"), DEALER)  # section .13 has no rule for it


@pytest.mark.parametrize(("shuffler", "cut"), [(Shuffler.NONE, True), (Shuffler.AUTOMATED, False)])
def test_reading_preshuffled_cards_are_cut_without_a_shuffle(shuffler: Shuffler, *, cut: bool) -> None:
    table = open_for_gaming(PRESETS["639a"], {1: "Ann"}, shuffler=shuffler)
    ready = after_command(replace(table, preshuffled=True), Perform(), replace(DEALER, cards=DECK))
    assert ready.due.do is Do.CUT
    assert (after_command(table, Perform(), replace(DEALER, cards=DECK)).due.do is Do.CUT) == cut
