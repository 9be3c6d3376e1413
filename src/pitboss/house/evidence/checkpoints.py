"""Signed checkpoints: the ends of all logs and the state of all meters, each linked to the checkpoint before."""

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from pitboss.errors import Mistake
from pitboss.house.storage.checkpoints import CheckpointRow, insert_checkpoint, last_checkpoint
from pitboss.house.storage.connections import Connection
from pitboss.house.storage.ledger_rows import sum_of_balances
from pitboss.house.storage.logs import chains, entries, last_finished_entry, log_ends
from pitboss.house.storage.meters import read_meters
from pitboss.house.storage.reading import snapshot_transaction
from pitboss.progressive import Meter
from pitboss.record.chain import decoder, encode_json

KEY: Final = "signing.key"
PUBLIC: Final = "signing.pub"


class MeterState(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A meter with all contributions, and the number of its moves."""

    seq: int
    meter: Meter


Heads = Mapping[str, tuple[int, str]]
"""By log: an entry and its hash."""


class Checkpoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The signed content; it shows no round under way, so it may be published."""

    number: int
    time: int
    previous: str
    """The hash of the previous checkpoint."""
    key: str
    """The public key that verifies it, in hexadecimal."""
    finished: Heads
    """The last entry of every table's last finished round, and of the house's log."""
    heads: str
    """The hash of the ends of all logs, including rounds under way."""
    balances: int
    """The sum of all accounts, which must be zero."""
    meters: Mapping[str, MeterState]


class StoredCheckpoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A stored checkpoint: the signed content, and the ends of all logs whose hash it contains."""

    signed: msgspec.Raw
    heads: msgspec.Raw


decode_checkpoint: Final = decoder(Checkpoint).decode
decode_stored_checkpoint: Final = decoder(StoredCheckpoint).decode
decode_heads: Final = decoder(dict[str, tuple[int, str]]).decode


def sign_checkpoint(db: Connection, key: Ed25519PrivateKey, now: int) -> Checkpoint:
    """Sign the ends of all logs, the sum of accounts, the meters, and the previous checkpoint's hash."""
    with snapshot_transaction(db):
        last = last_checkpoint(db)
        balances = sum_of_balances(db)
        heads = encode_json(log_ends(db))
        made = Checkpoint(
            number=last.number + 1 if last else 1,
            time=now,
            previous=sha256(decode_stored_checkpoint(last.body).signed).hexdigest() if last else "",
            key=key.public_key().public_bytes_raw().hex(),
            finished=dict(_finished_heads(db)),
            heads=sha256(heads).hexdigest(),
            balances=balances,
            meters=read_meter_states(db),
        )
        signed = encode_json(made)
        body = encode_json(StoredCheckpoint(msgspec.Raw(signed), msgspec.Raw(heads)))
        insert_checkpoint(db, CheckpointRow(made.number, now, body, key.sign(signed).hex()))
    return made


def _finished_heads(db: Connection) -> Iterator[tuple[str, tuple[int, str]]]:
    for name, chain in chains(db).items():
        last = last_finished_entry(db, chain)
        for seq, _, digest in entries(db, name, last, last):
            yield name, (seq, digest)


def read_meter_states(db: Connection) -> dict[str, MeterState]:
    """Return every meter with all its contributions."""
    return {name: MeterState(seq, meter) for name, (seq, meter) in read_meters(db).items()}


def signing_key(folder: Path) -> Ed25519PrivateKey:
    """Return the signing key of a data folder, created if missing; write its public key beside it."""
    file = folder / KEY
    try:
        if not file.exists():
            private = Ed25519PrivateKey.generate().private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
            _write_once(file, private)
        key = serialization.load_pem_private_key(file.read_bytes(), None)
        if not isinstance(key, Ed25519PrivateKey):
            raise Mistake(f"{file} is not an Ed25519 key.")
        (folder / PUBLIC).write_bytes(pem(key.public_key()))
    except OSError as error:
        raise Mistake(f"The signing key in {folder} cannot be used: {error.strerror}.") from None
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise error if isinstance(error, Mistake) else Mistake(f"{file} is not a private key.") from None
    return key


def _write_once(file: Path, text: bytes) -> None:
    """Write a complete file atomically; keep the file of a process that was faster."""
    descriptor, name = tempfile.mkstemp(dir=file.parent)  # for its owner only
    with os.fdopen(descriptor, "wb") as made:
        made.write(text)
        made.flush()
        os.fsync(made.fileno())
    with suppress(FileExistsError):
        os.link(name, file)
    os.unlink(name)  # noqa: PTH108 (a name, not a path)


def public_key(file: Path) -> Ed25519PublicKey:
    """Read a public key from a file."""
    try:
        key = serialization.load_pem_public_key(file.read_bytes())
    except OSError as error:
        raise Mistake(f"The key {file} cannot be read: {error.strerror}.") from None
    except (ValueError, UnsupportedAlgorithm):
        raise Mistake(f"{file} is not a public key.") from None
    if not isinstance(key, Ed25519PublicKey):
        raise Mistake(f"{file} is not an Ed25519 key.")
    return key


def pem(key: Ed25519PublicKey) -> bytes:
    """Encode a public key as PEM."""
    return key.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
