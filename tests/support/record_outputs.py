"""Records the outputs that programs read: `python tests/support/record_outputs.py` writes `tests/compatibility/outputs/`.

It only adds: where a recorded key, row or value is gone, nothing is written and the difference is shown. Where an output
was wrong and is repaired, remove its part of the file by hand, record again, and say so in the changelog.
"""

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from json_differences import masked, missing_parts
from output_commands import command_outputs, house_files, write_input_files
from output_house import house_outputs
from output_names import api, names

OUTPUTS = Path(__file__).parents[1] / "compatibility" / "outputs"
WIDTH = 120
LONG = 160
"""A repeated value with at least this many characters is written once."""


def outputs(folder: Path) -> dict[str, Any]:
    """Return every output of today's code, by file name; values that are not compared are masked."""
    files, house = folder / "files", folder / "house"
    from_house = house_outputs(house)
    written_first = write_input_files(files)
    return {
        "commands": masked(command_outputs(files, house)),
        "files": masked({**written_first, **house_files(files, house)}),
        **from_house,
        "names": names(folder),
        "api": api(),
    }


def recorded() -> dict[str, Any]:
    """Return every output as it was recorded."""
    return {file.stem: unpacked(json.loads(file.read_text("utf-8"))) for file in sorted(OUTPUTS.glob("*.json"))}


def packed(data: dict[str, Any]) -> dict[str, Any]:
    """Return data with each repeated value written once, under the first digits of its hash."""
    counts = Counter(json.dumps(one) for one in _containers(data))
    shared: dict[str, Any] = {}

    def pack(value: Any) -> Any:
        text = json.dumps(value)
        name = f"<value {sha256(text.encode()).hexdigest()[:10]}>"
        if counts[text] > 1 and len(text) > LONG:
            if name not in shared:
                shared[name] = inside(value)
            return name
        return inside(value)

    def inside(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: pack(one) for key, one in value.items()}
        return [pack(one) for one in value] if isinstance(value, list) else value

    outputs = inside(data)
    return {"outputs": outputs, "values": dict(sorted(shared.items()))}


def unpacked(held: dict[str, Any]) -> Any:
    """Return data as it was before it was packed."""
    values = held["values"]

    def unpack(value: Any) -> Any:
        if isinstance(value, str) and value.startswith("<value "):
            return unpack(values[value])
        if isinstance(value, dict):
            return {key: unpack(one) for key, one in value.items()}
        return [unpack(one) for one in value] if isinstance(value, list) else value

    return unpack(held["outputs"])


def _containers(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list):
        yield value
        for one in value.values() if isinstance(value, dict) else value:
            yield from _containers(one)


def written(value: Any, indent: int = 0) -> str:
    """Write JSON for review: values that fit are on one line."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) + indent <= WIDTH or not isinstance(value, dict | list) or not value:
        return line
    space = " " * (indent + 1)
    if isinstance(value, dict):
        rows = [f"{json.dumps(key, ensure_ascii=False)}: {written(one, indent + 1)}" for key, one in value.items()]
    else:
        rows = [written(one, indent + 1) for one in value]
    start, end = "{}" if isinstance(value, dict) else "[]"
    return f"{start}\n{space}" + f",\n{space}".join(rows) + f"\n{' ' * indent}{end}"


def record() -> int:
    """Write new outputs; return 1 and write nothing if a recorded one is missing."""
    with tempfile.TemporaryDirectory() as folder:
        now = outputs(Path(folder))
    gone = missing_parts(recorded(), now)
    for one in gone[:10]:
        print(one, file=sys.stderr)  # noqa: T201 (the output)
    if gone:
        return 1
    OUTPUTS.mkdir(exist_ok=True)
    for name, data in now.items():
        (OUTPUTS / f"{name}.json").write_text(written(packed(data)) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(record())
