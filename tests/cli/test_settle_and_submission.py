"""`pitboss settle`, `submission` and `signs`, as the floor and the office use them."""

import json
from pathlib import Path
from typing import Any

import pytest
from command import pitboss

STUD = ("settle", "caribbean-stud", "--player", "Kc Kd 8s 5h 2c", "--dealer", "Ac Kh 9d 7d 3s")
CAJUN = ("settle", "cajun-stud", "--player", "9c 8c", "--board", "7c 6c 5c")


def as_json(*arguments: str, status: int = 0) -> Any:
    ran = pitboss(*arguments, "--format", "json")
    assert ran.status == status, ran.err
    return json.loads(ran.out)


def test_a_settlement_is_printed_as_json() -> None:
    found = as_json(*STUD, "--wager", "ante=10", "--wager", "bonus=2.50", "--raise", "2")
    assert found == {
        "lines": [
            {
                "wager": "ante", "outcome": "win", "stake": 1000, "returned": 1000, "pays": 1000, "net": 1000,
                "cite": "639a.11(c)(3)(ii)(B)", "why": "Pair of kings beats the dealer's ace-king high; pays 1 to 1.",
            },
            {
                "wager": "bet", "outcome": "win", "stake": 2000, "returned": 2000, "pays": 2000, "net": 2000,
                "cite": "639a.11(c)(3)(ii)(B)", "why": "Pair of kings beats the dealer's ace-king high; pays 1 to 1.",
            },
            {
                "wager": "bonus", "outcome": "win", "stake": 250, "returned": 250, "pays": 250, "net": 250,
                "cite": "639a.11(c)(4)", "why": "A pair of 10s or better pays 1 to 1.",
            },
        ],
        "net": 3250,
        "warnings": [],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "lines", "net"),
    [
        ((*STUD, "--wager", "ante=10", "--fold"), ["ante forfeited -1000"], -1000),
        (
            (*STUD, "--wager", "ante=10", "--raise", "2", "--wager", "progressive=5", "--paytable", "progressive=D", "--envy", "Ah Qh Jh Th 9h", "--envy", "7s 6s 5s 4s 3h"),
            ["ante win 1000", "bet win 2000", "progressive lose -500"],
            2500,
        ),
        (
            (*STUD, "--wager", "ante=10", "--fold", "--wager", "progressive=5", "--paytable", "progressive=D", "--envy", "Qh Jh Th 9h 8h", "--envy", "7s 6s 5s 4s 3h"),
            ["ante forfeited -1000", "progressive forfeited -500", "envy-bonus bonus 150000"],
            148500,
        ),
        (
            ("settle", "639a", "--player", "Ah Kh Qh Jh Th", "--dealer", "Ac Kd 9d 7d 3s", "--wager", "ante=10", "--raise", "2", "--wager", "progressive=1", "--meter", "main=23456.78"),
            ["ante win 1000", "bet win 200000", "progressive win 2345578"],
            2546578,
        ),
        (
            (*STUD, "--wager", "ante=10", "--raise", "2", "--wager", "five-card-hand-player=1", "--wager", "five-card-hand-dealer=5", "--magic", "Kc", "--lucky", "dealer"),
            ["ante win 1000", "bet win 2000", "five-card-hand-dealer lose -500", "lucky-bonus-dealer bonus 2500", "five-card-hand-player lose -100", "magic-card-player bonus 2000"],
            6900,
        ),
        (
            (*CAJUN, "--submission", "cajun-stud-rack-card", "--wager", "ante=100", "--raise", "3", "--raise", "3", "--raise", "3", "--wager", "pocket-bonus=5"),
            ["ante win 1000000", "raise-1 win 3000000", "raise-2 win 3000000", "raise-3 win 3000000", "payout-limit limited -5000000", "pocket-bonus lose -500"],
            4999500,
        ),
        (
            (*CAJUN, "--wager", "ante=10", "--raise", "1", "--fold", "--wager", "all-six=1", "--all-six", "4c", "--reading", "cajun-all-six-cards=community-plus-one"),
            ["ante forfeited -1000", "raise-1 forfeited -1000", "all-six win 20000"],
            18000,
        ),
        (
            ("settle", "cajun-stud", "--player", "9c 8c", "--board", "9d 8d 5c", "--wager", "ante=5", "--raise", "1", "--raise", "1", "--raise", "1", "--paytable", "ante-raise=B"),
            ["ante win 750", "raise-1 win 750", "raise-2 win 750", "raise-3 win 750"],
            3000,
        ),
        (
            ("settle", "four-card-prime", "--player", "2c 2d 2h 7s 9c", "--dealer", "3c 3d 3h 8s 9d Jh", "--wager", "ante=10", "--raise", "3", "--paytable", "bad-beat-bonus=D"),
            ["ante returned 0", "raise lose -3000", "bad-beat-bonus bonus 10000"],
            7000,
        ),
        (
            ("settle", "four-card-prime", "--player", "2c 2d 2h 7s 9c", "--dealer", "3c 3d 3h 8s 9d Jh", "--wager", "ante=10", "--left", "--wager", "aces-bonus=1"),
            ["ante forfeited -1000", "aces-bonus win 1000"],
            0,
        ),
        (
            (*STUD, "--wager", "ante=10", "--raise", "2", "--left", "--wager", "bonus=1", "--reading", "abandoned-wagers=played-out"),
            ["ante win 1000", "bet win 2000", "bonus win 100"],
            3100,
        ),
        (
            (*STUD, "--wager", "ante=10", "--raise", "2", "--left", "--wager", "bonus=1", "--reading", "abandoned-wagers=all-lose"),
            ["ante lose -1000", "bet lose -2000", "bonus lose -100"],
            -3100,
        ),
    ],
)  # fmt: skip
def test_a_settlement_is_printed_line_by_line(arguments: tuple[str, ...], lines: list[str], net: int) -> None:
    found = as_json(*arguments)
    assert [f"{line['wager']} {line['outcome']} {line['net']}" for line in found["lines"]] == lines
    assert found["net"] == net == sum(line["net"] for line in found["lines"])


def test_a_settlement_is_printed_in_words() -> None:
    ran = pitboss(*STUD, "--wager", "ante=10", "--raise", "2")
    assert ran.status == 0
    for words in (
        "│K  │",
        "639a (codified 2019)",
        "§ 639a.11(c)(3)(ii)(B)",
        "Pair of kings beats",
        "The patron wins $30.00.",
    ):
        assert words in ran.out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((*STUD, "--wager", "ante=10.25", "--raise", "2"), "The Ante wager of $10.25 is not a multiple of the table's unit, $0.50."),
        ((*STUD, "--wager", "ante=10.001", "--raise", "2"), "“10.001” is not an amount in dollars and whole cents, such as 25 or 7.50."),
        ((*STUD, "--wager", "ante=-5", "--raise", "2"), "“-5” is not an amount in dollars and whole cents"),
        ((*STUD, "--wager", "ante", "--raise", "2"), "“ante” must have the form NAME=VALUE, for example ante=10."),
        ((*STUD, "--wager", "ante=1", "--wager", "ante=2", "--raise", "2"), "“ante” is given twice."),
        ((*STUD, "--wager", "ante=10", "--raise", "3"), "The Bet is 2 times the Ante, not 3 times (639a.11(b))."),
        ((*STUD, "--wager", "ante=10", "--raise", "two"), "“two” is not a whole number."),
        ((*STUD, "--wager", "ante=10", "--raise", "1.5"), "“1.5” is not a whole number."),
        ((*STUD, "--wager", "ante=10", "--raise", "0"), "A raise cannot be 0; to fold, use --fold."),
        ((*STUD, "--wager", "ante=١", "--fold"), "“١” is not an amount in dollars and whole cents"),
        ((*STUD, "--wager", "ante=10", "--fold", "--submission", ""), "“” cannot be read: Is a directory."),
        ((*CAJUN, "--wager", "ante=10", "--fold", "--paytable", "ante=B", "--paytable", "ante-raise=C"), "“ante” and “ante-raise” name the same paytable; give one of them."),
        ((*STUD, "--wager", "ante=10", "--fold", "--paytable", "bet=A"), "The Submission caribbean-stud-standard, with these overrides, is not valid: wagers.ante.paytable: The chapter has one paytable for this wager"),
        (("submission", "new", "639a", "-o", "a" * 300), f"{'a' * 300} cannot be written: File name too long."),
        (("signs", "cajun-stud-rack-card", "-o", "b" * 300 + ".pdf"), f"{'b' * 300}.pdf cannot be written: File name too long."),
        ((*STUD, "--wager", "ante=10"), "The Bet is undecided: raise or fold (639a.11(b))."),
        ((*STUD, "--wager", "ante=10", "--wager", "prime=1", "--raise", "2"), "caribbean-stud has no wager “prime” before the deal; there are"),
        ((*STUD, "--wager", "ante=10", "--raise", "2", "--meter", "mega=1"), "There is no meter “mega” at this table; there are five-card-hand, main."),
        ((*STUD, "--wager", "ante=10", "--raise", "2", "--paytable", "bonus=Z"), "The Submission caribbean-stud-standard, with these overrides, is not valid: wagers.bonus.paytable: There is no Paytable Z; the Submission chooses one of A, B, C. (639a.12(c))"),
        ((*STUD, "--wager", "ante=10", "--raise", "2", "--paytable", "bones=A"), "Unknown wager or paytable “bones”; did you mean “bonus”?"),
        ((*STUD, "--wager", "ante=10", "--raise", "2", "--reading", "own-contribution=x"), "The Submission caribbean-stud-standard, with these overrides, is not valid: readings.own-contribution: The reading own-contribution has no option “x”; it has yes, no."),
        ((*STUD, "--wager", "ante=10", "--raise", "2", "--reading", "five-card-wheel=no"), "The Submission caribbean-stud-standard, with these overrides, is not valid: readings.five-card-wheel: This reading does not apply to this game"),
        ((*STUD, "--wager", "ante=10", "--raise", "2", "--lucky", "board"), "Unknown position “board”; use one of dealer, player."),
        ((*STUD, "--wager", "ante=10", "--raise", "2", "--magic", "1x"), "“1x” is not a card"),
        ((*STUD, "--wager", "ante=10", "--raise", "2", "--envy", "Kc Qc Jc Tc 9c"), "Kc is listed twice; a card can appear only once."),
        ((*STUD, "--wager", "ante=10", "--raise", "2", "--envy", "Qc Jc Tc 9c"), "Another patron has 5 cards, not 4."),
        ((*STUD, "--wager", "ante=10", "--raise", "2", "--sharing", "0"), "A jackpot needs at least one wager to share it, not 0."),
        ((*STUD, "--wager", "ante=10", "--raise", "2", "--submission", "cajun-stud-rack-card"), "The Submission cajun-stud-rack-card is for cajun-stud, not caribbean-stud."),
        ((*STUD, "--wager", "ante=10", "--raise", "2", "--submission", "nowhere.toml"), "There is no file or preset “nowhere.toml”; presets are"),
        ((*CAJUN, "--wager", "ante=10", "--fold", "--magic", "Kc"), "cajun-stud pays nothing for a card drawn by the system."),
        ((*CAJUN, "--wager", "ante=10", "--fold", "--envy", "Kc Kd"), "cajun-stud pays nothing for another patron's hand."),
        (("settle", "whist"), "There is no game “whist”; there are"),
        (("submission", "check", "nowhere"), "There is no file or preset “nowhere”; presets are"),
        (("submission", "new", "whist"), "There is no game “whist”; there are"),
        (("signs", "nowhere"), "There is no file or preset “nowhere”; presets are"),
        (("signs", "cajun-stud-rack-card", "-o", "sign.txt"), "A sign is a .pdf or .html file, not .txt; give one of these or a folder."),
    ],
)  # fmt: skip
def test_a_mistake_is_one_sentence_and_status_2(arguments: tuple[str, ...], sentence: str) -> None:
    ran = pitboss(*arguments)
    assert ran.err.startswith(f"pitboss: {sentence}")
    assert len(ran.err.splitlines()) == 1
    assert (ran.status, ran.out) == (2, "")


def test_a_new_submission_is_written_checked_and_used(tmp_path: Path) -> None:
    file = tmp_path / "table 7.toml"
    assert pitboss("submission", "new", "cajun-stud", "-o", str(file)).status == 0
    checked = as_json("submission", "check", str(file))
    missing = [needed["kind"] for needed in checked.pop("not_approved")["missing"]]
    assert missing == ["approved", "layout", "drop-box", "manual-shoe"]
    assert checked == {"ok": True, "problems": [], "warnings": []}
    again = pitboss("submission", "new", "cajun-stud", "-o", str(file))
    assert (again.status, again.err.count("already exists")) == (2, 1)
    text = file.read_text()
    file.write_text(
        text.replace("seats = 6", "seats = 7").replace('paytable = "A"            # of Ante', 'paytable = "B" #')
    )
    assert as_json("submission", "check", str(file), status=1) == {
        "ok": False,
        "problems": [
            {"where": "table.seats", "problem": "A table has 1 to 6 betting positions, not 7.", "cite": "683a.2(a)"}
        ],
        "warnings": [],
        "not_approved": None,
    }
    refused = pitboss(*CAJUN, "--wager", "ante=5", "--fold", "--submission", str(file))
    assert refused.status == 2
    assert "is not valid: table.seats" in refused.err
    file.write_text(file.read_text().replace("seats = 7", "seats = 5"))
    told = pitboss("submission", "diff", "cajun-stud-standard", str(file))
    assert told.out.splitlines() == ["The seats changed from 6 to 5.", "The paytable of ante changed from A to B."]
    two_pair = as_json(
        "settle",
        "683a",
        "--player",
        "9c 8c",
        "--board",
        "9d 8d 5c",
        "--wager",
        "ante=5",
        *("--raise", "1") * 3,
        "--submission",
        str(file),
    )
    assert two_pair["net"] == 4 * 750


def test_a_key_that_looks_like_markup_is_printed_unchanged(tmp_path: Path) -> None:
    file = tmp_path / "odd.toml"
    file.write_text('"[/x]" = 1\n[wagers."[/bold]x"]\nminimum = 1\n')
    ran = pitboss("submission", "check", str(file))
    assert (ran.status, ran.err) == (2, "")
    assert "[/x]" in ran.out


def test_an_unknown_key_gets_a_suggestion(tmp_path: Path) -> None:
    file = tmp_path / "typo.toml"
    file.write_text(pitboss("submission", "new", "683a").out.replace("seats = 6", "seats = 6\nshufler = 1"))
    found = as_json("submission", "check", str(file), status=2)
    says = "There is no key “shufler” here; did you mean “shuffler”?"
    assert found["problems"] == [{"where": "table.shufler", "problem": says, "cite": ""}]
    used = pitboss(*CAJUN, "--wager", "ante=5", "--fold", "--submission", str(file))
    assert (used.status, used.out) == (2, "")
    assert says in used.err


def test_a_draft_can_be_compared(tmp_path: Path) -> None:
    file = tmp_path / "draft.toml"
    file.write_text(pitboss("submission", "new", "683a").out.replace("seats = 6", "seats = 9"))
    assert pitboss("submission", "diff", "cajun-stud-standard", str(file)).out == "The seats changed from 6 to 9.\n"
    file.write_text("game = 3")
    assert pitboss("submission", "diff", "cajun-stud-standard", str(file)).status == 2


def test_the_verdict_in_words_is_the_net_result() -> None:
    split = ("--wager", "five-card-hand-dealer=1", "--meter", "five-card-hand=9000", "--sharing", "3", "--fold")
    ran = pitboss(
        "settle",
        "639a",
        "--player",
        "Kc Kd 8s 5h 2c",
        "--dealer",
        "9h 8h 7h 6h 5d".replace("5d", "Th"),
        "--wager",
        "ante=10",
        *split,
    )
    assert "The patron wins $289.00." in ran.out  # 10 % of $9,000 by three, less $11 staked
    assert "The patron loses $10.00." in pitboss(*STUD, "--wager", "ante=10", "--fold").out


def test_presets_are_listed() -> None:
    assert {preset["name"] for preset in as_json("submission", "list")} == {
        "caribbean-stud-standard",
        "four-card-prime-as-published",
        "four-card-prime-standard",
        "cajun-stud-standard",
        "cajun-stud-rack-card",
    }


def test_signs_are_written(tmp_path: Path) -> None:
    assert pitboss("signs", "cajun-stud-rack-card", "-o", str(tmp_path / "out")).status == 0
    files = sorted((tmp_path / "out").iterdir())
    assert [file.name for file in files] == ["cajun-stud-rack-card-sign.html", "cajun-stud-rack-card-sign.pdf"]
    assert files[1].read_bytes().startswith(b"%PDF-")
    assert pitboss("signs", "cajun-stud-rack-card", "-o", str(tmp_path / "a.html")).status == 0
    assert (tmp_path / "a.html").read_text("utf-8") == files[0].read_text("utf-8")


ACES = "Aces Bonus, Paytable A, holds 46.32 % of the wager; the Board published 1.11 % to 6.6 %."


def test_an_edge_outside_the_published_range_is_only_a_warning(tmp_path: Path) -> None:
    checked = pitboss("submission", "check", "four-card-prime-standard")
    assert checked.status == 0
    assert f"Warning: {ACES} The reading aces-bonus-hand-size = four-card" in " ".join(checked.out.split())
    assert "Aces Bonus" not in pitboss("submission", "check", "four-card-prime-as-published").out
    prime = (
        "settle",
        "682a",
        "--player",
        "Ah Ad Ac As 2d",
        "--dealer",
        "Kh Kd 3c 4s 5d 7h",
        "--raise",
        "1",
        "--wager",
        "ante=10",
    )
    assert ACES not in " ".join(pitboss(*prime).out.split())
    settled = as_json(*prime, "--wager", "aces-bonus=5")
    assert settled["net"] == 277_000
    assert [one["offer"] for one in settled["warnings"]] == ["ante", "aces-bonus"]
    assert settled["warnings"][1]["readings"] == {"aces-bonus-hand-size": "four-card"}
    assert settled["warnings"][1]["percent"] == "46.3191"
    signed = pitboss("signs", "four-card-prime-standard", "-o", str(tmp_path / "sign.html"))
    assert f"Warning: {ACES}" in " ".join(signed.out.split())
    assert ACES in (tmp_path / "sign.html").read_text()
