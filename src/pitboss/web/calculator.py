"""HTTP routes of the calculator: settles any hand under the rules of a table, a preset or a Submission."""

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
from pitboss.submission import (
    EdgeWarning,
    Submission,
    edge_warnings,
    load,
    presets,
    read_valid,
    require_valid,
    terms_of,
)
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
    """Another patron's hand, which may pay a bonus."""

    cards: Held
    folded: bool = False
    wagered: bool = True
    """Whether that patron made the wager that entitles others to the bonus."""


class SettleBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A hand to settle, and its rules: an open table, a preset, or a Submission in TOML."""

    game: Word = ""
    """A game or chapter; alone, it selects its standard Submission."""
    table: Word = ""
    preset: Word = ""
    submission: Annotated[str, msgspec.Meta(max_length=20_000)] = ""
    paytables: Annotated[dict[Word, Word], FEW] = {}
    """Paytable letters by wager, overriding the Submission."""
    readings: Annotated[dict[Word, Word], FEW] = {}
    """Options by reading, overriding the Submission."""
    cards: Annotated[dict[Word, Held], FEW]
    """Cards by place: player, dealer, board, all-six."""
    wagers: Annotated[dict[Word, Money], FEW]
    """Wagers before the deal, in cents."""
    raises: Annotated[list[Annotated[int, msgspec.Meta(ge=1, le=100)]], FEW] = []
    """Multiples of the Ante, one for each decision."""
    fold: bool = False
    """Whether the player folds after the raises."""
    left: bool = False
    """Whether the player left the table during the round."""
    meters: Annotated[dict[Word, Money], FEW] = {}
    """Meters at this player's turn, in cents."""
    meters_at_reveal: Annotated[dict[Word, Money], FEW] = {}
    """Meters when the dealer's hand was turned, in cents, if different."""
    sharing: Annotated[int, msgspec.Meta(ge=1, le=100)] = 1
    """Number of wagers that share the jackpot of the dealer's hand."""
    others: Annotated[list[OtherHand], FEW] = []
    magic: CardText = ""
    """The card the table game system drew."""
    lucky: Annotated[list[Word], FEW] = []
    """The positions the table game system drew."""


class SettledLine(msgspec.Struct, frozen=True, kw_only=True):
    """The settlement of one wager, in cents."""

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
    """The paytable row that paid."""
    meter: str
    """The meter that pays, if the table does not."""


class Settlement(msgspec.Struct, frozen=True, kw_only=True):
    """What a hand pays, line by line and in total."""

    game: str
    title: str
    edition: str
    lines: list[SettledLine]
    staked: int
    net: int
    """The patron's net result, in cents."""
    warnings: list[EdgeWarning] = []
    """Wagers whose edge is outside the range the Board published."""


class PlaceField(msgspec.Struct, frozen=True, kw_only=True):
    """Cards to enter."""

    name: str
    holder: str
    cards: int
    only_for: str
    """The only wager they are dealt for, if any."""


class WagerField(msgspec.Struct, frozen=True, kw_only=True):
    """A wager before the deal, with limits or allowed amounts in cents."""

    name: str
    title: str
    cite: str
    required: bool
    minimum: int
    maximum: int | None
    amounts: tuple[int, ...]


class DecisionField(msgspec.Struct, frozen=True, kw_only=True):
    """A decision: raise a multiple of a wager, or fold."""

    wager: str
    title: str
    on: str
    multiples: tuple[int, ...]
    cite: str


class MeterField(msgspec.Struct, frozen=True):
    """A meter, and the wagers it pays."""

    name: str
    wagers: tuple[str, ...]


class SettleForm(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of the calculator's form."""

    game: str
    title: str
    chapter: str
    edition: str
    accent: str
    unit: int
    """Every wager is a multiple of this, in cents."""
    places: list[PlaceField]
    wagers: list[WagerField]
    decisions: list[DecisionField]
    meters: list[MeterField]
    others: bool
    """Whether other patrons' hands pay a bonus."""
    magic: bool
    """Whether the table game system draws a card."""
    lucky: list[str]
    """Positions the table game system may draw."""
    paytables: dict[str, str]
    """Paytable letters in use, for wagers with a choice."""
    presets: list[str]


@post("/api/settle", status_code=200, tags=["law"], raises=[ClientException])
async def settle_hand(data: SettleBody, request: Request[Any, Any, Any], state: State) -> Settlement:
    """Settle a hand: what each wager returns and pays, why, and under which clause."""
    run: Runtime = state["runtime"]
    run.guard.limit(run.guard.orders, f"settle/{request.client.host if request.client else ''}")
    try:
        base = _submission(run, data.game, data.table, data.preset, data.submission)
        return await asyncio.to_thread(_settle, data, base)
    except Mistake as mistake:
        raise ClientException(str(mistake)) from None


@get("/api/settle/{game:str}", tags=["law"])
async def settle_form(game: str, state: State, table: Named = None, preset: Named = None) -> SettleForm:
    """Return the calculator's form for a game, table or preset: cards, wagers, decisions and meters."""
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
    """Return the requested Submission; it must be valid and for the named game."""
    if sum(map(bool, (table, preset, text))) > 1:
        raise Mistake("Give only one of table, preset and submission.")
    rules = chapters(game)[0] if game else None
    if table:
        found = run.live(table).submission
    elif text:
        found = read_valid(text)
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
        require_valid(base, "with these overrides")
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
