"""Guarantee 9, on SQLite and PostgreSQL: a desk with an empty cache continues where another stopped."""

from pathlib import Path

from crowd import FOUR, Crowd, crowd_house, play
from desk_house import House

from pitboss.house.desk.orders import Reply
from pitboss.house.storage.sqlite import Sqlite
from pitboss.table import Decide, Wager


def test_guarantee_9_a_fresh_desk_has_the_same_state_after_every_order(house: House) -> None:
    """After every order, state, log and meters are rebuilt from the database alone."""
    under_way = 0

    def check(_: Reply, crowd: Crowd) -> None:
        nonlocal under_way
        desk = house.another_desk()
        for name in crowd.games:
            fresh, known = desk.read_table(name), house.live_table(name)
            assert fresh is not None
            assert (fresh.table, fresh.rounds) == (known.table, known.rounds)
            assert (fresh.seq, fresh.hash, fresh.first) == (known.seq, known.hash, known.first)
            under_way += known.table.called

    play(house, "resumed", 400, check)
    assert under_way > 100


def test_guarantee_9_one_process_per_order_plays_the_same_game(house: House, tmp_path: Path) -> None:
    """A house that is reopened for every order ends like one that was never closed."""
    crowd, steady = Crowd(house, "restarts"), House(lambda: Sqlite(tmp_path / "steady.db"))
    crowd_house(steady, FOUR)
    for _ in range(150):
        order = crowd.order(crowd.chance.choice(list(FOUR)))
        if crowd.chance.random() < 0.3:
            house.db.close()
            house.db = house.connect()
        house.desk = house.another_desk()
        assert house.desk.carry_out([order]) == steady.desk.carry_out([order])
    assert house.dump(but=()) == steady.dump(but=())
    steady.close()


def test_guarantee_9_the_betting_window_is_as_long_after_a_round_of_another_process(
    postgres_house: House,
) -> None:
    house = postgres_house
    house.open("stud", betting=20)
    house.patrons("ann", "bob")
    house.seat("stud", ann=1, bob=2)
    house.send_ok("ann", "stud", Wager(1, {"ante": 1000}))
    another = house.another_desk(own_connection=True)
    for person, command in (("bob", Wager(2, {"ante": 1000})), ("ann", Decide(1, 0)), ("bob", Decide(2, 0))):
        assert another.carry_out([house.order(person, "stud", command)])[0].accepted
    house.clock.time += 100
    assert another.carry_out([house.order("ann", "stud", Wager(1, {"ante": 1000}))])[0].accepted
    house.pass_time(19, "stud")
    assert not house.table("stud").called
    house.pass_time(20, "stud")
    assert house.table("stud").called
