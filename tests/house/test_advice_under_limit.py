"""Advice at the demonstration's rack-card table: exact under its payout limit, for the Ante that was made."""

import time
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from house_server import Server
from msgspec.structs import replace
from waiting import until

from pitboss.cards import DECK, Card
from pitboss.games import FOLD, Hands, Terms, settle
from pitboss.submission import load, terms_of

TABLE = "cajun-stud"
RACK_CARD = terms_of(load("cajun-stud-rack-card"))
WITHOUT = replace(RACK_CARD, payout_limit=None)


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that waits a second for another box."""
    running = Server(tmp_path_factory.mktemp("advice") / "data", PITBOSS_PAUSE="1").start()
    yield running
    assert running.stop() == 0


def counted_values(
    terms: Terms, ante: int, player: tuple[Card, ...], board: tuple[Card, ...], raised: tuple[int, ...]
) -> list[Fraction]:
    """The value of a fold and of each Raise, from dealing every possible card and settling every hand."""
    ranked = terms.evaluators[terms.rankings["ante-raise"]]
    paid: dict[tuple[str, tuple[int, ...]], int] = {}
    examples: dict[str, tuple[Card, ...]] = {}

    def settled(hand: str, decisions: tuple[int, ...]) -> int:
        if (hand, decisions) not in paid:
            lines = settle(terms, Hands({"player": player, "board": examples[hand]}), {"ante": ante}, decisions)
            paid[hand, decisions] = sum(line.net for line in lines)
        return paid[hand, decisions]

    @cache
    def name(cards: frozenset[Card]) -> str:
        hand = ranked((*player, *cards)).hand.name
        examples.setdefault(hand, tuple(cards))
        return hand

    @cache
    def finals(seen: frozenset[Card]) -> Counter[str]:
        return Counter(name(seen | {last}) for last in DECK if last not in seen and last not in player)

    @cache
    def after(seen: frozenset[Card], decisions: tuple[int, ...]) -> int:
        """The sum of the results over all cards in all orders."""
        if len(seen) == 2:
            return sum(many * settled(hand, decisions) for hand, many in finals(seen).items())
        return sum(
            max(
                -ante * (1 + sum(decisions)) * deals(len(seen) + 1),  # a fold loses what was wagered: 683a.11(d), (f)
                *(after(seen | {card}, (*decisions, multiple)) for multiple in (1, 2, 3)),
            )
            for card in DECK
            if card not in seen and card not in player
        )

    here = frozenset(board)
    raises = [Fraction(after(here, (*raised, one)), deals(len(here)) * ante) for one in (1, 2, 3)]
    return [Fraction(-1 - sum(raised)), *raises]


def deals(seen: int) -> int:
    return {0: 50 * 49 * 48, 1: 49 * 48, 2: 48}[seen]


def order(server: Server, token: str, **command: Any) -> None:
    key = f"k{time.monotonic_ns()}"
    status, answer = server.request(
        "POST", f"/api/tables/{TABLE}/orders", {"command": command}, token, Idempotency_Key=key
    )
    assert status == 200, answer


def when_to_act(server: Server, token: str, seat: int) -> dict[str, Any]:
    def asked() -> dict[str, Any] | None:
        view: dict[str, Any] = server.request("GET", f"/api/tables/{TABLE}", token=token)[1]["view"]
        return view if view["to_act"] == seat else None

    return until(asked, f"box {seat} is asked")


def test_683a_12_f_advice_is_exact_under_the_payout_limit_of_the_table(server: Server) -> None:
    """Two boxes, one at the highest Ante and one at the lowest: every decision of both."""
    token = server.session("ann")
    antes = {1: 1_000_00, 2: 5_00}
    order(server, token, type="Sit", seat=1)
    for seat, ante in antes.items():
        order(server, token, type="Wager", seat=seat, wagers={"ante": ante})
    for place, raised in enumerate([(), (3,), (3, 3)]):
        for seat, ante in antes.items():
            view = when_to_act(server, token, seat)
            (box,) = (one for one in view["boxes"] if one["seat"] == seat)
            player = tuple(map(Card, box["cards"]))
            board = tuple(Card(card) for card in view["places"].get("board", []) if card)
            assert len(board) == place
            status, found = server.request("GET", f"/api/tables/{TABLE}/advice", token=token)
            assert status == 200, found
            worths = [Fraction(one["worth"]) for one in found]
            terms = RACK_CARD if ante == antes[1] else WITHOUT  # at $5 nothing can exceed it
            assert worths == counted_values(terms, ante, player, board, raised)
            if ante == antes[1] and not board:  # four of a kind may still come to any two cards
                assert worths != counted_values(WITHOUT, ante, player, board, raised)
            most = max(worths)
            for one, worth in zip(found, worths, strict=True):
                assert (one["best"], one["cost"]) == (worth == most, str(most - worth))
                assert one["loses"] == round(float((most - worth) * ante), 2)
            (says,) = {one["counts"] for one in found}
            assert "under the payout limit of $50,000 per player and round" in says
            assert says.endswith("side bets, cards of your other boxes and their share of the limit excluded.")
            order(server, token, type="Decide", seat=seat, multiple=FOLD if place == 2 else 3)
