"""Results on disk, in the user's cache folder. The key covers the input, and the code and data files that matter.

A cache file that cannot be read or written is ignored, and the result is calculated again.
"""

import os
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, Final, TypeVar
from zipfile import BadZipFile

import msgspec

from pitboss.decoding import decode_json
from pitboss.source_hashes import PACKAGE, source_hash

SHIPPED: Final = PACKAGE / "figures"
"""Results shipped with the package, so that a new machine need not calculate them; `make figures` writes them."""
T = TypeVar("T")


def cache_folder() -> Path:
    """Return the cache folder: $PITBOSS_CACHE, or `pitboss` in the user's cache folder."""
    if chosen := os.environ.get("PITBOSS_CACHE"):
        return Path(chosen)
    try:
        home = Path("~/.cache").expanduser()
    except RuntimeError:  # the user has no home folder
        home = Path(tempfile.gettempdir())
    return Path(os.environ.get("XDG_CACHE_HOME") or home) / "pitboss"


def load_or_make_arrays(key: object, *code: str, make: Callable[[], Sequence[Any]]) -> list[Any]:
    """Return the cached arrays of this key and code, or make and cache them."""
    import numpy as np  # noqa: PLC0415 (slow to load, and listings do not need it)

    file = cache_folder() / file_name(key, *code, ending=".npz")
    with suppress(OSError, ValueError, KeyError, EOFError, BadZipFile), np.load(BytesIO(file.read_bytes())) as saved:
        return [array[()] if array.ndim == 0 else array for array in (saved[name] for name in saved.files)]
    arrays = list(make())
    _write(file, lambda path: np.savez(path, *arrays))
    return arrays


def load_or_make(key: object, *code: str, of: type[T], make: Callable[[], T]) -> T:
    """Return the cached or shipped result of this key and code, or make and cache it."""
    name = file_name(key, *code, ending=".json")
    for file in (cache_folder() / name, SHIPPED / name):
        with suppress(OSError, msgspec.MsgspecError):
            digest, _, body = file.read_bytes().partition(b"\n")
            if sha256(body).hexdigest().encode() == digest:
                return decode_json(body, of)
    result = make()
    _write(cache_folder() / name, lambda path: path.write_bytes(encode_result(result)))
    return result


def encode_result(result: object) -> bytes:
    """Return the content of a result's file: a hash that detects damage, then the result as JSON."""
    body = msgspec.json.encode(result)
    return sha256(body).hexdigest().encode() + b"\n" + body


def file_name(key: object, *code: str, ending: str) -> str:
    """Return the name of the file with the result of this key and this code."""
    text = msgspec.json.encode(key, order="deterministic", enc_hook=str) + source_hash(*code).encode()
    return f"{sha256(text).hexdigest()[:32]}{ending}"


def _write(file: Path, write: Callable[[Path], object]) -> None:
    """Write a file atomically; do nothing if it cannot be written."""
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=file.parent, suffix=file.suffix)
        os.close(handle)
        try:
            write(Path(name))
            Path(name).replace(file)
        finally:
            Path(name).unlink(missing_ok=True)
