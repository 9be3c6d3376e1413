"""`pitboss audit round … --scene`: a finished round of the house, played again from the scene alone."""

import json
from pathlib import Path

import pytest
from command import pitboss
from evidence_house import eventful_folder

from pitboss.house.evidence import round_record
from pitboss.house.storage.sqlite import Sqlite
from pitboss.record.chain import encode_json
from pitboss.rehearse.script import read_scene
from pitboss.rehearse.stage import play_scene_lines


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return eventful_folder(tmp_path_factory.mktemp("house"))


def _rounds(folder: Path) -> list[tuple[str, int]]:
    db = Sqlite(folder / "house.db", read_only=True)
    rows = db.execute("SELECT chain, number + 1 FROM round ORDER BY chain, number")
    db.close()
    return [(str(chain), int(number)) for chain, number in rows]


def test_the_scene_of_a_round_reproduces_it(folder: Path) -> None:
    rounds = _rounds(folder)
    assert len(rounds) > 12
    for table, number in rounds:
        ran = pitboss("audit", "round", str(folder), table, str(number), "--scene")
        assert ran.status == 0, ran.err
        told = play_scene_lines(read_scene(ran.out))
        db = Sqlite(folder / "house.db", read_only=True)
        moments = round_record(db, table, number).moments
        db.close()
        assert [one.answer.refused for one in told] == [None] * (len(moments) + 1)
        for moment, one in zip(moments, told[1:], strict=True):
            (again,) = one.moments
            happened, before = (json.loads(_without_root(found.entry.events)) for found in (again, moment))
            assert happened == before, (table, number, one.line.number)
        assert told[-1].answer.settled, (table, number)


def _without_root(events: object) -> bytes:
    """The events as in a record; a scene has no salts, so its commitments are empty."""
    found = json.loads(encode_json(events))
    return json.dumps([{key: value for key, value in event.items() if key != "root"} for event in found]).encode()
