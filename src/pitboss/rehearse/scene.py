"""Writes a finished round of the house as a scene: the state before it, then every command with its inputs."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec.structs import asdict

from pitboss.record.chain import encode_json
from pitboss.record.replay import ReplayedEntry
from pitboss.rehearse.script import Begin
from pitboss.rulebook.procedures import Do
from pitboss.submission import presets, text_of
from pitboss.table import Given, Perform, Role, Table, events

_OMITTED_FIELDS = ("actor", "role", "time", "cards", "salts")


def scene_of(submission: str, moments: Sequence[ReplayedEntry]) -> list[dict[str, Any]]:
    """Return the lines of a scene that replays a round; `submission` is the text of the table's Submission."""
    first = moments[0].before
    named = next((name for name in presets() if text_of(name) == submission), submission)
    opening: dict[str, Any] = {"submission": named}
    if first.rules.scanned:
        opening["scanned"] = True
    if first.rules.timeout:
        opening["decision_timeout"] = first.rules.timeout
    if (begin := _begin(first)) != msgspec.to_builtins(Begin(ready=False)):
        opening["begin"] = begin
    return [{"open": opening}, *_lines(moments)]


def _begin(table: Table) -> dict[str, Any]:
    """Return the state of a table before a round."""
    other = table.rules.dealing if table.rules.dealing is not table.rules.submitted else None
    names = [field.name for field in msgspec.structs.fields(Begin) if field.name not in ("dealing", "seated")]
    seated = {str(seat): patron for seat, patron in table.seated.items()}
    begin: dict[str, Any] = msgspec.to_builtins(
        Begin(**{name: getattr(table, name) for name in names}, dealing=other, seated=seated)
    )
    return begin


def _lines(moments: Sequence[ReplayedEntry]) -> Iterator[dict[str, Any]]:
    time = moments[0].before.now
    for place, moment in enumerate(moments):
        command, given = moment.entry.command, moment.entry.given
        line: dict[str, Any] = {"as": _actor(given), "do": msgspec.json.decode(encode_json(command))}
        if given.time != time:
            time = line["time"] = given.time
        if isinstance(command, Perform) and moment.before.due.do is Do.SHUFFLE and not moment.before.rules.scanned:
            line["cards"] = [str(card) for card in _deck_order(moments[place:])]
        elif given.cards:
            line["cards"] = [str(card) for card in given.cards]
        default = asdict(Given(actor="", role=Role.SYSTEM))
        beside = msgspec.json.decode(encode_json(given))
        line |= {
            name: beside[name]
            for name, value in asdict(given).items()
            if name not in _OMITTED_FIELDS and value != default[name]
        }
        yield line


def _deck_order(moments: Sequence[ReplayedEntry]) -> tuple[object, ...]:
    """Return the order of a deck after its cuts."""
    order: tuple[object, ...] = ()
    shuffled = False
    for moment in moments:
        for one in moment.transitions:
            match one.event:
                case events.Shuffled() if shuffled:
                    return order
                case events.Shuffled() | events.Cut():
                    order, shuffled = one.after.shoe, True
    return order


def _actor(given: Given) -> str:
    """Return the actor as a scene names them."""
    posts = {role.value for role in Role} - {Role.PLAYER.value}
    if given.role is Role.PLAYER:
        return given.actor if given.actor not in posts and ":" not in given.actor else f"player:{given.actor}"
    return given.role.value if given.actor == given.role.value else f"{given.role.value}:{given.actor}"
