"""What should this have paid? Any hand settled by the rules of a table, a preset or a Submission, line by line."""

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any, Final

import msgspec
from litestar import Request, get, post
from litestar.datastructures import State
from litestar.exceptions import ClientException, NotFoundException
from litestar.params import QueryParameter

from pitboss.cards import Card
from pitboss.errors import Mistake, hint
from pitboss.games import FOLD, Balances, Hands, Line, Other, Outcome, Terms, settle
from pitboss.games.declarations import OnLuck, OnMatch, OnOthers
from pitboss.money import CENT
from pitboss.rulebook import GameRules, rulebook
from pitboss.rulebook.clause_matrix import chapters
from pitboss.submission import EdgeWarning, Submission, edge_warnings, insist, load, parse, presets, terms_of
from pitboss.submission.overrides import apply_overrides, meters_of, require_known_meters
from pitboss.web.runtime import Runtime

Word = Annotated[str, msgspec.Meta(max_length=80)]
CardText = Annotated[str, msgspec.Meta(max_length=4, examples=["Ah"])]
Held = Annotated[list[CardText], msgspec.Meta(max_length=10)]
Money = Annotated[int, msgspec.Meta(ge=0, le=10**13)]
"""Cents."""
FEW: Final = msgspec.Meta(max_length=20)
Named = Annotated[str | None, QueryParameter(max_length=80)]


class OtherHand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The hand of another patron, where a bonus is paid for it."""

    cards: Held
    folded: bool = False
    wagered: bool = True
    """Whether that patron has the wager that this hand entitles others by."""


class SettleBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A hand to be settled, and the rules it is settled by: of an open table, a preset, or a Submission in TOML."""

    game: Word = ""
    """A game or chapter; with nothing else, its standard Submission."""
    table: Word = ""
    preset: Word = ""
    submission: Annotated[str, msgspec.Meta(max_length=20_000)] = ""
    paytables: Annotated[dict[Word, Word], FEW] = {}
    """Letters instead of the Submission's, by wager."""
    readings: Annotated[dict[Word, Word], FEW] = {}
    """Options instead of the Submission's."""
    cards: Annotated[dict[Word, Held], FEW]
    """By place: player, dealer, board, all-six."""
    wagers: Annotated[dict[Word, Money], FEW]
    """Those before the deal, in cents."""
    raises: Annotated[list[Annotated[int, msgspec.Meta(ge=1, le=100)]], FEW] = []
    """Multiples, one for each decision."""
    fold: bool = False
    """After the raises."""
    left: bool = False
    """The player left the table during the round."""
    meters: Annotated[dict[Word, Money], FEW] = {}
    """What meters show at this player's turn, in cents."""
    meters_at_reveal: Annotated[dict[Word, Money], FEW] = {}
    """And when the dealer's hand was turned, where that differs."""
    sharing: Annotated[int, msgspec.Meta(ge=1, le=100)] = 1
    """How many wagers on the dealer's hand divide its jackpot."""
    others: Annotated[list[OtherHand], FEW] = []
    magic: CardText = ""
    """The card the table game system drew."""
    lucky: Annotated[list[Word], FEW] = []
    """Positions it drew."""


class SettledLine(msgspec.Struct, frozen=True, kw_only=True):
    """What becomes of one wager; money in cents."""

    wager: str
    title: str
    outcome: Outcome
    stake: int
    returned: int
    pays: int
    net: int
    cite: str
    why: str
    hand: str
    """The row of the paytable that paid."""
    meter: str
    """The meter that pays, where it is not the table."""


class Settlement(msgspec.Struct, frozen=True, kw_only=True):
    """What a hand pays, line by line, and in all."""

    game: str
    title: str
    edition: str
    lines: list[SettledLine]
    staked: int
    net: int
    """What the patron has more than before, in cents."""
    warnings: list[EdgeWarning] = []
    """Wagers among them whose edge leaves the range the Board published."""


class PlaceField(msgspec.Struct, frozen=True, kw_only=True):
    """Cards to ask for."""

    name: str
    holder: str
    cards: int
    only_for: str
    """The wager they are dealt for, where they are for one only."""


class WagerField(msgspec.Struct, frozen=True, kw_only=True):
    """A wager before the deal; limits in cents, or the amounts that are taken."""

    name: str
    title: str
    cite: str
    required: bool
    minimum: int
    maximum: int | None
    amounts: tuple[int, ...]


class DecisionField(msgspec.Struct, frozen=True, kw_only=True):
    """A decision: a multiple of a wager, or a fold."""

    wager: str
    title: str
    on: str
    multiples: tuple[int, ...]
    cite: str


class MeterField(msgspec.Struct, frozen=True):
    """A meter, and the wagers that win off it."""

    name: str
    wagers: tuple[str, ...]


class SettleForm(msgspec.Struct, frozen=True, kw_only=True):
    """What a calculator asks for."""

    game: str
    title: str
    chapter: str
    edition: str
    accent: str
    unit: int
    """Every wager is a multiple of it, in cents."""
    places: list[PlaceField]
    wagers: list[WagerField]
    decisions: list[DecisionField]
    meters: list[MeterField]
    others: bool
    """Whether hands of other patrons pay."""
    magic: bool
    """Whether the system draws a card."""
    lucky: list[str]
    """The positions it may draw."""
    paytables: dict[str, str]
    """The letters in play, where there is a choice."""
    presets: list[str]


@post("/api/settle", status_code=200, tags=["law"], raises=[ClientException])
async def settle_hand(data: SettleBody, request: Request[Any, Any, Any], state: State) -> Settlement:
    """Settle a hand: what each wager returns and pays, under which clause, and why."""
    run: Runtime = state["runtime"]
    run.guard.limit(run.guard.orders, f"settle/{request.client.host if request.client else ''}")
    try:
        base = _submission(run, data.game, data.table, data.preset, data.submission)
        return await asyncio.to_thread(_settle, data, base)
    except Mistake as mistake:
        raise ClientException(str(mistake)) from None


@get("/api/settle/{game:str}", tags=["law"])
async def settle_form(game: str, state: State, table: Named = None, preset: Named = None) -> SettleForm:
    """Say what a calculator asks for: cards, wagers, decisions and meters of a game as a table or a preset has it."""
    run: Runtime = state["runtime"]
    try:
        (rules,) = chapters(game)
    except Mistake as mistake:
        raise NotFoundException(str(mistake)) from None
    try:
        return _form(rules, terms_of(_submission(run, game, table or "", preset or "", "")))
    except Mistake as mistake:
        raise ClientException(str(mistake)) from None


def _submission(run: Runtime, game: str, table: str, preset: str, text: str) -> Submission:
    """Return the Submission that is asked for, in order, and of the game if one is named."""
    if sum(map(bool, (table, preset, text))) > 1:
        raise Mistake("Give one of table, preset and submission.")
    rules = chapters(game)[0] if game else None
    if table:
        found = run.standing(table).submission
    elif text:
        read, wrong = parse(text, "The Submission")
        if read is None:
            raise Mistake(f"The Submission cannot be read: {wrong[0].where}: {wrong[0].problem}")
        if wrong:
            raise Mistake(f"The Submission is not valid: {wrong[0].where}: {wrong[0].problem}")
        insist(found := read, "that was sent")
    else:
        if not (preset or rules):
            raise Mistake("Name a game, a table or a preset, or send a Submission.")
        name = preset or (f"{rules.chapter.game}-standard" if rules else "")
        if name not in presets():
            raise Mistake(f"There is no preset “{name}”; {hint(name, presets())}")
        found = load(name)
    if rules and found.game != rules.chapter.game:
        raise Mistake(f"That Submission is for {found.game}, not {rules.chapter.game}.")
    return found


def _settle(data: SettleBody, base: Submission) -> Settlement:
    if data.paytables or data.readings:
        base = apply_overrides(base, data.paytables, data.readings)
        insist(base, "with what was given")
    terms = terms_of(base)
    hands = Hands(
        cards={place: _cards(held) for place, held in data.cards.items() if held},
        others=tuple(Other(_cards(other.cards), other.folded, other.wagered) for other in data.others),
        magic=Card(data.magic) if data.magic else None,
        lucky=tuple(data.lucky),
    )
    wagers = {name: amount for name, amount in data.wagers.items() if amount}
    balances = Balances(_micro(terms, data.meters), _micro(terms, data.meters_at_reveal), data.sharing)
    decisions = (*data.raises, FOLD) if data.fold else tuple(data.raises)
    lines = settle(terms, hands, wagers, decisions, balances, left=data.left)
    chapter = rulebook().game(base.game).chapter
    return Settlement(
        game=base.game,
        title=chapter.title,
        edition=chapter.edition,
        lines=[_line(terms, line) for line in lines],
        staked=sum(line.stake for line in lines if line.outcome is not Outcome.BONUS),
        net=sum(line.net for line in lines),
        warnings=edge_warnings(terms, {terms.game.wager(name).offer for name in wagers}),
    )


def _cards(held: list[str]) -> tuple[Card, ...]:
    return tuple(Card(card) for card in held)


def _micro(terms: Terms, amounts: Mapping[str, int]) -> dict[str, int]:
    return {name: amount * CENT for name, amount in require_known_meters(terms, amounts).items()}


def _line(terms: Terms, line: Line) -> SettledLine:
    titles = {item.name: item.title for item in terms.game.settles}
    return SettledLine(
        **msgspec.structs.asdict(line),
        net=line.net,
        title=titles.get(line.wager, line.wager.replace("-", " ").capitalize()),
    )


def _form(rules: GameRules, terms: Terms) -> SettleForm:
    game, chapter = terms.game, rules.chapter
    offered = [wager for wager in game.initial if wager.offer in terms.offered]
    names = {wager.name for wager in offered}
    triggers = [bonus.trigger for bonus in game.bonuses if bonus.on in names]
    return SettleForm(
        game=game.name,
        title=chapter.title,
        chapter=chapter.id,
        edition=chapter.edition,
        accent=chapter.head.accent,
        unit=terms.unit,
        places=[
            PlaceField(name=place.name, holder=place.holder, cards=place.cards, only_for=place.only_for)
            for place in game.places
            if not place.only_for or place.only_for in names
        ],
        wagers=[
            WagerField(
                name=wager.name,
                title=wager.title,
                cite=wager.cite,
                required=wager.name == game.required,
                **msgspec.structs.asdict(terms.offered[wager.offer]),
            )
            for wager in offered
        ],
        decisions=[
            DecisionField(
                wager=decision.wager,
                title=game.wager(decision.wager).title,
                on=decision.on,
                multiples=decision.multiples,
                cite=decision.cite,
            )
            for decision in game.decisions
        ],
        meters=[
            MeterField(name, tuple(wager.name for wager in offered if wager.by.paytable == paytable))
            for name, paytable in meters_of(terms).items()
        ],
        others=bool(terms.envy) and any(isinstance(trigger, OnOthers) for trigger in triggers),
        magic=any(isinstance(trigger, OnMatch) for trigger in triggers),
        lucky=[trigger.place for trigger in triggers if isinstance(trigger, OnLuck)],
        paytables={name: letter for name, letter in terms.letters.items() if letter != "-"},
        presets=[name for name in presets() if load(name).game == game.name],
    )


CALCULATOR: Final = [settle_hand, settle_form]
