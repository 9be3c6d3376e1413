"""A data file that is wrong is refused with one sentence that names the file and the key."""

import shutil
from pathlib import Path

import pytest

from pitboss.rulebook import DataMistake, load
from pitboss.rulebook.loader import DATA


@pytest.fixture(scope="module")
def data_copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copytree(DATA, tmp_path_factory.mktemp("rulebook") / "data"))


CASES = [
    # file, what stands there, what stands there instead, the sentence
    (
        "caribbean-stud/paytables.toml", "[bet]", "[bet",
        "caribbean-stud/paytables.toml: it is not TOML: Expected ']' at the end of a table declaration (at line 9, column 5).",
    ),
    (
        "caribbean-stud/paytables.toml", '"5,000 for 1"', '"5,000 fro 1"',
        "caribbean-stud/paytables.toml, progressive, Straight flush: “5,000 fro 1” is not a pay such as “3 to 2”, “25 for 1”, “10% of meter”, “Push”, “Loss” or “N/A”.",
    ),
    (
        "caribbean-stud/paytables.toml", '"50 to 1"],', '"3 to 0"],',
        "caribbean-stud/paytables.toml, bet, Straight flush: “3 to 0” is not a pay such as “3 to 2”, “25 for 1”, “10% of meter”, “Push”, “Loss” or “N/A”.",
    ),
    (
        "caribbean-stud/paytables.toml", '["Two pair",        "2 for 1",       "2 for 1",       "N/A"]', '["Two pair", "2 for 1", "2 for 1"]',
        "caribbean-stud/paytables.toml, progressive, Two pair: expected a label and 3 cells.",
    ),
    (
        "caribbean-stud/paytables.toml", '["Two pair",        "2 to 1"]', '["Straight", "2 to 1"]',
        "caribbean-stud/paytables.toml, bet, Straight: the row is listed twice.",
    ),
    (
        "caribbean-stud/paytables.toml", '["Two pair",        "2 to 1"]', '["Three pair", "2 to 1"]',
        "caribbean-stud/paytables.toml, bet, Three pair: the ranking bet has no such hand.",
    ),
    (
        "caribbean-stud/paytables.toml", 'paytables = ["D", "E"]', 'paytables = ["C", "E"]',
        "caribbean-stud/paytables.toml, progressive: Paytable C is listed twice.",
    ),
    (
        "caribbean-stud/paytables.toml", 'cite = "639a.12(c)"\ntitle', 'cite = "639a.12(f)"\ntitle',  # cites-nothing
        "caribbean-stud/paytables.toml, bonus: There is no clause 639a.12(f); 639a.12 has (a), (b), (c), (d), (e).",  # cites-nothing
    ),
    (
        "caribbean-stud/paytables.toml", 'ranking = "bonus"', 'rankng = "bonus"',
        "caribbean-stud/paytables.toml, bonus: there is no key “rankng” here; did you mean “ranking”?",
    ),
    (
        "caribbean-stud/paytables.toml", 'ranking = "bonus"', 'ranking = "bonuses"',
        "caribbean-stud/paytables.toml, bonus: there is no ranking “bonuses”.",
    ),
    (
        "caribbean-stud/paytables.toml", 'ranking = "bonus"', "ranking = 5",
        "caribbean-stud/paytables.toml, bonus.ranking: expected `str`, got `int`.",
    ),
    (
        "caribbean-stud/meters.toml", '"53%",           "53%"', '"53",           "53%"',
        "caribbean-stud/meters.toml, progressive, main primary: “53” is not a rate such as “53%”.",
    ),
    (
        "caribbean-stud/meters.toml", '"$1,000 for 1"', '"1,000 for 1"',
        "caribbean-stud/meters.toml, progressive, major seed: “1,000 for 1” is not an amount such as “$10,000 for 1” or “$0”.",
    ),
    (
        "caribbean-stud/meters.toml", '"mega reseed"', '"mega seeds"',
        "caribbean-stud/meters.toml, progressive, mega seeds: a row is a meter's name and one of seed, reseed, primary, reserve.",
    ),
    (
        "caribbean-stud/meters.toml", 'paytables = ["F", "G", "H"]', 'paytables = ["F", "G", "I"]',
        "caribbean-stud/paytables.toml, progressive, Royal flush: meters.toml has no such meter for Paytable H: “100% of mega”.",
    ),
    (
        "caribbean-stud/meters.toml", 'not_linked = { paytables = ["A"', 'not_linked = { paytables = ["X"',
        "caribbean-stud/meters.toml, progressive: there is no Paytable X.",
    ),
    (
        "cajun-stud/rankings.toml", 'cite = "683a.6(c)(1)", same_rank = [2]', 'cite = "683a.6(c)(1)", same_rank = [3]',
        "cajun-stud/rankings.toml, pocket-bonus: hand “Pair of aces” asks for 3 of 2 cards.",
    ),
    (
        "caribbean-stud/rankings.toml", "plays = 5", "plays = 7",
        "caribbean-stud/rankings.toml, five-card: plays must be a number from 0 to 5.",
    ),
    (
        "caribbean-stud/rankings.toml", "same_rank = [4]", 'same_rank = "4"',
        "caribbean-stud/rankings.toml, five-card.hands[2].same_rank: expected an array, got `str`.",
    ),
    (
        "caribbean-stud/meters.toml", 'cite = "639a.12(d)(6)"', 'cite = "12(d)(6)"',
        "caribbean-stud/meters.toml, progressive.envy.cite: “12(d)(6)” is not a citation; write one like 639a.11(c)(3)(i) or 639a.1:bet-wager.",
    ),
    (
        "cajun-stud/rankings.toml", 'cite = "683a.6(c)(4)"', 'cite = "683a.6(c)(5)"',  # cites-nothing
        "cajun-stud/rankings.toml, pocket-bonus, Pair of 2s—kings: There is no clause 683a.6(c)(5); 683a.6(c) has (1), (2), (3), (4).",  # cites-nothing
    ),
    (
        "cajun-stud/rankings.toml", 'board-bonus-threshold = "any-pair"', 'board-bonus-threshold = "some-pair"',
        "cajun-stud/rankings.toml, board-bonus: The reading board-bonus-threshold has no option “some-pair”; it has any-pair, aces-or-better.",
    ),
    (
        "cajun-stud/rankings.toml", "{ board-bonus-ace-low", "{ board-bonus-ace-high",
        "cajun-stud/rankings.toml, board-bonus: There is no reading “board-bonus-ace-high”; did you mean “board-bonus-ace-low”?",
    ),
    (
        "cajun-stud/paytables.toml", "when = { board-bonus-a-mini-royal", "when = { board-bonus-mini-royal",
        "cajun-stud/paytables.toml, board-bonus: There is no reading “board-bonus-mini-royal”; did you mean “board-bonus-a-mini-royal”?",
    ),
    (
        "cajun-stud/paytables.toml", 'hand = "Mini-royal"', 'hand = "Maxi-royal"',
        "cajun-stud/paytables.toml, board-bonus.amendments: there is no “Maxi-royal” in Paytable A.",
    ),
    (
        "cajun-stud/chapter.toml", 'seats = "683a.2(a)"', 'seats = "683a.2(h)"',  # cites-nothing
        "cajun-stud/chapter.toml, grounds.seats: There is no clause 683a.2(h); 683a.2 has (a), (b), (c), (d).",  # cites-nothing
    ),
    (
        "cajun-stud/chapter.toml", 'seats = "683a.2(a)"', 'seats = "682a.2(a)"',
        "cajun-stud/chapter.toml, grounds.seats: 682a.2(a) is not a clause of chapter 683a.",
    ),
    (
        "cajun-stud/chapter.toml", 'seats = "683a.2(a)"', 'seats = "2(a)"',
        "cajun-stud/chapter.toml, grounds.seats: “2(a)” is not a citation; write one like 639a.11(c)(3)(i) or 639a.1:bet-wager.",
    ),
    (
        "cajun-stud/chapter.toml", 'seats = "683a.2(a)"\n', "",
        "cajun-stud/chapter.toml, grounds: it names no clause for the role “seats”.",
    ),
    (
        "cajun-stud/chapter.toml", 'seats = "683a.2(a)"', 'seat = "683a.2(a)"',
        "cajun-stud/chapter.toml, grounds.seat: unknown role; did you mean “seats”?",
    ),
    (
        "cajun-stud/chapter.toml", 'seats = "683a.2(a)"', 'seats = "683a.2(a)"\nlight = "683a.11(h)"',
        "cajun-stud/chapter.toml, grounds.light: the chapter has no meters, so no clause plays this role.",
    ),
    (
        "cajun-stud/chapter.toml", "Jd Js 8c 5h 2s", "Jd Jd 8c 5h 2s",
        "cajun-stud/chapter.toml, example: Jd is listed twice; a card can appear only once.",
    ),
    (
        "cajun-stud/chapter.toml", 'chapter = "683a"', 'chapter = "683"',
        "cajun-stud/chapter.toml, chapter: “683” is not a chapter such as 639a.",
    ),
    (
        "caribbean-stud/rankings.toml", ', run = 5 },\n  { name = "Three', ' },\n  { name = "Three',
        "caribbean-stud/rankings.toml, five-card: hand “Straight” has no pattern, so the hands below it are never reached.",
    ),
    (
        "cajun-stud/chapter.toml", "edition =", "editions =",
        "cajun-stud/chapter.toml: there is no key “editions” here; did you mean “edition”?",
    ),
    (
        "cajun-stud/clauses/06-rankings.toml", 'bearer = "system"', 'bearer = "croupier"',
        "cajun-stud/clauses/06-rankings.toml, (a).bearer: invalid enum value 'croupier'.",
    ),
    (
        "cajun-stud/clauses/06-rankings.toml", 'met_by = ["pitboss.ranking", "pitboss.rulebook"]', "",
        "cajun-stud/clauses/06-rankings.toml, (a): a clause that is enforced needs met_by.",
    ),
    (
        "cajun-stud/clauses/02-table.toml", "recorded =", "proposed =",
        "cajun-stud/clauses/02-table.toml, (c): “recorded” goes with the status physical, and only with it.",
    ),
    (
        "cajun-stud/clauses/03-cards.toml", '["(a)"]', '["(aaaaa)"]',
        "cajun-stud/clauses/03-cards.toml, (aaaaa): “683a.3(aaaaa)” is not a citation; write one like 639a.11(c)(3)(i) or 639a.1:bet-wager.",  # cites-nothing
    ),
    (
        "cajun-stud/clauses/03-cards.toml", '["(a)"]', 'note = 5\n["(a)"]',
        "cajun-stud/clauses/03-cards.toml, note: expected a table, got 5.",
    ),
    (
        "cajun-stud/clauses/03-cards.toml", "section = 3", "section = 4",
        "cajun-stud/clauses/03-cards.toml, section: section 4 belongs in a file 04-….toml.",
    ),
    (
        "readings.toml", '"682a.6(d)(8)"', '"682a.6(d)(11)"',  # cites-nothing
        "data/readings.toml, aces-bonus-hand-size: There is no clause 682a.6(d)(11); 682a.6(d) has (1), (2), (3), (4), (5), (6), (7), (8), (9), (10).",  # cites-nothing
    ),
    (
        "readings.toml", "question =", "questions =",
        "data/readings.toml, aces-bonus-hand-size: there is no key “questions” here; did you mean “question”?",
    ),
    (
        "cajun-stud/rankings.toml", 'cites = ["683a.6(c)"]', 'cites = ["683a.6(f)"]',  # cites-nothing
        "cajun-stud/rankings.toml, pocket-bonus: There is no clause 683a.6(f); 683a.6 has (a), (b), (c), (d), (e).",  # cites-nothing
    ),
    (
        "caribbean-stud/meters.toml", 'cite = "639a.12(d)(4)"', 'cite = "639a.12(d)(9)"',  # cites-nothing
        "caribbean-stud/meters.toml, progressive: There is no clause 639a.12(d)(9); 639a.12(d) has (1), (2), (3), (4), (5), (6).",  # cites-nothing
    ),
    (
        "caribbean-stud/meters.toml", 'cite = "639a.12(d)(6)"', 'cite = "639a.12(d)(9)"',  # cites-nothing
        "caribbean-stud/meters.toml, progressive: There is no clause 639a.12(d)(9); 639a.12(d) has (1), (2), (3), (4), (5), (6).",  # cites-nothing
    ),
    (
        "caribbean-stud/meters.toml", "[five-card-hand]", '[ghost]\ncite = "639a.12(e)(4)"\nprinted = [{ paytables = ["-"], rows = [["main seed", "$1"], ["main primary", "1%"]] }]\n[five-card-hand]',
        "caribbean-stud/meters.toml, ghost: paytables.toml has no such wager.",
    ),
    (
        "caribbean-stud/meters.toml", '  ["five-card-hand seed",    "$10,000 for 1"],\n', "",
        "caribbean-stud/paytables.toml, five-card-hand, Royal flush: meters.toml has no such meter for Paytable -: “100% of meter”.",
    ),
    (
        "caribbean-stud/meters.toml", '  ["main primary", "53%",           "53%",           "25%",           "21%",           "65%"],\n', "",
        "caribbean-stud/meters.toml, progressive: meter main of Paytable A needs both seed and primary.",
    ),
    (
        "caribbean-stud/meters.toml", '["Royal flush",    "$1,000", "$5,000"]', '["Royal blush",    "$1,000", "$5,000"]',
        "caribbean-stud/meters.toml, progressive.envy: the ranking of the wager has no hand “Royal blush”.",
    ),
    (
        "caribbean-stud/meters.toml", 'when = { envy-paytables = "d" }', 'when = { envy-paytables = "e" }',
        "caribbean-stud/meters.toml, progressive.envy: The reading envy-paytables has no option “e”; it has d-f-g-h, d.",
    ),
    (
        "caribbean-stud/meters.toml", 'cite = "639a.11(c)(6)(ii)" }]', 'cite = "639a.11(c)(6)(iv)" }]',  # cites-nothing
        "caribbean-stud/meters.toml, five-card-hand.validated: There is no clause 639a.11(c)(6)(iv); 639a.11(c)(6) has (i), (ii), (iii).",  # cites-nothing
    ),
    (
        "caribbean-stud/clauses/07-wagers.toml", 'status = "physical"', 'status = "physical"\nopen = "Something."',
        "caribbean-stud/clauses/07-wagers.toml, (a): a clause that is physical has no “open” part.",
    ),
    (
        "cajun-stud/sign.toml", 'row = "Pair"', 'row = "Pairs"',
        "cajun-stud/sign.toml, names: paytables.toml has no row “Pairs” of board-bonus.",
    ),
    (
        "caribbean-stud/meters.toml", 'paytables = ["D"]', 'paytables = ["K"]',
        "caribbean-stud/meters.toml, progressive: there is no Paytable K.",
    ),
    (
        "caribbean-stud/sign.toml", '"As Ks Qs Js Ts"', '"As Ks Qs Js 9s"',
        "caribbean-stud/sign.toml, pictures.bet, Royal flush: the cards make “Flush”.",
    ),
    (
        "caribbean-stud/sign.toml", '"As Ks Qs Js Ts"', '"As Ks Qs Js"',
        "caribbean-stud/sign.toml, pictures.bet, Royal flush: The ranking caribbean-stud bet takes 5 cards, not 4.",
    ),
    (
        "caribbean-stud/sign.toml", '"As Ks Qs Js Ts"', '"As Ks Qs Js Xs"',
        "caribbean-stud/sign.toml, pictures.bet, Royal flush: “Xs” is not a card: write a rank (2-9, T or 10, J, Q, K, A) and a suit (c, d, h, s).",
    ),
    (
        "caribbean-stud/sign.toml", "[pictures.bet]", "[pictures.bets]",
        "caribbean-stud/sign.toml, pictures.bets: unknown table of hands “bets”.",
    ),
    (
        "caribbean-stud/sign.toml", 'offers = "bonus"', 'offers = "bones"',
        "caribbean-stud/sign.toml, play: paytables.toml has no wager “bones”.",
    ),
    (
        "caribbean-stud/meters.toml", '"13%"', '"130%"',
        "caribbean-stud/meters.toml, five-card-hand, five-card-hand primary: “130%” is not a rate such as “53%”.",
    ),
    (
        "caribbean-stud/paytables.toml", '"300 for 1",          "100% minor jackpot"', '"100% minor jackpot", "100% minor jackpot"',
        "caribbean-stud/paytables.toml, progressive, Four-of-a-kind: meters.toml has no such meter for Paytable F: “100% of minor”.",
    ),
    (
        "caribbean-stud/paytables.toml", '"100% of meter", "100% of meter", "100% of meter"', '"500% of meter", "100% of meter", "100% of meter"',
        "caribbean-stud/paytables.toml, progressive, Royal flush: “500% of meter” is not a pay such as “3 to 2”, “25 for 1”, “10% of meter”, “Push”, “Loss” or “N/A”.",
    ),
    (
        "caribbean-stud/paytables.toml", 'rows = [["Any winning hand", "1 to 1"]]', "rows = []",
        "caribbean-stud/paytables.toml, ante: a printed table has at least one letter and one row.",
    ),
    (
        "caribbean-stud/paytables.toml", 'rows = [["Any winning hand", "1 to 1"]]', "rows = [[]]",
        "caribbean-stud/paytables.toml, ante: expected a label and 1 cells.",
    ),
    (
        "caribbean-stud/paytables.toml", 'paytables = ["A", "B", "C"]', 'paytables = ["A", "B", "B"]',
        "caribbean-stud/paytables.toml, bonus: Paytable B is listed twice.",
    ),
    (
        "cajun-stud/clauses/03-cards.toml", 'duty = "Play with a single deck of 52 cards that look alike, plus a cover card, unless (b) allows two decks."', 'duty = ""',
        "cajun-stud/clauses/03-cards.toml, (a): the duty is empty.",
    ),
    (
        "cajun-stud/clauses/03-cards.toml", 'status = "prompted"', 'status = "prompted"\nproposed = "Something else."',
        "cajun-stud/clauses/03-cards.toml, (a): “proposed” needs a proposed_edition in chapter.toml.",
    ),
    (
        "cajun-stud/clauses/03-cards.toml", '["(b)"]', '["(d)"]',
        "cajun-stud/clauses/03-cards.toml, (b)(1): its parent clause 683a.3(b) is missing.",
    ),
    (
        "cajun-stud/clauses/03-cards.toml", '["(a)"]', '["deck"]',
        "cajun-stud/clauses/03-cards.toml, deck: section 1 has terms, every other section has labels such as (a).",
    ),
    (
        "readings.toml", 'clauses = ["639a.6(c)", "682a.6(c)"]', "clauses = []",
        "data/readings.toml, kicker-rule: it cites no clause.",
    ),
    (
        "readings.toml", "worth = { fifty = ", "worth = { sixty = ",
        "data/readings.toml, board-bonus-a-mini-royal.worth: it has no option “sixty”.",
    ),
    (
        "readings.toml", 'needs = { four-first = { cajun-all-six-cards = "community-plus-one" } }', 'needs = { four-first = { cajun-all-six-cards = "both" } }',
        "data/readings.toml, cajun-community-deal: The reading cajun-all-six-cards has no option “both”; it has four-separate, community-plus-one.",
    ),
    (
        "cajun-stud/sign.toml", '"Queen High" = "Loss"', '"Ace High" = "Loss"',
        "cajun-stud/sign.toml, play: paytables.toml has no row “Ace High” of lo-ball.",
    ),
    (
        "readings.toml", '[kicker-rule.options]\nstandard = "The cards that make the hand compare first, then the rest from the highest down."', "[kicker-rule.options]",
        "data/readings.toml, kicker-rule: it has no options.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("file", "good", "bad", "sentence"), CASES, ids=[case[3][:60] for case in CASES])
def test_a_mistake_in_data_names_file_and_key(data_copy: Path, file: str, good: str, bad: str, sentence: str) -> None:
    path = data_copy / file
    original = path.read_text("utf-8")
    assert good in original
    path.write_text(original.replace(good, bad, 1), "utf-8")
    try:
        with pytest.raises(DataMistake) as refused:
            load(data_copy)
    finally:
        path.write_text(original, "utf-8")
    assert str(refused.value) == sentence


def test_refuses_a_section_twice(data_copy: Path) -> None:
    again = shutil.copy(data_copy / "cajun-stud/clauses/03-cards.toml", data_copy / "cajun-stud/clauses/03-decks.toml")
    with pytest.raises(DataMistake, match=r"^cajun-stud/clauses, 683a\.3: the section is listed twice\.$"):
        load(data_copy)
    Path(again).unlink()


def test_refuses_a_missing_folder_or_a_folder_in_place_of_a_file(data_copy: Path) -> None:
    with pytest.raises(DataMistake, match=r"^nowhere/readings\.toml: the file is missing\.$"):
        load(data_copy / "nowhere")
    path = data_copy / "cajun-stud/meters.toml"
    path.mkdir()
    with pytest.raises(DataMistake, match=r"^cajun-stud/meters\.toml: it cannot be read: Is a directory\.$"):
        load(data_copy)
    path.rmdir()


def test_accepts_a_byte_order_mark(data_copy: Path) -> None:
    path = data_copy / "cajun-stud/rankings.toml"
    original = path.read_bytes()
    path.write_bytes(b"\xef\xbb\xbf" + original)
    assert len(load(data_copy).clauses) == 443
    path.write_bytes(original)


def test_refuses_a_missing_file_and_invalid_utf8(data_copy: Path) -> None:
    path = data_copy / "cajun-stud/rankings.toml"
    original = path.read_bytes()
    path.write_bytes(b"\xff")
    with pytest.raises(DataMistake, match=r"^cajun-stud/rankings\.toml: it is not UTF-8 text\.$"):
        load(data_copy)
    path.unlink()
    with pytest.raises(DataMistake, match=r"^cajun-stud/rankings\.toml: the file is missing\.$"):
        load(data_copy)
    path.write_bytes(original)
    assert len(load(data_copy).clauses) == 443
