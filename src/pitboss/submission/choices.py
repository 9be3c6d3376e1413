"""A Submission as a form edits it: every choice as plain data, with money in cents. It can be written as TOML.

>>> from pitboss.submission import load, parse
>>> preset = load("cajun-stud-rack-card")
>>> parse(toml_of(choices_of(preset)), "what was written")[0] == preset
True
"""

import datetime as dt
from collections.abc import Mapping
from typing import Annotated

import msgspec
import tomli_w

from pitboss.money import DOLLAR
from pitboss.rulebook import rulebook
from pitboss.submission.model import Dealing, Link, Shuffler, Submission

Word = Annotated[str, msgspec.Meta(max_length=80)]
Text = Annotated[str, msgspec.Meta(max_length=400)]
Money = Annotated[int, msgspec.Meta(ge=0, le=10**15)]
"""Dollars in the file, cents here."""
Number = Annotated[int, msgspec.Meta(ge=0, le=10**6)]
Few = msgspec.Meta(max_length=60)


class TableChoices(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The choices of [table]."""

    seats: Number
    boxes: Number
    dealing: Dealing
    shuffler: Shuffler
    decks: Number
    unit: Money
    payout_limit: Money | None = None
    decision_timeout: Number | None = None
    abandoned_wagers: Word = ""


class OfferChoices(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The choices for one offered wager."""

    paytable: Word = ""
    minimum: Money | None = None
    maximum: Money | None = None
    amounts: Annotated[list[Money], Few] = []
    linked: Link = Link.NO
    starting: Annotated[dict[Word, Money], Few] = {}
    validated_from: Number | None = None
    bonuses: Annotated[dict[Word, Word], Few] = {}
    """How often the system draws each bonus: “1 in 40”."""


class ApprovalChoices(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An approval by the Board or one of its bureaus."""

    reference: Text = ""
    date: dt.date


class Choices(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Every choice of a Submission."""

    game: Word
    property: Text
    version: Text
    approved: dt.date | None = None
    table: TableChoices
    wagers: Annotated[dict[Word, OfferChoices], Few]
    readings: Annotated[dict[Word, Word], Few] = {}
    approvals: Annotated[dict[Word, ApprovalChoices], Few] = {}


def choices_of(submission: Submission) -> Choices:
    """Return the choices of a Submission."""
    table = submission.table
    return Choices(
        game=submission.game,
        property=submission.property,
        version=submission.version,
        approved=submission.approved,
        table=TableChoices(
            seats=table.seats,
            boxes=table.boxes,
            dealing=table.dealing,
            shuffler=table.shuffler,
            decks=table.decks,
            unit=int(table.unit),
            payout_limit=_plain(table.payout_limit),
            decision_timeout=table.decision_timeout,
            abandoned_wagers=table.abandoned_wagers,
        ),
        wagers={
            name: OfferChoices(
                paytable=offer.paytable,
                minimum=_plain(offer.minimum),
                maximum=_plain(offer.maximum),
                amounts=[int(amount) for amount in offer.amounts],
                linked=offer.linked,
                starting={meter: int(amount) for meter, amount in offer.starting.items()},
                validated_from=offer.validated_from,
                bonuses={bonus: str(chance) for bonus, chance in offer.bonuses.items()},
            )
            for name, offer in submission.wagers.items()
        },
        readings=dict(submission.readings),
        approvals={
            kind: ApprovalChoices(reference=approval.reference, date=approval.date)
            for kind, approval in submission.approvals.items()
        },
    )


def _plain(amount: int | None) -> int | None:
    """Return an amount as a plain int."""
    return None if amount is None else int(amount)


def toml_of(choices: Choices) -> str:
    """Write choices as the TOML of a Submission; unset keys are left out."""
    games = rulebook().games
    chapter = games[choices.game].chapter if choices.game in games else None
    heading = f"# {chapter.title}, {chapter.edition}\n" if chapter else ""
    document = {
        "game": choices.game,
        "property": choices.property,
        "version": choices.version,
        **_chosen({"approved": choices.approved}),
        "table": _table(choices.table),
        "wagers": {name: _offer(offer) for name, offer in choices.wagers.items()},
        "readings": choices.readings,
        **_chosen({"approvals": {kind: msgspec.structs.asdict(one) for kind, one in choices.approvals.items()}}),
    }
    return f"{heading}# Amounts are dollars.\n\n{tomli_w.dumps(document)}"


def _table(table: TableChoices) -> dict[str, object]:
    money = {"unit": _dollars(table.unit), "payout_limit": _dollars(table.payout_limit)}
    return _chosen(msgspec.structs.asdict(table) | money)


def _offer(offer: OfferChoices) -> dict[str, object]:
    money = {
        "minimum": _dollars(offer.minimum),
        "maximum": _dollars(offer.maximum),
        "amounts": [_dollars(amount) for amount in offer.amounts],
        "starting": {meter: _dollars(amount) for meter, amount in offer.starting.items()},
    }
    return _chosen(msgspec.structs.asdict(offer) | money)


def _chosen(values: Mapping[str, object]) -> dict[str, object]:
    """Leave out what is not chosen."""
    return {name: value for name, value in values.items() if value not in (None, "", [], {}, Link.NO)}


def _dollars(amount: int | None) -> int | str | None:
    """Return cents as a Submission has them: 25, or “7.50” as text."""
    if amount is None:
        return None
    whole, part = divmod(amount, DOLLAR)
    return f"{whole}.{part:02}" if part else whole
