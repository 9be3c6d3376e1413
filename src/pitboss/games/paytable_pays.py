"""The row of a paytable that cards make, and the amount that it pays on a stake."""

from collections.abc import Sequence

from pitboss.cards import Card
from pitboss.errors import Mistake
from pitboss.games.terms import Terms
from pitboss.money import format_money
from pitboss.rulebook import ForOne, Odds, Pay
from pitboss.rulebook.paytables import pay_row


def paytable_row(terms: Terms, paytable: str, cards: Sequence[Card]) -> tuple[str, Pay]:
    """Return the paytable row for these cards, and its pay."""
    table = terms.tables[paytable]
    ranking = terms.rankings[paytable]
    if not ranking:
        ((row, pay),) = table.items()
        return row, pay
    return pay_row(table, terms.evaluators[ranking](cards).hand)


def fixed_pay(pay: Odds | ForOne, stake: int) -> int:
    """Return the amount that odds, or a pay for 1, give on a stake in cents."""
    return odds_pay(pay, stake) if isinstance(pay, Odds) else pay.pays * stake


def odds_pay(pay: Odds, stake: int) -> int:
    """Return the amount that odds pay on a stake in cents; reject a stake on which it is not whole cents."""
    paid, rest = divmod(stake * pay.wins, pay.per)
    if rest:
        raise Mistake(f"{pay} on {format_money(stake)} is not whole cents; wager a multiple of {pay.per} cents.")
    return paid
