"""The server: the application with everything it runs on, and how it begins and ends."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from litestar import Litestar, MediaType, Request, Response, get
from litestar.datastructures import State
from litestar.exceptions import HTTPException, NotFoundException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import OpenAPIType, Schema
from litestar.plugins import OpenAPISchemaPlugin
from litestar.typing import FieldDefinition
from prometheus_client import generate_latest

from pitboss.cards import Card
from pitboss.house.config import Config
from pitboss.house.driver import Broken
from pitboss.house.opening import connect, connect_to_read
from pitboss.house.pit import Pit
from pitboss.table.shoe import Source, system
from pitboss.web.advice import Adviser, advice
from pitboss.web.api import ROUTES
from pitboss.web.calculator import CALCULATOR
from pitboss.web.clauses import CLAUSES
from pitboss.web.fairness import openings
from pitboss.web.felt import layout
from pitboss.web.floor import FLOOR
from pitboss.web.live import live
from pitboss.web.page import FRONT, not_found
from pitboss.web.proofs import PROOFS
from pitboss.web.records import RECORDS
from pitboss.web.runtime import Runtime
from pitboss.web.slips import SLIPS
from pitboss.web.training import TRAINING
from pitboss.web.training_records import TRAINING_RECORDS
from pitboss.web.workshop import WORKSHOP

log = logging.getLogger("pitboss.web")


class _Cards(OpenAPISchemaPlugin):
    """Describes a card: two letters."""

    @staticmethod
    def is_plugin_supported_type(value: Any) -> bool:  # noqa: ANN401 (any type)
        return value is Card

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: object) -> Schema:
        del field_definition, schema_creator
        return Schema(type=OpenAPIType.STRING, pattern="^[2-9TJQKA][cdhs]$", examples=["Ah"])


def application(config: Config, source: Source = system) -> Litestar:
    """Return the application of a house that was opened."""

    @asynccontextmanager
    async def running(app: Litestar) -> AsyncIterator[None]:
        writers = config.writers if config.database else 1
        pit = Pit(
            lambda: connect(config),
            lambda: connect_to_read(config),
            writers=writers,
            source=source,
            zone=config.timezone,
        )
        run = Runtime(config, pit)
        app.state["runtime"], app.state["adviser"] = run, Adviser()
        await run.begin()
        try:
            yield
        finally:
            app.state["adviser"].stop()
            await run.end()

    return Litestar(
        route_handlers=[
            *ROUTES,
            *RECORDS,
            *PROOFS,
            *FLOOR,
            *SLIPS,
            *CLAUSES,
            *CALCULATOR,
            *TRAINING,
            *TRAINING_RECORDS,
            *WORKSHOP,
            advice,
            openings,
            layout,
            live,
            metrics,
            *FRONT,
        ],
        lifespan=[running],
        openapi_config=OpenAPIConfig(title="Pitboss", version="1", path="/schema", render_plugins=[JsonRenderPlugin()]),
        type_decoders=[(lambda kind: kind is Card, lambda _, value: Card(value))],
        type_encoders={Card: str},
        exception_handlers={
            Broken: _halted,
            RecursionError: _unreadable,
            UnicodeDecodeError: _unreadable,
            NotFoundException: not_found,
        },
        before_request=_without_nul,
        after_exception=[_failed],
        request_max_body_size=65_536,
        plugins=[_Cards()],
        logging_config=None,
        debug=False,
    )


@get("/metrics", media_type=MediaType.TEXT, tags=["operations"])
async def metrics(state: State) -> str:
    """Show the figures that Prometheus reads."""
    run: Runtime = state["runtime"]
    return generate_latest(run.metrics.registry).decode()


async def _without_nul(request: Request[Any, Any, Any]) -> None:
    """Refuse a letter that no name has and PostgreSQL cannot keep; JSON writes it in one way only."""
    asked = request.scope["path"].encode() + request.scope["query_string"]
    if b"\0" in asked or b"%00" in asked or b"\\u0000" in await request.body():
        raise HTTPException("A text has no NUL in it.", status_code=400)


async def _failed(error: Exception, _: Any) -> None:  # noqa: ANN401 (a scope)
    """Log what is the server's own fault."""
    if not isinstance(error, HTTPException | Broken | RecursionError | UnicodeDecodeError):
        log.error("a request failed", exc_info=error)


def _unreadable(_: Request[Any, Any, Any], __: Exception) -> Response[bytes]:
    """Answer who sends what is no text, or nests without end."""
    said = {"status_code": 400, "detail": "The request cannot be read."}
    return Response(msgspec.json.encode(said), status_code=400, media_type=MediaType.JSON)


def _halted(_: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """Answer while the database fails: no order is taken."""
    log.error("refused: %s", error)
    said = {"status_code": 503, "detail": "The house takes no orders now."}
    return Response(msgspec.json.encode(said), status_code=503, media_type=MediaType.JSON)
