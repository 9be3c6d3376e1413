"""The rankings of section .6; readings can change them."""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from pitboss.decoding import convert_value
from pitboss.ranking import Hand, Ranking
from pitboss.rulebook.readings import Choice, meets_condition
from pitboss.rulebook.toml import convert, read_toml


class PrintedHand(Hand, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A hand of a ranking; with `when`, it exists only under those readings."""

    when: Choice = msgspec.field(default_factory=dict)


class PrintedRanking(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A ranking as in the data file, with its conditions on readings."""

    cites: tuple[str, ...]
    cards: tuple[int, ...]
    plays: int = 0
    ace_low: bool | tuple[Choice, ...] = False
    """Whether an ace may begin a run; or choices of readings, any of which allows it."""
    hands: tuple[PrintedHand, ...]

    def under(self, name: str, options: Mapping[str, str]) -> Ranking:
        """Return the ranking under these readings."""
        return Ranking(
            name=name,
            cites=self.cites,
            cards=self.cards,
            plays=self.plays,
            ace_low=self.ace_low
            if isinstance(self.ace_low, bool)
            else any(meets_condition(choice, options) for choice in self.ace_low),
            hands=tuple(
                convert_value(printed, Hand, from_attributes=True)
                for printed in self.hands
                if meets_condition(printed.when, options)
            ),
        )

    @property
    def choices(self) -> tuple[Choice, ...]:
        """All conditions on readings in this ranking."""
        ace_low = () if isinstance(self.ace_low, bool) else self.ace_low
        return (*ace_low, *(hand.when for hand in self.hands if hand.when))


def load_rankings(folder: Path) -> dict[str, PrintedRanking]:
    """Load `rankings.toml` of one game's folder."""
    file = folder / "rankings.toml"
    return {name: convert(data, PrintedRanking, file, name) for name, data in read_toml(file).items()}
