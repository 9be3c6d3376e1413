"""A PostgreSQL for the tests: a cluster in a temporary folder with a socket there, removed after the test run.

Durability is as in production: commits are on the disk.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from urllib.parse import quote

import psycopg
from programs import postgresql

USER = "pitboss"
ROOT_USER = "postgres"
"""`initdb` refuses root: then this user, which the package creates, owns the cluster."""


class Cluster:
    """A running cluster of this process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._numbers = count(1)

    def url(self, database: str) -> str:
        """The URL of a database."""
        return f"postgresql://{USER}@/{database}?host={quote(str(self.folder), safe='')}"

    @contextmanager
    def database(self) -> Iterator[str]:
        """Create a database, yield its URL, and drop it at the end, even with open connections."""
        name = f"test{next(self._numbers)}"
        self._run(f"CREATE DATABASE {name}")
        try:
            yield self.url(name)
        finally:
            self._run(f"DROP DATABASE {name} WITH (FORCE)")

    def _run(self, statement: str) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(statement)


@contextmanager
def running_cluster() -> Iterator[Cluster]:
    """Start a cluster in its own folder, and stop it at the end."""
    binaries = postgresql()
    assert binaries, "PostgreSQL is missing: `make test` installs it"
    folder = Path(tempfile.mkdtemp(prefix="pitboss-pg-", dir="/tmp"))  # short: the path of a socket is limited
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, ROOT_USER)
        data = folder / "data"
        _call(folder, binaries / "initdb", "-D", data, "-U", USER, "--auth=trust", "--encoding=UTF8", "--no-locale")
        options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=on -c synchronous_commit=on"
        with _stop_after(folder, binaries / "pg_ctl", data):
            _call(
                folder, binaries / "pg_ctl", "-D", data, "-l", folder / "log", "-w", "-t", "300", "-o", options, "start"
            )
            yield Cluster(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _stop_after(folder: Path, pg_ctl: Path, data: Path) -> Iterator[None]:
    """Let a helper process stop the cluster at the end, even if this process is killed: its pipe closes then."""
    script = 'read -r _; "$0" -D "$1" -w -m immediate stop; rm -rf "$2"'
    waiting = subprocess.Popen(
        [*_as_other_user(), "sh", "-c", script, pg_ctl, data, folder],
        cwd="/",
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield
    finally:
        waiting.communicate()


def _as_other_user() -> list[str]:
    return ["runuser", "-u", ROOT_USER, "--"] if os.geteuid() == 0 else []


def _call(folder: Path, program: Path, *arguments: str | Path) -> None:
    called = subprocess.run(
        [*_as_other_user(), program, *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE if program.name == "initdb" else subprocess.DEVNULL,  # the server keeps what it inherits
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if called.returncode:
        log = folder / "log"
        raise RuntimeError(f"{program.name}: {called.stdout or ''}{log.read_text('utf-8') if log.exists() else ''}")
