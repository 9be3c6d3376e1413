"""The meters of a table during a round: increments, wins in turn, reversal of a void."""

from collections.abc import Mapping, Sequence

import msgspec

from pitboss.errors import Mistake, hint
from pitboss.games import Balances, Hands, Line, Terms, settle
from pitboss.games.declarations import ByTable, Wager
from pitboss.games.paytable_pays import paytable_row
from pitboss.money import CENT, DOLLAR, format_money
from pitboss.progressive import meter as arithmetic
from pitboss.progressive.meter import Meter, Rule, Win
from pitboss.rulebook import Share
from pitboss.rulebook.readings import meets_condition
from pitboss.submission import Submission, terms_of


class Bank(msgspec.Struct, frozen=True):
    """All meters of a table for one amount of each wager that feeds them."""

    terms: Terms
    amounts: Mapping[str, int]
    """Amount of each wager that feeds them, in cents, by offer."""
    rules: Mapping[str, Rule]
    meters: Mapping[str, Meter]
    wins: tuple[tuple[str, Win], ...] = ()
    """Wins of this round in order, each with its meter."""
    at_reveal: Mapping[str, int] = {}
    """Balances at the turn of the dealer's hand, for meters that it won from."""
    sharing: int = 1
    unpaid: Mapping[str, int] = {}
    """Number of unpaid parts of the dealer's hand's win, by wager."""

    @property
    def shows(self) -> dict[str, int]:
        """Meter balances, in micro-cents."""
        return {name: meter.current for name, meter in self.meters.items()}


def open_bank(terms: Terms, amounts: Mapping[str, int], starting: Mapping[str, int] | None = None) -> Bank:
    """Open the meters for these amounts, in cents by offer, at their seeds or starting balances.

    `starting` is in micro-cents by meter.
    """
    rules = {}
    for offer, amount in amounts.items():
        if offer not in terms.meters:
            raise Mistake(f"No wager “{offer}” has meters here; {hint(offer, terms.meters)}")
        if amount <= 0 or amount % DOLLAR:
            raise Mistake(f"A meter's wager of {format_money(amount)} is not a whole number of dollars.")
        for name, printed in terms.meters[offer].items():
            if printed.seed is not None:
                rules[name] = Rule.of(printed, amount, terms.readings)
    start = starting or {}
    return Bank(
        terms, amounts, rules, {name: arithmetic.open_meter(rule, start.get(name)) for name, rule in rules.items()}
    )


def bank_of(submission: Submission, amounts: Mapping[str, int]) -> Bank:
    """Open the meters of a Submission for these amounts, at its starting balances."""
    starting = {
        name: start * CENT * (amounts[offer] // DOLLAR)
        for offer, offered in submission.wagers.items()
        if offer in amounts
        for name, start in offered.starting.items()
    }
    return open_bank(terms_of(submission), amounts, starting)


def accept(bank: Bank, wagers: Mapping[str, int]) -> Bank:
    """Add the increments of a box's accepted wagers to their meters."""
    for name, amount in _fed_meters(bank, wagers):
        bank = _replace_meter(bank, name, arithmetic.contribute(bank.meters[name], bank.rules[name], amount))
    return bank


def cancel(bank: Bank, wagers: Mapping[str, int]) -> Bank:
    """Remove the increments of a box's cancelled wagers.

    The reading void-increment does not apply: it concerns void rounds only.
    """
    for name, amount in _fed_meters(bank, wagers):
        rule = msgspec.structs.replace(bank.rules[name], void_kept=False)
        bank = _replace_meter(bank, name, arithmetic.undo_contribution(bank.meters[name], rule, amount))
    return bank


def void(bank: Bank, boxes: Sequence[Mapping[str, int]]) -> Bank:
    """Undo a round: put back its wins, last first, then remove the increments of every box."""
    for name, won in reversed(bank.wins):
        bank = _replace_meter(bank, name, arithmetic.take_back(bank.meters[name], won))
    for wagers in boxes:
        for name, amount in _fed_meters(bank, wagers):
            bank = _replace_meter(bank, name, arithmetic.undo_contribution(bank.meters[name], bank.rules[name], amount))
    return msgspec.structs.replace(bank, wins=(), at_reveal={}, sharing=1, unpaid={})


def reveal(bank: Bank, hands: Hands, sharing: Mapping[str, int]) -> Bank:
    """Take what the dealer's hand wins from the meters, for all wagers on it together.

    `sharing` is the number of parts for each wager that is fixed at the reveal.
    """
    for wager in bank.terms.game.at_reveal:
        boxes = sharing.get(wager.name, 0)
        if boxes < 0 or bank.unpaid.get(wager.name):
            raise Mistake(f"The {wager.title} can be revealed only once in a round, for 0 or more wagers.")
        if boxes and (won := _share_of(bank, wager, hands)):
            name, percent = won
            shown = {**bank.at_reveal, name: bank.meters[name].current}
            bank, _ = _win_share(bank, name, percent, boxes)
            bank = msgspec.structs.replace(
                bank, at_reveal=shown, sharing=boxes, unpaid={**bank.unpaid, wager.name: boxes}
            )
    return bank


def _share_of(bank: Bank, wager: Wager, hands: Hands) -> tuple[str, int] | None:
    """Return the meter that a wager wins from and the percentage, if it wins a share."""
    by = wager.by
    assert isinstance(by, ByTable)
    if by.paytable not in bank.terms.meters:
        return None
    _, pay = paytable_row(bank.terms, by.paytable, hands.together(by.places))
    if not isinstance(pay, Share):
        return None
    name = bank.terms.meter(by.paytable, pay)
    if name not in bank.meters:
        raise Mistake(f"The meter “{name}” is not open.")
    return name, pay.percent


def turn(  # noqa: PLR0913 (the parameters of `settle`)
    bank: Bank,
    hands: Hands,
    wagers: Mapping[str, int],
    decisions: Sequence[int] = (),
    *,
    won_before: int = 0,
    left: bool = False,
) -> tuple[Bank, tuple[Line, ...]]:
    """Settle one box by the current balances, and take its wins from the meters."""
    _fed_meters(bank, wagers)
    for wager in bank.terms.game.at_reveal:
        if wagers.get(wager.name) and _share_of(bank, wager, hands) and not bank.unpaid.get(wager.name):
            raise Mistake(f"The {wager.title} wins from a meter: call `reveal` first, with the number of parts.")
    balances = Balances(bank.shows, at_reveal=bank.at_reveal, sharing=bank.sharing)
    lines = settle(bank.terms, hands, wagers, decisions, balances, won_before=won_before, left=left)
    return take(bank, lines), lines


def take(bank: Bank, lines: Sequence[Line]) -> Bank:
    """Take a box's wins from the meters; `reveal` already took those of the dealer's hand."""
    for line in lines:
        bank = _take(bank, line)
    return bank


def end_round(bank: Bank) -> Bank:
    """Close the round: add waiting increments to the meters and clear the round's wins."""
    meters = {name: arithmetic.add_waiting_increments(meter) for name, meter in bank.meters.items()}
    return Bank(bank.terms, bank.amounts, bank.rules, meters)


def pay(bank: Bank, place: int) -> Bank:
    """Pay one of this round's wins, by its index, after validation."""
    name, won = bank.wins[place]
    meter = arithmetic.pay(bank.meters[name], (won.amount - won.paid) // CENT)
    return msgspec.structs.replace(
        _replace_meter(bank, name, meter), wins=(*bank.wins[:place], *bank.wins[place + 1 :])
    )


def pay_part(bank: Bank, line: Line) -> Bank:
    """Pay a box's meter win during the round; a void can still undo it."""
    due = line.pays * CENT
    places = [
        place
        for place, (name, won) in enumerate(bank.wins)
        if name == line.meter and won.each == line.pays and won.paid + due <= won.amount
    ]
    name, won = bank.wins[places[-1]]
    part = msgspec.structs.replace(won, paid=won.paid + due)
    wins = (*bank.wins[: places[-1]], (name, part), *bank.wins[places[-1] + 1 :])
    return msgspec.structs.replace(_replace_meter(bank, name, arithmetic.pay(bank.meters[name], line.pays)), wins=wins)


def take_back(bank: Bank, place: int) -> Bank:
    """Put one of this round's wins back, by its index, if it was not validated."""
    name, won = bank.wins[place]
    meter = arithmetic.take_back(bank.meters[name], won)
    return msgspec.structs.replace(
        _replace_meter(bank, name, meter), wins=(*bank.wins[:place], *bank.wins[place + 1 :])
    )


def give_back(bank: Bank, lines: Sequence[Line], *, for_good: bool) -> Bank:
    """Undo `take`: put a box's wins back on the meters, the last first.

    A part of the dealer's hand's win goes back only if `for_good`; otherwise it can be claimed again.
    """
    for line in reversed(lines):
        by = next((wager.by for wager in bank.terms.game.wagers if wager.name == line.wager), None)
        if not isinstance(by, ByTable) or not line.pays or by.paytable not in bank.terms.meters:
            continue
        names = [line.meter] if line.meter else list(bank.terms.meters[by.paytable])
        place = [place for place, (name, won) in enumerate(bank.wins) if name in names and won.each == line.pays][-1:]
        if not by.at_reveal or not isinstance(bank.terms.tables[by.paytable][line.hand], Share):
            bank = take_back(bank, place[0]) if place else bank
        elif for_good:
            bank = _return_part(bank, place[0])
        else:
            bank = msgspec.structs.replace(bank, unpaid={**bank.unpaid, line.wager: bank.unpaid[line.wager] + 1})
    return bank


def _return_part(bank: Bank, place: int) -> Bank:
    """Put back one of several equal parts; the last one also reverses the reseed."""
    name, won = bank.wins[place]
    part = Win(won.each, won.each * CENT)
    if part.amount == won.amount:
        part = won
    left = msgspec.structs.replace(won, amount=won.amount - part.amount)
    wins = (*bank.wins[:place], (name, left), *bank.wins[place + 1 :])
    return msgspec.structs.replace(_replace_meter(bank, name, arithmetic.take_back(bank.meters[name], part)), wins=wins)


def unclaimed(bank: Bank) -> Bank:
    """Put back parts of the dealer's hand's wins whose players left."""
    for wager in bank.terms.game.at_reveal:
        names = bank.terms.meters.get(wager.by.paytable, {})
        for _ in range(bank.unpaid.get(wager.name, 0)):
            bank = _return_part(bank, next(place for place, (name, _) in enumerate(bank.wins) if name in names))
    return msgspec.structs.replace(bank, unpaid={})


def paid(bank: Bank) -> Bank:
    """Pay all wins of this round."""
    while bank.wins:
        bank = pay(bank, 0)
    return bank


def _take(bank: Bank, line: Line) -> Bank:
    """Take one line's pay from its meter, unless `reveal` already did."""
    by = next((wager.by for wager in bank.terms.game.wagers if wager.name == line.wager), None)
    if not isinstance(by, ByTable) or not line.pays or by.paytable not in bank.terms.meters:
        return bank
    row = bank.terms.tables[by.paytable][line.hand]
    if isinstance(row, Share):
        if by.at_reveal:
            left = bank.unpaid[line.wager] - 1
            return msgspec.structs.replace(bank, unpaid={**bank.unpaid, line.wager: left})
        bank, won = _win_share(bank, line.meter, row.percent)
        assert won.each == line.pays, f"{line.wager} pays {line.pays}, but its meter gives {won.each}"
        return bank
    names = [name for name in bank.terms.meters[by.paytable] if name in bank.meters]
    if names and by.fixed_off_meter is not None and meets_condition(by.fixed_off_meter, bank.terms.readings):
        meter, rule = bank.meters[names[0]], bank.rules[names[0]]
        return _record_win(bank, names[0], *arithmetic.take_fixed_pay(meter, rule, line.pays))
    return bank


def _win_share(bank: Bank, name: str, percent: int, sharing: int = 1) -> tuple[Bank, Win]:
    meter, won = arithmetic.take_win(bank.meters[name], bank.rules[name], percent, sharing)
    return _record_win(bank, name, meter, won), won


def _record_win(bank: Bank, name: str, meter: Meter, won: Win) -> Bank:
    """Record a win of this round, so that a void can undo it."""
    return msgspec.structs.replace(_replace_meter(bank, name, meter), wins=(*bank.wins, (name, won)))


def _fed_meters(bank: Bank, wagers: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return the meters that these wagers feed, with the amounts; reject amounts of another bank."""
    feeding = []
    for wager in bank.terms.game.wagers:
        amount = wagers.get(wager.name, 0)
        names = [name for name in bank.terms.meters.get(wager.by.paytable, {}) if name in bank.meters]
        if amount and names and amount != bank.amounts[wager.offer]:
            taken = format_money(bank.amounts[wager.offer])
            raise Mistake(f"These meters are for a {wager.title} wager of {taken}, not {format_money(amount)}.")
        feeding += [(name, amount) for name in names if amount]
    return feeding


def _replace_meter(bank: Bank, name: str, meter: Meter) -> Bank:
    return msgspec.structs.replace(bank, meters={**bank.meters, name: meter})
