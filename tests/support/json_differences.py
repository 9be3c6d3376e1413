"""Compares JSON outputs with earlier ones: lists the parts that are missing now, each by its path."""

import re
from typing import Any

SENTENCES = frozenset({
    "about", "after", "answer", "assumed", "before", "change", "counts", "detail", "disclaimer", "disclaimer_short",
    "duties", "duty", "edge_of", "evidence", "help_line", "limits", "lines", "message", "money", "not_approved", "note",
    "object", "orders", "play", "problem", "problems", "prompt", "question", "rules", "said", "says", "source",
    "strategy", "submission", "text", "unmet", "verdict", "warning", "what", "why", "words",
})  # fmt: skip
"""Keys of sentences for people: any version may change the words. A single word under such a key is compared."""
SENTENCES_BY_NAME = frozenset({"definitions", "meanings", "other_editions", "worth"})
"""Keys of objects that hold sentences under names."""
OF_A_CLAUSE = frozenset({"met_by", "open", "recorded", "tests"})
"""Keys with the modules that meet a clause and the tests that prove it."""
OF_THE_CODE = OF_A_CLAUSE | {"followed", "verified"}
"""The same, and whether the code that runs is the one that wrote a file."""
HEX = re.compile("[0-9a-f]{16,}")
"""Hashes, salts, commitments and ids."""


def missing_parts(old: Any, new: Any, key: str = "", path: str = "", *, strict: bool = False) -> list[str]:
    """Return the parts of an older output that a newer one lacks; keys may be added.

    Unless it is strict, rows may be added, sentences may be worded anew, and what tells of the code may change.
    """
    if type(old) is not type(new):
        return [f"{path} was {_short(old)} and is {_short(new)}"]
    if isinstance(old, dict):
        missing = [f"{path}.{name} was {_short(old[name])} and is missing" for name in old if name not in new]
        both = [(name, _key_inside(key, name)) for name in old if name in new]
        return missing + [
            one
            for name, inside in both
            for one in missing_parts(old[name], new[name], inside, f"{path}.{name}", strict=strict)
        ]
    if isinstance(old, list):
        return _lost_rows(old, new, key, path, strict=strict)
    if old == new or (not strict and (key in OF_THE_CODE or (_is_sentence(key, old) and new))):
        return []
    return [f"{path} was {_short(old)} and is {_short(new)}"]


def _lost_rows(old: list[Any], new: list[Any], key: str, path: str, *, strict: bool) -> list[str]:
    """Compare two lists: the newer one must contain the rows of the older one in order."""
    texts = all(isinstance(row, str) for row in old)
    if not strict and texts and key in OF_THE_CODE | SENTENCES:
        return [f"{path} has {row!r}, not a text" for row in new if not isinstance(row, str)]
    if len(old) == len(new):
        return [
            one
            for number, (was, now) in enumerate(zip(old, new, strict=True))
            for one in missing_parts(was, now, key, f"{path}[{number}]", strict=strict)
        ]
    if strict:
        return [f"{path} had {len(old)} rows and has {len(new)}"]
    rest = iter(new)
    return [
        f"{path}[{n}] is missing"
        for n, row in enumerate(old)
        if not any(not missing_parts(row, one, key) for one in rest)
    ]


def masked(value: Any, key: str = "", varies: frozenset[str] = frozenset()) -> Any:  # noqa: PLR0911 (one for each kind)
    """Return an output with the type in place of values that are not compared: sentences, hashes, some keys."""
    if value and key in OF_A_CLAUSE and not isinstance(value, dict):
        return "<of the code>"
    if value and key in varies:
        return f"<{type(value).__name__}>"
    if isinstance(value, dict):
        return {name: masked(one, _key_inside(key, name), varies) for name, one in value.items()}
    if isinstance(value, list):
        return [masked(one, key, varies) for one in value]
    if _is_sentence(key, value):
        return "<sentence>"
    if isinstance(value, str) and HEX.fullmatch(value):
        return f"<{len(value)} hex digits>"
    return value


def _key_inside(key: str, name: str) -> str:
    return "text" if key in SENTENCES_BY_NAME else name


def _is_sentence(key: str, value: Any) -> bool:
    return key in SENTENCES and isinstance(value, str) and " " in value


def _short(value: Any, most: int = 100) -> str:
    text = repr(value)
    return text if len(text) <= most else f"{text[:most]}…"
