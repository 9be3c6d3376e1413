"""The meters of a table through a round: wins in turn, several winners, the dealer's jackpot, a void."""

import pytest

from pitboss.errors import Mistake
from pitboss.games import Hands, Terms
from pitboss.money import CENT
from pitboss.progressive import accept, bank_of, end_round, open_bank, pay, reveal, take_back, turn, void
from pitboss.submission import load, terms_of
from pitboss.submission.parser import parse, text_of

AMOUNTS = {"progressive": 100, "five-card-hand": 100}
ROYALS = {suit: " ".join(f"{rank}{suit}" for rank in "AKQJT") for suit in "cdhs"}
WEAK = "Qd 9c 8h 4d 2s"


def terms(letter: str = "A", **readings: str) -> Terms:
    text = text_of("caribbean-stud-standard").replace(
        'paytable = "A"            # A to H', f'paytable = "{letter}" # A to H'
    )
    text += "".join(f'{name.replace("_", "-")} = "{option}"\n' for name, option in readings.items())
    submission, problems = parse(text, "test")
    assert submission, problems
    return terms_of(submission)


@pytest.mark.proves("639a.12(d)(5)", "639a.11(c)(5)(iv)")
def test_639a_12_d_5_each_winner_is_paid_the_meter_at_that_turn() -> None:
    bank = open_bank(terms("B"), AMOUNTS)
    wagers = {"ante": 1000, "progressive": 100}
    for _ in range(3):
        bank = accept(bank, wagers)
    # Three wagers put $1.59 on the meter. First a straight flush: 10 %, then a royal flush: all the rest,
    # then another royal flush: the reseeded meter.
    paid = []
    for held in ("9c 8c 7c 6c 5c", ROYALS["h"], ROYALS["s"]):
        bank, lines = turn(bank, Hands.of(player=held, dealer=WEAK.replace("9c", "9d")), wagers, [2])
        (line,) = [line for line in lines if line.wager == "progressive"]
        assert (line.meter, line.returned) == ("main", 0)
        paid.append(line.pays)
    assert paid == [1_000_15, 9_001_44, 10_000_00]
    assert bank.meters["main"].pending == sum(paid) * CENT
    assert bank.meters["main"].reserve == 0  # $0.45 of reserve went into the first reseed
    assert bank.meters["main"].house == 10_000_00 * CENT * 3 - 45 * CENT
    assert bank.meters["main"].is_balanced


@pytest.mark.proves("639a.12(d)(1)")
def test_639a_12_d_1_jackpot_levels_are_won_separately() -> None:
    bank = open_bank(terms("G"), AMOUNTS)
    wagers = {"ante": 1000, "progressive": 100}
    bank = accept(bank, wagers)
    # 9 %, 7 % and 3 % of the dollar.
    assert {name: meter.current for name, meter in bank.meters.items() if name != "five-card-hand"} == {
        "mega": 10_000_09 * CENT,
        "major": 1_000_07 * CENT,
        "minor": 250_03 * CENT,
    }
    bank, lines = turn(bank, Hands.of(player="9c 9d 9h 9s 5c", dealer="Qd 8c 7h 4d 2s"), wagers, [2])
    assert [line.pays for line in lines if line.wager == "progressive"] == [250_03]
    assert bank.meters["minor"].current == 250_00 * CENT
    assert bank.meters["mega"].current == 10_000_09 * CENT


@pytest.mark.proves("639a.12(e)(2)")
def test_639a_12_e_2_the_dealers_jackpot_is_taken_when_the_hand_is_turned_and_divided() -> None:
    bank = open_bank(terms(), AMOUNTS)
    wagers = {"ante": 1000, "five-card-hand-dealer": 100, "five-card-hand-player": 100}
    for _ in range(3):
        bank = accept(bank, wagers)
    # Six wagers of $1: 13 % on the meter, 8 % in reserve.
    assert bank.meters["five-card-hand"].current == 10_000_78 * CENT
    dealer = ROYALS["d"]
    hands = [Hands.of(player=held, dealer=dealer) for held in ("9c 8c 7c 6c 5c", "Kc 8h 7h 6h 4c", "Qc 8s 7s 6s 4s")]
    bank = reveal(bank, hands[0], {"five-card-hand-dealer": 3})
    assert (
        bank.meters["five-card-hand"].current == 49 * CENT
    )  # its reserve, 6 × $0.08, and the cent that three cannot share
    won = []
    for held in hands:
        bank, lines = turn(bank, held, wagers, [2])
        won.append({line.wager: line.pays for line in lines if line.pays})
    # A third of $10,000.78 each; the first player's own straight flush: a tenth of what is there at his turn.
    assert [pays["five-card-hand-dealer"] for pays in won] == [3_333_59, 3_333_59, 3_333_59]
    assert [pays.get("five-card-hand-player") for pays in won] == [4, None, None]
    meter = bank.meters["five-card-hand"]
    assert meter.pending == (3 * 3_333_59 + 4) * CENT
    assert meter.current == (10_000_78 + 48 - 3 * 3_333_59 - 4) * CENT
    assert meter.is_balanced
    assert end_round(bank).at_reveal == {}


@pytest.mark.proves("639a.12(d)(4)")
def test_a_void_reverses_wins_and_increments() -> None:
    bank = open_bank(terms("B"), AMOUNTS)
    wagers = {"ante": 1000, "progressive": 100, "five-card-hand-player": 100, "five-card-hand-dealer": 100}
    fed = accept(accept(bank, wagers), wagers)
    assert void(fed, [wagers, wagers]).meters == bank.meters
    hands = Hands.of(player=ROYALS["h"], dealer="9c 8c 7c 6c 5c")
    won, _ = turn(reveal(fed, hands, {"five-card-hand-dealer": 2}), hands, wagers, [2])
    assert len(won.wins) == 3
    assert void(won, [wagers, wagers]).meters == bank.meters


def test_the_dealers_jackpot_is_paid_once_for_each_share() -> None:
    bank = open_bank(terms(), AMOUNTS)
    wagers = {"ante": 1000, "five-card-hand-dealer": 100}
    hands = Hands.of(player="Kc 8h 7h 6h 4c", dealer=ROYALS["d"])
    with pytest.raises(Mistake, match="call `reveal` first"):
        turn(bank, hands, wagers, [2])
    bank = reveal(bank, hands, {"five-card-hand-dealer": 2})
    with pytest.raises(Mistake, match="can be revealed only once in a round"):
        reveal(bank, hands, {"five-card-hand-dealer": 2})
    for _ in range(2):
        bank, lines = turn(bank, hands, wagers, [2])
        assert next(line.pays for line in lines if line.wager == "five-card-hand-dealer") == 5_000_00
    with pytest.raises(Mistake, match="call `reveal` first"):
        turn(bank, hands, wagers, [2])
    with pytest.raises(Mistake, match="can be revealed only once in a round"):
        reveal(end_round(bank), hands, {"five-card-hand-dealer": -1})
    assert (
        reveal(bank, Hands.of(player="Kc 8h 7h 6h 4c", dealer=WEAK), {"five-card-hand-dealer": 2}).meters == bank.meters
    )


def test_wins_are_paid_or_returned_one_by_one() -> None:
    bank = open_bank(terms("B"), AMOUNTS)
    wagers = {"ante": 1000, "progressive": 100}
    for held in ("9c 8c 7c 6c 5c", ROYALS["h"]):
        bank, _ = turn(bank, Hands.of(player=held, dealer=WEAK.replace("9c", "9d")), wagers, [2])
    assert [won.each for _, won in bank.wins] == [1_000_00, 9_000_00]
    paid = pay(bank, 0)
    assert (paid.meters["main"].paid, len(paid.wins)) == (1_000_00 * CENT, 1)
    back = take_back(paid, 0)
    assert (back.shows["main"], back.meters["main"].pending, back.wins) == (9_000_00 * CENT, 0, ())


@pytest.mark.proves("639a.12(d)(4)")
def test_a_bank_opens_with_the_submissions_starting_amount() -> None:
    text = text_of("caribbean-stud-standard").replace(
        "# starting = { main = 12_500 }", "starting = { main = 12_500 } #"
    )
    submission, problems = parse(text, "test")
    assert submission, problems
    assert bank_of(submission, {"progressive": 500}).shows == {"main": 62_500_00 * CENT}
    assert bank_of(submission, {"five-card-hand": 100}).shows == {"five-card-hand": 10_000_00 * CENT}
    with pytest.raises(Mistake, match="No wager “progresive” has meters here; did you mean “progressive”"):
        bank_of(submission, {"progresive": 100})
    with pytest.raises(Mistake, match=r"A meter's wager of \$1\.50 is not a whole number of dollars\."):
        open_bank(terms(), {"progressive": 150})


def test_refuses_to_void_a_wager_that_was_never_accepted() -> None:
    with pytest.raises(Mistake, match="A wager that was never accepted cannot be voided"):
        void(open_bank(terms(), AMOUNTS), [{"progressive": 100}])


def test_a_meter_accepts_only_one_amount() -> None:
    bank = open_bank(terms(), AMOUNTS)
    with pytest.raises(Mistake, match=r"These meters are for a Progressive Payout wager of \$1\.00, not \$5\.00\."):
        accept(bank, {"ante": 1000, "progressive": 500})
    with pytest.raises(Mistake, match=r"not \$5\.00\."):
        turn(bank, Hands.of(player=ROYALS["h"], dealer=WEAK), {"ante": 1000, "progressive": 500}, [2])


def test_wagers_of_a_player_who_left_are_settled_with_the_meters() -> None:
    bank = accept(open_bank(terms(), AMOUNTS), {"ante": 1000, "progressive": 100})
    hands = Hands.of(player=ROYALS["h"], dealer=WEAK)
    after, lines = turn(bank, hands, {"ante": 1000, "progressive": 100}, left=True)
    assert [line.net for line in lines] == [-1000, -100]
    assert after.meters == bank.meters


@pytest.mark.parametrize(("option", "current"), [("from-table", 10_000_53), ("from-meter", 10_000_53 - 500_00)])
def test_progressive_fixed_pays(option: str, current: int) -> None:
    bank = accept(open_bank(terms("A", progressive_fixed_pays=option), AMOUNTS), {"progressive": 100})
    bank, lines = turn(
        bank, Hands.of(player="9c 9d 9h 9s 5c", dealer="Qd 8c 7h 4d 2s"), {"ante": 1000, "progressive": 100}, [2]
    )
    assert next(line.pays for line in lines if line.wager == "progressive") == 500_00
    assert bank.meters["main"].current == current * CENT


def test_a_meter_starts_with_the_operators_amount() -> None:
    bank = open_bank(terms_of(load("caribbean-stud-standard")), {"progressive": 500}, {"main": 62_500_00 * CENT})
    assert bank.shows == {"main": 62_500_00 * CENT}
    assert open_bank(terms(), {"progressive": 500}).shows == {"main": 50_000_00 * CENT}
