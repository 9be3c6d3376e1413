"""`pitboss readings`: ambiguities of the law, their options and our defaults."""

from typing import Annotated, Any

from cyclopts import Parameter
from rich.markup import escape
from rich.padding import Padding

from pitboss.cli.output import Format, Game, console, find_games, print_json
from pitboss.errors import Mistake
from pitboss.rulebook import Reading, rulebook


def readings(
    reading: Annotated[str | None, Parameter(help="Id of one reading; default: all.")] = None,
    /,
    *,
    chapter: Game = None,
    format: Format = "table",  # noqa: A002 (the option's name)
) -> None:
    """Show the readings: question, options, default and evidence."""
    book = rulebook()
    candidates = [book.reading(reading)] if reading else book.readings.values()
    chapters = {rules.chapter.id for rules in find_games(chapter)}
    chosen = [found for found in candidates if any(cite.chapter in chapters for cite in found.clauses)]
    if not chosen:
        raise Mistake(f"The reading {reading} does not concern {chapter}.")
    if format == "json":
        print_json([_as_json(found) for found in chosen])
        return
    out = console()
    for found in chosen:
        out.print(f"[bold]{found.id}[/]  [dim]{'  '.join('§ ' + cite for cite in found.clauses)}[/]")
        out.print(escape(found.question))
        for option, meaning in found.options.items():
            mark = "[green]●[/]" if option == found.default else "○"
            out.print(Padding(f"{mark} [bold]{option}[/]: {escape(meaning)}", (0, 0, 0, 2)))
            if option in found.worth:
                out.print(Padding(f"value: {escape(found.worth[option])}", (0, 0, 0, 4)))
        out.print(Padding(f"[dim]{escape(found.evidence)}[/]\n", (0, 0, 0, 2)))
    out.print("● is the default; a Submission may choose another option.")


def _as_json(reading: Reading) -> dict[str, Any]:
    return {
        "id": reading.id,
        "clauses": reading.clauses,
        "question": reading.question,
        "options": list(reading.options),
        "default": reading.default,
        "evidence": reading.evidence,
        "meanings": reading.options,
        "worth": reading.worth,
    }
