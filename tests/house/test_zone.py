"""The time zone of the house: set once, used in everything people read, and never stored with data."""

import json
import logging
from datetime import UTC, datetime
from pathlib import Path

import pytest
from desk_house import House

from pitboss.errors import Mistake
from pitboss.house.config import load_config
from pitboss.house.office.acts import RecordApproval
from pitboss.house.office.office import HOUSE_PERSON, Office
from pitboss.house.zone import format_time, parse_time, require_zone
from pitboss.submission import text_of
from pitboss.web.json_logging import json_formatter

NEW_YORK, TOKYO = "America/New_York", "Asia/Tokyo"


def utc(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


def test_the_default_zone_is_pennsylvanias(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('timezone = "America/Chicago"\n', "utf-8")
    assert load_config(None, {}).timezone == NEW_YORK
    assert load_config(file, {}).timezone == "America/Chicago"
    assert load_config(file, {"PITBOSS_TIMEZONE": TOKYO}).timezone == TOKYO


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("America/New_Yrok", "did you mean “America/New_York”?"),
        ("america/new_york", "did you mean “America/New_York”?"),
        ("New York", "did you mean “America/New_York”?"),
        ("qqqqqqqq", "write one such as America/New_York."),
        ("", "write one such as America/New_York."),
        ("../../etc/passwd", "write one such as America/New_York."),
        ("localtime", ""),
        ("Factory", ""),
    ],
)
def test_an_unknown_zone_is_refused_with_a_hint(name: str, hint: str) -> None:
    with pytest.raises(Mistake) as mistake:
        load_config(None, {"PITBOSS_TIMEZONE": name})
    assert str(mistake.value).startswith(f"Unknown time zone “{name}” in the setting “timezone”; ")
    assert str(mistake.value).endswith(hint)


@pytest.mark.parametrize("name", [NEW_YORK, TOKYO, "UTC", "Europe/Berlin", "Asia/Kathmandu"])
def test_known_zones_are_accepted(name: str) -> None:
    assert require_zone(name) == name


# Clocks go back on November 1, 2026 at 2:00, and forward on March 8, 2026 at 2:00.


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("2026-01-31", "2026-01-31T05:00:00", "2026-02-01T04:59:59"),
        ("2026-03-08", "2026-03-08T05:00:00", "2026-03-09T03:59:59"),  # 23 hours
        ("2026-11-01", "2026-11-01T04:00:00", "2026-11-02T04:59:59"),  # 25 hours
        ("2026-01-31T18:30", "2026-01-31T23:30:00", "2026-01-31T23:30:00"),
        ("2026-07-31T18:30:05", "2026-07-31T22:30:05", "2026-07-31T22:30:05"),
        ("2026-11-01T01:30", "2026-11-01T05:30:00", "2026-11-01T06:30:00"),  # comes twice
        ("2026-03-08T02:30", "2026-03-08T06:30:00", "2026-03-08T07:30:00"),  # never comes
        ("2026-01-31T18:30+00:00", "2026-01-31T18:30:00", "2026-01-31T18:30:00"),
    ],
)
def test_a_day_and_a_time_are_in_the_houses_zone(text: str, since: str, until: str) -> None:
    assert parse_time(text, NEW_YORK) == utc(since)
    assert parse_time(text, NEW_YORK, end=True) == utc(until)


def test_a_printed_time_names_its_zone() -> None:
    moment = utc("2026-11-01T05:30:00")
    assert format_time(moment, NEW_YORK) == "2026-11-01 01:30:00 EDT"
    assert format_time(moment + 3600, NEW_YORK) == "2026-11-01 01:30:00 EST"
    assert format_time(moment, TOKYO) == "2026-11-01 14:30:00 JST"
    assert format_time(moment, "Asia/Kathmandu") == "2026-11-01 11:15:00 +0545"


@pytest.mark.parametrize(
    ("zone", "time"), [(NEW_YORK, "2026-07-01T08:00:00.250-04:00"), (TOKYO, "2026-07-01T21:00:00.250+09:00")]
)
def test_a_log_line_has_local_time_with_its_offset(zone: str, time: str) -> None:
    record = logging.LogRecord("pitboss.web", logging.ERROR, "", 0, "refused", None, None)
    record.created = utc("2026-07-01T12:00:00") + 0.25
    assert json.loads(json_formatter(zone).format(record))["time"] == time


@pytest.mark.parametrize(("zone", "accepted"), [(NEW_YORK, False), (TOKYO, True)])
def test_refuses_an_approval_dated_after_today_at_the_house(sqlite_house: House, zone: str, *, accepted: bool) -> None:
    """At 1:00 on February 2 in UTC it is still February 1 in New York, and 10:00 on the 2nd in Tokyo."""
    office = Office(sqlite_house.db, lambda: utc("2026-02-02T01:00:00"), zone)
    approval = RecordApproval(text_of("cajun-stud-standard"), "2026-02-02", "Letter 7")
    done = office.do(HOUSE_PERSON, approval, "approval")
    assert (done.accepted, "is in the future" in done.why) == (accepted, not accepted)
