"""Terms: one game as one table plays it, with every choice made; `settle` reads them."""

from collections.abc import Collection, Mapping
from typing import Final

import msgspec

from pitboss.errors import Mistake
from pitboss.games.declarations import ByTable, Game, OnOthers
from pitboss.money import parse_money
from pitboss.ranking import Evaluator, evaluator
from pitboss.rulebook import Meter, Rulebook, Share
from pitboss.rulebook.paytables import Table
from pitboss.rulebook.readings import Choice

SINGLE_PAYTABLE: Final = "-"
"""Stands for the letter where a wager has only one paytable."""


class Bounds(msgspec.Struct, frozen=True):
    """Allowed amounts of one wager, in cents: a range, or a list."""

    minimum: int = 0
    maximum: int | None = None
    amounts: tuple[int, ...] = ()


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """One game with its paytables, readings and limits chosen; money in cents."""

    game: Game
    """The declaration under these readings."""
    readings: Mapping[str, str]
    """The chosen option of every reading."""
    letters: Mapping[str, str]
    """The letter of every paytable in play."""
    tables: Mapping[str, Table]
    evaluators: Mapping[str, Evaluator]
    """By the name of the ranking."""
    rankings: Mapping[str, str]
    """Ranking of each paytable; empty where every hand is paid alike."""
    meters: Mapping[str, Mapping[str, Meter]]
    """Meters by paytable and name."""
    envy: Mapping[int, Mapping[str, int]]
    """Envy Bonus: fixed sums by hand, for each amount of the receiver's wager; empty without one."""
    offered: Mapping[str, Bounds]
    unit: int
    payout_limit: int | None = None

    def meter(self, paytable: str, share: Share) -> str:
        """Return the name of the meter that a share is paid from."""
        names = [name for name, meter in self.meters[paytable].items() if meter.seed is not None]
        return names[0] if share.meter == "meter" else share.meter


def agree(  # noqa: PLR0913 (one keyword per choice)
    game: Game,
    book: Rulebook,
    *,
    offered: Mapping[str, Bounds],
    letters: Mapping[str, str],
    readings: Choice,
    unit: int,
    payout_limit: int | None = None,
    bonuses: Collection[str] = (),
) -> Terms:
    """Return the terms for these choices: offered wagers, paytable letters, readings, limits.

    `bonuses` lists, by paytable, the optional bonuses that the operator offers.
    """
    for cite in sorted(game.cites):
        book.cite(cite)
    options = book.options(readings)
    under = game.under(options).with_bonuses(bonuses)
    rules = book.game(game.name)
    chosen = {
        table: letter for offer in offered for table, letter in paytable_letters(under, book, offer, letters).items()
    }
    meters = {name: rules.meters[name].paytables[letter] for name, letter in chosen.items() if name in rules.meters}
    return Terms(
        game=under,
        readings=options,
        letters=chosen,
        tables={name: book.paytable(game.name, name, letter, readings) for name, letter in chosen.items()},
        evaluators={name: evaluator(book.ranking(game.name, name, readings)) for name in _rankings(under, book)},
        rankings={name: rules.paytables[name].ranking for name in chosen},
        meters=meters,
        envy=_envy(under, book, chosen, options),
        offered=offered,
        unit=unit,
        payout_limit=payout_limit,
    )


def paytable_with_letters(game: Game, book: Rulebook, offer: str) -> str | None:
    """Return the paytable of an offered wager that comes in several letters, if one does."""
    paytables = book.game(game.name).paytables
    return next((name for name in game.tables_of(offer) if SINGLE_PAYTABLE not in paytables[name].printed), None)


def paytable_letters(game: Game, book: Rulebook, offer: str, letters: Mapping[str, str]) -> dict[str, str]:
    """Return the letter of every paytable of an offered wager."""
    tables, choice = dict.fromkeys(game.tables_of(offer), SINGLE_PAYTABLE), paytable_with_letters(game, book, offer)
    letter = letters.get(offer, SINGLE_PAYTABLE)
    if choice is None:
        if letter != SINGLE_PAYTABLE:
            raise Mistake(f"{offer}: the chapter has a single paytable for it; give no letter.")
        return tables
    printed = book.game(game.name).paytables[choice]
    if letter not in printed.printed:
        problem = f"unknown Paytable {letter}" if letter != SINGLE_PAYTABLE else "the paytable is missing"
        raise Mistake(f"{offer}: {problem}; choose {', '.join(printed.printed)} of {printed.cite}.")
    return {**tables, choice: letter}


def _rankings(game: Game, book: Rulebook) -> set[str]:
    """Return the names of all rankings that a settlement of this game can need."""
    paytables = book.game(game.name).paytables
    names = {paytables[wager.by.paytable].ranking for wager in game.wagers}
    names |= {bonus.trigger.ranking for bonus in game.bonuses if isinstance(bonus.trigger, OnOthers)}
    if game.contest:
        names |= {game.contest.ranking, game.contest.qualifying}
    return names - {""}


def _envy(
    game: Game, book: Rulebook, letters: Mapping[str, str], options: Mapping[str, str]
) -> dict[int, dict[str, int]]:
    """Return the fixed sums of the Envy Bonus, if the chosen paytable has one."""
    for bonus in game.bonuses:
        if isinstance(bonus.trigger, OnOthers):
            by = game.wager(bonus.on).by
            assert isinstance(by, ByTable)
            envy = book.game(game.name).meters[by.paytable].envy
            if envy and letters.get(by.paytable) in envy.under(options):
                by_wager = {parse_money(wager): sums for wager, sums in envy.pays.items()}
                return {
                    wager: {hand: amount.cents(wager) for hand, amount in sums.items()}
                    for wager, sums in by_wager.items()
                }
    return {}
