"""A check finds all problems of a Submission at once, each with its clause."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from pitboss.errors import Mistake
from pitboss.rulebook import cite
from pitboss.submission import Offer, Problem, Submission, Table, examine, load, presets, problems
from pitboss.submission.parser import parse, text_of

STUD, PRIME, CAJUN = "caribbean-stud-standard", "four-card-prime-standard", "cajun-stud-standard"


def problems_with(preset: str, *changes: tuple[str, str], more: str = "") -> list[Problem]:
    """Check a preset with some changes."""
    text = text_of(preset)
    for old, new in changes:
        assert text.count(old) >= 1, old
        text = text.replace(old, new, 1)
    submission, wrong = parse(text + more, "test")
    return [*wrong, *(problems(submission) if submission else [])]


@pytest.mark.parametrize("name", ["cajun-stud-rack-card", CAJUN, STUD, PRIME])
def test_every_preset_is_valid(name: str) -> None:
    assert name in presets()
    assert examine(text_of(name))[1] == []


def test_the_rack_card_preset_matches_the_printed_card() -> None:
    card = load("cajun-stud-rack-card")
    letters = {name: offer.paytable for name, offer in card.wagers.items()}
    assert letters == {"ante": "B", "pocket-bonus": "C", "board-bonus": "D", "lo-ball": "A", "all-six": "B"}
    assert card.table.payout_limit == 50_000_00
    assert card.readings["cajun-all-six-cards"] == "community-plus-one"


def test_the_standard_presets_offer_everything_at_paytable_a() -> None:
    for name, offers in {
        STUD: {"ante": "", "bonus": "A", "progressive": "A", "five-card-hand": ""},
        PRIME: {"ante": "A", "prime": "A", "aces-bonus": "A", "all-six": "A"},
        CAJUN: {"ante": "A", "pocket-bonus": "A", "board-bonus": "A", "lo-ball": "A", "all-six": "A"},
    }.items():
        assert {wager: offer.paytable for wager, offer in load(name).wagers.items()} == offers


NO_SHUFFLER = ('shuffler = "automated" ', 'shuffler = "none"')
ONE_DECK = ("decks = 2 ", "decks = 1 ")
# Aces Bonus at $50 and All-Six at $48: a royal flush pays 50 × $50 + 1,000 × $48, four aces 500 × $50 + 50 × $48.
PRIME_MINIMUMS = [
    ("minimum = 1\nmaximum = 1_000\n\n[wagers.all-six]", "minimum = 50\nmaximum = 1_000\n\n[wagers.all-six]"),
    ("minimum = 1\nmaximum = 1_000\n\n[readings]", "minimum = 48\nmaximum = 1_000\n\n[readings]"),
]
BY_HAND = ('dealing = "manual-shoe" ', 'dealing = "hand"')


@pytest.mark.proves("{clause}")
@pytest.mark.parametrize(
    ("preset", "changes", "where", "clause", "says"),
    [
        (STUD, [("seats = 7", "seats = 8")], "table.seats", "639a.2(a)", "A table has 1 to 7 betting positions, not 8."),
        (STUD, [("seats = 7", "seats = 0")], "table.seats", "639a.2(a)", "A table has 1 to 7 betting positions, not 0."),
        (PRIME, [("seats = 6", "seats = 7")], "table.seats", "682a.2(a)", "A table has 1 to 6 betting positions, not 7."),
        (PRIME, [("seats = 6", "seats = 0")], "table.seats", "682a.2(a)", "A table has 1 to 6 betting positions, not 0."),
        (CAJUN, [("seats = 6", "seats = 0")], "table.seats", "683a.2(a)", "A table has 1 to 6 betting positions, not 0."),
        (CAJUN, [("seats = 6", "seats = 7")], "table.seats", "683a.2(a)", "A table has 1 to 6 betting positions, not 7."),
        (STUD, [("boxes = 3", "boxes = 0")], "table.boxes", "639a.7(e)", "A player wagers on at least one adjacent box and at most 7, not 0."),
        (PRIME, [("boxes = 2", "boxes = 7")], "table.boxes", "682a.7(e)", "A player wagers on at least one adjacent box and at most 6, not 7."),
        (CAJUN, [("boxes = 2", "boxes = -1")], "table.boxes", "683a.7(e)", "A player wagers on at least one adjacent box and at most 6, not -1."),
        (STUD, [NO_SHUFFLER], "table.decks", "639a.3(b)", "Two decks need an automated card shuffling device."),
        (PRIME, [NO_SHUFFLER], "table.decks", "682a.3(b)", "Two decks need an automated card shuffling device."),
        (CAJUN, [NO_SHUFFLER], "table.decks", "683a.3(b)", "Two decks need an automated card shuffling device."),
        (STUD, [NO_SHUFFLER, ONE_DECK, BY_HAND], "table.shuffler", "639a.9(a)(1)", "Cards dealt from the hand are shuffled by an automated device."),
        (PRIME, [NO_SHUFFLER, ONE_DECK, BY_HAND], "table.shuffler", "682a.9(a)(1)", "Cards dealt from the hand are shuffled by an automated device."),
        (CAJUN, [NO_SHUFFLER, ONE_DECK, BY_HAND], "table.shuffler", "683a.9(a)(1)", "Cards dealt from the hand are shuffled by an automated device."),
        (STUD, [('shuffler = "automated" ', 'shuffler = "approved-device"'), ("[readings]", '[readings]\napproved-device-as-shuffler = "no"\n#')], "table.decks", "639a.3(b)", "Two decks need an automated card shuffling device."),
        (STUD, [('linked = "no"', 'linked = "games"')], "wagers.progressive.linked", "639a.12(d)(3)", "Paytable A may not share a jackpot on linked games."),
        (STUD, [('linked = "no"', 'linked = "tables"'), ("[readings]", '[readings]\nlinked-tables = "barred"\n#')], "wagers.progressive.linked", "639a.12(d)(3)", "Paytable A may not share a jackpot on linked tables."),
        (STUD, [('paytable = "A"            # A to H', 'paytable = "D" #'), ("amounts = [1, 5]", "amounts = [1, 2]")], "wagers.progressive.amounts", "639a.12(d)(6)", "The Envy Bonus of Paytable D is fixed for wagers of $1 and $5, not $2.00."),
        (STUD, [("amounts = [1, 5]", 'amounts = ["1.50"]')], "wagers.progressive.amounts", "639a.12(d)(4)", "$1.50 is not a whole number of dollars; meters are seeded per dollar of the wager."),
        (STUD, [("amounts = [1, 5]", "amounts = []")], "wagers.progressive.amounts", "639a.12(d)(4)", "The amounts of the wager are missing; seeds are based on them."),
        (STUD, [("# starting = { main = 12_500 }", "starting = { main = 9_999 } #")], "wagers.progressive.starting.main", "639a.12(d)(4)", "The meter starts at $9,999.00 for every dollar of the wager, below its seed of $10,000.00."),
        (STUD, [("# starting = { main = 12_500 }", "starting = { mega = 12_500 } #")], "wagers.progressive.starting.mega", "639a.12(d)(4)", "This wager has no meter “mega”; it has main."),
        (STUD, [("# validated_from = 500", "validated_from = 500")], "wagers.progressive.validated_from", "639a.11(c)(5)(iii)", "A floorperson validates pays of 1 for 1 and more in any case; every pay is validated; leave this out."),
        (STUD, [("validated_from = 500      #", "validated_from = 501 #")], "wagers.five-card-hand.validated_from", "639a.11(c)(6)(ii)", "A floorperson validates pays of 500 for 1 and more in any case; write 1 to 500."),
        (STUD, [('paytable = "A"            # A to C', "#")], "wagers.bonus.paytable", "639a.12(c)", "The wager has no paytable; the Submission chooses one of A, B, C."),
        (STUD, [('paytable = "A"            # A to C', 'paytable = "D" #')], "wagers.bonus.paytable", "639a.12(c)", "There is no Paytable D; the Submission chooses one of A, B, C."),
        (PRIME, [('paytable = "A"            # of the Bad Beat', "#")], "wagers.ante.paytable", "682a.12(c)", "The wager has no paytable; the Submission chooses one of A, B, C, D."),
        (CAJUN, [('paytable = "A"            # of Ante', "#")], "wagers.ante.paytable", "683a.12(a)", "The wager has no paytable; the Submission chooses one of A, B, C."),
        (PRIME, [('paytable = "A"            # A or B: 682a', 'paytable = "C" #')], "wagers.prime.paytable", "682a.12(d)", "There is no Paytable C; the Submission chooses one of A, B."),
        (PRIME, [('paytable = "A"            # A to H: 682a', 'paytable = "I" #')], "wagers.aces-bonus.paytable", "682a.12(e)", "There is no Paytable I; the Submission chooses one of A, B, C, D, E, F, G, H."),
        (PRIME, [('paytable = "A"            # A to E: 682a', 'paytable = "-" #')], "wagers.all-six.paytable", "682a.12(f)", "There is no Paytable -; the Submission chooses one of A, B, C, D, E."),
        (CAJUN, [('paytable = "A"            # A to C: 683a.12(b)', 'paytable = "a" #')], "wagers.pocket-bonus.paytable", "683a.12(b)", "There is no Paytable a; the Submission chooses one of A, B, C."),
        (CAJUN, [('paytable = "A"            # A to D: 683a', "#")], "wagers.board-bonus.paytable", "683a.12(c)", "The wager has no paytable; the Submission chooses one of A, B, C, D."),
        (CAJUN, [('paytable = "A"            # A or B: 683a', "#")], "wagers.lo-ball.paytable", "683a.12(d)", "The wager has no paytable; the Submission chooses one of A, B."),
        (CAJUN, [('paytable = "A"            # A to E: 683a', "#")], "wagers.all-six.paytable", "683a.12(e)", "The wager has no paytable; the Submission chooses one of A, B, C, D, E."),
        (STUD, [("[wagers.ante]", "[wagers.anet]")], "wagers.ante", "639a.7(d)(1)", "The Ante is missing; every other wager needs one."),
        (PRIME, [("[wagers.ante]", "[wagers.anet]")], "wagers.ante", "682a.7(d)(1)", "The Ante is missing; every other wager needs one."),
        (STUD, [("magic-card =", "magick-card =")], "wagers.five-card-hand.bonuses.magick-card", "639a.12(e)(3)", "This wager has no bonus “magick-card” to choose; did you mean “magic-card”?"),
        (STUD, [('linked = "no"             # no, tables', 'bonuses = { magic-card = "1 in 50" }\nlinked = "no" #')], "wagers.progressive.bonuses.magic-card", "639a.12(e)(3)", "This wager has no bonus “magic-card” to choose; there are none."),
        (CAJUN, [("# payout_limit = 50_000", "payout_limit = 50_000"), ("minimum = 1\n", "minimum = 25\n")], "table.payout_limit", "683a.12(f)", "The limit of $50,000.00 is below $60,000.00, the most a patron could win at the minimum wager."),
        (STUD, [("Pitboss Demonstration Casino", "x" * 101)], "property", "639a.2(b)(1)", "The operator's name has more than 100 letters; it would not fit a sign."),
        (STUD, [("Pitboss Demonstration Casino", "Bell\\u0007")], "property", "639a.2(b)(1)", "The operator's name has a character that cannot be printed."),
        (PRIME, [("# payout_limit = 50_000", "payout_limit = 50_000"), ("[wagers.aces-bonus]", "[wagers.aces]"), ("[wagers.all-six]", "[wagers.six]")], "table.payout_limit", "682a.12(g)", "The Submission offers no wager that this limit applies to."),
        (PRIME, [("# payout_limit = 50_000", "payout_limit = 50_400"), ("boxes = 2", "boxes = 1"), *PRIME_MINIMUMS], "table.payout_limit", "682a.12(g)", "The limit of $50,400.00 is below $50,500.00, the most a patron could win at the minimum wager."),
        (STUD, [("amounts = [1, 5]", "amounts = [1]\nminimum = 1")], "wagers.progressive.minimum", "639a.12(d)(4)", "A wager with meters takes the amounts listed under “amounts”, not a range."),
        (STUD, [("amounts = [1, 5]", "amounts = [1, 1]")], "wagers.progressive.amounts", "639a.12(d)(4)", "An amount is listed twice."),
        (STUD, [("amounts = [1, 5]", "amounts = [1]"), ('unit = "0.50"', "unit = 5"), ("minimum = 1\nmaximum = 10_000", "minimum = 5\nmaximum = 10")], "wagers.progressive.amounts", "639a.12(d)(4)", "$1.00 is not a multiple of the unit, $5.00."),
        (STUD, [('paytable = "A"            # A to H', 'paytable = "F" #'), ("# starting = { main = 12_500 }", "starting = { minor = 12_500 } #")], "wagers.progressive.starting.minor", "639a.12(d)(4)", "This wager has no meter “minor”; it has mega, major."),
        (CAJUN, [('unit = "0.50"', 'unit = "0.01"'), ('paytable = "A"            # of Ante', 'paytable = "B" #')], "table.unit", "683a.12(a)", "Two Pair pays 3 to 2, which on the unit of $0.01 is not whole cents."),
        (CAJUN, [("# payout_limit = 50_000", "payout_limit = 49_999")], "table.payout_limit", "683a.12(f)", "The limit of $49,999.00 is below $50,000.00."),
        (CAJUN, [("# payout_limit = 50_000", "payout_limit = 50_000"), ("minimum = 1\n", "minimum = 26\n"), ("boxes = 2", "boxes = 1")], "table.payout_limit", "683a.12(f)", "The limit of $50,000.00 is below $52,000.00, the most a patron could win at the minimum wager."),
        (PRIME, [("# payout_limit = 50_000", "payout_limit = 40_000")], "table.payout_limit", "682a.12(g)", "The limit of $40,000.00 is below $50,000.00."),
        (STUD, [('property = "Pitboss Demonstration Casino"', 'property = " "')], "property", "639a.2(b)(1)", "The operator's name is empty; the layout shows it."),
        (PRIME, [('property = "Pitboss Demonstration Casino"', 'property = " "')], "property", "682a.2(b)(1)", "The operator's name is empty; the layout shows it."),
        (CAJUN, [('property = "Pitboss Demonstration Casino"', 'property = " "')], "property", "683a.2(b)(1)", "The operator's name is empty; the layout shows it."),
        (CAJUN, [("[wagers.ante]", "[wagers.ane]")], "wagers.ante", "683a.7(d)(1)", "The Ante is missing; every other wager needs one."),
    ],
)  # fmt: skip
def test_forbidden_choices_are_problems_with_clauses(
    preset: str, changes: list[tuple[str, str]], where: str, clause: str, says: str
) -> None:
    assert Problem(where, says, clause) in problems_with(preset, *changes)


@pytest.mark.parametrize(
    ("preset", "changes", "where", "clause", "says"),
    [
        (STUD, [("decks = 2 ", "decks = 3 ")], "table.decks", "639a.3(a)", "The game is played with one deck or two, not 3."),
        (STUD, [("[wagers.bonus]", "[wagers.bones]")], "wagers.bones", "639a.7(d)", "The game has no wager “bones” to offer; did you mean “bonus”?"),
        (STUD, [('amounts = [1, 5]\nlinked = "no"\nvalidated', 'paytable = "A"\namounts = [1, 5]\nvalidated')], "wagers.five-card-hand.paytable", "639a.12(e)(1)", "The chapter has one paytable for this wager; leave the letter out."),
        (STUD, [("# decision_timeout = 60", "decision_timeout = 0")], "table.decision_timeout", "", "A timeout is at least 1 second; leave it out to have none."),
        (STUD, [("[readings]", '[readings]\nabandoned-wagers = "all-lose"\n#')], "readings.abandoned-wagers", "639a.7(b)", "Set it as abandoned_wagers under [table]."),
        (STUD, [('unit = "0.50"', "unit = 0")], "table.unit", "", "The unit must be above $0."),
        (STUD, [('version = "1"', f'version = "{"1" * 101}"')], "version", "", "The version has more than 100 letters."),
        (STUD, [('version = "1"', 'version = " "')], "version", "", "The version is empty; every Submission needs a version."),
        (CAJUN, [("minimum = 1\nmaximum = 10_000", "minimum = 0\nmaximum = 10")], "wagers.ante.minimum", "683a.7(d)(1)", "The minimum must be above $0."),
        (CAJUN, [("minimum = 1\nmaximum = 1_000", 'minimum = 1\nmaximum = 10\nlinked = "tables"')], "wagers.pocket-bonus.linked", "683a.7(d)(2)", "This wager has no meter to link."),
        (CAJUN, [("minimum = 1\nmaximum = 1_000", "minimum = 1\nmaximum = 10\namounts = [1]")], "wagers.pocket-bonus.amounts", "683a.7(d)(2)", "This wager has no meter; leave it out."),
        (CAJUN, [("minimum = 1\nmaximum = 10_000", "minimum = 20\nmaximum = 10")], "wagers.ante.minimum", "683a.7(d)(1)", "The minimum of $20.00 is above the maximum of $10.00."),
        (CAJUN, [("minimum = 1\nmaximum = 10_000", "maximum = 10")], "wagers.ante.minimum", "683a.7(d)(1)", "The minimum is missing."),
        (CAJUN, [("minimum = 1\nmaximum = 10_000", 'minimum = "1.25"\nmaximum = 10')], "wagers.ante.minimum", "683a.7(d)(1)", "The minimum of $1.25 is not a multiple of the unit, $0.50."),
        (STUD, [("abandoned_wagers", "payout_limit = 60_000\nabandoned_wagers")], "table.payout_limit", "639a.12", "The chapter has no payout limit for this game."),
        (STUD, [("[readings]", '[readings]\nfive-card-wheel = "no"\n#')], "readings.five-card-wheel", "682a.6(a)", "This reading does not apply to this game; it concerns 682a.6(a)."),
        (STUD, [('"required-lose-optional-play-out"', '"all-loose"')], "table.abandoned_wagers", "639a.7(b)", "Unknown policy “all-loose”; did you mean “all-lose”?"),
    ],
)  # fmt: skip
def test_inconsistent_choices_are_problems(
    preset: str, changes: list[tuple[str, str]], where: str, clause: str, says: str
) -> None:
    assert Problem(where, says, clause) in problems_with(preset, *changes)
    assert not clause or cite(clause)


def test_the_minimum_limit_is_valid() -> None:
    one_box = ("boxes = 2", "boxes = 1")
    assert problems_with(PRIME, ("# payout_limit = 50_000", "payout_limit = 50_500"), one_box, *PRIME_MINIMUMS) == []
    assert (
        problems_with(
            CAJUN, ("# payout_limit = 50_000", "payout_limit = 50_000"), ("minimum = 1\n", "minimum = 25\n"), one_box
        )
        == []
    )
    assert problems_with(CAJUN, ("minimum = 1\nmaximum = 10_000", "minimum = 5\nmaximum = 5")) == []


@pytest.mark.parametrize(
    ("changes", "where", "says"),
    [
        ([("seats = 7", "saets = 7")], "table.saets", "There is no key “saets” here; did you mean “seats”?"),
        ([("seats = 7", "saets = 7")], "table.seats", "This key is missing."),
        ([('game = "caribbean-stud"', 'game = "caribean-stud"')], "game", "There is no game “caribean-stud”; did you mean “caribbean-stud”?"),
        ([("seats = 7", 'seats = "seven"')], "table.seats", "“seven” is not a whole number."),
        ([("maximum = 10_000", "maximum = 10.5")], "wagers.ante.maximum", "“10.5” is not an amount in dollars; write 25 or, in quotes, “7.50”."),
        ([("maximum = 10_000", "maximum = -1")], "wagers.ante.maximum", "“-1” is not an amount in dollars; write 25 or, in quotes, “7.50”."),
        ([('dealing = "manual-shoe"', 'dealing = "manual-show"')], "table.dealing", "“manual-show” is not a valid value here; did you mean “manual-shoe”?"),
        ([('magic-card = "1 in 100"', 'magic-card = "often"')], "wagers.five-card-hand.bonuses.magic-card", "“often” is not a frequency; write “1 in 40”."),
        ([("# approved = 2026-01-15 ", 'approved = "soon" ')], "approved", "“soon” is not a date such as 2026-01-15."),
        ([("maximum = 10_000", "maximum = 1" + "0" * 15)], "wagers.ante.maximum", "“1000000000000000” is not an amount in dollars; write 25 or, in quotes, “7.50”."),
        ([('"1 in 100"', '"5 in 3"')], "wagers.five-card-hand.bonuses.magic-card", "“5 in 3” is not a frequency; write “1 in 40”."),
        ([("amounts = [1, 5]", "amounts = 1")], "wagers.progressive.amounts", "“1” is not a list in brackets."),
        ([("[readings]", "[reading]")], "reading", "There is no key “reading” here; did you mean “readings”?"),
        ([("[readings]", "[readings]\nown-contribution = 1\n#")], "readings.own-contribution", "“1” is not text in quotes."),
        ([("[readings]", '[readings]\nown-contributoin = "no"\n#')], "readings.own-contributoin", "There is no reading “own-contributoin”; did you mean “own-contribution”?"),
        ([("[readings]", '[readings]\nown-contribution = "never"\n#')], "readings.own-contribution", "The reading own-contribution has no option “never”; it has yes, no."),
    ],
)  # fmt: skip
def test_malformed_files_are_problems(changes: list[tuple[str, str]], where: str, says: str) -> None:
    assert Problem(where, says) in problems_with(STUD, *changes)


def test_all_problems_are_found_at_once() -> None:
    everything = problems_with(
        CAJUN, ("seats = 6", "seats = 9"), NO_SHUFFLER, BY_HAND, ("minimum = 1\nmaximum = 1_000", "minimum = 9\nmaximum = 8")
    )  # fmt: skip
    assert [(problem.where, problem.cite) for problem in everything] == [
        ("table.seats", "683a.2(a)"),
        ("table.decks", "683a.3(b)"),
        ("table.shuffler", "683a.9(a)(1)"),
        ("wagers.pocket-bonus.minimum", "683a.7(d)(2)"),
    ]
    # An unknown key or an unused invalid value hides no other problem, and nothing hides a limit that is too low.
    both = problems_with(
        CAJUN,
        ("seats = 6", "seats = 9"),
        ("# decision_timeout = 60", 'decision_timeout = "x"\nboxs = 2'),
        ("# payout_limit = 50_000", "payout_limit = 10"),
    )
    assert [problem.where for problem in both] == [
        "table.boxs",
        "table.decision_timeout",
        "table.seats",
        "table.payout_limit",
    ]
    form = problems_with(
        CAJUN, ("seats = 6", 'seats = "x"'), ("decks = 2", "dekcs = 2"), ("minimum = 1\n", "minimum = true\n")
    )
    assert [problem.where for problem in form] == ["table.dekcs", "table.seats", "table.decks", "wagers.ante.minimum"]
    assert [
        problem.where for problem in problems_with(CAJUN, ("# payout_limit = 50_000", "payout_limit = 60_000"))
    ] == []


def test_the_commented_presets_name_every_key() -> None:
    texts = "".join(text_of(name) for name in (STUD, PRIME, CAJUN))
    keys = set(re.findall(r"^(?:# )?([a-z_]+) =", texts, re.MULTILINE))
    structs = (Submission, Table, Offer)
    named = {field for struct in structs for field in struct.__struct_fields__}
    assert named - keys == {"table", "wagers", "readings", "bonuses", "approvals"}  # these are tables


def test_a_file_takes_precedence_over_a_preset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path(STUD).write_text(text_of(CAJUN))
    assert load(STUD).game == "cajun-stud"


@pytest.mark.parametrize(
    ("write", "says"),
    [
        (lambda file: file.write_text("game ="), "is not TOML"),
        (lambda file: file.write_text("a = " + "[" * 3000), "a number is too long, or tables are nested too deep"),
        (lambda file: file.write_text("a = " + "9" * 5000), "a number is too long, or tables are nested too deep"),
        (lambda file: file.write_bytes(b"\xff\xfe"), "cannot be read: it is not UTF-8 text."),
        (Path.mkdir, "cannot be read: Is a directory."),
        (Path.exists, "There is no file or preset"),
    ],
)
def test_refuses_a_file_that_is_not_a_submission(tmp_path: Path, write: Callable[[Path], object], says: str) -> None:
    file = tmp_path / "table.toml"
    write(file)
    with pytest.raises(Mistake, match=says):
        load(str(file))


def test_refuses_an_invalid_submission(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(text_of(CAJUN).replace("seats = 6", "seats = 9").replace("decks = 2", "decks = 5"))
    with pytest.raises(Mistake, match=r"is not valid: table\.seats: A table has 1 to 6 .* \(and 1 more"):
        load(str(file))
