"""Two persons, not one, decide on a jackpot, move chips and correct the ledger; on SQLite and PostgreSQL."""

import pytest
from books_audit import Audit
from crowd import ADA, FLO, royal
from desk_house import House

from pitboss.house.office.acts import SECOND_PERSON_RULE, Act, Amend, Approve, Credit, Decline, Dismiss, Fill
from pitboss.house.office.office import pending_requests
from pitboss.house.office.people import Person, Post
from pitboss.money import CENT
from pitboss.table import Acknowledge, Command, Reject, Report, Wager, Withhold


def test_two_persons_validate_a_jackpot_with_the_same_command(house: House) -> None:
    house.patrons("ann")
    royal(house)
    held = house.account("patron/ann")
    first = house.send_ok("flo", "stud", Acknowledge(), light=True)
    assert first.waiting
    assert [one["requested_by"] for one in pending_requests(house.db)] == ["flo"]
    again = house.send("flo", "stud", Acknowledge(), light=True)
    assert (again.accepted, again.cite) == (False, SECOND_PERSON_RULE)
    assert house.send_ok("floyd", "stud", Withhold("the light was out")).waiting  # another command
    assert house.account("patron/ann") == held
    assert not house.send("ann", "stud", Acknowledge(), light=True).accepted
    assert not house.send_ok("floyd", "stud", Acknowledge(), light=True).waiting
    assert house.account("patron/ann") > held + 10_000_00 * CENT
    assert pending_requests(house.db) == []


def test_two_persons_withhold_a_jackpot_and_the_meter_gets_it_back(house: House) -> None:
    house.patrons("ann", cents=100_00)
    royal(house)
    assert house.send_ok("flo", "stud", Withhold("no light")).waiting
    assert not house.send("flo", "stud", Withhold("no light")).accepted
    house.send_ok("floyd", "stud", Withhold("no light"))
    meter = house.meter("stud/progressive/main@100")
    assert (meter.pending, meter.current, meter.reserve) == (0, 10_000_53 * CENT, 15 * CENT)
    assert house.account("table/stud/disputed") == 1_00 * CENT
    assert house.account("patron/ann") == (69_00 + 20_00 + 20_00) * CENT
    Audit(house.db).check({"stud": house.table("stud")})


@pytest.mark.parametrize("undone", [Reject(), Report("wrong-number")])
def test_two_persons_a_request_for_a_withdrawn_claim_is_dropped(house: House, undone: Command) -> None:
    house.patrons("ann")
    royal(house)
    held = house.account("patron/ann")
    assert house.send_ok("flo", "stud", Acknowledge(), light=True).waiting
    house.send_ok("floyd", "stud", undone)
    assert pending_requests(house.db) == []
    if isinstance(undone, Reject):  # the dealer settled it again, and there is a new claim
        assert house.send_ok("floyd", "stud", Acknowledge(), light=True).waiting
        assert house.account("patron/ann") == held


@pytest.mark.parametrize("post", [None, Post.DEALER, Post.PATRON, Post.SURVEILLANCE])
@pytest.mark.parametrize("command", [Acknowledge(), Withhold("no light")])
def test_two_persons_a_former_floorperson_does_not_count(house: House, command: Command, post: Post | None) -> None:
    house.patrons("ann")
    royal(house)
    held = house.account("patron/ann")
    assert house.send_ok("flo", "stud", command, light=True).waiting
    if post:
        house.db.execute("UPDATE person SET post = ? WHERE name = 'flo'", (post,))
    else:
        house.act_ok(Dismiss("flo"))
    before = house.dump(but=("answered", "approval"))
    assert house.send_ok("floyd", "stud", command, light=True).waiting  # floyd is the first now
    assert house.dump(but=("answered", "approval")) == before
    assert [one["requested_by"] for one in pending_requests(house.db)] == ["floyd"]
    assert house.send("floyd", "stud", command, light=True).cite == SECOND_PERSON_RULE
    house.db.execute("UPDATE person SET post = 'floorperson', is_active = 1 WHERE name = 'flo'")
    assert not house.send_ok("flo", "stud", command, light=True).waiting
    assert house.account("patron/ann") > held
    assert pending_requests(house.db) == []


@pytest.mark.parametrize(
    ("act", "giver", "taker"),
    [
        (Fill("stud", 5_000_00), "house", "table/stud/inventory"),
        (Credit("stud", 5_000_00), "table/stud/inventory", "house"),
        (Amend("house", "patron/ann", 5_000_00, "A disputed hand was decided for her."), "house", "patron/ann"),
        (Amend("patron/ann", "house", 100_00, "Paid twice."), "patron/ann", "house"),
    ],
)
def test_two_persons_move_chips_and_correct_the_ledger(house: House, act: Act, giver: str, taker: str) -> None:
    house.open("stud")
    house.patrons("ann")
    if isinstance(act, Credit):
        house.act_ok(Approve(house.act_ok(Fill("stud", act.amount)).waiting), ADA)
    before = house.dump(but=("answered", "approval"))
    asked = house.act_ok(act)
    assert asked.waiting
    assert house.dump(but=("answered", "approval")) == before
    own = house.act(Approve(asked.waiting))
    assert (own.accepted, own.cite) == (False, SECOND_PERSON_RULE)
    assert not house.act(Approve(asked.waiting), Person("ann", Post.PATRON)).accepted
    assert not house.act(Approve(asked.waiting), Person("dealer", Post.DEALER)).accepted
    assert house.dump(but=("answered", "approval")) == before
    held = [house.account(giver), house.account(taker)]
    done = house.act(Approve(asked.waiting), ADA, key="approved")
    assert done.accepted
    assert house.act(Approve(asked.waiting), ADA, key="approved") == done
    amount = act.amount * CENT if isinstance(act, Fill | Credit | Amend) else 0
    assert [house.account(giver), house.account(taker)] == [held[0] - amount, held[1] + amount]
    assert not house.act(Approve(asked.waiting), ADA).accepted
    assert pending_requests(house.db) == []
    Audit(house.db).check({"stud": house.table("stud")})


def test_two_persons_a_declined_request_is_not_carried_out(house: House) -> None:
    house.open("stud")
    before = house.dump(but=("answered", "approval", "entry", "chain"))
    asked = house.act_ok(Fill("stud", 5_000_00), FLO)
    house.act_ok(Decline(asked.waiting), ADA)
    assert house.dump(but=("answered", "approval", "entry", "chain")) == before
    assert not house.act(Approve(asked.waiting), ADA).accepted


def test_two_persons_may_not_make_an_account_negative_or_correct_one_from_play(house: House) -> None:
    house.open("stud")
    house.patrons("ann", cents=10_00)
    house.seat("stud", ann=1)
    house.send_ok("ann", "stud", Wager(1, {"ante": 500}))
    asked = house.act_ok(Amend("patron/ann", "house", 20_00, "Too much."))
    assert not house.act(Approve(asked.waiting), ADA).accepted
    assert house.account("patron/ann") == 5_00 * CENT
    assert not house.act(Amend("house", "patron/ann", 5_00, " ")).accepted
    for account in ("table/stud/wagers", "meter/stud/progressive/main@100/current"):
        assert not house.act(Amend("house", account, 5_00, "More.")).accepted
        assert not house.act(Amend(account, "house", 5_00, "Less.")).accepted
