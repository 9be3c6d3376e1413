"""A refused start prints one sentence and leaves the house unchanged."""

import socket
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest
from approved_submissions import approved_text
from command import Ran, in_a_process, pitboss
from house_server import PASSWORD, Server, free_port
from staffed_house import query

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
    """The one sentence of a refused command."""
    assert (ran.status, ran.err.count("\n"), ran.out) == (2, 1, ""), ran
    return ran.err


def serve(data: Path, *more: str, **settings: str) -> str:
    """Start a server that must refuse; return its sentence."""
    port = () if "--port" in more else ("--port", str(free_port()))
    return refused("serve", "--data", str(data), *port, *more, settings=settings)


def start_and_stop(data: Path, *more: str, **settings: str) -> None:
    """Open a house, and close it again."""
    environment = {f"PITBOSS_{name.upper()}": value for name, value in settings.items()}
    ran = pitboss("serve", "--data", str(data), "--port", str(free_port()), *more, environment=environment)
    assert (ran.status, "The house is open at" in ran.out, ran.err) == (0, True, "")


def house_log_notes(data: Path) -> list[tuple[str, str]]:
    """The notes in the house's log: what happened, and the state after it."""
    found = query(Server(data), "SELECT body ->> '$.act.what', body ->> '$.act.after' FROM entry ORDER BY seq")
    return [(what, after) for what, after in found if what]


# The kind of money.


@pytest.mark.parametrize(("first", "kind"), [("true", "play money"), ("false", "real money")])
def test_a_house_keeps_its_kind_of_money(tmp_path: Path, first: str, kind: str) -> None:
    data, other = tmp_path / "data", "false" if first == "true" else "true"
    start_and_stop(data, demo="false", play_money=first)
    assert house_log_notes(data) == [("the house opens for money of one kind", kind), ("the server started", "")]
    assert f"was opened for {kind}. Use another" in serve(data, demo="false", play_money=other)
    start_and_stop(data, demo="false", play_money=first)
    assert [what for what, _ in house_log_notes(data)].count("the house opens for money of one kind") == 1


def test_servers_on_one_postgresql_have_one_kind_of_money(tmp_path: Path, postgres_url: str) -> None:
    start_and_stop(tmp_path / "one", demo="false", play_money="false", database=postgres_url)
    assert "was opened for real money" in serve(tmp_path / "other", demo="false", database=postgres_url)
    assert not (tmp_path / "other").exists()


def test_an_older_house_without_buy_ins_has_play_money(tmp_path: Path) -> None:
    data = tmp_path / "data"
    start_and_stop(data)
    query(Server(data), "DELETE FROM entry WHERE seq = 1")  # as in an older house
    db = connect(Config(data=str(data)))
    assert read_money_kind(db) == "play money"
    db.close()


@pytest.mark.proves("639a.2(b)")
def test_2_b_a_refused_start_for_real_money_leaves_open_tables_open(tmp_path: Path) -> None:
    data, tables = tmp_path / "data", tmp_path / "tables"
    tables.mkdir()
    (tables / "stud.toml").write_text(approved_text("639a", "layout"), "utf-8")
    settings = {"demo": "false", "play_money": "false"}
    said = serve(data, "--tables", str(tables), **settings)
    assert "The table stud is not approved for real money. Missing: the layout," in said
    assert not data.exists()
    (tables / "stud.toml").write_text(approved_text("639a"), "utf-8")
    start_and_stop(data, "--tables", str(tables), **settings)
    start_and_stop(data, "--tables", str(tables), **settings)


def test_seeded_cards_need_play_money_and_are_logged(tmp_path: Path) -> None:
    data = tmp_path / "data"
    assert "play money only" in serve(data, "--seed", "abc", play_money="false", demo="false")
    assert not data.exists()
    start_and_stop(data, "--seed", "abc", demo="false")
    assert house_log_notes(data)[-1] == ("the server started", "its cards are seeded")
    assert b"abc" not in b"".join(bytes(body) for (body,) in query(Server(data), "SELECT body FROM entry"))


# After a refusal.


def test_a_refused_start_creates_no_files(tmp_path: Path) -> None:
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


def test_a_start_on_a_used_port_is_not_logged(tmp_path: Path) -> None:
    data = tmp_path / "data"
    start_and_stop(data, demo="false")
    before = house_log_notes(data)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        serve(data, "--port", str(taken.getsockname()[1]), demo="false")
    assert house_log_notes(data) == before


# Submissions.


def test_refuses_a_table_named_house(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text(STUD, "utf-8")
    assert "The name “house” is reserved" in serve(tmp_path / "data", "--tables", str(tmp_path))


def test_refuses_a_changed_submission_under_the_same_name(tmp_path: Path) -> None:
    data, file = tmp_path / "data", tmp_path / "stud.toml"
    file.write_text(STUD, "utf-8")
    start_and_stop(data, "--tables", str(tmp_path))
    start_and_stop(data, "--tables", str(tmp_path))
    file.write_text(f"{STUD}\n", "utf-8")
    assert "Save the new one under another file name" in serve(data, "--tables", str(tmp_path))
    file.rename(tmp_path / "stud-2.toml")
    start_and_stop(data, "--tables", str(tmp_path))
    assert query(Server(data), "SELECT id FROM chain WHERE kind = 'table' ORDER BY id") == [("stud",), ("stud-2",)]


# The data folder.


def test_refuses_a_read_only_folder(tmp_path: Path) -> None:
    (tmp_path / "house.lock").mkdir()
    assert f"The data folder {tmp_path} is not writable" in serve(tmp_path)


def test_refuses_the_database_of_another_program(tmp_path: Path) -> None:
    file = tmp_path / "house.db"
    with sqlite3.connect(file) as other:
        other.execute("CREATE TABLE recipe (name TEXT)")
    other.close()
    before = file.read_bytes()
    assert "another program: it has the table recipe" in serve(tmp_path)
    given = f"{PASSWORD}\n".encode()
    assert "another program" in refused("hire", "zed", "operator", "--data", str(tmp_path), given=given)
    assert file.read_bytes() == before


def test_refuses_a_damaged_database_in_one_sentence(tmp_path: Path) -> None:
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


def test_refuses_an_invalid_signing_key_before_opening(tmp_path: Path) -> None:
    (tmp_path / "signing.key").write_text("garbage", "utf-8")
    assert "is not a private key" in serve(tmp_path)
    assert not (tmp_path / "house.db").exists()


@pytest.mark.parametrize("errors", ["strict", "surrogateescape"])
def test_refuses_a_password_that_is_not_utf8(tmp_path: Path, errors: str) -> None:
    """In a separate process, because standard input gets its encoding there."""
    asked, given = ("hire", "zed", "operator", "--data", str(tmp_path / "data")), b"pass\xff\xfepasspasspass\n"
    assert "must be UTF-8 text" in sentence(in_a_process(*asked, given=given, errors=errors))
    assert not (tmp_path / "data").exists()


def test_the_process_ends_after_a_refused_start(tmp_path: Path) -> None:
    """In a separate process: no thread keeps it running."""
    (tmp_path / "house.lock").mkdir()
    ended = in_a_process("serve", "--data", str(tmp_path), "--port", str(free_port()))
    assert "is not writable" in sentence(ended)
