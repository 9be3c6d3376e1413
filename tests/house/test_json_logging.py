"""Lines of the server's log: operators and monitoring read them, and they contain no card."""

import json
import logging

import pytest

from pitboss.web.json_logging import json_formatter


def line_of(message: str, error: Exception | None = None, **extra: object) -> dict[str, object]:
    raised = (type(error), error, error.__traceback__) if error else None
    record = logging.getLogger("pitboss.web").makeRecord(
        "pitboss.web", logging.ERROR, __file__, 1, message, (), raised, extra=extra or None
    )
    record.created = 1_900_000_000.5
    line = json_formatter("America/New_York").format(record)
    assert "\n" not in line
    return dict(json.loads(line))


def fail() -> None:
    raise ValueError("the hole card is As")


def test_a_line_has_time_level_logger_message_and_table() -> None:
    assert line_of("table 7 cannot continue", table="7") == {
        "time": "2030-03-17T13:46:40.500-04:00",
        "level": "error",
        "from": "pitboss.web",
        "what": "table 7 cannot continue",
        "table": "7",
    }


def test_an_error_is_logged_with_type_and_place_and_without_values() -> None:
    with pytest.raises(ValueError, match="hole card") as raised:
        fail()
    line = line_of("an order failed", raised.value, cards="As")
    assert line["error"] == "ValueError"
    assert str(line["at"]).startswith("test_json_logging.py:")
    assert "As" not in json.dumps(line)
