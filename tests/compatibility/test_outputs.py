"""Outputs for programs keep their recorded keys, values and types."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from json_differences import OF_THE_CODE, SENTENCES, SENTENCES_BY_NAME, masked, missing_parts
from output_commands import COMMANDS
from output_names import api, names
from record_outputs import OUTPUTS, outputs, packed, recorded, unpacked

pytestmark = pytest.mark.filterwarnings("ignore::litestar.exceptions.base_exceptions.LitestarDeprecationWarning")
NOT_ASKED = ["GET /api/math/{game}"]
"""Routes that take minutes where nothing is cached; tests/house/test_mathematics.py compares their figures."""


def test_outputs_keep_every_recorded_key_value_and_type(tmp_path: Path) -> None:
    """If this fails, restore the output; or, if only keys or rows are new, record them (see record_outputs.py)."""
    differences = missing_parts(recorded(), outputs(tmp_path), strict=True)
    shown = "\n".join(differences[:10])
    assert not differences, f"{len(differences)} differences:\n{shown}"


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ({"net": 1}, {"net": 1, "more": 2}, []),
        ({"net": 1}, {"nett": 1}, [".net was 1 and is missing"]),
        ({"net": 1}, {"net": "1"}, [".net was 1 and is '1'"]),
        ({"net": 1}, {"net": True}, [".net was 1 and is True"]),
        ([{"id": "a"}], [{"id": "a"}, {"id": "b"}], [" had 1 rows and has 2"]),
        ([1, 2], [2, 1], ["[0] was 1 and is 2", "[1] was 2 and is 1"]),
        ({"why": "A pair."}, {"why": "One pair."}, []),
        ({"why": "A pair."}, {"why": ""}, [".why was '<sentence>' and is ''"]),
        ({"answer": "win"}, {"answer": "lose"}, [".answer was 'win' and is 'lose'"]),
        ({"meanings": {"yes": "It is."}}, {"meanings": {"no": "It is."}}, [".meanings.yes was '<sentence>' and is missing"]),
        ({"hash": "0" * 64}, {"hash": "1" * 64}, []),
        ({"hash": "0" * 64}, {"hash": "1" * 40}, [".hash was '<64 hex digits>' and is '<40 hex digits>'"]),
    ],
)  # fmt: skip
def test_allowed_changes_of_a_recorded_output(old: Any, new: Any, found: list[str]) -> None:
    assert missing_parts(masked(old), masked(new), strict=True) == found


def test_only_few_recorded_values_are_not_compared() -> None:
    for name, data in recorded().items():
        leaves = list(_leaves(data))
        not_compared = [leaf for leaf in leaves if isinstance(leaf, str) and re.fullmatch("<.*>", leaf)]
        assert len(not_compared) < len(leaves) / 4, (name, len(not_compared), len(leaves))


def test_the_keys_of_sentences_are_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "compatibility.md").read_text("utf-8")
    section = page.split("### JSON")[1].split("###")[0]
    assert set(re.findall("`([a-z_]+)`", section)) == SENTENCES | SENTENCES_BY_NAME | OF_THE_CODE


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _leaves(one)
    else:
        yield value


def test_every_command_with_json_is_recorded(tmp_path: Path) -> None:
    commands = names(tmp_path)["commands"]
    assert [
        name for name, command in commands.items() if "--format" in command["options"] and f"\n{name}" not in COMMANDS
    ] == []


def test_every_json_route_is_recorded() -> None:
    routes = api()
    asked = {re.sub(r"\?.*", "", one.split(" {")[0].split(", ")[0]) for one in recorded()["http"]}
    asked = {" ".join(one.split()[-2:]) for one in asked}
    missing = []
    for route, shape in routes.items():
        pattern = re.compile(re.sub("{[^}]*}", "[^/]*", route))
        found = route in asked or any(pattern.fullmatch(one) for one in asked - routes.keys())
        answers_json = any("application/json" in reply for status, reply in shape["replies"].items() if status < "300")
        if answers_json and not found:
            missing.append(route)
    assert missing == NOT_ASKED


def test_the_files_are_small_and_complete() -> None:
    assert sum(file.stat().st_size for file in OUTPUTS.iterdir()) < 1_500_000
    for data in recorded().values():
        assert unpacked(packed(data)) == data
