"""`pitboss audit slips` and `pitboss audit slip`: lists and prints the slips of a house."""

from pathlib import Path
from typing import Annotated, Literal

import msgspec
from cyclopts import Parameter
from rich.markup import escape

from pitboss.cli.database import Database, Limit, Settings, house_time_zone, open_for_reading
from pitboss.cli.output import Format, console, plain_table, print_json, write_pdf
from pitboss.money import format_money


def slips(  # noqa: PLR0913 (search options)
    database: Database,
    /,
    *,
    table: Annotated[str | None, Parameter(help="Only this table.")] = None,
    kind: Annotated[Literal["fill", "credit", "jackpot", "dispute"] | None, Parameter(help="Only this kind.")] = None,
    limit: Limit = 100,
    config: Settings = None,
    format: Format = "table",  # noqa: A002 (the option's name)
) -> None:
    """List the slips for fills, credits, jackpots and disputes, the newest first."""
    from pitboss.house import evidence, zone  # noqa: PLC0415 (only where it is used)

    where = house_time_zone(config)
    with open_for_reading(database) as db:
        found = evidence.find_slips(db, table, kind, limit)
    if format == "json":
        print_json(msgspec.to_builtins(found))
        return
    page = plain_table("slip", "kind", "table", "round", "time", "by", "amount")
    for one in found:
        by = f"{one.by}, {one.second}" if one.second else one.by
        amount = "" if one.amount is None else format_money(one.amount)
        cells = (one.slip, one.kind, one.table, str(one.round), zone.format_time(one.time, where), by, amount)
        page.add_row(*map(escape, cells))
    console().print(page if found else "No slip matches.")


def slip(
    database: Database,
    number: Annotated[str, Parameter(help="Its number, such as F-000012.")],
    /,
    *,
    output: Annotated[Path, Parameter(["--output", "-o"], help="The PDF to write.")],
    config: Settings = None,
) -> None:
    """Write one slip as a PDF, with a signature line for each signer."""
    from pitboss.house import evidence  # noqa: PLC0415 (only where it is used)
    from pitboss.report.papers import render_pdf  # noqa: PLC0415 (the same)

    with open_for_reading(database) as db:
        paper = evidence.slip_paper(db, number, house_time_zone(config))
    write_pdf(output, lambda: render_pdf("slip", paper))
