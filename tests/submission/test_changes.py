"""Changes between two Submissions, in words."""

from pitboss.submission import load
from pitboss.submission.changes import list_changes
from pitboss.submission.parser import parse, text_of


def test_changes_from_the_standard_submission_to_the_rack_card() -> None:
    told = [change.change for change in list_changes(load("cajun-stud-standard"), load("cajun-stud-rack-card"))]
    assert told == [
        "The version changed from 1 to rack card.",
        "The shuffler changed from automated to automated-with-count.",
        "The payout limit is now $50,000.00; it was not set.",
        "The paytable of ante changed from A to B.",
        "The minimum of ante changed from $1.00 to $5.00.",
        "The maximum of ante changed from $10,000.00 to $1,000.00.",
        "The paytable of pocket-bonus changed from A to C.",
        "The maximum of pocket-bonus changed from $1,000.00 to $100.00.",
        "The paytable of board-bonus changed from A to D.",
        "The maximum of board-bonus changed from $1,000.00 to $100.00.",
        "The maximum of lo-ball changed from $1,000.00 to $100.00.",
        "The paytable of all-six changed from A to B.",
        "The maximum of all-six changed from $1,000.00 to $100.00.",
        "The reading cajun-all-six-cards is now community-plus-one; it was not set.",
        "The reading cajun-community-deal is now four-first; it was not set.",
        "The reading all-six-card-that-stays is now first-dealt; it was not set.",
        "The reading folded-cards is now tucked; it was not set.",
    ]


def test_added_and_removed_wagers_are_changes() -> None:
    text = text_of("caribbean-stud-standard")
    start, end = text.index("[wagers.bonus]"), text.index("[wagers.progressive]")
    without, problems = parse(text[:start] + text[end:], "test")
    assert without, problems
    whole = load("caribbean-stud-standard")
    assert [change.change for change in list_changes(whole, without)] == ["The wager bonus is no longer offered."]
    assert [change.change for change in list_changes(without, whole)] == [
        "The wager bonus is now offered, by Paytable A."
    ]
    assert list_changes(whole, whole) == []
    other, _ = parse(text.replace("amounts = [1, 5]", "amounts = [5]", 1).replace('"1 in 20"', '"1 in 30"'), "test")
    assert other
    assert [change.change for change in list_changes(whole, other)] == [
        "The amounts of progressive changed from $1.00 and $5.00 to $5.00.",
        "The frequency of lucky-bonus of five-card-hand changed from 1 in 20 to 1 in 30.",
    ]
