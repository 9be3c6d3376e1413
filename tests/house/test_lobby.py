"""The list of open tables, which anybody may request at any rate."""

import asyncio
from types import SimpleNamespace

import pytest
from desk_house import House
from litestar.datastructures import State

from pitboss.submission import Submission
from pitboss.submission.signs import Sign, sign_of
from pitboss.web import api


def test_a_sign_is_made_once_for_each_submission(sqlite_house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house, drawn = sqlite_house, list[str]()
    presets = {"one": "cajun-stud-rack-card", "two": "cajun-stud-rack-card", "three": "four-card-prime-standard"}
    for table, preset in presets.items():
        house.open(table, preset)

    def counted(submission: Submission) -> Sign:
        drawn.append(submission.game)
        return sign_of(submission)

    monkeypatch.setattr(api, "sign_of", counted)
    api._sign.cache_clear()
    hub = SimpleNamespace(live_tables={table: house.live_table(table) for table in presets})
    state = State({"runtime": SimpleNamespace(hub=hub)})

    async def listed() -> list[api.LobbyTable]:
        return list(await api.tables.fn(state))

    lists = [asyncio.run(listed()) for _ in range(3)]
    assert sorted(drawn) == ["cajun-stud", "four-card-prime"]
    assert lists[0] == lists[2]
    assert {one.table: (one.title, one.limits) for one in lists[2]} == {
        "one": ("Cajun Stud", "Ante $5 to $1,000"),
        "two": ("Cajun Stud", "Ante $5 to $1,000"),
        "three": ("Four Card Prime", "Ante $1 to $10,000"),
    }
