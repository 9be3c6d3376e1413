"""A table as the house knows it: its rules, where its log ends, the state after it, and what its meters remember.

Rebuilt from the last finished round and the entries after it; a round's end is kept as a snapshot.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from pitboss.progressive import Bank, Meter, Win
from pitboss.record.chain import Header, decoder, encode_json
from pitboss.record.replay import table_of
from pitboss.submission import Dealing, Submission, parse
from pitboss.table.metering import Banks, banks_of
from pitboss.table.state import Table


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How the house runs a table, besides its Submission."""

    automatic: bool = True
    """Whether an automatic dealer deals; else a person does, with prompts."""
    betting: int = 20
    """Seconds that bets are taken for after the first, unless everybody seated has wagered."""
    pause: int = 0
    """Seconds after the last wager before bets are closed where everybody has wagered."""
    rest: int = 0
    """Seconds that the automatic dealer leaves a settled round on the table."""
    links: Mapping[str, str] = {}
    """By offer: the link whose tables share its meters."""
    suspended: tuple[str, ...] = ()
    """Offers that are not taken now."""


class MeterRound(msgspec.Struct, frozen=True):
    """What a bank keeps of a round that is under way."""

    offer: str
    amount: int
    wins: tuple[tuple[str, Win], ...] = ()
    at_reveal: Mapping[str, int] = {}
    sharing: int = 1
    unpaid: Mapping[str, int] = {}
    waiting: Mapping[str, int] = {}
    """What this table contributed in this round, where it waits for the next."""


class LiveTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table, and where its log ends."""

    chain: str
    header: Header
    settings: Settings
    seq: int
    hash: str
    table: Table
    rounds: tuple[MeterRound, ...] = ()
    """Of every bank with something to remember."""
    first: int = 1
    """The first entry of the round that is under way."""
    betting_since: int = 0
    """When the first wager of this round came."""
    wagered_at: int = 0
    """And the last."""
    settled_at: int = 0
    """When everything of this round was settled."""
    shuffled: tuple[int, ...] = ()
    """The entries of this round that its deck was shuffled and cut by."""
    stuck: str = ""
    """Why the automatic dealer cannot go on, if so."""

    @property
    def submission(self) -> Submission:
        """The Submission the table is run by."""
        return submission_of(self.header.submission)


@cache
def submission_of(text: str) -> Submission:
    """Return a Submission that was checked when the table was opened."""
    found, _ = parse(text, "the table's Submission")
    assert found is not None, "it was checked"
    return found


@cache
def _open_table(header: Header) -> Table:
    return table_of(header)


@cache
def _banks(text: str) -> Banks:
    return banks_of(submission_of(text))


def new_live_table(chain: str, header: Header, digest: str, settings: Settings) -> LiveTable:
    """Return a table that was just opened."""
    return LiveTable(chain=chain, header=header, settings=settings, seq=0, hash=digest, table=_open_table(header))


def meter_ids(standing: LiveTable) -> Mapping[tuple[str, int, str], str]:
    """Return the meters of a table, by offer, amount and name; linked tables have the same."""
    return _meter_ids(standing.chain, standing.header.submission, tuple(standing.settings.links.items()))


@cache
def _meter_ids(chain: str, submission: str, links: tuple[tuple[str, str], ...]) -> Mapping[tuple[str, int, str], str]:
    ids, linked = {}, dict(links)
    for (offer, amount), bank in _banks(submission).items():
        owner = f"link:{linked[offer]}" if offer in linked else chain  # no table has such a name
        for name in bank.rules:
            ids[offer, amount, name] = f"{owner}/{offer}/{name}@{amount}"
    return ids


def banks(standing: LiveTable, meters: Mapping[str, Meter]) -> dict[tuple[str, int], Bank]:
    """Return the banks of a table with these meters, by their ids, and what they remember of the round."""
    known = {(one.offer, one.amount): one for one in standing.rounds}
    ids, found = meter_ids(standing), {}
    for (offer, amount), bank in _banks(standing.header.submission).items():
        kept = known.get((offer, amount), MeterRound(offer, amount))
        own = {
            name: _without_other_tables(meters[ids[offer, amount, name]], kept.waiting.get(name, 0))
            for name in bank.rules
        }
        found[offer, amount] = replace(
            bank, meters=own, wins=kept.wins, at_reveal=kept.at_reveal, sharing=kept.sharing, unpaid=kept.unpaid
        )
    return found


def _without_other_tables(meter: Meter, waiting: int) -> Meter:
    """Return a meter without what waits at other tables for their rounds to end."""
    return replace(meter, waiting=waiting, contributed=meter.contributed - meter.waiting + waiting)


def opening_meters(standing: LiveTable) -> dict[str, tuple[Meter, bytes]]:
    """Return the meters of a table as they begin, with their rules in writing, which linked tables must agree on."""
    ids, wagers = meter_ids(standing), standing.submission.wagers
    return {
        ids[offer, amount, name]: (meter, encode_json([bank.rules[name], wagers[offer].paytable, meter.current]))
        for (offer, amount), bank in _banks(standing.header.submission).items()
        for name, meter in bank.meters.items()
    }


def meter_rounds(after: Mapping[tuple[str, int], Bank]) -> tuple[MeterRound, ...]:
    """Return what banks keep of a round, those with something to keep."""
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
    """Return what an older version's snapshot has for a field that it lacks."""
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
"""Reads the settings of a table."""
_ROUNDS: Final = decoder(tuple[MeterRound, ...])


def snapshot(table: Table) -> bytes:
    """Write a table down, without its rules, which follow from its Submission."""
    return _ENCODER.encode(_Snapshot(table.rules.dealing, *(getattr(table, field.name) for field in _SNAPSHOT_FIELDS)))


def restore_table(header: Header, text: bytes) -> Table:
    """Return a table from its snapshot."""
    kept, opened = _DECODER.decode(text), _open_table(header)
    rules = replace(opened.rules, dealing=kept.dealing, steps=opened.rules.ways[kept.dealing])
    return Table(rules=rules, **{field.name: getattr(kept, field.name) for field in _SNAPSHOT_FIELDS})


def same_snapshot(one: bytes, other: bytes) -> bool:
    """Whether two snapshots are of the same table; an older version's may lack fields that are at their defaults."""
    try:
        return one == other or bool(_DECODER.decode(one) == _DECODER.decode(other))
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False


def decode_meter_rounds(text: bytes) -> tuple[MeterRound, ...]:
    """Read what banks keep of a round."""
    return _ROUNDS.decode(text)
