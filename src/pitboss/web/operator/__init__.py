"""The workshop over HTTP: Submissions made and examined, theoretical against actual hold, and the mathematics.

submissions    presets, forms, what is wrong and what it comes to, signs and PAR sheets, changes, what is in force
holds          what tables hold beside theory
mathematics    every figure of a game, strategy charts, the published holds
worked         what the other process does for them
"""

from typing import Final

from pitboss.web.operator.hold_routes import HOLDS
from pitboss.web.operator.mathematics_routes import MATHEMATICS
from pitboss.web.operator.submission_routes import SUBMISSIONS

WORKSHOP: Final = [*SUBMISSIONS, *HOLDS, *MATHEMATICS]
