"""A session says what its person may see and do, as the server decides it; the screens keep no list of their own."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from staffed_house import Staffed, staffed_server

from pitboss.house.office.acts import POSTS_BY_ACT
from pitboss.house.office.people import Person, Post
from pitboss.house.office.permissions import Permission, answers_to_request, permissions_of

SCREENS = Path(__file__).parents[2] / "ui" / "src"
PEOPLE = {"ann": Post.PATRON, "dana": Post.DEALER, "flo": Post.FLOORPERSON, "sue": Post.SURVEILLANCE}
AUDITORS = {"ada": Post.AUDITOR, "olga": Post.OPERATOR}
PATHS = {
    Permission.SEE_FLOOR: ["/api/pit", "/api/approvals", "/api/training/records"],
    Permission.OVERSEE: ["/api/events", "/api/slips", "/api/disputes", "/api/log?chain=caribbean-stud"],
    Permission.SEE_SUBMISSIONS: ["/api/submissions"],
    Permission.SEE_HOLDS: ["/api/holds"],
    Permission.SEE_EVERY_CARD: ["/api/chains", "/api/log?chain=house"],
    Permission.SEE_LEDGER: ["/api/ledger"],
}


@pytest.fixture(scope="module")
def staffed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Staffed]:
    with staffed_server(tmp_path_factory.mktemp("people") / "data") as house:
        yield house


@pytest.mark.parametrize("who", [*PEOPLE, *AUDITORS])
def test_a_session_has_the_permissions_that_the_server_checks(staffed: Staffed, who: str) -> None:
    _, session = staffed.ask(who, "GET", "/api/session")
    _, house = staffed.ask(who, "GET", "/api/house")
    assert house["who"]["may"] == session["may"]
    for permission, paths in PATHS.items():
        for path in paths:
            status, _ = staffed.ask(who, "GET", path)
            assert status == (200 if permission in session["may"] else 403), (who, path)
    post = {**PEOPLE, **AUDITORS}[who]
    assert session["acts"] == [act.__name__ for act, posts in POSTS_BY_ACT.items() if post in posts]


def test_a_request_says_who_may_answer_it(staffed: Staffed) -> None:
    waiting = staffed.act_ok("flo", "Fill", table="caribbean-stud", amount=100)["waiting"]
    for who, answers in {
        "flo": ["Decline"],
        "fred": ["Approve", "Decline"],
        "ada": ["Approve", "Decline"],
        "olga": ["Approve", "Decline"],
        "dana": [],
        "sue": [],
    }.items():
        (seen,) = (one for one in staffed.ask(who, "GET", "/api/pit")[1]["approvals"] if one["id"] == waiting)
        assert seen["may"] == answers, who
    assert staffed.act("sue", "Approve", id=waiting)[0] == staffed.act("flo", "Approve", id=waiting)[0] == 409
    staffed.act_ok("fred", "Approve", id=waiting)


def test_a_correction_is_approved_by_auditor_or_operator_and_a_jackpot_at_its_table() -> None:
    assert answers_to_request(Person("flo", Post.FLOORPERSON), "Amend", "olga") == ("Decline",)
    assert answers_to_request(Person("ada", Post.AUDITOR), "Amend", "olga") == ("Approve", "Decline")
    assert answers_to_request(Person("fred", Post.FLOORPERSON), "jackpot", "flo") == ()


def test_only_patrons_play_and_only_dealers_deal() -> None:
    assert [post for post in Post if Permission.PLAY in permissions_of(Person("one", post))] == [Post.PATRON]
    assert [post for post in Post if Permission.DEAL in permissions_of(Person("one", post))] == [Post.DEALER]


def test_the_screens_ask_for_no_post() -> None:
    post = re.compile(r"\b(?:who|me)(?:\?|!)?\.post\b(?!\}</span>)")
    files = [file for file in SCREENS.rglob("*") if file.suffix in {".ts", ".svelte"} and file.name != "schema.d.ts"]
    assert not [file.name for file in files if post.search(file.read_text("utf-8"))]
