"""The welcome of `pitboss serve`: a box in a terminal, plain lines elsewhere, with the same content."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from pitboss.cli.welcome import print_welcome
from pitboss.disclaimer import DISCLAIMER
from pitboss.house.config import Config

DEMO = [("dana", "dealer"), ("ann", "patron"), ("bob", "patron")]
BOX = "╭╮╰╯"


def welcome_text(
    *,
    terminal: bool,
    demo: list[tuple[str, str]],
    posts: dict[str, int],
    settings: Config | None = None,
    closed: tuple[str, ...] = (),
) -> str:
    """Return the printed text, without the frame and with single spaces."""
    out = Console(file=io.StringIO(), force_terminal=terminal, width=100, color_system=None)
    settings = settings or Config(data="data", timezone="Asia/Tokyo")
    tables = ["cajun-stud", "caribbean-stud"]
    print_welcome(out, settings, demo=demo, posts=posts, tables=tables, closed=closed, seeded=False)
    assert isinstance(out.file, io.StringIO)
    text = out.file.getvalue()
    assert all((corner in text) == terminal for corner in BOX)
    return " ".join(text.replace("│", " ").split())


@pytest.mark.parametrize("terminal", [True, False])
def test_the_welcome_has_all_information(*, terminal: bool) -> None:
    said = welcome_text(terminal=terminal, demo=DEMO, posts={"dealer": 1, "patron": 3}, closed=("old",))
    for words in (
        "The house is open at http://127.0.0.1:8639 ",
        "Play money.",
        "Password play-money, for everyone named below",
        "Patron ann, bob, 1 with a password of their own",
        "Dealer dana",
        "Tables cajun-stud, caribbean-stud",
        "Closed tables old",
        "Time zone Asia/Tokyo (JST)",
        f"Data folder {Path('data').resolve()}",
        DISCLAIMER,
        "Ctrl-C closes the house; the next start continues where it stopped.",
    ):
        assert words in said, words


def test_no_password_is_shown_without_demo_people() -> None:
    said = welcome_text(terminal=False, demo=[], posts={"operator": 1, "dealer": 12})
    assert "Dealer 12 with passwords of their own Operator 1 with a password of their own" in said
    assert "play-money" not in said


def test_a_house_without_people_says_how_to_hire() -> None:
    said = welcome_text(terminal=False, demo=[], posts={})
    assert "People none yet; add the first one with: pitboss hire NAME operator" in said


def test_the_address_works_in_a_browser_and_the_database_password_is_hidden() -> None:
    settings = Config(host="::1", port=9000, origin="https://house.example", database="postgresql://a:secret@db/house")
    said = welcome_text(terminal=False, demo=[], posts={}, settings=settings)
    assert "The house is open at http://[::1]:9000 " in said
    assert "https://house.example" in said
    assert "Database PostgreSQL" in said
    assert "secret" not in said


def test_real_money_is_announced() -> None:
    said = welcome_text(terminal=False, demo=[], posts={}, settings=Config(play_money=False))
    assert "Real money: the operator's licence is required." in said
