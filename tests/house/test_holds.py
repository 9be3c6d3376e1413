"""Theoretical against actual hold: sums over rounds, from play on the real server, and exact theory."""

import asyncio
from collections.abc import Mapping
from fractions import Fraction
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

import pytest
from desk_house import CAJUN, PRIME, STUD, House
from house_server import TABLES, Floor, Player, Server

from pitboss.exact.payout_limits import edges_under_limit
from pitboss.games import Line
from pitboss.house.evidence import verify_house
from pitboss.house.hold.actual_hold import TableTotals, WagerHold, compare_with_theory
from pitboss.house.hold.backfill import backfill_totals
from pitboss.house.hold.wager_totals import WagerTotal, read_totals, round_totals, sum_totals
from pitboss.house.storage.connections import Connection
from pitboss.house.storage.sqlite import Sqlite
from pitboss.record.chain import decode_entry
from pitboss.rulebook import rulebook
from pitboss.submission import load, text_of
from pitboss.submission.terms import readings_of
from pitboss.table import Acknowledge, Decide, Document, Report, Wager, events
from pitboss.table.box_settlement import undocumented_boxes
from pitboss.table.steps import next_to_decide

WITH_ANTE = {"bet", "raise", "raise-1", "raise-2", "raise-3", "win-bonus", "bad-beat-bonus"}
"""Wagers that the hold counts with the Ante: later raises, and bonuses on the Ante that depend on the result."""
SIDES: dict[str, tuple[str, ...]] = {
    "caribbean-stud": ("bonus", "progressive", "five-card-hand-player", "five-card-hand-dealer"),
    "four-card-prime": ("prime", "aces-bonus", "all-six"),
    "cajun-stud": ("pocket-bonus", "board-bonus", "lo-ball", "all-six"),
}
Recorded = dict[tuple[str, int], list[int]]
"""By wager and initial stake: number of rounds, total wagered, and the house's win."""


def recorded_sums(db: Connection, chain: str) -> Recorded:
    """Sum the wagers and settlements of finished rounds, from their records alone."""
    sums: Recorded = {}
    wagers: dict[int, Mapping[str, int]] = {}
    lines: dict[int, tuple[Line, ...]] = {}
    for (body,) in db.execute("SELECT body FROM entry WHERE chain = ? ORDER BY seq", (chain,)):
        for event in decode_entry(bytes(body)).events:
            match event:
                case events.Wagered(seat, _, made):
                    wagers[seat] = made
                case events.Settled(seat, settled):
                    lines[seat] = settled
                case events.Added(seat, more):
                    lines[seat] += more
                case events.Cleared():
                    for seat, settled in lines.items():
                        _add(sums, wagers[seat], settled)
                    wagers, lines = {}, {}
                case _:
                    pass
    return sums


def _add(sums: Recorded, made: Mapping[str, int], lines: tuple[Line, ...]) -> None:
    named = [("ante" if line.wager in WITH_ANTE else line.wager, line) for line in lines]
    for name in {name for name, _ in named}:
        of = [line for one, line in named if one == name]
        total = sums.setdefault((name, made.get(name, 0)), [0, 0, 0])
        total[0] += 1
        total[1] += sum(line.stake for line in of)
        total[2] -= sum(line.returned + line.pays - line.stake for line in of)


# On the real server.


class EveryWager(Player):
    """Plays every wager, at different amounts."""

    def next(self) -> dict[str, Any] | None:
        command = super().next()
        if command and command["type"] == "Wager":
            command["wagers"] |= {side: self.chance.choice((100, 500)) for side in SIDES[self.table]}
        return command


async def _play_on_server(server: Server, rounds: int) -> None:
    patrons = [(seat, name, table) for seat, name in enumerate(("ann", "bob"), 1) for table in TABLES]
    tokens = {name: server.session(name) for name in ("ann", "bob", "flo", "fred")}
    playing = [
        EveryWager(server.url, tokens[name], name, table, seat, f"{name} {table}") for seat, name, table in patrons
    ]
    staff = [
        Floor(server.url, tokens[name], name, table, 0, f"{name} {table}")
        for name in ("flo", "fred")
        for table in TABLES
    ]

    def enough() -> bool:
        return all(player.seen and player.seen["view"]["round"] >= rounds for player in playing)

    await asyncio.gather(*(player.play(enough) for player in (*playing, *staff)))


def _stable_holds(server: Server, db: Connection, token: str) -> tuple[Any, dict[str, Recorded]]:
    """The holds, and the sums of the records, at one moment: the last round may just have been finished."""
    for _ in range(100):
        before = {table: recorded_sums(db, table) for table in TABLES}
        status, answer = server.request("GET", "/api/holds", token=token)
        assert status == 200, answer
        if before == {table: recorded_sums(db, table) for table in TABLES}:
            return answer, before
    raise AssertionError("it goes on by itself")


def test_holds_equal_the_sums_of_the_round_records(tmp_path: Path) -> None:
    server = Server(tmp_path / "data").start()
    try:
        asyncio.run(_play_on_server(server, 12))
        db = Sqlite(tmp_path / "data" / "house.db", read_only=True)
        holds, sums = _stable_holds(server, db, server.session("ada"))
        assert [one["table"] for one in holds["tables"]] == sorted(TABLES)
        for one in holds["tables"]:
            _compare(one, sums[one["table"]])
    finally:
        assert server.stop() == 0
    found = verify_house(db)
    assert found.problems == []
    db.close()


def _compare(table: dict[str, Any], sums: Recorded) -> None:
    wagers = {one["wager"]: one for one in table["wagers"]}
    assert wagers.keys() == {name for name, _ in sums}
    assert {"ante", *SIDES[table["table"]]} <= wagers.keys()
    for name, one in wagers.items():
        parts = {stake: amounts for (wager, stake), amounts in sums.items() if wager == name}
        initial = sum(stake * boxes for stake, (boxes, _, _) in parts.items())
        boxes, handle, win = (sum(amounts[part] for amounts in parts.values()) for part in range(3))
        assert (one["boxes"], one["initial"], one["handle"], one["win"]) == (boxes, initial, handle, win), name
        if initial:
            assert Fraction(one["actual"]["exact"]) == Fraction(win, initial)
            assert Fraction(one["actual_hold"]["exact"]) == Fraction(win, handle)
            edge = Fraction(one["theoretical"]["exact"])
            assert Fraction(one["theoretical_win"]["exact"]) * 100 == edge * initial
            inside = one["band95"]["low"] <= win / initial <= one["band95"]["high"]
            assert (one["place"] == "inside") == inside
            assert one["band99"]["low"] < one["band95"]["low"] < one["theoretical"]["number"]
    assert table["rounds"] >= 12
    assert (table["handle"], table["win"]) == tuple(sum(amounts[part] for amounts in sums.values()) for part in (1, 2))
    if table["game"] == "caribbean-stud":  # the published total loss; tests/exact/test_base.py
        edge = Fraction(wagers["ante"]["theoretical"]["exact"])
        assert edge == Fraction(1_041_372_912_372, 19_933_230_517_200)


# On both databases.


def _play_round(house: House, table: str, chance: Random, wagers: Mapping[str, int]) -> None:
    """Play a round to its end: bets, decisions, and the floorperson's steps."""
    number = house.table(table).round
    for seat, name in ((1, "ann"), (2, "bob")):
        house.send_ok(name, table, Wager(seat, {**wagers, "ante": chance.choice((500, 1000))}))
    house.pass_time(30, table)
    while (now := house.table(table)).round == number:
        if box := next_to_decide(now):
            multiple = chance.choice((0, *now.rules.terms.game.decisions[0].multiples))
            house.send_ok(box.patron, table, Decide(box.seat, multiple))
        elif left := undocumented_boxes(now):
            house.send_ok("flo", table, Document(left[0].seat))
        elif any(box.claimed for box in now.boxes.values()):
            house.send_ok("flo", table, Acknowledge(), light=True)
        else:
            house.pass_time(30, table)


@pytest.fixture
def played_house(house: House) -> House:
    chance = Random("holds")  # noqa: S311 (a test that can be repeated)
    house.patrons("ann", "bob")
    for table, preset in (("stud", STUD), ("prime", PRIME), ("cajun", CAJUN)):
        sides = {"stud": {"bonus": 100, "progressive": 100}, "prime": {"prime": 200, "all-six": 100}}
        house.open(table, preset, betting=1)
        house.seat(table, ann=1, bob=2)
        for _ in range(8):
            _play_round(house, table, chance, sides.get(table, {"lo-ball": 300, "pocket-bonus": 100}))
    return house


def test_stored_sums_can_be_recounted_from_the_rounds(played_house: House) -> None:
    kept = {table: read_totals(played_house.db, table) for table in ("stud", "prime", "cajun")}
    for table, held in kept.items():
        found = {(one.wager, one.stake): [one.boxes, one.wagered, one.won] for one in held}
        assert found == recorded_sums(played_house.db, table)
        assert sum(one.boxes for one in held if one.wager == "ante") == 16
        ((net,),) = played_house.db.execute("SELECT SUM(net) FROM played WHERE chain = ?", (table,))
        assert sum(one.won for one in held) == -net
    with played_house.db.transaction():
        played_house.db.execute("DELETE FROM held")
    assert verify_house(played_house.db).problems  # as in a house without sums
    backfill_totals(played_house.db)
    assert {table: read_totals(played_house.db, table) for table in kept} == kept
    assert verify_house(played_house.db).problems == []
    backfill_totals(played_house.db)  # existing sums stay
    assert {table: read_totals(played_house.db, table) for table in kept} == kept


def test_639a_13_c_void_rounds_do_not_count(sqlite_house: House) -> None:
    house = sqlite_house
    house.patrons("ann", "bob")
    house.open("stud", STUD, betting=1)
    house.seat("stud", ann=1, bob=2)
    for seat, name in ((1, "ann"), (2, "bob")):
        house.send_ok(name, "stud", Wager(seat, {"ante": 1000, "bonus": 100}))
    house.pass_time(30, "stud")
    house.send_ok("dealer", "stud", Report("wrong-number", seat=1, cards=6))
    before = round_totals(house.table("stud"))
    house.send_ok("flo", "stud", Acknowledge(), light=True)
    house.pass_time(30, "stud")
    assert house.table("stud").round == 1
    kept = read_totals(house.db, "stud")
    assert kept == before
    assert [one for one in kept if one.wager == "ante"] == []
    rows = house.db.execute("SELECT is_void FROM round")
    assert rows == [(1,)]
    assert verify_house(house.db).problems == []


# Theory.


def hold_of(preset: str, *held: WagerTotal) -> dict[str, WagerHold]:
    found = compare_with_theory([TableTotals("t", text_of(preset), 1, tuple(held))])
    return {one.wager: one for one in found.tables[0].wagers}


N, ANTE = 10_000, 10_00
EDGE, DEVIATION = 1_041_372_912_372 / 19_933_230_517_200, 2.242950
"""Of Caribbean Stud, as published and as stated in tests/exact/test_base.py."""


@pytest.mark.parametrize(
    ("off", "place"),
    [(0, "inside"), (0.043, "inside"), (-0.043, "inside"), (0.045, "outside 95 %"), (-0.057, "outside 95 %"),
     (0.059, "outside 99 %"), (-0.059, "outside 99 %")],
)  # fmt: skip
def test_the_band_is_the_exact_deviation_over_the_root_of_the_rounds(off: float, place: str) -> None:
    won = round(N * ANTE * (EDGE + off))
    one = hold_of(STUD, WagerTotal("ante", ANTE, N, 2 * N * ANTE, won))["ante"]
    assert one.band95
    assert one.band99
    for band, z in ((one.band95, 1.959964), (one.band99, 2.575829)):
        assert band.high - EDGE == pytest.approx(z * DEVIATION / sqrt(N), rel=1e-5)
        assert EDGE - band.low == pytest.approx(z * DEVIATION / sqrt(N), rel=1e-5)
    assert one.place == place
    assert not one.rough


def test_few_rounds_give_a_wide_band_marked_as_rough() -> None:
    few, many = (hold_of(STUD, WagerTotal("ante", ANTE, n, 2 * n * ANTE, 0))["ante"] for n in (5, 500))
    assert (few.rough, many.rough) == (True, False)
    assert few.band95
    assert many.band95
    assert few.band95.high - few.band95.low == pytest.approx(10 * (many.band95.high - many.band95.low))


def test_large_wagers_widen_the_band() -> None:
    """The variance of the sum is that of one unit times the squares of the amounts."""
    one = hold_of(STUD, WagerTotal("ante", 100, 900, 0, 0), WagerTotal("ante", 10_000, 9, 0, 0))["ante"]
    assert one.band95
    squares, initial = 900 * 100**2 + 9 * 10_000**2, 900 * 100 + 9 * 10_000
    assert one.band95.high - EDGE == pytest.approx(1.959964 * DEVIATION * sqrt(squares) / initial, rel=1e-5)


def test_683a_12_f_the_theoretical_hold_includes_the_payout_limit_per_amount() -> None:
    rack = load("cajun-stud-rack-card")
    amounts = [500, 1_000_00]
    readings = rulebook().options(readings_of(rack))
    edges = [one.house_edge for one in edges_under_limit("cajun-stud", "ante", "B", readings, 50_000_00, amounts)]
    assert edges[0] < edges[1]
    one = hold_of("cajun-stud-rack-card", *(WagerTotal("ante", amount, 10, 0, 0) for amount in amounts))["ante"]
    assert one.theoretical_win
    expected = sum(10 * amount * edge for amount, edge in zip(amounts, edges, strict=True))
    assert Fraction(one.theoretical_win.exact) * 100 == expected


def test_the_theoretical_hold_counts_increments_as_paid() -> None:
    """639a.12(d)(4), Paytable A: fixed pays, 53 % of each dollar, and $10,000 after each of 4 in 2,598,960 hands."""
    held = (WagerTotal("progressive", 100, 1000, 100_000, 0), WagerTotal("envy-bonus", 0, 2, 0, -2_000_00))
    found = hold_of(STUD, *held)
    fixed, onto = 1 - Fraction(963_320, 2_598_960), Fraction(53, 100) + Fraction(40_000, 2_598_960)
    one = found["progressive"]
    assert one.theoretical
    assert Fraction(one.theoretical.exact) == 1 - fixed - onto
    assert one.rough  # a royal flush is too rare for any band after a thousand hands
    envy = found["envy-bonus"]
    assert (envy.theoretical, envy.band95, envy.place, envy.win) == (None, None, "nothing wagered", -2_000_00)


def test_rows_of_the_same_wager_and_amount_are_added() -> None:
    made = [
        WagerTotal("a", 5, 1, 5, -5),
        WagerTotal("b", 5, 1, 5, 5),
        WagerTotal("a", 5, 2, 10, 1),
        WagerTotal("a", 10, 1, 10, 0),
    ]
    assert sum_totals(made) == [
        WagerTotal("a", 5, 3, 15, -4),
        WagerTotal("a", 10, 1, 10, 0),
        WagerTotal("b", 5, 1, 5, 5),
    ]
