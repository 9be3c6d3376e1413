"""Records for tests: some rounds of a game, played by two patrons and an automatic dealer."""

from pitboss.record import Entry, header, write
from pitboss.submission import load, text_of
from pitboss.table import Decide, Given, Role, Sit, Wager, open_table, view
from pitboss.table.commands import Command
from pitboss.table.events import Event
from pitboss.table.runner import TableRunner, automatic_command
from pitboss.table.shoe import seeded_source

METERS = {"main": 10**12, "five-card-hand": 10**12}


def sample_record(preset: str, rounds: int, seed: str = "record") -> list[bytes]:
    """The record of some rounds with two patrons and an automatic dealer."""
    entries: list[Entry] = []

    def hear(command: Command, given: Given, events: list[Event]) -> None:
        entries.append(Entry(len(entries) + 1, command, given, tuple(events)))

    live, source = TableRunner(open_table(load(preset)), hear), seeded_source(seed)
    patrons = {1: Given(actor="Ann", role=Role.PLAYER), 3: Given(actor="Bob", role=Role.PLAYER)}
    house = Given(actor="house", role=Role.SYSTEM, meters=METERS)
    for seat, given in patrons.items():
        live.do(Sit(seat), given)
    while live.table.round < rounds:
        if due := automatic_command(live.table, source, house, bets_are_in=bool(live.table.boxes)):
            live.do(*due)
        elif acting := view(live.table).to_act:
            box = live.table.boxes[acting]
            multiple = live.table.rules.terms.game.decisions[len(box.decisions)].multiples[0]
            live.do(Decide(acting, 0 if (acting + live.table.round) % 3 == 0 else multiple), patrons[acting])
        else:
            for seat, given in patrons.items():
                live.do(Wager(seat, {"ante": 1000}), given)
    return list(write(header(text_of(preset)), entries))
