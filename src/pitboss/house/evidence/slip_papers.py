"""Slips for printing: their facts, payments and signers, read from the logs."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from pitboss.errors import Mistake
from pitboss.house.evidence.search import moments_until
from pitboss.house.live_table import submission_of
from pitboss.house.office.acts import Act, Credit, Fill, Hire, Note
from pitboss.house.office.house_log import HouseEntry, decode_house_entry
from pitboss.house.office.slips import Slip, SlipKind, read_name
from pitboss.house.storage.connections import Connection
from pitboss.house.storage.ledger_rows import postings_of_entry
from pitboss.house.storage.logs import HOUSE, entries, read_header
from pitboss.house.storage.reading import MOST
from pitboss.house.storage.rounds import last_entry_of_round
from pitboss.house.zone import PENNSYLVANIA, format_time
from pitboss.money import CENT, format_money
from pitboss.record.chain import decode_entry, decode_header
from pitboss.record.replay import ReplayedEntry
from pitboss.rulebook import rulebook
from pitboss.table import events as happens
from pitboss.table.state import Slot

TITLES = {
    SlipKind.FILL: "Fill slip",
    SlipKind.CREDIT: "Credit slip",
    SlipKind.JACKPOT: "Jackpot payout slip",
    SlipKind.DISPUTE: "Dispute slip",
}


class UnknownSlip(Mistake):
    """No slip has that number."""


class SlipSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A slip in a list."""

    slip: str
    kind: str
    table: str
    round: int
    time: int
    entry: int
    """The entry of the house's log."""
    by: str
    second: str
    amount: int | None
    """The amount of a fill or credit, in cents."""


class Fact(msgspec.Struct, frozen=True):
    """One line of a slip."""

    label: str
    value: str
    cite: str = ""


class Payment(msgspec.Struct, frozen=True, kw_only=True):
    """One payout off a meter."""

    wager: str
    hand: str
    stake: str
    pays: str
    meter: str
    cite: str


class Signer(msgspec.Struct, frozen=True):
    """A line for a signature; the name is written by hand if the house does not know it."""

    role: str
    name: str = ""


class SlipPaper(msgspec.Struct, frozen=True, kw_only=True):
    """A slip for printing."""

    title: str
    slip: str
    table: str
    round: int
    time: str
    property: str
    game: str
    version: str
    accent: str
    facts: tuple[Fact, ...]
    payments: tuple[Payment, ...] = ()
    signers: tuple[Signer, ...]
    undone: str = ""
    """Why the slip is no longer valid; empty while it is valid."""
    entry: int
    hash: str
    """The hash of its entry, which identifies the slip."""


def find_slips(
    db: Connection, table: str | None = None, kind: str | None = None, limit: int = 100
) -> list[SlipSummary]:
    """Return slips, the newest first: all, of a table, or of a kind."""
    found = [
        SlipSummary(
            slip=slip.name,
            kind=slip.kind,
            table=slip.table,
            round=slip.round,
            time=one.time,
            entry=one.seq,
            by=one.actor,
            second=one.second,
            amount=one.act.amount if isinstance(one.act, Fill | Credit) else None,
        )
        for one, slip, _ in _slips(db)
        if table in (None, slip.table) and kind in (None, slip.kind)
    ]
    return found[::-1][:limit]


def _slips(db: Connection) -> Iterator[tuple[HouseEntry, Slip, str]]:
    for _, body, digest in entries(db, HOUSE):
        if b'"slip":' in body:
            one = decode_house_entry(body)
            if one.slip:
                yield one, one.slip, digest


def slip_paper(db: Connection, name: str, zone: str = PENNSYLVANIA) -> SlipPaper:
    """Return the printable slip of a number."""
    wanted = read_name(name)
    found = [(one, slip, digest) for one, slip, digest in _slips(db) if (slip.kind, slip.number) == wanted]
    if not found:
        raise UnknownSlip(f"There is no {wanted[0]} slip {name}.")
    one, slip, digest = found[0]
    submission = submission_of(decode_header(read_header(db, slip.table)).submission)
    chapter = rulebook().game(submission.game).chapter
    first, second = (_signer(db, who, one.seq) for who in (one.actor, one.second))
    facts, payments, signers, undone = _content(db, one.act, slip, first, second)
    return SlipPaper(
        title=TITLES[slip.kind],
        slip=slip.name,
        table=slip.table,
        round=slip.round,
        time=format_time(one.time, zone),
        property=submission.property,
        game=chapter.title,
        version=submission.version,
        accent=chapter.head.accent,
        facts=tuple(facts),
        payments=tuple(payments),
        signers=tuple(signers),
        undone=undone,
        entry=one.seq,
        hash=digest,
    )


Content = tuple[Sequence[Fact], Sequence[Payment], Sequence[Signer], str]


def _content(db: Connection, act: Act, slip: Slip, first: str, second: str) -> Content:
    match act:
        case Fill(_, amount):
            signers = (
                Signer("Requested by", first),
                Signer("Approved by", second),
                Signer("Chips brought by"),
                Signer("Received by the dealer"),
            )
            facts = [Fact("Chips brought to the table", format_money(amount)), Fact("From", "the house")]
            return facts, (), signers, ""
        case Credit(_, amount):
            signers = (
                Signer("Requested by", first),
                Signer("Approved by", second),
                Signer("Chips taken by"),
                Signer("Given by the dealer"),
            )
            facts = [Fact("Chips taken from the table", format_money(amount)), Fact("To", "the house")]
            return facts, (), signers, ""
        case Note(_, _, text, outcome):
            signers = (Signer("Noted by", first), Signer("Patron"), Signer("Dealer"), Signer("Witness"))
            return [Fact("About", text), Fact("Outcome", outcome or "open")], (), signers, ""
        case _:
            return _jackpot(db, slip, first, second)


def _jackpot(db: Connection, slip: Slip, first: str, second: str) -> Content:
    """Return the content of a jackpot slip: winner, amounts, meters, cards, and the clauses."""
    _, moments = moments_until(db, slip.table, slip.round, slip.entry)
    table = moments[-1].after
    box, terms = table.boxes[slip.seat], table.rules.terms
    titles = {wager.name: wager.title for wager in terms.game.wagers}
    won = [line for line in box.lines if line.meter]
    by_hand = [line for line in won if line.wager in box.by_hand]
    payments = [
        Payment(
            wager=titles.get(line.wager, line.wager),
            hand=line.hand,
            stake=format_money(line.stake),
            pays=format_money(line.pays),
            meter=line.meter,
            cite=str(line.cite),
        )
        for line in won
    ]
    facts = [
        Fact("Paid to", f"{box.patron}, seat {box.seat}"),
        Fact("Amount", format_money(sum(line.pays for line in won))),
        *(
            Fact(
                "To pay",
                f"{format_money(line.pays)} by hand against this slip, not to the game account",
                str(line.cite),
            )
            for line in won
            if line.wager in box.by_hand
        ),
        Fact("Cards", _cards(box.cards)),
        *(
            Fact(f"Cards of {place.holder}", cards)
            for place in terms.game.places
            if (cards := _cards(table.places.get(place.name, ())))
        ),
        *_meters(db, slip, moments),
        *(Fact("By hand", f"{format_money(line.pays)}; no account is credited", str(line.cite)) for line in by_hand),
        Fact("The hand", "stays on the table until this slip is signed", str(won[0].cite)),
    ]
    dealers = [one.entry.given.actor for one in moments if one.entry.given.role == "dealer"]
    signers = (
        Signer("Validated by", first),
        Signer("Second validation by", second),
        Signer("Dealer", "".join(dealers[-1:])),
        Signer("Patron", box.patron),
    )
    return facts, payments, signers, _reversal_note(db, slip)


def _cards(slots: Iterable[Slot]) -> str:
    """Return the face-up cards as text."""
    return " ".join(str(slot.card) for slot in slots if slot.card and slot.up)


def _meters(db: Connection, slip: Slip, moments: Sequence[ReplayedEntry]) -> Iterator[Fact]:
    """Yield the amount of each meter before and after the payout was claimed."""
    claims = [one for one in moments if any(_is_claim(event, slip.seat) for event in one.entry.events)]
    for claim in claims[-1:]:
        for account, moved in postings_of_entry(db, slip.table, claim.entry.seq):
            path, _, what = account.rpartition("/")
            if account.startswith("meter/") and what == "current":
                shown = claim.entry.given.meters.get(path.rpartition("/")[2], 0)
                before, now = format_money(shown // CENT), format_money((shown + moved) // CENT)
                yield Fact(f"Meter {path.removeprefix('meter/')}", f"{before} before, {now} after")


def _is_claim(event: happens.Event, seat: int) -> bool:
    return isinstance(event, happens.Claimed) and event.seat == seat


def _reversal_note(db: Connection, slip: Slip) -> str:
    """Return a sentence if the round reversed the payout after the slip."""
    last = last_entry_of_round(db, slip.table, slip.round - 1)
    for seq, body, _ in entries(db, slip.table, slip.entry + 1, MOST if last is None else last):
        for event in decode_entry(body).events:
            is_reversed = isinstance(event, happens.Reversed) and event.seat == slip.seat
            if is_reversed or isinstance(event, happens.Voided):
                return f"Entry {seq} of the table's log reversed the payout."
    return ""


def _signer(db: Connection, name: str, entry: int) -> str:
    """Return a name with the post that the person had at an entry."""
    posts = {name: ""}
    for _, body, _ in entries(db, HOUSE, last=entry):
        if b'"type":"Hire"' in body and isinstance(act := decode_house_entry(body).act, Hire):
            posts[act.name] = act.post
    return f"{name}, {posts[name]}" if posts[name] else name
