"""The money rules of the desk, on SQLite and PostgreSQL: guarantees 1, 2, 3, 5, 8 and 9 of the house."""

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

import pytest

from pitboss.cards import Card
from pitboss.house.acts import BuyIn, CashOut
from pitboss.house.desk import Deal, Order, Reply
from pitboss.house.people import Person, Post
from pitboss.record.chain import entry_of
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
from pitboss.table.refuse import accepted_wagers
from pitboss.table.settling import undocumented
from pitboss.table.steps import to_act

from .conftest import CAJUN, PRIME, STUD, Audit, House, dealt_one_by_one

GAMES = {"stud": STUD, "prime": PRIME, "cajun": CAJUN, "by hand": STUD}
"""The tables of random play; at the last one a person deals."""
SIDES = {
    "stud": {
        "bonus": (500,),
        "progressive": (100, 500),
        "five-card-hand-player": (100, 500),
        "five-card-hand-dealer": (100, 500),
    },
    "prime": {"prime": (500,), "aces-bonus": (100, 2000), "all-six": (100,)},
    "cajun": {"pocket-bonus": (500,), "board-bonus": (100,), "lo-ball": (1000,), "all-six": (100,)},
}
PATRONS = ("ann", "bob", "cy", "dee", "poor")
HANDS = ("Ah Kh Qh Jh Th", "As Ks Qs Js Ts", "9d 8d 7d 6d 5d", "4c 4d 4h 4s 8c", "2c 5h 9h Jc Kd", "3c 6h 8h Tc Qd")
"""Two royal flushes, a straight flush, four of a kind, and nothing."""


class Crowd:
    """Patrons, dealers and floorpersons who do anything at all, and now and then what they may not; all from a seed."""

    def __init__(self, house: House, seed: str) -> None:
        self.house, self.chance = house, Random(seed)  # noqa: S311 (a test that can be repeated)
        house.patrons(*PATRONS[:-1], cents=50_000_00)
        house.patrons(PATRONS[-1], cents=40_00)
        for name, preset in GAMES.items():
            house.open(name, preset, automatic=name != "by hand")

    @property
    def tables(self) -> dict[str, Table]:
        return {name: self.house.table(name) for name in GAMES}

    def act(self) -> Reply:
        """Do something somewhere."""
        house, pick = self.house, self.chance
        name = pick.choice(list(GAMES))
        if pick.random() < 0.05:
            return self._cash()
        if pick.random() < 0.1 and house.table(name).boxes and not house.table(name).called:
            house.clock.time += pick.choice((1, 21, 21))
            return house.desk.carry_out([Deal(name)])[0]
        person, command, entered = pick.choice(list(self._sensible(name)))
        if pick.random() < 0.05:
            person = pick.choice((*PATRONS, "flo", "floyd", "dealer", "nobody"))
        if isinstance(command, Reshuffle) and not house.table(name).called:
            house.source.stack(self._stacked(len(house.table(name).boxes)))
        (reply,) = house.desk.carry_out([house.order(person, name, command, **entered)])
        return reply

    def _stacked(self, boxes: int) -> tuple[Card, ...]:
        """A deck with hands that win off meters, for boxes or dealer."""
        return dealt_one_by_one(*self.chance.sample(HANDS, min(boxes + 1, len(HANDS))))

    def _cash(self) -> Reply:
        pick, name = self.chance, self.chance.choice(PATRONS[:-1])
        act = pick.choice((BuyIn, CashOut))(name, pick.choice((5_00, 3_000_00, 100_000_00)))
        done = self.house.does(act, Person(name, Post.PATRON))
        return Reply(accepted=done.accepted, table="", why=done.why, cite=done.cite)

    def _sensible(self, name: str) -> Iterator[tuple[str, Command, dict[str, object]]]:
        """What would be in place at a table as it stands: who, what, and what they enter with it."""
        table, pick = self.house.table(name), self.chance
        floor = pick.choice(("flo", "floyd"))
        if any(box.claimed for box in table.boxes.values()) or table.unacknowledged:
            yield floor, Acknowledge(), {"light": pick.random() < 0.9}
            yield floor, Acknowledge(), {"light": True}
            yield floor, pick.choice((Acknowledge(), Reject(), Withhold("no light"))), {}
        for box in undocumented(table):
            yield floor, Document(box.seat), {}
        for device in table.broken:
            yield floor, Cover(device), {}
        for device in table.covered:
            yield floor, Repair(device), {}
        if pick.random() < 0.2 and table.called:
            kind = pick.choice(("wrong-number", "wrong-number", "exposed", "face-up-card", "malfunction"))
            yield floor, Report(kind, device="shuffler" if kind == "malfunction" else ""), {}
        elif pick.random() < 0.5 and table.boxes and not table.called:
            yield floor, pick.choice((Reshuffle(),) * 8 + (ChangeDeck(), Recut())), {}
        if box := to_act(table):
            decision = table.rules.terms.game.decisions[len(box.decisions)]
            for multiple in (0, *decision.multiples, *decision.multiples):
                yield box.patron, Decide(box.seat, multiple), {}
        elif name == "by hand":
            counted = {Do.COUNT: len(table.shoe), Do.CHIPS: accepted_wagers(table, table.due.needs)}.get(table.due.do)
            if counted is not None and pick.random() < 0.3:
                counted += 1
            who = floor if table.due.by == "floorperson" else "dealer"
            for _ in range(8):
                yield who, Perform(), {"counted": counted, "depth": 20, "misdealt": pick.random() < 0.5}
        yield from self._patrons(name, table)

    def _patrons(self, name: str, table: Table) -> Iterator[tuple[str, Command, dict[str, object]]]:
        pick, sides = self.chance, SIDES["stud" if name == "by hand" else name]
        patron = pick.choice(PATRONS)
        seat = next((seat for seat, who in table.seated.items() if who == patron), 0)
        if not seat:
            yield patron, Sit(pick.choice((1, 3, 5))), {}
            return
        if pick.random() < 0.1:
            yield patron, pick.choice((Stand(seat), Leave(seat))), {}
        for box in (seat, seat, seat + 1) if not table.called or pick.random() < 0.1 else ():
            made = {side: pick.choice(amounts) for side, amounts in sides.items() if pick.random() < 0.7}
            yield patron, Wager(box, {"ante": pick.choice((500, 1000)), **made} if pick.random() < 0.95 else {}), {}


def play(house: House, seed: str, orders: int, after_each: Callable[[Reply, Crowd], None]) -> Counter[str]:
    """Have a crowd play; return how often each event happened."""
    crowd = Crowd(house, seed)
    for _ in range(orders):
        after_each(crowd.act(), crowd)
    bodies = house.db.execute("SELECT body FROM entry WHERE chain != 'house'")
    return Counter(type(event).__name__ for (body,) in bodies for event in entry_of(bytes(body)).events)


def test_1_and_5(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    audit = Audit(house.db)
    c = Counter()
    why=Counter()
    def check(reply: Reply, crowd: Crowd) -> None:
        audit.check(crowd.tables)
        c[reply.accepted]+=1
        why[reply.why]+=1

    happened = play(house, "all together", 3000, check)
    with capsys.disabled():
        print(happened, c,audit.rounds,audit.entries)
        for w in why.most_common(60): print(w)
