"""`pitboss rng-report` and `pitboss verify-shuffle`: statistics of the shuffle, and checks of commitments."""

from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter
from rich.progress import Progress

from pitboss.cards import DECK
from pitboss.cli.output import Format, console, plain_table, print_json
from pitboss.errors import Mistake
from pitboss.table.commitment import SALT, Opening, is_valid_opening


def rng_report(
    *,
    decks: Annotated[int, Parameter(help="Number of decks to shuffle.")] = 1_000_000,
    format: Format = "table",  # noqa: A002 (the option's name)
) -> int:
    """Shuffle many decks with the operating system's generator and test their orders for fairness."""
    from pitboss.report.shuffle_statistics import LEVEL, shuffle_report  # noqa: PLC0415
    from pitboss.table.shoe import system_source  # noqa: PLC0415 (numpy, with the next)

    if not 10_000 <= decks <= 100_000_000:  # noqa: PLR2004 (enough for a result, and finishes today)
        raise Mistake(f"--decks must be 10,000 to 100,000,000, not {decks:,}.")
    with Progress(console=console(), transient=True, disable=format == "json") as bar:
        task = bar.add_task("Shuffling", total=decks)
        found = shuffle_report(decks, system_source, lambda done: bar.advance(task, done))
    passed = all(statistic.passed for statistic in found)
    if format == "json":
        rows = [{**msgspec.structs.asdict(statistic), "passed": statistic.passed} for statistic in found]
        print_json({"decks": decks, "level": LEVEL, "statistics": rows, "passed": passed})
        return 0 if passed else 1
    page = plain_table("statistic", "of", "chi-square", "degrees", "exceeded by chance", "")
    for row in found:
        verdict = "passed" if row.passed else "[red]failed[/]"
        page.add_row(row.name, row.about, f"{row.value:,.1f}", str(row.freedom), f"{row.likelihood:.4f}", verdict)
    out = console()
    out.print(f"{decks:,} decks shuffled with the operating system's generator.\n")
    out.print(page)
    out.print(f"\nA fair shuffle passes each test in {1 - LEVEL:.0%} of reports; repeat a failed report.")
    return 0 if passed else 1


class _OpeningsFile(msgspec.Struct, forbid_unknown_fields=True):
    root: str
    openings: tuple[Opening, ...]


def _is_well_formed(shown: Opening) -> bool:
    """Whether an opening's position, path and salt are well-formed."""
    depth = (len(DECK) - 1).bit_length()
    return 0 <= shown.position < len(DECK) and len(shown.path) == depth and len(shown.salt) == 2 * SALT


def verify_shuffle(
    file: Annotated[str, Parameter(help='JSON: {"root", "openings": [{"position", "card", "salt", "path"}]}.')],
    /,
    *,
    format: Format = "table",  # noqa: A002 (the option's name)
) -> int:
    """Check shown cards against a published commitment. Status 1 if one differs."""
    try:
        shown = msgspec.json.decode(Path(file).read_bytes(), type=_OpeningsFile)
    except (OSError, ValueError, msgspec.DecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise Mistake(f"“{file}” is not a file of openings: {reason}.") from None
    wrong = [
        opening.position
        for opening in shown.openings
        if not _is_well_formed(opening) or not is_valid_opening(shown.root, opening)
    ]
    cards = [opening.card for opening in shown.openings]
    places = [opening.position for opening in shown.openings]
    twice = len(set(cards)) < len(cards) or len(set(places)) < len(places)
    fine = bool(shown.openings) and not wrong and not twice
    if format == "json":
        print_json({"ok": fine, "opened": len(cards), "of": len(DECK), "wrong": wrong, "twice": twice})
        return 0 if fine else 1
    out = console()
    for position in wrong:
        out.print(f"The card at position {position} does not match the commitment.")
    if twice:
        out.print("A card or a position occurs twice.")
    if not cards:
        out.print("The file has no openings.")
    if fine:
        out.print(f"{len(cards)} of {len(DECK)} cards match the commitment {shown.root[:16]}….")
    return 0 if fine else 1
