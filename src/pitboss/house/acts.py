"""What may be asked of the house besides a table's commands, and by whom."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

import msgspec

from pitboss.house.live_table import Settings
from pitboss.house.people import Post

IDEMPOTENCY_RULE: Final = "house rule: one effect for each idempotency key"
SECOND_PERSON_RULE: Final = "house rule: a second person"
MAX_TEXT: Final = 500
"""Letters of what somebody says about something."""


class OpenTable(msgspec.Struct, frozen=True, tag=True):
    """Open a table with a Submission."""

    table: str
    submission: str
    settings: Settings = msgspec.field(default_factory=Settings)
    scanned: bool = False


class CloseTable(msgspec.Struct, frozen=True, tag=True):
    """Close a table between rounds."""

    table: str


class Suspend(msgspec.Struct, frozen=True, tag=True):
    """Take a wager no longer at a table, since its link or its meter failed."""

    table: str
    offer: str
    reason: str


class Resume(msgspec.Struct, frozen=True, tag=True):
    """Take a suspended wager again."""

    table: str
    offer: str


class BuyIn(msgspec.Struct, frozen=True, tag=True):
    """Put money into a patron's account, in cents."""

    patron: str
    amount: int


class CashOut(msgspec.Struct, frozen=True, tag=True):
    """Take money out of a patron's account, in cents."""

    patron: str
    amount: int


class Fill(msgspec.Struct, frozen=True, tag=True):
    """Bring chips to a table, in cents."""

    table: str
    amount: int


class Credit(msgspec.Struct, frozen=True, tag=True):
    """Take chips from a table, in cents."""

    table: str
    amount: int


class Amend(msgspec.Struct, frozen=True, tag=True):
    """Correct the ledger: move cents from one account to another, and say why."""

    giver: str
    taker: str
    amount: int
    reason: str


class Hire(msgspec.Struct, frozen=True, tag=True):
    """Make somebody known, by the hash of a password; or give them another post or password."""

    name: str
    post: Post
    password: str


class Dismiss(msgspec.Struct, frozen=True, tag=True):
    """Let somebody in no longer."""

    name: str


class Approve(msgspec.Struct, frozen=True, tag=True):
    """Be the second person."""

    id: str


class Decline(msgspec.Struct, frozen=True, tag=True):
    """Refuse what waits for a second person."""

    id: str


ShortText = Annotated[str, msgspec.Meta(max_length=MAX_TEXT)]


class Note(msgspec.Struct, frozen=True, tag=True):
    """Note a dispute over a round, finished or under way, or what became of it."""

    table: str
    round: int
    """Counted from 1."""
    text: ShortText
    outcome: ShortText = ""
    """How it was settled; nothing while it is open."""
    kind: Literal["dispute"] = "dispute"


class RecordApproval(msgspec.Struct, frozen=True, tag=True):
    """Record that the Board approved a Submission: its text, the day, and what the Board calls it."""

    submission: Annotated[str, msgspec.Meta(max_length=32_768)]
    date: Annotated[str, msgspec.Meta(max_length=10)]
    """As in 2026-01-15."""
    reference: ShortText


class TrainedKind(msgspec.Struct, frozen=True):
    """One kind of question: how many were asked and right, the seconds they took and might have taken."""

    kind: str
    asked: int
    right: int
    seconds: int
    allowed: int


class RecordTraining(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """Record what somebody of the staff answered, as the house graded it; who records it for another examined it."""

    person: str
    game: str
    rules: str
    """Whose: a table, or a preset."""
    version: str
    """Of that Submission."""
    is_test: bool
    """Whether these are all questions of one table test."""
    kinds: tuple[TrainedKind, ...]
    lines: int
    lines_right: int
    """Of the wagers in rounds to settle."""
    wrong: Mapping[str, int]
    """By clause: how often it was got wrong."""
    drills: tuple[str, ...]
    """Kind and seed of every question: the same can be asked again."""


class Noted(msgspec.Struct, frozen=True, tag=True):
    """Something that matters happened: a failed sign-in, a restart, a clock that was changed, a jackpot, a void."""

    what: str
    before: str = ""
    after: str = ""


Act = (
    OpenTable
    | CloseTable
    | Suspend
    | Resume
    | BuyIn
    | CashOut
    | Fill
    | Credit
    | Amend
    | Hire
    | Dismiss
    | Approve
    | Decline
    | Note
    | RecordApproval
    | RecordTraining
    | Noted
)

_OPERATOR: Final = frozenset({Post.OPERATOR})
_FLOOR: Final = frozenset({Post.FLOORPERSON, Post.OPERATOR})
POSTS_BY_ACT: Final[Mapping[type[Act], frozenset[Post]]] = {
    OpenTable: _OPERATOR,
    CloseTable: _OPERATOR,
    Suspend: _FLOOR,
    Resume: _FLOOR,
    BuyIn: frozenset({Post.PATRON, Post.OPERATOR}),  # a patron for himself, while it is play money
    CashOut: frozenset({Post.PATRON, Post.OPERATOR}),
    Fill: _FLOOR,
    Credit: _FLOOR,
    Amend: _OPERATOR | {Post.AUDITOR},
    Hire: _OPERATOR,
    Dismiss: _OPERATOR,
    Approve: _FLOOR | {Post.AUDITOR},  # what they may ask for themselves, and an auditor everything
    Decline: _FLOOR | {Post.AUDITOR},
    Note: _FLOOR,
    RecordApproval: _OPERATOR,
    RecordTraining: frozenset(),  # the house itself, which graded it
    Noted: frozenset(),  # the house itself
}
"""Who may do what, besides a table's commands."""
EXAMINERS: Final = _FLOOR
"""Who examines others; everybody of the staff may have own practice recorded."""
TWO_PERSON_ACTS: Final = (Fill, Credit, Amend)
"""What takes a second person."""
