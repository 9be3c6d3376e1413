"""The life of a table: opening, shuffle and cut, counts, deck changes, devices, payouts that need a floorperson."""

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
    perform_opening,
    shuffle_and_wager,
)

from pitboss.cards import DECK
from pitboss.games import Line
from pitboss.rulebook.procedures import Do
from pitboss.submission import load
from pitboss.submission.model import Dealing, Shuffler
from pitboss.table import (
    Acknowledge,
    ChangeDeck,
    Cover,
    Decide,
    Document,
    Given,
    Leave,
    Perform,
    Recut,
    Reject,
    Report,
    Sit,
    Table,
    Wager,
    decide,
    open_table,
    refusal,
    view,
)
from pitboss.table import events as happened
from pitboss.table.box_settlement import paid_from


@pytest.mark.proves(*(f"{{chapter}}.4({part})" for part in "abcde"))
@pytest.mark.parametrize(("chapter", "preset"), PRESETS.items())
def test_4_decks_are_received_inspected_verified_spread_and_washed(chapter: str, preset: str) -> None:
    table = open_table(load(preset))
    seen = []
    while not table.ready:
        seen.append((table.due.do, table.due.cite, table.due.by))
        wrong = FLOORPERSON if table.due.by == "dealer" else DEALER
        assert refusal(table, Perform(), wrong)
        if table.due.do is Do.WASH and not table.seated:  # .4(b), (c): the first player to arrive looks at them
            refused = refusal(table, Perform(), DEALER)
            assert refused
            assert (refused.why, refused.cite) == ("The cards stay spread until a player arrives.", f"{chapter}.4(c)")
            table = after_command(table, Sit(1), given_by_patron("Ann"))
        table = after_command(table, Perform(), FLOORPERSON if table.due.by == "floorperson" else DEALER)
    one = [
        (Do.INSPECT, f"{chapter}.4(a)", "dealer"),
        (Do.VERIFY, f"{chapter}.4(a)", "floorperson"),
        (Do.SPREAD, f"{chapter}.4(b)", "dealer"),
        (Do.WASH, f"{chapter}.4(c)", "dealer"),
    ]
    assert seen == [(Do.RECEIVE, f"{chapter}.4(a)", "dealer"), *one, *one]  # .4(d): the presets have two decks
    # .4(e): preinspected and preshuffled decks skip all that, and .5(c)(2) has them cut.
    table = after_command(open_table(load(preset)), Perform(), replace(DEALER, preshuffled=True))
    assert table.ready
    table = after_command(table, Perform(), replace(DEALER, cards=DECK))
    assert (table.due.do, table.due.cite) == (Do.CUT, f"{chapter}.5(d)")


@pytest.mark.proves("{chapter}.5(a)")
@pytest.mark.parametrize("chapter", PRESETS)
@pytest.mark.parametrize("dealing", Dealing)
def test_5_a_a_whole_deck_is_shuffled_before_play_and_after_every_round(chapter: str, dealing: Dealing) -> None:
    table = open_for_gaming(PRESETS[chapter], {1: "Ann"}, dealing=dealing)
    for number in range(3):
        assert (table.due.do, table.due.cite) == (Do.SHUFFLE, f"{chapter}.5(a)")
        for cards in (DECK[:51], (*DECK[:51], DECK[0]), (*DECK, DECK[0])):
            assert refusal(table, Perform(), replace(DEALER, cards=cards))
        assert after_command(table, Perform(), replace(DEALER, cards=DECK[::-1])).shoe == DECK[::-1]  # one stack
        table = shuffle_and_wager(table, {1: ANTE})
        while table.round == number:
            table = perform_due(table)


@pytest.mark.proves(*(f"{{chapter}}.5({part})" for part in ("c", "c)(1", "c)(2", "d", "e")))
@pytest.mark.parametrize(("chapter", "preset"), PRESETS.items())
def test_5_the_shuffler_determines_whether_cards_are_cut(chapter: str, preset: str) -> None:
    for shuffler, is_cut in (
        (Shuffler.NONE, True),
        (Shuffler.AUTOMATED, False),
        (Shuffler.COUNTING, False),
        (Shuffler.APPROVED_DEVICE, False),
    ):
        table = after_command(
            open_for_gaming(preset, shuffler=shuffler), Perform(), replace(DEALER, cards=DECK, counted=52)
        )
        assert (table.due.do is Do.CUT) == is_cut
    table = after_command(
        open_for_gaming(preset, {1: "Ann"}, shuffler=Shuffler.NONE), Perform(), replace(DEALER, cards=DECK)
    )
    for depth in (0, 9, 52):
        refused = refusal(table, Perform(), replace(DEALER, depth=depth))
        assert refused
        assert refused.cite == f"{chapter}.5(d)"
    assert refusal(table, Recut(), FLOORPERSON)
    table = after_command(table, Perform(), replace(DEALER, depth=10))
    assert table.shoe == (*DECK[10:], *DECK[:10])
    again = after_command(table, Recut(), FLOORPERSON)
    assert again.due.do is Do.CUT
    assert after_command(again, Perform(), replace(DEALER, depth=20)).shoe == (*DECK[30:], *DECK[:30])
    assert refusal(table, Recut(), DEALER)
    late = deal_cards(after_command(table, Wager(1, ANTE), given_by_patron("Ann")), 2)
    refused = refusal(late, Recut(), FLOORPERSON)
    assert refused
    assert refused.cite == f"{chapter}.5(e)"


@pytest.mark.proves("{chapter}.5(g)")
@pytest.mark.parametrize("chapter", PRESETS)
def test_5_g_an_approved_device_needs_no_cut_or_recut(chapter: str) -> None:
    submission = load(PRESETS[chapter])
    rules = replace(submission.table, shuffler=Shuffler.APPROVED_DEVICE)
    table = open_table(replace(submission, table=rules))
    given = replace(DEALER, cards=DECK, counted=52)
    for fresh in (perform_opening(table), after_command(table, Perform(), replace(DEALER, preshuffled=True))):
        shuffled = after_command(fresh, Perform(), given)
        assert (shuffled.due.do, shuffled.shoe) == (Do.CALL, DECK)
        assert refusal(shuffled, Recut(), FLOORPERSON)


@pytest.mark.proves("{chapter}.5(b)")
@pytest.mark.parametrize(("chapter", "preset"), PRESETS.items())
def test_5_b_a_wrong_count_by_the_shuffler_removes_the_deck(chapter: str, preset: str) -> None:
    table = open_for_gaming(preset, shuffler=Shuffler.COUNTING)
    events = decide(table, Perform(), replace(DEALER, cards=DECK, counted=51))
    assert events == [happened.Removed(f"{chapter}.5(b)")]
    assert not after_command(
        table, Perform(), replace(DEALER, cards=DECK, counted=53)
    ).ready  # other decks must be received
    assert decide(table, Perform(), replace(DEALER, cards=DECK, counted=52))[0] == happened.Shuffled(DECK)


@pytest.mark.proves("{chapter}.3(c)", "{chapter}.3(c){part}")
@pytest.mark.parametrize(("chapter", "preset"), PRESETS.items())
@pytest.mark.parametrize(
    ("dealing", "hours", "part"), [("hand", 4, "(1)"), ("manual-shoe", 8, "(2)"), ("automated-shoe", 8, "(2)")]
)
def test_3_c_decks_are_changed_in_time(chapter: str, preset: str, dealing: str, hours: int, part: str) -> None:
    table = open_for_gaming(preset, dealing=Dealing(dealing), time=1000)
    shuffle = replace(DEALER, cards=DECK, time=1000 + hours * 3600 - 1)
    assert refusal(table, Perform(), shuffle) is None
    refused = refusal(table, Perform(), replace(shuffle, time=1000 + hours * 3600))
    assert refused
    assert refused.cite == f"{chapter}.3(c){part}"
    changed = after_command(table, ChangeDeck(), FLOORPERSON)
    assert not changed.ready
    assert refusal(table, ChangeDeck(), DEALER)
    # Before the call the wagers stay where they are; after it the round is played out.
    waiting = shuffle_and_wager(open_for_gaming(preset, {1: "Ann"}), {1: ANTE})
    assert after_command(waiting, ChangeDeck(), FLOORPERSON).boxes == waiting.boxes
    late = replace(DEALER, time=hours * 3600 + 1000)
    refused = refusal(
        shuffle_and_wager(open_for_gaming(preset, {1: "Ann"}, dealing=Dealing(dealing)), {1: ANTE}), Perform(), late
    )
    assert refused
    assert refused.cite == f"{chapter}.3(c){part}"
    assert refusal(after_command(waiting, Perform()), ChangeDeck(), FLOORPERSON)


@pytest.mark.proves("{chapter}.3(c)", "{chapter}.3(c){part}")
@pytest.mark.parametrize("chapter", PRESETS)
@pytest.mark.parametrize(("dealing", "hours", "part"), [("hand", 4, "(1)"), ("manual-shoe", 8, "(2)")])
def test_reading_deck_clock_in_round_a_round_called_in_time_is_played_out(
    chapter: str, dealing: str, hours: int, part: str
) -> None:
    limit = hours * 3600
    table = shuffle_and_wager(open_for_gaming(PRESETS[chapter], {1: "Ann"}, dealing=Dealing(dealing)), {1: ANTE})
    refused = refusal(table, Perform(), replace(DEALER, time=limit))
    assert refused
    assert (refused.why, refused.cite) == (
        f"The deck has been in use for {hours} hours and must be changed.",
        f"{chapter}.3(c){part}",
    )
    changed = perform_opening(after_command(table, ChangeDeck(), replace(FLOORPERSON, time=limit)), limit)
    assert changed.boxes == table.boxes  # the wagers wait for the new deck
    changed = after_command(changed, Perform(), replace(DEALER, cards=DECK, time=limit + 60))
    assert after_command(changed, Perform(), replace(DEALER, time=limit + 60)).called
    table = after_command(table, Perform(), replace(DEALER, time=limit - 1))
    while table.round == 0:
        table = perform_due(
            after_command(table, Perform(), replace(DEALER, time=limit + 1)) if table.due.do is Do.DEAL else table
        )
    assert table.now > limit
    refused = refusal(table, Perform(), replace(DEALER, cards=DECK, time=table.now))
    assert refused
    assert refused.cite == f"{chapter}.3(c){part}"


@pytest.mark.proves("{chapter}.3(b)(3)")
@pytest.mark.parametrize("chapter", PRESETS)
def test_3_b_3_two_decks_are_used_in_turn(chapter: str) -> None:
    table = open_for_gaming(PRESETS[chapter], {1: "Ann"})
    decks = []
    for number in range(4):
        decks.append(table.deck)
        table = shuffle_and_wager(table, {1: ANTE})
        while table.round == number:
            table = perform_due(table)
    assert decks == [0, 1, 0, 1]


def test_a_recut_needs_no_second_call_and_a_void_round_no_recut() -> None:
    table = shuffle_and_wager(open_for_gaming(PRESETS["639a"], {1: "Ann"}, shuffler=Shuffler.NONE), {1: ANTE})
    called = after_command(table, Perform())
    again = after_command(called, Recut(), FLOORPERSON)
    assert again.due.do is Do.CUT
    assert after_command(again, Perform(), replace(DEALER, depth=12)).due == called.due
    set_aside = after_command(advance_until(called, Do.DEAL), Report("face-up-card"), DEALER)
    assert refusal(set_aside, Recut(), FLOORPERSON)
    void = after_command(after_command(set_aside, Report("face-up-card"), DEALER), Acknowledge(), FLOORPERSON)
    assert refusal(void, Recut(), FLOORPERSON)
    assert refusal(open_for_gaming(PRESETS["639a"]), Recut(), FLOORPERSON)


def test_a_player_who_leaves_before_the_deal_takes_the_wagers() -> None:
    table = shuffle_and_wager(open_for_gaming(PRESETS["639a"], {1: "Ann"}), {1: ANTE})
    assert after_command(table, Leave(1), given_by_patron("Ann")).boxes == {}
    removed = decide(
        open_for_gaming(PRESETS["639a"], {1: "Ann"}, shuffler=Shuffler.COUNTING),
        Perform(),
        replace(DEALER, cards=DECK, counted=51),
    )
    assert removed == [happened.Removed("639a.5(b)")]


@pytest.mark.proves("{chapter}.5(b)", "{chapter}.5(c)(2)")
@pytest.mark.parametrize("chapter", PRESETS)
def test_counting_devices_must_count_and_failed_ones_require_a_cut(chapter: str) -> None:
    for shuffler in (Shuffler.COUNTING, Shuffler.APPROVED_DEVICE):
        table = open_for_gaming(PRESETS[chapter], {1: "Ann"}, shuffler=shuffler)
        assert refusal(table, Perform(), replace(DEALER, cards=DECK))
        assert isinstance(decide(table, Perform(), replace(DEALER, cards=DECK, counted=53))[0], happened.Removed)
        failed = after_command(
            after_command(table, Report("malfunction", "shuffler"), DEALER), Cover("shuffler"), DEALER
        )
        assert after_command(failed, Perform(), replace(DEALER, cards=DECK)).due.do is Do.CUT


@pytest.mark.proves("{chapter}.4(a)")
@pytest.mark.parametrize(("chapter", "preset"), PRESETS.items())
def test_4_a_a_second_person_verifies_the_inspection(chapter: str, preset: str) -> None:
    table = after_command(after_command(open_table(load(preset)), Perform()), Perform())
    refused = refusal(table, Perform(), replace(FLOORPERSON, actor="Dealer"))
    assert refused
    assert (refused.why, refused.cite) == ("Another person must verify the inspection.", f"{chapter}.4(a)")


def test_a_box_is_settled_again_after_a_rejected_payout() -> None:
    royal = [card for card in DECK if card.suit.letter == "h" and card.rank >= 10]
    rest = [card for card in DECK if card not in royal]
    deck = [card for pair in zip(royal, rest[:5], strict=True) for card in pair] + rest[5:]
    table = shuffle_and_wager(
        open_for_gaming(PRESETS["639a"], {1: "Ann"}), {1: {**ANTE, "progressive": 100}}, tuple(deck)
    )
    claimed = after_command(
        advance_until(after_command(advance_until(table, Do.ASK), Decide(1, 2), given_by_patron("Ann")), Do.SETTLE),
        Perform(),
    )
    rejected = after_command(claimed, Reject(), FLOORPERSON)
    assert rejected.due.do is Do.SETTLE
    assert refusal(rejected, Reject(), FLOORPERSON)
    refused = refusal(rejected, Perform(), replace(DEALER, meters={}))
    assert refused
    assert refused.why == "The balance of the meter main is missing."
    assert view(after_command(rejected, Perform())).claimed == 1


def test_boxes_stay_adjacent_when_a_wager_is_taken_back() -> None:
    table = shuffle_and_wager(open_for_gaming(PRESETS["639a"], {1: "Ann"}), {1: ANTE})
    for seat in (2, 3):
        table = after_command(table, Wager(seat, ANTE), given_by_patron("Ann"))
    assert refusal(table, Wager(2, {}), given_by_patron("Ann"))
    assert refusal(table, Wager(3, {}), given_by_patron("Ann")) is None


def test_refuses_a_patron_without_a_name() -> None:
    for name in ("", " ", "\0"):
        assert refusal(open_for_gaming(PRESETS["639a"]), Sit(1), given_by_patron(name))


@pytest.mark.proves("{chapter}.7(b)")
@pytest.mark.parametrize(("chapter", "preset"), PRESETS.items())
def test_7_b_the_submission_says_how_a_player_who_left_is_settled(chapter: str, preset: str) -> None:
    table = advance_until(
        shuffle_and_wager(open_for_gaming(preset, {1: "Ann", 3: "Bob"}), {1: ANTE_AND_SIDE_WAGER[chapter], 3: ANTE}),
        Do.ASK,
    )
    assert refusal(table, Leave(1), given_by_patron("Bob"))
    table = after_command(table, Leave(1), given_by_patron("Ann"))
    assert view(table).to_act == 3
    lines: dict[int, tuple[Line, ...]] = {}
    while table.round == 0:
        events = decide(table, *step_of(table))
        lines |= {event.seat: event.lines for event in events if isinstance(event, happened.Settled)}
        table = perform_due(table)
    assert {line.wager: line.net for line in lines[1] if line.wager == "ante"} == {"ante": -1000}
    assert lines[1][0].outcome == "forfeited"
    assert 1 not in table.seated


def step_of(table: Table) -> tuple[Decide | Perform, Given]:
    if seat := view(table).to_act:
        return Decide(seat, 1 if table.rules.terms.game.decisions[0].multiples[0] == 1 else 2), given_by_patron(
            table.boxes[seat].patron
        )
    return Perform(), DEALER


@pytest.mark.proves("639a.11(c)(5)(iii)", "639a.11(c)(6)(ii)", "639a.12(d)(5)")
def test_639a_11_c_5_iii_a_floorperson_validates_before_the_payout() -> None:
    royal = [card for card in DECK if card.suit.letter == "h" and card.rank >= 10]
    rest = [card for card in DECK if card not in royal]
    # One player: his cards are the first of each pair dealt.
    deck = [card for pair in zip(royal, rest[:5], strict=True) for card in pair] + rest[5:]
    table = open_for_gaming(PRESETS["639a"], {1: "Ann"})
    table = shuffle_and_wager(table, {1: {**ANTE, "progressive": 100, "five-card-hand-player": 100}}, tuple(deck))
    table = after_command(advance_until(table, Do.ASK), Decide(1, 2), given_by_patron("Ann"))
    table = advance_until(table, Do.SETTLE)
    shown = replace(DEALER, meters={"main": 20_000 * 10**8, "five-card-hand": 15_000 * 10**8})
    claimed = after_command(table, Perform(), shown)
    assert view(claimed).claimed == 1
    refused = refusal(claimed, Perform(), DEALER)
    assert refused
    assert "validate" in refused.why
    assert refusal(claimed, Acknowledge(), DEALER)
    # The amount is fixed at the player's turn, whatever the meter shows when it is validated.
    paid = after_command(
        claimed, Acknowledge(), replace(FLOORPERSON, light=True, meters={"main": 0, "five-card-hand": 0})
    )
    won = {line.wager: line.pays for line in paid.boxes[1].lines}
    assert (won["progressive"], won["five-card-hand-player"]) == (20_000_00, 15_000_00)


@pytest.mark.proves("639a.11(c)(5)(ii)", "639a.11(c)(5)(iv)", "639a.11(c)(6)(iii)")
def test_639a_11_c_5_iv_a_jackpot_is_not_paid_from_the_inventory_and_the_hand_stays_until_documented() -> None:
    royal = [card for card in DECK if card.suit.letter == "h" and card.rank >= 10]
    rest = [card for card in DECK if card not in royal]
    deck = [card for pair in zip(royal, rest[:5], strict=True) for card in pair] + rest[5:]
    wagers = {**ANTE, "bonus": 100, "progressive": 100, "five-card-hand-player": 100, "five-card-hand-dealer": 100}
    table = shuffle_and_wager(open_for_gaming(PRESETS["639a"], {1: "Ann"}), {1: wagers}, tuple(deck))
    table = replace(
        advance_until(after_command(advance_until(table, Do.ASK), Decide(1, 2), given_by_patron("Ann")), Do.SETTLE),
        lucky=("dealer",),
    )
    claimed = after_command(table, Perform())
    refused = refusal(claimed, Acknowledge(), FLOORPERSON)
    assert refused
    assert refused.cite == "639a.11(c)(5)(ii)"
    paid = after_command(claimed, Acknowledge(), replace(FLOORPERSON, light=True))
    sources = {line.wager: paid_from(paid, line) for line in paid.boxes[1].lines if line.pays}
    assert {sources[name] for name in ("progressive", "five-card-hand-player")} == {"meter"}
    assert sources["lucky-bonus-dealer"] == "game account"
    assert sources["bonus"] == "table inventory"
    refused = refusal(paid, Perform(), DEALER)
    assert refused
    assert refused.cite == "639a.11(c)(5)(iv)"
    assert refusal(paid, Document(1), DEALER)
    assert refusal(paid, Document(2), FLOORPERSON)
    assert after_command(after_command(paid, Document(1), FLOORPERSON), Perform()).round == 1


def test_a_wrong_chip_count_stops_the_deal() -> None:
    table = advance_until(
        shuffle_and_wager(open_for_gaming(PRESETS["639a"], {1: "Ann"}), {1: {**ANTE, "progressive": 100}}), Do.CHIPS
    )
    refused = refusal(table, Perform(), replace(DEALER, counted=2))
    assert refused
    assert refused.why == "Chips counted: 2, wagers accepted: 1. A floorperson must decide first."
    assert refusal(table, Perform(), DEALER)
    assert refusal(table, Perform(), replace(FLOORPERSON, counted=2)) is None
    assert refusal(table, Perform(), replace(DEALER, counted=1)) is None
