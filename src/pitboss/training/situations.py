"""Practice rounds to settle. Each has one aim, such as a certain hand for a certain wager; over time, all aims occur.

The aim is drawn first: a wager with a hand of its paytable, a result of the contest, a fold, a bonus, or the payout
limit. Then cards and wagers are laid out to reach it, and `settle` checks that they do.
"""

from collections.abc import Iterator, Mapping
from itertools import permutations
from random import Random
from typing import Final

import msgspec

from pitboss.cards import DECK, Card, Suit
from pitboss.errors import Mistake
from pitboss.games import FOLD, Balances, Bonus, Hands, Line, Other, Outcome, Result, Terms, Wager, settle
from pitboss.games.declarations import LIMIT_DIVISION, ByTable, OnLuck, OnMatch, OnOthers
from pitboss.games.payout_limit import FROM_THE_TOTAL
from pitboss.games.settlement_inputs import meter_key
from pitboss.money import CENT, DOLLAR
from pitboss.ranking import Evaluator, Hand
from pitboss.rulebook import Odds
from pitboss.training.hand_builder import build_hand

BOXES: Final = 3
"""The most boxes in one drill."""
TRIES: Final = 40
STAKES: Final = tuple(dollars * DOLLAR for dollars in (5, 10, 15, 20, 25, 30, 50, 75, 100, 125, 200))
PLAYER: Final = "player"


class PracticeSeat(msgspec.Struct, frozen=True):
    """One box with its cards, wagers and decisions."""

    number: int
    cards: tuple[Card, ...]
    wagers: Mapping[str, int]
    decisions: tuple[int, ...]

    @property
    def folded(self) -> bool:
        """Whether its player folded."""
        return FOLD in self.decisions


class PracticeRound(msgspec.Struct, frozen=True):
    """A round in which everything is decided and nothing is settled."""

    places: Mapping[str, tuple[Card, ...]]
    seats: tuple[PracticeSeat, ...]
    """Boxes in settlement order: from the dealer's right."""
    meters: Mapping[str, int]
    """In micro-cents."""
    magic: Card | None = None
    lucky: tuple[str, ...] = ()
    """The positions that the table game system drew: `dealer`, or the number of a box."""


class Aim(msgspec.Struct, frozen=True, kw_only=True):
    """What a practice round should contain."""

    wager: str = ""
    """A wager or a bonus."""
    hand: Hand | None = None
    result: Result | None = None
    fold: int | None = None
    """The index of the decision at which the player folds."""
    limit: bool = False


def lines_of(terms: Terms, played: PracticeRound, seat: PracticeSeat) -> tuple[Line, ...]:
    """Settle one box of a round and return its lines."""
    others = [other for other in played.seats if other is not seat] if terms.envy else []
    progressive = next((bonus.on for bonus in terms.game.bonuses if isinstance(bonus.trigger, OnOthers)), "")
    drawn = (("dealer", "dealer"), (PLAYER, str(seat.number)))
    hands = Hands(
        {**played.places, PLAYER: seat.cards},
        tuple(Other(other.cards, other.folded, bool(other.wagers.get(progressive))) for other in others),
        played.magic,
        tuple(place for place, position in drawn if position in played.lucky),
    )
    return settle(terms, hands, seat.wagers, seat.decisions, Balances(played.meters))


def aims(terms: Terms) -> dict[str, list[Aim]]:
    """Return all possible aims, grouped by wager, result of the contest, or kind."""
    game, found = terms.game, dict[str, list[Aim]]()
    offered = [wager for wager in game.wagers if wager not in game.initial or wager.offer in terms.offered]
    for wager in offered:
        if isinstance(wager.by, ByTable):
            ranking = terms.evaluators[terms.rankings[wager.by.paytable]].ranking
            found[wager.name] = [Aim(wager=wager.name, hand=hand) for hand in ranking.hands]
    if game.contest:
        hands = terms.evaluators[game.contest.ranking].ranking.hands
        for result in game.contest.verdicts:
            any_hand = result in (Result.LOSE, Result.UNQUALIFIED)
            found[result] = [Aim(result=result, hand=hand) for hand in ([None] if any_hand else hands)]
        if game.contest.bad_beat:
            paid = {name for name, pay in terms.tables[game.contest.bad_beat].items() if isinstance(pay, Odds)}
            found[Result.BAD_BEAT] = [
                aim for aim in found[Result.BAD_BEAT] if aim.hand and {aim.hand.name, aim.hand.counts_as} & paid
            ]
    found["fold"] = [Aim(fold=place) for place in range(len(game.decisions))]
    names = {wager.name for wager in offered}
    for bonus in game.bonuses:
        due = terms.envy if isinstance(bonus.trigger, OnOthers) else isinstance(bonus.trigger, OnMatch | OnLuck)
        if due and bonus.on in names:
            found[bonus.name] = [Aim(wager=bonus.name)]
    if game.limit and terms.payout_limit is not None and terms.readings[LIMIT_DIVISION] == FROM_THE_TOTAL:
        found["limit"] = [Aim(limit=True, wager=name) for name in game.limit.wagers if name in names]
    return found


def draw_round(terms: Terms, seats: int, seed: str) -> PracticeRound:
    """Return the round for a seed at a table with this many seats."""
    chance = Random(seed)  # noqa: S311 (a drill must be reproducible)
    groups = aims(terms)
    names = list(groups)
    for _ in range(TRIES):
        aim = chance.choice(groups[chance.choice(names)])
        for _ in range(TRIES):
            builder = _Builder(terms, aim, seats, chance)
            if (played := builder.round()) and builder.meets_aim(played):
                return played
    raise Mistake("Could not build a practice round for this table; try another seed.")


class _Builder:
    """Lays out one round for one aim."""

    def __init__(self, terms: Terms, aim: Aim, seats: int, chance: Random) -> None:
        self.terms, self.aim, self.chance = terms, aim, chance
        self.game = terms.game
        self.sizes = {place.name: place.cards for place in self.game.places}
        self.taken: list[Card] = []
        least = 2 if self._bonus(OnOthers) else 1
        numbers = chance.sample(range(1, seats + 1), min(seats, chance.randint(least, BOXES)))
        self.numbers = sorted(numbers, reverse=True)
        self.focus = chance.choice(self.numbers)
        self.meters: dict[str, int] = {}

    def round(self) -> PracticeRound | None:
        """Return a round, or None if no cards for the aim were found."""
        focus = self._cards()
        if focus is None:
            return None
        places = {name: focus[name] if name in focus else self._draw(size) for name, size in self._shared().items()}
        mine = focus.get(PLAYER) or self._draw(self.sizes[PLAYER])
        wagers = self._wagers(focus=True)
        seats = []
        for number in self.numbers:
            own = number == self.focus
            cards = mine if own else self._other_hand(wagers)
            made_wagers = wagers if own else self._wagers(focus=False)
            seats.append(PracticeSeat(number, cards, made_wagers, self._decisions(own=own)))
        if not any("all-six" in seat.wagers for seat in seats):
            places.pop("all-six", None)
        magic, lucky = self._system(places, mine)
        return PracticeRound(places, tuple(seats), self.meters, magic, lucky)

    def meets_aim(self, played: PracticeRound) -> bool:
        """Whether the round reaches its aim."""
        seat = next(seat for seat in played.seats if seat.number == self.focus)
        try:
            lines = [lines_of(self.terms, played, one) for one in played.seats][played.seats.index(seat)]
        except Mistake:  # one hand takes a meter twice, or an amount does not divide
            return False
        aim, contest = self.aim, self.game.contest
        if aim.limit:
            return any(line.outcome is Outcome.LIMITED for line in lines)
        if aim.result and contest:
            held = [seat.cards, played.places[contest.dealer[0]]]
            mine, theirs = (self.terms.evaluators[contest.ranking](cards).order for cards in held)
            same = (aim.result is Result.TIE) == (mine == theirs) or aim.result is Result.UNQUALIFIED
            return same and lines[0].cite == contest.verdicts[aim.result].cite
        return aim.fold is not None or any(line.wager == aim.wager for line in lines)

    # Cards.

    def _shared(self) -> dict[str, int]:
        return {name: size for name, size in self.sizes.items() if name != PLAYER}

    def _draw(self, size: int) -> tuple[Card, ...]:
        free = [card for card in DECK if card not in self.taken]
        return self._take(self.chance.sample(free, size))

    def _take(self, cards: list[Card]) -> tuple[Card, ...]:
        self.taken += cards
        return tuple(cards)

    def _cards(self) -> dict[str, tuple[Card, ...]] | None:
        """Return the cards that the aim needs."""
        if self.aim.result:
            return self._contest_cards(self.aim.result)
        wager = next((wager for wager in self.game.wagers if wager.name == self.aim.wager), None)
        if wager is None or not isinstance(wager.by, ByTable):
            return {}
        places, evaluate = wager.by.places, self.terms.evaluators[self.terms.rankings[wager.by.paytable]]
        wanted = self.aim.hand or self.chance.choice(evaluate.ranking.hands[:3])  # for the limit, one of the highest
        cards = build_hand(evaluate, wanted, sum(self.sizes[place] for place in places), self.chance, self.taken)
        if cards is None:
            return None
        found, rest = {}, list(self._take(cards))
        for place in places:
            found[place], rest = tuple(rest[: self.sizes[place]]), rest[self.sizes[place] :]
        return found

    def _contest_cards(self, result: Result) -> dict[str, tuple[Card, ...]] | None:
        contest = self.game.contest
        assert contest
        evaluate = self.terms.evaluators[contest.ranking]
        hands = evaluate.ranking.hands
        mine = self.aim.hand or self.chance.choice(hands)
        player = self._qualifying_cards(mine, self.sizes[PLAYER], result)
        if player is None:
            return None
        self._take(player)
        dealer = contest.dealer[0]
        if result is Result.TIE:
            copy = self._copy(player)
            more = self._draw(self.sizes[dealer] - len(player)) if copy else ()
            return {PLAYER: tuple(player), dealer: (*copy, *more)} if copy else None
        place = hands.index(mine)
        theirs = hands[place:] if result in (Result.WIN, Result.UNQUALIFIED) else hands[: place + 1]
        wanted = hands[-1] if result is Result.UNQUALIFIED else self.chance.choice(theirs)
        cards = self._qualifying_cards(wanted, self.sizes[dealer], result)
        return {PLAYER: tuple(player), dealer: self._take(cards)} if cards else None

    def _qualifying_cards(self, wanted: Hand, size: int, result: Result) -> list[Card] | None:
        """Return cards for a hand of the contest; if the lowest hand must qualify, return one that just does."""
        contest = self.game.contest
        assert contest
        evaluate = self.terms.evaluators[contest.ranking]
        if contest.qualifying and wanted is evaluate.ranking.hands[-1] and result is not Result.UNQUALIFIED:
            evaluate = self.terms.evaluators[contest.qualifying]
            wanted = evaluate.ranking.hands[-2]
        return build_hand(evaluate, wanted, size, self.chance, self.taken)

    def _copy(self, cards: list[Card]) -> tuple[Card, ...]:
        """Return the same ranks in other suits."""
        orders = list(permutations(Suit))
        self.chance.shuffle(orders)
        for order in orders:
            other = [Card(card.rank.letter + order[card.suit].letter) for card in cards]
            if not set(other) & set(self.taken):
                return self._take(other)
        return ()

    def _other_hand(self, focused: Mapping[str, int]) -> tuple[Card, ...]:
        """Return the hand of another box: one with an Envy Bonus, one of a paytable, or any."""
        size = self.sizes[PLAYER]
        kinds: list[tuple[Evaluator, Hand]] = []
        if bonus := self._bonus(OnOthers):
            assert isinstance(bonus.trigger, OnOthers)
            evaluate = self.terms.evaluators[bonus.trigger.ranking]
            sums = self.terms.envy.get(focused.get(bonus.on, 0), {})
            kinds = [(evaluate, hand) for hand in evaluate.ranking.hands if hand.name in sums]
        elif self.chance.random() < 1 / 2:
            kinds = [(evaluate, hand) for evaluate in self._own_tables() for hand in evaluate.ranking.hands]
        cards = build_hand(*self.chance.choice(kinds), size, self.chance, self.taken) if kinds else None
        return self._take(cards) if cards else self._draw(size)

    def _own_tables(self) -> Iterator[Evaluator]:
        """Yield the evaluators of offered paytables that use only the player's own cards."""
        for wager in self.game.wagers:
            own = isinstance(wager.by, ByTable) and wager.by.places == (PLAYER,)
            if own and wager.by.paytable in self.terms.tables:
                yield self.terms.evaluators[self.terms.rankings[wager.by.paytable]]

    # Wagers and decisions.

    def _bonus(self, *kinds: type[OnOthers | OnMatch | OnLuck]) -> Bonus | None:
        """Return the bonus of the aim, if it is of one of these kinds."""
        own = (bonus for bonus in self.game.bonuses if bonus.name == self.aim.wager)
        return next((bonus for bonus in own if isinstance(bonus.trigger, kinds)), None)

    def _wagers(self, *, focus: bool) -> dict[str, int]:
        bonus = self._bonus(OnOthers, OnMatch, OnLuck)
        needed = {self.game.required, *([self.aim.wager] if focus else []), *([bonus.on] if focus and bonus else [])}
        found = {}
        for wager in self.game.initial:
            metered = wager.by.paytable in self.terms.meters
            wanted = wager.name in needed or (self.chance.random() < (1 / 2 if focus else 1 / 3))
            if wager.offer in self.terms.offered and wanted and (focus or not metered):
                found[wager.name] = self._stake(wager)
                if metered:
                    self._meter(wager, found[wager.name])
        return found

    def _stake(self, wager: Wager) -> int:
        bounds, unit = self.terms.offered[wager.offer], self.terms.unit
        if bounds.amounts:
            return self.chance.choice(bounds.amounts)
        most = bounds.maximum if bounds.maximum is not None else STAKES[-1]
        if self.aim.limit:
            return most - most % unit
        fit = [stake for stake in STAKES if bounds.minimum <= stake <= most and stake % unit == 0]
        return self.chance.choice(fit) if fit else -(-max(bounds.minimum, 1) // unit) * unit

    def _meter(self, wager: Wager, amount: int) -> None:
        for name, meter in self.terms.meters[wager.by.paytable].items():
            if meter.seed is not None:
                shown = meter.seed.cents(amount) * self.chance.randint(100, 400) // 100
                self.meters.setdefault(meter_key(name, amount), (shown + self.chance.randrange(10_000)) * CENT)

    def _decisions(self, *, own: bool) -> tuple[int, ...]:
        folds: int | None = self.aim.fold if own else None
        survives = [wager.name for wager in self.game.wagers if wager.survives_fold]
        may = not own or (self.aim.wager in survives and not self.aim.limit)
        if folds is None and may and self.chance.random() < 1 / 5:
            folds = self.chance.randrange(len(self.game.decisions))
        found: list[int] = []
        for place, decision in enumerate(self.game.decisions):
            if place == folds:
                return (*found, FOLD)
            multiples = decision.multiples
            found.append(multiples[-1] if own and self.aim.limit else self.chance.choice(multiples))
        return tuple(found)

    def _system(
        self, places: Mapping[str, tuple[Card, ...]], mine: tuple[Card, ...]
    ) -> tuple[Card | None, tuple[str, ...]]:
        """Return the draw of the table game system: for the aim, or sometimes at random."""
        triggers = [bonus.trigger for bonus in self.game.bonuses]
        aim = self._bonus(OnMatch, OnLuck)
        if aim and isinstance(aim.trigger, OnMatch):
            return self.chance.choice(mine if aim.trigger.place == PLAYER else places[aim.trigger.place]), ()
        if aim and isinstance(aim.trigger, OnLuck):
            return None, (str(self.focus) if aim.trigger.place == PLAYER else aim.trigger.place,)
        magic = any(isinstance(trigger, OnMatch) for trigger in triggers) and self.chance.random() < 1 / 5
        return (self.chance.choice(DECK) if magic else None), ()
