"""The content of the sign that a Submission requires: words and odds, not their rendering."""

from collections.abc import Iterator
from typing import Final

import msgspec

from pitboss.cards import Card
from pitboss.games import Bounds, Terms, Wager
from pitboss.games.declarations import LIMIT_MEANING, Notice, OnOthers
from pitboss.money import format_money
from pitboss.rulebook import GameRules, Loss, NotPaid, Pay, Push, Share, rulebook
from pitboss.rulebook.readings import meets_condition
from pitboss.submission.hold_warnings import edge_warnings
from pitboss.submission.model import Submission
from pitboss.submission.terms import terms_of

HELP_LINE: Final = "Gambling problem? Call 1-800-GAMBLER for help."


class Row(msgspec.Struct, frozen=True):
    """One row of a panel: a hand and its pay."""

    hand: str
    pays: str
    cards: tuple[Card, ...]
    """An example hand; empty if the row is not a hand."""


class Panel(msgspec.Struct, frozen=True, kw_only=True):
    """The odds of one wager or bonus."""

    name: str = ""
    """The paytable's name; empty for fixed sums."""
    title: str
    paytable: str
    """The letter; empty if there is only one paytable."""
    cite: str
    note: str
    """When the wager wins, or which cards it is paid on, in a few words."""
    required: bool
    """Whether it belongs to the base game, not to an optional wager."""
    rows: tuple[Row, ...]


class Sign(msgspec.Struct, frozen=True, kw_only=True):
    """The content of one table's sign."""

    title: str
    """The game's title."""
    accent: str
    property: str
    edition: str
    proposal: str
    """A note if the chapter's text is a proposal."""
    version: str
    wagers: str
    """Minimum and maximum of the required wager, in words."""
    object: str
    """The object of the game."""
    play: tuple[str, ...]
    """How the game is played, in about ten lines."""
    notices: tuple[Notice, ...]
    panels: tuple[Panel, ...]
    help_line: str
    """Help for gambling problems."""
    posted_under: tuple[str, ...]
    """The clauses that require this sign."""
    warnings: tuple[str, ...] = ()
    """Holds outside the range that the Board published."""


def sign_of(submission: Submission) -> Sign:
    """Return the sign of a Submission's table."""
    terms, rules = terms_of(submission), rulebook().games[submission.game]
    game = terms.game
    limit = list(_limit(terms, rules))
    required = game.wager(game.required)
    return Sign(
        title=rules.chapter.title,
        accent=rules.chapter.head.accent,
        property=submission.property,
        edition=rules.chapter.edition,
        proposal=rules.chapter.head.proposal,
        version=submission.version,
        wagers=f"{required.title} {_range(terms.offered[required.offer])}",
        object=rules.wording.object,
        play=tuple(_play(terms, rules)),
        notices=(*game.notices, *limit),
        panels=(*_panels(terms, rules), *_envy(terms, rules)),
        help_line=HELP_LINE,
        posted_under=(game.odds_sign, *(notice.cite for notice in (*game.notices, *limit))),
        warnings=tuple(one.warning for one in edge_warnings(terms)),
    )


def _range(bounds: Bounds) -> str:
    return " to ".join(format_amount(amount) for amount in (bounds.minimum, bounds.maximum) if amount)


def format_amount(amount: int) -> str:
    """Format an amount for a sign: whole dollars without cents."""
    return format_money(amount).removesuffix(".00")


def _play(terms: Terms, rules: GameRules) -> list[str]:
    """Return the lines of how to play; optional wagers come in the order of the Submission."""
    offers = ["", *terms.offered]
    lines = [line for line in rules.wording.play if line.applies_to(terms.tables, terms.readings)]
    return [line.line for line in sorted(lines, key=lambda line: offers.index(line.offers))]


def _panels(terms: Terms, rules: GameRules) -> Iterator[Panel]:
    base = set(terms.game.tables_of(terms.game.required))
    settled = [item.by.paytable if isinstance(item, Wager) else item.paytable for item in terms.game.settles]
    for name in [table for offer in terms.offered for table in sorted(terms.game.tables_of(offer), key=settled.index)]:
        letter, printed = terms.letters[name], rules.paytables[name]
        pictures = rules.wording.pictures.get(name, {})
        yield Panel(
            name=name,
            title=printed.title,
            paytable="" if letter == "-" else letter,
            cite=printed.cite,
            note="; ".join(filter(None, (printed.note, _amounts(terms, name)))),
            required=name in base,
            rows=tuple(
                Row(_row_name(terms, rules, name, hand), format_pay(pay), pictures.get(hand, ()))
                for hand, pay in terms.tables[name].items()
                if not isinstance(pay, NotPaid)
            ),
        )


def _row_name(terms: Terms, rules: GameRules, table: str, row: str) -> str:
    """Return the name of a row; a reading may change it."""
    names = (name for name in rules.wording.names if (name.table, name.row) == (table, row))
    return next((name.says for name in names if meets_condition(name.when, terms.readings)), row)


def _amounts(terms: Terms, table: str) -> str:
    """Return the allowed amounts of a wager with meters, in words."""
    bounds = terms.offered.get(table)
    if bounds is None or not bounds.amounts:
        return ""
    each = ", each with meters of its own" if len(bounds.amounts) > 1 else ""
    return f"wagers of {' or '.join(map(format_amount, bounds.amounts))}{each}"


def format_pay(pay: Pay) -> str:
    """Format a pay for a sign."""
    match pay:
        case Share(percent, "meter"):
            return f"{percent}% of the meter"
        case Share(percent, meter):
            return f"{percent}% of the {meter} jackpot"
        case Push() | Loss():
            return str(pay).capitalize()
        case _:
            return _grouped(str(pay))


def _grouped(pay: str) -> str:
    """Group thousands: “1,000 to 1”."""
    number, _, rest = pay.partition(" ")
    return f"{int(number):,} {rest}"


def _envy(terms: Terms, rules: GameRules) -> Iterator[Panel]:
    for bonus in terms.game.bonuses:
        if isinstance(bonus.trigger, OnOthers) and terms.envy and bonus.on in terms.offered:
            meters = rules.meters[bonus.on]
            taken = [amount for amount in terms.offered[bonus.on].amounts if amount in terms.envy]
            assert meters.envy
            yield Panel(
                title=bonus.title,
                paytable="",
                cite=meters.envy.cite,
                note="with the wager, for each hand another player holds to the end",
                required=False,
                rows=tuple(
                    Row(f"{hand}, {format_amount(amount)} wager", format_amount(paid), ())
                    for amount in taken
                    for hand, paid in terms.envy[amount].items()
                ),
            )


def _limit(terms: Terms, rules: GameRules) -> Iterator[Notice]:
    limit = terms.game.limit
    if limit is None or terms.payout_limit is None:
        return
    tables = dict.fromkeys(wager.by.paytable for wager in terms.game.wagers if wager.name in limit.wagers)
    titles = " and ".join(rules.paytables[table].title for table in tables if table in terms.tables)
    on = "all wagers" if limit.on_all else titles
    meaning = terms.readings[LIMIT_MEANING]
    whose = "box" if meaning == "per-box" else "player"
    stake = ", the wagers returned included" if meaning == "stake-included" else ""
    text = f"Payout limit {format_amount(terms.payout_limit)} for each {whose} in each round, on {on} together{stake}."
    free = [row for table in tables if table in terms.tables for row in limit.exempt if _pays(terms, table, row)]
    yield Notice(text + (f" Not limited: {'; '.join(free)}." if free else ""), limit.sign)


def _pays(terms: Terms, table: str, row: str) -> bool:
    return not isinstance(terms.tables[table].get(row, NotPaid()), NotPaid)
