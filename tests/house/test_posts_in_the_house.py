"""Who may do what in the house as a whole, cell by cell: alone, with a second person, or only look."""

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest
from staffed_house import HOUSE, LOCAL, Books, Staffed, balance, query, read_json, staffed_server
from table_states import claim

from pitboss.house.office import acts
from pitboss.house.office.people import Post
from pitboss.house.startup import DEMO_PEOPLE
from pitboss.submission import text_of

KEYS = "house rule: one effect for each idempotency key"
SECOND = "house rule: a second person"
POSTS = "house rule: what each post may do"
ACTING = ("ann", "dana", "flo", "sue", "ada", "olga", "nobody")
ACTED = {
    "ann": "BuyIn own, CashOut own",
    "flo": "Suspend, Resume, Fill, Credit, Approve other, Decline own, Decline other, Decline correction, "
    "Decline staff, Note",
    "ada": "Amend, Approve other, Approve correction, Approve staff, Decline own, Decline other, Decline correction, "
    "Decline staff",
    "olga": "OpenTable, CloseTable, Suspend, Resume, BuyIn other, CashOut other, Fill, Credit, Amend, Hire, Dismiss other, "
    "Approve other, Approve correction, Decline own, Decline other, Decline correction, Decline staff, Note, "
    "RecordApproval",
}
"""By person: the acts that are carried out or wait for a second person; all others are refused."""


@pytest.fixture(scope="module")
def staffed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Staffed]:
    """A server with everybody signed in."""
    with staffed_server(tmp_path_factory.mktemp("people") / "data") as house:
        yield house


class Acts:
    """Every act of the house, prepared so that it is possible."""

    def __init__(self, staffed: Staffed) -> None:
        self._staffed, self._number = staffed, count(1)
        self._submission = text_of("cajun-stud-rack-card")

    def of(self, who: str) -> dict[str, Callable[[], dict[str, Any]]]:
        cash = {"amount": 100}
        made: dict[str, Callable[[], dict[str, Any]]] = {
            "OpenTable": lambda: {"table": f"new {next(self._number)}", "submission": self._submission},
            "CloseTable": lambda: {"table": self._table()},
            "Amend": lambda: {"giver": "house", "taker": "patron/ann", "amount": 1, "reason": "a test"},
            "Hire": lambda: {"name": f"temp {next(self._number)}", "post": "dealer", "password": "long enough"},
            "Dismiss own": lambda: {"name": who},
            "Dismiss other": lambda: {"name": self._person()},
            "Note": lambda: {"table": LOCAL, "round": 1, "text": "a patron disputes a payout"},
            "RecordApproval": lambda: {
                "submission": self._submission,
                "date": "2020-02-29",
                "reference": "the Board's letter",
            },
            "RecordTraining": lambda: {
                "person": who,
                "game": "caribbean-stud",
                "rules": "preset caribbean-stud-standard",
                "version": "1",
                "is_test": True,
                "kinds": [{"kind": "read", "asked": 1, "right": 1, "seconds": 1, "allowed": 10}],
                "lines": 0,
                "lines_right": 0,
                "wrong": {},
                "drills": ["read a.1"],
            },
            "Noted": lambda: {"what": "the clock was changed"},
            "Suspend": lambda: {"table": LOCAL, "offer": "progressive", "reason": "the link failed"},
            "Resume": lambda: {"table": LOCAL, "offer": "progressive"},
        }
        for kind in ("BuyIn", "CashOut"):
            made |= {f"{kind} own": lambda: {"patron": who, **cash}, f"{kind} other": lambda: {"patron": "bob", **cash}}
        for kind in ("Fill", "Credit"):
            made[kind] = lambda: {"table": LOCAL, **cash}
        for kind in ("Approve", "Decline"):
            if who in {"flo", "ada", "olga"}:
                made[f"{kind} own"] = lambda: {"id": self._request("Amend" if who == "ada" else "Fill", who)}
            made |= {
                f"{kind} other": lambda: {"id": self._request("Fill", "fred")},
                f"{kind} correction": lambda: {"id": self._request("Amend", "olga" if who == "ada" else "ada")},
                f"{kind} staff": lambda: {"id": self._request("Hire", "olga")},
            }
        return made

    def _table(self) -> str:
        name = f"closing {next(self._number)}"
        self._staffed.act_ok("olga", "OpenTable", table=name, submission=self._submission)
        return name

    def _person(self) -> str:
        name = f"leaving {next(self._number)}"
        self._staffed.act_ok("olga", "Hire", name=name, post="patron", password="long enough")  # noqa: S106 (a test's)
        return name

    def _request(self, kind: str, who: str) -> str:
        return str(self._staffed.act_ok(who, kind, **self.of(who)[kind]())["waiting"])


def test_every_cell_of_the_permission_matrix(staffed: Staffed, tell: Callable[[str], None]) -> None:
    books, known, cells, done = Books(staffed.server), Acts(staffed), 0, 0
    may = {kind.__name__: posts for kind, posts in acts.POSTS_BY_ACT.items()}
    for who in ACTING:
        expected = set(filter(None, ACTED.get(who, "").split(", ")))
        made = known.of(who)
        assert {cell.partition(" ")[0] for cell in made} == set(may)
        for cell in sorted(made):
            kind, facts = cell.partition(" ")[0], made[cell]()
            before = books.read()
            status, answer = staffed.act(who, kind, **facts)
            cells += 1
            if cell in expected:
                done += 1
                assert DEMO_PEOPLE[who] in may[kind], (who, cell)
                assert (status, answer["accepted"]) == (200, True), (who, cell, answer)
                after = books.read()
                more = sum(chain == HOUSE for chain, *_ in after["entry"]) - sum(
                    chain == HOUSE for chain, *_ in before["entry"]
                )
                assert more == (0 if "waiting" in answer else 1), (who, cell)
                moves = kind in {"BuyIn", "CashOut"} or cell in {"Approve other", "Approve correction"}
                assert (after["posting"] != before["posting"]) == moves, (who, cell)
            else:
                if who == "nobody":
                    assert status == 401, cell
                else:
                    assert status == 409, (who, cell, answer)
                    not_theirs = answer["detail"] == f"Your post ({DEMO_PEOPLE[who]}) may not do this."
                    assert not_theirs == (DEMO_PEOPLE[who] not in may[kind]), (who, cell, answer)
                    assert answer["extra"]["cite"] in {POSTS, SECOND}, (who, cell, answer)
                assert books.read() == before, (who, cell)
    books.close()
    tell(f"the house's matrix: {cells} cells, {done} of them carried out")
    assert sum(amount for (amount,) in query(staffed.server, "SELECT balance FROM account")) == 0


def test_a_key_of_an_act_is_used_once(staffed: Staffed) -> None:
    def buy_in(amount: int) -> tuple[int, Any]:
        body = {"act": {"type": "BuyIn", "patron": "cy", "amount": amount}}
        return staffed.ask("cy", "POST", "/api/acts", body, **{"idempotency-key": "one-buy-in"})

    before = balance(staffed.server, "patron/cy")
    first = buy_in(500)
    assert [buy_in(500) for _ in range(5)] == [first] * 5
    status, answer = buy_in(600)
    assert (status, answer["extra"]["cite"]) == (409, KEYS)
    assert balance(staffed.server, "patron/cy") - before == 500 * 1_000_000
    hire = {"act": {"type": "Hire", "name": "zoe", "post": "patron", "password": "long enough"}}
    answers = [staffed.ask("olga", "POST", "/api/acts", hire, **{"idempotency-key": "one-zoe"}) for _ in range(3)]
    assert answers == [answers[0]] * 3  # though a password is salted anew each time
    assert answers[0][0] == 200


LOOKS: dict[str, frozenset[str]] = {
    "/api/session": frozenset(Post),
    "/api/account": frozenset(Post),
    "/api/history": frozenset(Post),
    "/api/approvals": frozenset(Post) - {Post.PATRON},
    "/api/ledger": frozenset({Post.AUDITOR, Post.OPERATOR}),
    "/api/rounds": frozenset(Post),
    "/api/events": frozenset(Post) - {Post.PATRON, Post.DEALER},
    **dict.fromkeys(
        ("/", "/api/tables", f"/api/tables/{LOCAL}", f"/api/tables/{LOCAL}/sign", "/api/meters", "/health", "/ready"),
        frozenset({*Post, "nobody"}),
    ),
}
"""Who may look at what."""


def test_who_may_read_each_path(staffed: Staffed) -> None:
    for path, posts in LOOKS.items():
        for who in ACTING:
            sent = {"authorization": f"Bearer {staffed.tokens[who]}"} if who in staffed.tokens else {}
            status = staffed.line("GET", path, **sent)[0]
            post = DEMO_PEOPLE.get(who, "nobody")
            expected = 200 if post in posts else 401 if who == "nobody" else 403
            assert status == expected, (path, who)


# A second person.


def test_a_ledger_correction_needs_two_persons(staffed: Staffed) -> None:
    server = staffed.server
    before = balance(server, "patron/bob")
    correction = {"giver": "house", "taker": "patron/bob", "amount": 7_00, "reason": "a chip under the table"}
    asked = staffed.act_ok("ada", "Amend", **correction)["waiting"]
    assert balance(server, "patron/bob") == before
    assert asked in {one["id"] for one in staffed.ask("flo", "GET", "/api/approvals")[1]}
    status, answer = staffed.act("ada", "Approve", id=asked)
    assert (status, answer["extra"]["cite"]) == (409, SECOND)
    assert staffed.act("flo", "Approve", id=asked)[0] == 409  # a floorperson may not correct, so may not approve
    assert balance(server, "patron/bob") == before
    staffed.act_ok("olga", "Approve", id=asked)
    assert balance(server, "patron/bob") - before == 7_00 * 1_000_000
    assert staffed.act("olga", "Approve", id=asked)[0] == 409  # once
    last = read_json(query(server, "SELECT body FROM entry WHERE chain = ? ORDER BY seq DESC LIMIT 1", HOUSE)[0][0])
    assert (last["actor"], last["second"], last["act"]["reason"]) == ("ada", "olga", correction["reason"])


def test_a_jackpot_needs_the_same_command_from_two_floorpersons(staffed: Staffed) -> None:
    claim(staffed, "jackpot")
    before = balance(staffed.server, "patron/ann")
    light = {"light": True}

    def pending() -> set[str]:
        found = staffed.ask("flo", "GET", "/api/approvals")[1]
        return {one["id"].rpartition("/")[2] for one in found if one["chain"] == "jackpot"}

    seq = staffed.order_ok("flo", "jackpot", "Withhold", reason="the light")["seq"]
    again = staffed.order("flo", "jackpot", {"type": "Withhold", "reason": "the light"})
    assert (again[0], again[1]["extra"]["cite"]) == (409, SECOND)
    answer = staffed.order_ok("fred", "jackpot", "Acknowledge", light)  # another command: one person for each
    assert (answer["seq"], pending()) == (seq, {"Withhold", "Acknowledge"})
    assert staffed.order("fred", "jackpot", {"type": "Acknowledge"}, light)[1]["extra"]["cite"] == SECOND
    staffed.order_ok("fred", "jackpot", "Reject")  # the claim and its requests are gone
    assert pending() == set()
    staffed.order_ok("dana", "jackpot", "Perform")
    staffed.order_ok("flo", "jackpot", "Acknowledge", light)
    assert balance(staffed.server, "patron/ann") == before
    staffed.order_ok("fred", "jackpot", "Acknowledge", light)
    assert pending() == set()
    assert balance(staffed.server, "patron/ann") - before > 10_000_00 * 1_000_000
