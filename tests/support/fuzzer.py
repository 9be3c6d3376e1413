"""Malformed texts and messages from a seed, the same every time."""

import json
from itertools import count
from random import Random
from typing import Any

from served_house import TABLE

COMMANDS: tuple[dict[str, Any], ...] = (
    {"type": "Sit", "seat": 999999},
    {"type": "Stand", "seat": 999999},
    {"type": "Wager", "seat": 999999, "wagers": {"ante": 1000, "progressive": 100}},
    {"type": "Decide", "seat": 999999, "multiple": 2},
    {"type": "Leave", "seat": 999999},
    {"type": "Report", "kind": "no such thing", "device": "none", "seat": 5, "place": "dealer", "cards": 6},
    {"type": "Acknowledge"},
    {"type": "Cover", "device": "none"},
    {"type": "Document", "seat": 999999},
    {"type": "Reject"},
    {"type": "Withhold", "reason": "none"},
    {"type": "Correct", "card": "Ah", "number": 1, "seat": 999999, "place": "dealer"},
    {"type": "Repair", "device": "none"},
    {"type": "ChangeDealing", "dealing": "manual-shoe"},
    {"type": "Tick"},
    {"type": "Warn", "seat": 999999},
)
"""Commands that are refused for everybody: no changed byte makes one of them possible."""
ENTERED = {"cards": ["Ah"], "depth": 3, "counted": None, "light": False, "whole": True}
"""The input of an order."""


def mutated(text: str, chance: Random) -> bytes:
    """A text with a few bytes changed, left out, doubled or cut off."""
    data = bytearray(text.encode())
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(data) + 1)
        match chance.randrange(6):
            case 0:
                data[place : place + 1] = bytes([chance.randrange(256)])
            case 1:
                del data[place : place + chance.randint(1, 5)]
            case 2:
                data[place:place] = bytes(chance.randrange(256) for _ in range(chance.randint(1, 5)))
            case 3:
                data[place:place] = data[place : place + 20]
            case 4:
                del data[place:]
            case _:
                data[place : place + 1] = chance.choice(
                    (b"{", b"}", b"[", b'"', b",", b":", b"-", b"null", b"\\", b"1e9")
                )
    return bytes(data)


class Fuzzer:
    """Messages of every wrong kind, the same every time."""

    def __init__(self, seed: str) -> None:
        self.chance, self._number = Random(seed), count(1)  # noqa: S311 (a test that can be repeated)

    def valid(self) -> dict[str, Any]:
        pick = self.chance
        watched = {"table": pick.choice((TABLE, "cajun-stud", "nowhere"))}
        order = {
            "type": "order",
            "key": f"fuzz-{next(self._number)}",
            **watched,
            "command": pick.choice(COMMANDS),
            "entered": ENTERED,
        }
        others = (
            {"type": "ping"},
            {"type": "unwatch", **watched},
            {"type": "watch", **watched, "since": pick.randint(-5, 99)},
        )
        return pick.choice((order, order, order, *others))

    def value(self, depth: int = 3) -> Any:
        """Any value of JSON."""
        pick = self.chance
        if depth and pick.random() < 0.4:
            if pick.random() < 0.5:
                return [self.value(depth - 1) for _ in range(pick.randrange(4))]
            return {self.text(): self.value(depth - 1) for _ in range(pick.randrange(4))}
        return pick.choice(
            (
                None,
                True,
                False,
                0,
                -1,
                1.5,
                2**63,
                -(2**63) - 1,
                10**40,
                1e308,
                "",
                self.text(),
                "order",
                TABLE,
                "\x00",
                "é🂡",
            )
        )

    def text(self) -> str:
        return "".join(
            chr(self.chance.choice((self.chance.randrange(32, 127), self.chance.randrange(0x250)))) for _ in range(8)
        )

    def message(self) -> str | bytes:  # noqa: C901, PLR0911, PLR0912 (one kind after another)
        """One message; bytes are binary."""
        pick, valid = self.chance, self.valid()
        match pick.randrange(14):
            case 0:  # another type for one field
                return json.dumps({**valid, pick.choice(list(valid)): self.value()})
            case 1:  # a field too few or too many
                valid.pop(pick.choice(list(valid)))
                return json.dumps({**valid, **({self.text(): self.value()} if pick.random() < 0.5 else {})})
            case 2 if "command" in valid:
                command = dict(valid["command"])
                name = pick.choice(list(command))
                return json.dumps({**valid, "command": {**command, name: [self.value()]}})
            case 3 if "entered" in valid:
                return json.dumps(
                    {**valid, "entered": {**ENTERED, pick.choice((*ENTERED, self.text())): [self.value()]}}
                )
            case 4:
                return json.dumps(self.value())
            case 5:
                return json.dumps(valid)[: pick.randint(0, 60)]
            case 6:
                return pick.choice(("[", '{"a":', '{"type":"order","command":')) * pick.randint(1, 3_000)
            case 7:
                return json.dumps({**valid, "key": "x" * pick.choice((0, 81, 16_000))})
            case 8:
                return pick.randbytes(pick.randint(0, 200))
            case 9:
                return json.dumps(valid).encode()
            case 10:
                return pick.choice(
                    ("", " ", "\x00", "\ufeff{}", "ping", "x" * 16_385, " " * 60_000, '"\\ud800"', "1e999")
                )
            case 11:  # as it should be, and refused
                return json.dumps(valid)
            case _:
                return mutated(json.dumps(valid), pick).decode("utf-8", "replace")
