"""Take and pay: drills cover every outcome of a wager, and are graded like the table's settlement."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain

import pytest
from msgspec.structs import replace
from settlement_matrix import Matrix
from table_play import (
    DEALER,
    FLOORPERSON,
    advance_until,
    after_command,
    given_by_patron,
    open_for_gaming,
    shuffle_and_wager,
)

from pitboss.cards import DECK, Card
from pitboss.errors import Mistake
from pitboss.games import Line, Outcome, Terms
from pitboss.rulebook import ForOne, Odds, Push, Share
from pitboss.rulebook.procedures import Do
from pitboss.submission import Submission, load, terms_of
from pitboss.table import Acknowledge, Decide, Perform, Table
from pitboss.table.refusals import count_accepted_wagers
from pitboss.table.steps import next_to_decide
from pitboss.training import DealerAnswer, DrillId, DrillKind, grade_dealer_answer
from pitboss.training.pay import CHOICES, PayGrade, PayLine, grade_pay_answers, pay_drill
from pitboss.training.situations import PracticeRound, draw_round, lines_of

GAMES = ("caribbean-stud", "four-card-prime", "cajun-stud")
MANY = 400
LIMIT = 50_000_00
LETTERS = {"caribbean-stud": {"progressive": "D"}, "cajun-stud": {"lo-ball": "B"}}
"""A paytable that an Envy Bonus comes with, and one with a push."""


def submission_of(game: str) -> Submission:
    """Everything offered, with a payout limit where the chapter has one."""
    found = load("cajun-stud-rack-card" if game == "cajun-stud" else f"{game}-standard")
    wagers = {
        name: replace(offer, paytable=LETTERS.get(game, {}).get(name, offer.paytable))
        for name, offer in found.wagers.items()
    }
    limit = None if game == "caribbean-stud" else LIMIT
    return replace(found, wagers=wagers, table=replace(found.table, payout_limit=limit))


def rounds(terms: Terms, many: int, seats: int = 6) -> Iterator[PracticeRound]:
    return (draw_round(terms, seats, str(seed)) for seed in range(many))


def settled_lines(terms: Terms, many: int) -> Iterator[Line]:
    for played in rounds(terms, many):
        yield from chain.from_iterable(lines_of(terms, played, seat) for seat in played.seats)


@pytest.mark.parametrize("game", GAMES)
def test_400_drills_cover_every_outcome_of_the_settlement_matrix(game: str) -> None:
    """The matrix is written by hand from the chapters: drills cover exactly its outcomes."""
    matrix, terms = Matrix(game), terms_of(submission_of(game))
    expected = {
        (row["line"], row["outcome"])
        for cases in matrix.cases.values()
        for rows in cases.values()
        for row in rows
        if row["line"] != "-"
    }
    expected |= {("payout-limit", Outcome.LIMITED)} if terms.payout_limit else set()
    found = Counter((line.wager, line.outcome) for line in settled_lines(terms, MANY))
    assert found.keys() == expected
    assert min(found.values()) >= 5, found


@pytest.mark.parametrize("game", GAMES)
def test_1500_drills_pay_every_row_of_every_paytable(game: str) -> None:
    terms = terms_of(submission_of(game))
    found = {(line.wager, line.hand) for line in settled_lines(terms, 1500) if line.hand}
    wagers = [(wager.name, wager.by.paytable) for wager in terms.game.wagers if wager.by.paytable in terms.tables]
    wagers += [(bonus.name, bonus.paytable) for bonus in terms.game.bonuses if bonus.paytable in terms.tables]
    rows = {
        (name, row)
        for name, paytable in wagers
        for row, pay in terms.tables[paytable].items()
        if isinstance(pay, Odds | ForOne | Share | Push)
    }
    assert rows <= found


def test_drills_cover_every_result_against_the_dealer() -> None:
    stud, prime = (terms_of(submission_of(game)) for game in GAMES[:2])
    cites = {line.cite for line in settled_lines(stud, MANY)}
    assert {f"639a.11(c)(3){part}" for part in ("(i)", "(ii)(A)", "(ii)(B)", "(ii)(C)")} <= cites
    whys = [line.why for line in settled_lines(prime, MANY)]
    assert any("a tie wins" in why for why in whys)
    assert any("a bad beat" in why for why in whys)


def test_rounds_have_one_to_three_boxes_some_folded_with_a_side_wager_alive() -> None:
    for game in GAMES:
        terms = terms_of(submission_of(game))
        played = list(rounds(terms, 200))
        assert {len(one.seats) for one in played} == {1, 2, 3}
        folded = [(one, seat) for one in played for seat in one.seats if seat.folded]
        alive = [line for one, seat in folded for line in lines_of(terms, one, seat) if line.outcome is Outcome.WIN]
        assert alive
        for one in played:
            cards = [*chain(*one.places.values()), *(card for seat in one.seats for card in seat.cards)]
            assert len(set(cards)) == len(cards)
            assert [seat.number for seat in one.seats] == sorted((seat.number for seat in one.seats), reverse=True)


@pytest.mark.parametrize("game", GAMES)
def test_a_drill_is_settled_like_the_table(game: str) -> None:
    """The round is played at a table with a stacked deck: each box has the same money and clauses."""
    submission = submission_of(game)
    terms = terms_of(submission)
    for played in rounds(terms, 40, submission.table.seats):
        table = settled_table(game, played)
        for seat in played.seats:
            assert totals(table.boxes[seat.number].lines) == totals(lines_of(terms, played, seat))


def totals(lines: tuple[Line, ...]) -> Mapping[tuple[str, str, str], tuple[int, int]]:
    """Envy for hands that are turned later is a line of its own at the table."""
    found: dict[tuple[str, str, str], tuple[int, int]] = {}
    for line in lines:
        key = line.wager, line.outcome, line.cite
        returned, pays = found.get(key, (0, 0))
        found[key] = returned + line.returned, pays + line.pays
    return found


def settled_table(game: str, played: PracticeRound) -> Table:
    preset = "cajun-stud-rack-card" if game == "cajun-stud" else f"{game}-standard"
    seats = {seat.number: f"Patron {seat.number}" for seat in played.seats}
    table = open_for_gaming(preset, seats, paytable_letters=LETTERS.get(game))
    rules = replace(table.rules, terms=terms_of(submission_of(game)))
    table = replace(table, rules=rules)
    wagers = {seat.number: seat.wagers for seat in reversed(played.seats)}
    stacked = list[Card | None](len(DECK) * [None])
    dry = advance_until(shuffle_and_wager(table, wagers), Do.STUB)
    for seat in played.seats:
        for slot, card in zip(dry.boxes[seat.number].cards, seat.cards, strict=True):
            assert slot.card
            stacked[slot.card.index] = card
    for place, cards in played.places.items():
        for slot, card in zip(dry.places[place], cards, strict=True):
            assert slot.card
            stacked[slot.card.index] = card
    rest = iter([card for card in DECK if card not in stacked])
    deck = tuple(card or next(rest) for card in stacked)
    table = shuffle_and_wager(table, wagers, deck)
    given = replace(DEALER, meters=played.meters, magic=played.magic, lucky=played.lucky)
    while table.due.do is not Do.CLEAR:
        if any(box.claimed for box in table.boxes.values()):
            table = after_command(table, Acknowledge(), replace(FLOORPERSON, light=True))
        elif box := next_to_decide(table):
            decisions = next(seat.decisions for seat in played.seats if seat.number == box.seat)
            table = after_command(table, Decide(box.seat, decisions[len(box.decisions)]), given_by_patron(box.patron))
        else:
            counted = {Do.CHIPS: count_accepted_wagers(table, table.due.needs)}.get(table.due.do)
            table = after_command(table, Perform(), replace(given, counted=counted))
    return table


def right_lines(graded: tuple[PayGrade, ...]) -> list[PayLine]:
    return [PayLine(line.seat, line.wager, line.answer, line.amount) for line in graded]


@pytest.mark.parametrize("game", GAMES)
def test_only_the_right_answer_is_right_and_others_get_a_reason(game: str) -> None:
    terms = terms_of(submission_of(game))
    for seed in range(60):
        drill = DrillId(game, DrillKind.PAY, f"{seed}")
        asked = pay_drill(drill, terms, 6)
        blank = grade_pay_answers(drill, terms, 6, [])
        assert not any(line.right for line in blank)
        items = [(box.seat, item.wager) for box in asked.boxes for item in box.items]
        assert [(line.seat, line.wager) for line in blank] == items
        right = right_lines(blank)
        graded = grade_pay_answers(drill, terms, 6, right)
        assert all(line.right and line.why and line.clause.duty for line in graded)
        assert grade_dealer_answer(DealerAnswer(drill=drill, lines=right), terms, 6).right
        for place, line in enumerate(right):
            kind = next(item.kind for box in asked.boxes for item in box.items if item.wager == line.wager)
            others = [option.answer for option in CHOICES[kind] if option.answer != line.answer]
            for wrong in (replace(line, amount=line.amount + 1), replace(line, answer=others[0])):
                said = [*right[:place], wrong, *right[place + 1 :]]
                assert [one.right for one in grade_pay_answers(drill, terms, 6, said)] == [
                    one != place for one in range(len(right))
                ]


def test_refuses_an_answer_to_another_question() -> None:
    terms = terms_of(submission_of("cajun-stud"))
    drill = DrillId("cajun-stud", DrillKind.PAY, "1")
    seat = pay_drill(drill, terms, 6).boxes[0].seat
    for lines in (
        [PayLine(seat, "bet", "won")],
        [PayLine(20, "ante", "won")],
        [PayLine(seat, "ante", "paid")],
        [PayLine(seat, "ante", "won"), PayLine(seat, "ante", "lost")],
    ):
        with pytest.raises(Mistake):
            grade_pay_answers(drill, terms, 6, lines)


@pytest.mark.parametrize("game", GAMES)
def test_a_table_with_the_ante_alone_has_drills(game: str) -> None:
    found = load(f"{game}-standard")
    terms = terms_of(replace(found, wagers={"ante": found.wagers["ante"]}))
    assert {line.wager for line in settled_lines(terms, 60)} <= {
        "ante",
        *(wager.name for wager in terms.game.wagers if wager not in terms.game.initial),
        *(bonus.name for bonus in terms.game.bonuses if bonus.on == "ante"),
    }
