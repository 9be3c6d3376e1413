"""The games as declarations, the terms that a table chooses, and `settle`, which every consumer uses.

    declarations, caribbean_stud, …     the parts of a game, and each game
    terms                               one game with every choice of a table made
    settlement_inputs, settlement       what `settle` needs and checks; `settle`
    settlement_line, bonus_settlement   one line of it; the lines of bonuses
    paytable_pays, meter_purse          the pay of a row; the meters that a box is paid from
    payout_limit                        the limit on a patron's payouts in a round
    outcomes                            all joint outcomes of several wagers; needs numpy

>>> from pitboss.games import GAMES, Bounds, Hands, agree, settle
>>> from pitboss.rulebook import rulebook
>>> terms = agree(
...     GAMES["caribbean-stud"], rulebook(), offered={"ante": Bounds()}, letters={}, readings={}, unit=100
... )
>>> for line in settle(terms, Hands.of(player="Kc Kd 8s 5h 2c", dealer="Ac Kh 9d 7d 3s"), {"ante": 1000}, [2]):
...     print(line.wager, line.outcome, line.returned, line.pays, line.cite)
ante win 1000 1000 639a.11(c)(3)(ii)(B)
bet win 2000 2000 639a.11(c)(3)(ii)(B)
"""

from collections.abc import Mapping
from typing import Final

from pitboss.games.cajun_stud import CAJUN_STUD
from pitboss.games.caribbean_stud import CARIBBEAN_STUD
from pitboss.games.declarations import Bonus, Decision, Game, Outcome, Place, Result, Wager
from pitboss.games.four_card_prime import FOUR_CARD_PRIME
from pitboss.games.payout_limit import limit_counts
from pitboss.games.settlement import settle
from pitboss.games.settlement_inputs import FOLD, Balances, Hands, Other, check_wagers, stakes
from pitboss.games.settlement_line import Line
from pitboss.games.terms import Bounds, Terms, agree

GAMES: Final[Mapping[str, Game]] = {game.name: game for game in (CARIBBEAN_STUD, FOUR_CARD_PRIME, CAJUN_STUD)}

__all__ = [
    "GAMES",
    "Game",
    "Wager",
    "Bonus",
    "Decision",
    "Place",
    "agree",
    "Terms",
    "Bounds",
    "settle",
    "Hands",
    "Other",
    "FOLD",
    "Balances",
    "Line",
    "Outcome",
    "Result",
    "stakes",
    "check_wagers",
    "limit_counts",
]
