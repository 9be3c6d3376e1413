"""Guarantees 2, 3, 4 and 9: the shipped server, killed under play at random moments, loses nothing and doubles nothing."""

import asyncio
import os
import time
from pathlib import Path
from random import Random

import pytest
from house_server import TABLES, Floor, Player, Server

from pitboss.house.driver import Sqlite
from pitboss.record.chain import entry_of

CYCLES = int(os.environ.get("PITBOSS_KILLS", "50"))


def test_killed_under_play_nothing_acknowledged_is_lost_or_doubled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """At least 50 kills; every accepted key is one entry, and every table goes on where it was."""
    begun = time.monotonic()
    server = Server(tmp_path / "data").start()
    players = [
        Player(server.url, server.sign_in(name), name, table, seat, f"{name} {table}")
        for seat, name in enumerate(("ann", "bob"), 1)
        for table in TABLES
    ]
    floor = [
        Floor(server.url, server.sign_in(name), name, table, 0, name) for name in ("flo", "fred") for table in TABLES
    ]
    kills, chance = 0, Random("moments")  # noqa: S311 (a test that can be repeated)

    async def campaign() -> None:
        nonlocal kills
        over = False
        playing = [asyncio.create_task(player.play(lambda: over)) for player in (*players, *floor)]
        while kills < CYCLES:
            await asyncio.sleep(chance.uniform(0.05, 0.8))
            server.kill()
            kills += 1
            await asyncio.to_thread(server.start)
        await asyncio.sleep(2)
        over = True
        await asyncio.gather(*playing)
        for player in players:  # what is still open is asked for once more
            await _closed(player)

    asyncio.run(campaign())
    assert server.stop() == 0
    accepted = {key for player in players for key, reply in player.answered.items() if reply["accepted"]}
    db = Sqlite(tmp_path / "data" / "house.db")
    entries = [entry_of(bytes(body)) for (body,) in db.execute("SELECT body FROM entry WHERE chain != 'house'")]
    by_patrons = [entry for entry in entries if entry.given.role == "player"]
    kept = {
        key
        for (key,) in db.execute(
            "SELECT key FROM answered WHERE CAST(reply AS TEXT) LIKE '%true%' AND person IN ('ann', 'bob')"
        )
    }
    rounds = db.execute("SELECT COUNT(*) FROM round")[0][0]
    with capsys.disabled():
        print(  # noqa: T201
            f"\nkilled {kills} times under play: {len(accepted)} orders accepted, {len(accepted - kept)} lost, "
            f"{len(by_patrons) - len(accepted)} doubled, {rounds} rounds, {time.monotonic() - begun:.0f} s"
        )
    assert kills >= CYCLES
    assert accepted <= kept
    assert len(by_patrons) == len(accepted) == len(kept)
    assert rounds > kills
    assert db.execute("SELECT SUM(balance) FROM account")[0][0] == 0
    assert {table for (table,) in db.execute("SELECT DISTINCT chain FROM round")} == set(TABLES)


async def _closed(player: Player) -> None:
    """Have everything that was asked and not answered answered."""
    import json  # noqa: PLC0415

    left = [key for key in player.asked if key not in player.answered]
    async with player.connected() as line:
        for key in left:
            await line.send(json.dumps(player.asked[key]))
        while any(key not in player.answered for key in left):
            message = json.loads(await asyncio.wait_for(line.recv(), 10))
            if message["type"] == "reply":
                player.answered[message["key"]] = message
