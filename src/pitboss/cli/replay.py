"""`pitboss replay`: any round of a record, card by card with its clauses, verified."""

from pathlib import Path
from typing import Annotated, Final

import msgspec
from cyclopts import Parameter
from rich.markup import escape

from pitboss.cli.output import Format, console, print_json, write_file
from pitboss.errors import Mistake
from pitboss.record import ReplayedEntry, narrate
from pitboss.record import replay as replayed
from pitboss.record.narration import ALL_CARDS
from pitboss.record.replay import decided_ranges
from pitboss.table.commitment import commit, opening
from pitboss.table.views import cards_seen_by


def replay(  # noqa: PLR0913 (what to look at, and as whom)
    file: Annotated[Path, Parameter(help="A record that `pitboss play` wrote.")],
    /,
    *,
    round: Annotated[int | None, Parameter(help="Only this round, counted from 1.")] = None,  # noqa: A002 (the option's name)
    as_: Annotated[int | None, Parameter("--as", help="As the patron of this seat saw it; else every card.")] = None,
    head: Annotated[str, Parameter(help="The hash the record ended with when it was last seen.")] = "",
    openings: Annotated[Path | None, Parameter(help="Write what opens the round's commitment here.")] = None,
    format: Format = "table",  # noqa: A002 (the option's name)
) -> int:
    """Rebuild what happened at a table and verify it: the chain, every event, the money."""
    moments = _read(file)
    last = moments[-1].hash if moments else ""
    if head and head not in (moment.hash for moment in moments):
        raise Mistake(f"No line of the record has the hash {head}: it is another record, or lines are missing.")
    rounds = moments[-1].after.round if moments else 0
    chosen = [moment for moment in moments if round in (None, moment.before.round + 1)]
    if not chosen and round is not None:
        raise Mistake(f"The record has {rounds} whole rounds; there is no round {round}.")
    if as_ is not None and not any(as_ in moment.before.seated for moment in chosen):
        raise Mistake(f"Nobody sat at {as_} then.")
    if openings is not None:
        _write_openings(openings, chosen, as_, round)
    lines, shown = [], 0
    for moment in chosen:
        if moment.before.round + 1 != shown:
            shown = moment.before.round + 1
            lines.append(f"Round {shown}")
        lines += narrate(moment, ALL_CARDS if as_ is None else moment.before.seated.get(as_, ""))
    whole = not moments or not moments[-1].after.called
    decided = all(moment.decided for moment in moments)
    made = decided_ranges(moments)
    if format == "json":
        entries = len(moments)
        print_json(
            {
                "verified": decided,
                "entries": entries,
                "rounds": rounds,
                "whole": whole,
                "head": last,
                "lines": lines,
                "parts": [msgspec.structs.asdict(part) for part in made],
            }
        )
    else:
        out = console()
        for line in lines:
            out.print(escape(line), soft_wrap=True)
        counted = f"{len(moments)} entries, {rounds} rounds; the chain is whole"
        fine = f"\nVerified: {counted}, and every command leads to its events."
        other = f"\n[yellow]{'Verified in part' if len(made) > 1 else 'Followed, not verified'}:[/] {counted}."
        out.print(fine if decided else other)
        for part in made if not decided else ():
            out.print(f"Lines {part.first} to {part.last} {_DECISION_NOTES[part.decided]}", soft_wrap=True)
        out.print("" if whole else "[yellow]The record ends within a round.[/]", f"[dim]Head {last}[/]", soft_wrap=True)
    return 0 if decided else 1


_DECISION_NOTES: Final = {
    True: "were decided again: the rules and the engine are the same from there on.",
    False: "were only followed: other rules or another engine made them.",
}


def _read(file: Path) -> list[ReplayedEntry]:
    try:
        with file.open("rb") as text:
            return list(replayed(text))
    except (OSError, ValueError) as error:
        if isinstance(error, Mistake):
            raise
        reason = error.strerror if isinstance(error, OSError) else "it is not a valid file name"
        raise Mistake(f"“{file}” cannot be read: {reason}.") from None


def _write_openings(file: Path, moments: list[ReplayedEntry], seat: int | None, round: int | None) -> None:  # noqa: A002 (the option's name)
    """Write the openings of what a patron saw in a round, or of every card."""
    if round is None:
        raise Mistake("Openings are of one round; say which with --round.")
    salted = [moment for moment in moments if moment.after.root and moment.after.root != moment.before.root]
    if not salted:
        raise Mistake(f"The cards of round {round} were not committed to.")
    moment = salted[-1]
    order = [card for card in moment.after.shoe if card]  # a scanned shoe is not committed to
    committed = commit(order, [bytes.fromhex(salt) for salt in moment.entry.given.salts])
    patron = next((then.before.seated[seat] for then in moments if seat in then.before.seated), "") if seat else ""
    seen = {card for then in moments for card in cards_seen_by(then.after, patron)} if seat else set(map(str, order))
    shown = [opening(committed, place) for place, card in enumerate(order) if str(card) in seen]
    write_file(file, msgspec.json.format(msgspec.json.encode({"root": committed.root, "openings": shown})))
