"""Public HTTP routes for training drills. The server stores nothing: an answer contains its question."""

import asyncio
import secrets
from collections import Counter
from collections.abc import Callable
from enum import StrEnum
from fractions import Fraction
from functools import cache
from random import Random
from typing import Annotated, Any, Final, TypeVar

import msgspec
from litestar import Request, get, post
from litestar.datastructures import State
from litestar.exceptions import ClientException, NotFoundException
from litestar.params import QueryParameter
from msgspec.structs import replace

from pitboss.errors import Mistake, hint
from pitboss.games import GAMES, Terms
from pitboss.submission import Submission, load, presets, terms_of
from pitboss.training import (
    DealerAnswer,
    DealerDrill,
    DealerGrade,
    DealerScore,
    DrillId,
    DrillKind,
    dealer_drill,
    dealer_score,
    grade_dealer_answer,
)
from pitboss.training.player import (
    PlayerDrill,
    PlayerGrade,
    PlayerHand,
    PlayerScore,
    grade_player_choice,
    player_drill,
    player_score,
    rename_suits,
)
from pitboss.web.advice import WorkerProcesses, limit_on_required, worth_note
from pitboss.web.runtime import Runtime

Named = Annotated[str, QueryParameter(max_length=80)]
Seed = Annotated[str, QueryParameter(max_length=40, pattern=r"^[A-Za-z0-9.-]*$")]
SeedText = Annotated[str, msgspec.Meta(max_length=40, pattern=r"^[A-Za-z0-9.-]*$")]
Multiple = Annotated[int, msgspec.Meta(ge=0, le=100)]
Seconds = Annotated[int, msgspec.Meta(ge=0, le=86_400)]
Ante = Annotated[int, msgspec.Meta(ge=1, le=10**9)]
T = TypeVar("T")


class PlayerKind(StrEnum):
    """The hands a player is drilled on."""

    HARD = "hard"
    """Hands with close decisions, or where the rule of thumb is wrong."""
    ANY = "any"


class WrongHands(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player's own list of hands answered wrong."""

    hands: Annotated[list[PlayerHand], msgspec.Meta(min_length=1, max_length=100)]
    seed: SeedText = ""


class PlayerAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A hand, the decision (a multiple of the Ante, 0 for a fold), and the seconds it took."""

    hand: PlayerHand
    multiple: Multiple
    seconds: Seconds = 0


class PlayerAnswerAt(PlayerAnswer, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An answer and its Ante in cents, which matters under a payout limit."""

    ante: Ante = 1000


class PlayerAnswers(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Answers and their Ante in cents, which matters under a payout limit."""

    answers: Annotated[list[PlayerAnswer], msgspec.Meta(min_length=1, max_length=50)]
    ante: Ante = 1000


class DealerAnswers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Answers to different drills under the same rules."""

    answers: Annotated[list[DealerAnswer], msgspec.Meta(min_length=1, max_length=40)]


@get("/api/training/player/{game:str}", tags=["training"], raises=[ClientException])
async def ask_player(  # noqa: PLR0913, PLR0917 (drill parameters)
    game: str,
    request: Request[Any, Any, Any],
    state: State,
    kind: PlayerKind = PlayerKind.HARD,
    seed: Seed = "",
    table: Named = "",
    preset: Named = "",
) -> PlayerDrill:
    """Draw a hand to decide on. The same seed gives the same hand."""
    require_rate(request, state)
    submission, terms = _drill_rules(state, game, table, preset)
    drawn = await _run_in_worker(state, draw_hand, _facts(submission, terms), kind, seed or secrets.token_hex(8))
    return player_drill(replace(drawn, table=table, preset=preset), terms)


@post("/api/training/player/again", status_code=200, tags=["training"], raises=[ClientException])
async def ask_again(data: WrongHands, request: Request[Any, Any, Any], state: State) -> PlayerDrill:
    """Repeat one of the hands answered wrong, with other suits."""
    require_rate(request, state)
    chance = Random(data.seed or secrets.token_hex(8))  # noqa: S311 (drills are repeatable)
    hand = rename_suits(chance.choice(data.hands), chance)
    _, terms = _drill_rules(state, hand.game, hand.table, hand.preset)
    return _mistakes_as_400(lambda: player_drill(hand, terms))


@post("/api/training/player/answer", status_code=200, tags=["training"], raises=[ClientException])
async def answer_player(data: PlayerAnswerAt, request: Request[Any, Any, Any], state: State) -> PlayerGrade:
    """Grade an answer: the exact EV of every decision, and the cost of the chosen one."""
    require_rate(request, state)
    return await _player_graded(state, data, data.ante)


@post("/api/training/player/score", status_code=200, tags=["training"], raises=[ClientException])
async def score_player(data: PlayerAnswers, request: Request[Any, Any, Any], state: State) -> PlayerScore:
    """Score several answers: how many were right, and the cost of the errors."""
    require_rate(request, state, len(data.answers))
    graded = [(await _player_graded(state, answer, data.ante), answer.seconds) for answer in data.answers]
    return player_score(graded, data.ante)


@get("/api/training/dealer/{game:str}", tags=["training"], raises=[ClientException])
async def ask_dealer(  # noqa: PLR0913, PLR0917 (drill parameters)
    game: str,
    request: Request[Any, Any, Any],
    state: State,
    kind: DrillKind = DrillKind.PAY,
    seed: Seed = "",
    table: Named = "",
    preset: Named = "",
) -> DealerDrill:
    """Draw a dealer's drill: settle a round, read a hand, handle an incident, name the next step, or a table test."""
    require_rate(request, state)
    submission, terms = _drill_rules(state, game, table, preset)
    drill = DrillId(game, kind, seed or secrets.token_hex(8), table, preset)
    return await run_in_thread(lambda: dealer_drill(drill, terms, submission.table.seats))


@post("/api/training/dealer/answer", status_code=200, tags=["training"], raises=[ClientException])
async def answer_dealer(data: DealerAnswer, request: Request[Any, Any, Any], state: State) -> DealerGrade:
    """Grade an answer: what is right or wrong, why, and under which clause."""
    require_rate(request, state)
    submission, terms = _drill_rules(state, data.drill.game, data.drill.table, data.drill.preset)
    return await run_in_thread(lambda: grade_dealer_answer(data, terms, submission.table.seats))


@post("/api/training/dealer/score", status_code=200, tags=["training"], raises=[ClientException])
async def score_dealer(data: DealerAnswers, request: Request[Any, Any, Any], state: State) -> DealerScore:
    """Score several answers: accuracy, time, and every error with its clause."""
    require_rate(request, state, len(data.answers))
    submission, terms = rules_of_answers(state, data.answers)
    return await run_in_thread(lambda: dealer_score(data.answers, terms, submission.table.seats))


def rules_of_answers(state: State, answers: list[DealerAnswer]) -> tuple[Submission, Terms]:
    """Return the rules for grading; require one game, one Submission and each drill once."""
    first, *others = {(answer.drill.game, answer.drill.table, answer.drill.preset) for answer in answers}
    if others:
        raise ClientException("All answers of a score must be for one game and the same rules.")
    twice, often = Counter(answer.drill for answer in answers).most_common(1)[0]
    if often > 1:
        raise ClientException(f"A score may contain each drill only once; {twice.kind} “{twice.seed}” occurs twice.")
    return _drill_rules(state, *first)


def require_rate(request: Request[Any, Any, Any], state: State, answers: int = 1) -> None:
    """Reject a requester who exceeds the rate; each answer counts as one request."""
    run: Runtime = state["runtime"]
    run.guard.limit(run.guard.orders, f"training/{request.client.host if request.client else ''}", answers)


def _drill_rules(state: State, game: str, table: str, preset: str) -> tuple[Submission, Terms]:
    """Return the Submission for drills and its terms."""
    run: Runtime = state["runtime"]
    if game not in GAMES:
        raise NotFoundException(f"There is no game “{game}”; {hint(game, GAMES)}")
    if table and preset:
        raise ClientException("Give a table or a preset, not both.")
    if table:
        live = run.live(table)
        rules = live.submission, live.table.rules.terms
    else:
        name = preset or f"{game}-standard"
        if name not in presets():
            raise NotFoundException(f"There is no preset “{name}”; {hint(name, presets())}")
        rules = _preset(name)
    if rules[0].game != game:
        raise ClientException(f"That Submission is for {rules[0].game}, not {game}.")
    return rules


@cache
def _preset(name: str) -> tuple[Submission, Terms]:
    submission = load(name)
    return submission, terms_of(submission)


def _mistakes_as_400(work: Callable[[], T]) -> T:
    """Return the work's result; turn a Mistake into HTTP 400."""
    try:
        return work()
    except Mistake as mistake:
        raise ClientException(str(mistake)) from None


async def run_in_thread(work: Callable[[], T]) -> T:
    """Run work in a thread, off the event loop."""
    return await asyncio.to_thread(_mistakes_as_400, work)


Facts = tuple[str, str | None, tuple[tuple[str, str], ...]]
"""The inputs of a decision's EV, for the worker process: game, paytable of the required wager, readings."""


def _facts(submission: Submission, terms: Terms) -> Facts:
    offered = submission.wagers[terms.game.required]
    return submission.game, offered.paytable or None, tuple(sorted(terms.readings.items()))


async def _run_in_worker(state: State, work: Callable[..., T], *facts: object) -> T:
    adviser: WorkerProcesses = state["adviser"]
    try:
        return await adviser.run_soon(work, *facts)
    except Mistake as mistake:
        raise ClientException(str(mistake)) from None


async def _player_graded(state: State, answer: PlayerAnswer, ante: int) -> PlayerGrade:
    hand = answer.hand
    submission, terms = _drill_rules(state, hand.game, hand.table, hand.preset)
    _mistakes_as_400(lambda: player_drill(hand, terms))  # rejects impossible hands before the calculation
    limit = limit_on_required(terms)
    found = await _run_in_worker(state, decision_worths, _facts(submission, terms), hand, limit, ante)
    worths = [(multiple, Fraction(worth)) for multiple, worth in found]
    return _mistakes_as_400(lambda: grade_player_choice(hand, terms, answer.multiple, worths, worth_note(limit)))


def draw_hand(facts: Facts, kind: str, seed: str) -> PlayerHand:
    """Draw a hand; runs in the worker process."""
    from pitboss.training.close_decisions import DrillRules, any_hand, draw_close_hand  # noqa: PLC0415 (numba is loaded in the worker only)

    return (draw_close_hand if kind == PlayerKind.HARD else any_hand)(DrillRules(*facts), seed)


def decision_worths(facts: Facts, hand: PlayerHand, limit: int | None, ante: int) -> list[tuple[int, str]]:
    """Return every decision with its exact EV as text; runs in the worker process."""
    from pitboss.exact.advice import LimitAtWager  # noqa: PLC0415 (the same)
    from pitboss.training.close_decisions import DrillRules, worths  # noqa: PLC0415 (the same)

    under = None if limit is None else LimitAtWager(limit, ante)
    return [(multiple, str(worth)) for multiple, worth in worths(DrillRules(*facts), hand, under)]


TRAINING: Final = [ask_player, ask_again, answer_player, score_player, ask_dealer, answer_dealer, score_dealer]
