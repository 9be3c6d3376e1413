"""Permissions: what each post may see and do. The server checks them, and the screens receive them with the session."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from pitboss.house.office.acts import EXAMINERS, JACKPOT, POSTS_BY_ACT, Approve, Decline, approvers
from pitboss.house.office.people import Person, Post

_OVERSEERS: Final = frozenset({Post.FLOORPERSON, Post.SURVEILLANCE, Post.AUDITOR, Post.OPERATOR})
_AUDITORS: Final = frozenset({Post.AUDITOR, Post.OPERATOR})


class Permission(StrEnum):
    """A permission that is not an act; `POSTS_BY_ACT` has those of acts."""

    PLAY = "play"
    """Sit, wager and decide, with an account and a history."""
    DEAL = "deal"
    """Deal at a table."""
    SEE_FLOOR = "see-floor"
    """Every table and request, every patron's finished rounds, drafts of Submissions, and one's own training record."""
    OVERSEE = "oversee"
    """Watch other staff: logs of tables, significant events, slips, disputes, everybody's training records."""
    SEE_SUBMISSIONS = "see-submissions"
    """The Submissions of the house."""
    SEE_HOLDS = "see-holds"
    """What the tables held."""
    SEE_EVERY_CARD = "see-every-card"
    """Every card of a finished round, the house's log, and the verification of logs."""
    SEE_LEDGER = "see-ledger"
    """Every account's balance."""
    EXAMINE = "examine"
    """Record another person's training as examiner."""


POSTS_BY_PERMISSION: Final[Mapping[Permission, frozenset[Post]]] = {
    Permission.PLAY: frozenset({Post.PATRON}),
    Permission.DEAL: frozenset({Post.DEALER}),
    Permission.SEE_FLOOR: _OVERSEERS | {Post.DEALER},
    Permission.OVERSEE: _OVERSEERS,
    Permission.SEE_SUBMISSIONS: _AUDITORS | {Post.FLOORPERSON},
    Permission.SEE_HOLDS: _AUDITORS,
    Permission.SEE_EVERY_CARD: _AUDITORS,
    Permission.SEE_LEDGER: _AUDITORS,
    Permission.EXAMINE: EXAMINERS,
}
"""The posts that have each permission."""


def has_permission(person: Person, permission: Permission) -> bool:
    """Whether a person has a permission."""
    return person.post in POSTS_BY_PERMISSION[permission]


def permissions_of(person: Person) -> list[Permission]:
    """Return a person's permissions."""
    return [permission for permission in Permission if has_permission(person, permission)]


def acts_of(person: Person) -> list[str]:
    """Return the types of the acts that a person may give."""
    return [act.__name__ for act, posts in POSTS_BY_ACT.items() if person.post in posts]


def answers_to_request(person: Person, kind: str, requested_by: str) -> tuple[str, ...]:
    """Return the answers that a person may give to a request; a jackpot is answered at its table."""
    if kind == JACKPOT:
        return ()
    asked = next(act for act in POSTS_BY_ACT if act.__name__ == kind)
    approve = person.post in approvers(asked) and person.name != requested_by
    decline = person.post in POSTS_BY_ACT[Decline]
    return tuple(act.__name__ for act, may in ((Approve, approve), (Decline, decline)) if may)
