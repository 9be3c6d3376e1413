"""`pitboss replay`: any round of a record, card by card with its clauses, verified."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.markup import escape

from pitboss.cli.output import Format, console, print_json
from pitboss.errors import Mistake
from pitboss.record import replay as replayed
from pitboss.record import told
from pitboss.record.telling import ALL, NOBODY


def replay(
    file: Annotated[Path, Parameter(help="A record that `pitboss play` wrote.")],
    /,
    *,
    round: Annotated[int | None, Parameter(help="Only this round, counted from 1.")] = None,  # noqa: A002 (the option's name)
    as_: Annotated[
        int | None, Parameter("--as", help="As the patron of this seat saw it; without it, every card.")
    ] = None,
    format: Format = "table",  # noqa: A002 (the option's name)
) -> None:
    """Rebuild what happened at a table and verify it: the chain, every event, the money."""
    lines: list[str] = []
    entries = rounds = shown = 0
    try:
        with file.open("rb") as text:
            for entry in replayed(text):
                entries, rounds, number = entries + 1, entry.after.round, entry.before.round + 1
                if round not in (None, number):
                    continue
                if number != shown:
                    lines.append(f"Round {number}")
                    shown = number
                lines += told(entry, ALL if as_ is None else entry.before.seated.get(as_, NOBODY))
    except OSError as error:
        raise Mistake(f"“{file}” cannot be read: {error.strerror}.") from None
    if round is not None and not lines:
        raise Mistake(f"The record has {rounds} rounds; there is no round {round}.")
    if format == "json":
        print_json({"verified": True, "entries": entries, "rounds": rounds, "lines": lines})
        return
    out = console()
    for line in lines:
        out.print(escape(line), soft_wrap=True)
    out.print(f"\nVerified: {entries} entries, {rounds} rounds; the chain is whole and every event follows.")
