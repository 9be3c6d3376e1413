"""Complete rounds through the decider, with all events, against PokerKit's nearest equivalent.

Single-seat Caribbean Stud from the shuffle to the discard rack, against one street of five cards heads-up,
one bet and a call, chips pushed; the deck is shuffled beforehand on both sides. One core, one run.
"""

import time
from collections.abc import Callable

import pokerkit
from msgspec.structs import replace
from rich.console import Console
from rich.table import Table as Page

from pitboss.cards import DECK
from pitboss.rulebook.procedures import Do
from pitboss.submission import Shuffler, load
from pitboss.table import Decide, Given, Perform, Role, Sit, Table, Wager, open_table, react
from pitboss.table.shoe import seeded_source, shuffle

AIM = 3.0
ROUNDS = 2_000
REPEATS = 3


def run() -> bool:
    """Measure both, print the ratio, and say whether the aim is met."""
    ours = min(_timed(_rounds()) for _ in range(REPEATS))
    theirs = min(_timed(_hands) for _ in range(REPEATS))
    page = Page(box=None, header_style="dim", pad_edge=False)
    for column in ("rounds", "a second", "microseconds each", "ratio", "aim"):
        page.add_column(column, justify="right")
    page.columns[0].justify = "left"
    ratio = theirs / ours
    page.add_row("pokerkit, five cards heads-up", f"{ROUNDS / theirs:,.0f}", f"{theirs / ROUNDS * 1e6:,.0f}", "1.0", "")
    verdict = f"{ratio:.1f}"
    page.add_row(
        "pitboss, Caribbean Stud", f"{ROUNDS / ours:,.0f}", f"{ours / ROUNDS * 1e6:,.0f}", verdict, f"{AIM:.0f}"
    )
    Console().print(page)
    return ratio >= AIM


def _timed(play: Callable[[], object]) -> float:
    start = time.perf_counter()
    play()
    return time.perf_counter() - start


def _rounds() -> Callable[[], object]:
    dealer, floor = Given(actor="Dealer", role=Role.DEALER), Given(actor="Floor", role=Role.FLOORPERSON)
    ann = Given(actor="Ann", role=Role.PLAYER)
    submission = load("caribbean-stud-standard")
    submission = replace(submission, table=replace(submission.table, shuffler=Shuffler.COUNTING))
    table = open_table(submission)
    _, table = react(table, Sit(1), ann)
    while not table.ready:
        _, table = react(table, Perform(), floor if table.due.by == "floorperson" else dealer)
    source = seeded_source("bench")
    decks = [replace(dealer, cards=shuffle(DECK, source), counted=52) for _ in range(100)]
    wager, bet, step = Wager(1, {"ante": 1000}), Decide(1, 2), Perform()

    def play() -> Table:
        state = table
        for number in range(ROUNDS):
            _, state = react(state, step, decks[number % 100])
            _, state = react(state, wager, ann)
            while state.round == number:
                asked = state.due.do is Do.ASK
                _, state = react(state, bet if asked else step, ann if asked else dealer)
        return state

    return play


def _hands() -> None:
    street = pokerkit.Street(
        card_burning_status=False,
        hole_dealing_statuses=(False,) * 5,
        board_dealing_count=0,
        draw_status=False,
        opening=pokerkit.Opening.POSITION,
        min_completion_betting_or_raising_amount=2,
        max_completion_betting_or_raising_count=None,
    )
    kind = pokerkit.Automation
    automations = (
        kind.ANTE_POSTING, kind.BET_COLLECTION, kind.BLIND_OR_STRADDLE_POSTING, kind.CARD_BURNING,
        kind.HOLE_CARDS_SHOWING_OR_MUCKING, kind.HAND_KILLING, kind.CHIPS_PUSHING, kind.CHIPS_PULLING,
    )  # fmt: skip
    limit = pokerkit.BettingStructure.FIXED_LIMIT
    for _ in range(ROUNDS):
        state = pokerkit.State(
            automations,
            pokerkit.Deck.STANDARD,
            (pokerkit.StandardHighHand,),
            (street,),
            limit,
            True,  # noqa: FBT003 (its order)
            1,
            (0, 0),
            0,
            (100, 100),
            2,
        )
        while state.can_deal_hole():
            state.deal_hole()
        state.complete_bet_or_raise_to(2)
        state.check_or_call()
