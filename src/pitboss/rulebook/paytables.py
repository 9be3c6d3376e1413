"""The paytables of section .12, by wager and letter."""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from pitboss.errors import Mistake
from pitboss.ranking import Hand
from pitboss.rulebook.citation import Cite
from pitboss.rulebook.pay import NotPaid, Pay, parse_pay
from pitboss.rulebook.printed_tables import Block, columns, read_cell
from pitboss.rulebook.readings import Choice, meets_condition
from pitboss.rulebook.toml import DataMistake, convert, read_toml

Table = Mapping[str, Pay]
"""The pay of each hand, in printed order."""


def pay_row(table: Table, hand: Hand) -> tuple[str, Pay]:
    """Return the row and pay of a hand; without a pay of its own, those of the hand it counts as."""
    pay = table.get(hand.name, NotPaid())
    if isinstance(pay, NotPaid) and hand.counts_as in table:
        return hand.counts_as, table[hand.counts_as]
    return hand.name, pay


class Amendment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A cell that has another pay under certain readings."""

    when: Choice
    paytable: str
    hand: str
    pays: str


class Paytables(msgspec.Struct, frozen=True):
    """The paytables of one wager."""

    wager: str
    cite: Cite
    ranking: str
    """The ranking whose hands the rows name; empty if the pay does not depend on the hand."""
    printed: Mapping[str, Table]
    amendments: tuple[Amendment, ...]
    title: str
    """The wager's name on layouts and signs."""
    note: str
    """When it is paid, or on which cards, unless the title says so."""

    def under(self, letter: str, options: Mapping[str, str]) -> Table:
        """Return one paytable under these readings."""
        if letter not in self.printed:
            letters = ", ".join(self.printed)
            raise Mistake(f"There is no Paytable {letter} for {self.wager}; the paytables are {letters}.")
        table = dict(self.printed[letter])
        for change in self.amendments:
            if change.paytable == letter and meets_condition(change.when, options):
                table[change.hand] = parse_pay(change.pays)
        return table


class _Entry(msgspec.Struct, forbid_unknown_fields=True):
    cite: Cite
    printed: tuple[Block, ...]
    ranking: str = ""
    amendments: tuple[Amendment, ...] = ()
    title: str = ""
    note: str = ""


def load_paytables(folder: Path) -> dict[str, Paytables]:
    """Load `paytables.toml` of one game's folder."""
    file = folder / "paytables.toml"
    return {wager: _paytables(file, wager, data) for wager, data in read_toml(file).items()}


def _paytables(file: Path, wager: str, data: object) -> Paytables:
    entry = convert(data, _Entry, file, wager)
    tables = columns(entry.printed, file, wager, lambda _, text: parse_pay(text))
    for change in entry.amendments:
        key = f"{wager}.amendments"
        if change.hand not in tables.get(change.paytable, {}):
            raise DataMistake(file, key, f"there is no “{change.hand}” in Paytable {change.paytable}")
        read_cell(file, key, lambda _, text: parse_pay(text), change.hand, change.pays)
    title = entry.title or wager.replace("-", " ").title()
    return Paytables(wager, entry.cite, entry.ranking, tables, entry.amendments, title, entry.note)
