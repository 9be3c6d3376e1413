"""Players for tests of the money: a crowd that sends random orders, and a patron with a royal flush."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from desk_house import CAJUN, PRIME, STUD, House, dealt_one_by_one

from pitboss.cards import Card
from pitboss.house.desk.orders import Deal, Order, Reply
from pitboss.house.office.acts import BuyIn, CashOut
from pitboss.house.office.people import Person, Post
from pitboss.rulebook.procedures import Do
from pitboss.table import (
    Acknowledge,
    ChangeDeck,
    Command,
    Cover,
    Decide,
    Document,
    Leave,
    Perform,
    Recut,
    Reject,
    Repair,
    Report,
    Reshuffle,
    Sit,
    Stand,
    Table,
    Wager,
    Withhold,
)
from pitboss.table.box_settlement import undocumented_boxes
from pitboss.table.refusals import count_accepted_wagers, seats_with_wager
from pitboss.table.steps import next_to_decide

SIDES: Mapping[str, Mapping[str, Sequence[int]]] = {
    STUD: {
        "bonus": (500,),
        "progressive": (100, 500),
        "five-card-hand-player": (100, 500),
        "five-card-hand-dealer": (100, 500),
    },
    PRIME: {"prime": (500,), "aces-bonus": (100, 2000), "all-six": (100,)},
    CAJUN: {"pocket-bonus": (500,), "board-bonus": (100,), "lo-ball": (1000,), "all-six": (100,)},
}
"""By preset: the crowd's wagers beside the Ante, in cents."""
FOUR = {"stud": STUD, "prime": PRIME, "cajun": CAJUN, "by hand": STUD}
"""Tables of random play; where it says `by hand`, a person deals."""
PATRONS = ("ann", "bob", "cy", "dee", "poor")
"""The patrons of a crowd; the last has hardly any money."""
HANDS = ("Ah Kh Qh Jh Th", "As Ks Qs Js Ts", "9d 8d 7d 6d 5d", "4c 4d 4h 4s 8c", "2c 5h 9h Jc Kd", "3c 6h 8h Tc Qd")
"""Two royal flushes, a straight flush, four of a kind, and nothing."""
ROYAL, NOTHING = HANDS[0], HANDS[4]
"""A hand that wins a meter, and one that never wins."""
FLO, ADA = Person("flo", Post.FLOORPERSON), Person("ada", Post.AUDITOR)
"""People in every test house."""
Entering = tuple[str, Command, dict[str, Any]]
"""Person, command, and input."""


class Crowd:
    """Patrons, dealers and floorpersons who send random orders, some of them forbidden; all from a seed."""

    def __init__(self, house: House, seed: str, tables: Mapping[str, str] = FOUR) -> None:
        self.house, self.games, self.chance = house, tables, Random(seed)  # noqa: S311 (a test that can be repeated)
        crowd_house(house, tables)

    @property
    def tables(self) -> dict[str, Table]:
        return {name: self.house.table(name) for name in self.games}

    def act(self) -> Reply:
        """Do something at a random table, with stacked decks and cash."""
        house, pick = self.house, self.chance
        name = pick.choice(list(self.games))
        table = house.table(name)
        if pick.random() < 0.05:
            return self._cash()
        if pick.random() < 0.2 and table.boxes and not table.called:
            house.clock.time += pick.choice((1, 21, 21))
            return house.desk.carry_out([Deal(name)])[0]
        order = self.order(name)
        if isinstance(order.command, Reshuffle) and order.person in {"flo", "floyd"} and not table.called:
            house.source.stack(self._stacked(len(table.boxes)))
        return house.desk.carry_out([order])[0]

    def order(self, name: str) -> Order:
        """A random order for one table; sometimes from the wrong person."""
        pick = self.chance
        person, command, entered = pick.choice(list(self._sensible(name)))
        if pick.random() < 0.05:
            person = pick.choice((*PATRONS, "flo", "floyd", "dealer", "nobody"))
        return self.house.order(person, name, command, **entered)

    def _stacked(self, boxes: int) -> tuple[Card, ...]:
        """A deck with hands that win meters, for boxes or dealer."""
        return dealt_one_by_one(*self.chance.sample(HANDS, min(boxes + 1, len(HANDS))))

    def _cash(self) -> Reply:
        pick, name = self.chance, self.chance.choice(PATRONS[:-1])
        act = pick.choice((BuyIn, CashOut))(name, pick.choice((5_00, 3_000_00, 100_000_00)))
        done = self.house.act(act, Person(name, Post.PATRON))
        return Reply(accepted=done.accepted, table="", why=done.why, cite=done.cite)

    def _sensible(self, name: str) -> Iterator[Entering]:
        """A sensible order at a table now: person, command, and input."""
        table, pick = self.house.table(name), self.chance
        floor = pick.choice(("flo", "floyd"))
        if any(box.claimed for box in table.boxes.values()) or table.unacknowledged_void:
            yield floor, Acknowledge(), {"light": pick.random() < 0.9}
            yield floor, Acknowledge(), {"light": True}
            yield floor, pick.choice((Reject(), Withhold("no light"), Withhold("no light"), Report("wrong-number"))), {}
        yield from ((floor, Document(box.seat), {}) for box in undocumented_boxes(table))
        yield from ((floor, Cover(device), {}) for device in table.broken)
        yield from ((floor, Repair(device), {}) for device in table.covered)
        if pick.random() < 0.2 and table.called:
            kind = pick.choice(("wrong-number", "wrong-number", "exposed", "face-up-card", "malfunction"))
            yield floor, Report(kind, device="shuffler" if kind == "malfunction" else ""), {}
        elif pick.random() < 0.5 and table.boxes and not table.called:
            yield floor, pick.choice((*(Reshuffle(),) * 8, ChangeDeck(), Recut())), {}
        if box := next_to_decide(table):
            decision = table.rules.terms.game.decisions[len(box.decisions)]
            yield from ((box.patron, Decide(box.seat, times), {}) for times in (0, *decision.multiples * 2))
        elif name.startswith("by hand"):
            yield from self._dealer(table, floor)
        yield from self._patron(table, SIDES[self.games[name]])

    def _dealer(self, table: Table, floor: str) -> Iterator[Entering]:
        counted = {Do.COUNT: table.expected_stub_count, Do.CHIPS: count_accepted_wagers(table, table.due.needs)}.get(
            table.due.do
        )
        if counted is not None and self.chance.random() < 0.3:
            counted += 1
        entered = {"counted": counted, "depth": 20, "misdealt": self.chance.random() < 0.5}
        if table.due.do is Do.CHIPS:
            boxes = seats_with_wager(table, table.due.needs)
            yield floor, Perform(), {"counted": len(boxes) - 1, "without_chip": boxes[:1]}
        yield from ((floor if table.due.by == "floorperson" else "dealer", Perform(), entered) for _ in range(8))

    def _patron(self, table: Table, sides: Mapping[str, Sequence[int]]) -> Iterator[Entering]:
        pick = self.chance
        patron = pick.choice((*table.seated.values(), pick.choice(PATRONS)))
        seat = next((seat for seat, who in table.seated.items() if who == patron), 0)
        if not seat:
            yield patron, Sit(pick.choice((1, 3, 5))), {}
            return
        if pick.random() < 0.1:
            yield patron, pick.choice((Stand(seat), Leave(seat))), {}
        for box in (seat, seat, seat + 1) if not table.called or pick.random() < 0.1 else ():
            made = {side: pick.choice(amounts) for side, amounts in sides.items() if pick.random() < 0.7}
            yield patron, Wager(box, {"ante": pick.choice((500, 1000)), **made} if pick.random() < 0.95 else {}), {}


def crowd_house(house: House, tables: Mapping[str, str]) -> None:
    """Open the tables of a crowd, with a patron who has hardly any money."""
    house.patrons(*PATRONS[:-1], cents=50_000_00)
    house.patrons(PATRONS[-1], cents=40_00)
    for name, preset in tables.items():
        house.open(name, preset, automatic=not name.startswith("by hand"))


def play(house: House, seed: str, orders: int, after_each: Callable[[Reply, Crowd], None]) -> None:
    """Let a crowd play."""
    crowd = Crowd(house, seed)
    for _ in range(orders):
        after_each(crowd.act(), crowd)


def royal(house: House, table: str = "stud", patron: str = "ann", amount: int = 100) -> None:
    """Let a patron claim a royal flush at a separate table."""
    house.open(table)
    house.seat(table, **{patron: 1})
    house.source.stack(dealt_one_by_one(ROYAL, NOTHING))
    house.send_ok("flo", table, Reshuffle())
    house.send_ok(patron, table, Wager(1, {"ante": 1000, "progressive": amount}))
    house.send_ok(patron, table, Decide(1, 2))
    assert house.table(table).boxes[1].claimed
