"""The stories of a round: how far two servers must not be told apart, played at both of them and compared."""

import asyncio
import re
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

from twin_servers import Game, Running, Template, decks, stacked
from watched_round import Round, Seen

from pitboss.cards import Card

Story = Callable[[Round], Awaitable[None]]


async def until_the_first_reveal(now: Round) -> None:
    """Nobody has seen Bob's hand, the dealer's hole cards, the board or the card for the side wager."""
    await now.seated()
    await now.looked(asking=True)
    await now.decided("bob")
    if not now.automatic:  # an automatic dealer turns cards at once when Ann has decided
        await now.decided("ann")
    await now.looked()


async def until_the_second_card_of_the_board(now: Round) -> None:
    """The first card of it is turned, and Bob has decided again."""
    await now.seated()
    for who in ("bob", "ann", "bob"):
        if who == "bob":
            await now.dealt("ask")
        await now.decided(who)
    await now.looked(asking=True)


async def until_the_third_card_of_the_board(now: Round) -> None:
    """Two cards of it are turned, and Bob has decided for the last time."""
    await now.seated()
    for who in ("bob", "ann", "bob", "ann", "bob"):
        if who == "bob":
            await now.dealt("ask")
        await now.decided(who)
    await now.looked(asking=True)


async def until_bobs_hand_is_turned(now: Round) -> None:
    """The dealer's hand is turned and Ann is settled, before him."""
    await now.seated()
    for _ in range(now.game.decisions):
        await now.dealt("ask")
        await now.decided("bob")
        await now.decided("ann")
    await now.dealt("settle")
    await now.looked()
    await now.did("dana", "Perform")
    await now.looked()
    assert [bool(box["lines"]) for box in now.lines["ann"].view["boxes"]] == [False, True]


async def to_the_end_when_bob_folds(now: Round) -> None:
    """His hand is never turned: not in this round, nor after it."""
    await now.seated()
    await now.decided("bob", 0)
    await now.looked()
    for _ in range(now.game.decisions):
        await now.dealt("ask")
        await now.decided("ann")
    await now.dealt("call", "shuffle")
    await now.due()
    assert now.lines["dana"].view["round"] == 1
    await now.looked(over=True)


async def to_the_end_when_the_round_is_void(now: Round) -> None:
    """All wagers are returned and the cards are taken away as they lie."""
    await now.seated()
    await now.did("flo", "Report", kind="wrong-number")
    await now.looked()
    await now.did("flo", "Acknowledge")
    await now.dealt("call", "shuffle")
    assert now.lines["dana"].view["round"] == 1
    await now.looked(over=True)


HIDDEN = ("bob", "dealer", "board 1", "board 2", "board 3", "all-six", "stub")
"""All that nobody but Bob has seen before the first reveal."""
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
"""By how far it goes: what is done, which cards differ, and who deals."""


def told(
    folder: Path, template: Template, deck: tuple[Card, ...], story: Story, kind: type[Round]
) -> tuple[Seen, Round]:
    """Play a story at a server with this deck; return what everybody else was told, and the round as it ended."""
    shutil.copytree(template.folder, folder)
    running = Running(folder, stacked(deck))

    async def played() -> tuple[Seen, Round]:
        async with kind(template.game, running, template.tokens, automatic=template.automatic) as now:
            await story(now)
            return await now.ended(), now

    try:
        return asyncio.run(played())
    finally:
        running.stop()


def told_at_both(
    folder: Path, game: Game, name: str, way: str, kind: type[Round] = Round
) -> tuple[tuple[Seen, Round], tuple[Seen, Round]]:
    """Play a story at two servers whose decks differ in what is hidden in it."""
    story, hidden, _ = STORIES[name]
    (folder / "template").mkdir()
    template = Template(folder / "template", game, automatic=way == "automatic")
    one, other = (
        told(folder / str(number), template, deck, story, kind) for number, deck in enumerate(decks(game, hidden))
    )
    return one, other


def masked(text: str) -> str:
    """A text with the commitment's hashes, which are salted, replaced by as many letters."""
    text = re.sub(r'"root":"[0-9a-f]{64}"', f'"root":"{"R" * 64}"', text)
    return re.sub(r'"path":\[[^\]]*\]', lambda found: re.sub("[0-9a-f]", "P", found[0][7:]), text)


def differences(one: Seen, other: Seen) -> list[str]:
    """Where two servers told somebody something else: in bytes, in number or in order."""
    found = [f"{name}: only one server" for name in one.keys() ^ other.keys()]
    for name in one.keys() & other.keys():
        if len(one[name]) != len(other[name]):
            found.append(f"{name}: {len(one[name])} and {len(other[name])} messages")
        for number, (left, right) in enumerate(zip(one[name], other[name], strict=False)):
            if len(left) != len(right):
                found.append(f"{name}, {number}: {len(left)} and {len(right)} letters")
            if masked(left) != masked(right):
                place = next((n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), 0)
                found.append(
                    f"{name}, {number}: …{left[max(0, place - 60) : place + 40]}… {right[place : place + 40]}…"
                )
    return sorted(found)
