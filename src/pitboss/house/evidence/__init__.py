"""The evidence of a house: signed checkpoints, the bundle for an auditor, rounds found, what mattered, and the audit.

Nothing here tells of a round that is under way: it is served once it is over (guarantee 6).
"""

from pitboss.house.evidence.audit import Verified, verify
from pitboss.house.evidence.bundle import export
from pitboss.house.evidence.checkpoints import PUBLIC, checkpoint, public_key, signing_key
from pitboss.house.evidence.search import Found, Sought, find_rounds, round_record, statement
from pitboss.house.evidence.significant import Significant, significant, submissions

__all__ = [
    "PUBLIC",
    "Found",
    "Significant",
    "Sought",
    "Verified",
    "checkpoint",
    "export",
    "find_rounds",
    "public_key",
    "round_record",
    "significant",
    "signing_key",
    "statement",
    "submissions",
    "verify",
]
