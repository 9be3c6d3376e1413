"""Properties of every settlement: over every class of hands, and over random deals and wagers."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from slices import EVERY_SO_MANYTH_CLASS

from pitboss.cards import DECK, Card
from pitboss.games import FOLD, GAMES, Balances, Hands, Line, Other, Terms, settle
from pitboss.games.outcomes import _one_per_suit_class
from pitboss.money import CENT
from pitboss.ranking.batch import all_hands
from pitboss.ranking.symmetry import equivalent_renamings

Make = Callable[..., Terms]
METERS = Balances(dict.fromkeys(("main", "mega", "major", "minor", "five-card-hand"), 1234567 * CENT))
STAKED = {"win", "lose", "push", "returned", "forfeited"}


def assert_sound(lines: tuple[Line, ...], placed: dict[str, int]) -> None:
    """Assert one line for each wager, with an outcome that fits its money, and no other stakes."""
    staked = [line for line in lines if line.outcome in STAKED]
    assert {line.wager: line.stake for line in staked} == placed
    assert len(lines) == len({line.wager for line in lines})
    for line in lines:
        match line.outcome:
            case "win":
                assert line.pays > 0
                assert line.returned in (0, line.stake)
            case "lose" | "forfeited":
                assert line.returned == line.pays == 0
            case "push" | "returned":
                assert (line.returned, line.pays) == (line.stake, 0)
            case "bonus":
                assert line.stake == line.returned == 0
                assert line.pays > 0
            case "limited":
                assert line.stake == line.returned == 0
                assert line.pays < 0
    # Each stake is returned or kept, once; what is won comes on top.
    kept = sum(line.stake - line.returned for line in lines)
    assert sum(line.pays for line in lines) - kept == sum(line.net for line in lines)


def classes() -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    """One of each class of five cards under renaming of suits."""
    hands = _one_per_suit_class(all_hands(5), equivalent_renamings([]))
    assert len(hands) == 134_459
    return hands


def fill_places(terms: Terms, first: list[Card], turn: int) -> Hands:
    """Deal these cards first, then other cards from a moving position of the deck."""
    rest = [card for card in DECK if card not in first]
    rest = rest[turn % len(rest) :] + rest[: turn % len(rest)]
    cards, pool = {}, first + rest
    for place in terms.game.places:
        cards[place.name], pool = tuple(pool[: place.cards]), pool[place.cards :]
    return Hands(cards)


@pytest.mark.parametrize("game", GAMES)
def test_every_class_of_hands_settles_soundly(game: str, make_terms: Make) -> None:
    terms = make_terms(game, payout_limit=None if game == "caribbean-stud" else 50_000_00)
    wagers = {wager.name: 100 * (place + 2) for place, wager in enumerate(terms.game.initial)}
    raised = [max(decision.multiples) for decision in terms.game.decisions]
    for turn, row in enumerate(classes()[::EVERY_SO_MANYTH_CLASS].tolist()):
        hands = fill_places(terms, [DECK[index] for index in row], turn * 7)
        decisions = raised if turn % 3 else [*raised[: turn % len(raised)], FOLD]
        placed = dict(wagers)
        for decision, multiple in zip(terms.game.decisions, decisions, strict=False):
            if multiple:
                placed[decision.wager] = multiple * wagers["ante"]
        assert_sound(settle(terms, hands, wagers, decisions, METERS), placed)


@st.composite
def rounds(draw: st.DrawFn) -> tuple[str, list[Card], dict[str, int], list[int]]:
    game = GAMES[draw(st.sampled_from(sorted(GAMES)))]
    cards = draw(st.permutations(DECK))[:20]
    side = [wager.name for wager in game.initial if wager.name != "ante"]
    wagers = {"ante": draw(st.integers(1, 5000))} | {
        name: draw(st.integers(1, 500)) for name in side if draw(st.booleans())
    }
    decisions: list[int] = []
    for decision in game.decisions:
        decisions.append(draw(st.sampled_from([FOLD, *decision.multiples])))
        if decisions[-1] == FOLD:
            break
    return game.name, list(cards), wagers, decisions


def dealt(terms: Terms, cards: list[Card]) -> Hands:
    held, pool = {}, cards
    for place in terms.game.places:
        held[place.name], pool = tuple(pool[: place.cards]), pool[place.cards :]
    if terms.game.name != "caribbean-stud":
        return Hands(held)
    return Hands(held, others=(Other(tuple(pool[:5])),), magic=pool[5], lucky=("player",))


@given(rounds(), st.data())
def test_raising_a_side_wager_changes_no_other_line(
    make_terms: Make, played: tuple[str, list[Card], dict[str, int], list[int]], data: st.DataObject
) -> None:
    game, cards, wagers, decisions = played
    terms = make_terms(game, {"progressive": "D"} if game == "caribbean-stud" else {})
    hands = dealt(terms, cards)
    before = settle(terms, hands, wagers, decisions, METERS)
    assert before == settle(terms, hands, wagers, decisions, METERS)  # deterministic
    side = [name for name in wagers if name != "ante"]
    if not side:
        return
    raised = data.draw(st.sampled_from(side))
    after = settle(terms, hands, {**wagers, raised: wagers[raised] * 3}, decisions, METERS)
    hanging = {raised, *(bonus.name for bonus in terms.game.bonuses if bonus.on == raised)}
    assert [line for line in before if line.wager not in hanging] == [
        line for line in after if line.wager not in hanging
    ]


@given(rounds())
def test_a_wager_that_was_not_made_has_no_line(
    make_terms: Make, played: tuple[str, list[Card], dict[str, int], list[int]]
) -> None:
    game, cards, wagers, decisions = played
    terms = make_terms(game)
    hands = dealt(terms, cards)
    whole = settle(terms, hands, wagers, decisions, METERS)
    alone = settle(terms, hands, {"ante": wagers["ante"]}, decisions, METERS)
    assert alone == tuple(line for line in whole if line.wager in {made.wager for made in alone})
    assert all(line.wager in wagers or line.wager not in {w.name for w in terms.game.initial} for line in whole)
