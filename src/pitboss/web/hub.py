"""Sends table changes to watching sockets after each commit, encoding one message for each kind of viewer."""

import asyncio
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from pitboss.house.desk.table_clock import TableClocks, TableTime
from pitboss.house.floor.duties import list_duties, list_steps, prompt, prompt_words
from pitboss.house.live_table import LiveTable
from pitboss.house.office.people import Person, Post
from pitboss.house.writers import TableChange
from pitboss.record.narration import format_line, narrate_sentences
from pitboss.record.replay import ReplayedEntry
from pitboss.table import Role, view
from pitboss.table.actions import free_seats, possible_actions
from pitboss.table.views import is_present
from pitboss.web.messages import EntryLines, TableMessage, encode_message
from pitboss.web.rate import Rate

MAX_QUEUED: Final = 256
"""Messages that may wait for one socket; a slower client is disconnected and may reconnect."""
RECENT_ENTRIES: Final = 200
"""Entries of a table in memory for clients that reconnect."""
Viewer = tuple[str, Role | None]
"""Viewers who see the same: a patron of the table by name, staff by role, the public."""


class Socket:
    """One connection: its queue of messages and the tables it watches."""

    def __init__(self, person: Person | None, session: str) -> None:
        """Start with the signed-in person, if any."""
        self.person, self.session = person, session
        self.waiting: asyncio.Queue[str] = asyncio.Queue(MAX_QUEUED)
        self.closed = asyncio.Event()
        self.tables: set[str] = set()
        self.watches = Rate(20, 100)
        self.looking = False
        """Whether a log query for this socket is in progress."""

    def send(self, message: str) -> None:
        """Queue a message; disconnect a client that does not keep up."""
        try:
            self.waiting.put_nowait(message)
        except asyncio.QueueFull:
            self.close()

    def close(self) -> None:
        """Request that the connection close before anything else is sent or received."""
        self.closed.set()


def viewer_of(live: LiveTable, person: Person | None) -> Viewer:
    """Return a person's kind of viewer; a patron who does not play there is the public."""
    if person is None:
        return "", None
    if person.post is not Post.PATRON:
        return "", person.role
    return (person.name, Role.PLAYER) if is_present(live.table, person.name) else ("", None)


class Hub:
    """All sockets, by the tables they watch."""

    def __init__(self) -> None:
        """Start without sockets."""
        self.sockets: set[Socket] = set()
        self.live_tables: dict[str, LiveTable] = {}
        self._watching: dict[str, set[Socket]] = {}
        self._recent: dict[str, deque[ReplayedEntry]] = {}

    def join(self, socket: Socket) -> None:
        """Add a socket."""
        self.sockets.add(socket)

    def leave(self, socket: Socket) -> None:
        """Remove a socket."""
        self.sockets.discard(socket)
        for table in socket.tables:
            self._watching.get(table, set()).discard(socket)

    def watch(self, socket: Socket, table: str) -> None:
        """Send a table's changes to a socket from now on."""
        socket.tables.add(table)
        self._watching.setdefault(table, set()).add(socket)

    def unwatch(self, socket: Socket, table: str) -> None:
        """Stop sending a table's changes to a socket."""
        socket.tables.discard(table)
        self._watching.get(table, set()).discard(socket)

    def watchers(self, table: str) -> set[Socket]:
        """Return the sockets that watch a table."""
        return self._watching.get(table, set())

    def broadcast(self, changes: dict[str, TableChange], times: TableClocks) -> int:
        """Send each change to the sockets that watch its table, skipping entries already sent.

        Return the number of finished rounds.
        """
        finished = 0
        for table, (changed, entries) in changes.items():
            previous, live = self.live_tables.get(table), changed
            sent = previous.seq if previous else 0
            new = [one for one in entries if one.entry.seq > sent]
            if previous and live.seq == sent:  # a follower does not deal and cannot know that a dealer is stuck
                live = replace(previous, settings=changed.settings, stuck=changed.stuck or previous.stuck)
            if live.seq < sent or live == previous:
                continue
            self.live_tables[table] = live
            finished += sum(one.after.round != one.before.round for one in new)
            if live.seq > sent and (not new or new[0].entry.seq != sent + 1):  # a gap: entries are missing
                self._recent.pop(table, None)
            self._recent.setdefault(table, deque(maxlen=RECENT_ENTRIES)).extend(new)
            messages: dict[Viewer, str] = {}
            for socket in self._watching.get(table, ()):
                viewer = viewer_of(live, socket.person)
                if viewer not in messages:
                    messages[viewer] = encode_message(table_message(live, viewer, new, times.at(live)))
                socket.send(messages[viewer])
        return finished

    def since(self, table: str, seq: int) -> list[ReplayedEntry] | None:
        """Return a table's entries after `seq`, or None if they are no longer in memory."""
        recent = self._recent.get(table, deque())
        if seq < self.live_tables[table].seq and not (recent and recent[0].entry.seq <= seq + 1):
            return None
        return [one for one in recent if one.entry.seq > seq]

    def to_all(self, text: str, sockets: Iterable[Socket] | None = None) -> None:
        """Send a message to these sockets, or to all."""
        for socket in list(self.sockets if sockets is None else sockets):
            socket.send(text)


def table_message(
    live: LiveTable, seen_as: Viewer, happened: Iterable[ReplayedEntry], moment: TableTime
) -> TableMessage:
    """Return a table for one viewer, with times by the server's clock."""
    name, role = seen_as
    table, settings = live.table, live.settings
    staff = role not in (None, Role.PLAYER)
    closes = live.betting_since + settings.betting - moment.ahead if table.boxes and not table.called else None
    duties, due = (list_duties(live, *moment), prompt(table)) if staff else ([], None)
    seen = view(table, name, role)
    if seen.deadline is not None:
        seen = replace(seen, deadline=seen.deadline - moment.ahead)
    return TableMessage(
        table=live.chain,
        seq=live.seq,
        view=seen,
        happened=list(_entry_lines(happened, name, role)) if role else [],
        duties=[duty.text for duty in duties],
        duty_sentences=duties,
        prompt=due.text if due else "",
        due=due,
        due_words=prompt_words(table) if staff else "",
        procedure=list_steps(table) if staff else [],
        free=free_seats(table),
        can=possible_actions(table, name, role) if role else [],
        closes=closes if settings.automatic else None,
    )


def _entry_lines(happened: Iterable[ReplayedEntry], name: str, role: Role) -> Iterator[EntryLines]:
    """Yield entries in words; a patron gets only those from while he was present."""
    for one in happened:
        there = role is not Role.PLAYER or is_present(one.before, name) or is_present(one.after, name)
        if there and (sentences := narrate_sentences(one, name, staff=role is not Role.PLAYER)):
            yield EntryLines(one.entry.seq, [format_line(said) for said in sentences], sentences)
