"""Readings of the payout limit, 682a.12(g) and 683a.12(f): which wagers, with stakes or not, and whose pay is reduced."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from pitboss.games import FOLD, Bounds, Hands, Terms, limit_counts, settle
from pitboss.submission import Submission, load, problems
from pitboss.submission.model import Cents
from pitboss.submission.payout_floor import highest_payout_at_minimum, highest_payout_if_all_win
from pitboss.submission.signs import sign_of

Make = Callable[..., Terms]
LIMIT = 50_000_00
ROYAL = Hands.of(player="Ac Kc", board="Qc Jc Tc")
"""Royal flush 500 to 1; pocket: ace and king of one suit, 20 to 1 by Paytable A."""


def nets(terms: Terms, hands: Hands, wagers: dict[str, int], decisions: list[int], before: int = 0) -> dict[str, int]:
    return {line.wager: line.net for line in settle(terms, hands, wagers, decisions, won_before=before)}


@pytest.mark.proves("683a.12(f)")
@pytest.mark.parametrize(("scope", "total"), [("as-written", 52_000_00), ("every-wager", 50_000_00)])
def test_683a_12_f_the_limit_is_on_ante_and_raises_or_on_every_wager(make_terms: Make, scope: str, total: int) -> None:
    """$100 four times at 500 to 1 are $200,000, the Pocket Bonus of $100 pays $2,000 more."""
    terms = make_terms("cajun-stud", readings={"payout-limit-scope": scope}, payout_limit=LIMIT)
    assert sum(nets(terms, ROYAL, {"ante": 100_00, "pocket-bonus": 100_00}, [1, 1, 1]).values()) == total


@pytest.mark.proves("682a.12(g)")
@pytest.mark.parametrize(("scope", "limited"), [("as-written", None), ("every-wager", -4_000_00)])
def test_682a_12_g_the_limit_is_on_two_wagers_or_on_all(make_terms: Make, scope: str, limited: int | None) -> None:
    """Four nines: $2,000 at 25 for 1 is a Win Bonus of $50,000, on top of $2,000 each for Ante and Raise."""
    terms = make_terms("four-card-prime", readings={"payout-limit-scope": scope}, payout_limit=LIMIT)
    hands = Hands.of(player="9c 9d 9h 9s 2c", dealer="Kc Kd Kh 7s 4c 3d")
    found = nets(terms, hands, {"ante": 2_000_00}, [1])
    assert (found["win-bonus"], found.get("payout-limit")) == (50_000_00, limited)


@pytest.mark.proves("682a.12(g)")
def test_682a_12_g_no_scope_includes_the_six_card_royal_of_paytable_e(make_terms: Make) -> None:
    terms = make_terms("four-card-prime", {"all-six": "E"}, {"payout-limit-scope": "every-wager"}, payout_limit=LIMIT)
    hands = Hands.of(player="Ad Kd Qd Jd Td", dealer="Ac Kh 9c 7c 3s 4h", all_six="9d")
    assert nets(terms, hands, {"ante": 100, "all-six": 100_00}, [FOLD]) == {"ante": -100, "all-six": 20_000_000_00}


@pytest.mark.proves("683a.12(f)")
@pytest.mark.parametrize(
    ("meaning", "first", "second"),
    [("winnings-only", 50_000_00, 0), ("stake-included", 49_900_00, 0), ("per-box", 50_000_00, 10_000_00)],
)
@pytest.mark.parametrize("division", ["from-the-total", "in-order", "in-proportion"])
def test_683a_12_f_the_limit_counts_winnings_or_stakes_too(
    make_terms: Make, meaning: str, first: int, second: int, division: str
) -> None:
    """Royal flush and straight flush of one patron, $25 four times each: $50,000 and $10,000 are won.

    With the stakes, $100 a box, counted too, $100 less is paid on the first box and nothing on the second, whose stake
    comes back: a limit on payouts takes no stake, however the payouts are divided.
    """
    readings = {"payout-limit-meaning": meaning, "payout-limit-division": division}
    terms = make_terms("cajun-stud", readings=readings, payout_limit=LIMIT)
    one = settle(terms, ROYAL, {"ante": 25_00}, [1, 1, 1])
    assert sum(line.net for line in one) == first
    flush = Hands.of(player="9d 8d", board="7d 6d 5d")
    two = settle(terms, flush, {"ante": 25_00}, [1, 1, 1], won_before=limit_counts(terms, one))
    assert sum(line.net for line in two) == second


@pytest.mark.proves("683a.12(f)")
@pytest.mark.parametrize(
    ("division", "paid"),
    [
        ("from-the-total", {"ante": 50_000_00, "raise-1": 50_000_00, "raise-2": 100_000_00, "raise-3": 150_000_00, "payout-limit": -300_000_00}),
        ("in-order", {"ante": 50_000_00, "raise-1": 0, "raise-2": 0, "raise-3": 0}),
        ("in-proportion", {"ante": 7_142_86, "raise-1": 7_142_86, "raise-2": 14_285_72, "raise-3": 21_428_56}),
    ],
)  # fmt: skip
def test_683a_12_f_the_reduction_is_divided_by_the_reading(
    make_terms: Make, division: str, paid: dict[str, int]
) -> None:
    """$100, $100, $200 and $300 at 500 to 1 are $350,000; a seventh is paid: $7,142.857…, rounded in favour of the first."""
    terms = make_terms("cajun-stud", readings={"payout-limit-division": division}, payout_limit=LIMIT)
    found = nets(terms, ROYAL, {"ante": 100_00, "pocket-bonus": 100}, [1, 2, 3])
    assert found.pop("pocket-bonus") == 20_00
    assert found == paid
    assert sum(found.values()) == LIMIT


def problems_of(preset: str, minimum: int, **readings: str) -> Submission:
    found = load(preset)
    ante = replace(found.wagers["ante"], minimum=Cents(minimum), maximum=Cents(10_000_00))
    chosen = {f"payout-limit-{name}": option for name, option in readings.items()}
    return replace(found, wagers={**found.wagers, "ante": ante}, readings={**found.readings, **chosen})


@pytest.mark.proves("683a.12(f)")
@pytest.mark.parametrize(
    ("minimum", "boxes", "readings", "most"),
    [
        (25_00, 1, {}, None),
        (25_50, 1, {}, "$51,000.00"),
        (25_00, 1, {"meaning": "stake-included"}, "$50,100.00"),
        (20_00, 2, {}, None),
        (25_00, 2, {}, "$60,000.00"),
        (25_00, 2, {"meaning": "per-box"}, None),
        (25_00, 1, {"scope": "every-wager"}, "$51,180.00"),
    ],
)
def test_683a_12_f_the_minimum_limit_follows_the_readings(
    minimum: int, boxes: int, readings: dict[str, str], most: str | None
) -> None:
    """A royal flush on $25 four times wins $50,000, with the stakes $50,100; two boxes of one board can have no two
    royals, but a straight flush beside one, $10,000 more. All wagers: Pocket 30, Board 50, Lo Ball 100, All-Six 1,000
    and Ante and Raises 4 × $25 × 500, each dollar's best row: $51,180."""
    found = problems_of("cajun-stud-rack-card", minimum, **readings)
    found = replace(found, table=replace(found.table, boxes=boxes))
    told = [one.problem for one in problems(found)]
    assert told == (
        [f"The limit of $50,000.00 is below {most}, the most a patron could win at the minimum wager."] if most else []
    )


def test_the_sign_describes_the_limit() -> None:
    said = {
        tuple(readings.items()): sign_of(problems_of("cajun-stud-rack-card", 5_00, **readings)).notices[0].text
        for readings in ({"scope": "every-wager"}, {"meaning": "per-box"}, {"meaning": "stake-included"})
    }
    assert list(said.values()) == [
        "Payout limit $50,000 for each player in each round, on all wagers together.",
        "Payout limit $50,000 for each box in each round, on Ante and Raises together.",
        "Payout limit $50,000 for each player in each round, on Ante and Raises together, the wagers returned included.",
    ]


def test_a_limit_on_all_wagers_is_never_below_what_each_could_pay(make_terms: Make) -> None:
    bounds = {name: Bounds(minimum=100) for name in ("ante", "prime")}
    terms = make_terms("four-card-prime", readings={"payout-limit-scope": "every-wager"}, offered=bounds)
    # Ante and Raise 1 to 1, Win Bonus 25 for 1, Prime at its best row.
    best = 100 + 100 + 2500 + 600
    assert highest_payout_at_minimum(terms) == highest_payout_if_all_win(terms) == best
