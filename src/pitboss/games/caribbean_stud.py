"""Caribbean Stud Poker: 58 Pa. Code ch. 639a."""

from typing import Final

from pitboss.games.declarations import (
    Bonus,
    ByContest,
    ByTable,
    Contest,
    Decision,
    Game,
    Notice,
    OnLuck,
    OnMatch,
    OnOthers,
    Outcome,
    Place,
    Result,
    Verdict,
    Wager,
)

_HANDS: Final = {"player": "player's", "dealer": "dealer's"}


def _five_card_hand(place: str) -> tuple[Wager | Bonus, ...]:
    """Return the Five Card Hand wager on one of the two hands, with its Magic Card and Lucky Bonus."""
    wager, whose = f"five-card-hand-{place}", f"{_HANDS[place]} hand"
    return (
        Wager(
            name=wager,
            title=f"Five Card Hand Bonus, {whose}",
            cite="639a.7(d)(4)",
            offered_as="five-card-hand",
            by=ByTable("five-card-hand", (place,), "639a.11(c)(6)(iii)", "639a.11(c)(6)", at_reveal=place == "dealer"),
            survives_fold=True,
            keeps_cards=place == "player",
            electronic=True,
        ),
        Bonus(
            name=f"magic-card-{place}",
            title=f"Magic Card, {whose}",
            cite="639a.11(c)(6)(iii)",
            on=wager,
            paytable="magic-card",
            may_be_left_out="639a.12(e)(3)",
            trigger=OnMatch(place),
        ),
        Bonus(
            name=f"lucky-bonus-{place}",
            title=f"Lucky Bonus, {whose}",
            cite="639a.11(c)(6)(iii)",
            on=wager,
            paytable="lucky-bonus",
            may_be_left_out="639a.12(e)(3)",
            trigger=OnLuck(place),
        ),
    )


CARIBBEAN_STUD: Final = Game(
    name="caribbean-stud",
    seats=7,
    places=(Place("player", 5, "the player"), Place("dealer", 5, "the dealer")),
    required="ante",
    left_cite="639a.7(b)",
    odds_sign="639a.2(b)(6)",
    notices=(Notice("The Bet is returned if the dealer has less than ace-king.", "639a.2(b)(7)"),),
    decisions=(Decision("bet", "ante", (2,), "639a.11(b)"),),
    contest=Contest(
        ranking="five-card",
        player=("player",),
        dealer=("dealer",),
        qualifying="qualifying",
        verdicts={
            Result.UNQUALIFIED: Verdict(
                "639a.11(c)(3)(i)",
                {"ante": Outcome.WIN, "bet": Outcome.RETURNED},
                "The dealer has {dealer}, less than ace-king, and does not qualify",
                paid_by={"ante": "bet"},
                paid_when={"ante-when-dealer-fails": "odds-of-the-bet"},
            ),
            Result.LOSE: Verdict(
                "639a.11(c)(3)(ii)(A)",
                {"ante": Outcome.LOSE, "bet": Outcome.LOSE},
                "The dealer's {dealer} beats {player}",
            ),
            Result.WIN: Verdict(
                "639a.11(c)(3)(ii)(B)",
                {"ante": Outcome.WIN, "bet": Outcome.WIN},
                "{player} beats the dealer's {dealer}",
            ),
            Result.TIE: Verdict(
                "639a.11(c)(3)(ii)(C)",
                {"ante": Outcome.RETURNED, "bet": Outcome.RETURNED},
                "{player} equals the dealer's {dealer}",
            ),
        },
    ),
    settles=(
        Wager(name="ante", title="Ante", cite="639a.7(d)(1)", by=ByContest("ante")),
        Wager(name="bet", title="Bet", cite="639a.7(d)(1)", by=ByContest("bet")),
        Wager(
            name="bonus",
            title="Caribbean Stud Bonus",
            cite="639a.7(d)(3)",
            by=ByTable("bonus", ("player",), "639a.11(c)(4)", "639a.11(c)(4)"),
        ),
        Wager(
            name="progressive",
            title="Progressive Payout",
            cite="639a.7(d)(2)",
            by=ByTable(
                "progressive",
                ("player",),
                "639a.11(c)(5)(iv)",
                "639a.11(c)(5)",
                fixed_off_meter={"progressive-fixed-pays": "from-meter"},
            ),
        ),
        Bonus(
            name="envy-bonus",
            title="Envy Bonus",
            cite="639a.12(d)(6)",
            on="progressive",
            trigger=OnOthers(
                "five-card",
                folded={"envy-folded-hand": "yes"},
                without_wager={"envy-holder-wagered": "no"},
                after_own_win={"envy-without-own-win": "yes"},
            ),
        ),
        *_five_card_hand("dealer"),
        *_five_card_hand("player"),
    ),
)
