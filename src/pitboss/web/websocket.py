"""The WebSocket: versioned JSON messages that send orders and receive table changes."""

import asyncio
import contextlib
import logging
from typing import Any, Final

import msgspec
from litestar import WebSocket, websocket
from litestar.datastructures import State
from litestar.exceptions import PermissionDeniedException, WebSocketDisconnect

from pitboss.house.desk.desk import OPEN_TABLE_RULE
from pitboss.house.desk.order_policy import LINK_RULE, suspended_offer
from pitboss.house.desk.orders import Order
from pitboss.house.floor.catch_up import entries_since
from pitboss.house.storage.connections import DatabaseFailure
from pitboss.record.chain import decoder
from pitboss.record.replay import ReplayedEntry
from pitboss.table import Given, Refusal, Wager, refusal
from pitboss.table.decider import unchecked_transitions
from pitboss.table.evolution import last_table
from pitboss.web.hub import Socket, table_message, viewer_of
from pitboss.web.messages import (
    ClientMessage,
    ErrorMessage,
    OrderMessage,
    Ping,
    Pong,
    ReplyMessage,
    TrialMessage,
    TrialReply,
    Unwatch,
    Watch,
    encode_message,
)
from pitboss.web.runtime import Runtime

log = logging.getLogger("pitboss.web")
MAX_MESSAGE_BYTES: Final = 16_384
"""Upper bound of one message."""
MAX_BAD_MESSAGES: Final = 50
"""Invalid messages after which a socket is closed."""
_MESSAGE: Final[msgspec.json.Decoder[ClientMessage]] = decoder(ClientMessage)  # type: ignore[arg-type]


@websocket("/api/live")
async def serve_websocket(socket: WebSocket[Any, Any, Any], state: State) -> None:
    """Serve one client until it disconnects or its session ends."""
    run: Runtime = state["runtime"]
    try:
        run.guard.require_same_origin(socket)
    except PermissionDeniedException:
        await socket.close(4403)
        return
    session = await run.guard.session(socket)
    await socket.accept()
    client = Socket(session.person if session else None, session.id if session else "")
    run.hub.join(client)
    sending = asyncio.create_task(_send(socket, client))
    hearing = asyncio.create_task(_receive(socket, client, run))
    closing = asyncio.create_task(client.closed.wait())
    tasks = (sending, hearing, closing)
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        run.hub.leave(client)
        for task in tasks:
            task.cancel()
        for ended in await asyncio.gather(*tasks, return_exceptions=True):
            gone = isinstance(
                ended, WebSocketDisconnect | OSError | RuntimeError
            )  # uvicorn raises these on a closed socket
            if isinstance(ended, Exception) and not gone:
                log.error("a socket failed", exc_info=ended)
    if client.closed.is_set():
        with contextlib.suppress(TimeoutError, OSError, RuntimeError):  # do not wait for a client that does not read
            await asyncio.wait_for(socket.close(4401), 1)


async def _send(socket: WebSocket[Any, Any, Any], client: Socket) -> None:
    while True:
        await socket.send_data(await client.waiting.get(), mode="text")


async def _receive(socket: WebSocket[Any, Any, Any], client: Socket, run: Runtime) -> None:
    misuses = 0
    while misuses < MAX_BAD_MESSAGES:
        try:
            text = await socket.receive_data(mode="text")
        except WebSocketDisconnect:
            return
        except (KeyError, TypeError):
            text = None  # a binary message
        misuses += not _handle_message(text, client, run)
    client.close()


def _handle_message(text: str | bytes | None, client: Socket, run: Runtime) -> bool:
    """Carry out a message; return whether it was valid."""
    try:
        if not text or len(text) > MAX_MESSAGE_BYTES or "\\u0000" in str(text):
            raise msgspec.ValidationError("A message must be text of up to 16,384 bytes, without NUL characters")
        message = _MESSAGE.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        client.send(encode_message(ErrorMessage(why=f"The message cannot be read: {error}.")))
        return False
    match message:
        case Watch(table, since):
            if not client.watches.allows(""):
                client.send(encode_message(ErrorMessage(why="Too many messages; wait a moment.")))
                return True
            if table not in run.hub.live_tables:
                client.send(encode_message(ErrorMessage(why=f"There is no open table “{table}”.")))
                return True
            _handle_watch(client, run, table, since)
        case Unwatch(table):
            run.hub.unwatch(client, table)
        case OrderMessage():
            _handle_order(message, client, run)
        case TrialMessage():
            client.send(_handle_trial(message, client, run))
        case Ping():
            client.send(encode_message(Pong()))
    return True


def _handle_watch(client: Socket, run: Runtime, table: str, since: int | None) -> None:
    """Send a table and its entries since `since`: from memory if possible, else from the database."""
    live = run.hub.live_tables[table]
    if viewer_of(live, client.person)[1] is None or client.looking:
        since = None  # the public sees no entries, and one query per socket runs at a time
    recent = [] if since is None else run.hub.since(table, since)

    def show(entries: list[ReplayedEntry]) -> None:
        if client not in run.hub.sockets:
            return  # disconnected meanwhile
        viewer = viewer_of(live, client.person)
        client.send(encode_message(table_message(live, viewer, entries, run.pit.now.at(live))))
        client.send(run.meters_of(table))
        run.hub.watch(client, table)

    async def query(since: int) -> None:
        client.looking = True
        try:
            entries = await run.pit.read(lambda db: entries_since(db, live, since))
        finally:
            client.looking = False
        if table not in run.hub.live_tables:
            return
        show(entries)
        if run.hub.live_tables.get(table, live).seq > live.seq:  # the table changed meanwhile
            _handle_watch(client, run, table, live.seq)

    if recent is None and since is not None:
        asyncio.ensure_future(query(since))  # noqa: RUF006 (it sends to the socket when done)
    else:
        show(recent or [])


def _handle_order(ask: OrderMessage, client: Socket, run: Runtime) -> None:
    person = client.person
    if person is None:
        client.send(_refuse(ask, "You are not signed in.", "house rule: people"))
    elif ask.table not in run.hub.live_tables:
        client.send(_refuse(ask, "There is no open table of that name.", OPEN_TABLE_RULE))
    elif not run.guard.orders.allows(person.name):
        client.send(_refuse(ask, "Too many orders; wait a moment.", "house rule"))
    else:
        run.guard.touch(client.session)
        order = Order(
            person=person.name,
            role=person.role,
            key=ask.key,
            chain=ask.table,
            command=ask.command,
            entered=ask.entered,
        )
        asyncio.ensure_future(_send_reply(order, ask, client, run))  # noqa: RUF006 (it sends to the socket when done)


def _refuse(ask: OrderMessage, why: str, cite: str) -> str:
    return encode_message(ReplyMessage(key=ask.key, accepted=False, table=ask.table, why=why, cite=cite))


def _handle_trial(asked: TrialMessage, client: Socket, run: Runtime) -> str:
    """Return whether the table would accept these orders, and the first it would refuse; balances are not checked."""
    person, live = client.person, run.hub.live_tables.get(asked.table)
    if person is None or live is None or not run.guard.orders.allows(person.name):
        closed = "This table has closed." if person else "You are not signed in."
        why = closed if person is None or live is None else "Too many orders; wait a moment."
        return encode_message(TrialReply(key=asked.key, may=False, of=0, why=why, cite="house rule"))
    table = live.table
    given = Given(actor=person.name, role=person.role, time=table.now)
    for place, command in enumerate(asked.commands):
        if offer := suspended_offer(live, command):
            refused: Refusal | None = Refusal(f"This table does not take the wager {offer} now.", LINK_RULE)
        else:
            refused = refusal(table, command, given)
        if refused:
            return encode_message(
                TrialReply(key=asked.key, may=False, of=place, why=refused.why, cite=str(refused.cite))
            )
        if isinstance(command, Wager):
            table = last_table(table, unchecked_transitions(table, command, given))
    return encode_message(TrialReply(key=asked.key, may=True))


async def _send_reply(order: Order, ask: OrderMessage, client: Socket, run: Runtime) -> None:
    try:
        reply = await run.carry_out(order)
    except Exception as error:
        client.send(_refuse(ask, "The house cannot take orders right now. Try again.", "house rule"))
        if not isinstance(error, DatabaseFailure):
            log.exception("an order failed")
    else:
        client.send(encode_message(ReplyMessage(key=order.key, **msgspec.structs.asdict(reply))))
