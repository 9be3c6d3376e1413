"""`pitboss play`: a table in the terminal, with an automatic dealer."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, BinaryIO

from cyclopts import Parameter
from rich.console import Console
from rich.markup import escape
from rich.text import Text

from pitboss.cards import Card
from pitboss.cli.output import console, draw_cards, find_games, heading, parse_pairs, plain_table
from pitboss.errors import Mistake
from pitboss.games import FOLD
from pitboss.money import format_money, parse_money
from pitboss.record import Entry, encoded, header
from pitboss.rulebook import GameRules
from pitboss.submission import DEMONSTRATION, load, text_of
from pitboss.submission.approvals import approval_notice
from pitboss.table import Decide, Given, Leave, Role, Sit, Wager, open_table, view
from pitboss.table import events as happened
from pitboss.table.commands import Command
from pitboss.table.events import Event
from pitboss.table.metering import apply_to_banks, banks_of, meter_balances
from pitboss.table.runner import TableRunner, automatic_command
from pitboss.table.shoe import Source, seeded_source, system_source
from pitboss.table.state import Slot

YOU = "you"


def play(
    game: Annotated[str, Parameter(help="caribbean-stud, four-card-prime, cajun-stud, or a chapter.")],
    /,
    *,
    submission: Annotated[str | None, Parameter(help="File or preset; default: the demonstration's.")] = None,
    seats: Annotated[int, Parameter(help="Number of boxes you play.")] = 1,
    record: Annotated[Path | None, Parameter(help="Write a record to this file, for `pitboss replay`.")] = None,
    seed: Annotated[str | None, Parameter(help="Repeat the same cards, for practice.")] = None,
) -> None:
    """Play in the terminal against an automatic dealer, for play money."""
    (rules,) = find_games(game)
    name = DEMONSTRATION[rules.chapter.game] if submission is None else submission
    _Sitting(
        rules, name, seats, record, system_source if seed is None else seeded_source(seed), seeded=seed is not None
    ).run()


class _Sitting:
    """One sitting: prompts the player, runs the dealer, and prints the events."""

    def __init__(  # noqa: PLR0913 (see `play`)
        self, rules: GameRules, name: str, seats: int, record: Path | None, source: Source, *, seeded: bool
    ) -> None:
        offered = load(name)
        if offered.game != rules.chapter.game:
            raise Mistake(f"The Submission {name} is for {offered.game}, not {rules.chapter.game}.")
        if not 1 <= seats <= offered.table.boxes:
            raise Mistake(f"A player at this table may play 1 to {offered.table.boxes} boxes, not {seats}.")
        self.out: Console = console()
        self.seats, self.source, self.rules, self.seeded = seats, source, rules, seeded
        self.offered = offered
        self.banks = banks_of(offered)
        self.file = _create_file(record) if record else None
        self.digest, self.seq = "", 0
        if self.file:
            line, self.digest = encoded(header(text_of(name)), "")
            self.file.write(line)
        self.live = TableRunner(open_table(offered), self._write_entry)
        self.last: dict[str, int] = {}
        self.net = 0

    def run(self) -> None:
        """Play rounds until the player leaves."""
        self.out.print(heading(self.rules))
        self.out.print("Play money. " + ("[yellow]Seeded cards: for practice only.[/]" if self.seeded else ""))
        if unapproved := approval_notice(self.offered):
            self.out.print(f"[dim]{escape(unapproved.says)}[/]")
        self.out.print("[dim]Type your wagers, for example ante=10 bonus=5. Enter repeats the last; q leaves.[/]\n")
        self.live.do(Sit(1), self._player_given())
        try:
            while self._play_round():
                pass
        except (EOFError, KeyboardInterrupt):
            self._leave()
        finally:
            if self.file:
                self.file.close()
        self.out.print(f"\nYou leave with {format_money(self.net)}.")

    def _play_round(self) -> bool:
        self._deal(bets_are_in=False)
        wagers = self._wagers()
        if wagers is None:
            return False
        for seat in range(1, self.seats + 1):
            self.live.do(Wager(seat, wagers), self._player_given())
        self.last, number = wagers, self.live.table.round
        while self.live.table.round == number:
            self._deal(bets_are_in=True)
            acting = view(self.live.table).to_act
            if acting and self.live.table.round == number:
                self._decision(acting)
        return True

    def _leave(self) -> None:
        """Leave during a round; the Submission says how the wagers are settled."""
        if self.live.table.boxes:
            number = self.live.table.round
            self.live.do(Leave(1), self._player_given())
            while self.live.table.boxes and self.live.table.round == number:
                self._deal(bets_are_in=True)

    def _deal(self, *, bets_are_in: bool) -> None:
        number = self.live.table.round
        while due := automatic_command(self.live.table, self.source, self._given(), bets_are_in=bets_are_in):
            events = self.live.do(*due)
            self.banks = apply_to_banks(self.banks, self.live.transitions)
            for event in events:
                self._print_event(event)
            if self.live.table.round != number and bets_are_in:
                return

    def _given(self) -> Given:
        return Given(actor="house", role=Role.SYSTEM, meters=meter_balances(self.banks), time=self.live.table.since)

    def _player_given(self) -> Given:
        return Given(actor=YOU, role=Role.PLAYER)

    def _wagers(self) -> dict[str, int] | None:
        while True:
            text = self.out.input("[bold]Wager:[/] ").strip()
            if text in ("q", "quit"):
                return None
            try:
                pairs = parse_pairs(text.split(), "ante=10")
                wagers = {name: parse_money(amount) for name, amount in pairs.items()} or self.last
                self.live.verify(Wager(1, wagers), self._player_given())  # every other box gets the same wagers
            except Mistake as mistake:
                self.out.print(f"[red]{escape(str(mistake))}[/]")
            else:
                return wagers

    def _decision(self, seat: int) -> None:
        table = self.live.table
        decision = table.rules.terms.game.decisions[len(table.boxes[seat].decisions)]
        self._cards(f"Box {seat}" if self.seats > 1 else "You", _visible_cards(table.boxes[seat].cards))
        for place, held in table.places.items():
            if shown := _visible_cards(held, up=True):
                self._cards(place.capitalize(), shown)
        choices = ", ".join(f"{multiple} ×" for multiple in decision.multiples)
        while True:
            text = self.out.input(f"[bold]Raise {choices}, or f to fold:[/] ").strip().rstrip("x×")
            multiple = FOLD if text in ("f", "fold") else int(text) if text.isascii() and text.isdecimal() else -1
            command = Decide(seat, multiple)
            if self.live.can(command, self._player_given()) and text:
                self.live.do(command, self._player_given())
                return
            self.out.print(f"[red]Wager {choices} the Ante, or fold ({decision.cite}).[/]")

    def _print_event(self, event: Event) -> None:
        table = self.live.table
        match event:
            case happened.Turned(_, seat, place) if place and not seat and place in table.places:
                self._cards(place.capitalize(), _visible_cards(table.places[place], up=True))
            case happened.Settled(_, lines) | happened.Added(_, lines):
                page = plain_table("wager", "outcome", "net", "", "clause")
                for line in lines:
                    page.add_row(line.wager, line.outcome, format_money(line.net), escape(line.why), f"§ {line.cite}")
                self.net += sum(line.net for line in lines)
                self.out.print(page)
                self.out.print(
                    f"[bold]{format_money(sum(line.net for line in lines))}[/]; total {format_money(self.net)}.\n"
                )
            case happened.Reported(kind, cite):
                self.out.print(f"{kind} (§ {cite})")

    def _cards(self, whose: str, cards: list[Card]) -> None:
        self.out.print(Text(whose, "dim"))
        self.out.print(draw_cards(cards))

    def _write_entry(self, command: Command, given: Given, events: list[Event]) -> None:
        self.seq += 1
        if self.file:
            line, self.digest = encoded(Entry(self.seq, command, given, tuple(events)), self.digest)
            self.file.write(line)
            self.file.flush()


def _visible_cards(held: Iterable[Slot], *, up: bool = False) -> list[Card]:
    return [slot.card for slot in held if slot.card and (slot.up or not up)]


def _create_file(file: Path) -> BinaryIO:
    try:
        return file.open("xb")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not a valid file name"
        raise Mistake(f"The record cannot be written to {file}: {reason}.") from None
