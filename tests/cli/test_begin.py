"""`pitboss` alone shows where to begin, and every command that it shows exists."""

import shlex

import pytest

from pitboss.cli import app, main
from pitboss.cli.first_steps import FIRST_COMMANDS


def test_pitboss_alone_shows_where_to_begin(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    assert len(FIRST_COMMANDS) == 7
    for who, (command, _) in FIRST_COMMANDS.items():
        (line,) = [line for line in shown.out.splitlines() if line.startswith(who)]
        assert command in line
    assert "pitboss --help lists all commands" in shown.out
    assert len(shown.out.splitlines()) < 15


@pytest.mark.parametrize("columns", ["40", "60", "80"])
def test_the_first_steps_fit_a_narrow_terminal(
    columns: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert main([]) == 0
    shown = capsys.readouterr().out
    assert "…" not in shown
    assert max(map(len, shown.splitlines())) <= int(columns)


@pytest.mark.parametrize("command", [command for command, _ in FIRST_COMMANDS.values()])
def test_every_command_shown_exists(command: str) -> None:
    name, *arguments = shlex.split(command)
    assert name == "pitboss"
    app.parse_args(arguments, exit_on_error=False, print_error=False)  # a wrong one raises
