"""A table with its log position, settings, state, and the meter data of the round under way.

It is rebuilt from the snapshot after the last finished round and the entries after that.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from pitboss.progressive import Bank, Meter, Win
from pitboss.record.chain import Header, decoder, encode_json
from pitboss.record.replay import table_of
from pitboss.submission import Dealing, Submission, read_draft
from pitboss.table.metering import Banks, banks_of
from pitboss.table.state import Table


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Settings of a table that its Submission does not contain."""

    automatic: bool = True
    """Whether an automatic dealer deals; otherwise a person deals with prompts."""
    betting: int = 20
    """Seconds to take bets after the first one, unless everybody seated has wagered."""
    pause: int = 0
    """Seconds to wait after the last wager once everybody has wagered."""
    rest: int = 0
    """Seconds for which the automatic dealer shows the result of a round."""
    decision: int = 30
    """Seconds for a decision at an automatic table whose Submission names none; 0 for no limit."""
    links: Mapping[str, str] = {}
    """The link of each offer; tables of a link share its meters."""
    suspended: tuple[str, ...] = ()
    """Suspended offers."""


class MeterRound(msgspec.Struct, frozen=True):
    """A bank's data of the round under way."""

    offer: str
    amount: int
    wins: tuple[tuple[str, Win], ...] = ()
    at_reveal: Mapping[str, int] = {}
    """By meter: the balance when the dealer's hand was turned."""
    sharing: int = 1
    """Number of wagers that share a win on the dealer's hand."""
    unpaid: Mapping[str, int] = {}
    """By wager: unpaid parts of such a win."""
    waiting: Mapping[str, int] = {}
    """By meter: this table's contributions in this round, which count only from the next round."""


class LiveTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table with its log position."""

    chain: str
    header: Header
    settings: Settings
    seq: int
    hash: str
    table: Table
    rounds: tuple[MeterRound, ...] = ()
    """The data of the round under way, for each bank that has any."""
    first: int = 1
    """The first entry of the round under way."""
    betting_since: int = 0
    """Time of the round's first wager."""
    wagered_at: int = 0
    """Time of the round's last wager."""
    settled_at: int = 0
    """Time when the last box of the round was settled."""
    shuffled: tuple[int, ...] = ()
    """The entries of this round that shuffled and cut its deck."""
    stuck: str = ""
    """Why the automatic dealer is stuck; empty if it is not."""

    @property
    def submission(self) -> Submission:
        """The table's Submission."""
        return submission_of(self.header.submission)


@cache
def submission_of(text: str) -> Submission:
    """Parse a Submission that was validated when the table was opened."""
    return read_draft(text, "the table's Submission")


@cache
def opened_table(header: Header) -> Table:
    """Return the table at the start of a log."""
    return table_of(header)


@cache
def _banks(text: str) -> Banks:
    return banks_of(submission_of(text))


def new_live_table(chain: str, header: Header, digest: str, settings: Settings) -> LiveTable:
    """Return a newly opened table."""
    return LiveTable(chain=chain, header=header, settings=settings, seq=0, hash=digest, table=opened_table(header))


def meter_ids(live: LiveTable) -> Mapping[tuple[str, int, str], str]:
    """Return a table's meter ids by offer, amount and name; linked tables share them."""
    return _meter_ids(live.chain, live.header.submission, tuple(live.settings.links.items()))


@cache
def _meter_ids(chain: str, submission: str, links: tuple[tuple[str, str], ...]) -> Mapping[tuple[str, int, str], str]:
    ids, linked = {}, dict(links)
    for (offer, amount), bank in _banks(submission).items():
        owner = f"link:{linked[offer]}" if offer in linked else chain  # no table name contains a colon
        for name in bank.rules:
            ids[offer, amount, name] = f"{owner}/{offer}/{name}@{amount}"
    return ids


def banks(live: LiveTable, meters: Mapping[str, Meter]) -> dict[tuple[str, int], Bank]:
    """Return a table's banks with the given meters and their data of the round."""
    known = {(one.offer, one.amount): one for one in live.rounds}
    ids, found = meter_ids(live), {}
    for (offer, amount), bank in _banks(live.header.submission).items():
        kept = known.get((offer, amount), MeterRound(offer, amount))
        own = {
            name: _with_own_waiting(meters[ids[offer, amount, name]], kept.waiting.get(name, 0)) for name in bank.rules
        }
        found[offer, amount] = replace(
            bank, meters=own, wins=kept.wins, at_reveal=kept.at_reveal, sharing=kept.sharing, unpaid=kept.unpaid
        )
    return found


def _with_own_waiting(meter: Meter, own: int) -> Meter:
    """Return a linked meter as this table sees it: of the waiting contributions, only its own."""
    return replace(meter, waiting=own, contributed=meter.contributed - meter.waiting + own)


def opening_meters(live: LiveTable) -> dict[str, tuple[Meter, bytes]]:
    """Return a table's initial meters, each with its rule as JSON; linked tables must agree on the rules."""
    ids, wagers = meter_ids(live), live.submission.wagers
    return {
        ids[offer, amount, name]: (meter, encode_json([bank.rules[name], wagers[offer].paytable, meter.current]))
        for (offer, amount), bank in _banks(live.header.submission).items()
        for name, meter in bank.meters.items()
    }


def meter_rounds(after: Mapping[tuple[str, int], Bank]) -> tuple[MeterRound, ...]:
    """Return the round data of banks that have any."""
    kept = (
        MeterRound(
            offer,
            amount,
            bank.wins,
            bank.at_reveal,
            bank.sharing,
            bank.unpaid,
            {name: meter.waiting for name, meter in bank.meters.items() if meter.waiting},
        )
        for (offer, amount), bank in after.items()
    )
    return tuple(one for one in kept if one != MeterRound(one.offer, one.amount))


_SNAPSHOT_FIELDS: Final = [field for field in msgspec.structs.fields(Table) if field.name != "rules"]


def _field_default(field: msgspec.structs.FieldInfo) -> object:
    """Return the default of a field that an older snapshot lacks."""
    if field.default_factory is msgspec.NODEFAULT:
        return field.default
    return msgspec.field(default_factory=field.default_factory)


_Snapshot: Any = msgspec.defstruct(
    "_Snapshot",
    [("dealing", Dealing), *((field.name, field.type, _field_default(field)) for field in _SNAPSHOT_FIELDS)],
    frozen=True,
    forbid_unknown_fields=True,
)
_ENCODER: Final = msgspec.json.Encoder(enc_hook=str)
_DECODER: Final = decoder(_Snapshot)
settings_of: Final = decoder(Settings).decode
"""Decodes the settings of a table."""
_ROUNDS: Final = decoder(tuple[MeterRound, ...])


def snapshot(table: Table) -> bytes:
    """Encode a table without its rules, which follow from its Submission."""
    return _ENCODER.encode(_Snapshot(table.rules.dealing, *(getattr(table, field.name) for field in _SNAPSHOT_FIELDS)))


def restore_table(header: Header, text: bytes) -> Table:
    """Decode a snapshot into a table."""
    kept, opened = _DECODER.decode(text), opened_table(header)
    rules = replace(opened.rules, dealing=kept.dealing, steps=opened.rules.ways[kept.dealing])
    return Table(rules=rules, **{field.name: getattr(kept, field.name) for field in _SNAPSHOT_FIELDS})


def same_snapshot(one: bytes, other: bytes) -> bool:
    """Whether two snapshots decode to the same table; older ones may lack fields that have defaults."""
    try:
        return one == other or bool(_DECODER.decode(one) == _DECODER.decode(other))
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False


def decode_meter_rounds(text: bytes) -> tuple[MeterRound, ...]:
    """Decode the round data of banks."""
    return _ROUNDS.decode(text)
