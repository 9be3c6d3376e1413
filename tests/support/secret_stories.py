"""Stories of a round, played at two servers with different hidden cards and compared."""

import asyncio
import re
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

from twin_servers import Game, Running, Template, decks, stacked_source
from watched_round import Received, Round

from pitboss.cards import Card

Story = Callable[[Round], Awaitable[None]]


async def until_the_first_reveal(now: Round) -> None:
    """Nobody has seen Bob's hand, the dealer's hole cards, the board or the card for the side wager."""
    await now.sit_and_wager()
    await now.request_everything(asking=True)
    await now.decide("bob")
    if not now.automatic:  # an automatic dealer turns cards at once when Ann has decided
        await now.decide("ann")
    await now.request_everything()


async def until_the_second_card_of_the_board(now: Round) -> None:
    """The first card of it is turned, and Bob has decided again."""
    await now.sit_and_wager()
    for who in ("bob", "ann", "bob"):
        if who == "bob":
            await now.deal_until("ask")
        await now.decide(who)
    await now.request_everything(asking=True)


async def until_the_third_card_of_the_board(now: Round) -> None:
    """Two cards of it are turned, and Bob has decided for the last time."""
    await now.sit_and_wager()
    for who in ("bob", "ann", "bob", "ann", "bob"):
        if who == "bob":
            await now.deal_until("ask")
        await now.decide(who)
    await now.request_everything(asking=True)


async def until_bobs_hand_is_turned(now: Round) -> None:
    """The dealer's hand is turned and Ann is settled, before him."""
    await now.sit_and_wager()
    for _ in range(now.game.decisions):
        await now.deal_until("ask")
        await now.decide("bob")
        await now.decide("ann")
    await now.deal_until("settle")
    await now.request_everything()
    await now.order_ok("dana", "Perform")
    await now.request_everything()
    assert [bool(box["lines"]) for box in now.lines["ann"].view["boxes"]] == [False, True]


async def to_the_end_when_bob_folds(now: Round) -> None:
    """His hand is never turned: not in this round, nor after it."""
    await now.sit_and_wager()
    await now.decide("bob", 0)
    await now.request_everything()
    for _ in range(now.game.decisions):
        await now.deal_until("ask")
        await now.decide("ann")
    await now.deal_until("call", "shuffle")
    await now.due()
    assert now.lines["dana"].view["round"] == 1
    await now.request_everything(over=True)


async def to_the_end_when_the_round_is_void(now: Round) -> None:
    """All wagers are returned and the cards are taken away as they lie."""
    await now.sit_and_wager()
    await now.order_ok("flo", "Report", kind="wrong-number")
    await now.request_everything()
    await now.order_ok("flo", "Acknowledge")
    await now.deal_until("call", "shuffle")
    assert now.lines["dana"].view["round"] == 1
    await now.request_everything(over=True)


HIDDEN = ("bob", "dealer", "board 1", "board 2", "board 3", "all-six", "stub")
"""The cards that only Bob may have seen before the first reveal."""
STORIES: dict[str, tuple[Story, tuple[str, ...], tuple[str, ...]]] = {
    "first reveal": (until_the_first_reveal, HIDDEN, ("automatic", "by hand")),
    "second card of the board": (
        until_the_second_card_of_the_board,
        ("bob", "board 2", "board 3", "all-six", "stub"),
        ("automatic",),
    ),
    "third card of the board": (
        until_the_third_card_of_the_board,
        ("bob", "board 3", "all-six", "stub"),
        ("automatic",),
    ),
    "Bob's hand": (until_bobs_hand_is_turned, ("bob", "stub"), ("by hand",)),
    "the end, Bob folded": (to_the_end_when_bob_folds, ("bob", "stub"), ("automatic", "by hand")),
    "the end, void": (to_the_end_when_the_round_is_void, HIDDEN, ("automatic",)),
}
"""By name: the story, the cards that differ, and who deals."""


def play_story(
    folder: Path, template: Template, deck: tuple[Card, ...], story: Story, kind: type[Round]
) -> tuple[Received, Round]:
    """Play a story at a server with this deck; return all messages to the others, and the round."""
    shutil.copytree(template.folder, folder)
    running = Running(folder, stacked_source(deck))

    async def played() -> tuple[Received, Round]:
        async with kind(template.game, running, template.tokens, automatic=template.automatic) as now:
            await story(now)
            return await now.received(), now

    try:
        return asyncio.run(played())
    finally:
        running.stop()


def play_at_both(
    folder: Path, game: Game, name: str, way: str, kind: type[Round] = Round
) -> tuple[tuple[Received, Round], tuple[Received, Round]]:
    """Play a story at two servers whose decks differ in its hidden cards."""
    story, hidden, _ = STORIES[name]
    (folder / "template").mkdir()
    template = Template(folder / "template", game, automatic=way == "automatic")
    one, other = (
        play_story(folder / str(number), template, deck, story, kind) for number, deck in enumerate(decks(game, hidden))
    )
    return one, other


def mask_hashes(text: str) -> str:
    """Replace the commitment's salted hashes by placeholders of the same length."""
    text = re.sub(r'"root":"[0-9a-f]{64}"', f'"root":"{"R" * 64}"', text)
    return re.sub(r'"path":\[[^\]]*\]', lambda found: re.sub("[0-9a-f]", "P", found[0][7:]), text)


def differences(one: Received, other: Received) -> list[str]:
    """The differences between the messages of two servers: in bytes, number or order."""
    found = [f"{name}: only one server" for name in one.keys() ^ other.keys()]
    for name in one.keys() & other.keys():
        if len(one[name]) != len(other[name]):
            found.append(f"{name}: {len(one[name])} and {len(other[name])} messages")
        for number, (left, right) in enumerate(zip(one[name], other[name], strict=False)):
            if len(left) != len(right):
                found.append(f"{name}, {number}: {len(left)} and {len(right)} letters")
            if mask_hashes(left) != mask_hashes(right):
                place = next((n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), 0)
                found.append(
                    f"{name}, {number}: …{left[max(0, place - 60) : place + 40]}… {right[place : place + 40]}…"
                )
    return sorted(found)
