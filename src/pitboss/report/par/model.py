"""The content of a PAR sheet: the figures of every wager, the strategy, and the effect of readings."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

import msgspec

from pitboss import __version__
from pitboss.exact import payout_limits
from pitboss.exact.analysis import (
    CACHED_CODE,
    AnalysisRow,
    Task,
    analyze,
    cached_row,
    jackpot_of,
    list_tasks,
    tasks_of_submission,
    terms_of_row,
    wager_for_offer,
)
from pitboss.exact.distribution import Distribution
from pitboss.exact.jackpots import Jackpot, LongRun, envy_return, long_run
from pitboss.exact.payoffs import terms_for
from pitboss.exact.session_results import session_result
from pitboss.exact.strategies import StrategyResult, judge_strategies
from pitboss.exact.strategy_chart import Chart, make_chart
from pitboss.games import GAMES
from pitboss.games.terms import SINGLE_PAYTABLE
from pitboss.money import DOLLAR
from pitboss.rulebook import rulebook
from pitboss.source_hashes import code_hash, rules_hash
from pitboss.submission import Submission
from pitboss.submission.terms import readings_of

ROUNDS: Final = (50, 100, 200, 400, 800)
"""The numbers of rounds for the bankroll."""
FLOOR: Final = 50_000 * DOLLAR
"""The example of a payout limit if no Submission sets one: the lowest that the chapters allow."""
DEFINITIONS: Final = {
    "Combinations": "The number of equally likely deals with this outcome.",
    "Pays": "The player's net result, in initial wagers.",
    "Return": "Probability times pays; the sum is the player's expected result.",
    "House edge": "The player's expected loss over the initial wager.",
    "Average wager": "The average total wager of a round, in initial wagers.",
    "Element of risk": "The expected loss over the total wager; also called hold of everything wagered.",
    "Hit frequency": "The chance of a net win.",
    "Standard deviation": "The standard deviation of the player's result in one round, in initial wagers.",
}


class MeterFigures(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of a wager with meters."""

    wager: str
    offer: str
    paytable: str | None
    jackpot: Jackpot
    long_run: LongRun | None
    envy: Fraction
    """The return from the Envy Bonus per other player's hand."""
    without: str
    """Bonuses of the table game system that these figures exclude."""


class Ambiguity(msgspec.Struct, frozen=True, kw_only=True):
    """A reading that changes a figure, with the figure under each option."""

    reading: str
    question: str
    wager: str
    paytable: str | None
    chosen: str
    edges: Mapping[str, Fraction]
    risks: Mapping[str, Fraction]
    meters: Mapping[str, MeterFigures]
    """The meter figures by option, for a wager with meters."""


class LimitCurve(msgspec.Struct, frozen=True, kw_only=True):
    """The edge of a wager by its amount under a payout limit."""

    wager: str
    offer: str
    paytable: str | None
    limit: int
    supposed: bool
    """Whether the limit is an example, the lowest that the chapters allow, and not from a Submission."""
    bites: int
    """The lowest initial wager, in cents, whose highest pay exceeds the limit."""
    points: tuple[payout_limits.EdgeUnderLimit, ...]


class SubmissionBounds(msgspec.Struct, frozen=True):
    """The bounds of a Submission in cents: its payout limit, if any, and the minimum and maximum of each wager."""

    limit: int | None
    bounds: Mapping[str, tuple[int, int]]


class Par(msgspec.Struct, frozen=True, kw_only=True):
    """The content of a PAR sheet."""

    game: str
    title: str
    edition: str
    proposal: str
    """A note if the chapter's text is a proposal."""
    accent: str
    property: str
    submission: str
    """The Submission's version, or a note that there is none."""
    software: str
    rules_hash: str
    engine_hash: str
    readings: Mapping[str, str]
    """The chosen option of every reading of this chapter with several options."""
    readings_note: str
    """The readings that differ from the defaults, as text; or that all are the defaults."""
    rows: tuple[AnalysisRow, ...]
    strategies: tuple[StrategyResult, ...]
    """Strategies for the required wagers under their first paytable on the sheet."""
    strategy_of: str
    chart: Chart
    meters: tuple[MeterFigures, ...]
    limited: tuple[LimitCurve, ...]
    sessions: tuple[tuple[int, Mapping[int, float | None], float], ...]
    """Bankrolls for the required wagers under their first paytable."""
    ambiguities: tuple[Ambiguity, ...]


def par_of_game(game: str, done: Callable[[], object] = lambda: None) -> Par:
    """Return the PAR sheet of a game with all its wagers and paytables."""
    return _par(game, list_tasks(game), {}, "every wager and paytable of the chapter", "no Submission", None, done)


def par_of_submission(submission: Submission, done: Callable[[], object] = lambda: None) -> Par:
    """Return the PAR sheet of a Submission."""
    game = submission.game
    tasks, offered = tasks_of_submission(submission), submission_bounds(submission)
    version = f"Submission version {submission.version}"
    return _par(game, tasks, readings_of(submission), submission.property, version, offered, done)


def submission_bounds(submission: Submission) -> SubmissionBounds:
    """Return the bounds of a Submission."""
    limit = submission.table.payout_limit
    bounds = {
        offer: (int(min(wager.amounts)), int(max(wager.amounts)))
        if wager.amounts
        else (int(wager.minimum or DOLLAR), int(wager.maximum or FLOOR))
        for offer, wager in submission.wagers.items()
    }
    return SubmissionBounds(None if limit is None else int(limit), bounds)


def _par(  # noqa: PLR0913, PLR0917 (the subject of the sheet)
    game: str,
    tasks: list[Task],
    chosen: Mapping[str, str],
    owner: str,
    submission: str,
    offered: SubmissionBounds | None,
    done: Callable[[], object],
) -> Par:
    chapter = rulebook().games[game].chapter
    readings = rulebook().options(chosen)
    rows = analyze(game, tasks, readings, done)
    base = next(row for row in rows if row.is_required)
    required = GAMES[game].required
    letter = base.paytable or SINGLE_PAYTABLE
    terms = terms_for(game, {required: letter}, readings)
    strategies = judge_strategies(terms)
    done()
    ours = {
        name: readings[name]
        for name, reading in rulebook().readings.items()
        if len(reading.options) > 1 and any(cite.chapter == chapter.id for cite in reading.clauses)
    }
    other = [f"{name} = {option}" for name, option in ours.items() if rulebook().reading(name).default != option]
    return Par(
        readings_note=f"Readings: {', '.join(other)}; else the defaults" if other else "All readings are the defaults",
        game=game,
        title=chapter.title,
        edition=chapter.edition,
        proposal=chapter.head.proposal,
        accent=chapter.head.accent,
        property=owner,
        submission=submission,
        software=f"Pitboss {__version__}",
        rules_hash=rules_hash()[:16],
        engine_hash=code_hash(*CACHED_CODE)[:16],
        readings=ours,
        rows=tuple(rows),
        strategies=tuple(strategies),
        strategy_of=f"{base.wager}{f', Paytable {base.paytable}' if base.paytable else ''}",
        chart=make_chart(terms),
        meters=tuple(meters_of(game, rows, readings)),
        limited=tuple(limits_of(game, rows, readings, offered)),
        sessions=tuple(_session_results(base.distribution)),
        ambiguities=tuple(_ambiguities(game, tasks, ours, readings)),
    )


def _session_results(distribution: Distribution) -> Iterator[tuple[int, Mapping[int, float | None], float]]:
    for rounds in ROUNDS:
        session = session_result(distribution, rounds)
        yield rounds, session.percentiles, session.ahead


def meters_of(game: str, rows: Sequence[AnalysisRow], readings: Mapping[str, str]) -> Iterator[MeterFigures]:
    """Yield the figures of the wagers with meters."""
    for row in rows:
        if held := jackpot_of(game, row, readings):
            terms, jackpot = held
            name = next(wager.name for wager in terms.game.initial if wager.offer == row.offer)
            bonuses = [b.title.split(",")[0] for b in GAMES[game].bonuses if b.on == name and b.may_be_left_out]
            yield MeterFigures(
                wager=row.wager,
                offer=row.offer,
                paytable=row.paytable,
                jackpot=jackpot,
                long_run=long_run(terms, name, jackpot),
                envy=envy_return(terms, row.distribution),
                without=" and ".join(bonuses),
            )


def limits_of(
    game: str, rows: Sequence[AnalysisRow], readings: Mapping[str, str], offered: SubmissionBounds | None
) -> Iterator[LimitCurve]:
    """Yield edges under the Submission's limit from its minimum to maximum wagers, or under an example limit."""
    if offered is not None and offered.limit is None:
        return
    limit = offered.limit if offered and offered.limit else FLOOR
    for row in rows:
        offer, letter = row.offer, row.paytable or SINGLE_PAYTABLE
        if offer in payout_limits.limited_offers(game, readings):
            bites = payout_limits.lowest_limited_wager(game, offer, letter, readings, limit)
            least, most = offered.bounds[offer] if offered else (DOLLAR, limit // 5)
            amounts = sorted(
                {least, most, *payout_limits.round_amounts(least, most), *([bites] if least < bites < most else [])}
            )
            found = payout_limits.edges_under_limit(game, offer, letter, readings, limit, amounts)
            yield LimitCurve(
                wager=row.wager,
                offer=row.offer,
                paytable=row.paytable,
                limit=limit,
                supposed=offered is None,
                bites=bites,
                points=tuple(found),
            )


def _ambiguities(
    game: str, tasks: list[Task], ours: Mapping[str, str], readings: Mapping[str, str]
) -> Iterator[Ambiguity]:
    """Yield the readings that change a figure of an offered wager."""
    for name, chosen in ours.items():
        reading = rulebook().reading(name)
        for task in tasks:
            for letter in task.letters:
                options = {option: {**readings, name: option} for option in reading.options}
                if not _could_differ(game, task, letter, options):
                    continue
                found = {option: cached_row(game, task.offer, letter, choice) for option, choice in options.items()}
                edges = {option: row.distribution.house_edge for option, row in found.items()}
                risks = {option: row.distribution.element_of_risk for option, row in found.items()}
                meters = {
                    option: one for option, row in found.items() for one in meters_of(game, [row], options[option])
                }
                runs = {(one.envy, one.long_run) for one in meters.values()}
                if any(len(set(values)) > 1 for values in (edges.values(), risks.values(), runs)):
                    yield Ambiguity(
                        reading=name,
                        question=reading.question,
                        wager=task.wager,
                        paytable=None if letter == SINGLE_PAYTABLE else letter,
                        chosen=chosen,
                        edges=edges,
                        risks=risks,
                        meters=meters,
                    )


def _could_differ(game: str, task: Task, letter: str, options: Mapping[str, Mapping[str, str]]) -> bool:
    """Whether the readings change the terms, decide between equal EVs, or may affect a meter."""
    if "ev-ties" in {name for choice in options.values() for name in choice} and task.offer == GAMES[game].required:
        first, *others = options.values()
        if any(first["ev-ties"] != other["ev-ties"] for other in others):
            return True
    variants = set()
    for choice in options.values():
        terms = terms_of_row(game, task.offer, letter, choice)
        if terms.game.wager(wager_for_offer(terms, task.offer)).by.paytable in terms.meters:
            return True
        tables = sorted((name, tuple(table.items())) for name, table in terms.tables.items())
        rankings = sorted((name, evaluator.ranking) for name, evaluator in terms.evaluators.items())
        variants.add(msgspec.json.encode((tables, rankings, terms.game), enc_hook=str))
    return len(variants) > 1
