"""Who watches which table, and what each of them is told after a commit: one message for all who see the same."""

import asyncio
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec
from msgspec.structs import replace

from pitboss.house.duties import StepPrompt, list_duties, list_steps, prompt
from pitboss.house.live_table import LiveTable
from pitboss.house.people import Person, Post
from pitboss.house.table_clock import TableClocks, TableTime
from pitboss.house.writers import TableChange
from pitboss.record import narrate
from pitboss.record.replay import ReplayedEntry
from pitboss.table import Role, View, view
from pitboss.table.actions import PossibleAction, free_seats, possible_actions
from pitboss.table.views import is_present
from pitboss.web.rate import Rate

VERSION: Final = 1
MAX_QUEUED: Final = 256
"""Messages that may wait for one socket; who is slower is let go, and may come back."""
RECENT_ENTRIES: Final = 200
"""Entries of a table that are kept at hand for who comes back."""
Viewer = tuple[str, Role | None]
"""Whom a table shows the same: a patron of it by name, staff by role, everybody else."""


class Socket:
    """One connection: what waits to be sent, and what it watches."""

    def __init__(self, person: Person | None, session: str) -> None:
        """Begin with who it is of, if anybody."""
        self.person, self.session = person, session
        self.waiting: asyncio.Queue[str] = asyncio.Queue(MAX_QUEUED)
        self.closed = asyncio.Event()
        self.tables: set[str] = set()
        self.watches = Rate(20, 100)
        self.looking = False
        """Whether something is being looked up for it."""

    def send(self, message: str) -> None:
        """Have a message sent, or let go of who does not keep up."""
        try:
            self.waiting.put_nowait(message)
        except asyncio.QueueFull:
            self.close()

    def close(self) -> None:
        """Have the connection closed, before anything else is sent or heard."""
        self.closed.set()


def viewer_of(standing: LiveTable, person: Person | None) -> Viewer:
    """Return as whom somebody sees a table: who neither works nor plays there is the public."""
    if person is None:
        return "", None
    if person.post is not Post.PATRON:
        return "", person.role
    return (person.name, Role.PLAYER) if is_present(standing.table, person.name) else ("", None)


class Hub:
    """Every socket, by the tables it watches."""

    def __init__(self) -> None:
        """Begin with nobody."""
        self.sockets: set[Socket] = set()
        self.standings: dict[str, LiveTable] = {}
        self._watching: dict[str, set[Socket]] = {}
        self._kept: dict[str, deque[ReplayedEntry]] = {}

    def join(self, socket: Socket) -> None:
        """Add a socket."""
        self.sockets.add(socket)

    def leave(self, socket: Socket) -> None:
        """Forget a socket."""
        self.sockets.discard(socket)
        for table in socket.tables:
            self._watching.get(table, set()).discard(socket)

    def watch(self, socket: Socket, table: str) -> None:
        """Have a socket told of a table."""
        socket.tables.add(table)
        self._watching.setdefault(table, set()).add(socket)

    def unwatch(self, socket: Socket, table: str) -> None:
        """Tell a socket no more of a table."""
        socket.tables.discard(table)
        self._watching.get(table, set()).discard(socket)

    def watchers(self, table: str) -> set[Socket]:
        """Return the sockets that watch a table."""
        return self._watching.get(table, set())

    def broadcast(self, changes: dict[str, TableChange], times: TableClocks) -> int:
        """Tell everybody who watches of what happened; what they were told already is left out.

        Return how many rounds were finished.
        """
        finished = 0
        for table, (now_is, told_of) in changes.items():
            held, standing = self.standings.get(table), now_is
            known = held.seq if held else 0
            happened = [one for one in told_of if one.entry.seq > known]
            if held and standing.seq == known:  # a follower, who does not deal, knows nothing of a dealer's trouble
                standing = replace(held, settings=now_is.settings, stuck=now_is.stuck or held.stuck)
            if standing.seq < known or standing == held:
                continue
            self.standings[table] = standing
            finished += sum(one.after.round != one.before.round for one in happened)
            if standing.seq > known and (not happened or happened[0].entry.seq != known + 1):  # some are not at hand
                self._kept.pop(table, None)
            self._kept.setdefault(table, deque(maxlen=RECENT_ENTRIES)).extend(happened)
            messages: dict[Viewer, str] = {}
            for socket in self._watching.get(table, ()):
                seen_as = viewer_of(standing, socket.person)
                if seen_as not in messages:
                    messages[seen_as] = encode_table_message(standing, seen_as, happened, times.at(standing))
                socket.send(messages[seen_as])
        return finished

    def since(self, table: str, seq: int) -> list[ReplayedEntry] | None:
        """Return what happened at a table after an entry, if that is still at hand."""
        kept = self._kept.get(table, deque())
        if seq < self.standings[table].seq and not (kept and kept[0].entry.seq <= seq + 1):
            return None
        return [one for one in kept if one.entry.seq > seq]

    def to_all(self, text: str, sockets: Iterable[Socket] | None = None) -> None:
        """Send everybody a message."""
        for socket in list(self.sockets if sockets is None else sockets):
            socket.send(text)


class EntryLines(msgspec.Struct, frozen=True):
    """What one entry of the log says, a sentence with its clause each."""

    seq: int
    lines: list[str]


class TableMessage(msgspec.Struct, frozen=True, kw_only=True):
    """What one viewer is told of a table: how it looks now, what led to it, what may be done."""

    v: int = VERSION
    type: str = "table"
    table: str
    seq: int
    view: View
    happened: list[EntryLines] = []
    duties: list[str] = []
    """For staff: what waits for a person."""
    prompt: str = ""
    """For staff: what the dealer does next."""
    procedure: list[StepPrompt] = []
    """For staff: every step, and which one is due."""
    free: tuple[int, ...] = ()
    """Seats that somebody without one may take."""
    can: list[PossibleAction] = []
    """What this viewer may do, and why not."""
    closes: int | None = None
    """When the automatic dealer takes no more bets, in seconds since 1970, if nothing else ends them before."""


def table_message(
    standing: LiveTable, seen_as: Viewer, happened: Iterable[ReplayedEntry], moment: TableTime
) -> TableMessage:
    """Return a table as one viewer is shown it, its times by the server's clock."""
    name, role = seen_as
    table, settings = standing.table, standing.settings
    staff = role not in (None, Role.PLAYER)
    closes = standing.betting_since + settings.betting - moment.ahead if table.boxes and not table.called else None
    seen = view(table, name, role)
    if seen.deadline is not None:
        seen = replace(seen, deadline=seen.deadline - moment.ahead)
    return TableMessage(
        table=standing.chain,
        seq=standing.seq,
        view=seen,
        happened=list(_entry_lines(happened, name, role)) if role else [],
        duties=list(list_duties(standing, *moment)) if staff else [],
        prompt=prompt(table) if staff else "",
        procedure=list_steps(table) if staff else [],
        free=free_seats(table),
        can=possible_actions(table, name, role) if role else [],
        closes=closes if settings.automatic else None,
    )


def encode_table_message(
    standing: LiveTable, seen_as: Viewer, happened: Iterable[ReplayedEntry], moment: TableTime
) -> str:
    """Write what one viewer is told of a table."""
    return _ENCODER.encode(table_message(standing, seen_as, happened, moment)).decode()


_ENCODER: Final = msgspec.json.Encoder(enc_hook=str)


def encode_message(kind: str, **facts: object) -> str:
    """Write one message."""
    return _ENCODER.encode({"v": VERSION, "type": kind, **facts}).decode()


def _entry_lines(happened: Iterable[ReplayedEntry], name: str, role: Role) -> Iterator[EntryLines]:
    """Say what happened; to a patron only what did while he was there."""
    for one in happened:
        there = role is not Role.PLAYER or is_present(one.before, name) or is_present(one.after, name)
        if there and (lines := narrate(one, name, staff=role is not Role.PLAYER)):
            yield EntryLines(one.entry.seq, lines)
