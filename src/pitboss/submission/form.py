"""All choices that a Submission of a game can make, as data. A screen draws its form from this and knows no rules."""

from collections.abc import Iterator
from typing import Final

import msgspec

from pitboss.games import GAMES, Game
from pitboss.games.terms import paytable_with_letters
from pitboss.money import DOLLAR, parse_money
from pitboss.rulebook import GameRules, Meter, Meters, NotPaid, Paytables, rulebook
from pitboss.rulebook.grounds import Ground
from pitboss.rulebook.meters import Envy
from pitboss.submission.approvals import kinds
from pitboss.submission.choices import Choices, choices_of
from pitboss.submission.model import Dealing, Link, Shuffler
from pitboss.submission.parser import parse, text_of
from pitboss.submission.signs import format_pay
from pitboss.submission.terms import ABANDONED
from pitboss.submission.titles import offer_title


class Option(msgspec.Struct, frozen=True):
    """One option of a choice: its value in the Submission, and its meaning."""

    value: str
    words: str
    cite: str = ""


class Range(msgspec.Struct, frozen=True):
    """The range of a whole number; without an upper end if the chapter has none."""

    least: int
    most: int | None
    cite: str


class PrintedRow(msgspec.Struct, frozen=True):
    """One row of a paytable: a hand and its pay."""

    hand: str
    pays: str


class PrintedMeter(msgspec.Struct, frozen=True):
    """A meter of a paytable as the chapter prints it; amounts are per dollar of the wager."""

    name: str
    seed: str
    seed_cents: int
    """The lowest starting amount."""
    reseed: str
    primary: str
    reserve: str


class PrintedPaytable(msgspec.Struct, frozen=True, kw_only=True):
    """One paytable as the chapter prints it; the letter is empty if it is the only one."""

    letter: str
    rows: tuple[PrintedRow, ...]
    meters: tuple[PrintedMeter, ...] = ()
    envy: bool = False
    """Whether it includes an Envy Bonus under the default readings."""
    linked: bool = True
    """Whether its meters may be linked with other games."""


class WagerTables(msgspec.Struct, frozen=True, kw_only=True):
    """The paytables of a wager or of a bonus on it."""

    name: str
    title: str
    note: str
    cite: str
    choice: bool
    """Whether the Submission must name the letter, in its key `paytable`."""
    paytables: tuple[PrintedPaytable, ...]


class EnvySum(msgspec.Struct, frozen=True):
    """The Envy Bonus for another player's hand, by the amount wagered; in cents."""

    wager: int
    hand: str
    pays: int


class MeterForm(msgspec.Struct, frozen=True, kw_only=True):
    """The choices of a wager with meters: it has fixed amounts instead of a minimum and maximum."""

    cite: str
    amounts_of: int
    """Every amount is a multiple of this, in cents."""
    links: tuple[Option, ...]
    validated: tuple[Range, ...]
    """The pay for 1 from which a floorperson validates; the first applies unless a reading is changed."""
    envy: tuple[EnvySum, ...]


class WagerForm(msgspec.Struct, frozen=True, kw_only=True):
    """The choices of one wager that may be offered."""

    offer: str
    """Its key in the Submission: [wagers.…]."""
    title: str
    cite: str
    required: bool
    comes_with: tuple[str, ...]
    """Later wagers that follow from this one."""
    tables: tuple[WagerTables, ...]
    meters: MeterForm | None
    """None for a wager with a minimum and maximum."""
    bonuses: tuple[Option, ...]
    """Optional bonuses; the Submission says how often an offered one is drawn."""


class PayoutLimit(msgspec.Struct, frozen=True):
    """The aggregate payout limit that a Submission may set; at least the floor, in cents."""

    floor: int
    cite: str
    wagers: tuple[str, ...]
    exempt: tuple[str, ...]


class ReadingForm(msgspec.Struct, frozen=True, kw_only=True):
    """A question that the chapter leaves open; the default applies unless the Submission chooses."""

    id: str
    question: str
    clauses: tuple[str, ...]
    options: tuple[Option, ...]
    default: str
    evidence: str


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """All choices for one game."""

    game: str
    title: str
    chapter: str
    edition: str
    accent: str
    about: str
    seats: Range
    boxes: Range
    decks: Range
    dealing: tuple[Option, ...]
    shufflers: tuple[Option, ...]
    payout_limit: PayoutLimit | None
    abandoned_wagers: tuple[Option, ...]
    wagers: tuple[WagerForm, ...]
    readings: tuple[ReadingForm, ...]
    approvals: tuple[Option, ...]
    """The approvals that a table can need for real money, by their keys under [approvals]."""
    start: Choices
    """The initial state of the form: everything the chapter allows, every wager at Paytable A."""


_DEALING: Final = {
    Dealing.MANUAL_SHOE: Ground.MANUAL_SHOE,
    Dealing.HAND: Ground.HAND,
    Dealing.AUTOMATED_SHOE: Ground.AUTOMATED_SHOE,
}
_SHUFFLERS: Final = {
    Shuffler.NONE: ("None: the dealer shuffles", Ground.SHUFFLE),
    Shuffler.AUTOMATED: ("An automated card shuffling device", Ground.SHUFFLE),
    Shuffler.COUNTING: ("An automated card shuffling device that counts the cards", Ground.SHUFFLER_COUNT),
    Shuffler.APPROVED_DEVICE: (
        "A device that reshuffles and counts by itself, where the Board approved it",
        Ground.APPROVED_DEVICE,
    ),
}
_LINKS: Final = {
    Link.NO: "This table alone",
    Link.TABLES: "Tables of this game share the meters",
    Link.GAMES: "Tables of several games share the meters",
}


def form_of(name: str) -> Form:
    """Return the form of a game."""
    rules = rulebook().game(name)
    game, chapter, grounds = GAMES[name], rules.chapter, rules.chapter.grounds
    start, _ = parse(text_of(f"{name}-standard"), name)
    assert start is not None, "the preset did not parse"
    return Form(
        game=name,
        title=chapter.title,
        chapter=chapter.id,
        edition=chapter.edition,
        accent=chapter.head.accent,
        about=chapter.head.about,
        seats=Range(1, game.seats, grounds[Ground.SEATS]),
        boxes=Range(1, game.seats, grounds[Ground.BOXES]),
        decks=Range(1, 2, grounds[Ground.DECKS]),
        dealing=tuple(Option(way, _dealing_words(way), grounds[role]) for way, role in _DEALING.items()),
        shufflers=tuple(Option(kind, words, grounds[role]) for kind, (words, role) in _SHUFFLERS.items()),
        payout_limit=_limit(game),
        abandoned_wagers=tuple(
            Option(option, words, grounds[Ground.ABANDONED])
            for option, words in rulebook().reading(ABANDONED).options.items()
        ),
        wagers=tuple(_wagers(game, rules)),
        readings=tuple(_readings(chapter.id)),
        approvals=tuple(Option(needed.kind, needed.words, needed.cite) for needed in kinds(chapter.game)),
        start=choices_of(start),
    )


def _dealing_words(way: Dealing) -> str:
    return f"{way.words.capitalize()}{'; an automated device shuffles' if way is Dealing.HAND else ''}"


def _limit(game: Game) -> PayoutLimit | None:
    limit = game.limit
    return PayoutLimit(limit.floor, limit.cite, limit.wagers, limit.exempt) if limit else None


def _wagers(game: Game, rules: GameRules) -> Iterator[WagerForm]:
    for offer in dict.fromkeys(wager.offer for wager in game.initial):
        own = [wager for wager in game.initial if wager.offer == offer]
        names = {wager.name for wager in own}
        later = [decision.wager for decision in game.decisions if decision.on in names]
        meters = rules.meters.get(offer)
        yield WagerForm(
            offer=offer,
            title=offer_title(game.name, offer),
            cite=own[0].cite,
            required=game.required in names,
            comes_with=tuple(game.wager(name).title for name in later),
            tables=tuple(_tables(game, rules, offer)),
            meters=_meter_form(meters) if meters else None,
            bonuses=tuple(
                {
                    bonus.paytable: Option(bonus.paytable, rules.paytables[bonus.paytable].title, bonus.may_be_left_out)
                    for bonus in game.bonuses
                    if bonus.on in names and bonus.may_be_left_out
                }.values()
            ),
        )


def _tables(game: Game, rules: GameRules, offer: str) -> Iterator[WagerTables]:
    choice, meters = paytable_with_letters(game, rulebook(), offer), rules.meters.get(offer)
    for name in game.tables_of(offer):
        printed = rules.paytables[name]
        yield WagerTables(
            name=name,
            title=printed.title,
            note=printed.note,
            cite=str(printed.cite),
            choice=name == choice,
            paytables=tuple(_printed_paytable(printed, letter, meters) for letter in printed.printed),
        )


def _printed_paytable(tables: Paytables, letter: str, meters: Meters | None) -> PrintedPaytable:
    printed_meters = meters.paytables.get(letter, {}) if meters and meters.wager == tables.wager else {}
    return PrintedPaytable(
        letter="" if letter == "-" else letter,
        rows=tuple(
            PrintedRow(hand, format_pay(pay))
            for hand, pay in tables.printed[letter].items()
            if not isinstance(pay, NotPaid)
        ),
        meters=tuple(_meter(name, meter) for name, meter in printed_meters.items() if meter.seed is not None),
        envy=bool(printed_meters and meters and meters.envy and letter in meters.envy.paytables),
        linked=not (meters and meters.not_linked and letter in meters.not_linked.paytables),
    )


def _meter(name: str, meter: Meter) -> PrintedMeter:
    seed = meter.seed.cents(DOLLAR) if meter.seed else 0
    shown = ("" if part is None else str(part) for part in (meter.reseed, meter.primary, meter.reserve))
    return PrintedMeter(name, str(meter.seed), seed, *shown)


def _meter_form(meters: Meters) -> MeterForm:
    barred = meters.not_linked
    return MeterForm(
        cite=str(meters.cite),
        amounts_of=DOLLAR,
        links=tuple(
            Option(link, words, str(barred.cite) if barred and link is Link.GAMES else "")
            for link, words in _LINKS.items()
        ),
        validated=tuple(Range(1, rule.pays, str(rule.cite)) for rule in meters.validated),
        envy=tuple(_envy(meters.envy)) if meters.envy else (),
    )


def _envy(envy: Envy) -> Iterator[EnvySum]:
    for wager, sums in envy.pays.items():
        own = parse_money(wager)
        yield from (EnvySum(own, hand, amount.cents(own)) for hand, amount in sums.items())


def _readings(chapter: str) -> Iterator[ReadingForm]:
    """Yield a chapter's readings with more than one option, except the one that [table] answers."""
    for reading in rulebook().readings.values():
        own = any(cite.chapter == chapter for cite in reading.clauses)
        if own and len(reading.options) > 1 and reading.id != ABANDONED:
            yield ReadingForm(
                id=reading.id,
                question=reading.question,
                clauses=tuple(map(str, reading.clauses)),
                options=tuple(Option(value, words) for value, words in reading.options.items()),
                default=reading.default,
                evidence=reading.evidence,
            )
