"""A `pitboss` command, run in the test process or, where that matters, in a separate one."""

import io
import os
import subprocess
import sys
import warnings
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any
from unittest.mock import patch

from waiting import TIMEOUT

from pitboss.cli import main


@dataclass(frozen=True)
class Ran:
    """The status and the output of a command."""

    status: int
    out: str
    err: str


def pitboss(
    *arguments: str, given: bytes = b"", encoding: str = "utf-8", environment: Mapping[str, str] = MappingProxyType({})
) -> Ran:
    """Run a command in this process, 120 columns wide, with separate streams and environment.

    A server that has opened its house ends there, with status 0, rather than to serve.
    """
    stdin = io.TextIOWrapper(io.BytesIO(given), encoding)
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding) for _ in range(2))
    with (
        patch.dict(os.environ, {"COLUMNS": "120", **environment}),
        patch.object(sys, "stdin", stdin),
        patch("pitboss.web.json_logging.configure_logging", _opened),
        redirect_stdout(out),
        redirect_stderr(err),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore", ResourceWarning)  # what is left open, the end of a process closes
        try:
            status = main(arguments)
        except SystemExit as end:
            status = int(end.code or 0)
        except _Opened:
            status = 0
    return Ran(status, *(_written(stream) for stream in (out, err)))


def in_a_process(*arguments: str, given: bytes = b"", encoding: str = "utf-8", errors: str = "strict") -> Ran:
    """Run a command in a separate process, with `python -m pitboss` and this encoding of its streams."""
    ran = subprocess.run(
        [sys.executable, "-m", "pitboss", *arguments],
        env={**os.environ, "COLUMNS": "120", "PYTHONIOENCODING": f"{encoding}:{errors}"},
        input=given,
        capture_output=True,
        check=False,
        timeout=TIMEOUT,
    )
    return Ran(ran.returncode, ran.stdout.decode(encoding), ran.stderr.decode(encoding))


class _Opened(Exception):
    """Raised where a server would take over the logs and signals of its process."""


def _opened(*_: Any) -> None:
    raise _Opened


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode(stream.encoding)
