"""What a game is made of: places for cards, decisions, wagers and bonuses, each declared once.

A declaration holds no payout: it names the paytable that does, and the clauses that say so.
What depends on a reading says `when`, as the data files of the rulebook do.
"""

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from typing import Final, TypeVar

import msgspec

from pitboss.errors import Mistake
from pitboss.rulebook.readings import Choice, meets_condition

ALWAYS: Final[Choice] = {}
LIMIT_SCOPE: Final = "payout-limit-scope"
LIMIT_MEANING: Final = "payout-limit-meaning"
METER_PAY_STAKE: Final = "meter-pay-stake"
LIMIT_DIVISION: Final = "payout-limit-division"


class Outcome(StrEnum):
    """What becomes of a wager."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    """The paytable gives it back."""
    RETURNED = "returned"
    """The procedure gives it back."""
    FORFEITED = "forfeited"
    """Given up by a fold."""
    BONUS = "bonus"
    """Paid on top of another wager; nothing was staked for it."""
    LIMITED = "limited"
    """Taken off by the payout limit."""
    WITHHELD = "withheld"
    """Not paid, since a floorperson did not validate it; in dispute."""


class Result(StrEnum):
    """How a player's hand stands against the dealer's."""

    UNQUALIFIED = "not-qualified"
    WIN = "win"
    TIE = "tie"
    LOSE = "lose"
    BAD_BEAT = "bad-beat"
    """Lost with a hand that the contest's bad-beat table pays for."""


class Place(msgspec.Struct, frozen=True):
    """Where cards of a round lie: a hand, the board, the All-Six cards."""

    name: str
    cards: int
    holder: str
    """Whose cards these are, in words."""
    when: Choice = ALWAYS
    only_for: str = ""
    """The wager these cards are dealt for, where they are dealt for one only."""


class Decision(msgspec.Struct, frozen=True):
    """One moment at which a player wagers more or folds."""

    wager: str
    on: str
    """The wager it is a multiple of."""
    multiples: tuple[int, ...]
    cite: str


class ByTable(msgspec.Struct, frozen=True, tag=True):
    """A wager settled by what a paytable pays for the cards of these places together."""

    paytable: str
    places: tuple[str, ...]
    wins: str
    """The clause that has a winner paid; what is pushed, too."""
    loses: str
    at_reveal: bool = False
    """Its share of a meter is fixed when the dealer's hand is turned, and divided among all who wagered so."""
    fixed_off_meter: Choice | None = None
    """The reading under which even pays that are no share come off the wager's first meter."""


class ByContest(msgspec.Struct, frozen=True, tag=True):
    """A wager settled by the contest; where that has it win, the paytable says how much."""

    paytable: str


class Wager(msgspec.Struct, frozen=True, kw_only=True):
    """One wager of a game."""

    name: str
    title: str
    cite: str
    """The clause that allows it."""
    by: ByTable | ByContest
    offered_as: str = ""
    """What a Submission offers it under, where that is not its name."""
    survives_fold: bool = False
    keeps_cards: bool = False
    """Whether it also keeps a folded player's cards on the table."""
    electronic: bool = False
    """Placed on a wagering device and paid to the player's game account."""
    when: Choice = ALWAYS

    @property
    def offer(self) -> str:
        """The name a Submission offers it under."""
        return self.offered_as or self.name


def side_wager(  # noqa: PLR0913, PLR0917 (what tells one from another)
    name: str, title: str, cite: str, places: tuple[str, ...], wins: str, loses: str, when: Choice = ALWAYS
) -> Wager:
    """Return an optional wager on the cards alone: paid by the table of its name, whatever its player decides."""
    return Wager(
        name=name,
        title=title,
        cite=cite,
        by=ByTable(name, places, wins, loses),
        survives_fold=True,
        keeps_cards=True,
        when=when,
    )


class OnResult(msgspec.Struct, frozen=True, tag=True):
    """Due when the contest ended so and the table pays for the player's hand."""

    results: tuple[Result, ...]


class OnMatch(msgspec.Struct, frozen=True, tag=True):
    """Due when the card drawn by the table game system is among those of the place."""

    place: str


class OnLuck(msgspec.Struct, frozen=True, tag=True):
    """Due when the table game system picked the place."""

    place: str


class OnOthers(msgspec.Struct, frozen=True, tag=True):
    """Due in fixed sums for what other patrons hold."""

    ranking: str
    folded: Choice
    """The reading under which a folded hand counts."""
    without_wager: Choice
    """The reading under which the hand of somebody without the wager counts."""
    after_own_win: Choice
    """The reading under which only a player whose own wager wins is paid."""


class Bonus(msgspec.Struct, frozen=True, kw_only=True):
    """A payment that nothing was staked for, measured by a wager."""

    name: str
    title: str
    cite: str
    on: str
    trigger: OnResult | OnMatch | OnLuck | OnOthers
    paytable: str = ""
    """Empty where fixed sums are paid."""
    may_be_left_out: str = ""
    """The clause that leaves it to the operator, who then says how often it is drawn."""
    when: Choice = ALWAYS


class Verdict(msgspec.Struct, frozen=True):
    """What a result of the contest does to each wager."""

    cite: str
    outcomes: Mapping[str, Outcome]
    why: str
    """In words, with {player} and {dealer} for their hands."""
    paid_by: Mapping[str, str] = {}
    """By wager: another paytable than its own, under the reading `paid_when`."""
    paid_when: Choice = ALWAYS


class Contest(msgspec.Struct, frozen=True, kw_only=True):
    """Player against dealer."""

    ranking: str
    player: tuple[str, ...]
    dealer: tuple[str, ...]
    verdicts: Mapping[Result, Verdict]
    qualifying: str = ""
    """The ranking whose last hand does not qualify the dealer."""
    bad_beat: str = ""
    """The paytable of losing hands that save something."""


class Limit(msgspec.Struct, frozen=True):
    """The wagers an aggregate payout limit is on."""

    cite: str
    sign: str
    """The clause that has it posted."""
    floor: int
    """What it may not be below in any case, in cents."""
    wagers: tuple[str, ...]
    exempt: tuple[str, ...] = ()
    """Rows whose pay it may not include."""
    on_all: bool = False
    """Whether it is on everything that a player wins, bonuses too."""


class Notice(msgspec.Struct, frozen=True):
    """A sentence that must be posted at the table."""

    text: str
    cite: str


class Game(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One game, declared."""

    name: str
    seats: int
    """At most so many: section .2(a)."""
    places: tuple[Place, ...]
    required: str
    """The wager without which no other is taken."""
    decisions: tuple[Decision, ...]
    settles: tuple[Wager | Bonus, ...]
    """Everything that makes a line, in the order the chapter settles it."""
    contest: Contest | None = None
    limit: Limit | None = None
    left_cite: str
    """The clause about a player who leaves during a round."""
    odds_sign: str
    """The clause that has payout odds posted."""
    notices: tuple[Notice, ...] = ()

    @cached_property
    def wagers(self) -> tuple[Wager, ...]:
        """The wagers, in the order they are settled."""
        return tuple(item for item in self.settles if isinstance(item, Wager))

    @cached_property
    def bonuses(self) -> tuple[Bonus, ...]:
        """The bonuses, in the order they are paid."""
        return tuple(item for item in self.settles if isinstance(item, Bonus))

    @cached_property
    def initial(self) -> tuple[Wager, ...]:
        """The wagers placed before the cards are dealt."""
        later = {decision.wager for decision in self.decisions}
        return tuple(wager for wager in self.wagers if wager.name not in later)

    @cached_property
    def at_reveal(self) -> tuple[Wager, ...]:
        """The wagers whose share of a meter is measured when the dealer's hand is turned."""
        return tuple(wager for wager in self.wagers if isinstance(wager.by, ByTable) and wager.by.at_reveal)

    def wager(self, name: str) -> Wager:
        """Return one wager by its name."""
        for wager in self.wagers:
            if wager.name == name:
                return wager
        raise Mistake(f"{self.name} has no wager “{name}”; it has {', '.join(wager.name for wager in self.wagers)}.")

    def tables_of(self, offer: str) -> tuple[str, ...]:
        """Return the paytables that pay an offered wager and what hangs on it."""
        own = [wager for wager in self.wagers if wager.offer == offer]
        names = {wager.name for wager in own}
        tables = [wager.by.paytable for wager in own]
        tables += [bonus.paytable for bonus in self.bonuses if bonus.on in names and bonus.paytable]
        later = [decision.wager for decision in self.decisions if decision.on in names]
        tables += [wager.by.paytable for wager in self.wagers if wager.name in later]
        return tuple(dict.fromkeys(tables))

    @property
    def cites(self) -> set[str]:
        """Every clause the declaration names."""
        named = {self.left_cite, self.odds_sign, *(decision.cite for decision in self.decisions)}
        named |= {item.cite for item in (*self.settles, *self.notices)}
        named |= {bonus.may_be_left_out for bonus in self.bonuses if bonus.may_be_left_out}
        named |= {
            cite for wager in self.wagers if isinstance(wager.by, ByTable) for cite in (wager.by.wins, wager.by.loses)
        }
        if self.contest:
            named |= {verdict.cite for verdict in self.contest.verdicts.values()}
        return named | ({self.limit.cite, self.limit.sign} if self.limit else set())

    def under(self, options: Mapping[str, str]) -> "Game":
        """Return the game as it is when each reading has the given option."""
        settles, limit = _under(self.settles, options), self.limit
        if limit and options.get(LIMIT_SCOPE) == "every-wager":
            limit = msgspec.structs.replace(limit, wagers=tuple(item.name for item in settles), on_all=True)
        return msgspec.structs.replace(self, places=_under(self.places, options), settles=settles, limit=limit)

    def with_bonuses(self, kept: Collection[str]) -> "Game":
        """Return the game with only these, by their paytables, of the bonuses that may be left out."""
        return msgspec.structs.replace(
            self,
            settles=tuple(
                item
                for item in self.settles
                if not isinstance(item, Bonus) or not item.may_be_left_out or item.paytable in kept
            ),
        )


_T = TypeVar("_T", Place, Wager | Bonus)


def _under(items: Sequence[_T], options: Mapping[str, str]) -> tuple[_T, ...]:
    return tuple(item for item in items if meets_condition(item.when, options))
