"""SQL stands in one room. `house/storage` is the only place with drivers, statements and the schema; its functions
return rows, and everybody else calls them. `import-linter` checks the other layers (pyproject.toml)."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

PACKAGE: Final = Path(__file__).parents[1] / "src" / "pitboss"
STORAGE: Final = PACKAGE / "house" / "storage"
DRIVERS: Final = {"apsw", "psycopg", "sqlite3"}
RUNNERS: Final = {"execute", "execute_many", "execute_together", "executemany", "executescript"}
"""Methods that run a statement."""
_STATEMENT: Final = re.compile(
    r"\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH|PRAGMA|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|CREATE|ALTER|DROP|LISTEN|NOTIFY"
    r"|EXPLAIN|VACUUM|SET TRANSACTION|LOCK TABLE)\b"
    r"|.*\b(?:FROM \w+ WHERE|INSERT INTO|DELETE FROM|ORDER BY|GROUP BY|FOR UPDATE|ON CONFLICT)\b",
    re.DOTALL,
)


def sql_in(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of every statement, every call that runs one, and every import of a driver."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Constant(value=str(text)) if _STATEMENT.match(text):
                yield node.lineno, text
            case ast.Call(func=ast.Attribute(attr=name)) if name in RUNNERS:
                yield node.lineno, f".{name}("
            case ast.Import(names=names):
                yield from ((node.lineno, one.name) for one in names if one.name.partition(".")[0] in DRIVERS)
            case ast.ImportFrom(module=str(module)) if module.partition(".")[0] in DRIVERS:
                yield node.lineno, module


@pytest.mark.parametrize(
    "file", [file for file in sorted(PACKAGE.rglob("*.py")) if STORAGE not in file.parents], ids=lambda file: file.stem
)
def test_sql_stands_in_storage_only(file: Path) -> None:
    assert list(sql_in(file.read_text("utf-8"))) == []


@pytest.mark.parametrize(
    "line",
    [
        'sql = "SELECT balance FROM account WHERE name = ?"',
        'sql = f"SELECT {columns} FROM meter"',
        'sql = f"{what} FROM meter WHERE id = ?"',
        'sql = "INSERT INTO slip (kind) VALUES (?)"',
        'sql = "UPDATE chain SET is_open = 0"',
        'sql = "DELETE FROM session"',
        'sql = "PRAGMA synchronous=OFF"',
        'sql = "BEGIN"',
        "rows = db.execute(sql)",
        "db.execute_many(sql, rows)",
        "import apsw",
        "from psycopg import errors",
    ],
)
def test_a_planted_statement_is_noticed(line: str) -> None:
    assert list(sql_in(line))


def test_one_module_of_storage_writes_each_table_of_the_database() -> None:
    schema = "".join(file.read_text("utf-8") for file in sorted((STORAGE / "schema").glob("*.sql")))
    modules = {file.stem: file.read_text("utf-8") for file in STORAGE.glob("*.py") if file.stem != "postgres"}
    tables = set(re.findall(r"CREATE TABLE (\w+)", schema))
    writers = {
        table: {name for name, text in modules.items() if re.search(rf"(?:INSERT INTO|UPDATE) {table}\b", text)}
        for table in tables
    }
    assert writers.pop("chain") == {"logs", "tables"}  # a table of the pit is a log with settings
    assert {table: len(names) for table, names in writers.items()} == dict.fromkeys(writers, 1)
