"""The documents are correct."""

import importlib.util
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from cyclopts import App

from pitboss.cli import app, main

ROOT = Path(__file__).parents[1]
PAGES = {
    file.relative_to(ROOT).as_posix(): file.read_text("utf-8")
    for file in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")))
}
USERS = ("player", "dealer", "operator", "auditor", "laboratory", "developer")
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
"""Commands with their output; other fences are not run."""
WIDTH = "100"
LEFT_OUT = "…"


def test_the_pictures_show_the_current_output(tmp_path: Path) -> None:
    subprocess.run([sys.executable, ROOT / "docs" / "pictures.py", tmp_path], check=True)
    drawn = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert drawn.keys() == {"pitboss.svg", "tour.svg", "settle.svg", "exact.svg", "sign.png", "rack-card.png"}
    for name, picture in drawn.items():
        assert picture == (ROOT / "docs" / name).read_bytes(), f"{name} is stale: run `make pictures`"


def test_the_page_of_refusals_matches_the_program() -> None:
    refusals = load_script("refusals")
    assert (ROOT / "docs" / "refusals.md").read_text("utf-8") == refusals.page(), "run `make pictures`"


def test_a_refusal_is_a_sentence() -> None:
    for one in load_script("refusals").sentences():
        assert one.text.endswith((".", "?", ":", "…", "”", ")")), one
        assert "  " not in one.text, one


def load_script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    assert spec
    assert spec.loader
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script


def test_pictures_are_self_contained() -> None:
    for file in (ROOT / "docs").glob("*.svg"):
        assert not re.search(r"url\((?!#)|href|@import", file.read_text("utf-8")), file.name


def test_the_screenshots_are_current() -> None:
    """The tests of the screens take them; a hash of the front end's sources shows whether they are current."""
    screens = load_script("screens")
    kept = {file.name for file in screens.FOLDER.glob("*.webp")}
    assert kept == screens.named()
    assert len(kept) >= 12
    assert screens.MADE_OF.read_text("utf-8").strip() == screens.sources(), (
        "the screenshots are stale: run `make screens`"
    )


def test_the_readme_is_short() -> None:
    assert len(PAGES["README.md"].encode()) < 6000


def test_every_user_has_a_short_page_that_the_readme_links() -> None:
    for user in USERS:
        assert f"](docs/{user}.md)" in PAGES["README.md"]
        assert len(PAGES[f"docs/{user}.md"].splitlines()) < 120, user


def _anchors(text: str) -> set[str]:
    """Return the names by which GitHub links to the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES)
def test_every_link_and_picture_exists(page: str) -> None:
    missing = []
    for link in re.findall(r"\]\(([^)]+)\)", PAGES[page]):
        target, _, anchor = link.partition("#")
        file = ((ROOT / page).parent / target).resolve() if target else ROOT / page
        if not file.exists() or (anchor and anchor not in _anchors(file.read_text("utf-8"))):
            missing.append(link)
    assert not missing


def test_every_picture_is_shown_on_some_page() -> None:
    shown = {Path(link).name for text in PAGES.values() for link in re.findall(r"!\[[^]]*\]\(([^)]+)\)", text)}
    pictures = {file.name for kind in ("svg", "png", "webp") for file in (ROOT / "docs").rglob(f"*.{kind}")}
    assert pictures == shown


def _commands(group: App, path: str = "pitboss") -> Iterator[str]:
    """Yield every command under a group, without its options."""
    for name in group:
        if not name.startswith("-"):
            inner = list(_commands(group[name], f"{path} {name}"))
            yield from inner or [f"{path} {name}"]


def test_every_command_is_listed_and_every_listed_command_exists() -> None:
    table = re.findall(r"^\| `(pitboss [^|]*)\|", PAGES["docs/commands.md"], re.MULTILINE)
    listed = {" ".join(re.match(r"pitboss( [a-z-]+)+", row)[0].split()) for row in table}  # type: ignore[index]
    assert listed == set(_commands(app))


def _named(text: str) -> Iterator[list[str]]:
    """Yield the words of every command that a page names, in text, tables and examples."""
    joined = text.replace("\\\n", " ")
    yield from (row.replace("`", " ").split() for row in re.findall(r"^\| `pitboss (.*)$", joined, re.MULTILINE))
    yield from (row.split() for row in re.findall(r"^(?: {4}|\$ )pitboss (.*)$", joined, re.MULTILINE))
    yield from (span.split() for span in re.findall(r"`pitboss ([^`…]+)", joined))


def test_every_command_and_option_that_a_page_names_exists(capsys: pytest.CaptureFixture[str]) -> None:
    known = {tuple(command.split()[1:]) for command in _commands(app)}
    options: dict[tuple[str, ...], set[str]] = {}
    for page, text in PAGES.items():
        for words in _named(text):
            command = next((found for n in (2, 1) if (found := tuple(words[:n])) in known), ())
            group = words[0] in {found[0] for found in known} or words[0] in {"COMMAND", "--help"}
            assert command or group, f"{page}: pitboss {' '.join(words)}"
            wanted = {found for word in words for found in re.findall(r"^(--[a-z-]+)", word)}
            options[command] = options.get(command, set()) | wanted
    assert set(options) >= known
    for command, wanted in options.items():
        main([*command, "--help"])
        printed = capsys.readouterr().out
        assert not [option for option in wanted if option not in printed], command


@pytest.mark.parametrize("page", [page for page in PAGES if CONSOLE.search(PAGES[page])])
def test_a_page_shows_the_output_of_its_commands(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", WIDTH)
    for block in CONSOLE.findall(PAGES[page]):
        for command, shown in re.findall(r"^\$ pitboss (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            assert main(shlex.split(command)) == 0, command
            printed = "".join(f"{line.rstrip()}\n" for line in capsys.readouterr().out.strip("\n").splitlines())
            pieces = re.split(rf"^{LEFT_OUT}$\n", shown, flags=re.MULTILINE)
            pattern = r"(?:.*\n)*".join(map(re.escape, pieces))
            assert re.fullmatch(pattern, printed), f"{command} prints:\n{printed}"


def test_make_help_lists_every_target_that_a_page_names() -> None:
    helped = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    named = {
        target for text in PAGES.values() for target in re.findall(r"(?:`|^ {4})make ([a-z-]+)", text, re.MULTILINE)
    }
    assert named >= {"run", "test", "bench"}
    missing = [target for target in sorted({*named, "check"}) if f"make {target} " not in helped]
    assert not missing
