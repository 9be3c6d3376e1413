"""An open table without play: the cards are spread, the first player looks, then they are washed and shuffled."""

import pytest
from msgspec.structs import replace
from table_play import (
    ANTE,
    DEALER,
    FLOORPERSON,
    PRESETS,
    advance_until,
    after_command,
    given_by_patron,
    open_for_gaming,
    perform_due,
    shuffle_and_wager,
)

from pitboss.cards import DECK
from pitboss.house.floor.duties import prompt
from pitboss.house.live_table import restore_table, snapshot
from pitboss.record import header
from pitboss.rulebook.procedures import Do
from pitboss.submission import load, text_of
from pitboss.submission.model import Shuffler
from pitboss.table import (
    Cover,
    Given,
    Idle,
    Leave,
    Perform,
    Repair,
    Report,
    Role,
    Sit,
    Stand,
    Table,
    Wager,
    decide,
    events,
    open_table,
    refusal,
    view,
)
from pitboss.table.actions import possible_actions
from pitboss.table.runner import TableRunner, automatic_command
from pitboss.table.shoe import seeded_source

CHAPTERS = list(PRESETS)


def without_players(chapter: str, shuffler: Shuffler = Shuffler.AUTOMATED) -> Table:
    """A table whose only player stands up after the shuffle: before a cut, where one is due, or before the call."""
    table = open_for_gaming(PRESETS[chapter], {1: "Ann"}, shuffler=shuffler)
    table = after_command(table, Perform(), replace(DEALER, cards=DECK, counted=52))
    return after_command(table, Stand(1), given_by_patron("Ann"))


@pytest.mark.proves("{chapter}.5(f)")
@pytest.mark.parametrize(("chapter", "preset"), PRESETS.items())
def test_5_f_an_idle_table_spreads_its_cards_then_washes_and_shuffles_before_play(chapter: str, preset: str) -> None:
    table = after_command(open_for_gaming(preset), Perform(), replace(DEALER, cards=DECK))
    idle = after_command(table, Idle())
    assert (idle.ready, idle.due.do, idle.due.cite, len(idle.cards)) == (False, Do.WASH, f"{chapter}.4(c)", 52)
    assert refusal(idle, Perform(), DEALER)
    again = after_command(after_command(idle, Sit(1), given_by_patron("Ann")), Perform())
    assert (again.ready, again.due.do) == (True, Do.SHUFFLE)
    playing = shuffle_and_wager(open_for_gaming(preset, {1: "Ann"}), {1: ANTE})
    refused = refusal(playing, Idle(), DEALER)
    assert refused
    assert refused.cite == f"{chapter}.5(f)"


@pytest.mark.proves("{chapter}.5(f)")
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_5_f_the_cards_are_spread_first_after_the_last_player_left(chapter: str) -> None:
    """Reading no-gaming-activity: it begins when the last player leaves."""
    table = without_players(chapter)
    for state in (table, after_command(table, Sit(2), given_by_patron("Bob"))):
        refused = refusal(state, Perform(), replace(DEALER, cards=DECK))
        assert refused
        assert (refused.why, refused.cite) == (
            "The last player has left. Spread the cards first.",
            f"{chapter}.5(f)",
        )
        assert prompt(state).text == f"Spread both decks face down: nobody plays (§ {chapter}.5(f))."
    wager = refusal(after_command(table, Sit(2), given_by_patron("Bob")), Wager(2, ANTE), given_by_patron("Bob"))
    assert wager
    assert wager.cite == f"{chapter}.5(f)"
    spread = after_command(table, Idle())
    assert (view(spread, "").spread, spread.due.do, len(spread.cards)) == ("down", Do.WASH, 52)
    assert refusal(spread, Perform(), DEALER)
    assert prompt(spread).text == f"Leave the cards spread until a player arrives (§ {chapter}.5(f))."
    table = after_command(after_command(spread, Sit(2), given_by_patron("Bob")), Perform())
    assert (table.ready, table.due.do, view(table, "").spread) == (True, Do.SHUFFLE, "")
    table = shuffle_and_wager(table, {2: ANTE})
    assert advance_until(table, Do.ASK).boxes[2].cards


@pytest.mark.proves("{chapter}.5(f)")
@pytest.mark.parametrize(("reading", "decks"), [("both", 2), ("deck-in-play", 1)])
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_reading_idle_decks_spreads_one_deck_or_both(chapter: str, reading: str, decks: int) -> None:
    table = open_for_gaming(PRESETS[chapter], {1: "Ann"}, readings={"idle-decks": reading})
    assert table.rules.decks == 2
    covered = after_command(after_command(table, Report("malfunction", device="shuffler")), Cover("shuffler"))
    for state in (table, covered):  # the other deck is there, in the shuffler or waiting for it
        assert decide(after_command(state, Stand(1), given_by_patron("Ann")), Idle(), DEALER) == [
            events.Idled(decks=decks)
        ]


@pytest.mark.proves("{chapter}.5(f)")
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_5_f_ends_when_somebody_wagers_at_an_exempt_device(chapter: str) -> None:
    """.5(g): the device is repaired before the cards are spread; then Bob plays, and it fails again."""
    table = after_command(
        after_command(without_players(chapter, Shuffler.APPROVED_DEVICE), Report("malfunction", device="shuffler")),
        Cover("shuffler"),
    )
    assert refusal(table, Perform(), DEALER)
    table = after_command(after_command(table, Sit(2), given_by_patron("Bob")), Repair("shuffler"), FLOORPERSON)
    table = after_command(after_command(table, Wager(2, ANTE), given_by_patron("Bob")), Perform())
    table = after_command(after_command(table, Report("malfunction", device="shuffler")), Cover("shuffler"))
    assert refusal(table, Perform(), DEALER) is None
    assert advance_until(table, Do.ASK).boxes[2].cards


@pytest.mark.proves("{chapter}.5(f)")
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_5_f_cards_waiting_for_a_cut_are_spread_washed_shuffled_and_cut(chapter: str) -> None:
    table = without_players(chapter, Shuffler.NONE)
    assert table.due.do is Do.CUT
    refused = refusal(table, Perform(), replace(DEALER, depth=26))
    assert refused
    assert refused.cite == f"{chapter}.5(f)"
    table = after_command(after_command(table, Idle()), Sit(1), given_by_patron("Bob"))
    steps = []
    while table.due.do is not Do.CALL:
        steps.append(table.due.do)
        table = after_command(
            table, Perform(), replace(DEALER, cards=DECK if table.due.do is Do.SHUFFLE else (), depth=26)
        )
    assert steps == [Do.WASH, Do.SHUFFLE, Do.CUT]


@pytest.mark.proves("{chapter}.5(f)")
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_5_f_a_player_may_ask_for_the_cards_to_be_spread_face_up(chapter: str) -> None:
    table = without_players(chapter)
    assert view(after_command(table, Idle(face_up=True)), "").spread == "up"
    down = after_command(after_command(table, Idle()), Sit(1), given_by_patron("Bob"))
    assert refusal(down, Idle(), DEALER)
    turned = after_command(down, Idle(face_up=True))
    assert (view(turned, "").spread, turned.due.do, len(turned.cards)) == ("up", Do.WASH, 52)
    refused = refusal(turned, Idle(face_up=True), DEALER)
    assert refused
    assert (refused.why, refused.cite) == ("The cards are already spread.", f"{chapter}.5(f)")
    offered = [
        found.says for found in possible_actions(down, "Dana", Role.DEALER) if found.command == Idle(face_up=True)
    ]
    assert offered == ["Spread the cards face up: a player asks"]


@pytest.mark.proves("{chapter}.5(g)")
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_5_g_an_approved_device_keeps_the_cards_until_it_fails(chapter: str) -> None:
    table = without_players(chapter, Shuffler.APPROVED_DEVICE)
    refused = refusal(table, Idle(), DEALER)
    assert refused
    assert refused.cite == f"{chapter}.5(g)"
    waiting = refusal(table, Perform(), DEALER)
    assert waiting
    assert waiting.why == "Nobody has wagered."
    failed = after_command(after_command(table, Report("malfunction", device="shuffler")), Cover("shuffler"))
    assert refusal(failed, Perform(), replace(DEALER, cards=DECK))
    assert after_command(failed, Idle()).spread == "down"
    playing = after_command(
        after_command(table, Sit(1), given_by_patron("Bob")), Wager(1, ANTE), given_by_patron("Bob")
    )  # with Bob there, a failure spreads nothing
    failed = after_command(after_command(playing, Report("malfunction", device="shuffler")), Cover("shuffler"))
    assert after_command(failed, Perform()).called


@pytest.mark.proves("{chapter}.5(f)")
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_5_f_after_a_player_leaves_mid_round_the_table_is_idle_when_the_round_ends(chapter: str) -> None:
    table = advance_until(shuffle_and_wager(open_for_gaming(PRESETS[chapter], {1: "Ann"}), {1: ANTE}), Do.ASK)
    table = after_command(table, Leave(1))
    while table.round == 0:
        assert not table.unattended
        table = perform_due(table)
    assert table.unattended
    kept = restore_table(header(text_of(PRESETS[chapter])), snapshot(table))
    assert (kept.unattended, kept.rack) == (True, table.rack)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_reading_no_gaming_activity_a_new_table_keeps_its_cards_as_in_section_4(chapter: str) -> None:
    table = after_command(open_table(load(PRESETS[chapter])), Perform(), replace(DEALER, preshuffled=True))
    assert (table.ready, table.seated) == (True, {})
    assert refusal(table, Perform(), replace(DEALER, cards=DECK)) is None


@pytest.mark.proves("{chapter}.5(f)")
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_5_f_an_automatic_dealer_spreads_the_cards(chapter: str) -> None:
    live, source = TableRunner(without_players(chapter)), seeded_source("no play")
    given = Given(actor="", role=Role.SYSTEM)
    happened = []
    while due := automatic_command(live.table, source, given, bets_are_in=False):
        happened += live.do(*due)
    assert happened == [events.Idled(decks=2)]
    live.do(Sit(3), given_by_patron("Bob"))
    while due := automatic_command(live.table, source, given, bets_are_in=False):
        happened += live.do(*due)
    kinds = [type(event) for event in happened if not isinstance(event, events.Stepped)]
    assert kinds[:3] == [events.Idled, events.Ready, events.Shuffled]
    assert live.table.due.do is Do.CALL
