"""Logs as lines of JSON: time, level, where from, what; nothing of a hand is ever logged."""

import logging
import sys

import msgspec

from pitboss.house.zone import PENNSYLVANIA, local_time


class JsonFormatter(logging.Formatter):
    """One record as one line of JSON, its time on the clocks of the house with their offset."""

    def __init__(self, zone: str = PENNSYLVANIA) -> None:
        """Begin with the time zone of the house."""
        super().__init__()
        self._zone = zone

    def format(self, record: logging.LogRecord) -> str:
        """Write a record."""
        facts: dict[str, object] = {
            "time": local_time(record.created, self._zone).isoformat(timespec="milliseconds"),
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


def configure_logging(root: logging.Logger, zone: str) -> None:
    """Have everything logged so, to the standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter(zone))
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
