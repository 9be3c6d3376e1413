"""The pays of outcomes, from `settle`: one example deal per outcome."""

from collections.abc import Mapping, Sequence
from typing import Final

from pitboss.cards import DECK, Card
from pitboss.games import GAMES, Bounds, Hands, Terms, agree, settle, stakes
from pitboss.games.declarations import ByTable
from pitboss.games.terms import SINGLE_PAYTABLE, paytable_with_letters
from pitboss.ranking import Ranking
from pitboss.rulebook import rulebook
from pitboss.rulebook.readings import Choice

STAKE: Final = 100
"""The initial wager, in cents, where its amount does not matter; all odds of the chapters divide it."""


def letters_of(game: str) -> dict[str, tuple[str, ...]]:
    """Return the paytable letters of every wager that a game can offer."""
    found = {}
    for wager in GAMES[game].initial:
        table = paytable_with_letters(GAMES[game], rulebook(), wager.offer)
        found[wager.offer] = tuple(rulebook().games[game].paytables[table].printed) if table else (SINGLE_PAYTABLE,)
    return found


def terms_for(game: str, letters: Mapping[str, str], readings: Choice, payout_limit: int | None = None) -> Terms:
    """Return the terms of these wagers and paytables, without wager limits; without a payout limit unless given."""
    return agree(
        GAMES[game],
        rulebook(),
        offered={offer: Bounds() for offer in letters},
        letters={offer: letter for offer, letter in letters.items() if letter != SINGLE_PAYTABLE},
        readings=readings,
        unit=1,
        payout_limit=payout_limit,
    )


def lay_out_cards(terms: Terms, places: Sequence[str], cards: Sequence[Card]) -> Hands:
    """Lay out cards on these places, and arbitrary other cards on the rest."""
    rest = [card for card in DECK if card not in cards]
    held, left = {}, list(cards)
    for name in places:
        (place,) = (place for place in terms.game.places if place.name == name)
        held[name], left = tuple(left[: place.cards]), left[place.cards :]
    assert not left, "more cards than places"
    for place in terms.game.places:
        if place.name not in held:
            held[place.name], rest = tuple(rest[: place.cards]), rest[place.cards :]
    return Hands(held)


def settle_net(terms: Terms, hands: Hands, wagers: Mapping[str, int], decisions: Sequence[int]) -> tuple[int, int]:
    """Return a player's net result of a round and his total wager, in cents."""
    lines = settle(terms, hands, wagers, decisions)
    return sum(line.net for line in lines), sum(stakes(terms, wagers, decisions).values())


def table_wager(terms: Terms, wager: str) -> tuple[Ranking, ByTable]:
    """Return the ranking and the settlement rule of a side wager."""
    by = terms.game.wager(wager).by
    assert isinstance(by, ByTable)
    return terms.evaluators[terms.rankings[by.paytable]].ranking, by
