"""The server: builds the Litestar application, its lifespan and its error replies."""

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
from pitboss.house.startup import connect, connect_to_read
from pitboss.house.storage.connections import DatabaseFailure
from pitboss.house.writers import WriterPool
from pitboss.table.shoe import Source, system_source
from pitboss.web.advice import WorkerProcesses, get_advice
from pitboss.web.api import ROUTES
from pitboss.web.calculator import CALCULATOR
from pitboss.web.clauses import CLAUSES
from pitboss.web.fairness import openings
from pitboss.web.felt import layout
from pitboss.web.floor import FLOOR
from pitboss.web.front_end import FRONT, not_found
from pitboss.web.log_routes import PROOFS
from pitboss.web.messages import CARD_PATTERN, describe_messages
from pitboss.web.operator import WORKSHOP
from pitboss.web.records import RECORDS
from pitboss.web.runtime import Runtime
from pitboss.web.sessions import SESSIONS
from pitboss.web.slips import SLIPS
from pitboss.web.training import TRAINING
from pitboss.web.training_records import TRAINING_RECORDS
from pitboss.web.websocket import serve_websocket

log = logging.getLogger("pitboss.web")


class _Cards(OpenAPISchemaPlugin):
    """Describes a card in OpenAPI as two letters."""

    @staticmethod
    def is_plugin_supported_type(value: Any) -> bool:  # noqa: ANN401 (any type)
        return value is Card

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: object) -> Schema:
        del field_definition, schema_creator
        return Schema(type=OpenAPIType.STRING, pattern=CARD_PATTERN, examples=["Ah"])


class _WithMessages(JsonRenderPlugin):
    """Serves the OpenAPI description with the messages of the WebSocket."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        return super().render(request, describe_messages(openapi_schema))


def application(config: Config, source: Source = system_source) -> Litestar:
    """Return the application of an opened house."""

    @asynccontextmanager
    async def running(app: Litestar) -> AsyncIterator[None]:
        writers = config.writers if config.database else 1
        pit = WriterPool(
            lambda: connect(config),
            lambda: connect_to_read(config),
            writers=writers,
            source=source,
            zone=config.timezone,
        )
        run = Runtime(config, pit)
        app.state["runtime"], app.state["adviser"] = run, WorkerProcesses()
        await run.begin()
        try:
            yield
        finally:
            app.state["adviser"].stop()
            await run.end()

    return Litestar(
        route_handlers=[
            *SESSIONS,
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
            get_advice,
            openings,
            layout,
            serve_websocket,
            metrics,
            *FRONT,
        ],
        lifespan=[running],
        openapi_config=OpenAPIConfig(title="Pitboss", version="1", path="/schema", render_plugins=[_WithMessages()]),
        type_decoders=[(lambda kind: kind is Card, lambda _, value: Card(value))],
        type_encoders={Card: str},
        exception_handlers={
            DatabaseFailure: _reply_unavailable,
            RecursionError: _reply_bad_request,
            UnicodeDecodeError: _reply_bad_request,
            NotFoundException: not_found,
        },
        before_request=_without_nul,
        after_exception=[_log_failure],
        request_max_body_size=65_536,
        plugins=[_Cards()],
        logging_config=None,
        debug=False,
    )


@get("/metrics", media_type=MediaType.TEXT, tags=["operations"])
async def metrics(state: State) -> str:
    """Show the metrics for Prometheus."""
    run: Runtime = state["runtime"]
    return generate_latest(run.metrics.registry).decode()


async def _without_nul(request: Request[Any, Any, Any]) -> None:
    """Reply 400 to NUL characters, which PostgreSQL cannot store. JSON has only one escape for them."""
    url = request.scope["path"].encode() + request.scope["query_string"]
    if b"\0" in url or b"%00" in url or b"\\u0000" in await request.body():
        raise HTTPException("Text must not contain a NUL character.", status_code=400)


async def _log_failure(error: Exception, _: Any) -> None:  # noqa: ANN401 (a scope)
    """Log the server's own failures, not the client's errors."""
    if not isinstance(error, HTTPException | DatabaseFailure | RecursionError | UnicodeDecodeError):
        log.error("a request failed", exc_info=error)


def _reply_bad_request(_: Request[Any, Any, Any], __: Exception) -> Response[bytes]:
    """Reply 400 to undecodable or endlessly nested bodies."""
    body = {"status_code": 400, "detail": "The request cannot be read."}
    return Response(msgspec.json.encode(body), status_code=400, media_type=MediaType.JSON)


def _reply_unavailable(_: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """Reply 503 while the database fails."""
    log.error("database unavailable: %s", error)
    body = {"status_code": 503, "detail": "The house cannot take orders right now. Try again."}
    return Response(msgspec.json.encode(body), status_code=503, media_type=MediaType.JSON)
