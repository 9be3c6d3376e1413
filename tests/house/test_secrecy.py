"""Guarantee 6: two servers that differ only in hidden cards send everybody else the same bytes until the reveal."""

import json
import logging
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from secret_stories import STORIES, differences, play_at_both
from twin_servers import GAMES, Game, decks, stop_clocks
from watched_round import BOB, VIEWERS, Received

from pitboss.cards import Card
from pitboss.table import Refusal, Table, player_refusals, refusals
from pitboss.table.views import View, view
from pitboss.web import hub
from pitboss.web.runtime import Runtime

pytestmark = pytest.mark.filterwarnings("ignore::litestar.exceptions.base_exceptions.LitestarDeprecationWarning")


@pytest.fixture(autouse=True)
def _stopped_clocks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from stop_clocks(monkeypatch)


def compare_servers(folder: Path, game: Game, name: str, way: str) -> tuple[list[str], Received]:
    """Play a story at two servers; return the differences, and everything that viewers received."""
    both = play_at_both(folder, game, name, way)
    for (_, now), deck in zip(both, decks(game, STORIES[name][1]), strict=True):  # the decks are stacked as planned
        cards = [str(deck[place]) for place in game.places["bob"]]
        heard = [text for text in now.lines["bob"].frames if '"type":"table"' in text]
        assert any(json.dumps(cards, separators=(",", ":")) in text for text in heard), cards
    one, other = ({**seen, "log": now.running.log} for seen, now in both)
    return differences(one, other), one


CASES = [
    pytest.param(game, name, way, id=f"{game}-{name}-{way}")
    for game in GAMES
    for name, (_, _, ways) in STORIES.items()
    for way in ways
    if "board" not in name or "board 1" in GAMES[game].places
]


@pytest.mark.parametrize(("game", "name", "way"), CASES)
def test_no_message_reveals_a_hidden_card(
    tmp_path: Path, game: str, name: str, way: str, tell: Callable[[str], None]
) -> None:
    """Frames, replies, errors, views, openings, history, ledger, metrics, logs: bytes, number and order."""
    different, seen = compare_servers(tmp_path, GAMES[game], name, way)
    messages = [text for texts in seen.values() for text in texts]
    tell(
        f"{game}, {way}, to {name}: {len(messages)} messages to {len(VIEWERS)} viewers, "
        f"{sum(map(len, messages)):,} letters, {len(different)} different"
    )
    assert different == []


# Planted leaks: the comparison must fail.


_decide = player_refusals.decide_refusal


def _hidden_card(table: Table) -> Card | None:
    box = table.boxes.get(BOB)
    return next((slot.card for slot in box.cards if not slot.up), None) if box else None


def _leaking_view(table: Table, viewer: str = "", role: Any = None) -> View:
    """A view whose length depends on a hidden card."""
    card, seen = _hidden_card(table), view(table, viewer, role)
    return replace(seen, cite=seen.cite + " " * card.index) if card else seen


def _leaking_refusal(table: Table, seat: int, multiple: int, given: Any) -> Any:
    refused = _decide(table, seat, multiple, given)
    return Refusal(f"Not with {_hidden_card(table)}.", refused.cite) if refused else None


def _plant_leak(monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    heard = Runtime._on_changes

    def leaking(self: Runtime, changes: Any) -> None:
        card = next((found for change in changes.values() if (found := _hidden_card(change.standing.table))), None)
        if where == "log" and card:
            logging.getLogger("pitboss.web").info("a round with %s", card)
        if where == "metric" and card:
            self.metrics.rounds.inc(card.index)
        heard(self, changes)
        for _ in range(card.index % 3 if where == "number of messages" and card else 0):
            self.hub.to_all('{"type":"nothing"}')

    match where:
        case "view":
            monkeypatch.setattr(
                sys.modules["pitboss.table.views"],
                "_visible_cards",
                lambda held, **_: tuple(str(slot.card) for slot in held),
            )
        case "length":
            monkeypatch.setattr(hub, "view", _leaking_view)
        case "refusal":
            monkeypatch.setattr(refusals, "decide_refusal", _leaking_refusal)
        case _:
            monkeypatch.setattr(Runtime, "_on_changes", leaking)


@pytest.mark.parametrize("where", ["view", "length", "refusal", "log", "metric", "number of messages"])
def test_a_planted_leak_is_detected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    _plant_leak(monkeypatch, where)
    different, _ = compare_servers(tmp_path, GAMES["caribbean stud"], "first reveal", "automatic")
    expected = {
        "view": "the public, messages",
        "length": "cy, messages",
        "refusal": "ann, messages",
        "log": "log",
        "metric": "metrics",
        "number of messages": "sue, messages",
    }
    assert any(line.startswith(expected[where]) for line in different), different[:5]
