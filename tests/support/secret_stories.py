"""Stories of a round, played at two servers with different hidden cards and compared."""

import asyncio
import re
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

from twin_servers import Game, Running, Template, decks, stacked_source
from watched_round import Received, Round

from pitboss.cards import Card

Story = Callable[[Round], Awaitable[None]]


async def until_the_first_reveal(round_: Round) -> None:
    """Nobody has seen Bob's hand, the dealer's hole cards, the board or the card for the side wager."""
    await round_.sit_and_wager()
    await round_.request_everything(asking=True)
    await round_.decide("bob")
    if not round_.automatic:  # an automatic dealer turns cards at once when Ann has decided
        await round_.decide("ann")
    await round_.request_everything()


async def until_the_second_card_of_the_board(round_: Round) -> None:
    """The first card of it is turned, and Bob has decided again."""
    await round_.sit_and_wager()
    for who in ("bob", "ann", "bob"):
        if who == "bob":
            await round_.deal_until("ask")
        await round_.decide(who)
    await round_.request_everything(asking=True)


async def until_the_third_card_of_the_board(round_: Round) -> None:
    """Two cards of it are turned, and Bob has decided for the last time."""
    await round_.sit_and_wager()
    for who in ("bob", "ann", "bob", "ann", "bob"):
        if who == "bob":
            await round_.deal_until("ask")
        await round_.decide(who)
    await round_.request_everything(asking=True)


async def until_bobs_hand_is_turned(round_: Round) -> None:
    """The dealer's hand is turned and Ann is settled, before him."""
    await round_.sit_and_wager()
    for _ in range(round_.game.decisions):
        await round_.deal_until("ask")
        await round_.decide("bob")
        await round_.decide("ann")
    await round_.deal_until("settle")
    await round_.request_everything()
    await round_.order_ok("dana", "Perform")
    await round_.request_everything()
    assert [bool(box["lines"]) for box in round_.lines["ann"].view["boxes"]] == [False, True]


async def to_the_end_when_bob_folds(round_: Round) -> None:
    """His hand is never turned: not in this round, nor after it."""
    await round_.sit_and_wager()
    await round_.decide("bob", 0)
    await round_.request_everything()
    for _ in range(round_.game.decisions):
        await round_.deal_until("ask")
        await round_.decide("ann")
    await round_.deal_until("call", "shuffle")
    await round_.due()
    assert round_.lines["dana"].view["round"] == 1
    await round_.request_everything(over=True)


async def to_the_end_when_the_round_is_void(round_: Round) -> None:
    """All wagers are returned and the cards are taken away as they lie."""
    await round_.sit_and_wager()
    await round_.order_ok("flo", "Report", kind="wrong-number")
    await round_.request_everything()
    await round_.order_ok("flo", "Acknowledge")
    await round_.deal_until("call", "shuffle")
    assert round_.lines["dana"].view["round"] == 1
    await round_.request_everything(over=True)


HIDDEN = ("bob", "dealer", "board 1", "board 2", "board 3", "all-six", "stub")
"""The cards that only Bob may have seen before the first reveal."""


class StoryPlan(NamedTuple):
    """A story, the places whose cards differ between the two servers, and the ways to deal it."""

    play: Story
    hidden: tuple[str, ...]
    dealings: tuple[str, ...]


STORIES = {
    "first reveal": StoryPlan(until_the_first_reveal, HIDDEN, ("automatic", "by hand")),
    "second card of the board": StoryPlan(
        until_the_second_card_of_the_board,
        ("bob", "board 2", "board 3", "all-six", "stub"),
        ("automatic",),
    ),
    "third card of the board": StoryPlan(
        until_the_third_card_of_the_board,
        ("bob", "board 3", "all-six", "stub"),
        ("automatic",),
    ),
    "Bob's hand": StoryPlan(until_bobs_hand_is_turned, ("bob", "stub"), ("by hand",)),
    "the end, Bob folded": StoryPlan(to_the_end_when_bob_folds, ("bob", "stub"), ("automatic", "by hand")),
    "the end, void": StoryPlan(to_the_end_when_the_round_is_void, HIDDEN, ("automatic",)),
}


def play_story(
    folder: Path, template: Template, deck: tuple[Card, ...], story: Story, kind: type[Round]
) -> tuple[Received, Round]:
    """Play a story at a server with this deck; return all messages to the others, and the round."""
    shutil.copytree(template.folder, folder)
    running = Running(folder, stacked_source(deck))

    async def played() -> tuple[Received, Round]:
        async with kind(template.game, running, template.tokens, automatic=template.automatic) as round_:
            await story(round_)
            return await round_.received(), round_

    try:
        return asyncio.run(played())
    finally:
        running.stop()


def play_at_both_servers(
    folder: Path, game: Game, story: str, dealing: str, kind: type[Round] = Round
) -> tuple[tuple[Received, Round], tuple[Received, Round]]:
    """Play a story at two servers whose decks differ in its hidden cards."""
    play, hidden, _ = STORIES[story]
    (folder / "template").mkdir()
    template = Template(folder / "template", game, automatic=dealing == "automatic")
    first, second = (
        play_story(folder / str(number), template, deck, play, kind) for number, deck in enumerate(decks(game, hidden))
    )
    return first, second


def mask_hashes(text: str) -> str:
    """Replace the commitment's salted hashes by placeholders of the same length."""
    text = re.sub(r'"root":"[0-9a-f]{64}"', f'"root":"{"R" * 64}"', text)
    return re.sub(r'"path":\[[^\]]*\]', lambda found: re.sub("[0-9a-f]", "P", found[0][7:]), text)


def differences(first: Received, second: Received) -> list[str]:
    """The differences between the messages of two servers: in bytes, number or order."""
    found = [f"{name}: only one server" for name in first.keys() ^ second.keys()]
    for name in first.keys() & second.keys():
        if len(first[name]) != len(second[name]):
            found.append(f"{name}: {len(first[name])} and {len(second[name])} messages")
        for number, (left, right) in enumerate(zip(first[name], second[name], strict=False)):
            if len(left) != len(right):
                found.append(f"{name}, {number}: {len(left)} and {len(right)} characters")
            if mask_hashes(left) != mask_hashes(right):
                place = next((n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), 0)
                found.append(
                    f"{name}, {number}: …{left[max(0, place - 60) : place + 40]}… {right[place : place + 40]}…"
                )
    return sorted(found)
