"""Rankings as ordered data, and the evaluator of a ranking.

    from pitboss.ranking import evaluator            # one hand, every card checked
    from pitboss.ranking.batch import evaluate_many  # arrays of hands; needs numpy and numba

The rankings themselves are in `pitboss.rulebook`, with their clauses.
"""

from pitboss.ranking.hands import Hand, Ranking
from pitboss.ranking.scalar import Evaluator, HandRank, evaluator

__all__ = [
    "evaluator",
    "Evaluator",
    "HandRank",
    "Ranking",
    "Hand",
]
