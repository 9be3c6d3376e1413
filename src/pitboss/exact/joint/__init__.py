"""The joint result of all of a patron's wagers on one deal, including their correlation.

All wagers use the same cards, so a hand that wins one often wins another. Decisions are the best for all wagers
together, since a fold may forfeit more than the Ante. Meters are at their seeds.
"""

from collections.abc import Callable, Mapping
from typing import Final

from pitboss.cache import load_or_make
from pitboss.cards import DECK
from pitboss.errors import Mistake
from pitboss.exact.analysis import CACHED_CODE
from pitboss.exact.distribution import Distribution
from pitboss.exact.joint.board import play_boards
from pitboss.exact.joint.contest import PLAYER, play_contest
from pitboss.exact.payoffs import table_wager
from pitboss.exact.suit_classes import list_suit_classes
from pitboss.games import Terms
from pitboss.money import DOLLAR, format_money
from pitboss.ranking.symmetry import distinct_renamings

MAX_STAKE: Final = 1_000_000 * DOLLAR
"""The highest wager in cents, so that sums do not overflow."""


def joint_distribution(
    terms: Terms, wagers: Mapping[str, int], done: Callable[[], object] = lambda: None
) -> Distribution:
    """Return the joint distribution of these wagers, in cents by name, under the best decisions; cached."""
    made = {name: amount for name, amount in sorted(wagers.items()) if amount}
    _require_valid_wagers(terms, made)
    work = play_contest if terms.game.contest else play_boards
    agreed = (terms.game.name, sorted(terms.letters.items()), sorted(terms.readings.items()), terms.payout_limit)
    return load_or_make(("joint", agreed, made), *CACHED_CODE, of=Distribution, make=lambda: work(terms, made, done))


def steps_of(terms: Terms, wagers: Mapping[str, int]) -> int:
    """Return the number of steps of `joint_distribution`, for a progress bar."""
    if not terms.game.contest:
        return len(list_suit_classes(2).weight)
    known = [table_wager(terms, name) for name in wagers if name != terms.game.required]
    players = [ranking for ranking, by in known if by.places[0] == PLAYER[0]]
    drawn = any(len(by.places) > 1 for _, by in known)
    return len(distinct_renamings(players)) * (len(DECK) if drawn else 1)


def _require_valid_wagers(terms: Terms, made: Mapping[str, int]) -> None:
    """Raise `Mistake` if the required wager is missing, a wager is too high, or a metered one is not whole dollars."""
    game = terms.game
    if game.required not in made:
        raise Mistake(f"The {game.required} wager is missing; every other wager needs it.")
    if max(made.values()) > MAX_STAKE:
        raise Mistake(f"A wager in a combination is at most {format_money(MAX_STAKE)}.")
    feeding = [name for name in made if game.wager(name).by.paytable in terms.meters]
    if odd := [name for name in feeding if made[name] % DOLLAR]:
        raise Mistake(
            f"The {odd[0]} wager is not a whole number of dollars; meters are seeded per dollar of the wager."
        )
