"""Guarantee 6 of docs/house.md: no message reveals a hidden card.

Two servers that differ only in hidden cards send the same bytes to everybody except Bob, whose cards differ, until the
reveal.
"""

import json
import logging
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from secret_stories import STORIES, differences, play_at_both_servers
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


def compare_servers(folder: Path, game: Game, story: str, dealing: str) -> tuple[list[str], Received]:
    """Play a story at two servers; return the differences, and everything that viewers received."""
    both = play_at_both_servers(folder, game, story, dealing)
    # First check that Bob really got the planned cards.
    for (_, round_), deck in zip(both, decks(game, STORIES[story].hidden), strict=True):
        cards = [str(deck[place]) for place in game.places["bob"]]
        table_messages = [text for text in round_.lines["bob"].frames if '"type":"table"' in text]
        assert any(json.dumps(cards, separators=(",", ":")) in text for text in table_messages), cards
    first, second = ({**received, "log": round_.running.log} for received, round_ in both)
    return differences(first, second), first


CASES = [
    pytest.param(game, story, dealing, id=f"{game}-{story}-{dealing}")
    for game in GAMES
    for story, plan in STORIES.items()
    for dealing in plan.dealings
    if "board" not in story or "board 1" in GAMES[game].places
]


@pytest.mark.parametrize(("game", "story", "dealing"), CASES)
def test_no_message_reveals_a_hidden_card(
    tmp_path: Path, game: str, story: str, dealing: str, tell: Callable[[str], None]
) -> None:
    """Frames, replies, errors, views, openings, history, ledger, metrics, logs: bytes, number and order."""
    different, received = compare_servers(tmp_path, GAMES[game], story, dealing)
    messages = [text for texts in received.values() for text in texts]
    tell(
        f"{game}, {dealing}, to {story}: {len(messages)} messages to {len(VIEWERS)} viewers, "
        f"{sum(map(len, messages)):,} characters, {len(different)} different"
    )
    assert different == []


# Planted leaks: the comparison must report each.


_original_decide_refusal = player_refusals.decide_refusal


def _hidden_card(table: Table) -> Card | None:
    box = table.boxes.get(BOB)
    return next((slot.card for slot in box.cards if not slot.up), None) if box else None


def _leaking_view(table: Table, viewer: str = "", role: Any = None) -> View:
    """A view whose length depends on a hidden card."""
    card, honest_view = _hidden_card(table), view(table, viewer, role)
    return replace(honest_view, cite=honest_view.cite + " " * card.index) if card else honest_view


def _leaking_refusal(table: Table, seat: int, multiple: int, given: Any) -> Any:
    """A refusal that names a hidden card."""
    refused = _original_decide_refusal(table, seat, multiple, given)
    return Refusal(f"Not with {_hidden_card(table)}.", refused.cite) if refused else None


def _plant_leak(monkeypatch: pytest.MonkeyPatch, leak: str) -> None:
    original_on_changes = Runtime._on_changes

    def leaking(self: Runtime, changes: Any) -> None:
        card = next((found for change in changes.values() if (found := _hidden_card(change.live.table))), None)
        if leak == "log" and card:
            logging.getLogger("pitboss.web").info("a round with %s", card)
        if leak == "metric" and card:
            self.metrics.rounds.inc(card.index)
        original_on_changes(self, changes)
        for _ in range(card.index % 3 if leak == "number of messages" and card else 0):
            self.hub.to_all('{"type":"nothing"}')

    match leak:
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
        case "log" | "metric" | "number of messages":
            monkeypatch.setattr(Runtime, "_on_changes", leaking)


@pytest.mark.parametrize("leak", ["view", "length", "refusal", "log", "metric", "number of messages"])
def test_a_planted_leak_is_detected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leak: str) -> None:
    _plant_leak(monkeypatch, leak)
    different, _ = compare_servers(tmp_path, GAMES["caribbean stud"], "first reveal", "automatic")
    # Cy is a patron who does not sit at the table; Sue is surveillance.
    first_words_of_difference = {
        "view": "the public, messages",
        "length": "cy, messages",
        "refusal": "ann, messages",
        "log": "log",
        "metric": "metrics",
        "number of messages": "sue, messages",
    }
    assert any(line.startswith(first_words_of_difference[leak]) for line in different), different[:5]
