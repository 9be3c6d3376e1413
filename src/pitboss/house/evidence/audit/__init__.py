"""The audit: every log, every round, every posting and every meter worked out again and compared with what is stored.

What is wrong is said in sentences that locate it: log and entry, account, meter, round, checkpoint.
"""

from pitboss.house.evidence.audit.books import Verified
from pitboss.house.evidence.audit.pieces import Checked, NoLog, check_log
from pitboss.house.evidence.audit.whole import verify

__all__ = ["Checked", "NoLog", "Verified", "check_log", "verify"]
