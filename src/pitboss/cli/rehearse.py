"""`pitboss rehearse`: what would the table do? A scene in, an answer to every line out."""

import difflib
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from cyclopts import Parameter
from rich.markup import escape

from pitboss.cli.output import Format, console
from pitboss.errors import Mistake

if TYPE_CHECKING:
    from pitboss.rehearse.stage import PlayedLine


def rehearse(
    script: Annotated[
        str, Parameter(allow_leading_hyphen=True, help="A scene in JSON Lines, or - for standard input.")
    ],
    /,
    *,
    expect: Annotated[
        Path | None, Parameter(help="An earlier output in JSON; status 1 where this one differs.")
    ] = None,
    format: Format = "table",  # noqa: A002 (the option's name)
) -> int:
    """Play a scene at a table without a server, and show what happens, what is refused, and under which clause."""
    from pitboss.rehearse.script import read_scene  # noqa: PLC0415 (only where it is used)
    from pitboss.rehearse.stage import play_scene_lines  # noqa: PLC0415 (the same)

    told = play_scene_lines(read_scene(_text(script), Path(script).parent))
    answers = [msgspec.to_builtins(one.answer) for one in told]
    if expect is not None:
        return _print_difference(answers, _read_expected(expect))
    if format == "json":
        for answer in answers:
            print(json.dumps(answer, ensure_ascii=False))  # noqa: T201 (the output)
        return 0
    out = console()
    for one in told:
        for line in _narrate(one):
            out.print(line, soft_wrap=True)
    return 0


def _text(name: str) -> str:
    try:
        return (sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Mistake(f"“{name}” cannot be read: it is not UTF-8 text.") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not a valid file name"
        raise Mistake(f"“{name}” cannot be read: {reason}.") from None


def _narrate(told: "PlayedLine") -> Iterator[str]:
    """Yield one line of a scene in words, as a card-by-card account with its clauses."""
    from pitboss.record import narrate  # noqa: PLC0415 (only where it is used)

    line, answer = told.line, told.answer
    yield from ([f"[bold]{escape(line.note)}[/]"] if line.note else [])
    first = f"{line.number:>4}  "
    if answer.not_approved is not msgspec.UNSET:
        yield f"[dim]{first}[/][yellow]{escape(answer.not_approved['says'])}[/]"
        first = " " * len(first)
    for moment in told.moments:
        for text in narrate(moment):
            yield f"[dim]{first}[/]{escape(text)}"
            first = " " * len(first)
    if answer.refused:
        why, cite = answer.refused["why"], answer.refused["cite"]
        yield f"[dim]{first}[/][yellow]{escape(f'refused: {why} ({cite})')}[/]"
        first = " " * len(first)
    if answer.view is not msgspec.UNSET:
        yield f"[dim]{first}[/][cyan]{escape(_describe_view(line.see, answer.view))}[/]"
    yield f"[dim]      due: {escape(answer.due['do'])} (§ {escape(answer.due['cite'])})[/]"


def _describe_view(name: str, view: dict[str, Any]) -> str:
    """Say which cards somebody sees."""
    held = [(f"box {box['seat']}", box["cards"]) for box in view["boxes"]] + list(view["places"].items())
    cards = "; ".join(f"{place} {' '.join(card or '▒▒' for card in cards)}" for place, cards in held if cards)
    return f"{name} sees {cards or 'no cards'}"


def _read_expected(file: Path) -> list[Any]:
    from pitboss.rehearse.script import json_of  # noqa: PLC0415 (only where it is used)

    lines = [(number, line) for number, line in enumerate(_text(str(file)).split("\n"), 1) if line.strip()]
    found = []
    for number, line in lines:
        try:
            found.append(json_of(line))
        except Mistake as mistake:
            what = f"“{file}” is not an output of `pitboss rehearse --format json`"
            raise Mistake(f"{what}: line {number}: {mistake}") from None
    return found


def _print_difference(answers: Sequence[Any], expected: Sequence[Any]) -> int:
    """Print how an output differs from an earlier one; status 1 where it does."""
    now, then = (
        [text for answer in some for text in json.dumps(answer, indent=1, ensure_ascii=False).split("\n")]
        for some in (answers, expected)
    )
    out = console()
    difference = list(difflib.unified_diff(then, now, "expected", "rehearsed", lineterm=""))
    for line in difference:
        out.print(escape(line), soft_wrap=True)
    if not difference:
        out.print(f"As expected: {len(answers)} lines.")
    return 1 if difference else 0
