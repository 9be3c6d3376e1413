"""The messages of the WebSocket are described; the front end takes its types from that description and has no `any`."""

import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from pitboss.house.config import Config
from pitboss.web.messages import ClientMessage, Pong, ServerMessage, describe_messages, encode_message
from pitboss.web.server import application

pytestmark = pytest.mark.filterwarnings("ignore::litestar.exceptions.base_exceptions.LitestarDeprecationWarning")
SCREENS = Path(__file__).parents[2] / "ui" / "src"
ANY = re.compile(r"(?:[:<|&,(=]|=>|\bas|\bextends)\s*any\b")


@pytest.fixture(scope="module")
def http() -> dict[str, Any]:
    return application(Config()).openapi_schema.to_schema()


def test_every_message_is_described_with_its_type(http: dict[str, Any]) -> None:
    schemas = describe_messages(http)["components"]["schemas"]
    for name, union in (("ClientMessage", ClientMessage), ("ServerMessage", ServerMessage)):
        found = [one["$ref"].rpartition("/")[2] for one in schemas[name]["anyOf"]]
        assert found == [one.__name__ for one in get_args(union)]
        types = [schemas[one]["properties"]["type"] for one in found]
        assert all("const" in one or len(one["enum"]) == 1 for one in types)
    assert msgspec.json.decode(encode_message(Pong())) == {"v": 1, "type": "pong"}


def test_the_description_keeps_the_fields_of_http(http: dict[str, Any]) -> None:
    described = describe_messages(http)["components"]["schemas"]
    for name, schema in http["components"]["schemas"].items():
        assert set(described[name].get("properties", ())) == set(schema.get("properties", ())), name


@pytest.mark.parametrize("text", ["(value: any) => void", "x as any", "Record<string, any>", "<T = any>"])
def test_an_any_is_detected(text: str) -> None:
    assert ANY.search(text)


def test_the_screens_have_no_any() -> None:
    files = [file for file in SCREENS.rglob("*") if file.suffix in {".ts", ".svelte"} and file.name != "schema.d.ts"]
    assert len(files) > 100
    assert not [
        f"{file.name}: {line}" for file in files for line in file.read_text("utf-8").splitlines() if ANY.search(line)
    ]
