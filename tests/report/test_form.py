"""The Rules Submission on paper: every choice with its clause, and every amendment marked."""

import io
import re

import pytest
from msgspec.structs import replace
from pypdf import PdfReader

from pitboss.disclaimer import DISCLAIMER
from pitboss.errors import Mistake
from pitboss.report.papers import render_pdf
from pitboss.rulebook import rulebook
from pitboss.submission import load, presets
from pitboss.submission.changes import list_changes
from pitboss.submission.form import form_of
from pitboss.submission.form_paper import NOT_SET, Approval, Entry, FormPaper, filing_of
from pitboss.submission.model import Cents, Chance, Link, Shuffler, Submission

STUD = "caribbean-stud-standard"


def without_spaces(text: str) -> str:
    """Without spaces and case: small capitals and line breaks are a matter of looks."""
    return re.sub(r"\s|\u00ad", "", text).casefold()


def pages_of(filing: FormPaper) -> list[str]:
    return [without_spaces(page.extract_text()) for page in PdfReader(io.BytesIO(render_pdf("form", filing))).pages]


def entries_of(filing: FormPaper) -> dict[str, Entry]:
    return {entry.where: entry for part in filing.parts for entry in part.entries}


def amended(old: Submission) -> Submission:
    """Change one key of every kind."""
    wagers = dict(old.wagers)
    wagers["bonus"] = replace(wagers["bonus"], paytable="B", maximum=Cents(500_00))
    five = wagers["five-card-hand"]
    wagers["five-card-hand"] = replace(five, bonuses={"magic-card": Chance(1, 40)}, validated_from=100)
    del wagers["progressive"]
    table = replace(old.table, seats=6, shuffler=Shuffler.COUNTING, decision_timeout=60)
    return replace(old, version="2", table=table, wagers=wagers, readings={"linked-tables": "barred"})


@pytest.mark.parametrize("name", presets())
def test_the_form_has_every_choice_and_valid_clauses(name: str) -> None:
    submission = load(name)
    filing, form = filing_of(submission), form_of(submission.game)
    found = entries_of(filing)
    assert {wager.offer for wager in form.wagers} == {where.split(".")[1] for where in found if "wagers." in where}
    assert {f"readings.{reading.id}" for reading in form.readings} == {where for where in found if "readings." in where}
    assert {where for where in found if where.startswith("table.")} >= {
        f"table.{key}" for key in submission.table.__struct_fields__ if key != "payout_limit"
    }
    for entry in found.values():
        for cite in (*entry.cites, *(tick.cite for tick in entry.options)):
            assert not cite or rulebook().cite(cite)
        assert not entry.options or sum(tick.is_chosen for tick in entry.options) == 1
    words = "".join(pages_of(filing))
    for entry in found.values():
        for said in (entry.label, entry.value, *(tick.words for tick in entry.options), *entry.cites):
            assert without_spaces(said) in words, said
    for offer in submission.wagers.values():
        for amount in (offer.minimum, offer.maximum):
            assert amount is None or str(amount).removesuffix(".00") in words


@pytest.mark.parametrize("name", presets())
def test_every_page_has_the_disclaimer_and_the_form_is_reproducible(name: str) -> None:
    filing = filing_of(load(name))
    assert all(without_spaces(DISCLAIMER) in page for page in pages_of(filing))
    assert render_pdf("form", filing) == render_pdf("form", filing)


def test_exactly_the_amendments_are_marked_with_their_old_values() -> None:
    old = load(STUD)
    new = amended(old)
    filing = filing_of(new, old)
    marked = {where: (entry.was, entry.chosen) for where, entry in entries_of(filing).items() if entry.amended}
    assert marked == {
        "version": ("1", "2"),
        "table.seats": ("7 (at most 7)", "6 (at most 7)"),
        "table.shuffler": (
            "An automated card shuffling device",
            "An automated card shuffling device that counts the cards",
        ),
        "table.decision_timeout": ("none: a floorperson is called", "60 seconds"),
        "wagers.bonus.paytable": ("Paytable A", "Paytable B"),
        "wagers.bonus.maximum": ("$1,000", "$500"),
        "wagers.progressive": ("Yes", "No"),
        "wagers.five-card-hand.validated_from": ("500 for 1", "100 for 1"),
        "wagers.five-card-hand.bonuses.magic-card": ("offered, drawn 1 in 100 rounds", "offered, drawn 1 in 40 rounds"),
        "wagers.five-card-hand.bonuses.lucky-bonus": ("offered, drawn 1 in 20 rounds", "not offered"),
        "readings.linked-tables": (
            "Tables of this one game may be linked on any paytable.",
            "Linked tables count as linked games.",
        ),
    }
    assert {change.where for change in list_changes(old, new)} == set(marked)  # the list has what the margin marks
    words = "".join(pages_of(filing))
    for change in filing.amendments:
        assert without_spaces(change.change) in words
    assert without_spaces("was: $1,000") in words
    assert without_spaces("Against version 1.") in words


def test_a_new_wager_is_marked_as_not_offered_before() -> None:
    new = load(STUD)
    old = amended(new)
    entry = entries_of(filing_of(new, old))["wagers.progressive"]
    assert (entry.amended, entry.was, entry.chosen) == (True, "No", "Yes")


def test_an_earlier_version_with_errors_can_be_amended() -> None:
    """The version before may have been filed under rules that have changed."""
    new = load(STUD)
    progressive = replace(new.wagers["progressive"], paytable="Z", linked=Link.GAMES)
    old = replace(new, wagers={**new.wagers, "progressive": progressive})
    assert entries_of(filing_of(new, old))["wagers.progressive.paytable"].was == NOT_SET


def test_a_first_version_has_no_marks_and_empty_approval_lines() -> None:
    filing = filing_of(load(STUD))
    assert not any(entry.amended for entry in entries_of(filing).values())
    assert filing.approvals == (Approval(),)
    assert "amendments" not in "".join(pages_of(filing))


def test_the_form_has_the_approval() -> None:
    approval = Approval(date="2026-01-15", reference="PGCB letter 12/2026", recorded_by="olga")
    words = "".join(pages_of(filing_of(load(STUD), None, [approval], "0123456789abcdef" * 4)))
    for said in ("2026-01-15", "PGCB letter 12/2026", "olga", "0123456789abcdef" * 4):
        assert without_spaces(said) in words


def test_refuses_an_earlier_version_of_another_game() -> None:
    with pytest.raises(Mistake, match="a Submission for cajun-stud, not for caribbean-stud"):
        filing_of(load(STUD), load("cajun-stud-standard"))
