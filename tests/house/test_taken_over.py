"""A start with another engine or other rules writes both hashes into every open log; on SQLite and PostgreSQL."""

import pytest
from crowd import NOTHING
from desk_house import House, dealt_one_by_one

from pitboss.house.config import Config
from pitboss.house.evidence import list_significant_events, verify_house
from pitboss.house.evidence.audit import check_log
from pitboss.house.office.acts import CloseTable
from pitboss.house.startup import open_house
from pitboss.rulebook.procedures import Do
from pitboss.source_hashes import engine_hash, rules_hash
from pitboss.table import Decide, Reshuffle, TakeOver, Wager

OTHER = "f" * 64


def runs(monkeypatch: pytest.MonkeyPatch, engine: str) -> None:
    """Have a version with another engine run from now on."""
    monkeypatch.setattr("pitboss.source_hashes.engine_hash", lambda: engine)


def played(house: House, table: str, *, decides: bool = True) -> None:
    """Ann folds a round at a table, or is to decide in it."""
    house.source.stack(dealt_one_by_one("3c 6h 8h Tc Qd", NOTHING))
    house.took("flo", table, Reshuffle())
    house.took("ann", table, Wager(1, {"ante": 1000}))
    assert house.table(table).due.do is Do.ASK
    if decides:
        house.took("ann", table, Decide(1, 0))


def opened(house: House) -> None:
    house.patrons("ann")
    house.open("stud")
    house.seat("stud", ann=1)


def restarted(house: House) -> list[str]:
    """Start a server of the version that runs: what it takes over."""
    house.desk.standings.clear()
    return house.desk.take_over(["stud"])


def test_what_follows_a_start_with_another_engine_is_decided_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(house)
    played(house, "stud")
    before = house.standing("stud").seq
    runs(monkeypatch, OTHER)
    assert restarted(house) == ["stud"]
    assert house.table("stud").made_by == (rules_hash(), OTHER)
    assert restarted(house) == []  # once is enough
    played(house, "stud")
    found = verify_house(house.db)
    assert found.problems == []
    assert (found.followed, found.followed_entries) == (["stud"], {"stud": [(1, before)]})
    runs(monkeypatch, engine_hash())  # the version that made the beginning decides just that again
    found = verify_house(house.db)
    assert found.problems == []
    assert found.followed_entries == {"stud": [(before + 1, house.standing("stud").seq)]}


def test_a_round_under_way_is_taken_over_and_its_end_decided_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(house)
    played(house, "stud", decides=False)
    before = house.standing("stud").seq
    runs(monkeypatch, OTHER)
    assert restarted(house) == ["stud"]
    house.took("ann", "stud", Decide(1, 0))
    assert house.table("stud").round == 1
    assert house.table("stud").made_by == (rules_hash(), OTHER)  # also in what is kept after the round
    assert verify_house(house.db).followed_entries == {"stud": [(1, before)]}


def test_a_piece_that_begins_after_the_start_is_decided_again_as_a_whole(
    sqlite_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = sqlite_house
    opened(house)
    runs(monkeypatch, OTHER)
    restarted(house)
    played(house, "stud")
    ((end,),) = house.db.execute("SELECT last FROM round WHERE chain = 'stud'")
    played(house, "stud")
    assert check_log(house.db, "stud").followed
    piece = check_log(house.db, "stud", end)
    assert (piece.problems, piece.followed, piece.rounds) == ([], False, 1)


def test_only_open_tables_whose_engine_differs_get_the_line_and_only_the_house_writes_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(house)
    house.open("closed")
    house.did(CloseTable("closed"))
    for who in ("ann", "flo", "dealer"):
        refused = house.takes(who, "stud", TakeOver("0" * 64, "0" * 64))
        assert (refused.accepted, refused.cite) == (False, "house rule: who may do what")
    config = Config(data="unused", demo=False)
    assert open_house(house.db, config, house.office) == ["stud"]
    assert house.table("stud").made_by == ()  # the same version has nothing to say
    runs(monkeypatch, OTHER)
    assert open_house(house.db, config, house.office) == ["stud"]
    told = list_significant_events(house.db, limit=1)[0]
    assert (told.what, told.after) == ("other rules or another engine decide from now on", "stud")
    standing = house.another_desk().look("stud")
    assert standing is not None
    assert standing.table.made_by == (rules_hash(), OTHER)
