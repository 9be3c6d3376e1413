"""The most a patron could win at the minimum: over joint outcomes, not as if every wager had its best hand."""

from msgspec.structs import replace

from pitboss.submission import Submission, load, terms_of
from pitboss.submission.liability import most_at_minimum, most_if_all_hit
from pitboss.submission.model import Cents


def prime(aces: str, six: str, aces_minimum: int, six_minimum: int) -> Submission:
    standard = load("four-card-prime-standard")
    wagers = dict(standard.wagers)
    wagers["aces-bonus"] = replace(wagers["aces-bonus"], paytable=aces, minimum=Cents(aces_minimum * 100))
    wagers["all-six"] = replace(wagers["all-six"], paytable=six, minimum=Cents(six_minimum * 100))
    return replace(standard, wagers=wagers)


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
        assert most_at_minimum(terms) == max(royal, four_aces) * 100
        assert most_if_all_hit(terms) > most_at_minimum(terms)


def test_683a_12_f_ante_and_three_raises_have_one_hand() -> None:
    terms = terms_of(load("cajun-stud-rack-card"))
    # A royal flush pays 500 to 1 on the Ante of $5 and on three Raises of $5.
    assert most_at_minimum(terms) == most_if_all_hit(terms) == 500 * 4 * 5_00
