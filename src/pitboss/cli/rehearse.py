"""`pitboss rehearse`: plays a scene at a table and prints an answer to every line."""

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
    script: Annotated[str, Parameter(allow_leading_hyphen=True, help="A scene in JSON Lines; - reads standard input.")],
    /,
    *,
    expect: Annotated[Path | None, Parameter(help="Earlier JSON output to compare; status 1 if different.")] = None,
    format: Format = "table",  # noqa: A002 (the option's name)
) -> int:
    """Play a scene at a table without a server. Show events, and refusals with their clauses."""
    from pitboss.rehearse.script import read_scene  # noqa: PLC0415 (only where it is used)
    from pitboss.rehearse.stage import play_scene_lines  # noqa: PLC0415 (the same)

    played = play_scene_lines(read_scene(_text(script), Path(script).parent))
    answers = [msgspec.to_builtins(one.answer) for one in played]
    if expect is not None:
        return _print_difference(answers, _read_expected(expect))
    if format == "json":
        for answer in answers:
            print(json.dumps(answer, ensure_ascii=False))  # noqa: T201 (the output)
        return 0
    out = console()
    for one in played:
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


def _narrate(played: "PlayedLine") -> Iterator[str]:
    """Yield one line of a scene in words, card by card with clauses."""
    from pitboss.record import narrate  # noqa: PLC0415 (only where it is used)

    line, answer = played.line, played.answer
    yield from ([f"[bold]{escape(line.note)}[/]"] if line.note else [])
    first = f"{line.number:>4}  "
    if answer.not_approved is not msgspec.UNSET:
        yield f"[dim]{first}[/][yellow]{escape(answer.not_approved['says'])}[/]"
        first = " " * len(first)
    for moment in played.moments:
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
    """Return the cards a person sees, in words."""
    hands = [(f"box {box['seat']}", box["cards"]) for box in view["boxes"]] + list(view["places"].items())
    cards = "; ".join(f"{place} {' '.join(card or '▒▒' for card in cards)}" for place, cards in hands if cards)
    return f"{name} sees {cards or 'no cards'}"


def _read_expected(file: Path) -> list[Any]:
    from pitboss.rehearse.script import json_of  # noqa: PLC0415 (only where it is used)

    lines = [(number, line) for number, line in enumerate(_text(str(file)).split("\n"), 1) if line.strip()]
    answers = []
    for number, line in lines:
        try:
            answers.append(json_of(line))
        except Mistake as mistake:
            problem = f"“{file}” is not an output of `pitboss rehearse --format json`"
            raise Mistake(f"{problem}: line {number}: {mistake}") from None
    return answers


def _print_difference(answers: Sequence[Any], expected: Sequence[Any]) -> int:
    """Print the difference from an earlier output; return status 1 if there is one."""
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
