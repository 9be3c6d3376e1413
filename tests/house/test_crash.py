"""Guarantees 2, 3, 4, 9: the shipped server, killed at random moments of play, loses and repeats nothing."""

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from house_server import TABLES, Floor, Player, Server
from slices import KILLS_ON_POSTGRESQL, KILLS_ON_SQLITE, PART

from pitboss.house.evidence import verify_house
from pitboss.house.storage.connections import Connection
from pitboss.house.storage.postgres import Postgres
from pitboss.house.storage.sqlite import Sqlite
from pitboss.record.chain import decode_entry

Tell = Callable[[str], None]


def test_a_killed_sqlite_server_loses_and_repeats_no_acknowledged_order(tmp_path: Path, tell: Tell) -> None:
    server = Server(tmp_path / "data").start()
    told = asyncio.run(_campaign([server], KILLS_ON_SQLITE, tell))
    assert server.stop() == 0
    _check("SQLite", told, Sqlite(tmp_path / "data" / "house.db"), tell)


def test_killed_postgresql_servers_lose_and_repeat_no_acknowledged_order(
    tmp_path: Path, postgres_url: str, tell: Tell
) -> None:
    """One of two servers at a time that share the database and its tables."""
    servers = [Server(tmp_path / f"{name}/data", "--database", postgres_url) for name in "ab"]
    for server in servers:
        server.data.parent.mkdir()
        server.start()
    told = asyncio.run(_campaign(servers, KILLS_ON_POSTGRESQL, tell))
    assert [server.stop() for server in servers] == [0, 0]
    _check("PostgreSQL", told, Postgres(postgres_url), tell)


class _Campaign:
    """The statistics of a campaign, and the replies its players received."""

    def __init__(self, players: Sequence[Player]) -> None:
        self.players, self.kills, self.began = players, 0, time.monotonic()

    def is_enough(self) -> bool:
        """Whether a round has ended at every table, and more orders were accepted than servers killed."""
        accepted = sum(reply["accepted"] for player in self.players for reply in player.answered.values())
        rounds: dict[str, int] = {}
        for player in self.players:
            rounds[player.table] = max(rounds.get(player.table, 0), player.seen["view"]["round"] if player.seen else 0)
        return min(rounds.values()) > 0 and accepted > self.kills


async def _campaign(servers: Sequence[Server], kills: int, tell: Tell) -> _Campaign:
    """Play at every table through every server, and kill servers repeatedly."""
    patrons = [(seat, name, table) for seat, name in enumerate(("ann", "bob"), 1) for table in TABLES]
    staff = [(0, name, table) for name in ("flo", "fred") for table in TABLES]
    tokens = {name: servers[0].sign_in(name) for name in ("ann", "bob", "flo", "fred")}
    kind: dict[bool, Callable[..., Player]] = {True: Player, False: Floor}
    everybody = [
        kind[seat > 0](servers[number % len(servers)].url, tokens[name], name, table, seat, f"{name} {table}")
        for number, (seat, name, table) in enumerate((*patrons, *staff))
    ]
    told, chance, over = _Campaign(everybody[: len(patrons)]), Random(f"moments {PART}"), False  # noqa: S311 (can be repeated)
    playing = [asyncio.create_task(player.play(lambda: over)) for player in everybody]
    while told.kills < kills:
        await asyncio.sleep(chance.uniform(0.05, 0.8))
        server = chance.choice(servers)
        server.kill()
        told.kills += 1
        await asyncio.to_thread(server.start)
        if told.kills % 50 == 0:
            tell(f"{told.kills:,} of {kills:,} kills, {time.monotonic() - told.began:.0f} s")
    async with asyncio.timeout(600):
        while not told.is_enough():  # noqa: ASYNC110 (the players tell nobody)
            await asyncio.sleep(0.05)
    over = True
    await asyncio.gather(*playing)
    for player in told.players:
        await _close(player)
    return told


async def _close(player: Player) -> None:
    """Repeat the orders that were not answered."""
    left = [key for key in player.asked if key not in player.answered]
    async with player.connected() as line:
        for key in left:
            await line.send(json.dumps(player.asked[key]))
        while any(key not in player.answered for key in left):
            message = json.loads(await asyncio.wait_for(line.recv(), 10))
            if message["type"] == "reply":
                player.answered[message["key"]] = message


def _check(name: str, told: _Campaign, db: Connection, tell: Tell) -> None:
    """Every accepted key is one entry, every table has gone on, and all money is there."""
    accepted = {key for player in told.players for key, reply in player.answered.items() if reply["accepted"]}
    entries = [decode_entry(bytes(body)) for (body,) in db.execute("SELECT body FROM entry WHERE chain != 'house'")]
    by_patrons = [entry for entry in entries if entry.given.role == "player"]
    rows = db.execute("SELECT key, reply FROM answered WHERE person IN ('ann', 'bob')")
    kept = {key for key, reply in rows if json.loads(bytes(reply))["accepted"]}
    rounds: dict[str, int] = dict(db.execute("SELECT chain, COUNT(*) FROM round GROUP BY chain"))
    tell(
        f"{name}: killed {told.kills} times under play, {len(accepted):,} orders accepted, "
        f"{len(accepted - kept)} lost, {len(by_patrons) - len(accepted)} doubled, "
        f"{sum(rounds.values()):,} rounds, {time.monotonic() - told.began:.0f} s"
    )
    assert accepted <= kept
    assert len(by_patrons) == len(accepted) == len(kept)
    assert rounds.keys() == set(TABLES)
    assert len(accepted) > told.kills, "there was play between the kills"
    assert verify_house(db).problems == []
    db.close()
