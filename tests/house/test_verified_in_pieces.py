"""Logs read from the database: verified piece by piece like a full audit, and narrated page by page."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from desk_house import House as EitherHouse
from evidence_house import House
from evidence_house import copy_house as copy_of
from evidence_server import hired_house
from tampering import TAMPERED

from pitboss.errors import Mistake
from pitboss.house.evidence import check_log, list_disputes, list_logs, signing_key, verify_house
from pitboss.house.evidence.audit import log_pieces
from pitboss.house.evidence.audit.log_pieces import NextPiece, PieceReport
from pitboss.house.evidence.log_pages import EntryFilter, page
from pitboss.house.office.acts import Note, Suspend
from pitboss.house.storage.logs import chains as read_chains
from pitboss.house.storage.logs import last_finished_entry
from pitboss.house.storage.rounds import round_ending_at
from pitboss.house.storage.sqlite import Sqlite
from pitboss.submission import text_of
from pitboss.table import Decide, Wager


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house with every game, a jackpot, a void, linked meters and three checkpoints; one round is under way."""
    return hired_house(tmp_path_factory.mktemp("house"))


@pytest.fixture
def house_copy(made: Path, tmp_path: Path) -> Iterator[Sqlite]:
    """A copy that a test may change."""
    yield from copy_of(made, tmp_path / "data")


def verify_all(check: Callable[[int, int], PieceReport]) -> list[PieceReport]:
    """A log verified to its end, piece by piece."""
    found: list[PieceReport] = []
    place: NextPiece | None = NextPiece(0, 0)
    while place:
        piece = check(place.since, place.checkpoint)
        found.append(piece)
        assert piece.next is None or (piece.next.since, piece.next.checkpoint) > (place.since, place.checkpoint)
        place = piece.next
    return found


def all_pieces(db: Sqlite, folder: Path) -> dict[str, list[PieceReport]]:
    key = signing_key(folder).public_key()
    return {
        chain: verify_all(lambda since, checkpoint, chain=chain: check_log(db, chain, since, checkpoint, key))  # type: ignore[misc]
        for (chain,) in db.execute("SELECT id FROM chain ORDER BY id")
    }


def problems_of(db: Sqlite, folder: Path) -> list[str]:
    return [problem for found in all_pieces(db, folder).values() for piece in found for problem in piece.problems]


@pytest.mark.parametrize("size", [1, 30, 10_000])
def test_pieces_of_any_size_check_as_much_as_a_full_audit(
    house_copy: Sqlite, made: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(log_pieces, "PIECE_ENTRIES", size)
    monkeypatch.setattr(log_pieces, "PIECE_CHECKPOINTS", 2)
    found, whole = all_pieces(house_copy, made), verify_house(house_copy, signing_key(made).public_key())
    for chain, parts in found.items():
        ends = [piece.last for piece in parts if piece.last >= piece.first]
        assert ends == sorted(set(ends))
        assert (ends[-1], sum(piece.checkpoints for piece in parts)) == (
            last_finished_entry(house_copy, read_chains(house_copy)[chain]),
            3,
        )
        assert not any(piece.problems or piece.followed for piece in parts)
    flat = [piece for parts in found.values() for piece in parts]
    assert sum(piece.rounds for piece in flat) == whole.rounds
    under_way = house_copy.execute(
        "SELECT COUNT(*) FROM posting p WHERE chain <> 'house' AND seq > (SELECT MAX(last) FROM round r WHERE r.chain = p.chain)"
    )[0][0]
    assert under_way > 0
    assert sum(piece.postings for piece in flat) == whole.postings - under_way
    assert (len(flat) > 30) == (size < 30)


WHOLE_HOUSE = {
    "the last entry deleted",
    "the end of a log",
    "what a round under way remembers",
    "a table nobody opened",
    "a posting to another account",
    "a posting of no entry",
    "a balance",
    "two balances",
    "wagers on a table",
    "a balance that is none",
    "a meter",
    "a meter out of balance",
    "a meter and its account",
    "how often a meter moved",
    "the parameters of a meter",
    "a meter invented",
    "a contribution of another table",
    "a move deleted",
    "a round invented",
    "sums of a wager",
    "sums of a wager deleted",
    "a post",
    "somebody dismissed",
    "somebody whom nobody hired",
    "somebody deleted",
    "every checkpoint deleted",
    "the checkpoints of a server deleted",
}
"""What only the audit of the whole house finds: accounts, meters, people and sums as a whole, checkpoints that are not
there, and rounds under way."""


@pytest.mark.parametrize("what", sorted(TAMPERED.keys() - WHOLE_HOUSE))
def test_verification_in_pieces_locates_tampering(
    house_copy: Sqlite, made: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.setattr(log_pieces, "PIECE_ENTRIES", 30)
    monkeypatch.setattr(log_pieces, "PIECE_CHECKPOINTS", 2)
    tamper, expected = TAMPERED[what]
    tamper(house_copy)
    found = problems_of(house_copy, made)
    assert any(expected in problem for problem in found), found


def test_verification_stops_at_a_broken_entry(house_copy: Sqlite, made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_pieces, "PIECE_ENTRIES", 5)
    ((body,),) = house_copy.execute("SELECT body FROM entry WHERE chain = '683a' AND seq = 30")
    house_copy.execute(
        "UPDATE entry SET body = ? WHERE chain = '683a' AND seq = 30", (bytes(body)[:-9] + b" " + body[-8:],)
    )
    parts = all_pieces(house_copy, made)["683a"]
    assert (parts[-1].last, parts[-1].next) == (29, None)
    assert [problem.partition(":")[0] for piece in parts for problem in piece.problems] == ["Log “683a”, entry 30"]


def test_a_suspended_wager_is_not_tampering(tmp_path: Path) -> None:
    house = House(tmp_path / "house.db")
    house.open("639a", "ann", text_of("caribbean-stud-standard"))
    house.act(Suspend("639a", "progressive", "the link failed"))
    assert verify_house(house.db).problems == []
    house.db.execute("UPDATE chain SET settings = '{\"suspended\": []}' WHERE id = '639a'")
    assert verify_house(house.db).problems == ["Log “639a”: its settings do not match the house's log."]
    house.db.close()


def test_a_round_is_found_by_its_entry_numbers(house_copy: Sqlite) -> None:
    for chain, number, first, last in house_copy.execute("SELECT chain, number, first, last FROM round"):
        assert round_ending_at(house_copy, chain, first) == round_ending_at(house_copy, chain, last) == (number, last)
    ((end,),) = house_copy.execute("SELECT MAX(last) FROM round WHERE chain = '639a'")
    assert round_ending_at(house_copy, "639a", end + 1) is None
    assert round_ending_at(house_copy, "nowhere", 1) is None


def test_a_changed_log_is_reported(house_copy: Sqlite) -> None:
    house_copy.execute("UPDATE entry SET hash = 'x' WHERE chain = '639a' AND seq = 5")
    with pytest.raises(Mistake, match="Entry 5 of the log “639a” or the one before it was changed"):
        page(house_copy, "639a", EntryFilter(), 10, None)
    house_copy.execute("UPDATE round SET after = '{}' WHERE chain = '683a' AND number = 1")
    with pytest.raises(Mistake, match="before round 3 is missing or was changed"):
        page(house_copy, "683a", EntryFilter(), 200, None)


def test_evidence_is_the_same_on_both_databases(house: EitherHouse) -> None:
    house.patrons("ann", "bob")
    house.open("639a", decision=0)
    house.seat("639a", ann=1, bob=2)
    for _ in range(3):
        for patron, seat in (("ann", 1), ("bob", 2)):
            house.send_ok(patron, "639a", Wager(seat, {"ante": 1000, "progressive": 100}))
        house.pass_time(30, "639a")
        for patron, seat in (("ann", 1), ("bob", 2)):
            house.send_ok(patron, "639a", Decide(seat, 0))
    assert house.table("639a").round == 3
    house.act_ok(Note("639a", 4, "the patron says he had wagered"))
    log = next(log for log in list_logs(house.db) if log.chain == "639a")
    parts = verify_all(lambda since, checkpoint: check_log(house.db, "639a", since, checkpoint))
    assert [problem for piece in parts for problem in piece.problems] == []
    assert (parts[0].last, sum(piece.rounds for piece in parts)) == (log.entries, 3)
    told = page(house.db, "639a", EntryFilter(kind="Wager", since=house.clock.time - 1000), 200, "")
    assert [one.actor for one in told.entries] == ["ann", "bob"] * 3
    assert [one.text for one in list_disputes(house.db, "639a")] == ["the patron says he had wagered"]
