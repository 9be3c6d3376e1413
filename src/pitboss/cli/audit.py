"""`pitboss audit`: verifies, exports, searches and backs up the records of a house."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
from cyclopts import App, Parameter
from rich.markup import escape

from pitboss.cli.database import (
    Database,
    Limit,
    Settings,
    Since,
    Until,
    database_file,
    house_time_zone,
    open_for_reading,
)
from pitboss.cli.output import Format, console, plain_table, print_json, private_files, spinner
from pitboss.errors import Mistake
from pitboss.money import format_money, parse_money

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    from pitboss.house.evidence import AuditReport
    from pitboss.house.storage.connections import Connection

audit = App(name="audit", help="Verify, export, search and back up the records of a house.")
STEP = 256
"""Entries between two progress updates."""


@audit.command
def verify(
    database: Database,
    /,
    *,
    key: Annotated[Path | None, Parameter(help="Public key; default: signing.pub beside the database.")] = None,
    format: Format = "table",  # noqa: A002 (the option's name)
) -> int:
    """Verify chains, signatures, ledger and meters, and replay every round. Status 1 if there is a problem."""
    with open_for_reading(database) as db:
        found = _verify_with_progress(db, _key(database, key))
    if format == "json":
        print_json(msgspec.to_builtins(found))
    else:
        _print_report(found)
    return 1 if found.problems else 0


@audit.command
@private_files()
def export(
    database: Database,
    /,
    *,
    output: Annotated[Path, Parameter(["--output", "-o"], help="A new folder.")],
    table: Annotated[list[str] | None, Parameter(help="Only this table; may be repeated. Default: all.")] = None,
) -> None:
    """Export a bundle that can be verified without the database: `pitboss replay FOLDER/tables/TABLE.jsonl`."""
    from pitboss.house import evidence  # noqa: PLC0415 (only where it is used)

    with open_for_reading(database) as db, spinner("Writing the bundle"):
        evidence.export_bundle(db, output, table, _key(database, None))
    console().print(f"Wrote {escape(str(output))}. Unfinished rounds are not included.")


@audit.command
def find(  # noqa: PLR0913 (search options)
    database: Database,
    /,
    *,
    table: Annotated[str | None, Parameter(help="Only this table.")] = None,
    patron: Annotated[str | None, Parameter(help="Only rounds of this patron.")] = None,
    since: Since = None,
    until: Until = None,
    least: Annotated[str | None, Parameter(help="Minimum of the highest payout to one box, in dollars.")] = None,
    most: Annotated[str | None, Parameter(help="Maximum of the highest payout to one box, in dollars.")] = None,
    limit: Limit = 50,
    config: Settings = None,
    format: Format = "table",  # noqa: A002 (the option's name)
) -> None:
    """Search finished rounds by table, patron, time or payout."""
    from pitboss.house import evidence, zone  # noqa: PLC0415 (only where it is used)

    where = house_time_zone(config)
    with open_for_reading(database) as db:
        found = evidence.find_rounds(
            db,
            table=table,
            patron=patron,
            since=None if since is None else zone.parse_time(since, where),
            until=None if until is None else zone.parse_time(until, where, end=True),
            least=None if least is None else parse_money(least),
            most=None if most is None else parse_money(most),
            limit=limit,
        )
    if format == "json":
        print_json(msgspec.to_builtins(found))
        return
    page = plain_table("table", "round", "ended", "wagered", "highest payout", "", "patrons")
    for one in found:
        void = "void" if one.is_void else ""
        amounts = format_money(one.wagered), format_money(one.highest)
        page.add_row(
            escape(one.table),
            str(one.number),
            zone.format_time(one.ended, where),
            *amounts,
            void,
            escape(", ".join(one.patrons)),
        )
    console().print(page if found else "No finished round matches.")


@audit.command(name="round")
def round_(  # noqa: PLR0913 (round and output options)
    database: Database,
    table: Annotated[str, Parameter(help="Name of the table.")],
    number: Annotated[int, Parameter(help="Number of the round, from 1.")],
    /,
    *,
    scene: Annotated[bool, Parameter(negative="", help="Print a scene for `pitboss rehearse`.")] = False,
    config: Settings = None,
    format: Format = "table",  # noqa: A002 (the option's name)
) -> None:
    """Show a finished round card by card, every line with its clause."""
    from pitboss.house import evidence, zone  # noqa: PLC0415 (only where it is used)
    from pitboss.record.narration import format_line  # noqa: PLC0415 (the same)

    where = house_time_zone(config)
    with open_for_reading(database) as db:
        record = evidence.round_record(db, table, number)
    if scene:
        from pitboss.rehearse.scene import scene_of  # noqa: PLC0415 (the same)

        for written in scene_of(record.submission, record.moments):
            print(json.dumps(written, ensure_ascii=False))  # noqa: T201 (the output)
        return
    lines = [format_line(said) for said in record.sentences()]
    if format == "json":
        print_json({**msgspec.to_builtins(record.found), "lines": lines})
        return
    out = console()
    out.print(f"{escape(table)}, round {number}, ended {zone.format_time(record.found.ended, where)}")
    for line in lines:
        out.print(escape(line), soft_wrap=True)


@audit.command
def events(
    database: Database,
    /,
    *,
    since: Since = None,
    limit: Limit = 100,
    config: Settings = None,
    format: Format = "table",  # noqa: A002 (the option's name)
) -> None:
    """List significant events, each with before and after: restarts, people, tables, corrections, voids, jackpots."""
    from pitboss.house import evidence, zone  # noqa: PLC0415 (only where it is used)

    where = house_time_zone(config)
    with open_for_reading(database) as db:
        found = evidence.list_significant_events(db, None if since is None else zone.parse_time(since, where), limit)
    if format == "json":
        print_json(msgspec.to_builtins(found))
        return
    page = plain_table("time", "log", "entry", "by", "what", "before", "after")
    for one in found:
        by = f"{one.actor}, {one.second}" if one.second else one.actor
        cells = (one.log, str(one.entry), by, one.what, one.before, one.after)
        page.add_row(zone.format_time(one.time, where), *map(escape, cells))
    console().print(page)


@audit.command
def submissions(
    database: Database,
    /,
    *,
    config: Settings = None,
    format: Format = "table",  # noqa: A002 (the option's name)
) -> None:
    """List every Submission that is or was in force, with its dates. JSON includes the text."""
    from pitboss.house import evidence, zone  # noqa: PLC0415 (only where it is used)

    where = house_time_zone(config)
    with open_for_reading(database) as db:
        found = evidence.submissions(db)
    if format == "json":
        print_json(msgspec.to_builtins(found))
        return
    page = plain_table("table", "game", "version", "since", "until", "by", "sha256")
    for one in found:
        since, until = (None if time is None else zone.format_time(time, where) for time in (one.since, one.until))
        cells = (one.table, one.game, one.version, since or "", until or "", one.by, one.sha256[:16])
        page.add_row(*map(escape, cells))
    console().print(page)


@audit.command
@private_files()
def backup(
    database: Database,
    /,
    *,
    output: Annotated[Path, Parameter(["--output", "-o"], help="A new file.")],
) -> int:
    """Copy the database while it is in use, and verify the copy."""
    from pitboss.house.storage.opening import open_database  # noqa: PLC0415 (only where it is used)

    if output.exists() or output.is_symlink():
        raise Mistake(f"{output} already exists; choose another name or remove it.")
    with open_for_reading(database) as db, spinner("Copying"):
        db.backup(output)
    copy = open_database("", output, read_only=True)
    try:
        found = _verify_with_progress(copy, _key(database, None))
    finally:
        copy.close()
    _print_report(found)
    console().print(f"Wrote {escape(str(output))}.")
    return 1 if found.problems else 0


def _key(database: str, file: Path | None) -> "Ed25519PublicKey | None":
    """Return the public key in a file, or the one beside the database."""
    from pitboss.house import evidence  # noqa: PLC0415 (only where it is used)

    beside = database_file(database).with_name(evidence.PUBLIC)
    if file is None and not beside.is_file():
        return None
    return evidence.public_key(file or beside)


def _verify_with_progress(db: "Connection", key: "Ed25519PublicKey | None") -> "AuditReport":
    from pitboss.house.evidence import AuditReport, verify_house  # noqa: PLC0415 (only where it is used)
    from pitboss.house.storage.connections import DatabaseFailure  # noqa: PLC0415 (the same)

    with spinner("Verifying") as status:

        def show(done: int, total: int) -> None:
            if done % STEP == 0:
                status.update(f"Verifying: {done:,} of {total:,} entries …")

        try:
            return verify_house(db, key, show)
        except DatabaseFailure as error:
            return AuditReport(problems=[f"The database cannot be read: {error}."])


def _print_report(found: "AuditReport") -> None:
    """Print an audit's problems and what it verified."""
    out = console()
    for problem in found.problems:
        out.print(f"[red]✗[/] {escape(problem)}", soft_wrap=True)
    checked = (
        f"{found.logs:,} logs with {found.entries:,} entries, {found.rounds:,} rounds, {found.postings:,} postings of"
        f" {found.accounts:,} accounts, {found.meters:,} meters, {found.checkpoints:,} checkpoints"
    )
    count = len(found.problems)
    fine = f"{'No problems in' if found.followed else 'Verified:'} {checked}; every round replayed."
    wrong = f"[red]{count:,} problem{'s' if count > 1 else ''}[/] in {checked}."
    out.print(wrong if found.problems else fine, soft_wrap=True)
    if found.followed:
        out.print("[yellow]Not decided again, because other rules or another engine produced these entries:[/]")
        for table, runs in found.followed_entries.items():
            entries = ", ".join(f"{first} to {last}" for first, last in runs)
            out.print(f"{escape(table)}, entries {entries}", soft_wrap=True)
    for signer in found.signed_by:
        out.print(f"[dim]Signed with {signer}[/]", soft_wrap=True)
