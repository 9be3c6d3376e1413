"""Inputs of a settlement, and their validation: cards, wagers, decisions, meter balances."""

from collections.abc import Mapping, Sequence
from typing import Final, Self

import msgspec

from pitboss.cards import Card, distinct, hand
from pitboss.errors import Mistake, hint
from pitboss.games.declarations import OnLuck, OnMatch, OnOthers, Place
from pitboss.games.terms import Bounds, Terms
from pitboss.money import format_money

FOLD: Final = 0
"""The decision to fold; any other is a multiple."""


class Other(msgspec.Struct, frozen=True):
    """The hand of another patron at the table."""

    cards: tuple[Card, ...]
    folded: bool = False
    wagered: bool = True
    """Whether that patron made the wager of the bonus."""


class Hands(msgspec.Struct, frozen=True):
    """The cards that count for the settlement of one box."""

    cards: Mapping[str, tuple[Card, ...]]
    """Cards by place."""
    others: tuple[Other, ...] = ()
    magic: Card | None = None
    """The card the table game system drew."""
    lucky: tuple[str, ...] = ()
    """The places that it drew."""

    @classmethod
    def of(cls, **cards: str) -> Self:
        """Parse the cards of each place; the keyword `all_six` is the place all-six."""
        return cls({place.replace("_", "-"): hand(text) for place, text in cards.items()})

    def together(self, places: Sequence[str]) -> tuple[Card, ...]:
        """Return the cards of these places as one hand."""
        return tuple(card for place in places for card in self.cards[place])


def meter_key(meter: str, amount: int) -> str:
    """Return the key of the meter that a wager of this amount, in cents, feeds."""
    return f"{meter}@{amount}"


class Balances(msgspec.Struct, frozen=True):
    """Meter balances in micro-cents, by name or by `meter_key`."""

    at_turn: Mapping[str, int] = {}
    """Balances at the settlement of this box."""
    at_reveal: Mapping[str, int] = {}
    """Balances when the dealer's hand was turned, if recorded."""
    sharing: int = 1
    """Number of wagers that divide a share won by the dealer's hand."""
    has_its_part: bool = False
    """Whether another box of the player already gets the player's part."""


def require_valid_inputs(terms: Terms, hands: Hands, wagers: Mapping[str, int], decisions: Sequence[int]) -> None:
    """Raise a `Mistake` for the first input that the terms do not allow."""
    for number in (*wagers.values(), *decisions):
        _require_int(number)
    check_wagers(terms, wagers)
    _require_valid_decisions(terms, decisions)
    _require_valid_cards(terms, hands, wagers)
    _require_offered_bonuses(terms, hands)


def require_valid_money(meters: Balances, won_before: int) -> None:
    """Raise a `Mistake` for negative amounts or a jackpot without a wager."""
    for number in (*meters.at_turn.values(), *meters.at_reveal.values(), meters.sharing, won_before):
        _require_int(number)
    if min((won_before, *meters.at_turn.values(), *meters.at_reveal.values())) < 0:
        raise Mistake("An amount of money cannot be negative.")
    if meters.sharing < 1:
        raise Mistake(f"A jackpot needs at least one wager to share it, not {meters.sharing}.")


def _require_int(number: object) -> None:
    """Reject anything but an int, so that money never overflows or rounds."""
    if type(number) is not int:
        raise Mistake(f"{number!r} is not a whole number. Give money in whole cents and decisions as multiples.")


def stakes(terms: Terms, wagers: Mapping[str, int], decisions: Sequence[int]) -> dict[str, int]:
    """Return all stakes: the initial wagers, and those added by decisions."""
    staked = {name: amount for name, amount in wagers.items() if amount}
    for decision, multiple in zip(terms.game.decisions, decisions, strict=False):
        if multiple != FOLD:
            staked[decision.wager] = multiple * wagers[decision.on]
    return staked


def check_wagers(terms: Terms, wagers: Mapping[str, int]) -> None:
    """Raise a `Mistake` for the first initial wager that the terms do not allow."""
    game = terms.game
    initial = {wager.name: wager for wager in game.initial}
    for name, amount in wagers.items():
        if name not in initial:
            raise Mistake(f"{game.name} has no wager “{name}” before the deal; {hint(name, initial)}")
        wager = initial[name]
        if wager.offer not in terms.offered:
            raise Mistake(f"The {wager.title} wager is not offered at this table ({wager.cite}).")
        if problem := _amount_problem(terms, terms.offered[wager.offer], amount):
            raise Mistake(f"The {wager.title} wager of {format_money(amount)} {problem}.")
    if not wagers.get(game.required):
        required = game.wager(game.required)
        raise Mistake(f"The {required.title} wager is missing; every other wager needs it ({required.cite}).")


def _amount_problem(terms: Terms, bounds: Bounds, amount: int) -> str | None:
    """Describe what is wrong with an amount, if anything."""
    if amount <= 0:
        return "is not a positive amount"
    if amount % terms.unit:
        return f"is not a multiple of the table's unit, {format_money(terms.unit)}"
    if bounds.amounts and amount not in bounds.amounts:
        return f"is not one of the amounts taken: {', '.join(map(format_money, bounds.amounts))}"
    if amount < bounds.minimum:
        return f"is below the minimum, {format_money(bounds.minimum)}"
    if bounds.maximum is not None and amount > bounds.maximum:
        return f"is above the maximum, {format_money(bounds.maximum)}"
    return None


def _require_valid_decisions(terms: Terms, decisions: Sequence[int]) -> None:
    game = terms.game
    for place, multiple in enumerate(decisions):
        if place == len(game.decisions):
            raise Mistake(
                f"{game.name} has no decision after the {_title(terms, place - 1)} ({game.decisions[-1].cite})."
            )
        decision = game.decisions[place]
        if multiple == FOLD:
            if place + 1 < len(decisions):
                raise Mistake(f"There is no {_title(terms, place + 1)} after a fold ({decision.cite}).")
            return
        if multiple not in decision.multiples:
            allowed = " or ".join(f"{number}" for number in decision.multiples)
            times = f"{allowed} times the {game.wager(decision.on).title}, not {multiple} times"
            raise Mistake(f"The {_title(terms, place)} is {times} ({decision.cite}).")
    if len(decisions) < len(game.decisions):
        decision = game.decisions[len(decisions)]
        raise Mistake(f"The {_title(terms, len(decisions))} is undecided: raise or fold ({decision.cite}).")


def _title(terms: Terms, place: int) -> str:
    return terms.game.wager(terms.game.decisions[min(place, len(terms.game.decisions) - 1)].wager).title


def _require_valid_cards(terms: Terms, hands: Hands, wagers: Mapping[str, int]) -> None:
    places = {place.name: place for place in terms.game.places}
    for name in hands.cards:
        if name not in places:
            raise Mistake(f"{terms.game.name} has no cards for “{name}”; it has {', '.join(places)}.")
    for place in terms.game.places:
        cards = hands.cards.get(place.name, ())
        needed = place.cards if cards or not place.only_for or wagers.get(place.only_for) else 0
        if len(cards) != needed:
            raise Mistake(_count(place, len(cards)))
    distinct([card for cards in hands.cards.values() for card in cards] + [c for o in hands.others for c in o.cards])


def _require_offered_bonuses(terms: Terms, hands: Hands) -> None:
    """Reject drawn cards, drawn positions and others' hands if no bonus of this game uses them."""
    game = terms.game
    triggers = [bonus.trigger for bonus in game.bonuses]
    for given, kind, what in (
        (hands.magic, OnMatch, "a card drawn by the system"),
        (hands.lucky, OnLuck, "a position drawn by the system"),
        (hands.others, OnOthers, "another patron's hand"),
    ):
        if given and not any(isinstance(trigger, kind) for trigger in triggers):
            raise Mistake(f"{game.name} pays nothing for {what}.")
    positions = [trigger.place for trigger in triggers if isinstance(trigger, OnLuck)]
    for lucky in hands.lucky:
        if lucky not in positions:
            raise Mistake(f"Unknown position “{lucky}”; use one of {', '.join(positions)}.")
    for other in hands.others:
        if len(other.cards) != len(hands.cards["player"]):
            raise Mistake(f"Another patron has {len(hands.cards['player'])} cards, not {len(other.cards)}.")


def _count(place: Place, count: int) -> str:
    cards = "card" if place.cards == 1 else "cards"
    if not count:
        return f"The cards of {place.holder} are missing; give {place.cards}."
    return f"{place.holder[0].upper()}{place.holder[1:]} has {place.cards} {cards}, not {count}."
