"""Theoretical against actual hold: what wagers came to at each table, beside what their exact edges let one expect.

What the tables hold is read in the server; what is theory is worked out by a process of its own.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from statistics import NormalDist
from typing import Final, Literal

import msgspec

from pitboss.errors import Mistake
from pitboss.exact.analyze import Row, base_name, jackpot_of, row_of
from pitboss.exact.distribution import Distribution, root
from pitboss.exact.figures import Figure, figure, four, money
from pitboss.exact.jackpots import long_run
from pitboss.games import GAMES
from pitboss.games.declare import ByTable
from pitboss.games.terms import ONLY
from pitboss.house.driver import Connection
from pitboss.house.held import LIMIT, Held, read_held
from pitboss.house.standing import submission_of
from pitboss.money import DOLLAR
from pitboss.record.chain import header_of
from pitboss.report.workings import wager_title
from pitboss.rulebook import rulebook
from pitboss.rulebook.readings import chosen
from pitboss.submission import Submission
from pitboss.submission.terms import readings_of

DEFINITIONS: Final = {
    "Initial wagers": "Antes, or what a side wager was; raises are not in it.",
    "Handle": "Everything wagered, raises included. A wager that a void round gave back does not count.",
    "Actual win": "What was wagered, less what was returned and paid, off meters too.",
    "Theoretical win": "The house edge, exactly, times the initial wagers: what is expected of the best decisions.",
    "Actual and theoretical percentage": "The win over the initial wagers; the theoretical one is the house edge.",
    "Hold": "The win over the handle; the theoretical one is the element of risk.",
    "Band": (
        "Where the actual percentage is expected 95 or 99 times in 100: the theoretical one and 1.96 or 2.58 standard "
        "deviations to both sides, from the exact variance of each amount wagered. An approximation: boxes count as "
        "independent, though they share the dealer's cards, and the sum as normally distributed."
    ),
    "Rough": (
        "The sum is still too skewed for that (its skewness is above one third, or there are fewer than 30 boxes): "
        "a few rounds, or wagers that pay much and rarely. Then the band says little."
    ),
    "Wagers with meters": (
        "Theory is the long run: what comes onto a meter is paid in the end. The variance is that at the seeds."
    ),
}
"""What the figures are."""
_Z: Final = {percent: NormalDist().inv_cdf(0.5 + percent / 200) for percent in (95, 99)}
_FEW: Final = 30
_SKEWED: Final = Fraction(1, 3)
Place = Literal["inside", "outside 95 %", "outside 99 %", "no theory", "nothing wagered"]


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
    """How often it was made."""
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
    place: Place
    """Where the actual percentage lies."""
    rough: bool
    note: str = ""


class TableHold(msgspec.Struct, frozen=True, kw_only=True):
    """One open table."""

    table: str
    game: str
    title: str
    version: str
    rounds: int
    """Finished ones, void ones too."""
    handle: int
    win: int
    wagers: tuple[WagerHold, ...]


class Holds(msgspec.Struct, frozen=True):
    """Every open table, and what the figures are."""

    definitions: dict[str, str]
    tables: list[TableHold]


class Sums(msgspec.Struct, frozen=True):
    """What a table holds, as it is sent to the process that compares it with theory."""

    table: str
    submission: str
    rounds: int
    held: tuple[Held, ...]


def sums(db: Connection) -> list[Sums]:
    """Return what every open table holds."""
    rows = db.execute("SELECT id, header FROM chain WHERE kind = 'table' AND is_open = 1 ORDER BY id")
    counts: dict[str, int] = dict(db.execute("SELECT chain, COUNT(*) FROM round GROUP BY chain"))
    return [
        Sums(name, header_of(bytes(header)).submission, counts.get(name, 0), tuple(read_held(db, name)))
        for name, header in rows
    ]


def compared(many: Sequence[Sums]) -> Holds:
    """Set what tables hold beside theory: in the other process."""
    return Holds(DEFINITIONS, [_table(one) for one in many])


def _table(one: Sums) -> TableHold:
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


def _wager(submission: Submission, name: str, held: Sequence[Held]) -> WagerHold:
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
        actual=None if actual is None else figure(actual, percent=True),
        theoretical=figure(theory.win / initial, percent=True) if theory else None,
        actual_hold=figure(Fraction(win, handle), percent=True) if handle else None,
        theoretical_hold=figure(theory.risk, percent=True) if theory else None,
        theoretical_win=money(theory.win / DOLLAR) if theory else None,
        band95=bands.get(95),
        band99=bands.get(99),
        place=_place(actual, bands),
        rough=theory is not None and theory.rough,
        note=theory.note if theory else _without_theory(submission, name),
    )


class _Theory(msgspec.Struct, frozen=True, kw_only=True):
    """What is expected of wagers of these amounts."""

    paytable: str
    win: Fraction
    """In cents."""
    variance: Fraction
    """Of it, in square cents."""
    risk: Fraction
    rough: bool
    note: str


def _theory(submission: Submission, name: str, held: Sequence[Held]) -> _Theory | None:
    """Return what is expected; nothing where a wager is none that is worked out."""
    game = GAMES[submission.game]
    if name not in {wager.name for wager in game.initial}:
        return None
    offer = game.wager(name).offer
    letter, readings = submission.wagers[offer].paytable or ONLY, rulebook().options(readings_of(submission))
    wager = base_name(game.name) if offer == game.required else offer
    row = row_of(game.name, wager, offer, letter, readings)
    long = _long_run_edge(submission, row, offer)
    win, variance, third, risked, boxes = Fraction(), Fraction(), Fraction(), Fraction(), 0
    for one in held:
        found = _found(submission, row, offer, one.stake)
        edge = found.house_edge if long is None else long
        win += one.boxes * one.stake * edge
        risked += one.boxes * one.stake * found.average_wager
        variance += one.boxes * one.stake**2 * found.variance
        third += one.boxes * one.stake**3 * _third_moment(found)
        boxes += one.boxes
    return _Theory(
        paytable="" if letter == ONLY else letter,
        win=win,
        variance=variance,
        risk=win / risked,
        rough=boxes < _FEW or third**2 > _SKEWED**2 * variance**3,
        note="" if long is None else "By the long run of the meters; see the definitions.",
    )


def _found(submission: Submission, row: Row, offer: str, stake: int) -> Distribution:
    """Return what a wager comes to, under the payout limit if that is on it."""
    limit = submission.table.payout_limit
    if limit is None or GAMES[submission.game].limit is None:
        return row.distribution
    return _limited(
        submission.game, offer, row.paytable or ONLY, tuple(sorted(readings_of(submission).items())), int(limit), stake
    )


@lru_cache(4096)
def _limited(  # noqa: PLR0913, PLR0917 (one wager and its limit)
    game: str, offer: str, letter: str, readings: tuple[tuple[str, str], ...], limit: int, stake: int
) -> Distribution:
    from pitboss.exact.limits import bites_from, found_under, limited_offers  # noqa: PLC0415 (numpy and numba)

    choice = rulebook().options(dict(readings))
    wager = base_name(game) if offer == GAMES[game].required else offer
    free = row_of(game, wager, offer, letter, choice).distribution
    if offer not in limited_offers(game, choice) or stake < bites_from(game, offer, letter, choice, limit):
        return free
    try:
        return found_under(game, offer, letter, choice, limit, stake)
    except Mistake:  # more than can be worked out
        return free


def _long_run_edge(submission: Submission, row: Row, offer: str) -> Fraction | None:
    """Return what the house keeps of a wager with meters in the long run, where that can be said."""
    readings = rulebook().options(readings_of(submission))
    held = jackpot_of(submission.game, row, offer, readings)
    if held is None:
        return None
    terms, jackpot = held
    name = next(wager.name for wager in terms.game.initial if wager.offer == offer)
    by, run = terms.game.wager(name).by, long_run(terms, name, jackpot)
    if run is None:
        return None
    off = isinstance(by, ByTable) and by.fixed_off_meter is not None and chosen(by.fixed_off_meter, terms.readings)
    returned = run.from_meter if off else run.from_table
    return None if returned is None else 1 - returned


def _third_moment(found: Distribution) -> Fraction:
    """Return the third central moment of the house's result, in initial wagers."""
    mean = -found.house_edge
    parts = (one.count * (Fraction(one.net, found.stake) - mean) ** 3 for one in found.outcomes)
    return -sum(parts, Fraction()) / found.deals


def _band(theory: _Theory, initial: int, z: float) -> Band:
    middle, reach = float(theory.win / initial), z * root(theory.variance / initial**2)
    low, high = middle - reach, middle + reach
    return Band(low, high, " to ".join(f"{four(Fraction(100 * end))} %" for end in (low, high)))


def _place(actual: Fraction | None, bands: dict[int, Band]) -> Place:
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
        return wager_title(game.name, base_name(game.name))
    return next(item.title for item in game.settles if item.name == name)


def _without_theory(submission: Submission, name: str) -> str:
    if name == LIMIT:
        return "What the payout limit took off wagers that share it."
    if any(bonus.name == name for bonus in GAMES[submission.game].bonuses):
        return "Nothing is staked for it: it is paid by what the system draws, or by what others hold."
    return ""
