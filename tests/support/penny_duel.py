"""Penny Duel, a game that does not exist: the folder of data `tests/games/invented` and this module."""

from pitboss.games.declarations import (
    ByContest,
    ByTable,
    Contest,
    Decision,
    Game,
    Limit,
    Outcome,
    Place,
    Result,
    Verdict,
    Wager,
)

GAME = Game(
    name="penny-duel",
    seats=3,
    places=(Place("player", 3, "the player"), Place("dealer", 3, "the dealer")),
    required="penny",
    left_cite="998a.7(b)",
    odds_sign="998a.12(a)",
    decisions=(Decision("double", "penny", (1,), "998a.11(a)"),),
    contest=Contest(
        ranking="three",
        player=("player",),
        dealer=("dealer",),
        verdicts={
            Result.WIN: Verdict("998a.11(b)", {"penny": Outcome.WIN, "double": Outcome.WIN}, "{player} beats {dealer}"),
            Result.TIE: Verdict(
                "998a.11(b)", {"penny": Outcome.RETURNED, "double": Outcome.RETURNED}, "{player} equals {dealer}"
            ),
            Result.LOSE: Verdict(
                "998a.11(b)", {"penny": Outcome.LOSE, "double": Outcome.LOSE}, "{dealer} beats {player}"
            ),
        },
    ),
    settles=(
        Wager(name="penny", title="Penny", cite="998a.7(a)", by=ByContest("penny")),
        Wager(name="double", title="Double", cite="998a.7(a)", by=ByContest("double")),
        Wager(
            name="color",
            title="Cards",
            cite="998a.7(a)",
            by=ByTable("color", ("player",), "998a.11(c)", "998a.11(c)"),
            survives_fold=True,
        ),
    ),
    limit=Limit("998a.12(d)", "998a.12(d)", 0, ("double",)),
)
