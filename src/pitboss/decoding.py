"""Values read as types, one thread at a time.

msgspec looks into a type when it first reads one; two threads that are at that at once may end the process.
Decoders that are made with their module need none of this.
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
    """Return a value as a type; `special` reads what msgspec does not know."""
    with _LOCK:
        return msgspec.convert(value, to, dec_hook=special, strict=strict, from_attributes=from_attributes)


def decode_json(text: bytes, to: type[T]) -> T:
    """Return JSON as a type."""
    with _LOCK:
        return msgspec.json.decode(text, type=to)
