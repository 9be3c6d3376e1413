"""Prompts for the dealer, and duties that wait for staff; each sentence cites its clause."""

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec
from msgspec.structs import replace

from pitboss.house.live_table import LiveTable
from pitboss.record.sentences import Sentence, Words, clause, join, money, parse_text, sentence
from pitboss.rulebook.grounds import Ground
from pitboss.rulebook.procedures import Do, Step
from pitboss.submission import Dealing
from pitboss.table.box_settlement import undocumented_boxes
from pitboss.table.decks import decks_to_spread, uses_two_decks
from pitboss.table.devices import spread_due, stub_count_due
from pitboss.table.irregularities import SHUFFLER_JAM
from pitboss.table.refusals import HOUR, MIN_CUT_DEPTH, deck_hours
from pitboss.table.state import Table
from pitboss.table.steps import applies, exposures, next_to_decide, next_to_settle

CLOCK: Final = 5
"""Seconds by which the clocks of servers may differ."""
PATIENCE: Final = 120
"""Seconds after which an undecided player becomes a duty."""
SOON: Final = HOUR // 4
"""How many seconds before its limit a deck change becomes a duty."""


_PROMPTS: Final[Mapping[Do, str]] = {
    Do.RECEIVE: "Receive the decks",
    Do.INSPECT: "Inspect the deck: every card is there, none is marked",
    Do.VERIFY: "Confirm the inspection of the deck",
    Do.SPREAD: "Spread the cards face up for the first player: each deck in fans, by suit and in sequence",
    Do.WASH: "Turn the cards down, wash and stack them",
    Do.SHUFFLE: "Shuffle the cards",
    Do.CUT: (
        f"Put the cover card at least {MIN_CUT_DEPTH} cards in from the top, then"
        " move it and all cards above it to the bottom"
    ),
    Do.COUNT: "Count the stub",
    Do.CALL: "“No more bets”",
    Do.LOCK: "Lock out electronic wagers",
    Do.CHIPS: "Collect and count the Progressive chips, then put them into the table inventory",
    Do.DEAL: "Deal",
    Do.TURN: "Turn",
    Do.STUB: "Put the stub into the discard rack, unseen",
    Do.ASK: "Ask each player in turn to decide",
    Do.COLLECT: "Collect the forfeited wagers",
    Do.SETTLE: "Settle the next box",
    Do.CLEAR: "Put the cards into the discard rack",
}


class StepPrompt(msgspec.Struct, frozen=True):
    """One step of the procedure as a sentence."""

    says: str
    cite: str
    by: str
    times: int
    """Consecutive repetitions, such as one card to every box and then another."""
    due: bool


def list_steps(table: Table) -> list[StepPrompt]:
    """Return the steps of the opening, or of a round as it is dealt now; mark the due one."""
    prompts: list[StepPrompt] = []
    for number, step in enumerate(table.rules.steps if table.ready else table.rules.opening):
        if number != table.step and not applies(table, step):
            continue
        said = StepPrompt(_words(table, step), str(step.cite), step.by, 1, number == table.step)
        last = prompts[-1] if prompts else None
        if last and (last.says, last.cite) == (said.says, said.cite):
            prompts[-1] = replace(last, times=last.times + 1, due=last.due or said.due)
        else:
            prompts.append(said)
    return prompts


def prompt(table: Table) -> Sentence:
    """Return the next step as a sentence for the dealer or floorperson."""
    steps: list[Words] = [(*parse_text(words), " (", clause(cite), ")") for words, cite in _next_steps(table)]
    return sentence(*join("; ", steps), ".", under=str(table.due.cite))


def prompt_words(table: Table) -> str:
    """Return the next step without its clauses, for a button."""
    return "; ".join(words for words, _ in _next_steps(table))


def _next_steps(table: Table) -> list[tuple[str, object]]:
    """Return the next step, and what goes with it, each with its clause."""
    no_play = table.rules.grounds[Ground.NO_PLAY]
    if spread_due(table):
        cards = "both decks" if decks_to_spread(table) > 1 else "the cards"
        return [(f"Spread {cards} face down: nobody plays", no_play)]
    if table.spread and not table.seated:
        return [("Leave the cards spread until a player arrives", no_play)]
    box = next_to_decide(table)
    words = f"Ask seat {box.seat} to decide" if box else _words(table, table.due)
    if table.due.do is Do.COUNT and table.rack:
        words = f"{words} with the cards of this round in the discard rack ({len(table.rack)})"
    return [(words, table.due.cite), *_exposure(table)]


def _exposure(table: Table) -> Iterator[tuple[str, object]]:
    """Yield the cards to turn for the next settlement, besides the player's."""
    box = next_to_settle(table) if table.due.do is Do.SETTLE else None
    turns = exposures(table, box) if box and not box.racked else []
    for step in turns:
        yield f"turn the {step.place} cards up for its wager", step.cite


def _words(table: Table, step: Step) -> str:
    words = _PROMPTS[step.do]
    if step.announces:
        return "Turn the next player’s cards, announce the best hand they make, and settle the box"
    if step.do is Do.CUT:
        dealing = table.rules.dealing
        by_hand = dealing is Dealing.HAND  # reading cut-for-hand-dealing
        return f"{words}, and {'take the stack in hand' if by_hand else f'the stack into the {dealing.label}'}"
    if step.do is Do.SHUFFLE and table.jammed:
        jam = table.rules.irregularities[SHUFFLER_JAM]
        return f"The shuffler did not finish: have the cards shuffled again, as § {jam.cite} says"
    if step.do is Do.SHUFFLE and uses_two_decks(table):
        return "Empty the discard rack, put that deck into the shuffler, and take the other one, shuffled"
    if step.do is Do.DEAL:
        cards = "the cards" if step.cards == 0 else "a card" if step.cards == 1 else f"{step.cards} cards"
        where = "the next box" if step.to == "boxes" else f"the {step.to}"
        words = f"Deal {cards} to {where}{', face up' if step.up else ''}"
    if step.do is Do.TURN:
        words = f"Turn the {step.place}’s cards"
    return words


def list_duties(live: LiveTable, now: int, ahead: int = 0) -> list[Sentence]:
    """Return duties due now or soon; `now` is the table's time, `ahead` its lead over the server clock."""
    return [sentence(*words) for words in _duties(live, now, ahead)]


def _duties(live: LiveTable, now: int, ahead: int) -> Iterator[Words]:  # noqa: C901, PLR0912 (one duty after another)
    table = live.table
    if live.stuck and not table.unacknowledged_void:
        yield "The automatic dealer is stuck: ", *parse_text(live.stuck)
    if ahead > CLOCK:
        yield (f"The server clock is {ahead} seconds behind this table's log. Check the clock.",)
    box = next_to_decide(table)
    if box and now - table.now > PATIENCE:
        yield (f"Seat {box.seat} has not decided for {(now - table.now) // 60} minutes.",)
    if table.unacknowledged_void:
        yield "The round is void. A floorperson must acknowledge it (", clause(table.unacknowledged_void), ")."
    for box in table.boxes.values():
        if box.claimed:
            yield f"Seat {box.seat}: a payout waits to be validated (", clause(box.claimed[0].cite), ")."
    if table.due.do is Do.CLEAR:
        for box in undocumented_boxes(table):
            by_hand = money(box.paid_by_hand), " waits to be documented and paid by hand."
            yield f"Seat {box.seat}: ", *(by_hand if box.paid_by_hand else ("a payout waits to be documented.",))
    if spread_due(table):
        yield "Nobody plays: spread the cards (", clause(table.rules.grounds[Ground.NO_PLAY]), ")."
    for device in table.broken:
        out_of_order = clause(table.rules.grounds[Ground.OUT_OF_ORDER])
        yield f"The {device} failed: cover it or put a sign on it (", out_of_order, ")."
    if table.ready and table.since:
        hours, cite = deck_hours(table)
        left = table.since + hours * HOUR - now
        if left <= SOON:
            when = "now" if left <= 0 else f"in {left // 60} min"
            yield f"Change the deck {when} (", clause(cite), ")."
    if table.ready and stub_count_due(table):
        yield ("Count the stub in this round.",)
    if not table.ready and live.settings.automatic and table.due.by == "floorperson":
        yield f"The opening waits for a floorperson: {table.due.do} (", clause(table.due.cite), ")."
