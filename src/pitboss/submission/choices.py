"""A Submission as a form edits it: every choice as plain data, with money in cents. It can be written as TOML.

>>> from pitboss.submission import load, parse
>>> preset = load("cajun-stud-rack-card")
>>> parse(toml_of(choices_of(preset)), "what was written")[0] == preset
True
"""

import datetime as dt
import json
import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Final

import msgspec

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
    return "\n".join(_lines(choices)) + "\n"


def _lines(choices: Choices) -> Iterator[str]:
    if choices.game in (games := rulebook().games):
        yield f"# {games[choices.game].chapter.title}, {games[choices.game].chapter.edition}"
    yield "# Amounts are dollars."
    yield ""
    for name in ("game", "property", "version"):
        yield f"{name} = {_text(getattr(choices, name))}"
    if choices.approved:
        yield f"approved = {choices.approved.isoformat()}"
    yield ""
    yield "[table]"
    yield from _struct(choices.table)
    for name, offer in choices.wagers.items():
        yield ""
        yield f"[wagers.{_key(name)}]"
        yield from _struct(offer)
    yield ""
    yield "[readings]"
    yield from (f"{_key(name)} = {_text(option)}" for name, option in choices.readings.items())
    if choices.approvals:
        yield ""
        yield "[approvals]"
    for kind, approval in choices.approvals.items():
        yield f"{_key(kind)} = {{ reference = {_text(approval.reference)}, date = {approval.date.isoformat()} }}"


_IN_DOLLARS: Final = {"unit", "payout_limit", "minimum", "maximum"}


def _struct(chosen: TableChoices | OfferChoices) -> Iterator[str]:
    for name, value in msgspec.structs.asdict(chosen).items():
        if value is None or value in ("", [], {}, Link.NO):
            continue
        yield f"{name} = {_value(value, money=name in _IN_DOLLARS)}"


def _value(value: object, *, money: bool) -> str:
    match value:
        case list():
            return f"[{', '.join(_dollars(amount) for amount in value)}]"
        case Mapping():
            return f"{{ {', '.join(f'{_key(key)} = {_entry(entry)}' for key, entry in value.items())} }}"
        case int():
            return _dollars(value) if money else str(value)
        case _:
            return _text(str(value))


def _entry(entry: object) -> str:
    return _dollars(entry) if isinstance(entry, int) else _text(str(entry))


def _dollars(amount: int) -> str:
    """Write cents as a Submission has them: 25, or “7.50” in quotes."""
    whole, part = divmod(amount, DOLLAR)
    return f'"{whole}.{part:02}"' if part else f"{whole:_}"


def _text(text: str) -> str:
    """Write a quoted TOML string; TOML escapes one more character than JSON."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _text(name)
