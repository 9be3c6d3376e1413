"""The audit recalculates every log, round, posting and meter, and compares them with the stored ones.

Each problem is a sentence that locates it: log and entry, account, meter, round or checkpoint.
"""

from pitboss.house.evidence.audit.books import AuditReport
from pitboss.house.evidence.audit.full import verify_house
from pitboss.house.evidence.audit.log_pieces import PieceReport, UnknownLog, check_log

__all__ = ["AuditReport", "PieceReport", "UnknownLog", "check_log", "verify_house"]
