"""Slips: a number for each fill, credit, jackpot and dispute, given out once; papers with both names; and the audit."""

import io
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
from crowd import NOTHING, ROYAL, royal
from desk_house import BOSS, House, dealt_one_by_one
from pypdf import PdfReader

from pitboss.errors import Mistake
from pitboss.house.evidence import SlipPaper, find_slips, slip_paper, verify_house
from pitboss.house.office.acts import Approve, Credit, Fill, Note
from pitboss.house.office.house_log import append_entry, decode_house_entry
from pitboss.house.office.office import ActResult, Office
from pitboss.house.office.people import Person, Post
from pitboss.house.office.slips import SlipKind, table_slip
from pitboss.house.storage.connections import Connection
from pitboss.house.storage.logs import HOUSE, entries
from pitboss.house.storage.unit_of_work import UnitOfWork
from pitboss.report.papers import render_pdf
from pitboss.table import Acknowledge, Decide, Document, Report, Reshuffle, Wager, Withhold

FLO = Person("flo", Post.FLOORPERSON)
WRITERS, EACH = 4, 6


def words_of(paper: SlipPaper) -> str:
    """The text of a slip, as it is read off the PDF."""
    pages = PdfReader(io.BytesIO(render_pdf("slip", paper))).pages
    return " ".join(" ".join(page.extract_text().split()) for page in pages)


def move_chips(house: House, act: Fill | Credit) -> ActResult:
    """One person asks to move chips, and another approves."""
    return house.act_ok(Approve(house.act_ok(act, FLO).waiting))


def test_fills_credits_and_disputes_have_separate_numbers(house: House) -> None:
    house.open("stud")
    taken = [
        move_chips(house, Fill("stud", 5_000_00)),
        move_chips(house, Fill("stud", 100_00)),
        move_chips(house, Credit("stud", 50_00)),
        house.act_ok(Note("stud", 1, "A card was exposed."), FLO),
    ]
    assert [done.slip for done in taken] == ["F-000001", "F-000002", "C-000001", "D-000001"]
    found = find_slips(house.db)
    assert [one.slip for one in found] == [done.slip for done in taken[::-1]]
    assert [(one.by, one.second, one.amount) for one in found[1:]] == [
        ("flo", "boss", 50_00),
        ("flo", "boss", 100_00),
        ("flo", "boss", 5_000_00),
    ]
    assert [one.slip for one in find_slips(house.db, kind="fill", limit=1)] == ["F-000002"]
    assert find_slips(house.db, table="prime") == []
    assert verify_house(house.db).problems == []


def test_a_refused_act_uses_no_number(house: House) -> None:
    house.open("stud")
    move_chips(house, Fill("stud", 100_00))
    waits = house.act_ok(Credit("stud", 100_01), FLO).waiting
    assert not house.act(Approve(waits)).accepted  # the inventory holds less
    assert not house.act(Note("stud", 7, "There is no such round."), FLO).accepted
    assert move_chips(house, Credit("stud", 1_00)).slip == "C-000001"
    assert house.act_ok(Note("stud", 1, "A card was exposed."), FLO).slip == "D-000001"


def test_the_same_key_gets_the_same_slip(house: House) -> None:
    house.open("stud")
    note = Note("stud", 1, "A card was exposed.")
    assert {house.act(note, FLO, "twice").slip for _ in range(2)} == {"D-000001"}
    assert len(find_slips(house.db)) == 1


@pytest.mark.proves("639a.11(c)(5)(iv)")
def test_a_jackpot_has_a_slip_with_both_names_before_its_hand_is_cleared(house: House) -> None:
    """The slip exists while the hand is still on the table; its amount is the meter's payout."""
    house.patrons("ann")
    royal(house)
    assert house.send_ok("flo", "stud", Acknowledge(), light=True).slip == ""  # one person alone has paid nothing yet
    assert house.send_ok("floyd", "stud", Acknowledge(), light=True).slip == "J-000001"
    assert not house.table("stud").boxes[1].documented
    paper = slip_paper(house.db, "J-000001")
    words = words_of(paper)
    for expected in (
        "Jackpot payout slip",
        "J-000001",
        "Table stud, Caribbean Stud Poker",
        "Round 1",
        "ann, seat 1",
        "$10,000.53",
        "$10,000.53 before, $10,000.00 after",
        "Royal flush",
        "flo, floorperson",
        "floyd, floorperson",
        "639a.11(c)(5)(iv)",
        "stays on the table until this slip is signed",
        paper.hash,
    ):
        assert expected in words, expected
    assert words.count("Signature") == 4
    assert "Not valid" not in words
    house.send_ok("flo", "stud", Document(1))
    assert slip_paper(house.db, "J-000001") == paper  # the same paper once the round is over
    assert verify_house(house.db).problems == []


@pytest.mark.proves("639a.11(c)(6)(iii)")
def test_the_slip_of_a_five_card_hand_jackpot_says_that_it_is_paid_by_hand(house: House) -> None:
    """Never to the game account; the dealer's cards are on it, since his hand wins for a wager of its own."""
    house.patrons("ann")
    house.open("stud")
    house.seat("stud", ann=1)
    house.source.stack(dealt_one_by_one(NOTHING, ROYAL))
    house.send_ok("flo", "stud", Reshuffle())
    house.send_ok("ann", "stud", Wager(1, {"ante": 1000, "five-card-hand-dealer": 100}))
    house.send_ok("ann", "stud", Decide(1, 0))
    for name in ("flo", "floyd"):
        house.send_ok(name, "stud", Acknowledge())
    words = words_of(slip_paper(house.db, "J-000001"))
    for expected in (
        "$10,000.13 by hand against this slip, not to the game account",
        "639a.11(c)(6)(iii)",
        f"Cards of the dealer {ROYAL}",
        "Five Card Hand Bonus, dealer's hand",
        "flo, floorperson",
        "floyd, floorperson",
    ):
        assert expected in words, expected


def test_a_withheld_payout_has_no_jackpot_slip(house: House) -> None:
    house.patrons("ann")
    royal(house)
    for name in ("flo", "floyd"):
        assert house.send_ok(name, "stud", Withhold("no light")).slip == ""
    assert find_slips(house.db) == []


def test_slips_name_requester_and_approver(house: House) -> None:
    house.open("stud")
    move_chips(house, Fill("stud", 5_000_00))
    move_chips(house, Credit("stud", 12_34))
    house.act_ok(Note("stud", 1, "The flush was not paid.", "Paid by the floor."), FLO)
    for name, expected in {
        "F-1": ("Fill slip", "$5,000.00", "flo, floorperson", "boss, operator", "Received by the dealer"),
        "c-000001": ("Credit slip", "$12.34", "flo, floorperson", "boss, operator", "Given by the dealer"),
        "D-1": ("Dispute slip", "The flush was not paid.", "Paid by the floor.", "flo, floorperson", "Patron"),
    }.items():
        words = words_of(slip_paper(house.db, name))
        assert [one for one in ("Round 1", *expected) if one not in words] == []


def test_a_slip_says_when_its_payout_was_reversed(house: House) -> None:
    """639a.13(c): a wrong number of cards comes out after the payout, and all hands are void."""
    house.patrons("ann")
    royal(house)
    for name in ("flo", "floyd"):
        house.send_ok(name, "stud", Acknowledge(), light=True)
    assert slip_paper(house.db, "J-1").undone == ""
    seq = house.send_ok("flo", "stud", Report("wrong-number")).seq
    paper = slip_paper(house.db, "J-1")
    assert paper.undone == f"Entry {seq} of the table's log reversed the payout."
    assert f"Not valid. {paper.undone}" in words_of(paper)


@pytest.mark.parametrize("number", ["F-2", "J-1", "X-1", "F", "F-", "F-1x", "12", "", "F-²", f"F-{'9' * 30}"])
def test_refuses_an_unknown_slip_in_one_sentence(sqlite_house: House, number: str) -> None:
    sqlite_house.open("stud")
    move_chips(sqlite_house, Fill("stud", 5_000_00))
    with pytest.raises(Mistake):
        slip_paper(sqlite_house.db, number)


def test_concurrent_writers_never_repeat_a_number(house: House) -> None:
    """Each writer has a connection of its own; SQLite lets one write at a time, PostgreSQL several."""
    house.open("stud")
    given: list[str] = []

    def ask(number: int, connection: Connection) -> None:
        office = Office(connection, house.clock)
        for turn in range(EACH):
            key = f"{number} {turn}"
            waits = office.do(FLO, Fill("stud", 100 + number), f"ask {key}").waiting
            given.append(office.do(BOSS, Approve(waits), f"approve {key}").slip)
            given.append(office.do(FLO, Note("stud", 1, f"Dispute {key}"), f"note {key}").slip)

    connections = [house.another_connection() for _ in range(WRITERS)]
    writers = [threading.Thread(target=ask, args=one) for one in enumerate(connections)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    numbers = range(1, WRITERS * EACH + 1)
    assert sorted(given) == sorted(f"{letter}-{number:06}" for letter in "FD" for number in numbers)
    assert sorted(one.slip for one in find_slips(house.db)) == sorted(given)
    assert verify_house(house.db).problems == []


@contextmanager
def crash_at_commit(db: Connection) -> Iterator[None]:
    """Lose the next transaction, as if the machine stopped before it reached the disk."""

    class Crash(Exception):
        """The machine stopped."""

    with suppress(Crash), db.transaction():
        yield
        raise Crash


def test_a_number_is_used_again_only_if_its_transaction_was_lost(
    house: House,
) -> None:
    """After a crash the next slip gets the number that was lost; a restart goes on from the last number stored."""
    house.open("stud")
    assert move_chips(house, Fill("stud", 100)).slip == "F-000001"
    with crash_at_commit(house.db):
        unit = UnitOfWork(house.db)
        lost = append_entry(unit, 0, "flo", "boss", Fill("stud", 100), (), table_slip(unit, SlipKind.FILL, "stud"))
        unit.write()
        assert lost.slip_name == "F-000002"
    assert [one.slip for one in find_slips(house.db)] == ["F-000001"]
    again = Office(house.another_connection(), house.clock)  # another process with an empty cache
    waits = again.do(FLO, Fill("stud", 100), "ask again").waiting
    assert again.do(BOSS, Approve(waits), "approve again").slip == "F-000002"
    assert move_chips(house, Fill("stud", 100)).slip == "F-000003"
    logged = [decode_house_entry(body).slip_name for _, body, _ in entries(house.db, HOUSE)]
    assert Counter(logged)["F-000002"] == 1
    assert verify_house(house.db).problems == []


def test_the_audit_finds_changed_and_unused_numbers(house: House) -> None:
    house.open("stud")
    done = move_chips(house, Fill("stud", 100))
    house.db.execute("UPDATE slip SET number = 5 WHERE kind = 'fill'")
    assert verify_house(house.db).problems == [
        f"Slips: the number 1 of the kind fill was given out for no entry; the house's log names it in entry {done.seq}.",
        f"Slips: the number 5 of the kind fill was given out for entry {done.seq}; the house's log names it in no entry.",
    ]
    house.db.execute("UPDATE slip SET number = 1 WHERE kind = 'fill'")
    house.db.execute("INSERT INTO slip (kind, number, entry) VALUES ('jackpot', 1, 9)")
    assert verify_house(house.db).problems == [
        "Slips: the number 1 of the kind jackpot was given out for entry 9; the house's log names it in no entry."
    ]
