"""Training: drills for those who deal and those who play, and what their answers come to.

A dealer's drill is asked by its id alone; the same id is the same drill:

>>> from pitboss.submission import load, terms_of
>>> from pitboss.training import DealerAnswer, DrillId, DrillKind, dealer_drill, dealer_graded
>>> terms = terms_of(load("caribbean-stud-standard"))
>>> drill = DrillId("caribbean-stud", DrillKind.IRREGULAR, seed="7")
>>> asked = dealer_drill(drill, terms, seats=7)
>>> graded = dealer_graded(DealerAnswer(drill=drill, choice=asked.options[0].answer), terms, seats=7)
>>> graded.answer, graded.clause.cite
('floor-first', '639a.8(b)')

A player's hands are drawn where the exact worth of decisions is known: `pitboss.training.hard`, with numpy and numba.
"""

from pitboss.training.common import DrillId, DrillKind
from pitboss.training.dealer import DealerAnswer, DealerDrill, DealerGraded, dealer_drill, dealer_graded
from pitboss.training.score import DealerScore, dealer_score

__all__ = [
    "DealerAnswer",
    "DealerDrill",
    "DealerGraded",
    "DealerScore",
    "DrillId",
    "DrillKind",
    "dealer_drill",
    "dealer_graded",
    "dealer_score",
]
