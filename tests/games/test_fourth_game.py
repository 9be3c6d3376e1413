"""A fourth game is one folder of data and one small module: no code of the package names the three games."""

import re
from pathlib import Path

import pytest
from penny_duel import GAME

from pitboss.errors import Mistake
from pitboss.games import FOLD, GAMES, Bounds, Hands, Terms, agree, settle
from pitboss.games.outcomes import joint_outcomes
from pitboss.rulebook import load

BOOK = load(Path(__file__).parent / "invented")


def terms(letter: str = "A", **readings: str) -> Terms:
    return agree(
        GAME,
        BOOK,
        offered={"penny": Bounds(1, 1000), "color": Bounds(1, 1000)},
        letters={"penny": letter},
        readings={name.replace("_", "-"): option for name, option in readings.items()},
        unit=1,
        payout_limit=500,
    )


@pytest.mark.parametrize(
    ("letter", "player", "dealer", "decisions", "left", "lines"),
    [
        ("A", "9c 9d 2h", "8c 8d Ah", [1], False, ["penny win 100", "double win 200", "color push 0"]),
        ("B", "9c 9d 2h", "8c 8d Ah", [1], False, ["penny win 100", "double win 300", "color push 0"]),
        ("A", "9c 9d 2h", "9h 9s 2c", [1], False, ["penny returned 0", "double returned 0", "color push 0"]),
        ("A", "Kc 9d 2h", "8c 8d Ah", [1], False, ["penny lose -100", "double lose -100", "color lose -10"]),
        ("A", "4c 4d 4h", "8c 8d Ah", [FOLD], False, ["penny forfeited -100", "color win 490"]),
        ("A", "4c 4d 4h", "8c 8d Ah", [1], False, ["penny win 100", "double win 900", "payout-limit limited -400", "color win 490"]),
        ("A", "4c 4d 4h", "8c 8d Ah", [], True, ["penny forfeited -100", "color lose -10"]),
    ],
)  # fmt: skip
def test_the_invented_game_settles(  # noqa: PLR0913 (a row of the table)
    letter: str, player: str, dealer: str, decisions: list[int], *, left: bool, lines: list[str]
) -> None:
    made = settle(
        terms(letter), Hands.of(player=player, dealer=dealer), {"penny": 100, "color": 10}, decisions, left=left
    )
    assert [f"{line.wager} {line.outcome} {line.net}" for line in made] == lines
    assert {line.cite for line in made} <= set(BOOK.clauses)


def test_wagers_of_the_invented_game_are_found() -> None:
    assert set(joint_outcomes(terms(), ["color"])) == {("Triple",), ("Pair",), ("Nothing",)}
    with pytest.raises(Mistake, match=re.escape("Double is 1 times the Penny, not 2 times (998a.11(a)).")):
        settle(terms(), Hands.of(player="9c 9d 2h", dealer="8c 8d Ah"), {"penny": 100}, [2])


def test_common_code_names_no_game_and_no_payout() -> None:
    package = Path(settle.__code__.co_filename).parent
    declarations = {f"{name.replace('-', '_')}.py" for name in GAMES}
    for file in package.glob("*.py"):
        code = re.sub(r'"""(?:.|\n)*?"""|#.*', "", file.read_text("utf-8"))
        if file.name in declarations:
            assert not re.search(r"\d+ (?:to|for) 1", code)
        elif file.name != "__init__.py":
            assert not re.search("caribbean|cajun|prime|639a|682a|683a", code, re.IGNORECASE), file.name
            # Amounts of money are in the data: the only numbers here are a percent, a suit's width, and memory sizes.
            assert set(re.findall(r"\b\d{3,}(?:_\d+)*\b", code)) <= {"100", "50_000", "4_000_000", "120"}, file.name
