"""Names of the hands that a viewer sees, and the paytable rows they make; cards that are hidden make none."""

from collections.abc import Collection, Mapping, Sequence

from msgspec.structs import replace

from pitboss.cards import Card, hand
from pitboss.games import Terms
from pitboss.games.declarations import ByTable
from pitboss.games.hand_names import describe_hand
from pitboss.games.paytable_pays import paytable_row

CardsByPlace = Mapping[str, Sequence[str | None]]
"""The cards of each place in order; None for a hidden one."""


def player_hand(terms: Terms, cards: CardsByPlace) -> str:
    """Name a player's whole hand: “Two pair, aces and eights”; empty while a card of it is hidden."""
    return _name(terms, *_ranked(terms), cards)


def dealer_hand(terms: Terms, cards: CardsByPlace) -> dict[str, str]:
    """Name the dealer's hand, by the last of its places; empty without a contest or while a card is hidden."""
    contest = terms.game.contest
    name = _name(terms, contest.ranking, contest.dealer, cards) if contest else ""
    return {contest.dealer[-1]: name} if contest and name else {}


def visible_rows(terms: Terms, cards: CardsByPlace, wagers: Collection[str]) -> dict[str, str]:
    """Return the paytable row that the visible cards make for each of these wagers; none where all hands pay alike."""
    contest, rows = terms.game.contest, dict[str, str]()
    for wager in terms.game.wagers:
        places = wager.by.places if isinstance(wager.by, ByTable) else contest.player if contest else ()
        held = _together(terms, cards, places)
        if held and wager.name in wagers and terms.rankings.get(wager.by.paytable):
            rows[wager.name], _ = paytable_row(terms, wager.by.paytable, held)
    return rows


def _ranked(terms: Terms) -> tuple[str, tuple[str, ...]]:
    """Return the ranking and the places of a player's hand in the base game."""
    if contest := terms.game.contest:
        return contest.ranking, contest.player
    by = terms.game.wager(terms.game.required).by
    assert isinstance(by, ByTable), "without a contest the required wager is paid by a table"
    return terms.rankings[by.paytable], by.places


def _name(terms: Terms, ranking: str, places: Sequence[str], cards: CardsByPlace) -> str:
    held = _together(terms, cards, places)
    if not held:
        return ""
    made = terms.evaluators[ranking](held).hand
    if made.same_rank == (2,):  # a row such as “pair of 6s to 10s” is named by its own rank
        made = replace(made, name="Pair")
    name = describe_hand(made, held)
    return name[0].upper() + name[1:]


def _together(terms: Terms, cards: CardsByPlace, places: Sequence[str]) -> tuple[Card, ...]:
    """Return the cards of these places as one hand; none unless every one of them lies there and is visible."""
    sizes = {place.name: place.cards for place in terms.game.places}
    if not all(len(cards.get(place, ())) == sizes[place] for place in places):
        return ()
    held = [card for place in places for card in cards[place]]
    return hand(" ".join(card for card in held if card)) if all(held) else ()
