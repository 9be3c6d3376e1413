"""HTTP route that opens the commitment to a shuffle, only for cards the viewer has seen."""

from typing import Any

import msgspec
from litestar import Request, get
from litestar.datastructures import State

from pitboss.cards import Card
from pitboss.house.live_table import LiveTable
from pitboss.house.storage.connections import Connection
from pitboss.house.storage.logs import entry_bodies
from pitboss.record.chain import decode_entry
from pitboss.table import events
from pitboss.table.commitment import Opening, commit, opening
from pitboss.table.shoe import cut
from pitboss.table.views import cards_seen_by
from pitboss.web.hub import viewer_of
from pitboss.web.runtime import Runtime


class Openings(msgspec.Struct):
    """The root published before the deal, and the openings of the shown cards."""

    root: str
    openings: list[Opening]


@get("/api/tables/{table:str}/openings", tags=["tables"])
async def openings(table: str, request: Request[Any, Any, Any], state: State) -> Openings:
    """Open the commitment for every card the requester has seen in this round."""
    run: Runtime = state["runtime"]
    live = run.live(table)
    session = await run.guard.session(request)
    name, _ = viewer_of(live, session.person if session else None)
    return await run.pit.read(lambda db: open_seen_cards(db, live, name))


def open_seen_cards(db: Connection, live: LiveTable, viewer: str) -> Openings:
    """Return the openings of the current deck for the cards a viewer has seen."""
    table = live.table
    if not live.shuffled:
        return Openings(table.root, [])
    seen = cards_seen_by(table, viewer)
    deck: tuple[Card, ...] = ()
    salts: tuple[str, ...] = ()
    root = ""
    for body in entry_bodies(db, live.chain, live.shuffled):
        entry = decode_entry(body)
        for event in entry.events:
            if isinstance(event, events.Shuffled):
                deck, salts, root = event.cards, entry.given.salts, event.root
            elif isinstance(event, events.Cut):
                deck, salts, root = cut(deck, event.depth), entry.given.salts, event.root
    if not root or root != table.root:
        return Openings(table.root, [])
    whole = commit(deck, [bytes.fromhex(salt) for salt in salts])
    return Openings(root, [opening(whole, place) for place, card in enumerate(deck) if str(card) in seen])
