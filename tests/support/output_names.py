"""The names that programs use: commands and their options, settings, columns, events, and the shapes of the HTTP API."""

import os
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any, get_args
from unittest.mock import patch

import msgspec
from cyclopts import App

from pitboss.cache import cache_folder
from pitboss.cli import app
from pitboss.house.config import Config
from pitboss.house.storage.migrations import migrate
from pitboss.house.storage.sqlite import Sqlite
from pitboss.rulebook.procedures import Do
from pitboss.table import Command
from pitboss.table.events import Event
from pitboss.web.server import application


def names(scratch: Path) -> dict[str, Any]:
    """Return every name outside HTTP and JSON."""
    with patch.dict(os.environ, {"PITBOSS_CACHE": "chosen"}):
        cache = cache_folder() == Path("chosen")
    fields = msgspec.structs.fields(Config)
    return {
        "commands": dict(_commands(app, ())),
        "settings": {field.name: field.default for field in fields},
        "environment": {f"PITBOSS_{field.name.upper()}": True for field in fields} | {"PITBOSS_CACHE": cache},
        "columns": _columns(scratch / "names.db"),
        "table commands": _tagged(Command),
        "events": _tagged(Event),
        "steps": {step.value: True for step in Do},
    }


def _commands(under: App, path: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    for name in under:
        if name.startswith("-"):
            continue
        one = under[name]
        if one.default_command is None:
            yield from _commands(one, (*path, name))
            continue
        arguments = one.assemble_argument_collection()
        yield (
            " ".join((*path, name)),
            {
                "arguments": ["required" if arg.required else "optional" for arg in arguments if not _options(arg)],
                "options": {
                    option: {"required": arg.required, "choices": dict.fromkeys(_choices(arg.hint), True)}
                    for arg in arguments
                    for option in _options(arg)
                },
            },
        )


def _options(argument: Any) -> list[str]:
    return [name for name in argument.names if name.startswith("-")]


def _choices(hint: Any) -> list[str]:
    """Return the values that an option takes, where they are listed."""
    if isinstance(hint, type) and issubclass(hint, Enum):
        return [str(one.value) for one in hint]
    return [found for one in get_args(hint) for found in ([one] if isinstance(one, str) else _choices(one))]


def _columns(file: Path) -> dict[str, Any]:
    """Return the schema as migrations leave it: every table with its columns."""
    db = Sqlite(file)
    migrate(db)
    tables = db.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
    )
    found = {
        table: {
            column: f"{kind}{' NOT NULL' if not_null else ''}{' PRIMARY KEY' if key else ''}"
            for _, column, kind, not_null, _, key in db.execute(f"PRAGMA table_info({table})")
        }
        for (table,) in tables
    }
    db.close()
    return found


def _tagged(union: Any) -> dict[str, dict[str, bool]]:
    """Return the tags of a union, each with its fields."""
    union = union.__value__ if hasattr(union, "__value__") else union
    return {str(one.__struct_config__.tag): dict.fromkeys(one.__struct_fields__, True) for one in get_args(union)}


# OpenAPI.


def api() -> dict[str, Any]:
    """Return every operation of the HTTP API: parameters, body and replies by their fields, not by names of classes."""
    described = msgspec.json.decode(msgspec.json.encode(application(Config()).openapi_schema.to_schema(), enc_hook=str))
    shapes = Shapes(described["components"]["schemas"])
    return {
        f"{method.upper()} {path}": {
            "parameters": {
                one["name"]: {"in": one["in"], "required": one["required"], "is": shapes.of(one["schema"])}
                for one in operation.get("parameters", ())
            },
            "body": shapes.content(operation.get("requestBody", {}), sent=True),
            "replies": {status: shapes.content(reply) for status, reply in operation["responses"].items()},
        }
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
    }


class Shapes:
    """Schemas by their fields: what is named by a reference is followed, so that classes may be renamed."""

    def __init__(self, schemas: dict[str, Any]) -> None:
        self._schemas = schemas

    def content(self, described: dict[str, Any], *, sent: bool = False) -> Any:
        """Return the shape of a body or a reply, by its media type."""
        found = described.get("content", {})
        return {kind: self.of(one["schema"], sent=sent) for kind, one in found.items()}

    def of(self, schema: Any, inside: tuple[str, ...] = (), *, sent: bool = False) -> Any:  # noqa: PLR0911 (one for each kind)
        """Return one shape: an object by its fields, a list by its rows, a choice by its options."""
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            return "again" if name in inside else self.of(self._schemas[name], (*inside, name), sent=sent)
        if "properties" in schema:
            fields = {name: self.of(one, inside, sent=sent) for name, one in schema["properties"].items()}
            must = {"required": sorted(schema.get("required", ()))} if sent else {}
            return {"fields": fields, **must}
        if choices := schema.get("oneOf") or schema.get("anyOf"):
            found = [self.of(one, inside, sent=sent) for one in choices]
            return {"one of": {self._label(one, number): one for number, one in enumerate(found)}}
        if "enum" in schema:
            return {"one of": {str(one): type(one).__name__ for one in schema["enum"]}}
        if "const" in schema:
            return {"one of": {str(schema["const"]): type(schema["const"]).__name__}}
        if "items" in schema:
            return {"rows": self.of(schema["items"], inside, sent=sent)}
        if "additionalProperties" in schema and schema.get("type") == "object":
            held = schema["additionalProperties"]
            return {"values": self.of(held, inside, sent=sent) if isinstance(held, dict) else "any"}
        return schema.get("type", "any")

    @staticmethod
    def _label(shape: Any, number: int) -> str:
        """Name an option of a choice: by its tag, else by what it is."""
        if isinstance(shape, str):
            return shape
        tags = shape.get("fields", {}).get("type", {})
        if isinstance(tags, dict) and "one of" in tags:
            return "/".join(tags["one of"])
        return next((kind for kind in ("rows", "values") if kind in shape), str(number))
