"""Thread-safe decoding with msgspec.

msgspec inspects a type when it first decodes one. Two threads that do so at once can crash the process, so a lock
protects these calls. Decoders created at import time do not need it.
"""

from collections.abc import Callable
from threading import RLock
from typing import Any, Final, TypeVar

import msgspec

T = TypeVar("T")
_LOCK: Final = RLock()


def convert_value(
    value: object,
    to: type[T],
    special: Callable[[type[Any], Any], Any] | None = None,
    *,
    strict: bool = True,
    from_attributes: bool = False,
) -> T:
    """Convert a value to a type; `special` converts types that msgspec does not know."""
    with _LOCK:
        return msgspec.convert(value, to, dec_hook=special, strict=strict, from_attributes=from_attributes)


def decode_json(text: bytes, to: type[T]) -> T:
    """Decode JSON to a type."""
    with _LOCK:
        return msgspec.json.decode(text, type=to)
