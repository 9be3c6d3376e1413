"""Irregularities: what section .13 voids, returns and settles, game by game."""

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

from pitboss.cards import DECK, Card
from pitboss.rulebook.procedures import Do
from pitboss.submission.model import Dealing, Shuffler
from pitboss.table import (
    Acknowledge,
    ChangeDealing,
    Cover,
    Decide,
    Perform,
    Repair,
    Report,
    Role,
    Table,
    decide,
    refusal,
    view,
)
from pitboss.table import events as happened


@pytest.mark.proves("{chapter}.13(a)")
@pytest.mark.parametrize(("chapter", "preset"), PRESETS.items())
def test_13_a_a_face_up_card_is_set_aside_and_a_second_voids_the_round(chapter: str, preset: str) -> None:
    table = deal_cards(shuffle_and_wager(open_for_gaming(preset, {1: "Ann"}), {1: ANTE_AND_SIDE_WAGER[chapter]}), 3)
    top = table.shoe[0]
    once = after_command(table, Report("face-up-card"), DEALER)
    assert (once.void, once.rack, once.shoe) == ("", (*table.rack, top), table.shoe[1:])
    twice = after_command(deal_cards(once, 1), Report("face-up-card"), DEALER)
    assert twice.void == f"{chapter}.13(a)"
    assert_returned(twice, f"{chapter}.13(a)", ANTE_AND_SIDE_WAGER[chapter])
    assert len(set(twice.cards)) == 52
    assert_reshuffled(twice)


@pytest.mark.proves("{chapter}.13(b)")
@pytest.mark.parametrize(("chapter", "preset"), PRESETS.items())
def test_13_b_a_card_drawn_in_error_is_dealt_as_the_next_card(chapter: str, preset: str) -> None:
    table = deal_cards(shuffle_and_wager(open_for_gaming(preset, {1: "Ann"}), {1: ANTE_AND_SIDE_WAGER[chapter]}), 2)
    drawn = after_command(table, Report("drawn-in-error"), DEALER)
    assert (drawn.void, drawn.rack, drawn.shoe) == ("", table.rack, table.shoe)
    before, after = drawn.cards, deal_cards(drawn, 1)
    assert (after.shoe, after.rack) == (table.shoe[1:], table.rack)  # the top card was dealt, not put away
    assert sorted(map(str, after.cards)) == sorted(map(str, before))


@pytest.mark.proves("{chapter}.13(a)", "{chapter}.13(b)")
@pytest.mark.parametrize("dealing", Dealing)
@pytest.mark.parametrize(("chapter", "preset"), PRESETS.items())
def test_13_a_b_apply_only_during_the_deal(chapter: str, preset: str, dealing: Dealing) -> None:
    called = after_command(
        shuffle_and_wager(open_for_gaming(preset, {1: "Ann"}, dealing=dealing), {1: ANTE_AND_SIDE_WAGER[chapter]}),
        Perform(),
        DEALER,
    )
    over = advance_until(called, Do.STUB)
    for kind, clause in (("face-up-card", f"{chapter}.13(a)"), ("drawn-in-error", f"{chapter}.13(b)")):
        assert refusal(advance_until(called, Do.DEAL), Report(kind), DEALER) is None
        for moment in (called, over) if called.due.do is not Do.DEAL else (over,):
            refused = refusal(moment, Report(kind), DEALER)
            assert refused
            assert refused.cite == clause


def assert_reshuffled(void: Table) -> None:
    """After a void round all 52 cards are gathered, and the next thing done with them is a shuffle."""
    cleared = after_command(after_command(void, Acknowledge(), FLOORPERSON), Perform(), DEALER)
    assert (cleared.round, cleared.due.do, len(set(cleared.rack))) == (void.round + 1, Do.SHUFFLE, 52)


def assert_returned(table: Table, cite: str, wagers: dict[str, int]) -> None:
    lines = [line for box in table.boxes.values() for line in box.lines]
    assert {line.wager: (line.outcome, line.returned, line.cite) for line in lines} == {
        name: ("returned", stake, cite) for name, stake in wagers.items()
    }


@pytest.mark.proves("{chapter}.13(c)", "{chapter}.13(f)")
@pytest.mark.parametrize(("chapter", "preset"), PRESETS.items())
def test_13_c_f_a_wrong_number_of_cards_or_a_shoe_jam_voids_the_round(chapter: str, preset: str) -> None:
    for kind, part, dealing in (("wrong-number", "c", "manual-shoe"), ("shoe-jam", "f", "automated-shoe")):
        table = shuffle_and_wager(
            open_for_gaming(preset, {1: "Ann"}, dealing=Dealing(dealing)), {1: ANTE_AND_SIDE_WAGER[chapter]}
        )
        table = advance_until(table, Do.ASK if kind == "wrong-number" else Do.DEAL)
        void = after_command(table, Report(kind), DEALER)
        assert_returned(void, f"{chapter}.13({part})", ANTE_AND_SIDE_WAGER[chapter])
        # The floorperson acknowledges it; then the cards are cleared and shuffled.
        assert refusal(void, Perform(), DEALER)
        assert refusal(void, Acknowledge(), DEALER)
        assert_reshuffled(void)
    assert refusal(
        deal_cards(shuffle_and_wager(open_for_gaming(preset, {1: "Ann"}), {1: ANTE}), 1), Report("shoe-jam"), DEALER
    )
    # A shoe cannot jam after the stub has left it: the house cannot void a round that it is about to lose.
    automated = open_for_gaming(preset, {1: "Ann"}, dealing=Dealing.AUTOMATED_SHOE)
    assert refusal(advance_until(shuffle_and_wager(automated, {1: ANTE}), Do.SETTLE), Report("shoe-jam"), DEALER)
    # A shoe that fails for good in the round has failed to deal its cards.
    failed = after_command(
        advance_until(shuffle_and_wager(automated, {1: ANTE_AND_SIDE_WAGER[chapter]}), Do.DEAL),
        Report("malfunction", "shoe"),
        DEALER,
    )
    assert_returned(failed, f"{chapter}.13(f)", ANTE_AND_SIDE_WAGER[chapter])


@pytest.mark.proves("639a.13(d)")
def test_639a_13_d_an_exposed_hole_card_voids_every_wager() -> None:
    stud = advance_until(
        shuffle_and_wager(open_for_gaming(PRESETS["639a"], {1: "Ann"}), {1: ANTE_AND_SIDE_WAGER["639a"]}), Do.ASK
    )
    void = after_command(stud, Report("exposed"), DEALER)
    assert_returned(void, "639a.13(d)", ANTE_AND_SIDE_WAGER["639a"])
    assert_reshuffled(void)


# In deck order the player has 2c 2h 3c 3h 4c, no four of one colour; in Cajun Stud a pair of twos, which pays 5 to 1 (683a.12(b)).
SIDE_NETS = {"682a": ("prime", "682a.11(e)(1)(i)", -500), "683a": ("pocket-bonus", "683a.11(i)(1)(ii)", 2500)}


@pytest.mark.proves("{chapter}.13(d)")
@pytest.mark.parametrize(("chapter", "cards"), [("682a", 5), ("682a", None), ("683a", 3), ("683a", None)])
def test_13_d_an_exposed_card_voids_the_hands_but_side_wagers_are_settled(chapter: str, cards: int | None) -> None:
    table = shuffle_and_wager(open_for_gaming(PRESETS[chapter], {1: "Ann"}), {1: ANTE_AND_SIDE_WAGER[chapter]})
    table = advance_until(table, Do.ASK) if cards is None else deal_cards(table, cards)
    void = after_command(table, Report("exposed"), DEALER)
    ante, side = void.boxes[1].lines
    assert (ante.wager, ante.outcome, ante.net, ante.cite) == ("ante", "returned", 0, f"{chapter}.13(d)")
    assert (side.wager, side.cite, side.net) == SIDE_NETS[chapter]
    assert all(slot.up for slot in void.boxes[1].cards)
    assert len(set(void.cards)) == 52
    assert_reshuffled(void)


@pytest.mark.proves("{chapter}.13(d)")
@pytest.mark.parametrize("chapter", ["639a", "682a"])
def test_13_d_an_exposed_card_after_the_last_decision_voids_nothing(chapter: str) -> None:
    table = advance_until(
        shuffle_and_wager(open_for_gaming(PRESETS[chapter], {1: "Ann", 2: "Bob"}), {1: ANTE, 2: ANTE}), Do.ASK
    )
    table = perform_due(table)
    assert refusal(table, Report("exposed"), DEALER) is None  # Bob has still to decide
    assert refusal(perform_due(table), Report("exposed"), DEALER)


@pytest.mark.proves("{chapter}.13(e)", "{chapter}.13(g)")
@pytest.mark.parametrize(("chapter", "preset"), PRESETS.items())
def test_13_e_g_a_failed_device_is_covered_and_replaced(chapter: str, preset: str) -> None:
    table = open_for_gaming(preset)
    jammed = after_command(table, Report("shuffler-jam"), DEALER)
    assert decide(table, Report("shuffler-jam"), DEALER) == [happened.Reported("shuffler-jam", f"{chapter}.13(e)")]
    assert (jammed.due.do, jammed.due.cite) == (Do.SHUFFLE, f"{chapter}.5(a)")
    assert refusal(open_for_gaming(preset, shuffler=Shuffler.NONE), Report("shuffler-jam"), DEALER)
    one_deck = replace(table, rules=replace(table.rules, decks=1))
    assert after_command(one_deck, Report("shuffler-jam"), DEALER).due.do is Do.SHUFFLE
    failed = after_command(table, Report("malfunction", "shuffler"), DEALER)
    shuffle = replace(DEALER, cards=DECK)
    refused = refusal(failed, Perform(), shuffle)
    assert refused
    assert refused.cite == f"{chapter}.13(g)"
    covered = after_command(failed, Cover("shuffler"), DEALER)
    assert refusal(covered, Report("shuffler-jam"), DEALER)
    assert after_command(covered, Repair("shuffler"), FLOORPERSON).covered == ()
    assert refusal(covered, Repair("shoe"), FLOORPERSON)
    assert refusal(table, Report("malfunction", "shoe"), DEALER)  # it has none
    assert not after_command(
        deal_cards(shuffle_and_wager(open_for_gaming(preset, {1: "Ann"}), {1: ANTE}), 1),
        Report("drawn-in-error", "teapot"),
    ).broken
    round_over = advance_until(shuffle_and_wager(replace(covered, seated={1: "Ann"}), {1: ANTE}), Do.CLEAR)
    assert after_command(round_over, Perform()).deck == covered.deck  # .3(b): one deck without the device
    # Another method of shuffling: by hand, so that the cards are cut.
    assert after_command(covered, Perform(), shuffle).due.do is Do.CUT
    by_hand = after_command(open_for_gaming(preset, dealing=Dealing.HAND), Report("malfunction", "shuffler"), DEALER)
    refused = refusal(after_command(by_hand, Cover("shuffler"), FLOORPERSON), Perform(), shuffle)
    assert refused
    assert refused.cite == f"{chapter}.9(a)(1)"
    assert refusal(table, Cover("shuffler"), DEALER)
    assert refusal(table, Report("malfunction", "kettle"), DEALER)


@pytest.mark.proves("682a.13(d)", "683a.13(d)")
def test_13_d_void_hands_win_no_bonus_and_use_no_limit() -> None:
    aces = [Card(text) for text in ("Ac", "Ad", "Ah", "As", "9c")]
    rest = [card for card in DECK if card not in aces]
    deck = tuple(card for trio in zip(aces, rest[:5], rest[5:10], strict=True) for card in trio) + tuple(rest[10:])
    table = advance_until(
        shuffle_and_wager(
            open_for_gaming(PRESETS["682a"], {1: "Ann", 2: "Bob"}), {1: ANTE_AND_SIDE_WAGER["682a"], 2: ANTE}, deck
        ),
        Do.ASK,
    )
    void = after_command(after_command(table, Decide(1, 3), given_by_patron("Ann")), Report("exposed"), DEALER)
    assert [(line.wager, line.outcome) for line in void.boxes[1].lines][:2] == [
        ("ante", "returned"),
        ("raise", "returned"),
    ]
    assert {line.wager for line in void.boxes[1].lines} == {"ante", "raise", "prime"}
    assert set(view(void).boxes[1].cards) == {None}  # Bob has no wager that needs his cards shown
    royal = tuple(Card(text) for text in ("4c", "Qh", "Jh", "Th", "Ah", "2c", "Kh", "3c"))
    deck = (*royal, *(card for card in DECK if card not in royal))
    table = advance_until(
        shuffle_and_wager(
            open_for_gaming("cajun-stud-rack-card", {1: "Ann", 2: "Bob"}), {1: {"ante": 100_000}, 2: ANTE}, deck
        ),
        Do.ASK,
    )
    table = after_command(table, Decide(1, 3), given_by_patron("Ann"))
    void = after_command(table, Report("exposed"), DEALER)
    assert [(line.wager, line.net) for line in void.boxes[1].lines] == [("ante", 0), ("raise-1", 0)]


@pytest.mark.proves("683a.13(d)")
def test_683a_13_d_applies_until_the_third_community_card_is_revealed() -> None:
    table = advance_until(shuffle_and_wager(open_for_gaming(PRESETS["683a"], {1: "Ann"}), {1: ANTE}), Do.ASK)
    for _ in range(2):
        table = advance_until(perform_due(table), Do.ASK)
    table = perform_due(table)
    assert (table.due.do, table.due.cite) == (Do.TURN, "683a.11(g)")
    assert refusal(table, Report("exposed"), DEALER) is None
    assert refusal(perform_due(table), Report("exposed"), DEALER)
    none_dealt = after_command(shuffle_and_wager(open_for_gaming(PRESETS["683a"], {1: "Ann"}), {1: ANTE}), Perform())
    assert refusal(none_dealt, Report("exposed"), DEALER)


def test_void_after_fold() -> None:
    for option, outcome in (("yes", "returned"), ("no", "forfeited")):
        table = advance_until(
            shuffle_and_wager(
                open_for_gaming(PRESETS["639a"], {1: "Ann", 2: "Bob"}, readings={"void-after-fold": option}),
                {1: ANTE_AND_SIDE_WAGER["639a"], 2: ANTE},
            ),
            Do.ASK,
        )
        table = after_command(
            after_command(table, Decide(1, 0), given_by_patron("Ann")), Report("wrong-number"), DEALER
        )
        assert {line.outcome for line in table.boxes[1].lines} == {outcome}
        assert {line.outcome for line in table.boxes[2].lines} == {"returned"}


@pytest.mark.parametrize("command", [Report("face-up-card"), Report("wrong-number"), Report("exposed"), Report("fire")])
def test_refuses_impossible_irregularities(command: Report) -> None:
    table = open_for_gaming(PRESETS["639a"], {1: "Ann"})
    assert refusal(table, command, DEALER)
    assert refusal(table, command, replace(DEALER, role=Role.SURVEILLANCE))


@pytest.mark.proves("{chapter}.13(c)")
@pytest.mark.parametrize(("chapter", "preset"), PRESETS.items())
@pytest.mark.parametrize("more", [1, -1])
def test_13_c_a_wrong_number_of_cards_voids_even_settled_boxes(chapter: str, preset: str, more: int) -> None:
    """It is found when the hand is turned. Other boxes are settled by then, but all hands are void."""
    wagers = ANTE_AND_SIDE_WAGER[chapter]
    table = advance_until(
        shuffle_and_wager(open_for_gaming(preset, {1: "Ann", 2: "Bob"}), {1: wagers, 2: wagers}), Do.SETTLE
    )
    before = table.boxes[1]
    table = perform_due(table)
    assert [box.settled for box in table.boxes.values()] == [False, True]
    report = Report("wrong-number", seat=1, cards=len(before.cards) + more)
    events = decide(table, report, DEALER)
    assert happened.Reversed(2) in events
    void = after_command(table, report)
    assert len(void.boxes[1].cards) == len(before.cards) + more
    assert sorted(map(str, void.cards)) == sorted(map(str, DECK))
    for box in void.boxes.values():
        returned = {line.wager: (line.outcome, line.returned, line.cite) for line in box.lines}
        staked = {line.wager: line.stake for line in box.lines}
        assert returned == {name: ("returned", stake, f"{chapter}.13(c)") for name, stake in staked.items()}
        assert staked.items() >= wagers.items()


@pytest.mark.parametrize(
    "report",
    [
        Report("wrong-number", seat=1, cards=5),
        Report("wrong-number", seat=1, cards=-1),
        Report("wrong-number", seat=1, cards=60),
        Report("wrong-number", seat=1),
        Report("wrong-number", seat=3, cards=6),
        Report("wrong-number", place="teapot", cards=6),
    ],
)
def test_refuses_a_wrong_number_report_for_a_correct_hand(report: Report) -> None:
    table = advance_until(shuffle_and_wager(open_for_gaming(PRESETS["639a"], {1: "Ann"}), {1: ANTE}), Do.ASK)
    assert refusal(table, report, DEALER)
    assert refusal(table, Report("wrong-number", place="dealer", cards=6), DEALER) is None


@pytest.mark.proves("{chapter}.13(g)")
@pytest.mark.parametrize(("chapter", "preset"), PRESETS.items())
@pytest.mark.parametrize(
    ("dealing", "device", "other"),
    [
        (Dealing.AUTOMATED_SHOE, "shoe", Dealing.HAND),
        (Dealing.AUTOMATED_SHOE, "shoe", Dealing.MANUAL_SHOE),
        (Dealing.HAND, "shuffler", Dealing.MANUAL_SHOE),
    ],
)
def test_13_g_dealing_may_change_once_the_device_is_covered(
    chapter: str, preset: str, dealing: Dealing, device: str, other: Dealing
) -> None:
    table = open_for_gaming(preset, {1: "Ann"}, dealing=dealing)
    refused = refusal(table, ChangeDealing(other), FLOORPERSON)
    assert refused
    assert refused.cite == f"{chapter}.13(g)"
    shuffle = replace(DEALER, cards=DECK)
    failed = after_command(table, Report("malfunction", device))
    for refused in (refusal(failed, ChangeDealing(other), FLOORPERSON), refusal(failed, Perform(), shuffle)):
        assert refused
        assert refused.cite == f"{chapter}.13(g)"  # before any other method is used, the device is covered
    covered = after_command(failed, Cover(device))
    assert refusal(covered, Perform(), shuffle)
    assert refusal(covered, ChangeDealing(other), DEALER)
    changed = after_command(covered, ChangeDealing(other), FLOORPERSON)
    dealer = after_command(changed, Perform(), shuffle)
    dealer = after_command(dealer, Perform(), replace(DEALER, depth=26)) if dealer.due.do is Do.CUT else dealer
    assert dealer.due.cite.startswith(f"{chapter}.{ {Dealing.HAND: 9, Dealing.MANUAL_SHOE: 8}[other] }(")
    # Back to the Submission's dealing method only when the device works, and only between rounds.
    assert refusal(changed, ChangeDealing(dealing), FLOORPERSON)
    repaired = after_command(changed, Repair(device), FLOORPERSON)
    assert after_command(repaired, ChangeDealing(dealing), FLOORPERSON).rules.dealing is dealing
    assert refusal(after_command(dealer, Repair(device), FLOORPERSON), ChangeDealing(dealing), FLOORPERSON)


@pytest.mark.proves("{chapter}.13(g)")
@pytest.mark.parametrize(("chapter", "preset"), PRESETS.items())
def test_13_g_a_shuffler_failure_mid_round_delays_only_the_next_shuffle(chapter: str, preset: str) -> None:
    table = advance_until(
        shuffle_and_wager(open_for_gaming(preset, {1: "Ann"}), {1: ANTE_AND_SIDE_WAGER[chapter]}), Do.ASK
    )
    failed = advance_until(after_command(table, Report("malfunction", "shuffler"), DEALER), Do.SHUFFLE)
    assert (failed.round, failed.broken) == (table.round + 1, ("shuffler",))
    shuffle = replace(DEALER, cards=DECK, counted=52)
    refused = refusal(failed, Perform(), shuffle)
    assert refused
    assert refused.cite == f"{chapter}.13(g)"
    assert refusal(after_command(failed, Cover("shuffler"), FLOORPERSON), Perform(), shuffle) is None


@pytest.mark.proves("682a.13(c)")
def test_682a_13_c_a_stack_is_not_yet_a_hand() -> None:
    table = shuffle_and_wager(
        open_for_gaming(PRESETS["682a"], {1: "Ann"}, dealing=Dealing.AUTOMATED_SHOE), {1: ANTE_AND_SIDE_WAGER["682a"]}
    )
    table = advance_until(table, Do.ASK)
    assert refusal(table, Report("wrong-number", place="stack", cards=3), DEALER)
    assert refusal(table, Report("wrong-number", place="dealer", cards=4), DEALER) is None
