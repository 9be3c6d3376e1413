"""A scene as it is written: the opening, then one line for each command, each checked before anything is played."""

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
from pitboss.submission import Dealing, Shuffler, Submission, insist, load, parse
from pitboss.submission.model import Cents
from pitboss.submission.overrides import apply_overrides
from pitboss.table.commands import ROLES_BY_COMMAND, Command, Given, Role

ROUND: Final = "round"
"""`until` this: the end of the round."""
PUBLIC: Final = "public"
_STEPS: Final = (*(do.value for do in Do), ROUND)
_POSTS: Final[Mapping[str, Role]] = {role.value: role for role in Role}
_HOUSE: Final = sorted(post for post, role in _POSTS.items() if role is not Role.PLAYER)
_WORDS: Final = frozenset({"as", "do", "until", "see", "note"})
_COMMANDS: Final[Mapping[str, type[Command]]] = {kind.__name__: kind for kind in ROLES_BY_COMMAND}
_GIVEN_FIELDS: Final = {
    field.name: field for field in msgspec.structs.fields(Given) if field.name not in ("actor", "role")
}
"""What may stand beside a command."""


_Count = Annotated[int, msgspec.Meta(ge=0)]
_Device = Literal["shuffler", "shoe"]


class Begin(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a table stands that has been played at before: between two rounds."""

    round: _Count = 0
    now: _Count = 0
    since: _Count = 0
    deck: _Count = 0
    uncounted: _Count = 0
    ready: bool = True
    preshuffled: bool = False
    unattended: bool = False
    """The last player has left, and the cards were not spread since."""
    seated: Mapping[str, str] = {}
    """Patrons by seat."""
    broken: tuple[_Device, ...] = ()
    covered: tuple[_Device, ...] = ()
    void: str = ""
    """The clause under which the round before was void."""
    acknowledged: bool = False
    """A floorperson has acknowledged that."""
    dealing: Dealing | None = None
    """Where it is not that of the Submission."""


class Opening(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line: the Submission, and what differs from it here."""

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
    """One line of a scene: a command, or a step to reach, or only somebody who looks."""

    number: int
    given: Given
    """Who acts, and what is at hand."""
    said: frozenset[str] = frozenset()
    """What of it the line says itself; time and meters carry over otherwise."""
    command: Command | None = None
    until: str = ""
    see: str = ""
    note: str = ""


class Script(msgspec.Struct, frozen=True, kw_only=True):
    """A scene that was read."""

    submission: Submission
    scanned: bool
    begin: Begin | None
    opening: SceneLine
    lines: tuple[SceneLine, ...]


def read_scene(text: str, folder: Path | None = None) -> Script:
    """Read a scene; a line that is wrong is refused with its number.

    A Submission's file is looked for from here, then in the scene's own folder.
    """
    first, *rest = [(number, _object(number, line)) for number, line in _numbered(text)] or [(1, {})]
    number, data = first
    if "open" not in data:
        raise Mistake(f'Line {number}: a scene begins with {{"open": {{"submission": …}}}}.')
    if unknown := data.keys() - {"open", "see", "note"}:
        _fail_line(number, f"“{min(unknown)}” cannot stand beside “open”.")
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
    """Refuse a beginning that no table of the Submission has."""
    seats = [str(seat) for seat in range(1, submission.table.seats + 1)]
    for seat in begin.seated:
        if seat not in seats:
            _fail_line(number, f"There is no seat “{seat}”; the table has 1 to {len(seats)}.")
    names = [*begin.seated.values()]
    if not all(name.strip() for name in names) or len({*names}) < len(names):
        _fail_line(number, "Every patron who is seated has a name and one seat.")
    if begin.since > begin.now:
        _fail_line(number, f"The deck came to the table at {begin.since}; it is only {begin.now}.")
    table = submission.table
    devices = {"shuffler": table.shuffler is not Shuffler.NONE, "shoe": table.dealing is Dealing.AUTOMATED_SHOE}
    for device in (*begin.broken, *begin.covered):
        if not devices[device]:
            _fail_line(number, f"The table has no {device} that can fail.")
    if begin.void and begin.void not in {str(clause) for clause in rulebook().clauses}:
        _fail_line(number, f"There is no clause {begin.void} that a round is void under.")
    if begin.deck >= submission.table.decks:
        _fail_line(
            number, f"The table has {submission.table.decks} decks, counted from 0; deck {begin.deck} is none of them."
        )


def viewer(number: int, name: str) -> tuple[str, Role | None]:
    """Return who looks, and as what: a player by name, the public, or somebody of the house."""
    if name == PUBLIC:
        return "", None
    given = _actor(number, "see", name)
    return given.actor, given.role


def _numbered(text: str) -> list[tuple[int, str]]:
    return [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]


def _fail_line(number: int, sentence: str) -> NoReturn:
    raise Mistake(f"Line {number}: {sentence}")


def json_of(line: str) -> Any:  # noqa: ANN401 (whatever it holds)
    """Read one line of JSON; what is wrong with it is said without its place."""

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
        _fail_line(number, "a line is a JSON object, in braces.")
    return data


def _submission(number: int, opening: Opening, folder: Path | None) -> Submission:
    """Return the Submission of a scene, with what the opening says otherwise."""
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
        insist(changed, f"{name}, as opened,")
    except Mistake as mistake:
        _fail_line(number, str(mistake))
    return changed


def _load_submission(name: str, folder: Path | None) -> tuple[str, Submission]:
    if "\n" in name:
        submission, problems = parse(name, "the Submission")
        if submission is None:
            raise Mistake(f"The Submission cannot be read: {problems[0].where}: {problems[0].problem}")
        return "the Submission", submission
    try:
        beside = folder is not None and not Path(name).is_file() and (folder / name).is_file()
    except OSError as error:
        raise Mistake(f"“{name[:60]}…” cannot be read: {error.strerror}.") from None
    return name, load(str(folder / name) if folder and beside else name)


def _line(number: int, data: Mapping[str, Any]) -> SceneLine:
    for key in data:
        if key not in _WORDS and key not in _GIVEN_FIELDS:
            _fail_line(number, f"There is no key “{key}”; {hint(key, sorted({*_WORDS, *_GIVEN_FIELDS}))}")
    texts = {key: data.get(key, "") for key in ("until", "see", "note")}
    for key, value in texts.items():
        if not isinstance(value, str):
            _fail_line(number, f"“{key}” is a text, not {json.dumps(value)}.")
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
        _fail_line(number, "a line has either “do” or “until”; whoever is due acts until then.")
    if step not in _STEPS:
        _fail_line(number, f"There is no step “{step}”; {hint(step, _STEPS)}")
    return step


def _command(number: int, data: Mapping[str, Any]) -> Command | None:
    if "do" not in data:
        if "as" in data:
            _fail_line(number, "“as” says who acts; “do” is missing.")
        return None
    if "as" not in data:
        _fail_line(number, "“as” is missing: say who does it.")
    said = data["do"]
    if not isinstance(said, dict) or not isinstance(said.get("type"), str):
        _fail_line(number, 'a command is an object with its “type”: {"type": "Sit", "seat": 3}.')
    kind = _COMMANDS.get(said["type"])
    if kind is None:
        _fail_line(number, f"There is no command “{said['type']}”; {hint(said['type'], _COMMANDS)}")
    fields = [field.name for field in msgspec.structs.fields(kind)]
    for key in said:
        if key not in ("type", *fields):
            _fail_line(number, f"{kind.__name__} has no “{key}”; {hint(key, fields)}")
    return cast("Command", _convert(number, kind.__name__, said, kind))


def _actor(number: int, key: str, value: object) -> Given:
    """Return who somebody is: a post, a post with a person's name, or a player."""
    if not isinstance(value, str) or not value.strip():
        _fail_line(number, f"“{key}” is the name of a player or one of {', '.join(_HOUSE)}, not {json.dumps(value)}.")
    post, colon, name = value.partition(":")
    if post in _POSTS and colon:
        if not name.strip():
            _fail_line(number, f"“{value}” has no name after the colon.")
        return Given(actor=name.strip(), role=_POSTS[post])
    return Given(actor=value, role=_POSTS[value] if value in _HOUSE else Role.PLAYER)


def _given(number: int, who: Given, beside: Mapping[str, Any]) -> Given:
    """Return what is at hand, as the line says it."""
    said = dict(beside)
    if "cards" in said:
        said["cards"] = _cards(number, said["cards"])
    given: Given = _convert(number, "given", {"actor": who.actor, "role": who.role, **said}, Given)
    return given


def _cards(number: int, value: object) -> list[str]:
    """Read cards written as a list or as one text; none may come twice."""
    texts = value.split() if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(card, str) for card in texts):
        _fail_line(number, "“cards” is a list such as [“Ah”, “Td”], or one text.")
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
