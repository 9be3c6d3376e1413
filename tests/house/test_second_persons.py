"""Evidence of two persons: the house's log names the first and the second, and the audit checks it."""

import pytest
from crowd import royal
from desk_house import BEGIN, House

from pitboss.house.evidence import list_significant_events, verify_house
from pitboss.house.office.acts import Act, Amend, Approve, Credit, Decline, Fill, Noted
from pitboss.house.office.house_log import HouseEntry, append_entry, decode_house_entry
from pitboss.house.office.office import pending_requests
from pitboss.house.office.people import Person, Post
from pitboss.house.storage.logs import HOUSE, entries
from pitboss.house.storage.unit_of_work import UnitOfWork
from pitboss.record.chain import decode_entry
from pitboss.table import Acknowledge, Command, Withhold

ADA, FLO = Person("ada", Post.AUDITOR), Person("flo", Post.FLOORPERSON)


def log(house: House) -> list[HouseEntry]:
    """The house's log."""
    return [decode_house_entry(body) for _, body, _ in entries(house.db, HOUSE)]


@pytest.mark.parametrize("command", [Acknowledge(), Withhold("the light was out")])
def test_log_and_events_name_both_persons_who_decided_on_a_jackpot(house: House, command: Command) -> None:
    house.patrons("ann")
    royal(house)
    before = len(log(house))
    assert house.send_ok("flo", "stud", command, light=True).waiting
    assert len(log(house)) == before  # one person alone has done nothing yet
    house.send_ok("floyd", "stud", command, light=True)
    (written,) = log(house)[before:]
    assert (written.actor, written.second) == ("flo", "floyd")
    bodies = [decode_entry(body) for _, body, _ in entries(house.db, "stud")]
    (entry,) = [one for one in bodies if one.command == command]
    assert entry.given.actor == "floyd"
    what = f"{type(command).__name__} at stud, entry {entry.seq}: a payout off a meter"
    assert isinstance(written.act, Noted)
    assert written.act.what == what
    (event,) = [event for event in list_significant_events(house.db) if event.what == what]
    assert (event.actor, event.second) == ("flo", "floyd")
    assert event.before == ("reason the light was out" if isinstance(command, Withhold) else "")
    assert verify_house(house.db).problems == []


@pytest.mark.parametrize(
    ("act", "second"),
    [
        (Fill("stud", 5_000_00), ""),
        (Credit("stud", 5_000_00), "flo"),
        (Amend("house", "patron/ann", 1_00, "She asked."), ""),
        (Noted("Acknowledge at stud, entry 7: a payout off a meter"), "flo"),
    ],
)
def test_the_audit_finds_acts_that_lack_a_second_person(house: House, act: Act, second: str) -> None:
    house.open("stud")
    house.patrons("ann")
    with house.db.transaction():
        unit = UnitOfWork(house.db)
        seq = append_entry(unit, BEGIN, "flo", second, act).seq
        unit.write()
    said = f"Log “house”, entry {seq}: it needs a second person, but has none."
    assert said in verify_house(house.db).problems


@pytest.mark.parametrize("now", [Post.SURVEILLANCE, Post.PATRON, Post.AUDITOR])
def test_refuses_a_request_of_a_person_whose_post_changed(house: House, now: Post) -> None:
    """The requester's post must still allow the request."""
    house.open("stud")
    asked = house.act_ok(Fill("stud", 5_000_00), FLO)
    house.db.execute("UPDATE person SET post = ? WHERE name = 'flo'", (now,))
    before = house.dump(but=("answered",))
    done = house.act(Approve(asked.waiting), ADA)
    assert not done.accepted
    assert f"may no longer ask for it as {now}" in done.why
    assert house.dump(but=("answered",)) == before
    assert [one["requested_by"] for one in pending_requests(house.db)] == ["flo"]
    house.act_ok(Decline(asked.waiting), ADA)
    house.db.execute("UPDATE person SET post = 'floorperson' WHERE name = 'flo'")
    again = house.act_ok(Fill("stud", 5_000_00), FLO)
    house.act_ok(Approve(again.waiting), ADA)
