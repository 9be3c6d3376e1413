"""`pitboss replay`: verifies a record and shows its rounds card by card."""

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


def replay(  # noqa: PLR0913 (rounds and viewer)
    file: Annotated[Path, Parameter(help="A record written by `pitboss play`.")],
    /,
    *,
    round: Annotated[int | None, Parameter(help="Only this round, from 1.")] = None,  # noqa: A002 (the option's name)
    as_: Annotated[int | None, Parameter("--as", help="Show only the cards this seat saw.")] = None,
    head: Annotated[str, Parameter(help="Check that the record contains this hash, its earlier end.")] = "",
    openings: Annotated[Path | None, Parameter(help="Write the round's openings to this file.")] = None,
    format: Format = "table",  # noqa: A002 (the option's name)
) -> int:
    """Replay a table's record and verify its chain, events and money."""
    moments = _read(file)
    last = moments[-1].hash if moments else ""
    if head and head not in (moment.hash for moment in moments):
        raise Mistake(f"No line has the hash {head}: this is another record, or lines are missing.")
    rounds = moments[-1].after.round if moments else 0
    chosen = [moment for moment in moments if round in (None, moment.before.round + 1)]
    if not chosen and round is not None:
        raise Mistake(f"There is no round {round}; the record has {rounds} whole rounds.")
    if as_ is not None and not any(as_ in moment.before.seated for moment in chosen):
        raise Mistake(f"Seat {as_} was empty.")
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
        fine = f"\nVerified: {counted}, and every command produces its events."
        other = f"\n[yellow]{'Verified in part' if len(made) > 1 else 'Not verified'}:[/] {counted}."
        out.print(fine if decided else other)
        for part in made if not decided else ():
            out.print(f"Lines {part.first} to {part.last} {_DECISION_NOTES[part.decided]}", soft_wrap=True)
        out.print("" if whole else "[yellow]The record ends during a round.[/]", f"[dim]Head {last}[/]", soft_wrap=True)
    return 0 if decided else 1


_DECISION_NOTES: Final = {
    True: "were decided again, with the same rules and engine.",
    False: "were not decided again: other rules or another engine produced them.",
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
    """Write the openings of the cards a patron saw in a round, or of every card."""
    if round is None:
        raise Mistake("--openings needs --round.")
    salted = [moment for moment in moments if moment.after.root and moment.after.root != moment.before.root]
    if not salted:
        raise Mistake(f"Round {round} has no commitment.")
    moment = salted[-1]
    order = [card for card in moment.after.shoe if card]  # a scanned shoe has no commitment
    committed = commit(order, [bytes.fromhex(salt) for salt in moment.entry.given.salts])
    patron = next((then.before.seated[seat] for then in moments if seat in then.before.seated), "") if seat else ""
    seen = {card for then in moments for card in cards_seen_by(then.after, patron)} if seat else set(map(str, order))
    shown = [opening(committed, place) for place, card in enumerate(order) if str(card) in seen]
    write_file(file, msgspec.json.format(msgspec.json.encode({"root": committed.root, "openings": shown})))
