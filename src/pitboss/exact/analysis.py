"""Analyze every wager of a game under every paytable; results are cached."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Final

import msgspec

from pitboss.cache import load_or_make
from pitboss.errors import Mistake, hint
from pitboss.exact import jackpots
from pitboss.exact.distribution import Distribution
from pitboss.exact.payoffs import STAKE, letters_of, terms_for
from pitboss.games import GAMES, Terms
from pitboss.games.terms import SINGLE_PAYTABLE
from pitboss.rulebook import rulebook
from pitboss.rulebook.readings import Choice
from pitboss.submission import Submission

CACHED_CODE: Final = ("cards.py", "money.py", "ranking", "rulebook", "games", "progressive", "submission", "exact")
"""The code and data files that the cached figures depend on."""
WORKERS: Final = 2


def kernel_module(game: str) -> str:
    """Return the module whose kernels solve a game's required wagers."""
    return "dealer_counts" if GAMES[game].contest else "staged"


def has_compiled_kernels(*kernels: str) -> bool:
    """Whether numba has cached the compiled kernels of these modules."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    folder = Path(chosen) if chosen else Path(__file__).parent / "__pycache__"
    return all(any(folder.rglob(f"{name}.*.nbi")) for name in kernels)


class AnalysisRow(msgspec.Struct, frozen=True, kw_only=True):
    """The analysis of one wager under one paytable."""

    wager: str
    """Its name in the analysis, which takes the required wagers together."""
    offer: str
    """Its name in a Submission."""
    is_required: bool
    paytable: str | None
    distribution: Distribution


class Task(msgspec.Struct, frozen=True):
    """One wager to analyze, with the letters of its paytables."""

    wager: str
    offer: str
    letters: tuple[str, ...]


def list_tasks(game: str, wager: str | None = None, paytable: str | None = None) -> list[Task]:
    """Return the wagers to analyze; raise `Mistake` for an unknown wager or paytable."""
    letters = letters_of(game)
    names = {GAMES[game].analysis_name(offer): offer for offer in letters}
    if wager is not None and wager not in names:
        raise Mistake(f"{game} has no wager “{wager}” to analyze; {hint(wager, names)}")
    chosen = [name for name in names if wager in (None, name)]
    found = [Task(name, names[name], _letters(letters[names[name]], paytable)) for name in chosen]
    if paytable is not None and not any(task.letters for task in found):
        there = {letter for task in chosen for letter in letters[names[task]] if letter != SINGLE_PAYTABLE}
        which = f"there are {', '.join(sorted(there))}" if there else "there is only one, without a letter"
        raise Mistake(f"There is no Paytable {paytable} for {wager or game}; {which}.")
    return [task for task in found if task.letters]


def tasks_of_submission(submission: Submission) -> list[Task]:
    """Return the wagers of a Submission to analyze, each with its paytable."""
    letters = {offer: wager.paytable or SINGLE_PAYTABLE for offer, wager in submission.wagers.items()}
    return [
        msgspec.structs.replace(task, letters=(letters[task.offer],))
        for task in list_tasks(submission.game)
        if task.offer in letters
    ]


def _letters(letters: Sequence[str], paytable: str | None) -> tuple[str, ...]:
    return tuple(letter for letter in letters if paytable in (None, letter))


def analyze(
    game: str, tasks: Sequence[Task], readings: Choice, done: Callable[[], object] = lambda: None
) -> list[AnalysisRow]:
    """Analyze these wagers in parallel; the result does not depend on the number of workers."""
    with ThreadPoolExecutor(WORKERS) as pool:
        found = [pool.submit(_rows, game, task, readings, done) for task in tasks]
        return [row for future in found for row in future.result()]


def _rows(game: str, task: Task, readings: Choice, done: Callable[[], object]) -> list[AnalysisRow]:
    rows = [cached_row(game, task.offer, letter, readings) for letter in task.letters]
    done()
    return rows


def cached_row(game: str, offer: str, letter: str, readings: Choice) -> AnalysisRow:
    """Return the analysis of one wager under one paytable; cached."""
    options = rulebook().options(readings)
    key = ("row", game, offer, letter, sorted(options.items()))
    return load_or_make(key, *CACHED_CODE, of=AnalysisRow, make=lambda: calculate_row(game, offer, letter, readings))


def calculate_row(game: str, offer: str, letter: str, readings: Choice) -> AnalysisRow:
    """Analyze one wager under one paytable."""
    from pitboss.exact import side_wagers  # noqa: PLC0415 (numba is slow to load, and cached results do not need it)

    terms = terms_of_row(game, offer, letter, readings)
    is_required = offer == terms.game.required
    if is_required:
        found = required_distribution(terms, STAKE)
    else:
        found = side_wagers.distribution_of(terms, wager_for_offer(terms, offer), STAKE)
    return AnalysisRow(
        wager=terms.game.analysis_name(offer),
        offer=offer,
        is_required=is_required,
        paytable=None if letter == SINGLE_PAYTABLE else letter,
        distribution=found,
    )


def terms_of_row(game: str, offer: str, letter: str, readings: Choice, payout_limit: int | None = None) -> Terms:
    """Return the terms for the analysis of one wager under one paytable; others have their first paytable."""
    required = GAMES[game].required
    letters = {required: letters_of(game)[required][0], offer: letter}
    return terms_for(game, letters, readings, payout_limit)


def wager_for_offer(terms: Terms, offer: str) -> str:
    """Return the wager of an offer; the first if several differ only in whose cards they are on."""
    return next(wager.name for wager in reversed(terms.game.initial) if wager.offer == offer)


def required_distribution(terms: Terms, stake: int) -> Distribution:
    """Return the distribution of the required wagers under the best decisions."""
    from pitboss.exact import duel, staged  # noqa: PLC0415 (numba is slow to load, and cached results do not need it)

    solve = duel.solve if terms.game.contest else staged.solve
    return solve(terms, stake).distribution


def jackpot_of(game: str, row: AnalysisRow, readings: Choice) -> tuple[Terms, jackpots.Jackpot] | None:
    """Return the terms and the jackpot of a row, if its wager has meters."""
    terms = terms_of_row(game, row.offer, row.paytable or SINGLE_PAYTABLE, readings)
    wager = wager_for_offer(terms, row.offer)
    if terms.game.wager(wager).by.paytable not in terms.meters:
        return None
    return terms, jackpots.make_jackpot(terms, wager, row.distribution)


def as_json(game: str, rows: Sequence[AnalysisRow], readings: Mapping[str, str]) -> dict[str, object]:
    """Return an analysis as JSON data; fractions are strings in lowest terms."""
    return {
        "game": game,
        "edition": rulebook().game(game).chapter.edition,
        "readings": dict(readings),
        "wagers": [dict(_fields(game, row, readings)) for row in rows],
    }


def _fields(game: str, row: AnalysisRow, readings: Choice) -> Iterator[tuple[str, object]]:
    found = row.distribution
    yield "wager", row.wager
    yield "paytable", row.paytable
    yield "deals", found.deals
    for name in ("net", "house_edge", "average_wager", "element_of_risk", "hit_frequency"):
        yield name, format_fraction(getattr(found, name))
    yield "standard_deviation", found.standard_deviation
    if held := jackpot_of(game, row, readings):
        terms, jackpot = held
        if each := jackpots.envy_return(terms, found):
            yield "envy_per_other_hand", format_fraction(each)
        yield "fixed_return", format_fraction(jackpot.fixed_return)
        yield "meters", {name: {"slope": format_fraction(slope)} for name, slope in jackpot.slopes.items()}
        if jackpot.break_even is not None:
            yield "break_even_meter", format_fraction(jackpot.break_even)
    yield (
        "outcomes",
        [
            {
                "outcome": outcome.name,
                "count": outcome.count,
                "pays": format_fraction(Fraction(outcome.net, found.stake)),
            }
            for outcome in found.outcomes
        ],
    )


def format_fraction(number: Fraction) -> str:
    """Format a fraction as p/q in lowest terms, whole numbers too."""
    return f"{number.numerator}/{number.denominator}"
