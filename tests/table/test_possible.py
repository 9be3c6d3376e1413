"""Possible actions: exactly what the chapters allow now, and the reason against everything else."""

import msgspec
import pytest
from playthroughs import SCRIPTS, orders
from table_play import ANTE, DEALER, PRESETS, advance_until, after_command, open_for_gaming, shuffle_and_wager

from pitboss.cards import DECK, hand
from pitboss.rulebook.procedures import Do
from pitboss.table import Command, Correct, Decide, Given, Perform, Report, Role, Sit, Stand, Tick, Wager, Withhold
from pitboss.table.actions import PossibleAction, free_seats, possible_actions

_ELSEWHERE = (Sit, Wager, Tick)
"""Commands that are never listed: the felt shows seats and wagers, and time passes by itself."""


def _matches(offered: PossibleAction, command: Command) -> bool:
    if isinstance(command, Report):
        named = Report(command.kind, device=command.device)
        return offered.command == named
    if isinstance(command, Correct) and isinstance(offered.command, Correct):
        return msgspec.structs.replace(offered.command, card=command.card) == command
    return type(offered.command) is type(command) and (isinstance(command, Withhold) or offered.command == command)


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_command_of_a_playthrough_was_a_possible_action(name: str) -> None:
    """Before each command of a golden playthrough, its sender was offered that command."""
    for table, command, given in orders(name):
        if given.role is Role.SYSTEM or isinstance(command, _ELSEWHERE):
            continue
        offered = [one for one in possible_actions(table, given.actor, given.role) if _matches(one, command)]
        assert [(one.why, one.cite) for one in offered] == [("", "")], (command, table.due)


@pytest.mark.parametrize(
    ("chapter", "multiples", "title"),
    [("639a", [0, 2], "Bet"), ("682a", [0, 1, 2, 3], "Raise 3 ×"), ("683a", [0, 1, 2, 3], "First Raise 3 ×")],
)
def test_only_the_player_to_act_is_offered_a_decision(chapter: str, multiples: list[int], title: str) -> None:
    """639a.11(b): a Bet of twice the Ante, or a fold; 682a.11(b) and 683a.11(b): one, two or three times, or a fold."""
    table = advance_until(
        shuffle_and_wager(open_for_gaming(PRESETS[chapter], {1: "Ann", 2: "Bob"}), {1: ANTE, 2: ANTE}), Do.ASK
    )
    ann = [one for one in possible_actions(table, "Ann", Role.PLAYER) if isinstance(one.command, Decide)]
    assert [one.command for one in ann] == [Decide(1, multiple) for multiple in multiples]
    assert [one.amount for one in ann] == [None, *(multiple * 1000 for multiple in multiples[1:])]
    assert ann[-1].says == title
    assert not [one for one in possible_actions(table, "Bob", Role.PLAYER) if isinstance(one.command, Decide)]


def test_a_player_with_a_wager_is_offered_to_leave_during_the_round() -> None:
    """.7(b): a player with a wager stays seated until the round is over, or leaves the round."""
    table = open_for_gaming(PRESETS["683a"], {1: "Ann"})
    assert [one.command for one in possible_actions(table, "Ann", Role.PLAYER)] == [Stand(1)]
    placed = shuffle_and_wager(table, {1: ANTE})
    assert [one.says for one in possible_actions(placed, "Ann", Role.PLAYER)] == ["Leave during the round"]


def test_free_seats_are_neither_taken_nor_played() -> None:
    """.2(a): at most six seats at Cajun Stud; a box another patron plays is not free."""
    table = open_for_gaming(PRESETS["683a"], {1: "Ann", 4: "Bob"})
    assert free_seats(table) == (2, 3, 5, 6)
    both = after_command(
        shuffle_and_wager(table, {1: ANTE}),
        Wager(2, ANTE),
        msgspec.structs.replace(DEALER, actor="Ann", role=Role.PLAYER),
    )
    assert free_seats(both) == (3, 5, 6)


@pytest.mark.parametrize("chapter", PRESETS)
def test_irregularities_are_offered_when_they_can_happen_with_their_consequence(chapter: str) -> None:
    """Section .13: a wrong number of cards once cards are dealt; a shuffler that jams while it shuffles, also the second deck."""
    fresh = open_for_gaming(PRESETS[chapter], {1: "Ann"})
    asked = advance_until(shuffle_and_wager(fresh, {1: ANTE}), Do.ASK)
    for table, open_kinds in (
        (fresh, {"shuffler-jam", "malfunction"}),
        (asked, {"wrong-number", "exposed", "malfunction", "shuffler-jam"}),  # the other deck is being shuffled
    ):
        reports = [one for one in possible_actions(table, "Dana", Role.DEALER) if isinstance(one.command, Report)]
        assert {one.command.kind for one in reports if isinstance(one.command, Report) and not one.why} == open_kinds
        assert all(one.under.startswith(f"{chapter}.13(") and one.orders for one in reports)
        assert all(one.cite == one.under for one in reports if one.why)


def test_possible_actions_reveal_no_face_down_card() -> None:
    """Guarantee 6: two tables alike but for the cards face down offer the same, to everybody."""
    decks = (DECK, (*hand("2c"), *reversed(DECK[1:])))
    tables = [
        advance_until(shuffle_and_wager(open_for_gaming(PRESETS["683a"], {1: "Ann"}), {1: ANTE}, deck), Do.ASK)
        for deck in decks
    ]
    for role in (Role.DEALER, Role.FLOORPERSON, Role.PLAYER):
        one, other = (possible_actions(table, "Ann", role) for table in tables)
        assert one == other


def test_a_scanned_card_is_asked_for_when_turned() -> None:
    """639a.8(d)(2): the dealer's first card is dealt face up, so its name is entered with it."""
    table = open_for_gaming(PRESETS["639a"], {1: "Ann"}, scanned=True)
    table = advance_until(shuffle_and_wager(table, {1: ANTE}, ()), Do.DEAL)
    perform = [possible_actions(table, "Dana", Role.DEALER)[0]]
    table = after_command(table, perform[0].command)
    perform.append(possible_actions(table, "Dana", Role.DEALER)[0])
    assert [(one.cards, one.why) for one in perform] == [(0, ""), (1, "")]


def test_a_floorperson_may_correct_face_up_scanned_cards_until_a_box_is_settled() -> None:
    """House rule: a card of a scanned shoe is named when it is turned; a wrong name is put right before it pays."""

    def offered(role: Role = Role.FLOORPERSON) -> list[PossibleAction]:
        return [one for one in possible_actions(table, "Flo", role) if isinstance(one.command, Correct)]

    def turned(names: str) -> Given:
        return msgspec.structs.replace(DEALER, cards=hand(names))

    table = open_for_gaming(PRESETS["639a"], {1: "Ann"}, scanned=True)
    table = advance_until(shuffle_and_wager(table, {1: ANTE}, ()), Do.DEAL)
    assert offered() == []
    table = after_command(after_command(table, Perform()), Perform(), turned("Kd"))
    table = advance_until(table, Do.ASK)
    assert [(one.command, one.says, one.needs, one.why) for one in offered()] == [
        (Correct(hand("Kd")[0], 0, place="dealer"), "Kd, card 1 of the dealer", ("card",), "")
    ]
    assert offered(Role.DEALER) == []
    table = after_command(advance_until(table, Do.TURN), Perform(), turned("Qs Jh 9c 4d"))
    assert [(one.says[:2], one.why) for one in offered()] == [(name, "") for name in ("Kd", "Qs", "Jh", "9c", "4d")]
    table = after_command(advance_until(table, Do.SETTLE), Perform(), turned("2c 3d 5h 7s 8c"))
    assert offered()
    assert all(one.why.startswith("A box is already settled") for one in offered())
    table = advance_until(shuffle_and_wager(open_for_gaming(PRESETS["639a"], {1: "Ann"}), {1: ANTE}), Do.ASK)
    assert offered() == []  # the house knows the cards of its own shuffle
