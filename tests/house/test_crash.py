"""Guarantees 2, 3, 4, 9: the shipped server, killed under play at random moments, loses nothing and doubles nothing."""

import asyncio
import json
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import pytest
from house_server import TABLES, Floor, Player, Server

from pitboss.house.driver import Connection, Sqlite
from pitboss.house.evidence import verify
from pitboss.house.postgres import Postgres
from pitboss.record.chain import entry_of

KILLS = int(os.environ.get("PITBOSS_KILLS", "0"))
"""For a longer run: `make soak`."""


def test_on_sqlite_killed_under_play_nothing_acknowledged_is_lost_or_doubled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """At least 50 kills of the one server."""
    server = Server(tmp_path / "data").start()
    told = asyncio.run(_campaign([server], KILLS or 50, capsys))
    assert server.stop() == 0
    _checked("SQLite", told, Sqlite(tmp_path / "data" / "house.db"), capsys)


def test_on_postgresql_killed_under_play_nothing_acknowledged_is_lost_or_doubled(
    tmp_path: Path, postgres_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """At least 10 kills, of one of two servers at a time that share the database and its tables."""
    servers = [Server(tmp_path / f"{name}/data", "--database", postgres_url) for name in "ab"]
    for server in servers:
        server.data.parent.mkdir()
        server.start()
    told = asyncio.run(_campaign(servers, KILLS or 10, capsys))
    assert [server.stop() for server in servers] == [0, 0]
    _checked("PostgreSQL", told, Postgres(postgres_url), capsys)


class _Told:
    """What a campaign did, and what its players were told."""

    def __init__(self, players: Sequence[Player]) -> None:
        self.players, self.kills, self.began = players, 0, time.monotonic()


async def _campaign(servers: Sequence[Server], kills: int, capsys: pytest.CaptureFixture[str]) -> _Told:
    """Play at every table through every server, and kill one of them again and again."""
    patrons = [(seat, name, table) for seat, name in enumerate(("ann", "bob"), 1) for table in TABLES]
    staff = [(0, name, table) for name in ("flo", "fred") for table in TABLES]
    tokens = {name: servers[0].sign_in(name) for name in ("ann", "bob", "flo", "fred")}
    kind: dict[bool, Callable[..., Player]] = {True: Player, False: Floor}
    everybody = [
        kind[seat > 0](servers[number % len(servers)].url, tokens[name], name, table, seat, f"{name} {table}")
        for number, (seat, name, table) in enumerate((*patrons, *staff))
    ]
    told, chance, over = _Told(everybody[: len(patrons)]), Random("moments"), False  # noqa: S311 (can be repeated)
    playing = [asyncio.create_task(player.play(lambda: over)) for player in everybody]
    while told.kills < kills:
        await asyncio.sleep(chance.uniform(0.05, 0.8))
        server = chance.choice(servers)
        server.kill()
        told.kills += 1
        await asyncio.to_thread(server.start)
        if told.kills % 50 == 0:
            _say(f"{told.kills:,} of {kills:,} kills, {time.monotonic() - told.began:.0f} s", capsys)
    await asyncio.sleep(2)
    over = True
    await asyncio.gather(*playing)
    for player in told.players:
        await _closed(player)
    return told


def _say(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print(f"\n{words}", end="", flush=True)  # noqa: T201


async def _closed(player: Player) -> None:
    """Ask once more for what was asked and not answered."""
    left = [key for key in player.asked if key not in player.answered]
    async with player.connected() as line:
        for key in left:
            await line.send(json.dumps(player.asked[key]))
        while any(key not in player.answered for key in left):
            message = json.loads(await asyncio.wait_for(line.recv(), 10))
            if message["type"] == "reply":
                player.answered[message["key"]] = message


def _checked(name: str, told: _Told, db: Connection, capsys: pytest.CaptureFixture[str]) -> None:
    """Every accepted key is one entry, every table has gone on, and all money is there."""
    accepted = {key for player in told.players for key, reply in player.answered.items() if reply["accepted"]}
    entries = [entry_of(bytes(body)) for (body,) in db.execute("SELECT body FROM entry WHERE chain != 'house'")]
    by_patrons = [entry for entry in entries if entry.given.role == "player"]
    rows = db.execute("SELECT key, reply FROM answered WHERE person IN ('ann', 'bob')")
    kept = {key for key, reply in rows if json.loads(bytes(reply))["accepted"]}
    rounds: dict[str, int] = dict(db.execute("SELECT chain, COUNT(*) FROM round GROUP BY chain"))
    _say(
        f"{name}: killed {told.kills} times under play, {len(accepted):,} orders accepted, "
        f"{len(accepted - kept)} lost, {len(by_patrons) - len(accepted)} doubled, "
        f"{sum(rounds.values()):,} rounds, {time.monotonic() - told.began:.0f} s",
        capsys,
    )
    assert accepted <= kept
    assert len(by_patrons) == len(accepted) == len(kept)
    assert rounds.keys() == set(TABLES)
    assert len(accepted) > told.kills, "there was play between the kills"
    assert verify(db).problems == []
    db.close()
