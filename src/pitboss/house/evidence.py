"""The evidence: signed checkpoints, the bundle for an auditor, rounds found and told, and the events that matter.

Nothing here tells of a round that is under way: it is served once it is over (guarantee 6). Rounds are counted
from 1, as `pitboss replay` counts them.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec.structs import replace

from pitboss.errors import Mistake
from pitboss.house import ledger
from pitboss.house.acts import Act, Amend, CloseTable, Credit, Decline, Dismiss, Fill, Hire, Noted, OpenTable
from pitboss.house.driver import Connection, Row
from pitboss.house.office import HOUSE, Written
from pitboss.house.standing import restored, submission_of
from pitboss.house.store import METER, Chain, added
from pitboss.money import CENT, dollars
from pitboss.progressive import Meter
from pitboss.record.chain import decoder, entry_of, header_of, line_of, plain
from pitboss.record.replay import Replayed, table_of
from pitboss.record.telling import EVERYTHING, told
from pitboss.table import after
from pitboss.table import events as happens

KEY: Final = "signing.key"
PUBLIC: Final = "signing.pub"
PAGE: Final = 1_000
"""Rows that are read at once."""
FEW: Final = 20_000
"""Rounds of an amount that are sooner sorted than looked for among all."""
MOST: Final = 2**62


# Reading.


@contextmanager
def reading(db: Connection) -> Iterator[None]:
    """See the database as it is at one moment, while others write."""
    db.execute("BEGIN" if db.one_writer else "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    try:
        yield
    finally:
        db.execute("ROLLBACK")


def paged(db: Connection, sql: str, values: Sequence[object], place: Row) -> Iterator[Row]:
    """Yield the rows of a statement that ends with the place it goes on from, its first columns, and a limit."""
    while rows := db.execute(sql, (*values, *place, PAGE)):
        yield from rows
        place = rows[-1][: len(place)]


def octets(value: object) -> bytes:
    """Return what a column of bytes holds, whatever somebody put there: SQLite takes anything."""
    return bytes(value) if isinstance(value, bytes | bytearray | memoryview) else str(value).encode()


def entries(db: Connection, chain: str, first: int = 1, last: int = MOST) -> Iterator[tuple[int, bytes, str]]:
    """Yield the entries of a log: number, text, hash."""
    sql = "SELECT seq, body, hash FROM entry WHERE chain = ? AND seq <= ? AND seq > ? ORDER BY seq LIMIT ?"
    for seq, body, digest in paged(db, sql, (chain, last), (first - 1,)):
        yield seq, octets(body), digest


def chains(db: Connection) -> dict[str, Chain]:
    """Return where every log stands."""
    rows = db.execute(f"SELECT {', '.join(Chain._fields)} FROM chain ORDER BY id")  # noqa: S608 (our columns)
    found = (Chain(*row) for row in rows)
    return {
        one.id: one._replace(header=octets(one.header), settings=octets(one.settings), played=octets(one.played))
        for one in found
    }


def over(db: Connection, chain: Chain) -> int:
    """Return the last entry of a log that tells of no round under way: that of the last finished round of a table."""
    if chain.kind == HOUSE:
        return chain.seq
    rows = db.execute("SELECT last FROM round WHERE chain = ? ORDER BY number DESC LIMIT 1", (chain.id,))
    return rows[0][0] if rows else 0


# Checkpoints.


class MeterState(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A meter with all that was contributed to it, and how often it was moved."""

    seq: int
    meter: Meter


Heads = Mapping[str, tuple[int, str]]
"""By log: an entry, and the hash of it."""


class Checkpoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where everything stood: what is signed. It tells of no round under way, and may be served."""

    number: int
    time: int
    previous: str
    """The hash of the checkpoint before."""
    key: str
    """The public key it is signed for, in hexadecimal."""
    finished: Heads
    """Where the last finished round of every table ended, and the house's log."""
    heads: str
    """The hash of where every log ended, rounds under way with it."""
    balances: int
    """What all accounts hold together: nothing."""
    meters: Mapping[str, MeterState]


class Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A checkpoint as the house keeps it: what is signed, and where every log ended, whose hash is signed."""

    signed: msgspec.Raw
    heads: msgspec.Raw


checkpoint_of: Final = decoder(Checkpoint).decode
kept_of: Final = decoder(Kept).decode
heads_of: Final = decoder(dict[str, tuple[int, str]]).decode


def checkpoint(db: Connection, key: Ed25519PrivateKey, now: int) -> Checkpoint:
    """Sign where every log, all accounts together and every meter stand, and the checkpoint before."""
    with db.transaction():
        if not db.one_writer:
            db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        last = db.execute("SELECT number, body FROM checkpoint ORDER BY number DESC LIMIT 1")
        ((balances,),) = db.execute("SELECT COALESCE(SUM(balance), 0) FROM account")
        heads = plain({name: (seq, digest) for name, seq, digest in db.execute("SELECT id, seq, hash FROM chain")})
        made = Checkpoint(
            number=last[0][0] + 1 if last else 1,
            time=now,
            previous=sha256(kept_of(octets(last[0][1])).signed).hexdigest() if last else "",
            key=key.public_key().public_bytes_raw().hex(),
            finished=dict(_finished(db)),
            heads=sha256(heads).hexdigest(),
            balances=int(balances),
            meters=meters(db),
        )
        signed = plain(made)
        db.execute(
            "INSERT INTO checkpoint (number, time, body, signature) VALUES (?, ?, ?, ?)",
            (made.number, now, plain(Kept(msgspec.Raw(signed), msgspec.Raw(heads))), key.sign(signed).hex()),
        )
    return made


def _finished(db: Connection) -> Iterator[tuple[str, tuple[int, str]]]:
    for name, chain in chains(db).items():
        last = over(db, chain)
        for seq, _, digest in entries(db, name, last, last):
            yield name, (seq, digest)


def meters(db: Connection) -> dict[str, MeterState]:
    """Return every meter with all that was contributed to it."""
    rows = db.execute(f"SELECT id, seq, {', '.join(METER)} FROM meter ORDER BY id")  # noqa: S608 (our columns)
    waiting = db.execute(
        "SELECT meter, SUM(current), SUM(waiting), SUM(reserve) FROM contribution WHERE is_folded = 0 GROUP BY meter"
    )
    more = {name: amounts for name, *amounts in waiting}
    stored = {name: (seq, Meter(**dict(zip(METER, amounts, strict=True)))) for name, seq, *amounts in rows}
    return {name: MeterState(seq, fed(meter, *more.get(name, (0, 0, 0)))) for name, (seq, meter) in stored.items()}


def fed(meter: Meter, current: int, waiting: int, reserve: int) -> Meter:
    """Return a meter with what wagers contributed."""
    change = {"current": int(current), "waiting": int(waiting), "reserve": int(reserve)}
    return added(meter, {**change, "contributed": sum(change.values())})


def signing_key(folder: Path) -> Ed25519PrivateKey:
    """Return the key of a data folder that signs checkpoints, making it if need be; its public half lies beside it."""
    file = folder / KEY
    try:
        if not file.exists():
            private = Ed25519PrivateKey.generate().private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
            with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as made:
                made.write(private)
        key = serialization.load_pem_private_key(file.read_bytes(), None)
        if not isinstance(key, Ed25519PrivateKey):
            raise Mistake(f"{file} holds no key of Ed25519.")
        (folder / PUBLIC).write_bytes(_pem(key.public_key()))
    except OSError as error:
        raise Mistake(f"The signing key in {folder} cannot be used: {error.strerror}.") from None
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise error if isinstance(error, Mistake) else Mistake(f"{file} holds no private key.") from None
    return key


def public_key(file: Path) -> Ed25519PublicKey:
    """Read the public half of a signing key."""
    try:
        key = serialization.load_pem_public_key(file.read_bytes())
    except OSError as error:
        raise Mistake(f"The key {file} cannot be read: {error.strerror}.") from None
    except (ValueError, UnsupportedAlgorithm):
        raise Mistake(f"{file} holds no public key.") from None
    if not isinstance(key, Ed25519PublicKey):
        raise Mistake(f"{file} holds no key of Ed25519.")
    return key


def _pem(key: Ed25519PublicKey) -> bytes:
    return key.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)


# The bundle.


def export(
    db: Connection, folder: Path, tables: Sequence[str] | None = None, public: Ed25519PublicKey | None = None
) -> dict[str, object]:
    """Write what an auditor verifies without the database; return its manifest.

    `tables/T.jsonl` is the record of the table T up to its last finished round, `house.jsonl` the house's log,
    `checkpoints.jsonl` what was signed, `signing.pub` the key to check it with, `manifest.json` the hashes of them all.
    """
    with reading(db):
        known = chains(db)
        for name in tables or ():
            if name not in known or known[name].kind == HOUSE:
                raise Mistake(f"There is no table “{name}”.")
        chosen = [chain for chain in known.values() if tables is None or chain.kind == HOUSE or chain.id in tables]
        last = {chain.id: over(db, chain) for chain in chosen}
        _made(folder)
        files = {}
        for chain in chosen:
            file = f"{chain.id}.jsonl" if chain.kind == HOUSE else f"tables/{chain.id}.jsonl"
            files[file] = _write(folder / file, _record(db, chain, last[chain.id]))
        signed = list(_signed(db))
    files["checkpoints.jsonl"] = _write(folder / "checkpoints.jsonl", signed)
    if key := public or _last_key(signed):
        files[PUBLIC] = _write(folder / PUBLIC, [_pem(key)])
    manifest: dict[str, object] = {
        "pitboss": 1,
        "logs": {chain.id: {"entries": last[chain.id], "left out": chain.seq - last[chain.id]} for chain in chosen},
        "checkpoints": len(signed),
        "sha256": files,
    }
    _write(folder / "manifest.json", [msgspec.json.format(plain(manifest)) + b"\n"])
    return manifest


def _made(folder: Path) -> None:
    try:
        (folder / "tables").mkdir(parents=True)
    except FileExistsError:
        raise Mistake(f"{folder} is there already; choose another name or remove it.") from None
    except OSError as error:
        raise Mistake(f"{folder} cannot be made: {error.strerror}.") from None


def _write(file: Path, parts: Iterable[bytes]) -> str:
    """Write a file and return its hash."""
    digest = sha256()
    try:
        with file.open("xb") as out:
            for part in parts:
                out.write(part)
                digest.update(part)
    except OSError as error:
        raise Mistake(f"{file} cannot be written: {error.strerror}.") from None
    return digest.hexdigest()


def _record(db: Connection, chain: Chain, last: int) -> Iterator[bytes]:
    yield line_of(chain.header, sha256(chain.header).hexdigest())
    for _, body, digest in entries(db, chain.id, last=last):
        yield line_of(body, digest)


def _signed(db: Connection) -> Iterator[bytes]:
    """Yield what was signed, and the signatures, a line each."""
    sql = "SELECT number, body, signature FROM checkpoint WHERE number > ? ORDER BY number LIMIT ?"
    for _, body, signature in paged(db, sql, (), (0,)):
        signed = bytes(kept_of(octets(body)).signed)
        yield b'{"signed":' + signed + b',"signature":"' + signature.encode() + b'"}\n'


def _last_key(signed: Sequence[bytes]) -> Ed25519PublicKey | None:
    """Return the key that the last checkpoint names."""
    if not signed:
        return None
    return Ed25519PublicKey.from_public_bytes(bytes.fromhex(msgspec.json.decode(signed[-1])["signed"]["key"]))


# Finding rounds.


class Found(msgspec.Struct, frozen=True):
    """A finished round; money in cents."""

    table: str
    number: int
    ended: int
    wagered: int
    highest: int
    """The highest payout to one box."""
    is_void: bool
    patrons: tuple[str, ...]


class Sought(msgspec.Struct, frozen=True, kw_only=True):
    """Which rounds are looked for: times in seconds, the highest payout to one box in cents."""

    table: str | None = None
    patron: str | None = None
    since: int | None = None
    until: int | None = None
    least: int | None = None
    most: int | None = None


def find_rounds(  # noqa: PLR0913 (what rounds are found by)
    db: Connection,
    *,
    table: str | None = None,
    patron: str | None = None,
    since: int | None = None,
    until: int | None = None,
    least: int | None = None,
    most: int | None = None,
    limit: int = 50,
) -> list[Found]:
    """Return finished rounds, the newest first: of a table, with a patron, in a time, of a highest payout."""
    sought = Sought(table=table, patron=patron, since=since, until=until, least=least, most=most)
    sql, values = statement(db, sought, limit)
    return [_found(db, chain, number) for _, chain, number in db.execute(sql, values)]


def statement(db: Connection, sought: Sought, limit: int) -> tuple[str, list[object]]:
    """Return what finds these rounds, by the index that leaves the least to read."""
    limits = {"chain = ?": sought.table, "ended >= ?": sought.since, "ended <= ?": sought.until}
    tests = [f"x.{test}" for test, value in limits.items() if value is not None]
    values: list[object] = [value for value in limits.values() if value is not None]
    paid = sought.least is not None or sought.most is not None
    bounds: list[object] = [sought.least or 0, MOST if sought.most is None else sought.most]
    if paid and _few(db, bounds):
        few = "WITH few AS MATERIALIZED (SELECT ended, chain, number FROM round WHERE highest BETWEEN ? AND ?) "
        if sought.patron is not None:
            same = "p.ended = x.ended AND p.chain = x.chain AND p.number = x.number"
            tests.append(f"EXISTS (SELECT 1 FROM played p WHERE p.patron = ? AND {same})")  # noqa: S608 (our words)
            values.append(sought.patron)
        return few + _newest("few x", tests), [*bounds, *values, limit]
    source = "round x"
    if sought.patron is not None:
        source, tests, values = "played x", ["x.patron = ?", *tests], [sought.patron, *values]
    if paid and sought.patron is not None:
        source, tests = "played x CROSS JOIN round r", [*tests, "r.chain = x.chain", "r.number = x.number"]
    if paid:
        tests.append(f"+{source[-1]}.highest BETWEEN ? AND ?")  # by time, and not by amount
        values += bounds
    return _newest(source, tests), [*values, limit]


def _newest(source: str, tests: Sequence[str]) -> str:
    where = f" WHERE {' AND '.join(tests)}" if tests else ""
    order = "ORDER BY x.ended DESC, x.chain DESC, x.number DESC LIMIT ?"
    return f"SELECT x.ended, x.chain, x.number FROM {source}{where} {order}"  # noqa: S608 (our words)


def _few(db: Connection, bounds: Sequence[object]) -> bool:
    """Whether only a few rounds have such a payout."""
    sql = "SELECT COUNT(*) FROM (SELECT 1 FROM round WHERE highest BETWEEN ? AND ? LIMIT ?) few"
    return bool(db.execute(sql, (*bounds, FEW))[0][0] < FEW)


def _found(db: Connection, chain: str, number: int) -> Found:
    where = "WHERE chain = ? AND number = ?"
    ((ended, wagered, highest, void),) = db.execute(
        f"SELECT ended, wagered, highest, is_void FROM round {where}",  # noqa: S608 (our words)
        (chain, number),
    )
    patrons = db.execute(f"SELECT patron FROM played {where} ORDER BY patron", (chain, number))  # noqa: S608 (our words)
    return Found(chain, number + 1, ended, wagered, highest, bool(void), tuple(name for (name,) in patrons))


# One round.


class RoundRecord(msgspec.Struct, frozen=True):
    """A finished round, entry by entry."""

    found: Found
    moments: tuple[Replayed, ...]

    def lines(self, viewer: str | None = EVERYTHING) -> list[str]:
        """Return what happened, line by line with its clause, as a viewer may read it."""
        return [line for moment in self.moments for line in told(moment, viewer)]


def round_record(db: Connection, table: str, number: int) -> RoundRecord:
    """Return a finished round with the table before and after each of its entries, whose hashes are checked."""
    rows = db.execute("SELECT first, last FROM round WHERE chain = ? AND number = ?", (table, number - 1))
    begun = db.execute("SELECT header FROM chain WHERE id = ?", (table,))
    if not rows or not begun:
        raise Mistake(f"There is no finished round {number} of a table “{table}”.")
    first, last = rows[0]
    header = header_of(bytes(begun[0][0]))
    kept = db.execute("SELECT after FROM round WHERE chain = ? AND number = ?", (table, number - 2))
    state = restored(header, bytes(kept[0][0])) if kept else table_of(header)
    before = [digest for _, _, digest in entries(db, table, first - 1, first - 1)]
    previous = before[0] if before else sha256(bytes(begun[0][0])).hexdigest()
    moments = []
    for seq, body, digest in entries(db, table, first, last):
        if sha256(previous.encode() + body).hexdigest() != digest:
            raise Mistake(f"Entry {seq} of the log “{table}” was changed, or the one before it: its hash does not fit.")
        entry, previous = entry_of(body), digest
        moments.append(Replayed(state, entry, after(state, list(entry.events)), digest))
        state = moments[-1].after
    return RoundRecord(_found(db, table, number - 1), tuple(moments))


# What matters.


class Significant(msgspec.Struct, frozen=True, kw_only=True):
    """An event that matters: when, where, by whom, what was before and what is after."""

    time: int
    log: str
    entry: int
    what: str
    actor: str
    second: str = ""
    """The second person, where it took one."""
    before: str = ""
    after: str = ""


class Submitted(msgspec.Struct, frozen=True, kw_only=True):
    """A Submission that is or was in force at a table, with its dates; superseded ones are kept."""

    table: str
    game: str
    version: str
    sha256: str
    since: int
    until: int | None
    by: str
    text: str


written_of: Final = decoder(Written).decode


def significant(db: Connection, since: int | None = None, limit: int = 100) -> list[Significant]:
    """Return the events that matter, the newest first: acts of the house, voids, and what was won off meters."""
    found = [*_acts(db), *_voids(db, limit), *_jackpots(db, limit)]
    wanted = [event for event in found if since is None or event.time >= since]
    return sorted(wanted, key=lambda event: (event.time, event.log, event.entry), reverse=True)[:limit]


def submissions(db: Connection) -> list[Submitted]:
    """Return every Submission there was, in the order they came into force."""
    found: dict[str, Submitted] = {}
    for _, body, _ in entries(db, HOUSE):
        match (written := written_of(body)).act:
            case OpenTable(table, text):
                submission = submission_of(text)
                found[table] = Submitted(
                    table=table,
                    game=submission.game,
                    version=submission.version,
                    sha256=sha256(text.encode()).hexdigest(),
                    since=written.time,
                    until=None,
                    by=written.actor,
                    text=text,
                )
            case CloseTable(table):
                found[table] = replace(found[table], until=written.time)
            case _:
                pass
    return list(found.values())


def _acts(db: Connection) -> Iterator[Significant]:
    """Yield the acts of the house but buying in and cashing out; all of them, since each has what was before."""
    known: dict[str, str] = {}
    for seq, body, _ in entries(db, HOUSE):
        written = written_of(body)
        if said := _said(written.act, known):
            what, before, now = said
            yield Significant(
                time=written.time,
                log=HOUSE,
                entry=seq,
                what=what,
                actor=written.actor,
                second=written.second,
                before=before,
                after=now,
            )


def _said(act: Act, known: dict[str, str]) -> tuple[str, str, str] | None:  # noqa: PLR0911 (a sentence for each act)
    """Return what an act did, what was before and what is after; `known` remembers people and tables."""
    match act:
        case Noted(what, before, now):
            return what, before, now
        case OpenTable(table, text):
            submission = submission_of(text)
            now = f"{submission.game}, version {submission.version}, sha256 {sha256(text.encode()).hexdigest()}"
            known[f"table {table}"] = now
            return f"the table {table} is opened", "", now
        case CloseTable(table):
            return f"the table {table} is closed", known.pop(f"table {table}", ""), ""
        case Hire(name, post):
            before, known[name] = known.get(name, ""), post
            return f"{name} is given a post or a password", before, post
        case Dismiss(name):
            return f"{name} is dismissed", known.pop(name, ""), ""
        case Fill(table, amount):
            return f"chips are brought to {table}", "", dollars(amount)
        case Credit(table, amount):
            return f"chips are taken from {table}", dollars(amount), ""
        case Amend(giver, taker, amount, reason):
            return (
                f"the ledger is corrected: {reason}",
                f"{dollars(amount)} in {giver}",
                f"{dollars(amount)} in {taker}",
            )
        case Decline(name):
            return f"what waited for a second person is declined: {name}", "", ""
        case _:
            return None


def _voids(db: Connection, limit: int) -> Iterator[Significant]:
    rows = db.execute(
        "SELECT chain, number, first, last, wagered FROM round WHERE is_void = 1"
        " ORDER BY ended DESC, chain DESC, number DESC LIMIT ?",
        (limit,),
    )
    for chain, number, first, last, wagered in rows:
        texts = [entry_of(body) for _, body, _ in entries(db, chain, first, last)]
        second = [event.by for entry in texts for event in entry.events if isinstance(event, happens.Acknowledged)]
        for entry in texts:
            for event in entry.events:
                if isinstance(event, happens.Voided):
                    yield Significant(
                        time=entry.given.time,
                        log=chain,
                        entry=entry.seq,
                        what=f"round {number + 1} is void",
                        actor=entry.given.actor,
                        second="".join(second[-1:]),
                        before=f"{dollars(wagered)} wagered",
                        after=f"void under § {event.cite}",
                    )


def _jackpots(db: Connection, limit: int) -> Iterator[Significant]:
    """Yield what was won off meters in rounds that are over."""
    tables = [(name, over(db, chain)) for name, chain in chains(db).items() if chain.kind != HOUSE]
    for meter in meters(db):
        for chain, last in tables:
            rows = db.execute(
                "SELECT seq, amount FROM posting WHERE account = ? AND chain = ? AND seq <= ? AND amount > 0"
                " ORDER BY seq DESC LIMIT ?",
                (ledger.of_meter(meter, "pending"), chain, last, limit),
            )
            for seq, amount in rows:
                yield _won(db, meter, chain, seq, amount)


def _won(db: Connection, meter: str, chain: str, seq: int, amount: int) -> Significant:
    ((_, body, _),) = entries(db, chain, seq, seq)
    entry = entry_of(body)
    winning = (event for event in entry.events if isinstance(event, happens.Claimed | happens.Settled))
    seats = [f" by seat {event.seat}" for event in winning if any(line.pays and line.meter for line in event.lines)]
    shown = entry.given.meters.get(meter.rpartition("/")[2], 0)
    ((moved,),) = db.execute(
        "SELECT COALESCE(SUM(amount), 0) FROM posting WHERE chain = ? AND seq = ? AND account = ?",
        (chain, seq, ledger.of_meter(meter, "current")),
    )
    return Significant(
        time=entry.given.time,
        log=chain,
        entry=seq,
        what=f"{dollars(amount // CENT)} is won off the meter {meter}{''.join(seats)}",
        actor=entry.given.actor,
        before=f"the meter shows {dollars(shown // CENT)}",
        after=f"the meter shows {dollars((shown + int(moved)) // CENT)}",
    )
