"""Drills in reading hands: name the hand that cards make."""

from collections.abc import Iterator
from random import Random

import msgspec

from pitboss.errors import Mistake
from pitboss.games import Terms
from pitboss.games.declarations import ByTable
from pitboss.games.hand_names import describe_hand
from pitboss.ranking import Evaluator, Hand
from pitboss.training.common import DrillId, DrillOption
from pitboss.training.hand_builder import TRIES, build_hand


class ReadDrill(msgspec.Struct, frozen=True, tag="read", kw_only=True):
    """Cards to name, and the hands to choose from, highest first."""

    drill: DrillId
    says: str
    cards: tuple[str, ...]
    options: tuple[DrillOption, ...]


class RankingUse(msgspec.Struct, frozen=True):
    """One use of a ranking: the question, the number of cards, and the evaluator."""

    about: str
    cards: int
    evaluate: Evaluator


class HandToRead(msgspec.Struct, frozen=True):
    """Cards, and the hand they make."""

    look: RankingUse
    cards: tuple[str, ...]
    hand: Hand
    why: str


def list_ranking_uses(terms: Terms) -> Iterator[RankingUse]:
    """Yield every use of a ranking at this table: side wagers and the contest."""
    game = terms.game
    sizes = {place.name: place.cards for place in game.places}
    by_ranking: dict[str, tuple[list[str], int]] = {}
    for wager in game.wagers:
        if wager.by.paytable in terms.tables and (ranking := terms.rankings[wager.by.paytable]):
            places = wager.by.places if isinstance(wager.by, ByTable) else ("player",)
            titles, _ = by_ranking.setdefault(ranking, ([], sum(sizes[place] for place in places)))
            titles += [title for title in [wager.title.partition(",")[0]] if title not in titles]
    for ranking, (titles, cards) in by_ranking.items():
        named = " and ".join(filter(None, (", ".join(titles[:-1]), titles[-1])))
        yield RankingUse(f"What do these cards make? They are for {named}.", cards, terms.evaluators[ranking])
    if contest := game.contest:
        dealers = sizes[contest.dealer[0]]
        for place in (*contest.player, *contest.dealer):
            if contest.ranking not in by_ranking:
                yield RankingUse(
                    f"What hand do the {place}'s cards make?", sizes[place], terms.evaluators[contest.ranking]
                )
        if contest.qualifying:
            yield RankingUse("Does the dealer qualify, and by what?", dealers, terms.evaluators[contest.qualifying])


def draw_hand_to_read(drill: DrillId, terms: Terms) -> HandToRead:
    """Return the cards of a drill, and the hand they make."""
    chance = Random(drill.seed)  # noqa: S311 (a drill must be reproducible)
    known = list(list_ranking_uses(terms))
    for _ in range(TRIES):
        look = chance.choice(known)
        wanted = chance.choice(look.evaluate.ranking.hands)
        if cards := build_hand(look.evaluate, wanted, look.cards, chance, ()):
            words = describe_hand(wanted, cards)
            return HandToRead(look, tuple(map(str, cards)), wanted, f"{words[0].upper()}{words[1:]}.")
    raise Mistake("Could not build a hand for this drill; try another seed.")


def read_drill(drill: DrillId, terms: Terms) -> ReadDrill:
    """Return the drill with this id."""
    read = draw_hand_to_read(drill, terms)
    names = tuple(DrillOption(hand.name, hand.name) for hand in read.look.evaluate.ranking.hands)
    return ReadDrill(drill=drill, says=read.look.about, cards=read.cards, options=names)
