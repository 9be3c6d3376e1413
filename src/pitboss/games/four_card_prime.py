"""Four Card Prime: 58 Pa. Code ch. 682a."""

from typing import Final

from pitboss.games.declarations import (
    Bonus,
    ByContest,
    Contest,
    Decision,
    Game,
    Limit,
    OnResult,
    Outcome,
    Place,
    Result,
    Verdict,
    Wager,
    side_wager,
)
from pitboss.money import DOLLAR

_WON: Final = Verdict(
    "682a.11(d)(2)(i)", {"ante": Outcome.WIN, "raise": Outcome.WIN}, "{player} beats the dealer's {dealer}"
)
_TIED: Final = Verdict(
    "682a.11(d)(2)(i)",
    {"ante": Outcome.WIN, "raise": Outcome.WIN},
    "{player} equals the dealer's {dealer}, and a tie wins",
)
_LOST: Final = Verdict(
    "682a.11(d)(2)(ii)(A)", {"ante": Outcome.LOSE, "raise": Outcome.LOSE}, "The dealer's {dealer} beats {player}"
)
_BAD_BEAT: Final = Verdict(
    "682a.11(d)(2)(ii)(B)",
    {"ante": Outcome.RETURNED, "raise": Outcome.LOSE},
    "The dealer's {dealer} beats {player}, a bad beat",
)


def _win_bonus(option: str, results: tuple[Result, ...]) -> Bonus:
    return Bonus(
        name="win-bonus",
        title="Win Bonus",
        cite="682a.11(d)(2)(i)",
        on="ante",
        paytable="win-bonus",
        trigger=OnResult(results),
        when={"win-bonus-on-tie": option},
    )


FOUR_CARD_PRIME: Final = Game(
    name="four-card-prime",
    seats=6,
    places=(
        Place("player", 5, "the player"),
        Place("dealer", 6, "the dealer"),
        Place("all-six", 1, "the All-Six Bonus", only_for="all-six"),
    ),
    required="ante",
    left_cite="682a.7(b)",
    odds_sign="682a.2(b)(4)",
    decisions=(Decision("raise", "ante", (1, 2, 3), "682a.11(b)"),),
    contest=Contest(
        ranking="four-card",
        player=("player",),
        dealer=("dealer",),
        bad_beat="bad-beat-bonus",
        verdicts={Result.WIN: _WON, Result.TIE: _TIED, Result.LOSE: _LOST, Result.BAD_BEAT: _BAD_BEAT},
    ),
    settles=(
        Wager(name="ante", title="Ante", cite="682a.7(d)(1)", by=ByContest("ante")),
        Wager(name="raise", title="Raise", cite="682a.7(d)(1)", by=ByContest("raise")),
        _win_bonus("procedure", (Result.WIN, Result.TIE)),
        _win_bonus("definition", (Result.WIN,)),
        Bonus(
            name="bad-beat-bonus",
            title="Bad Beat Bonus",
            cite="682a.11(d)(2)(ii)(B)",
            on="ante",
            paytable="bad-beat-bonus",
            trigger=OnResult((Result.BAD_BEAT,)),
        ),
        side_wager("prime", "Prime", "682a.7(d)(2)", ("player",), "682a.11(e)(1)(ii)", "682a.11(e)(1)(i)"),
        side_wager("aces-bonus", "Aces Bonus", "682a.7(d)(3)", ("player",), "682a.11(e)(2)(ii)", "682a.11(e)(2)(i)"),
        side_wager(
            "all-six", "All-Six Bonus", "682a.7(d)(4)", ("player", "all-six"), "682a.11(e)(3)(ii)", "682a.11(e)(3)(i)"
        ),
    ),
    limit=Limit(
        "682a.12(g)",
        "682a.2(b)(5)",
        50_000 * DOLLAR,
        ("aces-bonus", "all-six"),
        exempt=("Six-card royal flush—diamonds", "Six-card royal flush—hearts, spades or clubs"),
    ),
)
