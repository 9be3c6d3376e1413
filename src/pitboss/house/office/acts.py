"""Acts: orders to the whole house, and the posts that may give them."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

import msgspec

from pitboss.house.live_table import Settings
from pitboss.house.office.people import Post

IDEMPOTENCY_RULE: Final = "house rule: one effect for each idempotency key"
SECOND_PERSON_RULE: Final = "house rule: a second person"
MAX_TEXT: Final = 500
"""Maximum length of a text."""


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
    """Suspend a wager at a table whose link or meter failed."""

    table: str
    offer: str
    reason: str


class Resume(msgspec.Struct, frozen=True, tag=True):
    """Resume a suspended wager."""

    table: str
    offer: str


class BuyIn(msgspec.Struct, frozen=True, tag=True):
    """Add cents to a patron's account."""

    patron: str
    amount: int


class CashOut(msgspec.Struct, frozen=True, tag=True):
    """Pay cents out of a patron's account."""

    patron: str
    amount: int


class Fill(msgspec.Struct, frozen=True, tag=True):
    """Bring chips to a table's inventory, in cents."""

    table: str
    amount: int


class Credit(msgspec.Struct, frozen=True, tag=True):
    """Take chips from a table's inventory, in cents."""

    table: str
    amount: int


class Amend(msgspec.Struct, frozen=True, tag=True):
    """Correct the ledger by moving cents between two accounts, with a reason."""

    giver: str
    taker: str
    amount: int
    reason: str


class Hire(msgspec.Struct, frozen=True, tag=True):
    """Create an account, or change its post or password; `password` is a hash."""

    name: str
    post: Post
    password: str


class Dismiss(msgspec.Struct, frozen=True, tag=True):
    """Deactivate an account."""

    name: str


class Approve(msgspec.Struct, frozen=True, tag=True):
    """Approve a request as the second person."""

    id: str


class Decline(msgspec.Struct, frozen=True, tag=True):
    """Decline a request as the second person."""

    id: str


ShortText = Annotated[str, msgspec.Meta(max_length=MAX_TEXT)]


class Note(msgspec.Struct, frozen=True, tag=True):
    """Note a dispute over a round, or its outcome."""

    table: str
    round: int
    """Counted from 1."""
    text: ShortText
    outcome: ShortText = ""
    """How it was settled; empty while it is open."""
    kind: Literal["dispute"] = "dispute"


class RecordApproval(msgspec.Struct, frozen=True, tag=True):
    """Record the Board's approval of a Submission, with date and reference."""

    submission: Annotated[str, msgspec.Meta(max_length=32_768)]
    date: Annotated[str, msgspec.Meta(max_length=10)]
    """As in 2026-01-15."""
    reference: ShortText


class TrainedKind(msgspec.Struct, frozen=True):
    """Results for one kind of question: asked, right, seconds used and seconds allowed."""

    kind: str
    asked: int
    right: int
    seconds: int
    allowed: int


class RecordTraining(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """Record graded answers of a staff member; the actor is the examiner, if another person."""

    person: str
    game: str
    rules: str
    """The table or preset whose rules were used."""
    version: str
    """The version of that Submission."""
    is_test: bool
    """Whether the answers cover all questions of one table test."""
    kinds: tuple[TrainedKind, ...]
    lines: int
    lines_right: int
    """Right wagers in the rounds to settle."""
    wrong: Mapping[str, int]
    """Number of errors by clause."""
    drills: tuple[str, ...]
    """Kind and seed of every question, to ask it again."""


class Noted(msgspec.Struct, frozen=True, tag=True):
    """A significant event: a failed sign-in, a restart, a changed clock, a jackpot, a void round."""

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
    BuyIn: frozenset({Post.PATRON, Post.OPERATOR}),  # a patron only for play money, to the own account
    CashOut: frozenset({Post.PATRON, Post.OPERATOR}),
    Fill: _FLOOR,
    Credit: _FLOOR,
    Amend: _OPERATOR | {Post.AUDITOR},
    Hire: _OPERATOR,
    Dismiss: _OPERATOR,
    Approve: _FLOOR | {Post.AUDITOR},  # acts they may ask for; an auditor may approve all
    Decline: _FLOOR | {Post.AUDITOR},
    Note: _FLOOR,
    RecordApproval: _OPERATOR,
    RecordTraining: frozenset(),  # only the house, which graded it
    Noted: frozenset(),  # only the house
}
"""The posts that may give each act."""
JACKPOT: Final = "jackpot"
"""The kind of a request that is no act: a payout that a second floorperson validates at its table."""


def approvers(asked: type[Act]) -> frozenset[Post]:
    """Return the posts that may approve an act: those that may ask for it, and the auditor."""
    return POSTS_BY_ACT[asked] | {Post.AUDITOR}


EXAMINERS: Final = _FLOOR
"""Posts that may examine others; all staff may record their own practice."""
TWO_PERSON_ACTS: Final = (Fill, Credit, Amend)
"""Acts that need a second person."""
