"""Evidence of a house: signed checkpoints, bundles for an auditor, search, significant events, and the audit.

Nothing here shows a round under way; a round is served once it is over (guarantee 6).
"""

from pitboss.house.evidence.audit import AuditReport, PieceReport, UnknownLog, check_log, verify_house
from pitboss.house.evidence.bundle import export_bundle
from pitboss.house.evidence.checkpoints import PUBLIC, public_key, sign_checkpoint, signing_key
from pitboss.house.evidence.disputes import Dispute, list_disputes
from pitboss.house.evidence.frames import Frames, frames_of_round
from pitboss.house.evidence.log_pages import EntryFilter, Log, Page, list_logs, page
from pitboss.house.evidence.search import RoundRecord, RoundSummary, find_rounds, round_record
from pitboss.house.evidence.significant_events import SignificantEvent, list_significant_events
from pitboss.house.evidence.slip_papers import SlipPaper, SlipSummary, UnknownSlip, find_slips, slip_paper
from pitboss.house.evidence.training_records import (
    Trainee,
    TrainingPaper,
    TrainingRecord,
    UnknownStaff,
    list_training_records,
    trainees,
    training_csv,
    training_paper,
)
from pitboss.house.office.submission_periods import submissions

__all__ = [
    "PUBLIC",
    "AuditReport",
    "Dispute",
    "EntryFilter",
    "Frames",
    "Log",
    "Page",
    "PieceReport",
    "RoundRecord",
    "RoundSummary",
    "SignificantEvent",
    "SlipPaper",
    "SlipSummary",
    "Trainee",
    "TrainingPaper",
    "TrainingRecord",
    "UnknownLog",
    "UnknownSlip",
    "UnknownStaff",
    "check_log",
    "export_bundle",
    "find_rounds",
    "find_slips",
    "frames_of_round",
    "list_disputes",
    "list_logs",
    "list_significant_events",
    "list_training_records",
    "page",
    "public_key",
    "round_record",
    "sign_checkpoint",
    "signing_key",
    "slip_paper",
    "submissions",
    "trainees",
    "training_csv",
    "training_paper",
    "verify_house",
]
