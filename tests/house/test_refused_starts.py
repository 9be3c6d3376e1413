"""A start that is refused is one sentence, and leaves a house as it was."""

import socket
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest
from approved import approved_text
from command import Ran, in_a_process, pitboss
from house_server import PASSWORD, Server, free_port
from staffed import rows

from pitboss.house.config import Config
from pitboss.house.office.money_kind import read_money_kind
from pitboss.house.startup import connect, connect_or_create
from pitboss.submission import text_of

STUD = text_of("caribbean-stud-standard")


def refused(*arguments: str, given: bytes = b"", settings: Mapping[str, str] = MappingProxyType({})) -> str:
    """Run a command that is refused; return its one sentence."""
    environment = {f"PITBOSS_{name.upper()}": value for name, value in settings.items()}
    return sentence(pitboss(*arguments, given=given, environment=environment))


def sentence(ran: Ran) -> str:
    """What a command that was refused said."""
    assert (ran.status, ran.err.count("\n"), ran.out) == (2, 1, ""), ran
    return ran.err


def serve(data: Path, *more: str, **settings: str) -> str:
    """Have the server refuse to start."""
    port = () if "--port" in more else ("--port", str(free_port()))
    return refused("serve", "--data", str(data), *port, *more, settings=settings)


def started(data: Path, *more: str, **settings: str) -> None:
    """Have a house opened, and closed again."""
    environment = {f"PITBOSS_{name.upper()}": value for name, value in settings.items()}
    ran = pitboss("serve", "--data", str(data), "--port", str(free_port()), *more, environment=environment)
    assert (ran.status, "The house is open at" in ran.out, ran.err) == (0, True, "")


def notes(data: Path) -> list[tuple[str, str]]:
    """What the house's log has of what happened, and with what after it."""
    found = rows(Server(data), "SELECT body ->> '$.act.what', body ->> '$.act.after' FROM entry ORDER BY seq")
    return [(what, after) for what, after in found if what]


# The kind of money.


@pytest.mark.parametrize(("first", "kind"), [("true", "play money"), ("false", "real money")])
def test_a_house_opened_for_one_kind_of_money_does_not_turn_to_the_other(tmp_path: Path, first: str, kind: str) -> None:
    data, other = tmp_path / "data", "false" if first == "true" else "true"
    started(data, demo="false", play_money=first)
    assert notes(data) == [("the house opens for money of one kind", kind), ("the server started", "")]
    assert f"was opened for {kind}. Use another" in serve(data, demo="false", play_money=other)
    started(data, demo="false", play_money=first)
    assert [what for what, _ in notes(data)].count("the house opens for money of one kind") == 1


def test_servers_of_one_postgresql_are_of_one_kind_of_money(tmp_path: Path, postgres_url: str) -> None:
    started(tmp_path / "one", demo="false", play_money="false", database=postgres_url)
    assert "was opened for real money" in serve(tmp_path / "other", demo="false", database=postgres_url)
    assert not (tmp_path / "other").exists()


def test_money_that_nobody_paid_in_is_play_money_also_where_it_was_not_written_down(tmp_path: Path) -> None:
    data = tmp_path / "data"
    started(data)
    rows(Server(data), "DELETE FROM entry WHERE seq = 1")  # as a house of before has it
    db = connect(Config(data=str(data)))
    assert read_money_kind(db) == "play money"
    db.close()


@pytest.mark.proves("639a.2(b)")
def test_2_b_a_start_for_real_money_is_refused_and_open_tables_stay_open(tmp_path: Path) -> None:
    data, tables = tmp_path / "data", tmp_path / "tables"
    tables.mkdir()
    (tables / "stud.toml").write_text(approved_text("639a", "layout"), "utf-8")
    settings = {"demo": "false", "play_money": "false"}
    said = serve(data, "--tables", str(tables), **settings)
    assert "The table stud is not approved for real money. Missing: the layout," in said
    assert not data.exists()
    (tables / "stud.toml").write_text(approved_text("639a"), "utf-8")
    started(data, "--tables", str(tables), **settings)
    started(data, "--tables", str(tables), **settings)


def test_seeded_cards_are_for_play_money_only_and_the_log_says_of_them(tmp_path: Path) -> None:
    data = tmp_path / "data"
    assert "play money only" in serve(data, "--seed", "abc", play_money="false", demo="false")
    assert not data.exists()
    started(data, "--seed", "abc", demo="false")
    assert notes(data)[-1] == ("the server started", "its cards are seeded")
    assert b"abc" not in b"".join(bytes(body) for (body,) in rows(Server(data), "SELECT body FROM entry"))


# What a refusal leaves.


def test_a_start_that_is_refused_makes_nothing(tmp_path: Path) -> None:
    data, tables, empty = tmp_path / "data", tmp_path / "tables", tmp_path / "empty"
    tables.mkdir()
    empty.mkdir()
    (tables / "a.toml").write_text(STUD, "utf-8")
    (tables / "b.toml").write_text(STUD.replace('dealing = "', 'dealing = "no-such-'), "utf-8")
    assert "have a known password" in serve(data, "--host", "0.0.0.0")  # noqa: S104 (what is refused)
    assert "The table b cannot be opened" in serve(data, "--tables", str(tables))
    assert "There is no Submission" in serve(data, "--tables", str(empty))
    assert "There is no Submission" in serve(data, "--tables", str(tmp_path / "nowhere"))
    assert "“betting” must be from 0 to 3600, not -5" in serve(data, betting="-5")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        other = int(port) + 1 if port != "65535" else 65534
        assert serve(data, "--port", port) == (
            f"pitboss: Port {port} of 127.0.0.1 is in use. Choose another: pitboss serve --port {other},"
            f" or make run PORT={other}.\n"
        )
    assert not data.exists()


def test_a_port_in_use_is_not_written_down_as_a_start(tmp_path: Path) -> None:
    data = tmp_path / "data"
    started(data, demo="false")
    before = notes(data)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        serve(data, "--port", str(taken.getsockname()[1]), demo="false")
    assert notes(data) == before


# Submissions.


def test_a_table_is_not_named_as_the_house(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text(STUD, "utf-8")
    assert "The name “house” is reserved" in serve(tmp_path / "data", "--tables", str(tmp_path))


def test_a_submission_that_was_changed_is_not_passed_over(tmp_path: Path) -> None:
    data, file = tmp_path / "data", tmp_path / "stud.toml"
    file.write_text(STUD, "utf-8")
    started(data, "--tables", str(tmp_path))
    started(data, "--tables", str(tmp_path))
    file.write_text(f"{STUD}\n", "utf-8")
    assert "Save the new one under another file name" in serve(data, "--tables", str(tmp_path))
    file.rename(tmp_path / "stud-2.toml")
    started(data, "--tables", str(tmp_path))
    assert rows(Server(data), "SELECT id FROM chain WHERE kind = 'table' ORDER BY id") == [("stud",), ("stud-2",)]


# What lies in the data folder.


def test_a_folder_that_cannot_be_written_to_is_said_to_be_so(tmp_path: Path) -> None:
    (tmp_path / "house.lock").mkdir()
    assert f"The data folder {tmp_path} is not writable" in serve(tmp_path)


def test_another_programs_database_is_not_taken_over(tmp_path: Path) -> None:
    file = tmp_path / "house.db"
    with sqlite3.connect(file) as other:
        other.execute("CREATE TABLE recipe (name TEXT)")
    other.close()
    before = file.read_bytes()
    assert "another program: it has the table recipe" in serve(tmp_path)
    given = f"{PASSWORD}\n".encode()
    assert "another program" in refused("hire", "zed", "operator", "--data", str(tmp_path), given=given)
    assert file.read_bytes() == before


def test_a_damaged_database_is_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "house.db"
    db = connect_or_create(Config(data=str(tmp_path)))
    ((page,),) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'chain'")
    ((size,),) = db.execute("PRAGMA page_size")
    db.close()
    whole = file.read_bytes()
    file.write_bytes(whole[: (page - 1) * size] + b"\xff" * size + whole[page * size :])
    given = f"{PASSWORD}\n".encode()
    assert "cannot be used" in serve(tmp_path)
    assert "cannot be used" in refused("hire", "zed", "operator", "--data", str(tmp_path), given=given)


def test_a_signing_key_that_is_none_is_found_before_the_house_is_open(tmp_path: Path) -> None:
    (tmp_path / "signing.key").write_text("garbage", "utf-8")
    assert "is not a private key" in serve(tmp_path)
    assert not (tmp_path / "house.db").exists()


@pytest.mark.parametrize("errors", ["strict", "surrogateescape"])
def test_a_password_that_is_no_text_is_refused(tmp_path: Path, errors: str) -> None:
    """In a process of its own, since that is where standard input gets its encoding."""
    asked, given = ("hire", "zed", "operator", "--data", str(tmp_path / "data")), b"pass\xff\xfepasspasspass\n"
    assert "must be UTF-8 text" in sentence(in_a_process(*asked, given=given, errors=errors))
    assert not (tmp_path / "data").exists()


def test_a_server_that_is_refused_ends(tmp_path: Path) -> None:
    """In a process of its own: nothing that was begun keeps it there."""
    (tmp_path / "house.lock").mkdir()
    ended = in_a_process("serve", "--data", str(tmp_path), "--port", str(free_port()))
    assert "is not writable" in sentence(ended)
