"""Every printed cell against a second transcription of section .12, made without sight of the data files."""

import csv
from pathlib import Path

import pytest

from pitboss.rulebook import rulebook

SECOND = Path(__file__).parent.parent / "transcription"


def second_transcription(file: str) -> list[dict[str, str]]:
    with (SECOND / file).open(encoding="utf-8", newline="") as rows:
        return list(csv.DictReader(rows))


@pytest.mark.proves(
    "639a.12(a)", "639a.12(b)", "639a.12(c)", "639a.12(d)(1)", "639a.12(e)(1)", "639a.12(e)(3)",
    "682a.12(a)", "682a.12(b)", "682a.12(c)", "682a.12(d)", "682a.12(e)", "682a.12(f)",
    "683a.12(a)", "683a.12(b)", "683a.12(c)", "683a.12(d)", "683a.12(e)",
)  # fmt: skip
def test_every_cell_of_every_paytable_is_as_printed() -> None:
    theirs: dict[tuple[str, str, str], list[tuple[str, str]]] = {}
    for row in second_transcription("paytables.csv"):
        theirs.setdefault((row["game"], row["wager"], row["paytable"]), []).append((row["hand"], row["cell"]))
    ours = {
        (game, wager, letter): [(hand, str(pay)) for hand, pay in table.items()]
        for game, rules in rulebook().games.items()
        for wager, tables in rules.paytables.items()
        for letter, table in tables.printed.items()
    }
    assert sum(map(len, theirs.values())) == 360
    assert ours == theirs


@pytest.mark.proves("639a.12(d)(4)", "639a.12(e)(4)")
def test_every_seed_and_rate_of_every_meter_is_as_printed() -> None:
    theirs = {
        (row["game"], row["wager"], row["paytable"], row["meter"], row["field"]): row["value"]
        for row in second_transcription("meters.csv")
    }
    ours = {
        (game, wager, letter, name, field): "n/a" if (value := getattr(meter, field)) is None else str(value)
        for game, rules in rulebook().games.items()
        for wager, meters in rules.meters.items()
        for letter, names in meters.paytables.items()
        for name, meter in names.items()
        for field in meter.__struct_fields__
        if (game, wager, letter, name, field) in theirs or getattr(meter, field) is not None
    }
    assert len(theirs) == 51
    assert ours == theirs


@pytest.mark.proves("639a.12(d)(6)")
def test_every_envy_bonus_is_as_printed() -> None:
    envy = rulebook().games["caribbean-stud"].meters["progressive"].envy
    assert envy is not None
    assert envy.paytables == ("D", "F", "G", "H")
    theirs = {(row["wager_amount"], row["hand"]): row["pays"] for row in second_transcription("envy.csv")}
    assert {(stake, hand): str(paid) for stake, pays in envy.pays.items() for hand, paid in pays.items()} == theirs


@pytest.mark.proves("639a.12(d)(3)")
def test_639a_12_d_3_some_paytables_are_barred_on_linked_games() -> None:
    barred = rulebook().games["caribbean-stud"].meters["progressive"].not_linked
    assert barred
    assert (barred.paytables, barred.cite) == (("A", "B", "C", "E"), "639a.12(d)(3)")


def test_every_labelled_clause_occurs_once_in_printed_order() -> None:
    labels = (SECOND / "labels.txt").read_text("utf-8").split()
    assert len(labels) == 443
    assert list(rulebook().clauses) == labels
