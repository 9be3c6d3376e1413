"""A finished round as frames for the screen, one for every entry, as a viewer may see them."""

import msgspec
from msgspec.structs import replace

from pitboss.house.evidence.search import MAX_LINES, RoundRecord, RoundSummary
from pitboss.record.narration import ALL_CARDS, narrate_sentences
from pitboss.record.replay import ReplayedEntry
from pitboss.record.sentences import Sentence
from pitboss.table import Role, Table, View, view
from pitboss.table.state import Slot


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """One entry: its command, its narration, and the table after it."""

    seq: int
    time: int
    actor: str
    """For staff; empty for a patron."""
    role: Role
    kind: str
    """The type of the command."""
    lines: list[Sentence]
    view: View


class Frames(msgspec.Struct, frozen=True, kw_only=True):
    """A finished round, frame by frame."""

    round: RoundSummary
    left_out: int
    """Number of entries left out at its beginning."""
    frames: list[Frame]


def frames_of_round(record: RoundRecord, viewer: str | None, role: Role) -> Frames:
    """Return a finished round as a patron or staff saw it, or with every card."""
    shown = record.visible_entries(viewer, staff=role is not Role.PLAYER, most=MAX_LINES)
    return Frames(
        round=record.found,
        left_out=len(record.moments) - len(shown),
        frames=[_frame(moment, viewer, role) for moment in shown],
    )


def _frame(moment: ReplayedEntry, viewer: str | None, role: Role) -> Frame:
    given = moment.entry.given
    table = turn_all_cards_up(moment.after) if viewer is ALL_CARDS else moment.after
    return Frame(
        seq=moment.entry.seq,
        time=given.time,
        actor="" if role is Role.PLAYER else given.actor,
        role=given.role,
        kind=type(moment.entry.command).__name__,
        lines=narrate_sentences(moment, viewer, staff=role is not Role.PLAYER),
        view=view(table, viewer or "", role),
    )


def turn_all_cards_up(table: Table) -> Table:
    """Return a table with all its cards face up."""
    boxes = {seat: replace(box, cards=_up(box.cards)) for seat, box in table.boxes.items()}
    return replace(table, boxes=boxes, places={name: _up(held) for name, held in table.places.items()})


def _up(held: tuple[Slot, ...]) -> tuple[Slot, ...]:
    return tuple(replace(slot, up=True) for slot in held)
