"""Passwords: a known demo password keeps the house off the network, and an old password fails after a reset."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from command import pitboss
from desk_house import BEGIN, House
from house_server import PASSWORD, Server, free_port
from staffed_house import query, staffed_server

from pitboss.house.config import Config
from pitboss.house.office.acts import Hire
from pitboss.house.office.office import HOUSE_PERSON, KEY_REUSED, Office
from pitboss.house.office.people import Post, begin_session, hash_password, read_password_hash
from pitboss.house.startup import DEMO_PEOPLE, connect, demo_people, open_house

OWN = "a-password-of-her-own"


def hire_olga(data: Path, password: str) -> None:
    """Hire olga on the server's own machine, as the documentation says."""
    ran = pitboss("hire", "olga", "operator", "--data", str(data), given=f"{password}\n".encode())
    assert (ran.status, ran.out) == (0, "olga now has the post operator.\n")


def test_a_person_with_an_own_password_is_no_demo_person(tmp_path: Path) -> None:
    hire_olga(tmp_path / "data", OWN)
    outside = {"DEMO": "false", "PLAY_MONEY": "false", "ORIGIN": "https://house.example", "PROXY": "127.0.0.1"}
    server = Server(tmp_path / "data", **{f"PITBOSS_{name}": value for name, value in outside.items()}).start()
    try:
        assert server.sign_in("olga", OWN)
        assert server.request("GET", "/api/house")[1]["demonstration"] is None
    finally:
        assert server.stop() == 0


@pytest.mark.parametrize(
    ("setting", "value"),
    [("PLAY_MONEY", "false"), ("ORIGIN", "https://house.example"), ("PROXY", "127.0.0.1"), ("HOST", "192.0.2.1")],
)
def test_a_known_password_keeps_the_house_off_the_network(tmp_path: Path, setting: str, value: str) -> None:
    """Also with `demo` off: name and password decide."""
    hire_olga(tmp_path / "data", PASSWORD)
    environment = {"PITBOSS_DEMO": "false", f"PITBOSS_{setting}": value}
    ended = pitboss("serve", "--data", str(tmp_path / "data"), "--port", str(free_port()), environment=environment)
    assert ended.status == 2
    assert "have a known password" in ended.err


def test_demo_people_are_those_with_the_demo_password(tmp_path: Path) -> None:
    config = Config(data=str(tmp_path / "data"))
    db = connect(config)
    office = Office(db, lambda: BEGIN)
    open_house(db, config, office)
    assert dict(demo_people(db)) == DEMO_PEOPLE
    assert office.do(HOUSE_PERSON, Hire("olga", Post.OPERATOR, hash_password(OWN)), "own").accepted
    assert office.do(HOUSE_PERSON, Hire("zoe", Post.OPERATOR, hash_password(PASSWORD)), "another").accepted
    assert {**dict(demo_people(db)), "olga": Post.OPERATOR} == DEMO_PEOPLE
    assert "olga" not in dict(demo_people(db))
    db.close()


def test_refuses_the_same_key_with_another_password(tmp_path: Path) -> None:
    """The same password gets the first answer again, even if the act waits for a second person."""
    with staffed_server(tmp_path / "data", "olga") as house:

        def hire(password: str, post: str, key: str) -> tuple[int, Any]:
            act = {"type": "Hire", "name": f"new {post}", "post": post, "password": password}
            headers = {"Idempotency-Key": key}
            return house.server.request("POST", "/api/acts", {"act": act}, house.tokens["olga"], **headers)

        for post in ("patron", "dealer"):
            with ThreadPoolExecutor() as threads:
                answers = list(threads.map(lambda _: hire(OWN, post, post), range(4)))  # noqa: B023 (it is used at once)
            assert answers == [answers[0]] * 4
            assert answers[0][0] == 200
            assert hire(OWN, post, post) == answers[0]
            status, refused = hire(PASSWORD, post, post)
            assert (status, refused["detail"]) == (409, KEY_REUSED)
        assert query(house.server, "SELECT COUNT(*) FROM approval") == [(1,)]
        assert house.server.sign_in("new patron", OWN)
        house.act_ok("olga", "Hire", name="new patron", post="patron", password=PASSWORD)
        assert hire(OWN, "patron", "patron")[0] == 200  # repeated, not carried out again
        assert house.server.sign_in("new patron", PASSWORD)


def test_a_sign_in_during_a_password_reset_needs_the_new_password(house: House) -> None:
    def signs_in(kept: str | None) -> bool:
        with house.db.transaction():
            return begin_session(house.db, "ann", BEGIN, kept) is not None

    house.act_ok(Hire("ann", Post.PATRON, "the old hash"))
    kept, _ = read_password_hash(house.db, "ann")  # the hash fits the password that was typed
    assert signs_in(kept)
    house.act_ok(Hire("ann", Post.PATRON, "the new hash"))
    assert not signs_in(kept)
    assert house.db.execute("SELECT 1 FROM session") == []
    assert signs_in("the new hash")
