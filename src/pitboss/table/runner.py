"""`TableRunner`: a table with its state, for programs that play; and the automatic dealer.

>>> from pitboss.submission import load
>>> live = TableRunner(open_table(load("cajun-stud-rack-card")))
>>> ann = Given(actor="Ann", role=Role.PLAYER)
>>> live.can(Sit(1), ann), live.can(Decide(1, 2), ann)
(True, False)
>>> live.do(Sit(1), ann)
[Seated(seat=1, patron='Ann')]
>>> live.verify(Sit(2), ann)
Traceback (most recent call last):
pitboss.errors.Mistake: Seat taken, or you already have one. (house rule: one seat for a patron, one patron for a seat)
>>> live.can_decide(ann, 1, 2), live.stand(ann, 1)
(False, [Stood(seat=1)])
"""

import re
from collections.abc import Callable

from msgspec.structs import replace

from pitboss.cards import DECK, Card
from pitboss.errors import Mistake
from pitboss.games.declarations import OnLuck, OnMatch
from pitboss.rulebook.procedures import Do
from pitboss.table import open_table
from pitboss.table.box_settlement import undocumented_boxes
from pitboss.table.commands import (
    ROLES_BY_COMMAND,
    Acknowledge,
    Command,
    Cover,
    Decide,
    Document,
    Given,
    Idle,
    Perform,
    Role,
    Sit,
    Tick,
)
from pitboss.table.commitment import SALT
from pitboss.table.decider import transitions
from pitboss.table.decks import BACKS
from pitboss.table.devices import spread_due
from pitboss.table.events import Event
from pitboss.table.evolution import Transition, last_table
from pitboss.table.refusals import MIN_CUT_DEPTH, count_accepted_wagers, refusal
from pitboss.table.shoe import Source, random_below, shuffle
from pitboss.table.state import Table
from pitboss.table.steps import is_timed

__all__ = ["Decide", "Role", "Sit", "TableRunner", "automatic_command", "open_table"]

Listener = Callable[[Command, Given, list[Event]], None]


class TableRunner:
    """A table with its state; listeners are called after every command."""

    def __init__(self, table: Table, *listeners: Listener) -> None:
        """Start from a table."""
        self.table = table
        self.transitions: list[Transition] = []
        """The transitions of the last command."""
        self._listeners = listeners

    def verify(self, command: Command, given: Given) -> None:
        """Raise a `Mistake` with the reason and its clause if the command is refused."""
        if refused := refusal(self.table, command, given):
            raise Mistake(f"{refused.why} ({refused.cite})")

    def can(self, command: Command, given: Given) -> bool:
        """Whether the command is allowed now."""
        return refusal(self.table, command, given) is None

    def __getattr__(self, name: str) -> Callable[..., object]:
        """Return `sit`, `can_sit`, `verify_sit` and so on for every command: `live.wager(given, 1, {"ante": 1000})`."""
        how, _, rest = name.partition("_")
        act, word = {"can": (self.can, rest), "verify": (self.verify, rest)}.get(how, (self.do, name))
        for kind in ROLES_BY_COMMAND:
            if re.sub("(?<!^)(?=[A-Z])", "_", kind.__name__).lower() == word:
                return lambda given, *facts: act(kind(*facts), given)
        raise AttributeError(name)

    def do(self, command: Command, given: Given) -> list[Event]:
        """Execute a command and return its events."""
        self.transitions = transitions(self.table, command, given)
        self.table = last_table(self.table, self.transitions)
        new_events = [one.event for one in self.transitions]
        for listener in self._listeners:
            listener(command, given, new_events)
        return new_events


def _salts(source: Source) -> tuple[str, ...]:
    drawn, size = source(SALT * len(DECK)).hex(), 2 * SALT
    return tuple([drawn[place : place + size] for place in range(0, len(drawn), size)])


def _draw_bonuses(table: Table, source: Source, given: Given) -> Given:
    """Draw the system's bonuses at “no more bets”, with the Submission's chances."""
    magic: Card | None = None
    lucky: tuple[str, ...] = ()
    triggers = {bonus.paytable: bonus.trigger for bonus in table.rules.terms.game.bonuses}
    for paytable, (times, rounds) in table.rules.draws.items():
        if random_below(rounds, source) < times:
            match triggers.get(paytable):
                case OnMatch():
                    magic = DECK[random_below(len(DECK), source)]
                case OnLuck():
                    position = random_below(table.rules.seats + 1, source)
                    lucky = (str(position) if position else "dealer",)
    return replace(given, magic=magic, lucky=lucky)


def add_device_inputs(table: Table, source: Source, given: Given) -> Given:
    """Add what devices supply for the due step: shuffled deck, salts, cut depth, draws."""
    match table.due.do:
        case Do.SHUFFLE if not table.rules.scanned:
            return replace(given, cards=shuffle(DECK, source), counted=len(DECK), salts=_salts(source))
        case Do.CUT:
            depth = given.depth or MIN_CUT_DEPTH + random_below(len(DECK) - 2 * MIN_CUT_DEPTH, source)
            return replace(given, depth=depth, salts=_salts(source) if table.root else ())
        case Do.CALL:
            return _draw_bonuses(table, source, given)
        case _:
            return given


def automatic_command(
    table: Table, source: Source, given: Given, *, bets_are_in: bool, alone: bool = True
) -> tuple[Command, Given] | None:
    """Return the automatic dealer's next command, or None while it waits for players or staff.

    `given` carries the time and the meters. If `alone`, as at a practice table, it also acts as the floorperson.
    """
    for_floor = table.due.by == Role.FLOORPERSON
    if for_floor or _needs_floorperson(table):
        if not alone:
            return None
        floor = Given(actor="automatic floorperson", role=Role.FLOORPERSON, time=given.time, meters=given.meters)
        if waiting := _floorperson_command(table, floor):
            return waiting
    dealer = Given(actor="automatic dealer", role=Role.SYSTEM, time=given.time, meters=given.meters)
    if spread_due(table):
        return Idle(), dealer
    match table.due.do:
        case Do.DEAL:  # the most frequent
            return Perform(), dealer
        case Do.ASK if is_timed(table) and given.time >= table.deadline:
            return Tick(), dealer
        case Do.ASK:
            return None
        case Do.WASH if not table.seated:
            return None
        case Do.CALL if not (bets_are_in and table.boxes):
            return None
        case Do.SHUFFLE | Do.CUT | Do.CALL:
            return Perform(), add_device_inputs(table, source, dealer)
        case Do.RECEIVE:  # without staff to inspect them, decks come preinspected
            return Perform(), replace(dealer, preshuffled=not alone, backs=BACKS[: table.rules.decks])
        case Do.COUNT:
            return Perform(), replace(dealer, counted=table.expected_stub_count)
        case Do.CHIPS:
            return Perform(), replace(dealer, counted=count_accepted_wagers(table, table.due.needs))
        case _:
            return Perform(), floor if for_floor else dealer


def _needs_floorperson(table: Table) -> bool:
    """Whether the table waits for a floorperson."""
    claims = any(box.claimed for box in table.boxes.values())
    undocumented = table.due.do is Do.CLEAR and undocumented_boxes(table)
    return bool(claims or undocumented or table.broken or table.unacknowledged_void)


def _floorperson_command(table: Table, floor: Given) -> tuple[Command, Given] | None:
    """Return the floorperson's next command, if one is due."""
    if table.unacknowledged_void or any(box.claimed for box in table.boxes.values()):
        return Acknowledge(), replace(floor, light=True)
    if table.due.do is Do.CLEAR and (undocumented := undocumented_boxes(table)):
        return Document(undocumented[0].seat), floor
    return (Cover(table.broken[0]), floor) if table.broken else None
