"""The meters of a table in one round: increments when wagers close, wins in turn, reversal of a void."""

from collections.abc import Mapping, Sequence

import msgspec

from pitboss.games import Balances, Hands, Line, Terms, settle
from pitboss.games.declare import ByTable
from pitboss.progressive import meter as arithmetic
from pitboss.progressive.meter import Meter, Rule
from pitboss.rulebook import Share
from pitboss.rulebook.readings import chosen


class Bank(msgspec.Struct, frozen=True):
    """Every meter of a table, for one amount of each wager that feeds them."""

    terms: Terms
    rules: Mapping[str, Rule]
    meters: Mapping[str, Meter]
    at_reveal: Mapping[str, int] = {}
    """What each meter showed when the dealer's hand was turned, where that hand won off it."""
    sharing: int = 1

    @property
    def shows(self) -> dict[str, int]:
        """What each meter shows, in micro-cents."""
        return {name: meter.current for name, meter in self.meters.items()}


def open_bank(terms: Terms, amounts: Mapping[str, int], starting: Mapping[str, int] | None = None) -> Bank:
    """Open the meters of wagers of these amounts, in cents by offer; at their seeds, or what they start with."""
    rules = {
        name: Rule.of(printed, amounts[table], dict(terms.readings))
        for table, meters in terms.meters.items()
        if table in amounts
        for name, printed in meters.items()
        if printed.seed is not None
    }
    start = starting or {}
    return Bank(terms, rules, {name: arithmetic.opened(rule, start.get(name)) for name, rule in rules.items()})


def accept(bank: Bank, wagers: Mapping[str, int]) -> Bank:
    """Put the increments of one box's accepted wagers on their meters."""
    for name, amount in _feeding(bank, wagers):
        bank = _with(bank, name, arithmetic.contribute(bank.meters[name], bank.rules[name], amount))
    return bank


def void(bank: Bank, wagers: Mapping[str, int]) -> Bank:
    """Undo the increments of one box's wagers: its round is void."""
    for name, amount in _feeding(bank, wagers):
        bank = _with(bank, name, arithmetic.void(bank.meters[name], bank.rules[name], amount))
    return bank


def reveal(bank: Bank, hands: Hands, sharing: Mapping[str, int]) -> Bank:
    """Turn the dealer's hand: what it wins off a meter is taken now, for all who wagered on it together.

    `sharing` says how many boxes have each wager that is measured at the reveal.
    """
    for wager in bank.terms.game.wagers:
        by = wager.by
        if isinstance(by, ByTable) and by.at_reveal and sharing.get(wager.name):
            table, ranking = bank.terms.tables[by.paytable], bank.terms.rankings[by.paytable]
            pay = table.get(bank.terms.evaluators[ranking](hands.together(by.places)).hand.name)
            if isinstance(pay, Share):
                name = bank.terms.meter(by.paytable, pay)
                shown = {**bank.at_reveal, name: bank.meters[name].current}
                won, _ = arithmetic.win(bank.meters[name], bank.rules[name], pay.percent, sharing[wager.name])
                bank = msgspec.structs.replace(_with(bank, name, won), at_reveal=shown, sharing=sharing[wager.name])
    return bank


def turn(
    bank: Bank, hands: Hands, wagers: Mapping[str, int], decisions: Sequence[int] = ()
) -> tuple[Bank, tuple[Line, ...]]:
    """Settle one box at its turn, by what the meters show then, and take what it wins off them."""
    lines = settle(
        bank.terms, hands, wagers, decisions, Balances(bank.shows, at_reveal=bank.at_reveal, sharing=bank.sharing)
    )
    for line in lines:
        bank = _take(bank, line)
    return bank, lines


def end_round(bank: Bank) -> Bank:
    """Close the round: what waited is on the meters, and no dealer's hand is turned."""
    meters = {name: arithmetic.next_round(meter) for name, meter in bank.meters.items()}
    return Bank(bank.terms, bank.rules, meters)


def _take(bank: Bank, line: Line) -> Bank:
    """Take one line's pay off its meter, unless it was taken when the dealer's hand was turned."""
    by = next((wager.by for wager in bank.terms.game.wagers if wager.name == line.wager), None)
    if not isinstance(by, ByTable) or not line.pays or by.paytable not in bank.terms.meters:
        return bank
    pay = bank.terms.tables[by.paytable][line.hand]
    if isinstance(pay, Share):
        if by.at_reveal and line.meter in bank.at_reveal:
            return bank
        won, due = arithmetic.win(bank.meters[line.meter], bank.rules[line.meter], pay.percent)
        assert due == line.pays, f"{line.wager} pays {line.pays}, but its meter gives {due}"
        return _with(bank, line.meter, won)
    if by.fixed_off_meter is not None and chosen(by.fixed_off_meter, bank.terms.readings):
        name = next(name for name in bank.terms.meters[by.paytable] if name in bank.meters)
        return _with(bank, name, arithmetic.pay_fixed(bank.meters[name], line.pays))
    return bank


def _feeding(bank: Bank, wagers: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return the meters that these wagers feed, each with the amount."""
    return [
        (name, wagers[wager.name])
        for wager in bank.terms.game.wagers
        if wagers.get(wager.name)
        for name in bank.terms.meters.get(wager.by.paytable, {})
        if name in bank.meters
    ]


def _with(bank: Bank, name: str, meter: Meter) -> Bank:
    return msgspec.structs.replace(bank, meters={**bank.meters, name: meter})
