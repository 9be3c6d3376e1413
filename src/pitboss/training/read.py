"""Reading hands: which hand of a ranking some cards make."""

from collections.abc import Iterator
from random import Random

import msgspec

from pitboss.errors import Mistake
from pitboss.games import Terms
from pitboss.games.declare import ByTable
from pitboss.games.words import in_words
from pitboss.ranking import Evaluator, Hand
from pitboss.training.common import DrillId, DrillOption
from pitboss.training.made import TRIES, made


class ReadDrill(msgspec.Struct, frozen=True, tag="read", kw_only=True):
    """Cards to name, and the hands there are, highest first."""

    drill: DrillId
    says: str
    cards: tuple[str, ...]
    options: tuple[DrillOption, ...]


class Look(msgspec.Struct, frozen=True):
    """What looks at cards: in words, how many cards, and what names them."""

    about: str
    cards: int
    evaluate: Evaluator


class Read(msgspec.Struct, frozen=True):
    """Cards, and what they make."""

    look: Look
    cards: tuple[str, ...]
    hand: Hand
    why: str


def looks(terms: Terms) -> Iterator[Look]:
    """Yield everything that names hands at this table: wagers that a paytable settles, and the contest."""
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
        yield Look(f"What do these cards make? They are for {named}.", cards, terms.evaluators[ranking])
    if contest := game.contest:
        dealers = sizes[contest.dealer[0]]
        for place in (*contest.player, *contest.dealer):
            if contest.ranking not in by_ranking:
                yield Look(f"What hand do the {place}'s cards make?", sizes[place], terms.evaluators[contest.ranking])
        if contest.qualifying:
            yield Look("Does the dealer qualify, and by what?", dealers, terms.evaluators[contest.qualifying])


def read_of(drill: DrillId, terms: Terms) -> Read:
    """Return the cards that a drill is about, and what they make."""
    chance = Random(drill.seed)  # noqa: S311 (a drill can be asked for again)
    known = list(looks(terms))
    for _ in range(TRIES):
        look = chance.choice(known)
        wanted = chance.choice(look.evaluate.ranking.hands)
        if cards := made(look.evaluate, wanted, look.cards, chance, ()):
            words = in_words(wanted, cards)
            return Read(look, tuple(map(str, cards)), wanted, f"{words[0].upper()}{words[1:]}.")
    raise Mistake("No hand to read was found for this table.")


def read_drill(drill: DrillId, terms: Terms) -> ReadDrill:
    """Return the cards to name."""
    read = read_of(drill, terms)
    names = tuple(DrillOption(hand.name, hand.name) for hand in read.look.evaluate.ranking.hands)
    return ReadDrill(drill=drill, says=read.look.about, cards=read.cards, options=names)
