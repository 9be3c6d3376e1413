"""Finished rounds and significant events: narrated, and searched even among a million."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from evidence_house import BEGAN
from table_play import PRESETS

from pitboss.cli import main
from pitboss.errors import Mistake
from pitboss.house import evidence
from pitboss.house.evidence import export_bundle, find_rounds, list_significant_events, round_record
from pitboss.house.storage.migrations import migrate
from pitboss.house.storage.round_search import RoundFilter, statement
from pitboss.house.storage.sqlite import Sqlite
from pitboss.record.narration import format_line
from pitboss.submission import text_of


def test_the_record_of_a_round_begins_after_the_round_before(
    house: Sqlite, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export_bundle(house, tmp_path / "bundle", ["639a"])
    main(["replay", str(tmp_path / "bundle" / "tables" / "639a.jsonl"), "--format", "json"])
    lines = json.loads(capsys.readouterr().out)["lines"]
    for number in (1, 2, 6):
        record = round_record(house, "639a", number)
        begin = lines.index(f"Round {number}")
        found = [format_line(said) for said in record.sentences()]
        assert found == lines[begin + 1 : begin + 1 + len(found)]
        assert record.found.number == number
        assert record.moments[-1].after.round == number
    assert any("▒▒" in said.text for said in round_record(house, "639a", 1).sentences("bob"))
    with pytest.raises(Mistake, match="no finished round 7 of a table “639a”"):
        round_record(house, "639a", 7)
    house.execute("UPDATE entry SET hash = 'x' WHERE chain = '639a' AND seq = 5")
    with pytest.raises(Mistake, match="Entry 5 of the log “639a” or the one before it was changed"):
        round_record(house, "639a", 1)


def test_significant_events_have_before_and_after(house: Sqlite) -> None:
    found = list_significant_events(house)
    told = {(event.what, event.before, event.after) for event in found}
    assert ("clock", "10", "20") in told
    assert ("the ledger is corrected: a test", "$1.00 in patron/ann", "$1.00 in cage") in told
    assert ("bob is given a post or a password", "", "patron") in told
    assert ("bob is dismissed", "patron", "") in told
    assert ("round 6 is void", "$16.00 wagered", "void under § 639a.13(c)") in told
    won = "$10,000.53 is won off the meter 639a/progressive/main@100 by seat 1"
    assert (won, "the meter shows $10,000.53", "the meter shows $10,000.00") in told
    ((_, before, after),) = [one for one in told if one[0] == "the table 682a is closed"]
    assert before.startswith("four-card-prime, version 1, sha256 ")
    assert after == ""
    assert [event.time for event in found] == sorted((event.time for event in found), reverse=True)
    (amended,) = [event for event in found if event.what.startswith("the ledger")]
    assert (amended.log, amended.actor, amended.second) == ("house", "boss", "ada")
    (void,) = [event for event in found if "void" in event.what]
    assert (void.log, void.actor, void.second) == ("639a", "dana", "flo")
    assert list_significant_events(house, since=void.time, limit=1) == found[:1]
    assert all(event.time >= void.time for event in list_significant_events(house, since=void.time))


def test_superseded_submissions_keep_their_dates(house: Sqlite) -> None:
    found = {one.table: one for one in evidence.submissions(house)}
    assert (found["682a"].since, found["639a"].until) == (BEGAN + 1, None)
    assert (found["682a"].until or 0) > found["682a"].since
    assert found["682a"].text == text_of(PRESETS["682a"])


def test_rounds_are_listed_newest_first(house: Sqlite) -> None:
    everything = find_rounds(house, limit=1000)
    assert len(everything) == house.execute("SELECT COUNT(*) FROM round")[0][0]
    assert [one.ended for one in everything] == sorted((one.ended for one in everything), reverse=True)
    (jackpot,) = find_rounds(house, table="639a", least=10_000_00)
    assert (jackpot.number, jackpot.patrons, jackpot.highest) == (1, ("ann",), 10_010_53)
    assert [one for one in everything if one.is_void] == find_rounds(house, table="639a", since=everything[-1].ended)[
        :1
    ]
    for patron in ("ann", "cy"):
        assert find_rounds(house, patron=patron) == [one for one in everything if patron in one.patrons]
    middle = everything[len(everything) // 2].ended
    assert find_rounds(house, until=middle, limit=3) == [one for one in everything if one.ended <= middle][:3]
    assert find_rounds(house, patron="ann", table="683a") == []


# A million rounds.

TABLES, ROUNDS = 100, 10_000
QUERIES = {
    "all": RoundFilter(),
    "table": RoundFilter(table="table 42"),
    "patron": RoundFilter(patron="patron 77"),
    "time": RoundFilter(since=BEGAN + 5_000_000, until=BEGAN + 5_000_500),
    "until": RoundFilter(until=BEGAN + 3_000_000),
    "rare amount": RoundFilter(least=999_900),
    "common amount": RoundFilter(least=100),
    "amount and table": RoundFilter(table="table 42", least=999_000),
    "amount and patron": RoundFilter(patron="patron 77", least=990_000),
    "common amount and patron": RoundFilter(patron="patron 77", least=100),
    "table and patron": RoundFilter(table="table 42", patron="patron 77"),
    "table and time": RoundFilter(table="table 42", since=BEGAN + 5_000_000, until=BEGAN + 5_900_000),
    "everything": RoundFilter(
        table="table 42", patron="patron 42", since=BEGAN, until=BEGAN + 10**8, least=1_000, most=900_000
    ),
}


@pytest.fixture(scope="module")
def million(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sqlite]:
    """A million rounds; the indexes are made after them, which is faster."""
    db = Sqlite(tmp_path_factory.mktemp("million") / "house.db")
    db.execute("PRAGMA synchronous = OFF")
    migrate(db)
    indexes = db.execute(
        "SELECT name, sql FROM sqlite_master WHERE tbl_name IN ('round', 'played') AND sql LIKE 'CREATE INDEX%'"
    )
    assert len(indexes) == 5
    with db.transaction():
        for name, _ in indexes:
            db.execute(f"DROP INDEX {name}")
        db.execute_many(
            "INSERT INTO round VALUES (?, ?, 1, 1, ?, 1000, ?, 0, '{}')",
            (
                (f"table {table}", number, BEGAN + number * 1000 + table, (table * ROUNDS + number) * 7919 % 1_000_003)
                for table in range(TABLES)
                for number in range(ROUNDS)
            ),
        )
        db.execute(
            "INSERT INTO played SELECT 'patron ' || (ended % 499), ended, chain, number, 1000, 0 FROM round ORDER BY 1, 2"
        )
        for _, sql in indexes:
            db.execute(sql)
    yield db
    db.close()


@pytest.mark.parametrize("what", QUERIES)
def test_no_search_reads_all_of_a_million_rounds(million: Sqlite, what: str) -> None:
    sought = QUERIES[what]
    sql, values = statement(million, sought, 50)
    plan = [row[3] for row in million.execute(f"EXPLAIN QUERY PLAN {sql}", values)]
    reads = [step for step in plan if step.startswith(("SCAN", "SEARCH"))]
    rare = "few" in sql
    for step in reads:
        assert "INDEX" in step or (rare and step == "SCAN x"), plan
    assert rare or "USE TEMP B-TREE FOR ORDER BY" not in plan, plan
    given = {name: getattr(sought, name) for name in RoundFilter.__struct_fields__}
    began = time.perf_counter()
    found = find_rounds(million, **given)
    print(f"{what}: {len(found)} rounds in {(time.perf_counter() - began) * 1000:.1f} ms; {'; '.join(reads)}")  # noqa: T201 (measured)
    assert found or what in ("amount and patron", "everything", "table and patron")
    assert [one.ended for one in found] == sorted((one.ended for one in found), reverse=True)
    for one in found:
        assert sought.table in (None, one.table)
        assert sought.patron is None or sought.patron in one.patrons
        assert (sought.least or 0) <= one.highest <= (sought.most or 10**6)
        assert (sought.since or 0) <= one.ended <= (sought.until or 2**62)
