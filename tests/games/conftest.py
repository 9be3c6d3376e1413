"""What the tests of settlement share."""

from collections.abc import Callable, Mapping

import pytest

from pitboss.games import GAMES, Bounds, Terms, agree
from pitboss.rulebook import rulebook

Make = Callable[..., Terms]


@pytest.fixture(scope="session")
def make_terms() -> Make:
    """Terms with every wager on offer, at Paytable A where no other letter is given, and no limits."""

    def make(  # noqa: PLR0913 (every choice by its name)
        game: str,
        letters: Mapping[str, str] | None = None,
        readings: Mapping[str, str] | None = None,
        *,
        unit: int = 1,
        payout_limit: int | None = None,
        offered: Mapping[str, Bounds] | None = None,
    ) -> Terms:
        offers = {wager.offer for wager in GAMES[game].initial}
        single = {"ante", "five-card-hand"} if game == "caribbean-stud" else set()
        return agree(
            GAMES[game],
            rulebook(),
            offered=offered if offered is not None else dict.fromkeys(sorted(offers), Bounds()),
            letters={**dict.fromkeys(offers - single, "A"), **(letters or {})},
            readings=readings or {},
            unit=unit,
            payout_limit=payout_limit,
        )

    return make
