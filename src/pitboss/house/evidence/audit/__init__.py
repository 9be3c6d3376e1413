"""The audit: every log, every round, every posting and every meter worked out again and compared with what is stored.

What is wrong is said in sentences that locate it: log and entry, account, meter, round, checkpoint.
"""

from pitboss.house.evidence.audit.books import AuditReport
from pitboss.house.evidence.audit.full import verify_house
from pitboss.house.evidence.audit.log_pieces import PieceReport, UnknownLog, check_log

__all__ = ["AuditReport", "PieceReport", "UnknownLog", "check_log", "verify_house"]
