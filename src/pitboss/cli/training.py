"""`pitboss audit training`: the training records of the staff."""

import json
import time
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter
from rich.markup import escape

from pitboss.cli.database import Database, Settings, house_time_zone, open_for_reading
from pitboss.cli.output import Format, console, plain_table, print_json, write_file
from pitboss.errors import Mistake


def training(
    database: Database,
    /,
    *,
    person: Annotated[str | None, Parameter(help="Only this person.")] = None,
    output: Annotated[
        Path | None, Parameter(["--output", "-o"], help="A .pdf of one person to sign, or a .csv or .json file.")
    ] = None,
    config: Settings = None,
    format: Format = "table",  # noqa: A002 (the option's name)
) -> None:
    """Show the training records of one person or of all: drills, scores, dates and examiners."""
    from pitboss.house import evidence, zone  # noqa: PLC0415 (only where it is used)

    where, kind = house_time_zone(config), output.suffix.lower() if output else ""
    if output and kind not in {".pdf", ".csv", ".json"}:
        raise Mistake(f"A training record is a .pdf, .csv or .json file, not {output}.")
    if kind == ".pdf" and person is None:
        raise Mistake("A PDF training record needs --person.")
    with open_for_reading(database) as db:
        found = evidence.list_training_records(db, person)
        paper = evidence.training_paper(db, person, int(time.time()), where) if person is not None else None
    if output:
        from pitboss.report.papers import render_pdf  # noqa: PLC0415 (only where it is used)

        writers = {
            ".pdf": lambda: render_pdf("training", paper) if paper else b"",
            ".csv": lambda: evidence.training_csv(found, where),
            ".json": lambda: json.dumps(msgspec.to_builtins(found), indent=2).encode() + b"\n",
        }
        write_file(output, writers[kind]())
        console().print(f"Wrote {escape(str(output))}.")
        return
    if format == "json":
        print_json(msgspec.to_builtins(found))
        return
    page = plain_table("date", "person", "game", "drill", "right", "seconds", "examined by")
    for one in found:
        right, seconds = f"{one.right} of {one.asked}", f"{one.seconds} of {one.allowed}"
        examined = one.examined_by or "practice"
        cells = (zone.format_time(one.time, where), one.person, one.game, one.drill, right, seconds, examined)
        page.add_row(*map(escape, cells))
    console().print(page if found else "There are no training records.")
