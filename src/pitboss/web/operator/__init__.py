"""HTTP routes for operators: Submissions, actual against theoretical hold, and the mathematics.

submission_routes     presets, forms, problems and figures, signs and PAR sheets, changes, Submissions in force
hold_routes           actual hold of tables beside theory
mathematics_routes    every figure of a game, strategy charts, the published holds
worker_jobs           functions that run in the worker processes
"""

from typing import Final

from pitboss.web.operator.hold_routes import HOLDS
from pitboss.web.operator.mathematics_routes import MATHEMATICS
from pitboss.web.operator.submission_routes import SUBMISSIONS

WORKSHOP: Final = [*SUBMISSIONS, *HOLDS, *MATHEMATICS]
