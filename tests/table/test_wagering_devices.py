"""639a.2(c) and (d): wagers on devices are acknowledged, and locked out once “no more bets” was said."""

import pytest
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

from pitboss.rulebook.procedures import Do
from pitboss.table import Perform, Refusal, Wager, decide, refusal, view
from pitboss.table import events as happened

ANN = given_by_patron("Ann")
ON_DEVICES = {"progressive": 100, "five-card-hand-player": 100, "five-card-hand-dealer": 100}
LATE = [
    ({**ANTE, "progressive": 100}, "639a.2(c)(2)"),
    ({**ANTE, "five-card-hand-player": 100}, "639a.2(d)"),
    ({**ANTE, "five-card-hand-dealer": 100}, "639a.2(d)"),
    ({"ante": 2000}, "639a.7(c)"),
    ({}, "639a.7(c)"),
    ({"ante": 2000, "progressive": 100}, "639a.7(c)"),
]


@pytest.mark.proves("639a.2(c)(1)", "639a.2(d)", "639a.7(d)(2)", "639a.7(d)(4)")
def test_639a_2_c_1_a_device_acknowledges_each_wager() -> None:
    table = shuffle_and_wager(open_for_gaming(PRESETS["639a"], {1: "Ann"}), {})
    made = Wager(1, {**ANTE, "bonus": 500, **ON_DEVICES})
    assert decide(table, made, ANN)[1:] == [happened.Accepted(1, ON_DEVICES)]  # chips on the felt need no device
    placed = after_command(table, made, ANN)
    assert view(placed, "Ann").boxes[0].accepted == ON_DEVICES
    assert view(after_command(placed, Wager(1, ANTE), ANN), "Ann").boxes[0].accepted == {}  # taken back
    assert decide(table, Wager(1, ANTE), ANN) == [happened.Wagered(1, "Ann", ANTE)]


@pytest.mark.proves("639a.2(c)(2)", "639a.2(d)")
@pytest.mark.parametrize(("wagers", "cite"), LATE)
def test_639a_2_c_2_a_device_takes_no_wager_after_no_more_bets(wagers: dict[str, int], cite: str) -> None:
    table = shuffle_and_wager(open_for_gaming(PRESETS["639a"], {1: "Ann"}), {1: ANTE})
    assert refusal(table, Wager(1, wagers), ANN) is None  # in time
    table = after_command(table, Perform(), DEALER)
    assert table.called
    for late in (table, advance_until(table, Do.DEAL), advance_until(table, Do.ASK)):
        refused = refusal(late, Wager(1, wagers), ANN)
        assert isinstance(refused, Refusal)
        assert refused.cite == cite
    assert advance_until(table, Do.ASK).boxes[1].wagers == ANTE


@pytest.mark.proves("639a.2(c)(2)", "639a.2(d)")
def test_639a_2_c_2_the_dealer_locks_out_the_wagers_on_offer() -> None:
    table = after_command(shuffle_and_wager(open_for_gaming(PRESETS["639a"], {1: "Ann"}), {1: ANTE}), Perform(), DEALER)
    locked = []
    while table.due.do is Do.LOCK:
        locked.append(table.due.needs)
        table = after_command(table, Perform(), DEALER)
    assert locked == ["progressive", "five-card-hand"]
