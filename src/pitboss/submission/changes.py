"""The differences between two Submissions, in words."""

from collections.abc import Iterator, Mapping

import msgspec

from pitboss.submission.model import Submission


class Change(msgspec.Struct, frozen=True):
    """One difference: its key in the file, and a sentence."""

    where: str
    change: str
    """A sentence."""


def list_changes(old: Submission, new: Submission) -> list[Change]:
    """Return every difference, in file order."""
    before, after = dict(_flat(old, "")), dict(_flat(new, ""))
    withdrawn = [name for name in old.wagers if name not in new.wagers]
    added = [name for name in new.wagers if name not in old.wagers]
    changes = [Change(f"wagers.{name}", f"The wager {name} is no longer offered.") for name in withdrawn]
    changes += [
        Change(f"wagers.{name}", f"The wager {name} is now offered{_paytable_phrase(new, name)}.") for name in added
    ]
    whole_wagers = tuple(f"wagers.{name}." for name in (*withdrawn, *added))
    for where in dict.fromkeys([*before, *after]):
        if not where.startswith(whole_wagers) and before.get(where) != after.get(where):
            changes.append(Change(where, _sentence(where, before.get(where), after.get(where))))
    order = {where: place for place, where in enumerate(dict.fromkeys([*before, *after]))}
    return sorted(changes, key=lambda change: _place(change.where, order))


def _place(where: str, order: Mapping[str, int]) -> int:
    """Return the position of a change in the file; a whole wager has the position of its first key."""
    return order.get(where, min((place for key, place in order.items() if key.startswith(f"{where}.")), default=0))


def _paytable_phrase(submission: Submission, name: str) -> str:
    letter = submission.wagers[name].paytable
    return f", by Paytable {letter}" if letter else ""


def _sentence(where: str, old: str | None, new: str | None) -> str:
    name = _name(where)
    if old is None:
        return f"{name} is now {new}; it was not set."
    if new is None:
        return f"{name} is no longer set; it was {old}."
    return f"{name} changed from {old} to {new}."


def _name(where: str) -> str:  # noqa: PLR0911 (one for each part of the file)
    """Return a key in words: “The minimum of ante”."""
    *path, key = where.split(".")
    words = key.replace("_", " ")
    match path:
        case ["readings"]:
            return f"The reading {key}"
        case ["approvals", kind]:
            return f"The {words} of the approval {kind}"
        case ["wagers", wager] if key == "linked":
            return f"The linking of {wager}"
        case ["wagers", wager]:
            return f"The {words} of {wager}"
        case ["wagers", wager, "starting"]:
            return f"The starting amount of meter {key} of {wager}"
        case ["wagers", wager, "bonuses"]:
            return f"The frequency of {key} of {wager}"
        case _:
            return f"The {words}"


def _flat(value: object, where: str) -> Iterator[tuple[str, str | None]]:
    """Yield every key with its value in words, or None if it is not set."""
    if isinstance(value, msgspec.Struct):
        value = {name: getattr(value, name) for name in value.__struct_fields__}
    if isinstance(value, Mapping):
        for key, entry in value.items():
            yield from _flat(entry, f"{where}.{key}" if where else key)
    elif isinstance(value, tuple):
        yield where, " and ".join(map(str, value)) or None
    else:
        yield where, None if value is None else str(value) or None
