"""The clock of a table: it does not run backwards, and folds only where the Submission says so."""

from msgspec.structs import replace
from table_play import (
    ANTE,
    DEALER,
    PRESETS,
    advance_until,
    after_command,
    given_by_patron,
    open_for_gaming,
    shuffle_and_wager,
)

from pitboss.cards import DECK
from pitboss.rulebook.procedures import Do
from pitboss.table import Decide, Given, Leave, Perform, Role, Tick, Warn, decide, refusal, view
from pitboss.table import events as happened
from pitboss.table.runner import automatic_command
from pitboss.table.shoe import seeded_source

EYE = Given(actor="Eye", role=Role.SURVEILLANCE)


def test_reading_decision_timeout_a_late_player_is_folded_by_house_policy() -> None:
    table = open_for_gaming(PRESETS["683a"], {1: "Ann", 3: "Bob"}, timeout=60, time=1000)
    table = advance_until(shuffle_and_wager(table, {1: ANTE, 3: ANTE}), Do.ASK)
    assert (view(table).to_act, view(table).deadline) == (1, 1060)
    early = refusal(table, Tick(), replace(EYE, time=1059))
    assert early
    assert (early.why, early.cite) == (
        "Seat 1 has until 1060 to decide.",
        "house rule: the decision timeout of the Submission",
    )
    assert decide(table, Tick(), replace(EYE, time=1060)) == [
        happened.Passed(1060),
        happened.TimedOut(1),
        happened.Decided(1, 0),
        happened.Timed(1120),
    ]
    folded = after_command(table, Tick(), replace(EYE, time=1060))
    assert (view(folded).to_act, view(folded).deadline) == (3, 1120)
    # An outdated tick is refused and changes nothing.
    assert refusal(folded, Tick(), replace(EYE, time=1060))
    # A decision stops the player's clock; the next decision has its own.
    second = after_command(folded, Decide(3, 1), replace(given_by_patron("Bob"), time=1100))
    while second.due.do is not Do.ASK:
        second = after_command(second, Perform(), replace(DEALER, time=1100))
    assert view(second).deadline == 1160
    end = advance_until(after_command(second, Tick(), replace(EYE, time=1160)), Do.SETTLE)
    assert all(box.folded for box in end.boxes.values())
    assert refusal(end, Tick(), replace(EYE, time=5000))


def test_a_neighbour_who_leaves_does_not_stop_the_clock() -> None:
    table = advance_until(
        shuffle_and_wager(open_for_gaming(PRESETS["639a"], {1: "Ann", 3: "Bob"}, timeout=60), {1: ANTE, 3: ANTE}),
        Do.ASK,
    )
    left = after_command(table, Leave(3), replace(DEALER, time=30))
    assert (view(left).to_act, view(left).deadline) == (1, 60)
    gone = after_command(table, Leave(1), replace(DEALER, time=30))
    assert (view(gone).to_act, view(gone).deadline) == (3, 90)


def test_without_a_timeout_the_clock_folds_nobody() -> None:
    table = advance_until(shuffle_and_wager(open_for_gaming(PRESETS["639a"], {1: "Ann"}), {1: ANTE}), Do.ASK)
    assert view(table).deadline is None
    assert refusal(table, Tick(), replace(EYE, time=10**9))


def test_the_automatic_dealer_ticks_when_the_time_is_up() -> None:
    table = advance_until(
        shuffle_and_wager(open_for_gaming(PRESETS["639a"], {1: "Ann"}, timeout=60), {1: ANTE}), Do.ASK
    )
    assert automatic_command(table, seeded_source("x"), replace(DEALER, time=59), bets_are_in=True) is None
    due = automatic_command(table, seeded_source("x"), replace(DEALER, time=60), bets_are_in=True)
    assert due
    assert due[0] == Tick()


def test_the_clock_does_not_run_backwards() -> None:
    """Otherwise a deck would never be due for a change: .3(c)."""
    table = open_for_gaming(PRESETS["639a"], {1: "Ann"}, time=1000)
    refused = refusal(table, Perform(), replace(DEALER, cards=DECK, time=999))
    assert refused
    assert (refused.why, refused.cite) == (
        "The time 999 is earlier than the table's last command, 1000.",
        "house rule: the clock does not run backwards",
    )
    assert refusal(table, Perform(), replace(DEALER, cards=DECK, time=1000)) is None


def test_a_floorperson_warns_a_patron_who_does_not_decide_and_the_turn_ends_after_a_minute() -> None:
    """Reading decision-timeout: without a clock a floorperson is called; the fold is house policy, not a clause."""
    table = advance_until(
        shuffle_and_wager(open_for_gaming(PRESETS["639a"], {1: "Ann", 3: "Bob"}, time=1000), {1: ANTE, 3: ANTE}), Do.ASK
    )
    floor = Given(actor="Flo", role=Role.FLOORPERSON, time=1100)
    assert refusal(table, Warn(1), replace(floor, role=Role.DEALER))
    assert refusal(table, Warn(3), floor)  # it is Ann's turn
    warned = after_command(table, Warn(1), floor)
    assert (view(warned).to_act, view(warned).deadline) == (1, 1160)
    assert refusal(warned, Warn(1), floor)
    assert refusal(warned, Tick(), replace(EYE, time=1159))
    assert decide(warned, Tick(), replace(EYE, time=1160))[1:3] == [happened.TimedOut(1), happened.Decided(1, 0)]
    folded = after_command(warned, Tick(), replace(EYE, time=1160))
    assert (view(folded).to_act, view(folded).deadline) == (3, None)  # the warning was for Ann alone
    decided = after_command(warned, Decide(1, 2), replace(given_by_patron("Ann"), time=1159))
    assert view(decided).deadline is None


def test_a_warning_at_one_decision_does_not_time_the_next() -> None:
    table = advance_until(shuffle_and_wager(open_for_gaming(PRESETS["683a"], {1: "Ann"}, time=1000), {1: ANTE}), Do.ASK)
    table = after_command(table, Warn(1), Given(actor="Flo", role=Role.FLOORPERSON, time=1000))
    table = after_command(table, Decide(1, 1), replace(given_by_patron("Ann"), time=1010))
    while table.due.do is not Do.ASK:
        table = after_command(table, Perform(), replace(DEALER, time=1010))
    assert (view(table).to_act, view(table).deadline) == (1, None)


def test_a_table_with_a_clock_of_its_own_needs_no_warning() -> None:
    table = advance_until(
        shuffle_and_wager(open_for_gaming(PRESETS["639a"], {1: "Ann"}, timeout=60), {1: ANTE}), Do.ASK
    )
    assert refusal(table, Warn(1), Given(actor="Flo", role=Role.FLOORPERSON))
