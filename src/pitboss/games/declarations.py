"""Types that declare a game: places for cards, decisions, wagers, bonuses, contest, limit.

A declaration has no payouts: it names the paytables and the clauses. `when` makes a part depend on a reading,
as in the data files of the rulebook.
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
    """Result of a wager."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    """Returned by the paytable."""
    RETURNED = "returned"
    """Returned by the procedure."""
    FORFEITED = "forfeited"
    """Lost by a fold."""
    BONUS = "bonus"
    """Paid on top of another wager, without a stake of its own."""
    LIMITED = "limited"
    """Reduced by the payout limit."""
    WITHHELD = "withheld"
    """In dispute: not paid because a floorperson did not validate it."""


class Result(StrEnum):
    """Result of a player's hand against the dealer's."""

    UNQUALIFIED = "not-qualified"
    WIN = "win"
    TIE = "tie"
    LOSE = "lose"
    BAD_BEAT = "bad-beat"
    """Lost with a hand that the contest's bad-beat table pays."""


class Place(msgspec.Struct, frozen=True):
    """A place for cards: a hand, the board, the All-Six cards."""

    name: str
    cards: int
    holder: str
    """Name of the holder, for sentences."""
    when: Choice = ALWAYS
    only_for: str = ""
    """The only wager that these cards are dealt for, if any."""


class Decision(msgspec.Struct, frozen=True):
    """A point at which a player raises or folds."""

    wager: str
    on: str
    """The wager that it is a multiple of."""
    multiples: tuple[int, ...]
    cite: str


class ByTable(msgspec.Struct, frozen=True, tag=True):
    """Settlement by a paytable for the combined cards of these places."""

    paytable: str
    places: tuple[str, ...]
    wins: str
    """The clause for wins and pushes."""
    loses: str
    at_reveal: bool = False
    """Its share of a meter is fixed when the dealer's hand is turned, and divided among its wagers."""
    fixed_off_meter: Choice | None = None
    """The reading under which fixed pays also come from the wager's first meter."""


class ByContest(msgspec.Struct, frozen=True, tag=True):
    """Settlement by the contest; the paytable gives the amount of a win."""

    paytable: str


class Wager(msgspec.Struct, frozen=True, kw_only=True):
    """One wager of a game."""

    name: str
    title: str
    cite: str
    """The clause that allows it."""
    by: ByTable | ByContest
    offered_as: str = ""
    """The name under which a Submission offers it, if different."""
    survives_fold: bool = False
    """Whether it stays in play when the player folds; other wagers are then lost."""
    keeps_cards: bool = False
    """Whether it also keeps a folded player's cards on the table."""
    electronic: bool = False
    """Placed on a wagering device and paid to the player's game account."""
    when: Choice = ALWAYS

    @property
    def offer(self) -> str:
        """The name under which a Submission offers it."""
        return self.offered_as or self.name


def side_wager(  # noqa: PLR0913, PLR0917 (what distinguishes side wagers)
    name: str, title: str, cite: str, places: tuple[str, ...], wins: str, loses: str, when: Choice = ALWAYS
) -> Wager:
    """Return a side wager on the cards alone: paid by the paytable of its name, even after a fold."""
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
    """Due after these results of the contest, if the paytable pays the player's hand."""

    results: tuple[Result, ...]


class OnMatch(msgspec.Struct, frozen=True, tag=True):
    """Due if the place has the card that the table game system drew."""

    place: str


class OnLuck(msgspec.Struct, frozen=True, tag=True):
    """Due if the table game system drew the place."""

    place: str


class OnOthers(msgspec.Struct, frozen=True, tag=True):
    """Due in fixed sums for other patrons' hands."""

    ranking: str
    folded: Choice
    """The reading under which a folded hand counts."""
    without_wager: Choice
    """The reading under which a hand counts whose patron did not make the wager."""
    after_own_win: Choice
    """The reading under which the receiver's own wager must win."""


class Bonus(msgspec.Struct, frozen=True, kw_only=True):
    """A payment without a stake, measured by a wager."""

    name: str
    title: str
    cite: str
    on: str
    trigger: OnResult | OnMatch | OnLuck | OnOthers
    paytable: str = ""
    """Empty for fixed sums."""
    may_be_left_out: str = ""
    """The clause that makes it optional for the operator, who then sets its chance."""
    when: Choice = ALWAYS


class Verdict(msgspec.Struct, frozen=True):
    """Outcome of each wager for one result of the contest."""

    cite: str
    outcomes: Mapping[str, Outcome]
    why: str
    """A sentence with {player} and {dealer} for their hands."""
    paid_by: Mapping[str, str] = {}
    """Paytables that replace the wagers' own, under the reading `paid_when`."""
    paid_when: Choice = ALWAYS


class Contest(msgspec.Struct, frozen=True, kw_only=True):
    """Player against dealer."""

    ranking: str
    player: tuple[str, ...]
    dealer: tuple[str, ...]
    verdicts: Mapping[Result, Verdict]
    qualifying: str = ""
    """The ranking whose last hand fails to qualify the dealer."""
    bad_beat: str = ""
    """The paytable for losing hands that are still paid."""


class Limit(msgspec.Struct, frozen=True):
    """The aggregate payout limit and its wagers."""

    cite: str
    sign: str
    """The clause that requires its posting."""
    floor: int
    """Its minimum, in cents."""
    wagers: tuple[str, ...]
    exempt: tuple[str, ...] = ()
    """Paytable rows outside the limit."""
    on_all: bool = False
    """Whether it covers everything that a player wins, bonuses included."""


class Notice(msgspec.Struct, frozen=True):
    """A sentence that must be posted at the table."""

    text: str
    cite: str


class Game(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """Declaration of one game."""

    name: str
    seats: int
    """Maximum number of seats: section .2(a)."""
    places: tuple[Place, ...]
    required: str
    """The wager that every other wager needs."""
    decisions: tuple[Decision, ...]
    settles: tuple[Wager | Bonus, ...]
    """All wagers and bonuses, in the chapter's order of settlement."""
    contest: Contest | None = None
    limit: Limit | None = None
    left_cite: str
    """The clause about a player who leaves during a round."""
    odds_sign: str
    """The clause that requires posting the payout odds."""
    notices: tuple[Notice, ...] = ()

    @cached_property
    def wagers(self) -> tuple[Wager, ...]:
        """The wagers, in order of settlement."""
        return tuple(item for item in self.settles if isinstance(item, Wager))

    @cached_property
    def bonuses(self) -> tuple[Bonus, ...]:
        """The bonuses, in order of settlement."""
        return tuple(item for item in self.settles if isinstance(item, Bonus))

    @cached_property
    def initial(self) -> tuple[Wager, ...]:
        """The wagers placed before the cards are dealt."""
        later = {decision.wager for decision in self.decisions}
        return tuple(wager for wager in self.wagers if wager.name not in later)

    @cached_property
    def at_reveal(self) -> tuple[Wager, ...]:
        """The wagers whose share of a meter is fixed when the dealer's hand is turned."""
        return tuple(wager for wager in self.wagers if isinstance(wager.by, ByTable) and wager.by.at_reveal)

    def wager(self, name: str) -> Wager:
        """Return one wager by its name."""
        for wager in self.wagers:
            if wager.name == name:
                return wager
        raise Mistake(f"{self.name} has no wager “{name}”; it has {', '.join(wager.name for wager in self.wagers)}.")

    @cached_property
    def required_wagers(self) -> tuple[str, str]:
        """The required wager and the wagers that decisions add to it: “ante” and “raise”."""
        return self.required, self.decisions[0].wager.partition("-")[0]

    def analysis_name(self, offer: str) -> str:
        """Return the name of an offer in an analysis; the required wagers have a joint one, `ante-raise`."""
        return "-".join(self.required_wagers) if offer == self.required else offer

    def tables_of(self, offer: str) -> tuple[str, ...]:
        """Return the paytables of an offered wager, its bonuses and its raises."""
        own = [wager for wager in self.wagers if wager.offer == offer]
        names = {wager.name for wager in own}
        tables = [wager.by.paytable for wager in own]
        tables += [bonus.paytable for bonus in self.bonuses if bonus.on in names and bonus.paytable]
        later = [decision.wager for decision in self.decisions if decision.on in names]
        tables += [wager.by.paytable for wager in self.wagers if wager.name in later]
        return tuple(dict.fromkeys(tables))

    @property
    def cites(self) -> set[str]:
        """All clauses that the declaration cites."""
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
        """Return the game under these options of the readings."""
        settles, limit = _under(self.settles, options), self.limit
        if limit and options.get(LIMIT_SCOPE) == "every-wager":
            limit = msgspec.structs.replace(limit, wagers=tuple(item.name for item in settles), on_all=True)
        return msgspec.structs.replace(self, places=_under(self.places, options), settles=settles, limit=limit)

    def with_bonuses(self, kept: Collection[str]) -> "Game":
        """Return the game without the optional bonuses whose paytables are not in `kept`."""
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
