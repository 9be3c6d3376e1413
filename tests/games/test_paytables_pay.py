"""Every cell of every paytable, paid by `settle` as in a second transcription of the chapters."""

import csv
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from pitboss.cards import DECK
from pitboss.games import Balances, Hands, Line, Terms, settle
from pitboss.games.outcomes import joint_outcomes
from pitboss.money import CENT

Make = Callable[..., Terms]
STAKE = 600
METERS = {"main": 1_000_000, "mega": 2_000_000, "major": 300_000, "minor": 40_000, "five-card-hand": 500_000}
ROWS = list(
    csv.DictReader((Path(__file__).parents[1] / "transcription" / "paytables.csv").read_text("utf-8").splitlines())
)


def cells(game: str, table: str) -> list[tuple[str, str, str]]:
    return [(row["paytable"], row["hand"], row["cell"]) for row in ROWS if (row["game"], row["wager"]) == (game, table)]


def expected(cell: str) -> tuple[str, int, int]:
    """Outcome, returned and pays that a printed cell means for the stake."""
    form = cell.replace(",", "").split(" to ")
    if len(form) == 2:
        return "win", STAKE, int(Fraction(int(form[0]), int(form[1])) * STAKE)
    if cell.endswith(" for 1"):
        return "win", 0, int(cell.split(maxsplit=1)[0].replace(",", "")) * STAKE
    if "%" in cell:
        meter = next((name for name in ("mega", "major", "minor") if name in cell), "")
        return "meter", int(cell.split("%", maxsplit=1)[0]), METERS.get(meter, 0)
    return {"push": ("push", STAKE, 0)}.get(cell.lower(), ("lose", 0, 0))


def fill_places(terms: Terms, hands: Hands) -> Hands:
    """Cards for the places that do not affect a wager."""
    rest = [card for card in DECK if all(card not in held for held in hands.cards.values())]
    cards = dict(hands.cards)
    for place in terms.game.places:
        if place.name not in cards:
            cards[place.name], rest = tuple(rest[: place.cards]), rest[place.cards :]
    return Hands(cards)


def line_of(terms: Terms, hands: Hands, wager: str) -> Line:
    wagers = {"ante": STAKE, **({wager: STAKE} if not wager.startswith("raise") else {})}
    decisions = [max(decision.multiples) for decision in terms.game.decisions]
    balances = Balances({name: amount * CENT for name, amount in METERS.items()})
    lines = settle(terms, fill_places(terms, hands), wagers, decisions, balances)
    return next(line for line in lines if line.wager == wager)


@pytest.mark.proves(
    "639a.12(c)", "639a.12(d)", "639a.12(d)(1)", "639a.12(e)", "639a.12(e)(1)", "639a.1:progressive-payout-hand(ii)", "682a.12(d)",
    "682a.12(e)", "682a.12(f)", "683a.12(a)", "683a.12(b)", "683a.12(c)", "683a.12(d)", "683a.12(e)",
)  # fmt: skip
@pytest.mark.parametrize(
    ("game", "wager", "table"),
    [
        ("caribbean-stud", "bonus", "bonus"),
        ("caribbean-stud", "progressive", "progressive"),
        ("caribbean-stud", "five-card-hand-player", "five-card-hand"),
        ("caribbean-stud", "five-card-hand-dealer", "five-card-hand"),
        ("four-card-prime", "prime", "prime"),
        ("four-card-prime", "aces-bonus", "aces-bonus"),
        ("four-card-prime", "all-six", "all-six"),
        ("cajun-stud", "ante", "ante-raise"),
        ("cajun-stud", "pocket-bonus", "pocket-bonus"),
        ("cajun-stud", "board-bonus", "board-bonus"),
        ("cajun-stud", "lo-ball", "lo-ball"),
        ("cajun-stud", "all-six", "all-six"),
    ],
)
def test_every_cell_is_paid(game: str, wager: str, table: str, make_terms: Make) -> None:
    offer = "five-card-hand" if table == "five-card-hand" else wager
    shows = {hands[0]: deal for hands, deal in joint_outcomes(make_terms(game), [wager]).items()}
    printed = {(letter, hand): cell for letter, hand, cell in cells(game, table)}
    for (letter, hand), cell in printed.items():
        terms = make_terms(game, {} if letter == "-" else {offer: letter})
        line = line_of(terms, shows[hand], wager)
        blank_royal = cell == "n/a" and hand.startswith("Six-card royal flush")  # paid as the royal flush it contains
        outcome, returned, pays = expected(printed[letter, "Royal flush"] if blank_royal else cell)
        if outcome == "meter":
            percent, balance = returned, pays or METERS["five-card-hand" if table == "five-card-hand" else "main"]
            outcome, returned, pays = "win", 0, balance * percent // 100
        assert (line.outcome, line.stake, line.returned, line.pays) == (outcome, STAKE, returned, pays), (letter, hand)
    assert {hand for _, hand, _ in cells(game, table)} <= shows.keys()


BEATEN = {
    "Four-of-a-kind": Hands.of(player="2c 2d 2h 2s 9c", dealer="3c 3d 3h 3s 9d Jh", all_six="Kc"),
    "Straight flush": Hands.of(player="2c 3c 4c 5c 9d", dealer="6h 7h 8h 9h Kd 2s", all_six="Kc"),
    "Three-of-a-kind": Hands.of(player="2c 2d 2h 7s 9c", dealer="3c 3d 3h 8s 9d Jh", all_six="Kc"),
}


@pytest.mark.proves("682a.12(c)", "682a.11(d)(2)(ii)(B)")
@pytest.mark.parametrize("hand", BEATEN)
def test_682a_12_c_every_bad_beat_bonus_is_paid(hand: str, make_terms: Make) -> None:
    for letter, row, cell in cells("four-card-prime", "bad-beat-bonus"):
        if row == hand:
            terms = make_terms("four-card-prime", {"ante": letter})
            lines = {line.wager: line for line in settle(terms, BEATEN[hand], {"ante": STAKE}, [3])}
            assert lines["bad-beat-bonus"].pays == expected(cell)[2]
            assert (lines["ante"].outcome, lines["ante"].returned) == ("returned", STAKE)
            assert (lines["raise"].outcome, lines["raise"].net) == ("lose", -3 * STAKE)
