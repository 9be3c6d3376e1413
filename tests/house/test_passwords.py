"""Passwords: the one of the demonstration keeps a house at home, whoever has it; one that was reset lets nobody in."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from command import pitboss
from desk_house import BEGIN, House
from house_server import PASSWORD, Server, free_port
from staffed import rows, staffing

from pitboss.house.config import Config
from pitboss.house.office.acts import Hire
from pitboss.house.office.office import HOUSE_PERSON, KEY_REUSED, Office
from pitboss.house.office.people import Post, begin_session, hash_password, read_password_hash
from pitboss.house.startup import DEMO_PEOPLE, connect, demo_people, open_house

OWN = "a-password-of-her-own"


def hired(data: Path, password: str) -> None:
    """Have olga hired from the machine itself, as the documentation says."""
    ran = pitboss("hire", "olga", "operator", "--data", str(data), given=f"{password}\n".encode())
    assert (ran.status, ran.out) == (0, "olga now has the post operator.\n")


def test_an_olga_with_a_password_of_her_own_is_not_of_the_demonstration(tmp_path: Path) -> None:
    hired(tmp_path / "data", OWN)
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
def test_who_has_the_known_password_keeps_the_house_at_home(tmp_path: Path, setting: str, value: str) -> None:
    """Also where `demo` is off: the name and the password say it."""
    hired(tmp_path / "data", PASSWORD)
    environment = {"PITBOSS_DEMO": "false", f"PITBOSS_{setting}": value}
    ended = pitboss("serve", "--data", str(tmp_path / "data"), "--port", str(free_port()), environment=environment)
    assert ended.status == 2
    assert "have a known password" in ended.err


def test_the_demonstration_has_those_who_still_have_its_password(tmp_path: Path) -> None:
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


def test_the_same_key_with_another_password_is_refused(tmp_path: Path) -> None:
    """With the same one it is answered as before, also where it waits for a second person, or came twice at once."""
    with staffing(tmp_path / "data", "olga") as house:

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
        assert rows(house.server, "SELECT COUNT(*) FROM approval") == [(1,)]
        assert house.server.sign_in("new patron", OWN)
        house.acted("olga", "Hire", name="new patron", post="patron", password=PASSWORD)
        assert hire(OWN, "patron", "patron")[0] == 200  # it was done, and is not done again
        assert house.server.sign_in("new patron", PASSWORD)


def test_who_signs_in_while_the_password_is_reset_does_not_get_in_with_the_old_one(house: House) -> None:
    def signs_in(kept: str | None) -> bool:
        with house.db.transaction():
            return begin_session(house.db, "ann", BEGIN, kept) is not None

    house.did(Hire("ann", Post.PATRON, "the old hash"))
    kept, _ = read_password_hash(house.db, "ann")  # and the password that was typed fits it
    assert signs_in(kept)
    house.did(Hire("ann", Post.PATRON, "the new hash"))
    assert not signs_in(kept)
    assert house.db.execute("SELECT 1 FROM session") == []
    assert signs_in("the new hash")
