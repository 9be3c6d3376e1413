"""The evidence of a house: signed checkpoints, the bundle for an auditor, rounds found, what mattered, and the audit.

Nothing here tells of a round that is under way: it is served once it is over (guarantee 6).
"""

from pitboss.house.evidence.audit import Checked, NoLog, Verified, check_log, verify
from pitboss.house.evidence.bundle import export
from pitboss.house.evidence.checkpoints import PUBLIC, checkpoint, public_key, signing_key
from pitboss.house.evidence.disputes import Dispute, disputes
from pitboss.house.evidence.frames import Frames, frames
from pitboss.house.evidence.logs import Log, Page, Wanted, logs, page
from pitboss.house.evidence.search import Found, RoundRecord, Sought, find_rounds, round_record, statement
from pitboss.house.evidence.significant import Significant, significant, submissions
from pitboss.house.evidence.slips import NoSlip, SlipFound, SlipPaper, slip_paper, slips
from pitboss.house.evidence.training import (
    NoStaff,
    Trainee,
    Training,
    TrainingPaper,
    trainees,
    training_csv,
    training_paper,
    trainings,
)

__all__ = [
    "PUBLIC",
    "Checked",
    "Dispute",
    "Found",
    "Frames",
    "Log",
    "NoLog",
    "NoSlip",
    "NoStaff",
    "Page",
    "RoundRecord",
    "Significant",
    "SlipFound",
    "SlipPaper",
    "Sought",
    "Trainee",
    "Training",
    "TrainingPaper",
    "Verified",
    "Wanted",
    "check_log",
    "checkpoint",
    "disputes",
    "export",
    "find_rounds",
    "frames",
    "logs",
    "page",
    "public_key",
    "round_record",
    "significant",
    "signing_key",
    "slip_paper",
    "slips",
    "statement",
    "submissions",
    "trainees",
    "training_csv",
    "training_paper",
    "trainings",
    "verify",
]
