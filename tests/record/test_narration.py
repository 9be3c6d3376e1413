"""Narration: staff read names, a patron reads posts."""

from msgspec.structs import replace
from table_play import (
    ANTE,
    DEALER,
    FLOORPERSON,
    PRESETS,
    advance_until,
    after_command,
    as_replayed_entry,
    open_for_gaming,
    shuffle_and_wager,
)

from pitboss.record import narrate
from pitboss.record.narration import narrate_sentences
from pitboss.record.sentences import PartKind, parse_text, plain_text
from pitboss.rulebook.procedures import Do
from pitboss.table import Acknowledge, Report, Role, Wager


def test_narration_for_a_patron_has_no_staff_names() -> None:
    """A floorperson acknowledges a void (639a.13(c)); only the house sees the name."""
    table = advance_until(shuffle_and_wager(open_for_gaming(PRESETS["639a"], {1: "Ann"}), {1: ANTE}), Do.ASK)
    void = after_command(table, Report("wrong-number"), DEALER)
    given = replace(FLOORPERSON, time=void.now)
    moment = as_replayed_entry(void, Acknowledge(), given)
    (staff,) = (line for line in narrate(moment, "") if "acknowledges" in line)
    (patron,) = (line for line in narrate(moment, "Ann", staff=False) if "acknowledges" in line)
    assert staff.endswith("Floor acknowledges the void (§ 639a.13(c))")
    assert patron.endswith("a floorperson acknowledges the void (§ 639a.13(c))")


def test_a_sentence_has_its_cards_money_people_and_clauses_as_parts() -> None:
    """A screen draws the parts and parses no text: 639a.7(b) for the wager, 639a.13(c) for the void."""
    table = open_for_gaming(PRESETS["639a"], {1: "Ann"})
    given = replace(DEALER, actor="Ann", role=Role.PLAYER)
    moment = as_replayed_entry(table, Wager(1, {"ante": 1000}), given)
    (said,) = narrate_sentences(moment)
    assert [(part.kind, part.text) for part in said.parts] == [
        (PartKind.PERSON, "Ann"),
        (PartKind.TEXT, " at 1: "),
        (PartKind.WAGER, "ante"),
        (PartKind.TEXT, " "),
        (PartKind.MONEY, "$10.00"),
    ]
    assert said.text == plain_text(said.parts) == "Ann at 1: ante $10.00"


def test_a_recorded_text_is_parted_at_its_clauses_and_hashes() -> None:
    digest = "0123456789abcdef" * 4
    text = f"void under § 639a.11(c)(3). sha256 {digest}"
    assert [(part.kind, part.text) for part in parse_text(text)] == [
        (PartKind.TEXT, "void under "),
        (PartKind.CLAUSE, "639a.11(c)(3)"),
        (PartKind.TEXT, ". sha256 "),
        (PartKind.HASH, digest),
    ]
    assert plain_text(parse_text(text)) == text
