"""The bundle for an auditor: records of finished rounds that `pitboss replay` verifies without the database."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from shutil import rmtree

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from pitboss.errors import Mistake
from pitboss.house.evidence.checkpoints import PUBLIC, decode_stored_checkpoint, pem
from pitboss.house.storage.checkpoints import iter_checkpoints
from pitboss.house.storage.connections import Connection
from pitboss.house.storage.logs import HOUSE, Chain, chains, entries, last_finished_entry
from pitboss.house.storage.reading import read_snapshot
from pitboss.record.chain import encode_json, hash_line, line_of


def export_bundle(
    db: Connection, folder: Path, tables: Sequence[str] | None = None, public: Ed25519PublicKey | None = None
) -> dict[str, object]:
    """Write the bundle to a new folder and return its manifest.

    `tables/T.jsonl` is the record of the table T up to its last finished round, `house.jsonl` the house's log,
    `checkpoints.jsonl` the signed checkpoints, `signing.pub` the public key, `manifest.json` the hashes of these files.
    """
    with read_snapshot(db):
        known = chains(db)
        for name in tables or ():
            if name not in known or known[name].kind == HOUSE:
                raise Mistake(f"There is no table “{name}”.")
        chosen = [chain for chain in known.values() if tables is None or chain.kind == HOUSE or chain.id in tables]
        last = {chain.id: last_finished_entry(db, chain) for chain in chosen}
        with _new_folder(folder):
            files = {}
            for chain in chosen:
                file = f"{chain.id}.jsonl" if chain.kind == HOUSE else f"tables/{chain.id}.jsonl"
                files[file] = _write(folder / file, _record(db, chain, last[chain.id]))
            signed = list(_checkpoint_lines(db))
            files["checkpoints.jsonl"] = _write(folder / "checkpoints.jsonl", signed)
            if key := public or _last_key(signed):
                files[PUBLIC] = _write(folder / PUBLIC, [pem(key)])
            logs = {chain.id: {"entries": last[chain.id], "left out": chain.seq - last[chain.id]} for chain in chosen}
            manifest: dict[str, object] = {"pitboss": 1, "logs": logs, "checkpoints": len(signed), "sha256": files}
            _write(folder / "manifest.json", [msgspec.json.format(encode_json(manifest)) + b"\n"])
    return manifest


@contextmanager
def _new_folder(folder: Path) -> Iterator[None]:
    """Create a folder; remove it if writing to it fails."""
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise Mistake(f"{folder} already exists; choose another name or remove it.") from None
    except OSError as error:
        raise Mistake(f"{folder} cannot be created: {error.strerror}.") from None
    try:
        try:
            (folder / "tables").mkdir()
        except OSError as error:
            raise Mistake(f"{folder} cannot be created: {error.strerror}.") from None
        yield
    except BaseException:
        rmtree(folder, ignore_errors=True)
        raise


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
    yield line_of(chain.header, hash_line(chain.header))
    for _, body, digest in entries(db, chain.id, last=last):
        yield line_of(body, digest)


def _checkpoint_lines(db: Connection) -> Iterator[bytes]:
    """Yield one line for each checkpoint, with its signature."""
    for row in iter_checkpoints(db, after=0):
        signed = bytes(decode_stored_checkpoint(row.body).signed)
        yield b'{"signed":' + signed + b',"signature":"' + row.signature.encode() + b'"}\n'


def _last_key(signed: Sequence[bytes]) -> Ed25519PublicKey | None:
    """Return the public key that the last checkpoint names."""
    if not signed:
        return None
    return Ed25519PublicKey.from_public_bytes(bytes.fromhex(msgspec.json.decode(signed[-1])["signed"]["key"]))
