"""The messages of the WebSocket, and their description for clients; the front end's types are generated from it."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, get_args

import msgspec

from pitboss.cards import Card
from pitboss.house.desk.orders import DealerInput, Reply
from pitboss.house.floor.duties import StepPrompt
from pitboss.record.sentences import Sentence
from pitboss.table import Command, View
from pitboss.table.actions import PossibleAction

VERSION: Final = 1
CARD_PATTERN: Final = "^[2-9TJQKA][cdhs]$"
"""A card as two letters."""
Key = Annotated[str, msgspec.Meta(min_length=1, max_length=80, pattern="^[!-~]+$")]


class Watch(msgspec.Struct, tag_field="type", tag="watch", forbid_unknown_fields=True):
    """Show a table and send its changes from now on; `since` is the last entry the client has."""

    table: str
    since: int | None = None


class Unwatch(msgspec.Struct, tag_field="type", tag="unwatch", forbid_unknown_fields=True):
    """Stop sending a table's changes."""

    table: str


class OrderMessage(msgspec.Struct, tag_field="type", tag="order", forbid_unknown_fields=True):
    """Send a command to a table, once for each key."""

    key: Key
    table: str
    command: Command
    entered: DealerInput = DealerInput()


class TrialMessage(msgspec.Struct, tag_field="type", tag="may", forbid_unknown_fields=True):
    """Ask whether orders would be accepted, without carrying them out; wagers count one after another."""

    key: Key
    table: str
    commands: Annotated[list[Command], msgspec.Meta(min_length=1, max_length=8)]


class Ping(msgspec.Struct, tag_field="type", tag="ping", forbid_unknown_fields=True):
    """Ask for a pong."""


ClientMessage = Watch | Unwatch | OrderMessage | TrialMessage | Ping


class EntryLines(msgspec.Struct, frozen=True):
    """One log entry in words."""

    seq: int
    lines: list[str]
    """Deprecated: the sentences as text."""
    sentences: list[Sentence]


class TableMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A table for one viewer: its view, the new entries, and the possible actions."""

    v: int = VERSION
    type: Annotated[str, msgspec.Meta(extra_json_schema={"const": "table"})] = "table"
    """A field, not a tag as in the other messages: the HTTP API replies with a table too."""
    table: str
    seq: int
    view: View
    happened: list[EntryLines] = []
    duties: list[str] = []
    """Deprecated: the duties as text."""
    duty_sentences: list[Sentence] = []
    """For staff: duties that wait for a person."""
    prompt: str = ""
    """Deprecated: the due step as text."""
    due: Sentence | None = None
    """For staff: the due step as a sentence."""
    due_words: str = ""
    """For staff: the due step without its clauses, for a button."""
    procedure: list[StepPrompt] = []
    """For staff: every step, with the due one marked."""
    free: tuple[int, ...] = ()
    """Free seats."""
    can: list[PossibleAction] = []
    """This viewer's actions, each with the reason if it is not possible."""
    closes: int | None = None
    """When the automatic dealer closes the betting at the latest, in seconds since 1970."""


class ReplyMessage(Reply, frozen=True, kw_only=True, omit_defaults=False, tag_field="type", tag="reply"):
    """The reply to an order with this key."""

    v: int = VERSION
    key: str


class TrialReply(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="may"):
    """Whether the table would accept the orders with this key; `of` is the index of the first it would refuse."""

    v: int = VERSION
    key: str
    may: bool
    of: int | None = None
    why: str = ""
    cite: str = ""


class MetersMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="meters"):
    """The meters of a table, in cents."""

    v: int = VERSION
    table: str
    meters: Mapping[str, int]


class ErrorMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="error"):
    """Why a message was not carried out."""

    v: int = VERSION
    why: str


class Pong(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="pong"):
    """The reply to a ping."""

    v: int = VERSION


ServerMessage = TableMessage | ReplyMessage | TrialReply | MetersMessage | ErrorMessage | Pong
_ENCODER: Final = msgspec.json.Encoder(enc_hook=str)


def encode_message(message: ServerMessage) -> str:
    """Return one message as JSON."""
    return _ENCODER.encode(message).decode()


def describe_messages(openapi: Mapping[str, Any]) -> dict[str, Any]:
    """Return an OpenAPI document with `ClientMessage` and `ServerMessage` among its schemas."""
    sent, received = get_args(ClientMessage), get_args(ServerMessage)
    refs, structs = msgspec.json.schema_components(
        (*sent, *received), schema_hook=_card_schema, ref_template="#/components/schemas/{name}"
    )
    schemas = {
        **openapi["components"]["schemas"],
        **structs,
        "ClientMessage": {"anyOf": refs[: len(sent)]},
        "ServerMessage": {"anyOf": refs[len(sent) :]},
    }
    return {**openapi, "components": {**openapi["components"], "schemas": schemas}}


def _card_schema(kind: type) -> dict[str, Any]:
    if kind is Card:
        return {"type": "string", "pattern": CARD_PATTERN}
    raise NotImplementedError(kind)  # as msgspec asks for every other type
