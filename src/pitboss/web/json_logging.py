"""Server logs as JSON lines: time, level, logger, message, and the table it concerns. Cards are never logged."""

import logging
import sys
from typing import Final

import msgspec
from structlog.processors import JSONRenderer
from structlog.stdlib import ExtraAdder, ProcessorFormatter
from structlog.typing import EventDict, ExcInfo, WrappedLogger

from pitboss.house.zone import PENNSYLVANIA, local_time

FIELDS: Final = ("table",)
"""Values that a log call may pass as `extra`; all others are left out, since they could name cards."""


def json_formatter(zone: str = PENNSYLVANIA) -> logging.Formatter:
    """Return a formatter that writes a record as one line of JSON, with the house's local time and its UTC offset."""

    def shape(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
        record: logging.LogRecord = event["_record"]
        return {
            "time": local_time(record.created, zone).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "what": event["event"],
            **{name: event[name] for name in FIELDS if name in event},
            **_error(event.get("exc_info")),
        }

    renderer = JSONRenderer(serializer=lambda facts, **_: msgspec.json.encode(facts).decode())
    return ProcessorFormatter(processors=[shape, renderer], foreign_pre_chain=[ExtraAdder(FIELDS)], logger=None)


def _error(raised: ExcInfo | tuple[None, None, None] | None) -> dict[str, str]:
    """Return type and place of an exception; its message could name cards."""
    if not raised or raised[0] is None:
        return {}
    kind, _, trace = raised
    while trace and trace.tb_next:
        trace = trace.tb_next
    place = {"at": f"{trace.tb_frame.f_code.co_filename.rpartition('/')[2]}:{trace.tb_lineno}"} if trace else {}
    return {"error": kind.__name__, **place}


def configure_logging(root: logging.Logger, zone: str) -> None:
    """Log warnings and errors as JSON lines to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(json_formatter(zone))
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
