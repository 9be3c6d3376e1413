"""Logs as lines of JSON: time, level, where from, what; nothing of a hand is ever logged."""

import logging
import sys
from datetime import UTC, datetime

import msgspec


class Structured(logging.Formatter):
    """One record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Write a record."""
        facts: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "what": record.getMessage(),
        }
        if record.exc_info and record.exc_info[0]:
            facts["error"] = record.exc_info[0].__name__  # what it says could be of a hand; where it was is enough
            trace = record.exc_info[2]
            while trace and trace.tb_next:
                trace = trace.tb_next
            if trace:
                facts["at"] = f"{trace.tb_frame.f_code.co_filename.rpartition('/')[2]}:{trace.tb_lineno}"
        return msgspec.json.encode(facts).decode()


def structured(root: logging.Logger) -> None:
    """Have everything logged so, to the standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Structured())
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
