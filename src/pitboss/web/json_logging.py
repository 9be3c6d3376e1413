"""Server logs as JSON lines with time, level, logger and message. Cards are never logged."""

import logging
import sys

import msgspec

from pitboss.house.zone import PENNSYLVANIA, local_time


class JsonFormatter(logging.Formatter):
    """Formats a record as one line of JSON, with the house's local time and its UTC offset."""

    def __init__(self, zone: str = PENNSYLVANIA) -> None:
        """Set the time zone of the house."""
        super().__init__()
        self._zone = zone

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as JSON."""
        facts: dict[str, object] = {
            "time": local_time(record.created, self._zone).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "what": record.getMessage(),
        }
        if record.exc_info and record.exc_info[0]:
            facts["error"] = record.exc_info[0].__name__  # its message could name cards; type and place are enough
            trace = record.exc_info[2]
            while trace and trace.tb_next:
                trace = trace.tb_next
            if trace:
                facts["at"] = f"{trace.tb_frame.f_code.co_filename.rpartition('/')[2]}:{trace.tb_lineno}"
        return msgspec.json.encode(facts).decode()


def configure_logging(root: logging.Logger, zone: str) -> None:
    """Log warnings and errors as JSON lines to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter(zone))
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
