"""Training over HTTP: drills for players and dealers, for anybody. Nothing is kept: answers carry their questions."""

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
    """Which hands a player is asked about."""

    HARD = "hard"
    """Those where decisions are close, or the known rule of thumb errs."""
    ANY = "any"


class WrongHands(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Hands that somebody got wrong, by his own list."""

    hands: Annotated[list[PlayerHand], msgspec.Meta(min_length=1, max_length=100)]
    seed: SeedText = ""


class PlayerAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A hand and what was decided: a multiple of the Ante, or 0 for a fold; and the seconds it took."""

    hand: PlayerHand
    multiple: Multiple
    seconds: Seconds = 0


class PlayerAnswerAt(PlayerAnswer, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An answer, and the Ante that it was played for, in cents: a payout limit is met with it."""

    ante: Ante = 1000


class PlayerAnswers(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A list of answers, and the Ante that they were played for, in cents: a payout limit is met with it."""

    answers: Annotated[list[PlayerAnswer], msgspec.Meta(min_length=1, max_length=50)]
    ante: Ante = 1000


class DealerAnswers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A list of answers, all to different drills by the same rules."""

    answers: Annotated[list[DealerAnswer], msgspec.Meta(min_length=1, max_length=40)]


@get("/api/training/player/{game:str}", tags=["training"], raises=[ClientException])
async def ask_player(  # noqa: PLR0913, PLR0917 (what a hand is chosen by)
    game: str,
    request: Request[Any, Any, Any],
    state: State,
    kind: PlayerKind = PlayerKind.HARD,
    seed: Seed = "",
    table: Named = "",
    preset: Named = "",
) -> PlayerDrill:
    """Draw a hand to decide on; with a seed the same one every time."""
    require_rate(request, state)
    submission, terms = _drill_rules(state, game, table, preset)
    drawn = await _run_in_worker(state, draw_hand, _facts(submission, terms), kind, seed or secrets.token_hex(8))
    return player_drill(replace(drawn, table=table, preset=preset), terms)


@post("/api/training/player/again", status_code=200, tags=["training"], raises=[ClientException])
async def ask_again(data: WrongHands, request: Request[Any, Any, Any], state: State) -> PlayerDrill:
    """Choose one of the hands that somebody got wrong, and ask it in other suits."""
    require_rate(request, state)
    chance = Random(data.seed or secrets.token_hex(8))  # noqa: S311 (a drill can be asked for again)
    hand = rename_suits(chance.choice(data.hands), chance)
    _, terms = _drill_rules(state, hand.game, hand.table, hand.preset)
    return _mistakes_as_400(lambda: player_drill(hand, terms))


@post("/api/training/player/answer", status_code=200, tags=["training"], raises=[ClientException])
async def answer_player(data: PlayerAnswerAt, request: Request[Any, Any, Any], state: State) -> PlayerGrade:
    """Say what every decision was worth, exactly, and what the choice cost."""
    require_rate(request, state)
    return await _player_graded(state, data, data.ante)


@post("/api/training/player/score", status_code=200, tags=["training"], raises=[ClientException])
async def score_player(data: PlayerAnswers, request: Request[Any, Any, Any], state: State) -> PlayerScore:
    """Add answers up: how many were right, and what the mistakes cost."""
    require_rate(request, state, len(data.answers))
    graded = [(await _player_graded(state, answer, data.ante), answer.seconds) for answer in data.answers]
    return player_score(graded, data.ante)


@get("/api/training/dealer/{game:str}", tags=["training"], raises=[ClientException])
async def ask_dealer(  # noqa: PLR0913, PLR0917 (what a drill is chosen by)
    game: str,
    request: Request[Any, Any, Any],
    state: State,
    kind: DrillKind = DrillKind.PAY,
    seed: Seed = "",
    table: Named = "",
    preset: Named = "",
) -> DealerDrill:
    """Ask a dealer: to settle a round, to read a hand, what to do, what comes next, or all of it as a table test."""
    require_rate(request, state)
    submission, terms = _drill_rules(state, game, table, preset)
    drill = DrillId(game, kind, seed or secrets.token_hex(8), table, preset)
    return await run_in_thread(lambda: dealer_drill(drill, terms, submission.table.seats))


@post("/api/training/dealer/answer", status_code=200, tags=["training"], raises=[ClientException])
async def answer_dealer(data: DealerAnswer, request: Request[Any, Any, Any], state: State) -> DealerGrade:
    """Say what was right and wrong, why, and under which clause."""
    require_rate(request, state)
    submission, terms = _drill_rules(state, data.drill.game, data.drill.table, data.drill.preset)
    return await run_in_thread(lambda: grade_dealer_answer(data, terms, submission.table.seats))


@post("/api/training/dealer/score", status_code=200, tags=["training"], raises=[ClientException])
async def score_dealer(data: DealerAnswers, request: Request[Any, Any, Any], state: State) -> DealerScore:
    """Add answers up: a table test's, or any: accuracy, time, and every error with its clause."""
    require_rate(request, state, len(data.answers))
    submission, terms = rules_of_answers(state, data.answers)
    return await run_in_thread(lambda: dealer_score(data.answers, terms, submission.table.seats))


def rules_of_answers(state: State, answers: list[DealerAnswer]) -> tuple[Submission, Terms]:
    """Return the rules that answers are graded by: one game, one Submission, every drill once."""
    first, *others = {(answer.drill.game, answer.drill.table, answer.drill.preset) for answer in answers}
    if others:
        raise ClientException("All answers of a score are to drills of one game, by the same rules.")
    twice, often = Counter(answer.drill for answer in answers).most_common(1)[0]
    if often > 1:
        raise ClientException(f"Each drill is answered once in a score; {twice.kind} “{twice.seed}” is there twice.")
    return _drill_rules(state, *first)


def require_rate(request: Request[Any, Any, Any], state: State, answers: int = 1) -> None:
    """Refuse who asks too often; every answer of a score counts as one that is graded by itself."""
    run: Runtime = state["runtime"]
    run.guard.limit(run.guard.orders, f"training/{request.client.host if request.client else ''}", answers)


def _drill_rules(state: State, game: str, table: str, preset: str) -> tuple[Submission, Terms]:
    """Return the Submission that drills go by, and its terms."""
    run: Runtime = state["runtime"]
    if game not in GAMES:
        raise NotFoundException(f"There is no game “{game}”; {hint(game, GAMES)}")
    if table and preset:
        raise ClientException("Give a table or a preset, not both.")
    if table:
        standing = run.standing(table)
        found = standing.submission, standing.table.rules.terms
    else:
        name = preset or f"{game}-standard"
        if name not in presets():
            raise NotFoundException(f"There is no preset “{name}”; {hint(name, presets())}")
        found = _preset(name)
    if found[0].game != game:
        raise ClientException(f"That Submission is for {found[0].game}, not {game}.")
    return found


@cache
def _preset(name: str) -> tuple[Submission, Terms]:
    submission = load(name)
    return submission, terms_of(submission)


def _mistakes_as_400(work: Callable[[], T]) -> T:
    """Return what comes of it, or say what is wrong with the request."""
    try:
        return work()
    except Mistake as mistake:
        raise ClientException(str(mistake)) from None


async def run_in_thread(work: Callable[[], T]) -> T:
    """Have it worked out beside the event loop."""
    return await asyncio.to_thread(_mistakes_as_400, work)


# What needs exact worths is worked out in the process of the adviser.

Facts = tuple[str, str | None, tuple[tuple[str, str], ...]]
"""What decides what hands are worth: the game, the paytable of its required wager, the readings."""


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
    _mistakes_as_400(lambda: player_drill(hand, terms))  # what cannot be seen is refused before it is worked out
    limit = limit_on_required(terms)
    found = await _run_in_worker(state, decision_worths, _facts(submission, terms), hand, limit, ante)
    worths = [(multiple, Fraction(worth)) for multiple, worth in found]
    return _mistakes_as_400(lambda: grade_player_choice(hand, terms, answer.multiple, worths, worth_note(limit)))


def draw_hand(facts: Facts, kind: str, seed: str) -> PlayerHand:
    """Draw a hand: in the other process."""
    from pitboss.training.close_decisions import DrillRules, any_hand, draw_close_hand  # noqa: PLC0415 (numba is for that process alone)

    return (draw_close_hand if kind == PlayerKind.HARD else any_hand)(DrillRules(*facts), seed)


def decision_worths(facts: Facts, hand: PlayerHand, limit: int | None, ante: int) -> list[tuple[int, str]]:
    """Return every decision and its exact worth, as text: in the other process."""
    from pitboss.exact.advice import LimitAtWager  # noqa: PLC0415 (the same)
    from pitboss.training.close_decisions import DrillRules, worths  # noqa: PLC0415 (the same)

    under = None if limit is None else LimitAtWager(limit, ante)
    return [(multiple, str(worth)) for multiple, worth in worths(DrillRules(*facts), hand, under)]


TRAINING: Final = [ask_player, ask_again, answer_player, score_player, ask_dealer, answer_dealer, score_dealer]
