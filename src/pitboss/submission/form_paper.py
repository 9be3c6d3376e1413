"""A Rules Submission as a form to file: every choice with its clause, and the changes since the previous version."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from pitboss.errors import Mistake
from pitboss.submission.approvals import RULES, approval_of, needed_approvals
from pitboss.submission.changes import Change, list_changes
from pitboss.submission.form import Form, MeterForm, Option, WagerForm, form_of
from pitboss.submission.model import Link, Offer, Submission
from pitboss.submission.signs import Panel, format_amount, sign_of

NOT_SET = "—"


class Approval(msgspec.Struct, frozen=True, kw_only=True):
    """The Board's approval; fields are empty until it is given or written in by hand."""

    date: str = ""
    reference: str = ""
    recorded_by: str = ""


class Tick(msgspec.Struct, frozen=True):
    """One option of a choice, ticked or not."""

    words: str
    cite: str
    is_chosen: bool


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One choice on the form."""

    where: str
    """Its key in the Submission."""
    label: str
    cites: tuple[str, ...] = ()
    value: str = ""
    """The chosen value, if the choice has no list of options."""
    options: tuple[Tick, ...] = ()
    note: str = ""
    amended: bool = False
    was: str = ""
    """The previous version's value, if it was amended."""

    @property
    def chosen(self) -> str:
        """The chosen value, in words."""
        return self.value or "; ".join(tick.words for tick in self.options if tick.is_chosen) or NOT_SET


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """One part of the form: the table, a wager, or the readings."""

    title: str
    cite: str = ""
    entries: tuple[Entry, ...]
    panels: tuple[Panel, ...] = ()
    """For a wager: its paytables."""


class FormPaper(msgspec.Struct, frozen=True, kw_only=True):
    """The whole form."""

    title: str
    chapter: str
    edition: str
    accent: str
    property: str
    version: str
    sha256: str
    """The hash of the Submission's text; empty if unknown."""
    approvals: tuple[Approval, ...]
    before: str | None
    """The previous version, if one was given."""
    parts: tuple[Part, ...]
    amendments: tuple[Change, ...]


def filing_of(
    submission: Submission,
    before: Submission | None = None,
    approvals: Sequence[Approval] = (),
    sha256: str = "",
) -> FormPaper:
    """Return the form of a valid Submission, with amendments against an earlier version marked."""
    if before is not None and before.game != submission.game:
        raise Mistake(f"The previous version is a Submission for {before.game}, not for {submission.game}.")
    form = form_of(submission.game)
    amendments = tuple(list_changes(before, submission)) if before else ()
    parts = tuple(_parts(form, submission, sign_of(submission).panels))
    if before:
        was = {entry.where: entry.chosen for part in _parts(form, before, ()) for entry in part.entries}
        parts = tuple(_mark_amendments(part, {_entry_of(change) for change in amendments}, was) for part in parts)
    day = submission.approved.isoformat() if submission.approved else ""
    return FormPaper(
        title=form.title,
        chapter=form.chapter,
        edition=form.edition,
        accent=form.accent,
        property=submission.property,
        version=submission.version,
        sha256=sha256,
        approvals=tuple(approvals) or (Approval(date=day),),
        before=before.version if before else None,
        parts=parts,
        amendments=amendments,
    )


def _entry_of(change: Change) -> str:
    """Return the key of the entry that a change affects; an approval has one entry for reference and date."""
    return ".".join(change.where.split(".")[:2]) if change.where.startswith("approvals.") else change.where


def _mark_amendments(part: Part, amended: set[str], was: Mapping[str, str]) -> Part:
    """Mark the amended entries of a part, each with its previous value."""
    marked = tuple(
        msgspec.structs.replace(entry, amended=True, was=was.get(entry.where, NOT_SET))
        if entry.where in amended
        else entry
        for entry in part.entries
    )
    return msgspec.structs.replace(part, entries=marked)


def _parts(form: Form, submission: Submission, panels: Sequence[Panel]) -> Iterator[Part]:
    yield Part(title="The operator and the table", entries=(*_heading(submission), *_table(form, submission)))
    for wager in form.wagers:
        names = {table.name for table in wager.tables}
        offer = submission.wagers.get(wager.offer)
        yield Part(
            title=wager.title,
            cite=wager.cite,
            entries=tuple(_wager(wager, offer)),
            panels=tuple(panel for panel in panels if panel.name in names) if offer else (),
        )
    yield Part(title="Approvals", entries=tuple(_approvals(submission)))
    yield Part(title="How the chapter is read", entries=tuple(_readings(form, submission)))


def _heading(submission: Submission) -> Iterator[Entry]:
    yield Entry(where="property", label="Certificate holder", value=submission.property)
    yield Entry(where="version", label="Version", value=submission.version)
    day = submission.approved.isoformat() if submission.approved else "not yet"
    yield Entry(where="approved", label="Approved by the Board", value=day)


def _approvals(submission: Submission) -> Iterator[Entry]:
    for needed in needed_approvals(submission):
        if needed.kind == RULES:  # it has its own lines
            continue
        approval = approval_of(submission, needed.kind)
        value = f"{approval.reference}, {approval.date.isoformat()}" if approval else "not approved"
        label = f"Approval of {needed.words}"
        yield Entry(where=f"approvals.{needed.kind}", label=label, value=value, cites=(needed.cite,))


def _table(form: Form, submission: Submission) -> Iterator[Entry]:
    table = submission.table
    seats = f"{table.seats} (at most {form.seats.most})"
    yield Entry(where="table.seats", label="Betting positions", value=seats, cites=(form.seats.cite,))
    boxes = str(table.boxes)
    yield Entry(
        where="table.boxes", label="Adjacent boxes a player may wager on", value=boxes, cites=(form.boxes.cite,)
    )
    yield Entry(where="table.decks", label="Decks", value=str(table.decks), cites=(form.decks.cite,))
    yield _choice("table.dealing", "Cards are dealt", form.dealing, table.dealing)
    yield _choice("table.shuffler", "Cards are shuffled by", form.shufflers, table.shuffler)
    yield Entry(where="table.unit", label="Every wager is a multiple of", value=format_amount(table.unit))
    if limit := form.payout_limit:
        chosen = format_amount(table.payout_limit) if table.payout_limit is not None else "none"
        floor = f"not below {format_amount(limit.floor)}"
        yield Entry(
            where="table.payout_limit", label="Aggregate payout limit", value=chosen, cites=(limit.cite,), note=floor
        )
    seconds = f"{table.decision_timeout} seconds" if table.decision_timeout else "none: a floorperson is called"
    yield Entry(where="table.decision_timeout", label="Time to decide", value=seconds)
    policy = table.abandoned_wagers or form.abandoned_wagers[0].value
    label = "Wagers of a player who leaves"
    yield _choice("table.abandoned_wagers", label, form.abandoned_wagers, policy)


def _choice(where: str, label: str, options: Sequence[Option], chosen: str, note: str = "") -> Entry:
    ticks = tuple(Tick(option.words, option.cite, option.value == chosen) for option in options)
    shared = {option.cite for option in options}
    if len(shared) == 1:  # print a clause that they share only once
        cites = tuple(filter(None, shared))
        ticks = tuple(msgspec.structs.replace(tick, cite="") for tick in ticks)
        return Entry(where=where, label=label, options=ticks, cites=cites, note=note)
    return Entry(where=where, label=label, options=ticks, note=note)


def _wager(wager: WagerForm, offer: Offer | None) -> Iterator[Entry]:
    where = f"wagers.{wager.offer}"
    comes_with = f"{' and '.join(wager.comes_with)} with it" if wager.comes_with else ""
    ticks = (Tick("Yes", "", offer is not None), Tick("No", "", offer is None))
    required = (Tick("Yes, as the game requires", "", offer is not None),)
    yield Entry(
        where=where,
        label="Offered",
        options=required if wager.required else ticks,
        note=comes_with,
        cites=(wager.cite,),
    )
    if offer is None:
        return
    for table in wager.tables:
        if table.choice:
            letters = tuple(Tick(f"Paytable {one.letter}", "", one.letter == offer.paytable) for one in table.paytables)
            yield Entry(where=f"{where}.paytable", label=table.title, options=letters, cites=(table.cite,))
    if wager.meters:
        yield from _meter_entries(wager, wager.meters, offer, where)
    else:
        for key, amount in (("minimum", offer.minimum), ("maximum", offer.maximum)):
            value = NOT_SET if amount is None else format_amount(amount)
            yield Entry(where=f"{where}.{key}", label=key.capitalize(), value=value)
    for bonus in wager.bonuses:
        chance = offer.bonuses.get(bonus.value)
        value = f"offered, drawn {chance} rounds" if chance else "not offered"
        yield Entry(where=f"{where}.bonuses.{bonus.value}", label=bonus.words, value=value, cites=(bonus.cite,))


def _meter_entries(wager: WagerForm, meters: MeterForm, offer: Offer, where: str) -> Iterator[Entry]:
    amounts = " and ".join(map(format_amount, offer.amounts)) or NOT_SET
    own = "each with meters of its own" if len(offer.amounts) > 1 else ""
    yield Entry(where=f"{where}.amounts", label="Amounts", value=amounts, cites=(meters.cite,), note=own)
    yield _choice(f"{where}.linked", "The meters are shared by", meters.links, offer.linked or Link.NO)
    printed = [one for table in wager.tables for one in table.paytables if one.letter == offer.paytable]
    for meter in (meter for one in printed for meter in one.meters):
        amount = offer.starting.get(meter.name)
        value = f"{format_amount(amount or meter.seed_cents)} for every dollar of the wager"
        note = "" if amount else "its seed"
        yield Entry(
            where=f"{where}.starting.{meter.name}",
            label=f"Meter {meter.name} starts at",
            value=value,
            cites=(meters.cite,),
            note=note,
        )
    pays = f"{offer.validated_from} for 1" if offer.validated_from else "every pay"
    yield Entry(
        where=f"{where}.validated_from",
        label="A floorperson validates pays from",
        value=pays,
        cites=tuple(dict.fromkeys(rule.cite for rule in meters.validated)),
        note="and every share of a meter" if offer.validated_from else "",
    )


def _readings(form: Form, submission: Submission) -> Iterator[Entry]:
    for reading in form.readings:
        chosen = submission.readings.get(reading.id, reading.default)
        ticks = tuple(Tick(option.words, "", option.value == chosen) for option in reading.options)
        note = "" if reading.id in submission.readings else "by default"
        yield Entry(
            where=f"readings.{reading.id}",
            label=reading.question,
            options=ticks,
            cites=tuple(cite for cite in reading.clauses if cite.startswith(f"{form.chapter}.")),
            note=note,
        )
