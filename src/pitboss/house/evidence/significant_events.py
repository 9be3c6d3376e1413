"""Significant events: void rounds, jackpots, people, parameters, restarts."""

from collections.abc import Iterator
from itertools import groupby, islice
from operator import attrgetter
from typing import Final

import msgspec

from pitboss.house import ledger
from pitboss.house.evidence.checkpoints import read_meter_states
from pitboss.house.live_table import submission_of
from pitboss.house.office.acts import (
    Act,
    Amend,
    Approve,
    BuyIn,
    CashOut,
    CloseTable,
    Credit,
    Decline,
    Dismiss,
    Fill,
    Hire,
    Note,
    Noted,
    OpenTable,
    RecordApproval,
    RecordTraining,
    Resume,
    Suspend,
)
from pitboss.house.office.house_log import house_entries
from pitboss.house.storage.connections import Connection
from pitboss.house.storage.ledger_rows import credits_to, sum_of_postings
from pitboss.house.storage.logs import HOUSE, chains, entries, last_finished_entry
from pitboss.house.storage.rounds import void_rounds
from pitboss.money import CENT, format_money
from pitboss.record.chain import decode_entry
from pitboss.submission import submission_hash
from pitboss.table import events as happens


class SignificantEvent(msgspec.Struct, frozen=True, kw_only=True):
    """A significant event: time, log, actor, and the state before and after."""

    time: int
    log: str
    entry: int
    what: str
    actor: str
    second: str = ""
    """The second person, if it needed one."""
    before: str = ""
    after: str = ""


_ROUTINE_ACTS: Final = (BuyIn, CashOut)
"""Acts that are logged but not significant by themselves."""


def list_significant_events(
    db: Connection, since: int | None = None, limit: int = 100, skip: int = 0
) -> list[SignificantEvent]:
    """Return significant events, the newest first: acts, void rounds, and meter payouts."""
    most = skip + limit
    found = [*_acts(db), *_voids(db, most), *_jackpots(db, most)]
    wanted = [event for event in found if since is None or event.time >= since]
    return sorted(wanted, key=lambda event: (event.time, event.log, event.entry), reverse=True)[skip:most]


def _acts(db: Connection) -> Iterator[SignificantEvent]:
    """Yield all acts except buy-ins and cash-outs; each needs the state that earlier acts left."""
    known: dict[str, str] = {}
    for written in house_entries(db):
        what, before, now = describe_act(written.act, known)
        if not isinstance(written.act, _ROUTINE_ACTS):
            yield SignificantEvent(
                time=written.time,
                log=HOUSE,
                entry=written.seq,
                what=what,
                actor=written.actor,
                second=written.second,
                before=before,
                after=now,
            )


def describe_act(act: Act, known: dict[str, str]) -> tuple[str, str, str]:  # noqa: C901, PLR0911, PLR0912 (a sentence for each act)
    """Describe an act and the state before and after it; `known` carries people and tables between calls."""
    match act:
        case Noted(what, before, now):
            return what, before, now
        case OpenTable(table, text):
            known[f"table {table}"] = now = _submission_name(text)
            return f"the table {table} is opened", "", now
        case CloseTable(table):
            return f"the table {table} is closed", known.pop(f"table {table}", ""), ""
        case Hire(name, post):
            before, known[name] = known.get(name, ""), post
            return f"{name} is given a post or a password", before, post
        case Dismiss(name):
            return f"{name} is dismissed", known.pop(name, ""), ""
        case Fill(table, amount):
            return f"chips are brought to {table}", "", format_money(amount)
        case Credit(table, amount):
            return f"chips are taken from {table}", format_money(amount), ""
        case Amend(giver, taker, amount, reason):
            return (
                f"the ledger is corrected: {reason}",
                f"{format_money(amount)} in {giver}",
                f"{format_money(amount)} in {taker}",
            )
        case Decline(name):
            return f"the request {name} is declined", "", ""
        case Approve(name):
            return f"the request {name} is approved", "", ""
        case Suspend(table, offer, reason):
            return f"the wager {offer} is suspended at {table}: {reason}", "", ""
        case Resume(table, offer):
            return f"the wager {offer} is resumed at {table}", "", ""
        case BuyIn(patron, amount):
            return f"{patron} buys in", "", format_money(amount)
        case CashOut(patron, amount):
            return f"{patron} cashes out", format_money(amount), ""
        case Note(table, number, text, outcome):
            return f"a dispute over round {number} of {table}: {text}", "", outcome
        case RecordApproval(text, day, reference):
            return f"the Board's approval of {day} is recorded: {reference}", "", _submission_name(text)
        case RecordTraining(person=person, game=game, kinds=kinds):
            right, asked = (sum(getattr(one, what) for one in kinds) for what in ("right", "asked"))
            return f"training of {person} in {game} is recorded", "", f"{right} of {asked} right"


def _submission_name(text: str) -> str:
    """Return a Submission's game, version and hash as text."""
    submission = submission_of(text)
    return f"{submission.game}, version {submission.version}, sha256 {submission_hash(text)}"


def _voids(db: Connection, limit: int) -> Iterator[SignificantEvent]:
    for chain, number, first, last, wagered in void_rounds(db, limit):
        texts = [decode_entry(body) for _, body, _ in entries(db, chain, first, last)]
        second = [event.by for entry in texts for event in entry.events if isinstance(event, happens.Acknowledged)]
        for entry in texts:
            for event in entry.events:
                if isinstance(event, happens.Voided):
                    yield SignificantEvent(
                        time=entry.given.time,
                        log=chain,
                        entry=entry.seq,
                        what=f"round {number + 1} is void",
                        actor=entry.given.actor,
                        second="".join(second[-1:]),
                        before=f"{format_money(wagered)} wagered",
                        after=f"void under § {event.cite}",
                    )


def _jackpots(db: Connection, limit: int) -> Iterator[SignificantEvent]:
    """Yield meter payouts of finished rounds."""
    ended = {name: last_finished_entry(db, chain) for name, chain in chains(db).items() if chain.kind != HOUSE}
    for meter in read_meter_states(db):
        rows = credits_to(db, ledger.meter_account(meter, "pending"))
        for chain, won in groupby(rows, key=attrgetter("chain")):
            over_by_now = (row for row in won if row.seq <= ended.get(chain, 0))
            for _, seq, amount in islice(over_by_now, limit):
                yield _jackpot_event(db, meter, chain, seq, amount)


def _jackpot_event(db: Connection, meter: str, chain: str, seq: int, amount: int) -> SignificantEvent:
    ((_, body, _),) = entries(db, chain, seq, seq)
    entry = decode_entry(body)
    winning = (event for event in entry.events if isinstance(event, happens.Claimed | happens.Settled))
    seats = [f" by seat {event.seat}" for event in winning if any(line.pays and line.meter for line in event.lines)]
    shown = entry.given.meters.get(meter.rpartition("/")[2], 0)
    moved = sum_of_postings(db, chain, seq, ledger.meter_account(meter, "current"))
    return SignificantEvent(
        time=entry.given.time,
        log=chain,
        entry=seq,
        what=f"{format_money(amount // CENT)} is won off the meter {meter}{''.join(seats)}",
        actor=entry.given.actor,
        before=f"the meter shows {format_money(shown // CENT)}",
        after=f"the meter shows {format_money((shown + moved) // CENT)}",
    )
