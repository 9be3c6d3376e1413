"""Reading hands: drills cover every hand of every ranking, with its name there."""

import pytest

from pitboss.cards import Card
from pitboss.errors import Mistake
from pitboss.submission import load, terms_of
from pitboss.training import DealerAnswer, DrillId, DrillKind, dealer_drill, grade_dealer_answer
from pitboss.training.hand_reading import ReadDrill, draw_hand_to_read, list_ranking_uses

GAMES = ("caribbean-stud", "four-card-prime", "cajun-stud")


@pytest.mark.parametrize("game", GAMES)
def test_700_drills_cover_every_hand_of_every_ranking(game: str) -> None:
    terms = terms_of(load(f"{game}-standard"))
    found = set()
    for seed in range(700):
        read = draw_hand_to_read(DrillId(game, DrillKind.READ, f"{seed}"), terms)
        assert read.look.evaluate([Card(card) for card in read.cards]).hand is read.hand
        found.add((read.look.about, read.hand.name))
    assert found == {
        (look.about, hand.name) for look in list_ranking_uses(terms) for hand in look.evaluate.ranking.hands
    }


@pytest.mark.parametrize("game", GAMES)
def test_only_the_right_name_is_right(game: str) -> None:
    terms = terms_of(load(f"{game}-standard"))
    for seed in range(30):
        drill = DrillId(game, DrillKind.READ, f"{seed}")
        asked = dealer_drill(drill, terms, 6)
        assert isinstance(asked, ReadDrill)
        graded = [
            grade_dealer_answer(DealerAnswer(drill=drill, choice=option.answer), terms, 6) for option in asked.options
        ]
        assert sum(one.right for one in graded) == 1
        for option, one in zip(asked.options, graded, strict=True):
            assert one.right == (option.answer == one.answer)
            assert one.why
            assert one.clause.duty
    with pytest.raises(Mistake, match="not one of the hands"):
        grade_dealer_answer(DealerAnswer(drill=drill, choice="Five aces"), terms, 6)


def test_drills_of_639a_ask_whether_the_dealer_qualifies() -> None:
    abouts = [look.about for look in list_ranking_uses(terms_of(load("caribbean-stud-standard")))]
    assert "Does the dealer qualify, and by what?" in abouts
    assert "What do these cards make? They are for Progressive Payout and Five Card Hand Bonus." in abouts
