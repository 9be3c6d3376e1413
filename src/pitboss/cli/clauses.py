"""`pitboss clauses`: the matrix of all clauses with bearer, status and tests."""

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import Annotated, Any, Final

import msgspec
from cyclopts import Parameter
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from pitboss.cli.output import Format, Game, console, print_error, print_json
from pitboss.errors import Mistake
from pitboss.rulebook import Bearer, Clause, GameRules, Kind, Section, Status
from pitboss.rulebook.clause_matrix import Filter, chapters, filter_clauses, readings_of
from pitboss.rulebook.outside_law import outside_sections
from pitboss.rulebook.proofs import proof_of, tests_of

NARROW: Final = 72
"""Below this many columns, bearer and status are printed under the duty instead of beside it."""

STATUSES_WITH_PROOF: Final = frozenset({Status.ENFORCED, Status.PROMPTED, Status.PRINTED})
"""Statuses that need a test seen failing on deliberately broken code."""

STATUS_STYLES: Final = {
    Status.ENFORCED: "green",
    Status.PROMPTED: "green",
    Status.RECORDED: "green",
    Status.PRINTED: "green",
    Status.PHYSICAL: "dim",
}


def clauses(  # noqa: PLR0913 (filters)
    under: Annotated[str | None, Parameter(help="Only this clause or section, and its parts.")] = None,
    /,
    *,
    chapter: Game = None,
    bearer: Annotated[Bearer | None, Parameter(help="Only duties of this bearer.")] = None,
    kind: Annotated[Kind | None, Parameter(help="Only clauses of this kind.")] = None,
    status: Annotated[Status | None, Parameter(help="Only clauses with this status.")] = None,
    strict: Annotated[bool, Parameter(negative="", help="Status 1 if a proof was never seen failing.")] = False,
    outside: Annotated[
        bool, Parameter(negative="", help="Show the sections of other chapters that these refer to.")
    ] = False,
    format: Format = "table",  # noqa: A002 (the option's name)
) -> int:
    """Show every clause: its duty, who must meet it, how Pitboss meets it, and which tests prove it."""
    if outside:
        if under or bearer or kind or status or strict:
            raise Mistake("--outside works with --chapter and --format only.")
        _print_outside(chapter, format)
        return 0
    wanted = filter_clauses(Filter(chapter=chapter, under=under, bearer=bearer, kind=kind, status=status))
    chosen = [
        (rules, section, [line.clause for line in lines])
        for (rules, section), lines in groupby(wanted, key=lambda line: (line.rules, line.section))
    ]
    listed = [clause for *_, found in chosen for clause in found]
    if format == "json":
        print_json([_row(rules, section, clause) for rules, section, found in chosen for clause in found])
    else:
        out = console()
        for rules, section, found in chosen:
            _print_section(out, rules, section, found)
        out.print(_summary(listed))
    unproven = [
        clause.id for clause in listed if clause.status in STATUSES_WITH_PROOF and not proof_of(clause.id).seen_failing
    ]
    if strict and unproven:
        print_error(f"no proof seen failing: {', '.join(unproven)}.")
        return 1
    return 0


def _print_outside(chapter: str | None, format: str) -> None:  # noqa: A002 (the option's name)
    """Print the sections outside the chapters: citations, assumptions, and what is unmet."""
    ids = tuple(f"{rules.chapter.id}." for rules in chapters(chapter))
    found = [
        (section, {clause: cite for clause, cite in section.cited_by.items() if clause.startswith(ids)})
        for section in outside_sections().values()
    ]
    found = [(section, by) for section, by in found if by or any(cite.startswith(ids) for cite in section.cites)]
    if format == "json":
        print_json([{**msgspec.to_builtins(section), "cited_by": by} for section, by in found])
        return
    out = console()
    for section, by in found:
        out.print(f"[bold]§ {section.id}  {escape(section.title)}[/]")
        if by:
            out.print(f"[dim]cited by {', '.join(f'§ {clause}' for clause in by)}[/]")
        if section.cites:
            out.print(f"[dim]cites {', '.join(f'§ {cite}' for cite in section.cites)}[/]")
        out.print(f"[dim]assumed:[/] {escape(section.assumed)}\n[yellow]unmet:[/] {escape(section.unmet)}\n")
    out.print(f"{len(found)} sections. Pitboss does not contain their text.")


def _row(rules: GameRules, section: Section, clause: Clause) -> dict[str, Any]:
    """Return one clause for JSON."""
    return {
        "id": clause.id,
        "edition": clause.edition,
        "chapter": rules.chapter.id,
        "section": section.id,
        "duty": clause.duty,
        "bearer": clause.bearer,
        "kind": clause.kind,
        "status": clause.status,
        "met_by": clause.met_by,
        "tests": tests_of(clause.id),
        "proof": proof_of(clause.id)._asdict(),
        "open": clause.open,
        "recorded": clause.recorded,
        "readings": _readings(clause),
        "other_editions": {rules.chapter.head.proposed_edition: clause.proposed} if clause.proposed else {},
    }


def _print_section(out: Console, rules: GameRules, section: Section, found: list[Clause]) -> None:
    head = f"[bold {rules.chapter.head.accent}]§ {section.id}  {escape(section.title)}[/]"
    out.print(f"{head}  [dim]{escape(rules.chapter.edition)}[/]")
    narrow = out.width < NARROW
    table = Table(box=None, show_header=False, pad_edge=False, expand=True)
    table.add_column(overflow="fold", min_width=6 if narrow else 14)
    if not narrow:
        table.add_column(width=11, style="dim")
        table.add_column(width=8)
    table.add_column(ratio=1, overflow="fold")
    for clause in found:
        status = f"[{STATUS_STYLES[clause.status]}]{clause.status}[/]"
        words = "\n".join(_describe_clause(clause, rules.chapter.head.proposed_edition))
        label = clause.id.path.lstrip(":")
        if narrow:
            table.add_row(label, f"{words}\n[dim]{clause.bearer},[/] {status}")
        else:
            table.add_row(label, clause.bearer, status, words)
    out.print(table)
    out.print()


def _describe_clause(clause: Clause, proposed_edition: str) -> Iterator[str]:
    """Yield a clause's duty, kind, readings, modules, tests and proof in words."""
    yield escape(clause.duty)
    yield f"[dim]kind: {clause.kind}[/]"
    if clause.proposed:
        yield f"[dim]{escape(proposed_edition)}: {escape(clause.proposed)}[/]"
    if clause.open:
        yield f"[yellow]still to be built: {escape(clause.open)}[/]"
    if clause.recorded:
        yield f"[dim]recorded: {escape(clause.recorded)}[/]"
    if read := _readings(clause):
        yield f"[dim]read by {', '.join(read)}[/]"
    if clause.met_by:
        yield f"[dim]met by {', '.join(clause.met_by)}[/]"
    if tests := tests_of(clause.id):
        yield f"[dim]tested by {', '.join(test.rpartition('::')[2] for test in tests)}[/]"
    if clause.status in STATUSES_WITH_PROOF:
        seen = proof_of(clause.id).on
        yield f"[dim]seen failing {seen}[/]" if seen else "[red]no proof seen failing[/]"


def _readings(clause: Clause) -> list[str]:
    """Return the ids of a clause's readings."""
    return [reading.id for reading in readings_of(clause.id)]


def _summary(listed: list[Clause]) -> str:
    count = Counter(clause.status for clause in listed)
    parts = [f"{count[status]} {status}" for status in Status if count[status]]
    differ = sum(bool(clause.proposed) for clause in listed)
    editions = f" {differ} differ in an earlier edition; both texts are shown." if differ else ""
    clauses = "clause" if len(listed) == 1 else "clauses"
    return f"{len(listed)} {clauses}: {', '.join(parts)}.{editions}" if listed else "No clause matches."
