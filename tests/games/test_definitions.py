"""Section .1: each defined term, in the settlement and at the table. Payouts are from section .12."""

from collections.abc import Callable
from itertools import product

import pytest
from msgspec.structs import replace
from table_play import (
    ANTE,
    DEALER,
    PRESETS,
    advance_until,
    after_command,
    given_by_patron,
    open_for_gaming,
    perform_due,
    shuffle_and_wager,
)

from pitboss.cards import DECK, Card, hand
from pitboss.errors import Mistake
from pitboss.games import FOLD, Balances, Hands, Line, Other, Terms, settle
from pitboss.rulebook.procedures import Do
from pitboss.submission.model import Dealing
from pitboss.table import Decide, Perform, Table, Wager, decide, refusal, view
from pitboss.table import events as happened

Make = Callable[..., Terms]
METER = Balances({"main": 0, "five-card-hand": 0})
STRAIGHT = {"player": "9c 8d 7h 6c 5d", "dealer": "As Kd Qh 7d 3s"}
"""Against a dealer who qualifies with ace-king."""


def settled_lines(
    terms: Terms,
    cards: dict[str, str],
    wagers: dict[str, int],
    decisions: list[int],
    *,
    others: tuple[Other, ...] = (),
) -> dict[str, tuple[str, int]]:
    """Outcome and pay of every line."""
    hands = replace(Hands.of(**{place.replace("-", "_"): text for place, text in cards.items()}), others=others)
    lines = settle(terms, hands, wagers, decisions, METER)
    return {line.wager: (str(line.outcome), line.pays) for line in lines}


def play_to_the_end(table: Table) -> dict[int, dict[str, Line]]:
    """Finish a round, everybody with the lowest wager; return the lines of each box."""
    lines: dict[int, dict[str, Line]] = {}
    number = table.round
    while table.round == number:
        if not view(table).to_act and table.due.do is Do.SETTLE:
            events = decide(table, Perform(), DEALER)
            boxes = [event for event in events if isinstance(event, happened.Settled)]
            lines |= {event.seat: {line.wager: line for line in event.lines} for event in boxes}
        table = perform_due(table)
    return lines


def stacked_deck(*order: str) -> tuple[Card, ...]:
    """A deck with these cards on top."""
    top = hand(" ".join(order))
    return (*top, *(card for card in DECK if card not in top))


@pytest.mark.proves("639a.1:bet-wager")
def test_639a_1_a_player_who_stays_in_adds_a_bet(make_terms: Make) -> None:
    terms = make_terms("caribbean-stud")
    assert settled_lines(terms, STRAIGHT, {"ante": 1000}, [2]) == {"ante": ("win", 1000), "bet": ("win", 4 * 2000)}
    for wagers, decisions in (({"ante": 1000, "bet": 2000}, [2]), ({"ante": 1000}, [])):  # neither before nor left open
        with pytest.raises(Mistake):
            settled_lines(terms, STRAIGHT, wagers, decisions)
    table = shuffle_and_wager(open_for_gaming(PRESETS["639a"], {1: "Ann"}), {1: ANTE})
    while table.due.do is not Do.ASK:
        assert refusal(table, Decide(1, 2), given_by_patron("Ann"))
        table = perform_due(table)
    assert None not in view(table, "Ann").boxes[0].cards
    assert refusal(table, Decide(1, 2), given_by_patron("Ann")) is None


ROYAL, STRAIGHT_FLUSH, FOUR_ACES = hand("Ah Kh Qh Jh Th"), hand("9s 8s 7s 6s 5s"), hand("Ac Ad Ah As 2c")
PAIR = {"player": "4c 4d 7h 6c 3d", "dealer": "8d Kd Qc Jd 3s"}


@pytest.mark.proves("639a.1:envy-bonus")
def test_639a_1_a_progressive_player_gets_envy_for_anothers_hand(make_terms: Make) -> None:
    terms = make_terms("caribbean-stud", {"progressive": "D"})
    for stake, envy in ((100, 1000_00), (500, 5000_00)):
        lines = settled_lines(terms, PAIR, {"ante": 1000, "progressive": stake}, [2], others=(Other(ROYAL),))
        assert lines["envy-bonus"] == ("bonus", envy)
    assert "envy-bonus" not in settled_lines(terms, PAIR, {"ante": 1000}, [2], others=(Other(ROYAL),))
    own = {"player": "Ah Kh Qh Jh Th", "dealer": PAIR["dealer"]}
    assert "envy-bonus" not in settled_lines(terms, own, {"ante": 1000, "progressive": 100}, [2])


@pytest.mark.proves("639a.1:envy-bonus-qualifying-hand")
def test_639a_1_an_envy_bonus_qualifying_hand_is_a_straight_flush_or_better(make_terms: Make) -> None:
    terms = make_terms("caribbean-stud", {"progressive": "D"})
    for held, envy in ((ROYAL, 1000_00), (STRAIGHT_FLUSH, 300_00), (FOUR_ACES, 0)):
        lines = settled_lines(terms, PAIR, {"ante": 1000, "progressive": 100}, [2], others=(Other(held),))
        assert lines.get("envy-bonus", ("", 0))[1] == envy


@pytest.mark.proves("639a.1:fold")
def test_639a_1_a_fold_withdraws_a_player_who_makes_no_bet(make_terms: Make) -> None:
    lines = settled_lines(
        make_terms("caribbean-stud"), STRAIGHT, {"ante": 1000, "bonus": 500}, [FOLD]
    )  # though the hand is higher
    assert lines == {"ante": ("forfeited", 0), "bonus": ("forfeited", 0)}


@pytest.mark.proves("639a.1:hand", "639a.1:hole-card")
@pytest.mark.parametrize("dealing", Dealing)
def test_639a_1_a_hand_is_five_cards_and_four_of_the_dealers_are_face_down(dealing: Dealing) -> None:
    table = shuffle_and_wager(
        open_for_gaming(PRESETS["639a"], {1: "Ann", 3: "Bob"}, dealing=dealing), {1: ANTE, 3: ANTE}
    )
    table = advance_until(table, Do.ASK)
    assert [len(box.cards) for box in table.boxes.values()] == [5, 5]
    dealer = table.places["dealer"]
    assert (len(dealer), sum(slot.up for slot in dealer)) == (5, 1)
    assert [card is None for card in view(table).places["dealer"]].count(True) == 4


FIVE_CARD = {"five-card-hand-player": 100, "five-card-hand-dealer": 500}
# Seat 1 is dealt the 1st, 4th, … card, seat 3 the 2nd, 5th, …, the dealer the 3rd, 6th, … of the deck.
HOLDERS = {"1": DECK[0], "3": DECK[1], "dealer": DECK[2], "nobody": DECK[50]}


@pytest.mark.proves("639a.1:{bonus}", "639a.1:{bonus}(i)", "639a.1:{bonus}(ii)")
@pytest.mark.parametrize("drawn", HOLDERS)
@pytest.mark.parametrize(
    ("bonus", "name", "pays"), [("magic-card-bonus", "magic-card", 20), ("lucky-bonus", "lucky-bonus", 5)]
)
def test_639a_1_a_drawn_bonus_is_paid_on_its_hand(bonus: str, name: str, pays: int, drawn: str) -> None:
    """(i) on the player's hand, at the position or with the card drawn; (ii) on the dealer's. Seat 5 has no such wager."""
    wagers = {1: {**ANTE, **FIVE_CARD}, 3: {**ANTE, **FIVE_CARD}, 5: ANTE}
    table = shuffle_and_wager(open_for_gaming(PRESETS["639a"], {1: "Ann", 3: "Bob", 5: "Cy"}), wagers, _for_three())
    magic = HOLDERS[drawn] if bonus == "magic-card-bonus" else None
    lucky = () if magic or drawn == "nobody" else (drawn,)
    lines = play_to_the_end(after_command(table, Perform(), replace(DEALER, magic=magic, lucky=lucky)))
    got = {
        (seat, line.wager): line.pays for seat, held in lines.items() for line in held.values() if name in line.wager
    }
    on_dealer = {(seat, f"{name}-dealer"): 500 * pays for seat in (1, 3)}
    assert got == {"1": {(1, f"{name}-player"): 100 * pays}, "3": {(3, f"{name}-player"): 100 * pays},
                   "dealer": on_dealer, "nobody": {}}[drawn]  # fmt: skip


def _for_three() -> tuple[Card, ...]:
    """The deck for seats 1, 3 and 5: as said above for two, and cards from its end for seat 5."""
    three = [DECK[place : place + 3] for place in range(0, 15, 3)]
    spare = DECK[45:50]
    top = [card for (one, two, dealer), last in zip(three, spare, strict=True) for card in (one, two, last, dealer)]
    return (*top, *(card for card in DECK if card not in top))


@pytest.mark.proves("639a.1:progressive-payout-hand", "639a.1:progressive-payout-hand({part})")
@pytest.mark.parametrize(
    ("part", "letter", "player", "pays"),
    [
        ("i", "A", "9c 9d 9h 8c 2d", 3),
        ("i", "D", "9c 9d 9h 8c 2d", 9),
        ("i", "A", "Ac Ad 9h 8c 2d", 0),
        ("i", "D", "Ac Ad 9h 8c 2d", 0),
        # Two pair only where the paytable has it.
        ("ii", "A", "3c 3d 2h 2c 4d", 2),
        ("ii", "B", "3c 3d 2h 2c 4d", 2),
        ("ii", "D", "Ac Ad Kh Kc Qd", 0),
    ],
)
def test_639a_1_a_progressive_payout_hand(make_terms: Make, part: str, letter: str, player: str, pays: int) -> None:
    terms = make_terms("caribbean-stud", {"progressive": letter})
    cards = {"player": player, "dealer": "8d Ks Qc Jd 3s"}
    lines = settled_lines(terms, cards, {"ante": 1000, "progressive": 100}, [2])
    assert lines["progressive"] == (("win", 100 * pays) if pays else ("lose", 0)), part


OPTIONAL = {
    # Each on cards that its Paytable A pays, with the pay, and on cards that it does not pay.
    "682a.1:prime-wager": ("prime", {"player": "2h 5d 9h Jd Kd"}, 6, {"player": "2h 5d 9h Jc Ks"}),
    "682a.1:aces-bonus-wager": ("aces-bonus", {"player": "Ac Ad Ah As 2c"}, 500, {"player": "2h 5d 9h Jc Ks"}),
    "682a.1:all-six-bonus-wager": (
        "all-six", {"player": "Ah Kh Qh Jh Th", "all-six": "2c"}, 1000, {"player": "2h 2d 9h Jc Ks", "all-six": "Qc"},
    ),
    "683a.1:pocket-bonus-wager": ("pocket-bonus", {"player": "Ac Ad", "board": "2h 7c 9d"}, 30, {"player": "2c 7d", "board": "Ah Kh Qh"}),
    "683a.1:board-bonus-wager": ("board-bonus", {"player": "2c 7d", "board": "Ah Kh Qh"}, 40, {"player": "Ac Ad", "board": "2h 7c 9d"}),
    "683a.1:lo-ball-wager": ("lo-ball", {"player": "2c 7d", "board": "3h 4c 5d"}, 100, {"player": "Ac Ad", "board": "2h 7c 9d"}),
    "683a.1:all-six-bonus-wager": (
        "all-six", {"player": "Ac Ad", "board": "2h 7c 9d", "all-six": "Ah As 3c 4d"}, 50,
        {"player": "Ac Kd", "board": "2h 7c 9d", "all-six": "Qh Js 3c 4d"},
    ),
}  # fmt: skip
GAMES_OF = {"682a": "four-card-prime", "683a": "cajun-stud"}
DEALERS = {"682a": ({"dealer": "3s 4c 6c 8c Ts Qs"}, {"dealer": "8s 8d 8h 8c 3s 4c"}), "683a": ({},)}
"""A low hand and four eights; Cajun Stud has no dealer's hand."""


@pytest.mark.proves("{clause}")
@pytest.mark.parametrize("clause", OPTIONAL)
def test_1_an_optional_wager_is_made_before_the_deal_and_paid_by_its_paytable_alone(
    make_terms: Make, clause: str
) -> None:
    name, wins, pays, loses = OPTIONAL[clause]
    chapter = clause.partition(".")[0]
    terms = make_terms(GAMES_OF[chapter])
    stays = [1] * len(terms.game.decisions)
    for cards, expected in ((wins, ("win", 100 * pays)), (loses, ("lose", 0))):
        for dealer, decisions in product(DEALERS[chapter], (stays, [FOLD])):  # neither matters
            assert settled_lines(terms, cards | dealer, {"ante": 1000, name: 100}, decisions)[name] == expected
    table = shuffle_and_wager(
        open_for_gaming(PRESETS[chapter], {1: "Ann", 2: "Bob"}), {1: {**ANTE, name: 500}, 2: ANTE}
    )
    called = after_command(table, Perform())
    refused = refusal(called, Wager(2, {**ANTE, name: 500}), given_by_patron("Bob"))
    assert refused
    assert refused.cite == f"{chapter}.7(c)"
    lines = play_to_the_end(called)
    assert name in lines[1]
    assert name not in lines[2]  # optional: Bob plays without


@pytest.mark.proves("{chapter}.1:ante-wager")
@pytest.mark.parametrize(("chapter", "other"), [("682a", "prime"), ("683a", "lo-ball")])
def test_1_an_ante_is_required_before_any_card_is_dealt(chapter: str, other: str) -> None:
    table = shuffle_and_wager(open_for_gaming(PRESETS[chapter], {1: "Ann", 2: "Bob"}), {})
    assert refusal(table, Wager(1, {other: 500}), given_by_patron("Ann"))
    assert refusal(table, Perform(), DEALER)  # nobody takes part
    called = after_command(after_command(table, Wager(1, ANTE), given_by_patron("Ann")), Perform())
    refused = refusal(called, Wager(2, ANTE), given_by_patron("Bob"))
    assert refused
    assert refused.cite == f"{chapter}.7(c)"
    assert list(advance_until(called, Do.ASK).boxes) == [1]


@pytest.mark.proves("682a.1:ante-wager")
@pytest.mark.parametrize(
    ("dealer", "outcome"), [("2c 3c 7d 8s Tc Qs", ("win", 1000)), ("Kc Ks Qs Qd 7s 8s", ("lose", 0))]
)
def test_682a_1_an_ante_competes_against_the_dealers_hand(
    make_terms: Make, dealer: str, outcome: tuple[str, int]
) -> None:
    lines = settled_lines(
        make_terms("four-card-prime"), {"player": "Ac Ad 9h 5h 4d", "dealer": dealer}, {"ante": 1000}, [1]
    )
    assert lines["ante"] == outcome


THREE, FLUSH = "9c 9d 9h 8c 2d", "2h 5h 9h Jh Kc"
LOW, FOUR_KINGS, FOUR_SIXES = "2c 3c 7s 8s Tc Qs", "Kc Kd Kh Ks 7d 8s", "6c 6d 6h 6s 7d 8s"


@pytest.mark.proves("682a.1:{bonus}")
@pytest.mark.parametrize(
    ("bonus", "player", "dealer", "pays"),
    [
        ("win-bonus", THREE, LOW, 2),
        ("win-bonus", THREE, FOUR_KINGS, 0),
        ("win-bonus", FLUSH, LOW, 0),  # less than three-of-a-kind
        ("bad-beat-bonus", THREE, FOUR_KINGS, 2),
        ("bad-beat-bonus", THREE, LOW, 0),
        ("bad-beat-bonus", FLUSH, FOUR_SIXES, 0),
    ],
)
def test_682a_1_the_win_bonus_is_for_three_of_a_kind_or_better(
    make_terms: Make, bonus: str, player: str, dealer: str, pays: int
) -> None:
    lines = settled_lines(make_terms("four-card-prime"), {"player": player, "dealer": dealer}, {"ante": 1000}, [3])
    assert lines.get(bonus, ("bonus", 0)) == ("bonus", 1000 * pays)  # of the Ante, whatever the Raise


@pytest.mark.proves("{chapter}.1:raise-wager")
@pytest.mark.parametrize(("chapter", "raises"), [("682a", 1), ("683a", 3)])
def test_1_a_raise_is_one_two_or_three_antes(chapter: str, raises: int) -> None:
    """In Cajun Stud after the two cards, and after the first and the second community card."""
    for multiple in (1, 2, 3):
        table = shuffle_and_wager(open_for_gaming(PRESETS[chapter], {1: "Ann"}), {1: ANTE})
        for number in range(raises):
            table = advance_until(table, Do.ASK)
            assert sum(slot.up for slot in table.places.get("board", ())) == number
            assert all(refusal(table, Decide(1, times), given_by_patron("Ann")) for times in (-1, 4, 5))
            table = after_command(table, Decide(1, multiple), given_by_patron("Ann"))
        lines = play_to_the_end(table)[1]
        names = [f"raise-{number}" for number in (1, 2, 3)] if raises > 1 else ["raise"]
        assert {name: line.stake for name, line in lines.items() if "raise" in name} == dict.fromkeys(
            names, 1000 * multiple
        )


@pytest.mark.proves("683a.1:fold")
@pytest.mark.parametrize("decisions", [[FOLD], [1, FOLD], [1, 2, FOLD]])
def test_683a_1_a_fold_withdraws_a_player_who_makes_no_raise(make_terms: Make, decisions: list[int]) -> None:
    cards = {"player": "Ac Ad", "board": "Ah 7c 9d"}
    lines = settled_lines(make_terms("cajun-stud"), cards, {"ante": 1000}, decisions)
    made = [f"raise-{number}" for number in range(1, len(decisions))]
    assert lines == dict.fromkeys(["ante", *made], ("forfeited", 0))
    with pytest.raises(Mistake):
        settled_lines(make_terms("cajun-stud"), cards, {"ante": 1000}, [*decisions, 1])


@pytest.mark.proves("683a.1:community-card")
@pytest.mark.parametrize(("board", "pays"), [("Jh Jc 2d", [2, 1]), ("9h 8c 2d", [3, 0]), ("Ac Ks 2d", [0, 2])])
def test_683a_1_every_player_uses_the_community_cards(board: str, pays: list[int]) -> None:
    """Ann has two nines, Bob an ace and a king. With two jacks on the board both have them; a nine helps Ann alone."""
    deck = stacked_deck("9c", "Ah", "9d", "Kd", board)
    lines = play_to_the_end(
        shuffle_and_wager(open_for_gaming(PRESETS["683a"], {1: "Ann", 3: "Bob"}), {1: ANTE, 3: ANTE}, deck)
    )
    assert [lines[seat]["ante"].pays for seat in (1, 3)] == [1000 * times for times in pays]
