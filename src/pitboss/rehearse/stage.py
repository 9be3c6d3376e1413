"""Plays a scene: answers every line with its events or refusal, and the step due next."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from pitboss.cards import DECK, Card
from pitboss.errors import Mistake
from pitboss.house import ledger
from pitboss.record.chain import Entry
from pitboss.record.replay import ReplayedEntry
from pitboss.rehearse.due_commands import next_due
from pitboss.rehearse.scene_meters import SceneMeters, move, set_meters
from pitboss.rehearse.script import ROUND, Begin, SceneLine, Script, viewer
from pitboss.rulebook.grounds import Ground
from pitboss.rulebook.procedures import Do
from pitboss.submission.approvals import approval_notice
from pitboss.table import Command, Given, Perform, Refusal, Table, events, open_table, refusal, view
from pitboss.table.decider import unchecked_transitions
from pitboss.table.devices import spread_due
from pitboss.table.evolution import round_end
from pitboss.table.metering import banks_of

NAME: Final = "rehearsal"
"""The table's name in accounts."""
MOST: Final = 10_000
"""Maximum number of commands for one `until`."""
Json = dict[str, Any]


class Answer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The table's answer to one line."""

    line: int
    refused: Json | None
    events: list[Json]
    due: Json
    view: Json | msgspec.UnsetType = msgspec.UNSET
    not_approved: Json | msgspec.UnsetType = msgspec.UNSET
    """On the opening line: approvals that the Submission lacks for real money."""
    settled: Json | msgspec.UnsetType = msgspec.UNSET
    """On the line that ends a round: the boxes' settlements and the house's postings."""


class PlayedLine(msgspec.Struct, frozen=True):
    """A line with its answer and all its commands."""

    line: SceneLine
    answer: Answer
    moments: tuple[ReplayedEntry, ...]


def play_scene(script: Script) -> list[Answer]:
    """Return the answer to every line of a scene."""
    return [played.answer for played in play_scene_lines(script)]


def play_scene_lines(script: Script) -> list[PlayedLine]:
    """Play a scene.

    A scene gives the cards in their order after any cut, but the deck is shuffled before. So the scene is played
    again, with decks stacked for the depths of its cuts, until these no longer change.
    """
    depths: dict[int, int] = {}
    while True:
        stage = _Stage(script, depths)
        played = stage.run()
        if stage.cuts == depths:
            return played
        depths = stage.cuts


class _Stage:
    """The table of a scene while it is played."""

    def __init__(self, script: Script, depths: Mapping[int, int]) -> None:
        self._script = script
        self.table = _start_table(open_table(script.submission, scanned=script.scanned), script.begin)
        self._missing = approval_notice(script.submission)
        self._meters = SceneMeters(banks_of(script.submission))
        self._time = self.table.now
        self._order: tuple[Card, ...] = ()
        self._shuffles = 0
        self._depths, self.cuts = depths, dict[int, int]()
        self._postings: list[Json] = []
        self._moments: list[ReplayedEntry] = []
        self._settled: Json | None = None

    def run(self) -> list[PlayedLine]:
        """Play all lines and return their answers."""
        played = []
        for line in (self._script.opening, *self._script.lines):
            self._moments, self._settled = [], None
            try:
                refused = self._line(line)
            except Mistake as mistake:
                raise Mistake(f"Line {line.number}: {mistake}") from None
            played.append(PlayedLine(line, self._answer(line, refused), tuple(self._moments)))
        return played

    def _answer(self, line: SceneLine, refused: Refusal | None) -> Answer:
        return Answer(
            line=line.number,
            refused={"why": refused.why, "cite": str(refused.cite)} if refused else None,
            events=[_plain(event) for moment in self._moments for event in moment.entry.events],
            due=self._due(),
            view=_plain(view(self.table, *viewer(line.number, line.see))) if line.see else msgspec.UNSET,
            settled=self._settled or msgspec.UNSET,
            not_approved=(_plain(self._missing) if line is self._script.opening and self._missing else msgspec.UNSET),
        )

    def _due(self) -> Json:
        """Return the due step; after the last player left, that is spreading the cards."""
        if spread_due(self.table):
            return {"do": Do.SPREAD.value, "cite": str(self.table.rules.grounds[Ground.NO_PLAY])}
        return {"do": self.table.due.do.value, "cite": str(self.table.due.cite)}

    def _line(self, line: SceneLine) -> Refusal | None:
        given = line.given
        if "time" in line.said:
            self._time = max(self._time, given.time)
        else:
            given = replace(given, time=self._time)
        if "meters" in line.said:
            self._meters = set_meters(self._meters, given.meters, called=self.table.called)
        if "cards" in line.said and not self.table.rules.scanned:
            self._order = given.cards
        if line.command is not None:
            return self._do(line.number, line.command, given)
        return self._until(line.number, line.until, given, line.said) if line.until else None

    def _until(self, number: int, step: str, given: Given, said: frozenset[str]) -> Refusal | None:
        """Perform due steps until the given step is due, or until the round is over."""
        began = self.table.round
        for _ in range(MOST):
            if self.table.round > began if step == ROUND else self._due()["do"] == step:
                return None
            command, at_hand, used = next_due(self.table, given, said)
            if refused := self._do(number, command, at_hand):
                return refused
            said -= used
            if self.table.rules.scanned:
                given = replace(given, cards=given.cards[len(at_hand.cards) :])
        raise Mistake(f"The step “{step}” is not reached within {MOST:,} commands.")

    def _do(self, number: int, command: Command, given: Given) -> Refusal | None:
        """Execute one command, or return its refusal."""
        given = replace(given, meters=self._meters.shows)
        shuffles = isinstance(command, Perform) and self.table.due.do is Do.SHUFFLE and not self.table.rules.scanned
        if shuffles:
            given = replace(given, cards=_stack_deck(self._order, self._depths.get(self._shuffles, 0)))
        if refused := refusal(self.table, command, given):
            return refused
        decided = unchecked_transitions(self.table, command, given)
        entry = Entry(len(self._moments), command, given, tuple(one.event for one in decided))
        moment = ReplayedEntry(self.table, entry, decided)
        self._moments.append(moment)
        self.table = moment.after
        moved = list(ledger.table_postings(NAME, decided))
        self._meters, metered = move(self._meters, decided)
        self._postings += [{"line": number, "account": name, "amount": amount} for name, amount in (*moved, *metered)]
        self._track_events(entry.events)
        if ending := round_end(decided):
            self._settled = {"boxes": _boxes(ending.before), "postings": self._postings}
            self._postings = []
        return None

    def _track_events(self, new_events: Sequence[events.Event]) -> None:
        """Record shuffles, and the depths of cuts."""
        for event in new_events:
            match event:
                case events.Shuffled():
                    self._shuffles += 1
                    self._order = ()
                case events.Cut(depth=depth):
                    cut = self.cuts.get(self._shuffles - 1, 0)
                    self.cuts[self._shuffles - 1] = (cut + depth) % len(DECK)


def _start_table(table: Table, begin: Begin | None) -> Table:
    """Return the table in the scene's starting state."""
    if begin is None:
        return table
    fields = {name: value for name, value in msgspec.structs.asdict(begin).items() if name != "dealing"}
    if begin.dealing:
        steps = table.rules.ways[begin.dealing]
        table = replace(table, rules=replace(table.rules, dealing=begin.dealing, steps=steps))
    seated = {int(seat): patron for seat, patron in begin.seated.items()}
    rack = DECK if begin.ready and not table.rules.scanned else ()
    return replace(table, **{**fields, "seated": seated, "rack": rack})


def _stack_deck(top: Sequence[Card], depth: int) -> tuple[Card, ...]:
    """Return a deck with these cards on top after a cut at `depth`; the rest follows in order."""
    order = (*top, *(card for card in DECK if card not in top))
    return (*order[-depth:], *order[:-depth]) if depth else order


def _boxes(table: Table) -> Json:
    """Return every box's settlement in the format of `pitboss settle`."""
    return {
        str(box.seat): {
            "patron": box.patron,
            "lines": [line.as_json() for line in box.lines],
            "net": sum(line.net for line in box.lines),
        }
        for box in table.boxes.values()
    }


def _plain(value: object) -> Json:
    """Return a value as plain JSON types, as records encode it."""
    plain: Json = msgspec.to_builtins(value, str_keys=True, enc_hook=str)
    return plain
