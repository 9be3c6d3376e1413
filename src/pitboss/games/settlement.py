"""`settle`: one settlement for every game, from cards, wagers and decisions to lines of money with clauses.

`settle` is pure. It reads the game's declaration and the paytables of the terms; it has no rule or payout of
its own.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec

from pitboss.cards import Card
from pitboss.games.bonus_settlement import bonus_lines, is_blocked_by_own_loss
from pitboss.games.declarations import LIMIT_MEANING, METER_PAY_STAKE, Bonus, ByTable, Outcome, Result, Verdict, Wager
from pitboss.games.hand_names import describe_hand
from pitboss.games.meter_purse import MeterPurse
from pitboss.games.payout_limit import apply_payout_limit
from pitboss.games.paytable_pays import odds_pay, paytable_row
from pitboss.games.settlement_inputs import FOLD, Balances, Hands, require_valid_inputs, require_valid_money, stakes
from pitboss.games.settlement_line import Line, wager_line
from pitboss.games.terms import Terms
from pitboss.rulebook import ForOne, Odds, Push, Share
from pitboss.rulebook.paytables import pay_row
from pitboss.rulebook.readings import meets_condition


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
    lines = tuple(_lines(terms, hands, stakes(terms, wagers, decisions), gone, MeterPurse(meters), without=lost))
    return apply_payout_limit(terms, lines, 0 if terms.readings.get(LIMIT_MEANING) == "per-box" else won_before)


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


def _lines(  # noqa: PLR0913 (everything that a settlement depends on)
    terms: Terms,
    hands: Hands,
    placed: Mapping[str, int],
    gone: Mapping[str, _EarlyOutcome],
    purse: MeterPurse,
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
            if item.on not in without and not is_blocked_by_own_loss(terms, item, hands, gone):
                yield from bonus_lines(terms, item, hands, stake, showdown.result if showdown else None)
        elif end := gone.get(item.name):
            yield wager_line(item, stake, end.outcome, end.cite, end.why)
        elif isinstance(item.by, ByTable):
            yield _table_line(terms, item, item.by, hands, stake, purse)
        elif showdown:
            yield _contest_line(terms, item, hands, stake, showdown)


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
        returned = stake if outcome is Outcome.RETURNED else 0
        return wager_line(wager, stake, outcome, cite, f"{showdown.why}.", returned=returned)
    assert terms.game.contest
    verdict, paytable = showdown.verdict, wager.by.paytable
    if meets_condition(verdict.paid_when, terms.readings):
        paytable = verdict.paid_by.get(wager.name, paytable)
    name, pay = paytable_row(terms, paytable, hands.together(terms.game.contest.player))
    assert isinstance(pay, Odds), f"{wager.name} wins, but its table pays {pay}"
    why = f"{showdown.why}; pays {pay}."
    return wager_line(wager, stake, outcome, cite, why, returned=stake, pays=odds_pay(pay, stake), hand=name)


def _table_line(terms: Terms, wager: Wager, by: ByTable, hands: Hands, stake: int, purse: MeterPurse) -> Line:  # noqa: PLR0913, PLR0917 (everything that a line depends on)
    name, pay = paytable_row(terms, by.paytable, hands.together(by.places))
    match pay:
        case Odds():
            why = f"{name} pays {pay}."
            paid = odds_pay(pay, stake)
            return wager_line(wager, stake, Outcome.WIN, by.wins, why, returned=stake, pays=paid, hand=name)
        case ForOne():
            why = f"{name} pays {pay}."
            return wager_line(wager, stake, Outcome.WIN, by.wins, why, pays=pay.pays * stake, hand=name)
        case Share():
            meter = terms.meter(by.paytable, pay)
            paid, shown = purse.take(meter, stake, pay.percent, at_reveal=by.at_reveal)
            why = f"{name} pays {pay.percent}% of the {meter} meter, {shown}."
            back = stake if terms.readings.get(METER_PAY_STAKE) == "returned" else 0
            off = meter if paid else ""
            return wager_line(wager, stake, Outcome.WIN, by.wins, why, returned=back, pays=paid, hand=name, meter=off)
        case Push():
            return wager_line(wager, stake, Outcome.PUSH, by.wins, f"{name}. Pushes.", returned=stake, hand=name)
        case _:
            hand = "No paying hand" if name == "Less" else name
            return wager_line(wager, stake, Outcome.LOSE, by.loses, f"{hand}. Loses.")
