"""`settle`: one settlement for every game, from cards, wagers and decisions to lines of money with clauses.

`settle` is pure. It reads the game's declaration and the paytables of the terms; it has no rule or payout of
its own.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from pitboss.cards import Card
from pitboss.errors import Mistake
from pitboss.games.declarations import (
    LIMIT_DIVISION,
    LIMIT_MEANING,
    METER_PAY_STAKE,
    Bonus,
    ByTable,
    Limit,
    OnLuck,
    OnMatch,
    OnOthers,
    OnResult,
    Outcome,
    Result,
    Verdict,
    Wager,
)
from pitboss.games.hand_names import describe_hand
from pitboss.games.settlement_inputs import (
    FOLD,
    Balances,
    Hands,
    meter_key,
    require_valid_inputs,
    require_valid_money,
    stakes,
)
from pitboss.games.terms import Terms
from pitboss.money import CENT, format_money, meter_share
from pitboss.rulebook import ForOne, Odds, Pay, Push, Share
from pitboss.rulebook.paytables import pay_row
from pitboss.rulebook.readings import meets_condition

FROM_THE_TOTAL: Final = "from-the-total"


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one wager, or one bonus without a stake; money in cents."""

    wager: str
    outcome: Outcome
    stake: int
    returned: int = 0
    pays: int = 0
    cite: str
    why: str
    hand: str = ""
    """The row of the paytable that paid."""
    meter: str = ""
    """The meter that pays, if it is not the table."""

    @property
    def net(self) -> int:
        """The patron's gain or loss."""
        return self.returned + self.pays - self.stake

    def as_json(self) -> dict[str, str | int]:
        """Return the line as `--format json` prints it."""
        shown = {name: getattr(self, name) for name in ("wager", "outcome", "stake", "returned", "pays", "net")}
        return {**shown, "cite": str(self.cite), "why": self.why}


class _EarlyOutcome(msgspec.Struct, frozen=True):
    """The result of a wager that ends before the showdown: folded, or abandoned."""

    outcome: Outcome
    cite: str
    why: str


class _Showdown(msgspec.Struct, frozen=True):
    """Result of the contest."""

    result: Result
    verdict: Verdict
    why: str


def settle(  # noqa: PLR0913 (everything that a settlement depends on)
    terms: Terms,
    hands: Hands,
    wagers: Mapping[str, int],
    decisions: Sequence[int] = (),
    meters: Balances = Balances(),  # noqa: B008 (frozen)
    *,
    won_before: int = 0,
    left: bool = False,
) -> tuple[Line, ...]:
    """Settle one box: a line for everything staked or paid, in the order the chapter settles it.

    A decision is the multiple wagered, or `FOLD`. `won_before` is the amount that the payout limit already
    counts for the patron's other boxes in this round. An open decision of a player who `left` is a fold; the
    reading abandoned-wagers decides about the wagers that a fold does not forfeit.
    """
    undecided = left and FOLD not in decisions and len(decisions) < len(terms.game.decisions)
    if undecided:
        decisions = (*decisions, FOLD)
    require_valid_inputs(terms, hands, wagers, decisions)
    require_valid_money(meters, won_before)
    why = "Forfeited: the player left without deciding." if undecided else "Forfeited by the fold."
    lost = _leave_outcomes(terms) if left else {}
    gone = {**lost, **_fold_outcomes(terms, decisions, why)}
    lines = tuple(_lines(terms, hands, stakes(terms, wagers, decisions), gone, _Purse(meters), without=lost))
    return _apply_payout_limit(terms, lines, 0 if terms.readings.get(LIMIT_MEANING) == "per-box" else won_before)


def _fold_outcomes(terms: Terms, decisions: Sequence[int], why: str) -> dict[str, _EarlyOutcome]:
    """Return the wagers that a fold forfeits."""
    if FOLD not in decisions:
        return {}
    gone = _EarlyOutcome(Outcome.FORFEITED, terms.game.decisions[len(decisions) - 1].cite, why)
    return {wager.name: gone for wager in terms.game.wagers if not wager.survives_fold}


def _leave_outcomes(terms: Terms) -> dict[str, _EarlyOutcome]:
    """Return the wagers that a player loses by leaving, under the reading abandoned-wagers."""
    policy = terms.readings["abandoned-wagers"]
    gone = _EarlyOutcome(Outcome.LOSE, terms.game.left_cite, "The player left. The wager loses.")
    optional = {wager.name for wager in terms.game.initial} - {terms.game.required}
    every = {wager.name for wager in terms.game.wagers}
    lost = {"all-lose": every, "required-lose-optional-play-out": every - optional}.get(policy, set())
    return dict.fromkeys(lost, gone)


def _limit_applies(limit: Limit, line: Line) -> bool:
    """Whether the payout limit applies to a line."""
    return line.wager in limit.wagers and line.hand not in limit.exempt


def limit_counts(terms: Terms, lines: Sequence[Line]) -> int:
    """Return the amount of these lines that counts towards the payout limit."""
    limit = terms.game.limit
    if limit is None:
        return 0
    with_stake = terms.readings.get(LIMIT_MEANING) == "stake-included"
    capped = (line for line in lines if _limit_applies(limit, line))
    paid = sum(line.pays + (line.returned if with_stake and line.outcome is Outcome.WIN else 0) for line in capped)
    return paid + sum(line.pays for line in lines if line.outcome is Outcome.LIMITED)


def _lines(  # noqa: PLR0913 (everything that a settlement depends on)
    terms: Terms,
    hands: Hands,
    placed: Mapping[str, int],
    gone: Mapping[str, _EarlyOutcome],
    purse: "_Purse",
    *,
    without: Collection[str],
) -> Iterator[Line]:
    """Yield the line of every wager and bonus; wagers lost by leaving, `without`, earn no bonus."""
    showdown = None if terms.game.required in gone else _showdown(terms, hands)
    for item in terms.game.settles:
        stake = placed.get(item.on if isinstance(item, Bonus) else item.name, 0)
        if not stake:
            continue
        if isinstance(item, Bonus):
            # A folded player still gets Envy; a player whose wager lost by leaving does not.
            if item.on not in without and not _is_blocked_by_own_loss(terms, item, hands, gone):
                yield from _bonus_lines(terms, item, hands, stake, showdown)
        elif end := gone.get(item.name):
            yield _line(item, stake, end.outcome, end.cite, end.why)
        elif isinstance(item.by, ByTable):
            yield _table_line(terms, item, item.by, hands, stake, purse)
        elif showdown:
            yield _contest_line(terms, item, hands, stake, showdown)


def _is_blocked_by_own_loss(terms: Terms, bonus: Bonus, hands: Hands, gone: Mapping[str, _EarlyOutcome]) -> bool:
    """Whether a reading denies a bonus for others' hands because the player's own wager does not win."""
    by = terms.game.wager(bonus.on).by
    if not (isinstance(bonus.trigger, OnOthers) and isinstance(by, ByTable)):
        return False
    if not meets_condition(bonus.trigger.after_own_win, terms.readings):
        return False
    _, pay = paytable_row(terms, by.paytable, hands.together(by.places))
    return bonus.on in gone or not isinstance(pay, Odds | ForOne | Share)


def _showdown(terms: Terms, hands: Hands) -> _Showdown | None:
    contest = terms.game.contest
    if contest is None:
        return None
    cards = [hands.together(places) for places in (contest.player, contest.dealer)]
    player, dealer = (terms.evaluators[contest.ranking](held) for held in cards)
    if contest.qualifying and _is_last(terms, contest.qualifying, cards[1]):
        result = Result.UNQUALIFIED
    elif player.order != dealer.order:
        result = Result.WIN if player.order > dealer.order else Result.LOSE
    else:
        result = Result.TIE
    if result is Result.LOSE and contest.bad_beat:
        _, pay = pay_row(terms.tables[contest.bad_beat], player.hand)
        result = Result.BAD_BEAT if isinstance(pay, Odds) else result
    verdict = contest.verdicts[result]
    words = verdict.why.format(player=describe_hand(player.hand, cards[0]), dealer=describe_hand(dealer.hand, cards[1]))
    return _Showdown(result, verdict, words[0].upper() + words[1:])


def _is_last(terms: Terms, ranking: str, cards: Sequence[Card]) -> bool:
    evaluate = terms.evaluators[ranking]
    return evaluate(cards).hand is evaluate.ranking.hands[-1]


def _contest_line(terms: Terms, wager: Wager, hands: Hands, stake: int, showdown: _Showdown) -> Line:
    outcome, cite = showdown.verdict.outcomes[wager.name], showdown.verdict.cite
    if outcome is not Outcome.WIN:
        return _line(wager, stake, outcome, cite, f"{showdown.why}.", returned=stake * (outcome is Outcome.RETURNED))
    assert terms.game.contest
    verdict, paytable = showdown.verdict, wager.by.paytable
    if meets_condition(verdict.paid_when, terms.readings):
        paytable = verdict.paid_by.get(wager.name, paytable)
    name, pay = paytable_row(terms, paytable, hands.together(terms.game.contest.player))
    assert isinstance(pay, Odds), f"{wager.name} wins, but its table pays {pay}"
    why = f"{showdown.why}; pays {pay}."
    return _line(wager, stake, outcome, cite, why, returned=stake, pays=_odds(pay, stake), hand=name)


def _table_line(terms: Terms, wager: Wager, by: ByTable, hands: Hands, stake: int, purse: "_Purse") -> Line:  # noqa: PLR0913, PLR0917 (everything that a line depends on)
    name, pay = paytable_row(terms, by.paytable, hands.together(by.places))
    match pay:
        case Odds():
            why = f"{name} pays {pay}."
            paid = _odds(pay, stake)
            return _line(wager, stake, Outcome.WIN, by.wins, why, returned=stake, pays=paid, hand=name)
        case ForOne():
            why = f"{name} pays {pay}."
            return _line(wager, stake, Outcome.WIN, by.wins, why, pays=pay.pays * stake, hand=name)
        case Share():
            meter = terms.meter(by.paytable, pay)
            paid, shown = purse.take(meter, stake, pay.percent, at_reveal=by.at_reveal)
            why = f"{name} pays {pay.percent}% of the {meter} meter, {shown}."
            back = stake if terms.readings.get(METER_PAY_STAKE) == "returned" else 0
            off = meter if paid else ""
            return _line(wager, stake, Outcome.WIN, by.wins, why, returned=back, pays=paid, hand=name, meter=off)
        case Push():
            return _line(wager, stake, Outcome.PUSH, by.wins, f"{name}. Pushes.", returned=stake, hand=name)
        case _:
            hand = "No paying hand" if name == "Less" else name
            return _line(wager, stake, Outcome.LOSE, by.loses, f"{hand}. Loses.")


def _bonus_lines(terms: Terms, bonus: Bonus, hands: Hands, stake: int, showdown: _Showdown | None) -> Iterator[Line]:
    match bonus.trigger:
        case OnResult(results):
            if showdown is None or showdown.result not in results:
                return
            contest = terms.game.contest
            assert contest
            name, pay = paytable_row(terms, bonus.paytable, hands.together(contest.player))
            if isinstance(pay, Odds | ForOne):
                yield _bonus_line(bonus, _fixed_pay(pay, stake), f"{name} pays {pay} of the {bonus.on}.", name)
        case OnMatch(place):
            if hands.magic in hands.cards[place]:
                yield _system_bonus_line(
                    terms, bonus, stake, f"{hands.magic.pretty if hands.magic else ''} is in the hand"
                )
        case OnLuck(place):
            if place in hands.lucky:
                yield _system_bonus_line(terms, bonus, stake, f"The {place}'s position was drawn")
        case OnOthers() as trigger:
            hand_names = _hands_of_others(terms, trigger, hands)
            sums = terms.envy.get(stake, {})
            if paid := [(name, sums[name]) for name in hand_names if name in sums]:
                why = ", ".join(f"another player's {name.lower()} pays {format_money(amount)}" for name, amount in paid)
                yield _bonus_line(bonus, sum(amount for _, amount in paid), f"{why[0].upper()}{why[1:]}.")


def _hands_of_others(terms: Terms, trigger: OnOthers, hands: Hands) -> list[str]:
    def counts(choice: Mapping[str, str]) -> bool:
        return all(terms.readings[name] == option for name, option in choice.items())

    folded, without = counts(trigger.folded), counts(trigger.without_wager)
    entitle = (other for other in hands.others if (folded or not other.folded) and (without or other.wagered))
    return [terms.evaluators[trigger.ranking](other.cards).hand.name for other in entitle]


def _system_bonus_line(terms: Terms, bonus: Bonus, stake: int, why: str) -> Line:
    ((name, pay),) = terms.tables[bonus.paytable].items()
    assert isinstance(pay, Odds | ForOne)
    return _bonus_line(bonus, _fixed_pay(pay, stake), f"{why}; pays {pay}.", name)


def paytable_row(terms: Terms, paytable: str, cards: Sequence[Card]) -> tuple[str, Pay]:
    """Return the paytable row for these cards, and its pay."""
    table = terms.tables[paytable]
    ranking = terms.rankings[paytable]
    if not ranking:
        ((row, pay),) = table.items()
        return row, pay
    return pay_row(table, terms.evaluators[ranking](cards).hand)


def _fixed_pay(pay: Odds | ForOne, base: int) -> int:
    return _odds(pay, base) if isinstance(pay, Odds) else pay.pays * base


def _odds(pay: Odds, stake: int) -> int:
    paid, rest = divmod(stake * pay.wins, pay.per)
    if rest:
        raise Mistake(f"{pay} on {format_money(stake)} is not whole cents; wager a multiple of {pay.per} cents.")
    return paid


def _line(  # noqa: PLR0913 (the columns)
    wager: Wager,
    stake: int,
    outcome: Outcome,
    cite: str,
    why: str,
    *,
    returned: int = 0,
    pays: int = 0,
    hand: str = "",
    meter: str = "",
) -> Line:
    return Line(
        wager=wager.name,
        outcome=outcome,
        stake=stake,
        returned=returned,
        pays=pays,
        cite=cite,
        why=why,
        hand=hand,
        meter=meter,
    )


def _bonus_line(bonus: Bonus, pays: int, why: str, hand: str = "") -> Line:
    return Line(wager=bonus.name, outcome=Outcome.BONUS, stake=0, pays=pays, cite=bonus.cite, why=why, hand=hand)


def _apply_payout_limit(terms: Terms, lines: tuple[Line, ...], won_before: int) -> tuple[Line, ...]:
    """Subtract the excess over the payout limit, in a line of its own or from the limited wagers."""
    limit, most = terms.game.limit, terms.payout_limit
    if limit is None or most is None:
        return lines
    counted = limit_counts(terms, lines)
    pays = sum(line.pays for line in lines if _limit_applies(limit, line))
    excess = min(pays, won_before + counted - most)  # the limit covers payouts, never stakes
    if excess <= 0:
        return lines
    whose = "box" if terms.readings.get(LIMIT_MEANING) == "per-box" else "player"
    why = f"The payout limit is {format_money(most)} per {whose} in a round."
    division = terms.readings.get(LIMIT_DIVISION, FROM_THE_TOTAL)
    if division != FROM_THE_TOTAL:
        return tuple(_reduce_lines(terms, lines, excess, why, in_order=division == "in-order"))
    line = Line(wager="payout-limit", outcome=Outcome.LIMITED, stake=0, pays=-excess, cite=limit.cite, why=why)
    last = max(place for place, line in enumerate(lines) if line.wager in limit.wagers)
    return (*lines[: last + 1], line, *lines[last + 1 :])


def _reduce_lines(terms: Terms, lines: Sequence[Line], excess: int, why: str, *, in_order: bool) -> Iterator[Line]:
    """Yield the lines with the excess taken from the limited ones: the last first, or in proportion."""
    limit = terms.game.limit
    assert limit
    capped = {place: line.pays for place, line in enumerate(lines) if _limit_applies(limit, line) and line.pays}
    left, total = excess, sum(capped.values())
    taken = {place: 0 if in_order else excess * pays // total for place, pays in capped.items()}
    left -= sum(taken.values())
    for place in reversed(capped):  # in order: all of the excess; otherwise the undivided cents
        more = min(left, capped[place] - taken[place])
        taken[place] += more
        left -= more
    for place, line in enumerate(lines):
        less = taken.get(place, 0)
        words = f"{line.why} {why} {format_money(less)} less is paid." if less else line.why
        yield msgspec.structs.replace(line, pays=line.pays - less, why=words)


class _Purse:
    """Meter balances during the settlement of one box; each line reduces them for the next."""

    def __init__(self, balances: Balances) -> None:
        self._balances = balances
        self._left = dict(balances.at_turn)
        self._emptied: set[str] = set()

    def take(self, name: str, stake: int, percent: int, *, at_reveal: bool) -> tuple[int, str]:
        """Return the cents that a share pays, rounded down, and the balance in words."""
        meter = meter_key(name, stake) if meter_key(name, stake) in self._balances.at_turn else name
        known = self._balances.at_reveal if at_reveal and meter in self._balances.at_reveal else self._left
        if meter not in known:
            when = " after the dealer's hand emptied it" if meter in self._emptied else ""
            raise Mistake(f"This hand pays {percent}% of the meter “{name}”; give that meter's balance{when}.")
        sharing = self._balances.sharing if at_reveal else 1
        if at_reveal and self._balances.has_its_part:
            return 0, "paid with the player's other box"
        paid = meter_share(known[meter], percent, sharing)
        shown = format_money(known[meter] // CENT) + (f" divided by {sharing}" if sharing > 1 else "")
        if known is self._left:
            self._left[meter] -= paid * sharing * CENT
            if percent == 100:  # noqa: PLR2004 (per cent); the new balance is unknown here
                self._emptied.add(meter)
                del self._left[meter]
        return paid, shown
