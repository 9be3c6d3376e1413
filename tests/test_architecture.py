"""The maps for newcomers name modules, functions and files that exist."""

import re
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text("utf-8")
_FILE = r"`((?:ui/src/|[a-z_]+/)[\w/*.-]+\.(?:py|toml|ts|svelte))`"


def files(name: str) -> list[Path]:
    """Return the files that a path in the page stands for, beneath the package or the screens."""
    top = ROOT if name.startswith("ui/") else ROOT / "src" / "pitboss"
    return list(top.glob(name))


@pytest.mark.parametrize("name", sorted(set(re.findall(_FILE, ARCHITECTURE))))
def test_every_file_of_the_architecture_page_exists(name: str) -> None:
    assert files(name)


@pytest.mark.parametrize(
    ("name", "symbol"), sorted(set(re.findall(_FILE + r",\s+`([\w.]+)`", ARCHITECTURE))), ids=lambda word: word
)
def test_every_function_of_the_architecture_page_is_in_its_file(name: str, symbol: str) -> None:
    (file,) = files(name)
    assert re.search(
        rf"^\s*(?:async )?(?:def|class) {symbol.rpartition('.')[2]}\b|^{symbol}\b",
        file.read_text("utf-8"),
        re.MULTILINE,
    )


@pytest.mark.parametrize("module", sorted(set(re.findall(r"`([a-z_]+(?:\.[a-z_]+)*)`", GLOSSARY))))
def test_every_module_of_the_glossary_exists(module: str) -> None:
    assert import_module(f"pitboss.{module}")
