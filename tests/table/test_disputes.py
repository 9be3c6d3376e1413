"""Disputes: claims and their validation, voids and what they reverse, decks, and who may give which command."""

from collections.abc import Mapping

import pytest
from msgspec.structs import replace
from table_play import (
    ANTE,
    ANTE_AND_SIDE_WAGER,
    DEALER,
    FLOORPERSON,
    PRESETS,
    advance_until,
    after_command,
    deal_cards,
    given_by_patron,
    open_for_gaming,
    perform_due,
    shuffle_and_wager,
)

from pitboss.cards import DECK, Card, hand
from pitboss.games import FOLD
from pitboss.progressive import Bank, open_bank
from pitboss.rulebook.procedures import Do
from pitboss.submission.model import Dealing
from pitboss.table import (
    Acknowledge,
    ChangeDeck,
    Command,
    Correct,
    Decide,
    Document,
    Given,
    Leave,
    Perform,
    Reject,
    Report,
    Sit,
    Stand,
    Table,
    Wager,
    Withhold,
    decide,
    refusal,
    transitions,
    view,
)
from pitboss.table import events as happened
from pitboss.table.evolution import last_table
from pitboss.table.metering import apply_to_bank
from pitboss.table.runner import automatic_command
from pitboss.table.shoe import seeded_source

STUD, PRIME, CAJUN = PRESETS.values()
LIGHT = replace(FLOORPERSON, light=True)


def deck(*hands: str) -> tuple[Card, ...]:
    """A deck whose first cards make these hands, dealt one card at a time."""
    woven = [card for cards in zip(*map(hand, hands), strict=True) for card in cards]
    return (*woven, *(card for card in DECK if card not in woven))


ROYALS = deck("Ah Kh Qh Jh Th", "2c 2d 3c 3d 4c")


def royal_flush_claimed(
    wagers: Mapping[str, int] | None = None, letters: Mapping[str, str] | None = None
) -> tuple[Bank, Table]:
    """Ann's royal flush, turned and claimed, with the meters as they stand then."""
    table = shuffle_and_wager(
        open_for_gaming(STUD, {1: "Ann"}, paytable_letters=letters), {1: wagers or {**ANTE, "progressive": 100}}, ROYALS
    )
    bank = open_bank(table.rules.terms, {"progressive": 100, "five-card-hand": 100})
    bank, table = step_with_bank(bank, table, Perform(), DEALER)
    table = advance_until(table, Do.SETTLE)
    return step_with_bank(bank, table, Perform(), replace(DEALER, meters=bank.shows))


def step_with_bank(bank: Bank, table: Table, command: Command, given: Given) -> tuple[Bank, Table]:
    decided = transitions(table, command, given)
    return apply_to_bank(bank, decided), last_table(table, decided)


@pytest.mark.proves("639a.12(d)(5)")
def test_639a_12_d_5_a_jackpot_leaves_the_meter_at_the_players_turn_and_is_paid_when_documented() -> None:
    bank, table = royal_flush_claimed()
    main = bank.meters["main"]
    assert (main.current, main.pending, main.paid) == (10**12, 1_000_053 * 10**6, 0)  # others play on from the reseed
    bank, table = step_with_bank(bank, table, Acknowledge(), LIGHT)
    assert bank.meters["main"] == main
    bank, table = step_with_bank(bank, table, Document(1), FLOORPERSON)
    bank, table = step_with_bank(bank, table, Perform(), DEALER)
    assert (bank.meters["main"].pending, bank.meters["main"].paid) == (0, 1_000_053 * 10**6)


def test_a_rejected_claim_may_be_made_again() -> None:
    bank, table = royal_flush_claimed()
    bank, table = step_with_bank(bank, table, Reject(), FLOORPERSON)
    assert (bank.shows["main"], bank.meters["main"].pending) == (1_000_053 * 10**6, 0)
    bank, table = step_with_bank(bank, table, Perform(), replace(DEALER, meters=bank.shows))
    assert bank.meters["main"].pending == 1_000_053 * 10**6


@pytest.mark.proves("639a.11(c)(5)(ii)", "639a.11(c)(5)(iii)")
def test_639a_11_c_5_a_payout_without_the_light_is_withheld_and_the_round_goes_on() -> None:
    bank, table = royal_flush_claimed()
    assert refusal(table, Acknowledge(), FLOORPERSON)
    assert refusal(table, Withhold(" "), FLOORPERSON)
    bank, table = step_with_bank(bank, table, Withhold("no light"), FLOORPERSON)
    lines = {line.wager: (line.outcome, line.pays) for line in table.boxes[1].lines}
    assert lines["progressive"] == ("withheld", 0)
    assert lines["bet"] == ("win", 200_000)
    assert (bank.shows["main"], bank.meters["main"].pending) == (1_000_053 * 10**6, 0)
    assert refusal(table, Perform(), DEALER)  # the hand stays until the dispute is documented
    assert after_command(after_command(table, Document(1), FLOORPERSON), Perform()).round == 1


@pytest.mark.proves("639a.11(c)(5)(v)")
def test_639a_11_c_5_v_envy_is_paid_once_after_the_hand_is_validated() -> None:
    wagers = {**ANTE, "progressive": 100}
    cards = deck("9h 8h 7h 6h 5h", "Kc Jd 8s 4c 2h", "Ac Qd 8d 4d 2c")
    table = shuffle_and_wager(
        open_for_gaming(STUD, {1: "Ann", 2: "Bob"}, paytable_letters={"progressive": "D"}),
        {1: wagers, 2: wagers},
        cards,
    )
    table = advance_until(table, Do.SETTLE)
    table = perform_due(perform_due(table))  # Bob is settled, Ann claims
    assert not any(line.wager == "envy-bonus" for line in table.boxes[2].lines)
    table = after_command(perform_due(after_command(table, Reject(), FLOORPERSON)), Acknowledge(), LIGHT)
    assert [line.pays for line in table.boxes[2].lines if line.wager == "envy-bonus"] == [30_000]


@pytest.mark.parametrize(("first", "second"), [("wrong-number", "exposed"), ("exposed", "wrong-number")])
@pytest.mark.parametrize("chapter", PRESETS)
def test_13_a_round_is_void_once(chapter: str, first: str, second: str) -> None:
    table = advance_until(
        shuffle_and_wager(open_for_gaming(PRESETS[chapter], {1: "Ann"}), {1: ANTE_AND_SIDE_WAGER[chapter]}), Do.ASK
    )
    void = after_command(after_command(table, Report(first)), Acknowledge(), FLOORPERSON)
    assert refusal(void, Report(second), DEALER)
    assert refusal(void, Report(first), DEALER)
    assert refusal(void, Acknowledge(), FLOORPERSON)
    assert after_command(void, Perform()).round == 1


def test_a_sixth_card_comes_from_the_stub() -> None:
    table = advance_until(shuffle_and_wager(open_for_gaming(STUD, {1: "Ann", 2: "Bob"}), {1: ANTE, 2: ANTE}), Do.ASK)
    table = after_command(table, Decide(1, FOLD), given_by_patron("Ann"))
    table = perform_due(after_command(table, Decide(2, 2), given_by_patron("Bob")))
    assert table.boxes[1].racked
    void = after_command(table, Report("wrong-number", seat=2, cards=6))
    sixth = void.boxes[2].cards[5].card
    assert sixth in table.stub
    assert sixth not in [slot.card for slot in void.boxes[1].cards]


def test_3_c_every_command_moves_the_clock() -> None:
    table = open_for_gaming(STUD, {1: "Ann"}, time=100)
    table = after_command(table, Perform(), replace(DEALER, cards=DECK, time=100 + 7 * 3600))
    table = after_command(table, Wager(1, ANTE), given_by_patron("Ann"))
    assert refusal(table, Perform(), replace(DEALER, time=100 + 9 * 3600))
    assert refusal(table, Perform(), replace(DEALER, time=100))


@pytest.mark.parametrize(("preset", "place"), [(PRIME, "all-six"), (CAJUN, "all-six")])
def test_reading_all_six_irregular_an_exposed_all_six_card_is_a_misdeal(preset: str, place: str) -> None:
    wagers = {**ANTE, "all-six": 100}
    table = advance_until(shuffle_and_wager(open_for_gaming(preset, {1: "Ann"}), {1: wagers}), Do.ASK)
    void = after_command(table, Report("exposed", place=place))
    chapter = table.due.cite.chapter
    assert void.void == f"{chapter}.13(c)"
    assert {line.wager: (line.outcome, line.returned) for line in void.boxes[1].lines} == {
        "ante": ("returned", 1000),
        "all-six": ("returned", 100),
    }


def test_13_c_two_all_six_cards_may_be_reported_before_players_have_cards() -> None:
    table = deal_cards(shuffle_and_wager(open_for_gaming(PRIME, {1: "Ann"}), {1: {**ANTE, "all-six": 100}}), 1)
    assert not table.boxes[1].cards
    assert after_command(table, Report("wrong-number", place="all-six", cards=2)).void == "682a.13(c)"


@pytest.mark.proves("683a.13(f)", "639a.13(f)")
@pytest.mark.parametrize(("preset", "stacks"), [(CAJUN, 2), (STUD, 3)])
def test_13_f_a_shoe_failure_after_the_last_stack_does_not_void_the_round(preset: str, stacks: int) -> None:
    table = shuffle_and_wager(
        open_for_gaming(preset, {1: "Ann", 2: "Bob"}, dealing=Dealing.AUTOMATED_SHOE), {1: ANTE, 2: ANTE}
    )
    assert refusal(deal_cards(table, stacks - 1), Report("shoe-jam"), DEALER) is None
    after = deal_cards(table, stacks)
    assert refusal(after, Report("shoe-jam"), DEALER)
    assert not after_command(after, Report("malfunction", "shoe")).void


@pytest.mark.proves("639a.12(e)(3)")
def test_639a_12_e_3_magic_and_lucky_come_as_often_as_the_submission_says() -> None:
    source, table = seeded_source("draws"), shuffle_and_wager(open_for_gaming(STUD, {1: "Ann"}), {1: ANTE})
    drawn = [automatic_command(table, source, DEALER, bets_are_in=True) for _ in range(20_000)]
    cards = [due[1].magic for due in drawn if due and due[1].magic]
    lucky = [due[1].lucky[0] for due in drawn if due and due[1].lucky]
    # The preset says 1 in 100 and 1 in 20: within four standard deviations of 200 and 1,000 of 20,000.
    assert 144 <= len(cards) <= 256
    assert 877 <= len(lucky) <= 1123
    assert set(lucky) == {"dealer", *map(str, range(1, 8))}
    called = after_command(table, Perform(), replace(DEALER, magic=DECK[0], lucky=("3",)))
    assert (view(called).magic, view(called).lucky) == ("2c", ("3",))


def test_a_count_in_a_report_does_not_count_the_stub() -> None:
    table = open_for_gaming(PRIME, {1: "Ann"})
    while table.uncounted < 4:
        table = advance_until(shuffle_and_wager(table, {1: ANTE}), Do.CLEAR)
        table = perform_due(table)
    table = deal_cards(shuffle_and_wager(table, {1: ANTE_AND_SIDE_WAGER["682a"]}), 3)
    events = decide(table, Report("exposed"), replace(DEALER, counted=3))
    assert not any(isinstance(event, happened.Counted) for event in events)


def test_a_scanned_cards_name_may_be_corrected_before_settlement() -> None:
    table = shuffle_and_wager(open_for_gaming(STUD, {1: "Ann"}, scanned=True), {1: ANTE}, deck=())
    while not (table.due.do is Do.DEAL and table.due.up):
        table = perform_due(table)
    table = advance_until(after_command(table, Perform(), replace(DEALER, cards=hand("Kd"))), Do.ASK)
    for wrong in (
        Correct(Card("Kh"), 1, place="dealer"),
        Correct(Card("Kd"), 0, place="dealer"),
        Correct(Card("Kh"), 0),
    ):
        assert refusal(table, wrong, FLOORPERSON)
    right = Correct(Card("Kh"), 0, place="dealer")
    assert refusal(table, right, DEALER)
    assert view(after_command(table, right, FLOORPERSON)).places["dealer"][0] == "Kh"
    known = advance_until(shuffle_and_wager(open_for_gaming(STUD, {1: "Ann"}), {1: ANTE}), Do.ASK)
    assert refusal(known, right, FLOORPERSON)


def test_payouts_are_documented_in_any_order() -> None:
    wagers = {**ANTE, "progressive": 100}
    cards = deck("Ah Kh Qh Jh Th", "As Ks Qs Js Ts", "2c 2d 3c 3d 4c")
    table = advance_until(
        shuffle_and_wager(open_for_gaming(STUD, {1: "Ann", 2: "Bob"}), {1: wagers, 2: wagers}, cards), Do.SETTLE
    )
    for _ in range(2):
        table = after_command(perform_due(table), Acknowledge(), LIGHT)
    assert after_command(after_command(table, Document(2), FLOORPERSON), Document(1), FLOORPERSON).due.do is Do.CLEAR
    assert (
        after_command(
            after_command(after_command(table, Document(2), FLOORPERSON), Document(1), FLOORPERSON), Perform()
        ).round
        == 1
    )


def test_a_wager_may_be_taken_back_during_a_deck_change() -> None:
    table = after_command(shuffle_and_wager(open_for_gaming(STUD, {1: "Ann"}), {1: ANTE}), ChangeDeck(), FLOORPERSON)
    assert refusal(table, Wager(1, ANTE), given_by_patron("Ann"))
    empty = after_command(table, Wager(1, {}), given_by_patron("Ann"))
    assert after_command(empty, Stand(1), given_by_patron("Ann")).seated == {}


def test_a_stranger_sees_the_public_view_and_a_negative_meter_is_refused() -> None:
    table = advance_until(
        shuffle_and_wager(open_for_gaming(STUD, {1: "Ann"}), {1: {**ANTE, "progressive": 100}}), Do.SETTLE
    )
    assert view(table, "stranger").seated == {1: ""}
    refused = refusal(table, Perform(), replace(DEALER, meters={"main": -5, "five-card-hand": 1}))
    assert refused
    assert refused.why == "A meter cannot be negative."
    assert refusal(table, Sit(1), given_by_patron("Bob"))


def after_settling(table: Table, seats: int, given: Given = DEALER) -> Table:
    """The table after settling this many boxes; claims are validated."""
    for _ in range(seats):
        table = after_command(table, Perform(), given)
        if any(box.claimed for box in table.boxes.values()):
            table = after_command(table, Acknowledge(), LIGHT)
    return table


@pytest.mark.proves("639a.11(c)(5)(v)")
@pytest.mark.parametrize("holder", [1, 2])
def test_639a_11_c_5_v_envy_does_not_depend_on_the_order_of_settlement(holder: int) -> None:
    """The holder needs no wager of his own (reading envy-holder-wagered); his hand is turned before the other is paid."""
    other = 3 - holder
    hands = {holder: "9h 8h 7h 6h 5h", other: "Kc Jd 8s 4c 2h"}
    cards = deck(hands[1], hands[2], "Ac Qd 8d 4d 2c")
    wagers = {holder: ANTE, other: {**ANTE, "progressive": 100}}
    table = open_for_gaming(STUD, {1: "Ann", 2: "Bob"}, paytable_letters={"progressive": "D"})
    table = after_settling(advance_until(shuffle_and_wager(table, dict(sorted(wagers.items())), cards), Do.SETTLE), 2)
    assert [line.pays for line in table.boxes[other].lines if line.wager == "envy-bonus"] == [30_000]


def test_a_dealers_royal_flush_does_not_block_settlement() -> None:
    both = {**ANTE, "five-card-hand-dealer": 100, "five-card-hand-player": 100}
    cards = deck("Kc Jd 8s 4c 2h", "9h 8h 7h 6h 5h", "As Ks Qs Js Ts")
    table = advance_until(
        shuffle_and_wager(open_for_gaming(STUD, {1: "Ann", 2: "Bob"}), {1: ANTE, 2: both}, cards), Do.SETTLE
    )
    assert (
        after_settling(table, 2, replace(DEALER, meters={"main": 10**12, "five-card-hand": 10**10})).due.do is Do.CLEAR
    )


def scanned_royal(wagers: Mapping[str, int]) -> tuple[Bank, Table]:
    """A scanned table; the dealer's hand is turned and named as a royal flush."""
    table = shuffle_and_wager(open_for_gaming(STUD, {1: "Ann"}, scanned=True), {1: {**ANTE, **wagers}}, deck=())
    bank = open_bank(table.rules.terms, {"progressive": 100, "five-card-hand": 100})
    bank, table = step_with_bank(bank, table, Perform(), DEALER)
    while table.due.do is not Do.ASK:
        named = hand("As") if table.due.do is Do.DEAL and table.due.up else ()
        counted = int("progressive" in wagers) if table.due.do is Do.CHIPS else None
        bank, table = step_with_bank(bank, table, Perform(), replace(DEALER, cards=named, counted=counted))
    bank, table = step_with_bank(bank, table, Decide(1, 2), given_by_patron("Ann"))
    return step_with_bank(bank, table, Perform(), replace(DEALER, meters=bank.shows, cards=hand("Ks Qs Js Ts")))


def test_correcting_the_dealers_hand_corrects_the_meters() -> None:
    bank, table = scanned_royal({"five-card-hand-dealer": 100})
    assert bank.meters["five-card-hand"].pending > 0
    bank, table = step_with_bank(bank, table, Correct(Card("9c"), 4, place="dealer"), FLOORPERSON)
    assert (bank.meters["five-card-hand"].pending, bank.shows["five-card-hand"]) == (0, 10_000_13 * 10**6)
    bank, table = step_with_bank(bank, table, Correct(Card("Ts"), 4, place="dealer"), FLOORPERSON)
    assert bank.meters["five-card-hand"].pending == 10_000_13 * 10**6


def test_a_claim_must_be_rejected_before_its_cards_are_corrected() -> None:
    bank, table = scanned_royal({"progressive": 100})
    bank, table = step_with_bank(
        bank, table, Perform(), replace(DEALER, meters=bank.shows, cards=hand("Ah Kh Qh Jh Th"))
    )
    assert table.boxes[1].claimed
    wrong = Correct(Card("9c"), 4, seat=1)
    assert refusal(table, wrong, FLOORPERSON)
    bank, table = step_with_bank(bank, table, Reject(), FLOORPERSON)
    assert refusal(table, wrong, FLOORPERSON) is None


def test_wins_of_the_same_amount_go_back_to_their_own_meters() -> None:
    """Both meters show $10,000 exactly: the round's own increments count only from the next."""
    wagers = {**ANTE, "progressive": 100, "five-card-hand-dealer": 100}
    cards = deck("Ah Kh Qh Jh Th", "As Ks Qs Js Ts")
    table = shuffle_and_wager(
        open_for_gaming(STUD, {1: "Ann"}, readings={"own-contribution": "no"}), {1: wagers}, cards
    )
    bank = open_bank(table.rules.terms, {"progressive": 100, "five-card-hand": 100})
    bank, table = step_with_bank(bank, table, Perform(), DEALER)
    while table.due.do is not Do.SETTLE:
        if seat := view(table).to_act:
            bank, table = step_with_bank(bank, table, Decide(seat, 2), given_by_patron("Ann"))
        else:
            counted = 1 if table.due.do is Do.CHIPS else None
            bank, table = step_with_bank(bank, table, Perform(), replace(DEALER, meters=bank.shows, counted=counted))
    bank, table = step_with_bank(bank, table, Perform(), replace(DEALER, meters=bank.shows))
    bank, table = step_with_bank(bank, table, Withhold("in dispute"), FLOORPERSON)
    assert [bank.meters[name].pending for name in ("main", "five-card-hand")] == [0, 0]
    assert all(meter.is_balanced for meter in bank.meters.values())
    assert refusal(table, Perform(), DEALER)  # 639a.11(c)(5)(iv): the hand stays until it is documented
    assert after_command(after_command(table, Document(1), FLOORPERSON), Perform()).round == 1


def test_a_player_who_left_undecided_has_folded_for_envy_too() -> None:
    cards = deck("Kc Jd 8s 4c 2h", "9h 8h 7h 6h 5h", "Ac Qd 8d 4d 2c")
    wagers = {**ANTE, "progressive": 100}
    table = advance_until(
        shuffle_and_wager(
            open_for_gaming(STUD, {1: "Ann", 2: "Bob"}, paytable_letters={"progressive": "D"}),
            {1: wagers, 2: wagers},
            cards,
        ),
        Do.ASK,
    )
    table = after_settling(
        advance_until(
            after_command(after_command(table, Decide(1, 2), given_by_patron("Ann")), Leave(2), DEALER), Do.SETTLE
        ),
        2,
    )
    assert not any(line.wager == "envy-bonus" for line in table.boxes[1].lines)
