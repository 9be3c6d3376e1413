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


def set_engine(monkeypatch: pytest.MonkeyPatch, engine: str) -> None:
    """Pretend that another version of the engine runs from now on."""
    monkeypatch.setattr("pitboss.source_hashes.engine_hash", lambda: engine)


def play_round(house: House, table: str, *, decides: bool = True) -> None:
    """Ann folds a round at a table, or stops at her decision."""
    house.source.stack(dealt_one_by_one("3c 6h 8h Tc Qd", NOTHING))
    house.send_ok("flo", table, Reshuffle())
    house.send_ok("ann", table, Wager(1, {"ante": 1000}))
    assert house.table(table).due.do is Do.ASK
    if decides:
        house.send_ok("ann", table, Decide(1, 0))


def open_tables(house: House) -> None:
    house.patrons("ann")
    house.open("stud")
    house.seat("stud", ann=1)


def restart(house: House) -> list[str]:
    """Start a server of the current version; return the tables it takes over."""
    house.desk.live_tables.clear()
    return house.desk.take_over(["stud"])


def test_entries_after_a_start_with_another_engine_are_decided_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_tables(house)
    play_round(house, "stud")
    before = house.live_table("stud").seq
    set_engine(monkeypatch, OTHER)
    assert restart(house) == ["stud"]
    assert house.table("stud").made_by == (rules_hash(), OTHER)
    assert restart(house) == []  # once is enough
    play_round(house, "stud")
    found = verify_house(house.db)
    assert found.problems == []
    assert (found.followed, found.followed_entries) == (["stud"], {"stud": [(1, before)]})
    set_engine(monkeypatch, engine_hash())  # the version of the first part decides only that part again
    found = verify_house(house.db)
    assert found.problems == []
    assert found.followed_entries == {"stud": [(before + 1, house.live_table("stud").seq)]}


def test_the_rest_of_a_round_that_was_taken_over_is_decided_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_tables(house)
    play_round(house, "stud", decides=False)
    before = house.live_table("stud").seq
    set_engine(monkeypatch, OTHER)
    assert restart(house) == ["stud"]
    house.send_ok("ann", "stud", Decide(1, 0))
    assert house.table("stud").round == 1
    assert house.table("stud").made_by == (rules_hash(), OTHER)  # also in the state stored after the round
    assert verify_house(house.db).followed_entries == {"stud": [(1, before)]}


def test_a_piece_after_the_start_is_decided_again_completely(
    sqlite_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = sqlite_house
    open_tables(house)
    set_engine(monkeypatch, OTHER)
    restart(house)
    play_round(house, "stud")
    ((end,),) = house.db.execute("SELECT last FROM round WHERE chain = 'stud'")
    play_round(house, "stud")
    assert check_log(house.db, "stud").followed
    piece = check_log(house.db, "stud", end)
    assert (piece.problems, piece.followed, piece.rounds) == ([], False, 1)


def test_only_open_tables_with_another_engine_are_taken_over_and_only_by_the_house(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_tables(house)
    house.open("closed")
    house.act_ok(CloseTable("closed"))
    for who in ("ann", "flo", "dealer"):
        refused = house.send(who, "stud", TakeOver("0" * 64, "0" * 64))
        assert (refused.accepted, refused.cite) == (False, "house rule: who may do what")
    config = Config(data="unused", demo=False)
    assert open_house(house.db, config, house.office) == ["stud"]
    assert house.table("stud").made_by == ()  # the same version writes no line
    set_engine(monkeypatch, OTHER)
    assert open_house(house.db, config, house.office) == ["stud"]
    told = list_significant_events(house.db, limit=1)[0]
    assert (told.what, told.after) == ("other rules or another engine decide from now on", "stud")
    live = house.another_desk().read_table("stud")
    assert live is not None
    assert live.table.made_by == (rules_hash(), OTHER)
