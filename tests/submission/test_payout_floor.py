"""The maximum win of a patron at minimum wagers: over joint outcomes, not the sum of the best hands."""

import pytest
from msgspec.structs import replace

from pitboss.submission import Submission, load, terms_of
from pitboss.submission.model import Cents
from pitboss.submission.payout_floor import highest_payout_at_minimum, highest_payout_if_all_win


def prime(aces: str, six: str, aces_minimum: int, six_minimum: int) -> Submission:
    standard = load("four-card-prime-standard")
    wagers = dict(standard.wagers)
    wagers["aces-bonus"] = replace(wagers["aces-bonus"], paytable=aces, minimum=Cents(aces_minimum * 100))
    wagers["all-six"] = replace(wagers["all-six"], paytable=six, minimum=Cents(six_minimum * 100))
    return replace(standard, wagers=wagers)


@pytest.mark.proves("682a.12(g)")
def test_682a_12_g_aces_bonus_and_all_six_cannot_both_have_their_best_hand() -> None:
    # By hand. Five cards with a royal flush: 50 to 1 and 1,000 to 1. Four aces: 500 to 1 and, with any sixth
    # card, four-of-a-kind at 50 to 1. Straight flush in both: 30 and 200.
    for (aces, six, low, high), royal, four_aces in (
        (("A", "A", 1, 1), 50 + 1000, 500 + 50),
        (("A", "A", 10, 1), 500 + 1000, 5000 + 50),
        (("F", "C", 3, 2), 90 + 2000, 150 + 200),
        # Paytable E of All-Six: the six-card royal flush is outside the limit, and with it in the six cards
        # the Aces Bonus still has its royal flush; another sixth card pays 1,000 to 1.
        (("A", "E", 1, 1), 50 + 1000, 500 + 50),
    ):
        terms = terms_of(prime(aces, six, low, high))
        assert highest_payout_at_minimum(terms) == max(royal, four_aces) * 100
        assert highest_payout_if_all_win(terms) > highest_payout_at_minimum(terms)


@pytest.mark.proves("683a.12(f)")
def test_683a_12_f_ante_and_three_raises_have_one_hand() -> None:
    terms = terms_of(load("cajun-stud-rack-card"))
    # A royal flush pays 500 to 1 on the Ante of $5 and on three Raises of $5.
    assert highest_payout_at_minimum(terms) == highest_payout_if_all_win(terms) == 500 * 4 * 5_00


@pytest.mark.proves("683a.12(f)")
def test_683a_12_f_two_boxes_share_the_board() -> None:
    terms = terms_of(load("cajun-stud-rack-card"))
    # On queen, jack and ten of a suit one box has the royal flush; the best another has is the straight flush
    # of nine and eight (100 to 1), a third a flush of that suit (7 to 1). Two royal flushes need two suits.
    assert highest_payout_at_minimum(terms, 2) == (500 + 100) * 4 * 5_00
    assert highest_payout_at_minimum(terms, 3) == (500 + 100 + 7) * 4 * 5_00


@pytest.mark.proves("682a.12(g)")
def test_682a_12_g_four_boxes_may_have_four_royal_flushes() -> None:
    aces_only = load("four-card-prime-standard")
    wagers = {name: offer for name, offer in aces_only.wagers.items() if name in ("ante", "aces-bonus")}
    terms = terms_of(replace(aces_only, wagers=wagers))
    # Aces Bonus A alone: four aces 500, then the best without an ace: fours at 100 to 1, twelve ranks.
    assert highest_payout_at_minimum(terms, 1) == 500_00
    assert highest_payout_at_minimum(terms, 3) == 700_00
