"""`pitboss serve`: runs a house."""

import errno
import logging
import signal
import socket
import sys
from pathlib import Path
from typing import Annotated, Final

from cyclopts import Parameter

from pitboss.cli.output import console, private_files
from pitboss.errors import Mistake

HIGHEST: Final = 65_535
"""The highest port number."""


@private_files()
def serve(  # noqa: PLR0913 (settings)
    *,
    config: Annotated[Path | None, Parameter(help="Settings file; see docs/house.md.")] = None,
    data: Annotated[str | None, Parameter(help="Data folder of the house.")] = None,
    database: Annotated[str | None, Parameter(help="postgresql://… instead of SQLite in the data folder.")] = None,
    tables: Annotated[str | None, Parameter(help="A folder of Submissions, one table each.")] = None,
    host: Annotated[str | None, Parameter(help="Address to listen on.")] = None,
    port: Annotated[int | None, Parameter(help="Port to listen on.")] = None,
    seed: Annotated[
        str | None, Parameter(help="Repeat the same cards, for practice and tests; play money only.")
    ] = None,
) -> None:
    """Serve live tables over HTTP and WebSocket, for play money unless configured otherwise."""
    import time  # noqa: PLC0415 (heavy imports come with the command)

    import uvicorn  # noqa: PLC0415

    from pitboss.cli.welcome import print_welcome  # noqa: PLC0415
    from pitboss.house.config import load_config  # noqa: PLC0415
    from pitboss.house.evidence import signing_key  # noqa: PLC0415
    from pitboss.house.office.office import Office  # noqa: PLC0415
    from pitboss.house.startup import (  # noqa: PLC0415
        configured_submissions,
        connect,
        data_folder,
        demo_people,
        lock_folder,
        open_house,
        report_database_errors,
        require_openable,
        tables_lacking_approval,
    )
    from pitboss.house.storage.people import count_active_by_post  # noqa: PLC0415
    from pitboss.table.shoe import seeded_source, system_source  # noqa: PLC0415
    from pitboss.web.guard import is_loopback  # noqa: PLC0415
    from pitboss.web.json_logging import configure_logging  # noqa: PLC0415
    from pitboss.web.server import application  # noqa: PLC0415

    settings = load_config(config, data=data, database=database, tables=tables, host=host, port=port)
    if seed is not None and not settings.play_money:
        raise Mistake("Seeded cards are predictable, so --seed works with play money only.")
    with report_database_errors():
        outside = settings.origin or settings.proxy or not is_loopback(settings.host)
        require_openable(settings, outside=bool(outside))
        listening = _listen(settings.host, settings.port)
        alone = None if settings.database else lock_folder(settings)
        signing_key(data_folder(settings))
        db = connect(settings)
        open_tables = open_house(db, settings, Office(db, time.time), seeded=seed is not None)
        demo, posts, lacking = demo_people(db), count_active_by_post(db), tables_lacking_approval(db)
        db.close()
    closed = [name for name, _ in configured_submissions(settings) if name not in open_tables]
    seeded = seed is not None
    print_welcome(
        console(),
        settings,
        demo=demo,
        posts=posts,
        tables=open_tables,
        closed=closed,
        unapproved=lacking,
        seeded=seeded,
    )
    configure_logging(logging.getLogger(), settings.timezone)
    for ending in (signal.SIGTERM, signal.SIGINT):  # uvicorn re-raises these after it has shut down
        signal.signal(ending, lambda *_: sys.exit(0))
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # a disconnected client must not end the house
    app = application(settings, system_source if seed is None else seeded_source(seed))
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=5,
            ws_max_size=65_536,
            ws_ping_interval=20,
            proxy_headers=bool(settings.proxy),
            forwarded_allow_ips=settings.proxy or None,
        )
    )
    server.run(listening)
    del alone  # releases the lock on the data folder


def _listen(host: str, port: int) -> list[socket.socket]:
    """Listen on every address of a host before the house opens, so that a taken port is reported early."""
    sockets, why = list[socket.socket](), ""
    try:
        for family, _, _, _, address in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
            try:
                sockets.append(socket.create_server(address, family=family))
            except OSError as error:
                if error.errno not in {errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT}:  # for example, no IPv6
                    raise
                why = str(error.strerror)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            other = port - 1 if port == HIGHEST else port + 1
            raise Mistake(
                f"Port {port} of {host} is in use. Choose another: pitboss serve --port {other},"
                f" or make run PORT={other}."
            ) from None
        sockets, why = [], str(error.strerror)
    if not sockets:
        raise Mistake(f"Cannot listen on {host}, port {port}: {why.partition(' (while')[0]}.")
    return sockets
