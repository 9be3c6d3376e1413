"""The lines of bonuses: by the result of the contest, by a draw of the system, or by other players' hands."""

from collections.abc import Collection, Iterator

from pitboss.games.declarations import Bonus, ByTable, OnLuck, OnMatch, OnOthers, OnResult, Result
from pitboss.games.paytable_pays import fixed_pay, paytable_row
from pitboss.games.settlement_inputs import Hands
from pitboss.games.settlement_line import Line, bonus_line
from pitboss.games.terms import Terms
from pitboss.money import format_money
from pitboss.rulebook import ForOne, Odds, Share
from pitboss.rulebook.readings import meets_condition


def bonus_lines(terms: Terms, bonus: Bonus, hands: Hands, stake: int, result: Result | None) -> Iterator[Line]:
    """Yield the line of a bonus that is due; `result` is that of the contest, if there was one."""
    match bonus.trigger:
        case OnResult(results):
            if result not in results:
                return
            contest = terms.game.contest
            assert contest
            name, pay = paytable_row(terms, bonus.paytable, hands.together(contest.player))
            if isinstance(pay, Odds | ForOne):
                yield bonus_line(bonus, fixed_pay(pay, stake), f"{name} pays {pay} of the {bonus.on}.", name)
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
                yield bonus_line(bonus, sum(amount for _, amount in paid), f"{why[0].upper()}{why[1:]}.")


def _hands_of_others(terms: Terms, trigger: OnOthers, hands: Hands) -> list[str]:
    folded = meets_condition(trigger.folded, terms.readings)
    without = meets_condition(trigger.without_wager, terms.readings)
    entitle = (other for other in hands.others if (folded or not other.folded) and (without or other.wagered))
    return [terms.evaluators[trigger.ranking](other.cards).hand.name for other in entitle]


def _system_bonus_line(terms: Terms, bonus: Bonus, stake: int, why: str) -> Line:
    ((name, pay),) = terms.tables[bonus.paytable].items()
    assert isinstance(pay, Odds | ForOne)
    return bonus_line(bonus, fixed_pay(pay, stake), f"{why}; pays {pay}.", name)


def is_blocked_by_own_loss(terms: Terms, bonus: Bonus, hands: Hands, gone: Collection[str]) -> bool:
    """Whether a reading denies a bonus for others' hands because the player's own wager does not win."""
    by = terms.game.wager(bonus.on).by
    if not (isinstance(bonus.trigger, OnOthers) and isinstance(by, ByTable)):
        return False
    if not meets_condition(bonus.trigger.after_own_win, terms.readings):
        return False
    _, pay = paytable_row(terms, by.paytable, hands.together(by.places))
    return bonus.on in gone or not isinstance(pay, Odds | ForOne | Share)
