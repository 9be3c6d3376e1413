"""Guarantee 4: when the database fails, no order is taken until somebody has looked, and nothing half done is left."""

import asyncio
import time
from pathlib import Path

import pytest

from pitboss.house.acts import BuyIn, Hire, OpenTable
from pitboss.house.driver import Broken, Sqlite, migrate
from pitboss.house.evidence import verify
from pitboss.house.office import Office, opened
from pitboss.house.orders import Order
from pitboss.house.people import Person, Post
from pitboss.house.pit import Pit
from pitboss.submission import text_of
from pitboss.table import Decide, Role, Sit, Wager

BOSS = Person("boss", Post.OPERATOR)


class Full(Sqlite):
    """A database on a disk that is soon full."""

    def __init__(self, file: Path) -> None:
        super().__init__(file)
        pages = int(self.execute("PRAGMA page_count")[0][0])
        self.execute(f"PRAGMA max_page_count = {pages + 12}")


def test_a_full_disk_stops_the_house_and_breaks_nothing(tmp_path: Path) -> None:
    file = tmp_path / "house.db"
    db = Sqlite(file)
    migrate(db)
    with db.transaction():
        opened(db)
    office = Office(db, time.time)
    office.do(BOSS, OpenTable("t", text_of("caribbean-stud-standard")), "open")
    office.do(BOSS, Hire("ann", Post.PATRON, "none"), "hire")
    office.do(BOSS, BuyIn("ann", 1_000_000_00), "buy")
    db.close()

    async def played() -> tuple[int, str]:
        pit = Pit(lambda: Full(file), lambda: Sqlite(file, read_only=True))
        number, accepted = 0, 0

        async def order(command: Sit | Wager | Decide) -> None:
            nonlocal number, accepted
            number += 1
            reply = await pit.order(Order(person="ann", role=Role.PLAYER, key=f"{number}", chain="t", command=command))
            accepted += reply.accepted

        async def rounds() -> None:
            for _ in range(500):
                await order(Wager(1, {"ante": 1000}))
                await order(Decide(1, 2))

        await order(Sit(1))
        with pytest.raises(Broken):
            await rounds()
        halted, before = pit.halted, accepted
        with pytest.raises(Broken, match="full"):
            await order(Wager(1, {"ante": 1000}))
        assert accepted == before
        await pit.stop()
        return accepted, halted

    accepted, halted = asyncio.run(played())
    assert "full" in halted
    assert accepted > 3
    left = Sqlite(file)
    answered = left.execute("SELECT COUNT(*) FROM answered WHERE person = 'ann'")[0][0]
    assert answered == accepted  # the order that failed left nothing, not even its answer
    assert verify(left).problems == []
    left.close()
