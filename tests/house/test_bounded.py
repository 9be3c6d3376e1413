"""The amount that one person can make the house store and read again is bounded, however long a round lasts."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from desk_house import STUD, House

from pitboss.house.desk.desk import Desk
from pitboss.house.desk.orders import DealerInput
from pitboss.house.evidence import verify_house
from pitboss.house.floor import catch_up as missing
from pitboss.house.floor.catch_up import entries_since
from pitboss.house.live_table import Settings
from pitboss.house.office.acts import Amend, OpenTable, Suspend
from pitboss.house.office.people import Person, Post
from pitboss.house.storage.connections import Connection, Row
from pitboss.house.storage.dialects import SQLITE
from pitboss.house.storage.migrations import migrate
from pitboss.house.storage.reading import PAGE
from pitboss.house.storage.sqlite import Sqlite
from pitboss.record.chain import decode_entry
from pitboss.submission import text_of
from pitboss.table import Command, Decide, Given, Leave, Report, Role, Sit, Stand, Wager, Withhold
from pitboss.table.commitment import is_valid_opening
from pitboss.web.fairness import open_seen_cards

FLO = Person("flo", Post.FLOORPERSON)
MUCH: dict[str, Any] = {
    "preshuffled": True,
    "depth": 26,
    "counted": 52,
    "light": True,
    "cards": ("Ah",) * 12_000,
}


@pytest.mark.parametrize("command", [Sit(1), Stand(1), Wager(1, {}), Leave(1)])
def test_input_that_a_command_does_not_use_is_not_stored(house: House, command: Command) -> None:
    house.open("stud", automatic=False)
    house.patrons("ann")
    if not isinstance(command, Sit):
        house.seat("stud", ann=1)
    house.send_ok("ann", "stud", command, **MUCH)
    ((body,),) = house.db.execute("SELECT body FROM entry WHERE chain = 'stud' ORDER BY seq DESC LIMIT 1")
    assert len(bytes(body)) < 500
    entry = decode_entry(bytes(body))
    assert (entry.command, entry.given) == (command, Given(actor="ann", role=Role.PLAYER, time=entry.given.time))


def test_refuses_more_than_52_cards_from_a_dealer() -> None:
    def read(*cards: str) -> DealerInput:
        return msgspec.json.decode(msgspec.json.encode({"cards": cards}), type=DealerInput)

    assert len(read(*["10h"] * 52).cards) == 52
    for cards in (["Ah"] * 53, ["the ace of hearts"]):
        with pytest.raises(msgspec.ValidationError, match="length"):
            read(*cards)


@pytest.mark.parametrize("command", [Withhold("x" * 501), Report("wrong-number", device="x" * 501)])
def test_refuses_a_long_text_in_an_order(house: House, command: Command) -> None:
    house.open("stud")
    before = house.dump()
    reply = house.send("flo", "stud", command)
    assert (reply.accepted, reply.why) == (False, "A text may have at most 500 characters.")
    assert house.dump() == before


def test_refuses_a_long_reason_of_an_act(house: House) -> None:
    house.open("stud")
    before = house.dump()
    for act in (Suspend("stud", "progressive", "x" * 501), Amend("house", "cage", 1, "x" * 501)):
        done = house.act(act)
        assert (done.accepted, done.why) == (False, "A reason may have at most 500 characters.")
    assert house.dump() == before
    house.act_ok(Suspend("stud", "progressive", "x" * 500), FLO)


class CountingDatabase(Sqlite):
    """A database that counts the rows it returns."""

    def __init__(self, file: Path) -> None:
        super().__init__(file)
        self.rows: list[int] = []

    def execute(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        rows = super().execute(sql, values)
        self.rows.append(len(rows))
        return rows


def sit_and_stand(house: House, times: int) -> None:
    """Let bob sit down and stand up repeatedly during the round."""
    for _ in range(times):
        orders = [house.order("bob", "stud", Sit(2)), house.order("bob", "stud", Stand(2))]
        assert [reply.accepted for reply in house.desk.carry_out(orders)] == [True, True]


def test_a_restart_reads_a_long_round_page_by_page_and_sends_nothing(sqlite_house: House, tmp_path: Path) -> None:
    house = sqlite_house
    house.open("stud")
    house.patrons("ann", "bob")
    house.seat("stud", ann=1)
    sit_and_stand(house, PAGE // 2 + 10)
    db = CountingDatabase(tmp_path / "house.db")
    desk = Desk(db, source=house.source, now=house.clock)
    assert desk.read_table("stud") == house.live_table("stud")
    assert desk.new_entries == []
    assert max(db.rows) == PAGE < house.live_table("stud").seq
    (reply,) = desk.carry_out([house.order("bob", "stud", Sit(2))])
    assert reply.accepted
    assert [replayed.entry.command for _, replayed in desk.new_entries] == [Sit(2)]
    db.close()


def test_openings_are_found_without_reading_the_whole_round(sqlite_house: House, tmp_path: Path) -> None:
    house = sqlite_house
    house.open("stud")
    house.patrons("ann", "bob")
    house.seat("stud", ann=1)
    sit_and_stand(house, 50)
    house.send_ok("ann", "stud", Wager(1, {"ante": 1000}))
    db = CountingDatabase(tmp_path / "house.db")
    again = Desk(db, source=house.source, now=house.clock).read_table("stud")
    assert again == house.live_table("stud")
    db.rows.clear()
    found = open_seen_cards(db, house.live_table("stud"), "ann")
    assert sum(db.rows) == 2  # the shuffle and the cut
    assert len(found.openings) == 6  # her five, and the dealer's one
    assert all(is_valid_opening(found.root, one) for one in found.openings)
    house.send_ok("ann", "stud", Decide(1, 0))
    assert open_seen_cards(db, house.live_table("stud"), "ann").openings == []
    db.close()


def test_catch_up_sends_nothing_for_a_round_that_is_too_long(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.open("stud")
    house.patrons("ann", "bob")
    house.seat("stud", ann=1)
    sit_and_stand(house, 10)
    live = house.live_table("stud")
    assert [one.entry.seq for one in entries_since(house.db, live, live.seq - 3)] == [
        live.seq - 2,
        live.seq - 1,
        live.seq,
    ]
    monkeypatch.setattr(missing, "MAX_ROUND_ENTRIES", 19)
    assert entries_since(house.db, live, live.seq - 3) == []


def _indexes(db: Connection) -> set[str]:
    sql = "SELECT name FROM sqlite_master" if db.dialect is SQLITE else "SELECT indexname FROM pg_indexes"
    return {name for (name,) in db.execute(sql)}


def test_a_migration_removes_an_unused_index(house: House) -> None:
    """A database without the last migration gets it when it is opened, and verifies."""
    house.open("stud")
    house.patrons("ann")
    house.db.execute("DELETE FROM migration WHERE name = '0004_answers.sql'")
    house.db.execute("CREATE INDEX answered_time ON answered (time)")
    assert migrate(house.db) == ["0004_answers.sql"]
    assert "answered_time" not in _indexes(house.db)
    assert verify_house(house.db).problems == []


@pytest.mark.parametrize("settings", [Settings(betting=10**9), Settings(pause=-1), Settings(rest=3601)])
def test_refuses_table_times_over_an_hour(house: House, settings: Settings) -> None:
    opened = house.act(OpenTable("slow", text_of(STUD), settings))
    assert not opened.accepted
    assert "from 0 to 3600 seconds" in opened.why
