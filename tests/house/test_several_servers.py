"""Changes without an entry reach other servers: a stuck dealer, changed settings. And no server waits for another."""

from collections.abc import Iterator
from queue import Queue

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from desk_house import BEGIN, STUD, House
from waiting import TIMEOUT

from pitboss.house.floor.duties import list_duties
from pitboss.house.office.acts import Resume, Suspend
from pitboss.house.office.people import Person, Post
from pitboss.house.postgres_follower import Follower
from pitboss.house.storage import postgres
from pitboss.house.writers import TableChange, Writer, collect_changes
from pitboss.submission import Dealing, text_of
from pitboss.table import ChangeDealing, Cover, Report, Reshuffle, Sit, Wager

FLO = Person("flo", Post.FLOORPERSON)
SHOE = text_of(STUD).replace('dealing = "manual-shoe"', 'dealing = "automated-shoe"')
FAILED = "The automated shoe has failed. Shuffle again and deal another way. (§ 639a.13(g))"


def sent_changes(house: House) -> dict[str, TableChange]:
    """The changes that the pit sends after the last transaction."""
    changes: dict[str, TableChange] = {}
    collect_changes(house.desk, changes)
    return changes


def test_other_servers_learn_that_the_dealer_is_stuck(house: House) -> None:
    """A shoe that failed before the call: when bets are over, the dealer's refused call is no entry, but a duty."""
    house.open("shoe", SHOE)
    house.patrons("ann", "bob")
    house.seat("shoe", ann=1, bob=2)
    house.send_ok("flo", "shoe", Report("malfunction", device="shoe"))
    house.send_ok("flo", "shoe", Cover("shoe"))
    house.send_ok("ann", "shoe", Wager(1, {"ante": 1000}))
    seq = house.live_table("shoe").seq
    house.pass_time(20, "shoe")
    change = sent_changes(house)["shoe"]
    assert (change.live.seq, change.new_entries, change.live.stuck) == (seq, [], FAILED)
    assert f"The automatic dealer is stuck: {FAILED}" in [
        duty.text for duty in list_duties(change.live, int(house.clock()))
    ]
    house.pass_time(1, "shoe")
    assert sent_changes(house).keys() == (
        {"shoe"} if house.db.dialect.has_other_writers else set()
    )  # again, where followers know less
    assert [change.live.stuck for change in sent_changes(house).values()] in ([], [FAILED])
    again = house.another_desk()
    again.read_table("shoe")
    house.desk = again
    house.pass_time(1, "shoe")
    assert sent_changes(house)["shoe"].live.stuck == FAILED  # also after a restart
    house.send_ok("flo", "shoe", Reshuffle())
    assert "Choose another way of dealing" in house.live_table("shoe").stuck
    house.send_ok("flo", "shoe", ChangeDealing(Dealing.MANUAL_SHOE))
    assert (house.live_table("shoe").stuck, house.table("shoe").called) == ("", True)
    house.pass_time(1, "shoe")
    assert sent_changes(house) == {}  # it waits for a player


@pytest.fixture
def received_changes(
    postgres_house: House, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Queue[dict[str, TableChange]]]:
    """The changes of tables that another server receives."""
    postgres_house.open("stud")
    postgres_house.patrons("ann")
    monkeypatch.setattr(postgres, "ORIGIN", "another server")  # of connections from now on
    queue: Queue[dict[str, TableChange]] = Queue()
    follower = Follower(postgres_url, queue.put, lambda: None)
    assert queue.get(timeout=TIMEOUT)["stud"].new_entries == []
    yield queue
    follower.stop()


def test_other_servers_learn_that_a_wager_is_suspended_or_resumed(
    postgres_house: House, received_changes: Queue[dict[str, TableChange]]
) -> None:
    for act, suspended in (
        (Suspend("stud", "progressive", "its link failed"), ("progressive",)),
        (Resume("stud", "progressive"), ()),
    ):
        postgres_house.act_ok(act, FLO)
        change = received_changes.get(timeout=TIMEOUT)["stud"]
        assert (change.live.settings.suspended, change.live.seq, change.new_entries) == (suspended, 0, [])
    postgres_house.seat("stud", ann=1)
    change = received_changes.get(timeout=TIMEOUT)["stud"]
    assert change.new_entries[0].entry.command == Sit(1)
    assert change.live.settings.suspended == ()


def test_orders_do_not_wait_for_a_checkpoint_of_another_server(postgres_house: House) -> None:
    house, key = postgres_house, Ed25519PrivateKey.generate()
    clerk = Writer(house.another_connection(), house.source, house.clock)
    with house.another_connection().house_lock():
        clerk.db.execute("SET statement_timeout = 60000")  # instead of waiting for ever
        clerk.checkpoint(key, BEGIN)
        assert house.db.execute("SELECT number FROM checkpoint") == []
    clerk.checkpoint(key, BEGIN)
    assert house.db.execute("SELECT number FROM checkpoint") == [(1,)]
    with house.another_connection().house_lock(wait=False) as alone:  # it was let go
        assert alone
