"""Reads a scene: the opening, then one line per command, all checked before play."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NoReturn, cast

import msgspec

from pitboss.cards import Card, distinct, hand
from pitboss.decoding import convert_value
from pitboss.errors import Mistake, hint
from pitboss.rulebook import rulebook
from pitboss.rulebook.procedures import Do
from pitboss.submission import Dealing, Shuffler, Submission, load, read_draft, require_valid
from pitboss.submission.model import Cents
from pitboss.submission.overrides import apply_overrides
from pitboss.table.commands import ROLES_BY_COMMAND, Command, Given, Role

ROUND: Final = "round"
"""Value of `until` for the end of the round."""
PUBLIC: Final = "public"
_STEPS: Final = (*(do.value for do in Do), ROUND)
_POSTS: Final[Mapping[str, Role]] = {role.value: role for role in Role}
_HOUSE: Final = sorted(post for post, role in _POSTS.items() if role is not Role.PLAYER)
_WORDS: Final = frozenset({"as", "do", "until", "see", "note"})
_COMMANDS: Final[Mapping[str, type[Command]]] = {kind.__name__: kind for kind in ROLES_BY_COMMAND}
_GIVEN_FIELDS: Final = {
    field.name: field for field in msgspec.structs.fields(Given) if field.name not in ("actor", "role")
}
"""Inputs that a line may give beside its command."""


_Count = Annotated[int, msgspec.Meta(ge=0)]
_Device = Literal["shuffler", "shoe"]


class Begin(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """State of a table between two rounds, for a scene that starts there."""

    round: _Count = 0
    now: _Count = 0
    since: _Count = 0
    deck: _Count = 0
    uncounted: _Count = 0
    ready: bool = True
    preshuffled: bool = False
    unattended: bool = False
    """The last player left and the cards are not spread yet."""
    seated: Mapping[str, str] = {}
    """Patrons by seat."""
    broken: tuple[_Device, ...] = ()
    covered: tuple[_Device, ...] = ()
    void: str = ""
    """The clause under which the previous round was void."""
    acknowledged: bool = False
    """A floorperson acknowledged the void."""
    dealing: Dealing | None = None
    """The way of dealing, if it differs from the Submission's."""


class Opening(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line: the Submission and its overrides."""

    submission: str
    """A preset, a file, or the TOML text itself."""
    dealing: Dealing | None = None
    shuffler: Shuffler | None = None
    seats: int | None = None
    boxes: int | None = None
    decks: int | None = None
    decision_timeout: int | None = None
    payout_limit: int | None = None
    """In cents."""
    abandoned_wagers: str | None = None
    readings: Mapping[str, str] = {}
    paytables: Mapping[str, str] = {}
    scanned: bool = False
    begin: Begin | None = None


class SceneLine(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a scene: a command, a step to reach, or a view."""

    number: int
    given: Given
    """Actor and inputs."""
    said: frozenset[str] = frozenset()
    """Inputs that the line gives itself; otherwise time and meters carry over."""
    command: Command | None = None
    until: str = ""
    see: str = ""
    note: str = ""


class Script(msgspec.Struct, frozen=True, kw_only=True):
    """A parsed scene."""

    submission: Submission
    scanned: bool
    begin: Begin | None
    opening: SceneLine
    lines: tuple[SceneLine, ...]


def read_scene(text: str, folder: Path | None = None) -> Script:
    """Parse a scene; raise a `Mistake` with the number of an invalid line.

    A Submission file is looked up in the current folder, then in `folder`.
    """
    first, *rest = [(number, _object(number, line)) for number, line in _numbered(text)] or [(1, {})]
    number, data = first
    if "open" not in data:
        raise Mistake(f'Line {number}: a scene begins with {{"open": {{"submission": …}}}}.')
    if unknown := data.keys() - {"open", "see", "note"}:
        _fail_line(number, f"The key “{min(unknown)}” is not allowed beside “open”.")
    opening = _convert(number, "open", data["open"], Opening)
    submission = _submission(number, opening, folder)
    if opening.begin:
        _check(number, opening.begin, submission)
    return Script(
        submission=submission,
        scanned=opening.scanned,
        begin=opening.begin,
        opening=_line(number, {key: value for key, value in data.items() if key != "open"}),
        lines=tuple(_line(number, data) for number, data in rest),
    )


def _check(number: int, begin: Begin, submission: Submission) -> None:
    """Reject a starting state that the Submission's table cannot have."""
    seats = [str(seat) for seat in range(1, submission.table.seats + 1)]
    for seat in begin.seated:
        if seat not in seats:
            _fail_line(number, f"Unknown seat “{seat}”; the table has seats 1 to {len(seats)}.")
    names = [*begin.seated.values()]
    if not all(name.strip() for name in names) or len({*names}) < len(names):
        _fail_line(number, "Every seated patron needs a name and exactly one seat.")
    if begin.since > begin.now:
        _fail_line(number, f"The deck was received at {begin.since}, after the time now, {begin.now}.")
    table = submission.table
    devices = {"shuffler": table.shuffler is not Shuffler.NONE, "shoe": table.dealing is Dealing.AUTOMATED_SHOE}
    for device in (*begin.broken, *begin.covered):
        if not devices[device]:
            _fail_line(number, f"The table has no {device} that can fail.")
    if begin.void and begin.void not in {str(clause) for clause in rulebook().clauses}:
        _fail_line(number, f"Unknown clause {begin.void} for a void round.")
    if begin.deck >= submission.table.decks:
        _fail_line(
            number, f"The table has {submission.table.decks} decks, numbered from 0; deck {begin.deck} does not exist."
        )


def viewer(number: int, name: str) -> tuple[str, Role | None]:
    """Return the viewer's name and role; the public has neither."""
    if name == PUBLIC:
        return "", None
    given = _actor(number, "see", name)
    return given.actor, given.role


def _numbered(text: str) -> list[tuple[int, str]]:
    return [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]


def _fail_line(number: int, sentence: str) -> NoReturn:
    raise Mistake(f"Line {number}: {sentence}")


def json_of(line: str) -> Any:  # noqa: ANN401 (whatever it holds)
    """Parse one line of JSON; errors do not name the line."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            raise Mistake("a key is given twice.")
        return found

    try:
        return json.loads(line, object_pairs_hook=once)
    except json.JSONDecodeError as error:
        raise Mistake(f"this is not JSON: {error.msg}.") from None
    except RecursionError:
        raise Mistake("this is not JSON: it is nested too deeply.") from None
    except ValueError as error:
        raise (error if isinstance(error, Mistake) else Mistake("a number is too long.")) from None


def _object(number: int, line: str) -> dict[str, Any]:
    try:
        data = json_of(line)
    except Mistake as mistake:
        _fail_line(number, str(mistake))
    if not isinstance(data, dict):
        _fail_line(number, "a line must be a JSON object, in braces.")
    return data


def _submission(number: int, opening: Opening, folder: Path | None) -> Submission:
    """Return the Submission of a scene with the overrides of the opening."""
    try:
        name, submission = _load_submission(opening.submission, folder)
        table = {
            key: value
            for key in ("dealing", "shuffler", "seats", "boxes", "decks", "decision_timeout", "abandoned_wagers")
            if (value := getattr(opening, key)) is not None
        }
        if opening.payout_limit is not None:
            table["payout_limit"] = Cents(opening.payout_limit)
        changed = apply_overrides(
            msgspec.structs.replace(submission, table=msgspec.structs.replace(submission.table, **table)),
            opening.paytables,
            opening.readings,
        )
        require_valid(changed, f"{name}, as opened,")
    except Mistake as mistake:
        _fail_line(number, str(mistake))
    return changed


def _load_submission(name: str, folder: Path | None) -> tuple[str, Submission]:
    if "\n" in name:
        return "of the scene", read_draft(name)
    try:
        beside = folder is not None and not Path(name).is_file() and (folder / name).is_file()
    except OSError as error:
        raise Mistake(f"“{name[:60]}…” cannot be read: {error.strerror}.") from None
    return name, load(str(folder / name) if folder and beside else name)


def _line(number: int, data: Mapping[str, Any]) -> SceneLine:
    for key in data:
        if key not in _WORDS and key not in _GIVEN_FIELDS:
            _fail_line(number, f"Unknown key “{key}”; {hint(key, sorted({*_WORDS, *_GIVEN_FIELDS}))}")
    texts = {key: data.get(key, "") for key in ("until", "see", "note")}
    for key, value in texts.items():
        if not isinstance(value, str):
            _fail_line(number, f"“{key}” must be a string, not {json.dumps(value)}.")
    if texts["see"]:
        viewer(number, texts["see"])
    who = _actor(number, "as", data["as"]) if "as" in data else Given(actor=Role.DEALER, role=Role.DEALER)
    beside = {key: value for key, value in data.items() if key in _GIVEN_FIELDS}
    return SceneLine(
        number=number,
        given=_given(number, who, beside),
        said=frozenset(beside),
        until=_step(number, data, texts["until"]),
        command=_command(number, data),
        see=texts["see"],
        note=texts["note"],
    )


def _step(number: int, data: Mapping[str, Any], step: str) -> str:
    if "until" not in data:
        return ""
    if "do" in data or "as" in data:
        _fail_line(number, "give either “do” with “as”, or “until” alone.")
    if step not in _STEPS:
        _fail_line(number, f"Unknown step “{step}”; {hint(step, _STEPS)}")
    return step


def _command(number: int, data: Mapping[str, Any]) -> Command | None:
    if "do" not in data:
        if "as" in data:
            _fail_line(number, "“do” is missing beside “as”.")
        return None
    if "as" not in data:
        _fail_line(number, "“as” is missing: name the actor.")
    said = data["do"]
    if not isinstance(said, dict) or not isinstance(said.get("type"), str):
        _fail_line(number, 'a command must be an object with a “type”: {"type": "Sit", "seat": 3}.')
    kind = _COMMANDS.get(said["type"])
    if kind is None:
        _fail_line(number, f"Unknown command “{said['type']}”; {hint(said['type'], _COMMANDS)}")
    fields = [field.name for field in msgspec.structs.fields(kind)]
    for key in said:
        if key not in ("type", *fields):
            _fail_line(number, f"{kind.__name__} has no “{key}”; {hint(key, fields)}")
    return cast("Command", _convert(number, kind.__name__, said, kind))


def _actor(number: int, key: str, value: object) -> Given:
    """Parse an actor: a post, a post with a person's name, or a player."""
    if not isinstance(value, str) or not value.strip():
        _fail_line(number, f"“{key}” must name a player or one of {', '.join(_HOUSE)}, not {json.dumps(value)}.")
    post, colon, name = value.partition(":")
    if post in _POSTS and colon:
        if not name.strip():
            _fail_line(number, f"“{value}” has no name after the colon.")
        return Given(actor=name.strip(), role=_POSTS[post])
    return Given(actor=value, role=_POSTS[value] if value in _HOUSE else Role.PLAYER)


def _given(number: int, who: Given, beside: Mapping[str, Any]) -> Given:
    """Return the inputs of a line."""
    said = dict(beside)
    if "cards" in said:
        said["cards"] = _cards(number, said["cards"])
    given: Given = _convert(number, "given", {"actor": who.actor, "role": who.role, **said}, Given)
    return given


def _cards(number: int, value: object) -> list[str]:
    """Parse cards from a list or one string; reject duplicates."""
    texts = value.split() if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(card, str) for card in texts):
        _fail_line(number, "“cards” must be a list such as [“Ah”, “Td”], or one string.")
    try:
        return [str(card) for card in distinct(hand(" ".join(texts)))] if texts else []
    except Mistake as mistake:
        _fail_line(number, str(mistake))


def _convert(number: int, where: str, value: object, to: type[Any]) -> Any:  # noqa: ANN401 (a value of the given type)
    def special(kind: type[Any], found: object) -> object:
        if kind is Card and isinstance(found, str):
            return Card(found)
        raise ValueError(f"{found!r} is not a {kind.__name__.lower()}")

    try:
        return convert_value(value, to, special)
    except (msgspec.ValidationError, ValueError) as error:
        cause = error.__cause__ if isinstance(error.__cause__, Mistake) else error
        _fail_line(number, f"{where}: {str(cause).rstrip('.')}.")
