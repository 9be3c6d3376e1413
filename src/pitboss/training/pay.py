"""Take-and-pay drills: a dealer settles every wager of a round, and `settle` gives the right answers."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Final

import msgspec

from pitboss.errors import Mistake
from pitboss.games import Bonus, Line, Outcome, Terms, stakes
from pitboss.games.declarations import OnOthers, OnResult
from pitboss.money import CENT, format_money
from pitboss.rulebook import rulebook
from pitboss.rulebook.procedures import Do
from pitboss.training.common import DrillClause, DrillId, DrillOption, clause_of
from pitboss.training.situations import PracticeRound, PracticeSeat, draw_round, lines_of

LIMIT: Final = "payout-limit"
WAGER, BONUS, CAP = "wager", "bonus", "limit"
CHOICES: Final[Mapping[str, tuple[DrillOption, ...]]] = {
    WAGER: (
        DrillOption("won", "It wins: pay it"),
        DrillOption("lost", "It loses: take it"),
        DrillOption("returned", "It goes back"),
    ),
    BONUS: (DrillOption("paid", "It is due: pay it"), DrillOption("nothing", "It is not due")),
    CAP: (DrillOption("limited", "It is reached: so much is not paid"), DrillOption("nothing", "It is not reached")),
}
"""The possible answers for a wager, a bonus and the payout limit."""
_ANSWERS: Final = {
    Outcome.WIN: "won",
    Outcome.LOSE: "lost",
    Outcome.FORFEITED: "lost",
    Outcome.PUSH: "returned",
    Outcome.RETURNED: "returned",
    Outcome.BONUS: "paid",
    Outcome.LIMITED: "limited",
}
SAYS: Final = (
    "All players have decided. Settle every box: choose the result of each wager, and enter what you pay. Do not "
    "include the wagers that you return."
)


class PayCards(msgspec.Struct, frozen=True):
    """Cards on the table, with the name of their place."""

    place: str
    holder: str
    cards: tuple[str, ...]


class PayItem(msgspec.Struct, frozen=True):
    """One item to settle: a wager with its amount in cents, a bonus, or the payout limit."""

    wager: str
    title: str
    kind: str
    stake: int


class PayBox(msgspec.Struct, frozen=True):
    """A box with its cards and its items, in settlement order."""

    seat: int
    cards: tuple[str, ...]
    folded: bool
    items: tuple[PayItem, ...]


class PayMeter(msgspec.Struct, frozen=True):
    """The value of a meter, in cents, for wagers of this amount."""

    meter: str
    amount: int
    shows: int


class PayDrill(msgspec.Struct, frozen=True, tag="pay", kw_only=True):
    """A round to settle; boxes are in settlement order, money is in cents."""

    drill: DrillId
    says: str
    places: tuple[PayCards, ...]
    boxes: tuple[PayBox, ...]
    meters: tuple[PayMeter, ...]
    magic: str | None
    """The card that the table game system drew."""
    lucky: tuple[str, ...]
    """The positions that the table game system drew: `dealer`, or the number of a box."""
    payout_limit: int | None
    choices: Mapping[str, tuple[DrillOption, ...]]
    """The possible answers by kind of item."""
    order: DrillClause
    """The clause for the order of settlement."""


class PayLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A dealer's answer for one item; the amount, in cents, is paid, or for the limit not paid."""

    seat: Annotated[int, msgspec.Meta(ge=1, le=20)]
    wager: Annotated[str, msgspec.Meta(max_length=40)]
    answer: Annotated[str, msgspec.Meta(max_length=20)]
    amount: Annotated[int, msgspec.Meta(ge=0, le=10**15)] = 0


class PayGrade(msgspec.Struct, frozen=True, kw_only=True):
    """The grade of one item: the right answer and the given one, empty if there is none. Money in cents."""

    seat: int
    wager: str
    title: str
    right: bool
    answer: str
    amount: int
    returned: int
    said: str
    said_amount: int
    why: str
    clause: DrillClause


class _RightAnswer(msgspec.Struct, frozen=True):
    """The right answer for one item."""

    seat: int
    item: PayItem
    answer: str
    amount: int
    returned: int
    why: str
    cite: str


def pay_drill(drill: DrillId, terms: Terms, seats: int) -> PayDrill:
    """Return the drill with this id."""
    played, game = draw_round(terms, seats, drill.seed), terms.game
    holders = {place.name: place.holder for place in game.places}
    return PayDrill(
        drill=drill,
        says=SAYS,
        places=tuple(PayCards(name, holders[name], tuple(map(str, cards))) for name, cards in played.places.items()),
        boxes=tuple(
            PayBox(seat.number, tuple(map(str, seat.cards)), seat.folded, tuple(_items(terms, seat)))
            for seat in played.seats
        ),
        meters=tuple(_meters(played)),
        magic=str(played.magic) if played.magic else None,
        lucky=played.lucky,
        payout_limit=terms.payout_limit,
        choices=CHOICES,
        order=clause_of(_settling(terms)),
    )


def grade_pay_answers(drill: DrillId, terms: Terms, seats: int, said: Sequence[PayLine]) -> tuple[PayGrade, ...]:
    """Compare a dealer's answers with `settle`, item by item."""
    played = draw_round(terms, seats, drill.seed)
    due = [one for seat in played.seats for one in _right_answers(terms, played, seat)]
    known = {(one.seat, one.item.wager): one.item for one in due}
    answers: dict[tuple[int, str], PayLine] = {}
    for line in said:
        key = line.seat, line.wager
        if key not in known:
            raise Mistake(f"There is no “{line.wager}” to settle at box {line.seat}.")
        if key in answers:
            raise Mistake(f"“{line.wager}” at box {line.seat} is answered twice.")
        if line.answer not in (choice.answer for choice in CHOICES[known[key].kind]):
            raise Mistake(f"“{line.answer}” is not a possible result for “{line.wager}”.")
        answers[key] = line
    return tuple(_grade_item(one, answers.get((one.seat, one.item.wager))) for one in due)


def _grade_item(due: _RightAnswer, said: PayLine | None) -> PayGrade:
    right = said is not None and (said.answer, said.amount) == (due.answer, due.amount)
    return PayGrade(
        seat=due.seat,
        wager=due.item.wager,
        title=due.item.title,
        right=right,
        answer=due.answer,
        amount=due.amount,
        returned=due.returned,
        said=said.answer if said else "",
        said_amount=said.amount if said else 0,
        why=due.why,
        clause=clause_of(due.cite),
    )


def _items(terms: Terms, seat: PracticeSeat) -> Iterator[PayItem]:
    """Yield the items to settle at a box, including bonuses that are not due."""
    staked = stakes(terms, seat.wagers, seat.decisions)
    limit = terms.game.limit if terms.payout_limit is not None else None
    last = [item.name for item in terms.game.settles if limit and item.name in limit.wagers and item.name in staked][
        -1:
    ]
    for item in terms.game.settles:
        if not isinstance(item, Bonus) and item.name in staked:
            yield PayItem(item.name, item.title, WAGER, staked[item.name])
        if isinstance(item, Bonus) and item.on in staked and _may_be_due(terms, item, seat):
            yield PayItem(item.name, item.title, BONUS, 0)
        if [item.name] == last:
            yield PayItem(LIMIT, "Payout limit", CAP, 0)


def _may_be_due(terms: Terms, bonus: Bonus, seat: PracticeSeat) -> bool:
    match bonus.trigger:
        case OnResult():
            return not seat.folded
        case OnOthers():
            return bool(terms.envy)
        case _:
            return True


def _right_answers(terms: Terms, played: PracticeRound, seat: PracticeSeat) -> Iterator[_RightAnswer]:
    lines = {line.wager: line for line in lines_of(terms, played, seat)}
    items = list(_items(terms, seat))
    assert lines.keys() <= {item.wager for item in items}, "a settled line has no item"
    for item in items:
        line = lines.get(item.wager)
        if line:
            yield _RightAnswer(
                seat.number, item, _ANSWERS[line.outcome], abs(line.pays), line.returned, line.why, line.cite
            )
        else:
            yield _RightAnswer(seat.number, item, "nothing", 0, 0, *_reason_not_due(terms, item, lines))


def _reason_not_due(terms: Terms, item: PayItem, lines: Mapping[str, Line]) -> tuple[str, str]:
    """Return why a bonus is not due or the limit is not reached, and the clause."""
    if item.kind == CAP:
        assert terms.game.limit
        assert terms.payout_limit is not None
        paid = sum(line.pays for name, line in lines.items() if name in terms.game.limit.wagers)
        return (
            f"{format_money(paid)} is paid, and the limit is {format_money(terms.payout_limit)}.",
            terms.game.limit.cite,
        )
    bonus = next(bonus for bonus in terms.game.bonuses if bonus.name == item.wager)
    return "This bonus is not due in this round.", bonus.cite


def _meters(played: PracticeRound) -> Iterator[PayMeter]:
    for meter, shown in played.meters.items():
        name, _, amount = meter.rpartition("@")
        yield PayMeter(name, int(amount), shown // CENT)


def _settling(terms: Terms) -> str:
    steps = rulebook().game(terms.game.name).procedures.completion
    return next(step.cite for step in steps if step.do is Do.SETTLE)
