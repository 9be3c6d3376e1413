"""Actual against theoretical hold: the totals of each table's wagers beside their exact expectations.

The server reads the totals; a separate process calculates the theory.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from statistics import NormalDist
from typing import Final, Literal

import msgspec

from pitboss.errors import Mistake
from pitboss.exact.analysis import AnalysisRow, cached_row, jackpot_of
from pitboss.exact.distribution import Distribution, square_root
from pitboss.exact.figures import Figure, four_digits, make_figure, money_figure
from pitboss.exact.jackpots import long_run
from pitboss.games import GAMES
from pitboss.games.declarations import ByTable
from pitboss.games.terms import SINGLE_PAYTABLE
from pitboss.house.hold.wager_totals import LIMIT, WagerTotal, read_totals
from pitboss.house.live_table import submission_of
from pitboss.house.storage.connections import Connection
from pitboss.house.storage.rounds import count_rounds_by_table
from pitboss.house.storage.tables import open_table_headers
from pitboss.money import DOLLAR
from pitboss.record.chain import decode_header
from pitboss.rulebook import rulebook
from pitboss.rulebook.readings import meets_condition
from pitboss.submission import Submission
from pitboss.submission.terms import readings_of
from pitboss.submission.titles import analysis_title

DEFINITIONS: Final = {
    "Initial wagers": "Antes, or the side wagers themselves; raises are not included.",
    "Handle": "Everything wagered, raises included. Wagers that a void round returned do not count.",
    "Actual win": "Wagers minus returned stakes and payouts, including payouts off meters.",
    "Theoretical win": "The exact house edge times the initial wagers: the expected win if every player plays best.",
    "Actual and theoretical percentage": "The win over the initial wagers; the theoretical one is the house edge.",
    "Hold": "The win over the handle; the theoretical one is the element of risk.",
    "Band": (
        "The range of the actual percentage in 95 or 99 of 100 cases: the theoretical one plus or minus 1.96 or 2.58 "
        "standard deviations, from the exact variance of each amount wagered. It is an approximation: boxes count as "
        "independent, though they share the dealer's cards, and the sum as normally distributed."
    ),
    "Rough": (
        "The total is too skewed for the band (its skewness is above one third, or there are fewer than 30 boxes): "
        "few rounds, or wagers that pay much and rarely. The band then says little."
    ),
    "Wagers with meters": (
        "The theory is for the long run: a meter pays out all its increments. The variance is that at the seeds."
    ),
}
"""Definitions of the figures."""
_Z: Final = {percent: NormalDist().inv_cdf(0.5 + percent / 200) for percent in (95, 99)}
_FEW: Final = 30
_SKEWED: Final = Fraction(1, 3)
BandPosition = Literal["inside", "outside 95 %", "outside 99 %", "no theory", "nothing wagered"]


class Band(msgspec.Struct, frozen=True):
    """A range of shares of the initial wagers."""

    low: float
    high: float
    text: str


class WagerHold(msgspec.Struct, frozen=True, kw_only=True):
    """One wager of one table; money in cents, shares of 1."""

    wager: str
    title: str
    paytable: str
    boxes: int
    """Number of boxes that made it."""
    initial: int
    handle: int
    win: int
    actual: Figure | None
    theoretical: Figure | None
    actual_hold: Figure | None
    theoretical_hold: Figure | None
    theoretical_win: Figure | None
    """In dollars."""
    band95: Band | None
    band99: Band | None
    place: BandPosition
    """Whether the actual percentage lies inside the bands."""
    rough: bool
    note: str = ""


class TableHold(msgspec.Struct, frozen=True, kw_only=True):
    """The hold of one open table."""

    table: str
    game: str
    title: str
    version: str
    rounds: int
    """Finished rounds, including void ones."""
    handle: int
    win: int
    wagers: tuple[WagerHold, ...]


class HoldReport(msgspec.Struct, frozen=True):
    """The hold of every open table, with definitions."""

    definitions: dict[str, str]
    tables: list[TableHold]


class TableTotals(msgspec.Struct, frozen=True):
    """A table's totals, as sent to the process that compares them with theory."""

    table: str
    submission: str
    rounds: int
    held: tuple[WagerTotal, ...]


def read_table_totals(db: Connection) -> list[TableTotals]:
    """Return the totals of every open table."""
    headers, counts = open_table_headers(db), count_rounds_by_table(db)
    return [
        TableTotals(name, decode_header(header).submission, counts.get(name, 0), tuple(read_totals(db, name)))
        for name, header in headers.items()
    ]


def compare_with_theory(many: Sequence[TableTotals]) -> HoldReport:
    """Compare totals with theory; runs in the separate process."""
    return HoldReport(DEFINITIONS, [_table(one) for one in many])


def _table(one: TableTotals) -> TableHold:
    submission = submission_of(one.submission)
    names = list(dict.fromkeys(held.wager for held in one.held))
    order = {item.name: place for place, item in enumerate(GAMES[submission.game].settles)}
    wagers = [
        _wager(submission, name, [held for held in one.held if held.wager == name])
        for name in sorted(names, key=lambda name: order.get(name, len(order)))
    ]
    return TableHold(
        table=one.table,
        game=submission.game,
        title=rulebook().games[submission.game].chapter.title,
        version=submission.version,
        rounds=one.rounds,
        handle=sum(wager.handle for wager in wagers),
        win=sum(wager.win for wager in wagers),
        wagers=tuple(wagers),
    )


def _wager(submission: Submission, name: str, held: Sequence[WagerTotal]) -> WagerHold:
    initial = sum(one.boxes * one.stake for one in held)
    handle, win = sum(one.wagered for one in held), sum(one.won for one in held)
    theory = _theory(submission, name, held) if initial else None
    actual = Fraction(win, initial) if initial else None
    bands = {percent: _band(theory, initial, z) for percent, z in _Z.items()} if theory else {}
    return WagerHold(
        wager=name,
        title=_title(submission, name),
        paytable=theory.paytable if theory else "",
        boxes=sum(one.boxes for one in held),
        initial=initial,
        handle=handle,
        win=win,
        actual=None if actual is None else make_figure(actual, percent=True),
        theoretical=make_figure(theory.win / initial, percent=True) if theory else None,
        actual_hold=make_figure(Fraction(win, handle), percent=True) if handle else None,
        theoretical_hold=make_figure(theory.risk, percent=True) if theory else None,
        theoretical_win=money_figure(theory.win / DOLLAR) if theory else None,
        band95=bands.get(95),
        band99=bands.get(99),
        place=_place(actual, bands),
        rough=theory is not None and theory.rough,
        note=theory.note if theory else _without_theory(submission, name),
    )


class _Theory(msgspec.Struct, frozen=True, kw_only=True):
    """The expectation for the given wagers and amounts."""

    paytable: str
    win: Fraction
    """In cents."""
    variance: Fraction
    """Variance of the win, in square cents."""
    risk: Fraction
    rough: bool
    note: str


def _theory(submission: Submission, name: str, held: Sequence[WagerTotal]) -> _Theory | None:
    """Return the expectation of a wager, or None if it is not analyzed."""
    game = GAMES[submission.game]
    if name not in {wager.name for wager in game.initial}:
        return None
    offer = game.wager(name).offer
    letter, readings = submission.wagers[offer].paytable or SINGLE_PAYTABLE, rulebook().options(readings_of(submission))
    row = cached_row(game.name, offer, letter, readings)
    long = _long_run_edge(submission, row)
    win, variance, third, risked, boxes = Fraction(), Fraction(), Fraction(), Fraction(), 0
    for one in held:
        found = _distribution(submission, row, one.stake)
        edge = found.house_edge if long is None else long
        win += one.boxes * one.stake * edge
        risked += one.boxes * one.stake * found.average_wager
        variance += one.boxes * one.stake**2 * found.variance
        third += one.boxes * one.stake**3 * _third_moment(found)
        boxes += one.boxes
    return _Theory(
        paytable="" if letter == SINGLE_PAYTABLE else letter,
        win=win,
        variance=variance,
        risk=win / risked,
        rough=boxes < _FEW or third**2 > _SKEWED**2 * variance**3,
        note="" if long is None else "By the long run of the meters; see the definitions.",
    )


def _distribution(submission: Submission, row: AnalysisRow, stake: int) -> Distribution:
    """Return the distribution of a wager, under the payout limit if that applies."""
    limit = submission.table.payout_limit
    if limit is None or GAMES[submission.game].limit is None:
        return row.distribution
    return _distribution_under_limit(
        submission.game,
        row.offer,
        row.paytable or SINGLE_PAYTABLE,
        tuple(sorted(readings_of(submission).items())),
        int(limit),
        stake,
    )


@lru_cache(4096)
def _distribution_under_limit(  # noqa: PLR0913, PLR0917 (one wager and its limit)
    game: str, offer: str, letter: str, readings: tuple[tuple[str, str], ...], limit: int, stake: int
) -> Distribution:
    from pitboss.exact.payout_limits import distribution_under_limit, limited_offers, lowest_limited_wager  # noqa: PLC0415 (numpy and numba)

    choice = rulebook().options(dict(readings))
    free = cached_row(game, offer, letter, choice).distribution
    if offer not in limited_offers(game, choice) or stake < lowest_limited_wager(game, offer, letter, choice, limit):
        return free
    try:
        return distribution_under_limit(game, offer, letter, choice, limit, stake)
    except Mistake:  # too much to calculate
        return free


def _long_run_edge(submission: Submission, row: AnalysisRow) -> Fraction | None:
    """Return the house edge of a wager with meters in the long run, or None if unknown."""
    readings = rulebook().options(readings_of(submission))
    held = jackpot_of(submission.game, row, readings)
    if held is None:
        return None
    terms, jackpot = held
    name = next(wager.name for wager in terms.game.initial if wager.offer == row.offer)
    by, run = terms.game.wager(name).by, long_run(terms, name, jackpot)
    if run is None:
        return None
    off = (
        isinstance(by, ByTable)
        and by.fixed_off_meter is not None
        and meets_condition(by.fixed_off_meter, terms.readings)
    )
    returned = run.from_meter if off else run.from_table
    return None if returned is None else 1 - returned


def _third_moment(found: Distribution) -> Fraction:
    """Return the third central moment of the house's result, in initial wagers."""
    mean = -found.house_edge
    parts = (one.count * (Fraction(one.net, found.stake) - mean) ** 3 for one in found.outcomes)
    return -sum(parts, Fraction()) / found.deals


def _band(theory: _Theory, initial: int, z: float) -> Band:
    middle, reach = float(theory.win / initial), z * square_root(theory.variance / initial**2)
    low, high = middle - reach, middle + reach
    return Band(low, high, " to ".join(f"{four_digits(Fraction(100 * end))} %" for end in (low, high)))


def _place(actual: Fraction | None, bands: dict[int, Band]) -> BandPosition:
    if actual is None:
        return "nothing wagered"
    if not bands:
        return "no theory"
    if not bands[99].low <= actual <= bands[99].high:
        return "outside 99 %"
    return "inside" if bands[95].low <= actual <= bands[95].high else "outside 95 %"


def _title(submission: Submission, name: str) -> str:
    game = GAMES[submission.game]
    if name == LIMIT:
        return "Payout limit"
    if name == game.required:
        return analysis_title(game.name, game.required)
    return next(item.title for item in game.settles if item.name == name)


def _without_theory(submission: Submission, name: str) -> str:
    if name == LIMIT:
        return "Reductions by the payout limit of wagers that share it."
    if any(bonus.name == name for bonus in GAMES[submission.game].bonuses):
        return "It has no stake: the system's draw or another player's hand decides it."
    return ""
