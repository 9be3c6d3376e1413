"""Edges against the ranges of rulemaking 125-204: which cause a warning, and which reading matters."""

import msgspec
import pytest

from pitboss.rulebook.published_hold import published_holds
from pitboss.submission import DEMONSTRATION, edge_warnings, load, presets, terms_of
from pitboss.submission.overrides import apply_overrides


def warnings_of(
    preset: str, paytables: dict[str, str] | None = None, readings: dict[str, str] | None = None
) -> dict[str, str]:
    found = edge_warnings(terms_of(apply_overrides(load(preset), paytables or {}, readings or {})))
    return {one.wager: one.warning for one in found}


def test_the_aces_bonus_is_in_the_published_range_only_under_the_four_card_reading() -> None:
    assert warnings_of("four-card-prime-standard")["aces-bonus"] == (
        "Aces Bonus, Paytable A, holds 46.32 % of the wager; the Board published 1.11 % to 6.6 %. "
        "The reading aces-bonus-hand-size = four-card makes it 1.106 %."
    )
    assert "aces-bonus" not in warnings_of("four-card-prime-as-published")


def test_the_required_wagers_of_four_card_prime_are_outside_their_range() -> None:
    """Of everything wagered, as Cajun Stud's range is found; of the Ante they leave it upwards."""
    for letter, hold in {"A": "1.546", "B": "1.457", "C": "1.456", "D": "1.311"}.items():
        said = warnings_of("four-card-prime-as-published", {"ante": letter})["ante-raise"]
        assert said.startswith(f"Ante and Raise, Paytable {letter}, hold {hold} % of everything wagered; the Board")
        assert "The reading win-bonus-for-one = pays-n-less-one makes it 2." in said
        assert said.endswith("No reading gives both published ends.")
    of_ante = warnings_of("four-card-prime-as-published", readings={"hold-definition": "initial-wager"})["ante-raise"]
    assert "hold 3.294 % of the initial wager" in of_ante or "hold 3.293 % of the initial wager" in of_ante
    less = {"win-bonus-for-one": "pays-n-less-one"}
    assert warnings_of("four-card-prime-as-published", readings=less) == {}


def test_a_hold_is_compared_with_the_printed_precision() -> None:
    """Aces Bonus E holds 6.615 %, which is the 6.6 % of the range; Pocket C 9.955 %, which is its 9.95 %."""
    assert warnings_of("four-card-prime-as-published", {"aces-bonus": "E"}).keys() == {"ante-raise"}
    assert warnings_of("cajun-stud-rack-card") == {}
    assert warnings_of("cajun-stud-standard", {"pocket-bonus": "C", "ante": "B", "lo-ball": "B", "all-six": "E"}) == {}


@pytest.mark.parametrize(
    ("readings", "wager", "moves"),
    [
        ({"board-bonus-threshold": "aces-or-better"}, "board-bonus", "The reading board-bonus-threshold = any-pair makes it 2.317 %."),
        ({"board-bonus-ace-low": "no", "board-bonus-threshold": "aces-or-better"}, "board-bonus", "The reading board-bonus-threshold = any-pair makes it 4.869 %."),
        ({"ev-ties": "smaller-wager"}, "ante-raise", "The reading ev-ties = larger-wager makes it 4.284 %."),
        ({"hold-definition": "initial-wager"}, "ante-raise", "The reading hold-definition = total-wager makes it 4.284 %."),
    ],
)  # fmt: skip
def test_the_warning_names_the_reading_that_matters(readings: dict[str, str], wager: str, moves: str) -> None:
    found = warnings_of("cajun-stud-standard", {"ante": "B"}, readings)
    assert found.keys() == {wager}
    assert found[wager].endswith(moves)


def test_warnings_cover_only_the_requested_wagers_on_offer() -> None:
    standard = load("four-card-prime-standard")
    terms = terms_of(standard)
    assert [one.offer for one in edge_warnings(terms)] == ["ante", "aces-bonus"]
    assert [one.offer for one in edge_warnings(terms, {"prime", "aces-bonus"})] == ["aces-bonus"]
    fewer = {name: offer for name, offer in standard.wagers.items() if name != "aces-bonus"}
    without = msgspec.structs.replace(standard, wagers=fewer)
    assert [one.offer for one in edge_warnings(terms_of(without))] == ["ante"]
    assert edge_warnings(terms_of(load("caribbean-stud-standard"))) == []


def test_every_combination_of_readings_has_a_row() -> None:
    """The figures of a wager exist for all options of the readings that could matter."""
    for published in published_holds():
        for one in published.found:
            assert published.under({**one.choice, "hold-definition": one.of or "total-wager"}) is one


def test_the_demonstration_offers_the_aces_bonus_as_published() -> None:
    assert DEMONSTRATION["four-card-prime"] == "four-card-prime-as-published"
    assert set(DEMONSTRATION.values()) <= set(presets())
    text, published = load("four-card-prime-standard"), load("four-card-prime-as-published")
    assert text.readings == {}
    assert published.readings == {"aces-bonus-hand-size": "four-card"}
    assert msgspec.structs.replace(published, readings={}, version=text.version) == text
