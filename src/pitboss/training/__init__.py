"""Training: drills for dealers and players, with grades and scores.

An id determines a dealer's drill; the same id always gives the same drill:

>>> from pitboss.submission import load, terms_of
>>> from pitboss.training import DealerAnswer, DrillId, DrillKind, dealer_drill, grade_dealer_answer
>>> terms = terms_of(load("caribbean-stud-standard"))
>>> drill = DrillId("caribbean-stud", DrillKind.IRREGULAR, seed="7")
>>> asked = dealer_drill(drill, terms, seats=7)
>>> graded = grade_dealer_answer(DealerAnswer(drill=drill, choice=asked.options[0].answer), terms, seats=7)
>>> graded.answer, graded.clause.cite
('floor-first', '639a.8(b)')

`pitboss.training.close_decisions` draws hands for players. It needs exact EVs, and so numpy and numba.
"""

from pitboss.training.common import DrillId, DrillKind
from pitboss.training.dealer import DealerAnswer, DealerDrill, DealerGrade, dealer_drill, grade_dealer_answer
from pitboss.training.score import DealerScore, dealer_score

__all__ = [
    "DrillId",
    "DrillKind",
    "dealer_drill",
    "DealerDrill",
    "DealerAnswer",
    "grade_dealer_answer",
    "DealerGrade",
    "dealer_score",
    "DealerScore",
]
