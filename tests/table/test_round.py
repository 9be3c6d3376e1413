"""A round at the table: dealt card by card as sections .8 to .10 say, decided and settled as .11 says."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from table_play import DEALER, after_command, given_by_patron, open_for_gaming, shuffle_and_wager

from pitboss.cards import DECK, Card
from pitboss.submission.model import Dealing
from pitboss.table import (
    Decide,
    Given,
    Perform,
    Refusal,
    Sit,
    Stand,
    Table,
    Wager,
    after,
    decide,
    refusal,
    view,
)
from pitboss.table import events as happened
from pitboss.table.commands import Command
from pitboss.table.refusals import count_accepted_wagers


def deal(table: Table) -> Iterator[tuple[str, Table]]:
    """Perform steps until a player must decide; yield each card that moved."""
    while table.due.do != "ask":
        counted = count_accepted_wagers(table, table.due.needs)
        cite, events = table.due.cite, decide(table, Perform(), replace(DEALER, counted=counted))
        for event in events:
            if isinstance(event, happened.Dealt):
                to = f"{event.seat}" if event.seat else event.place
                yield (
                    f"{cite} {event.cards} {event.source or 'shoe'}>{to}{' up' if event.up else ''}",
                    after(table, events),
                )
            elif not isinstance(event, happened.Stepped):
                yield f"{cite} {type(event).__name__.lower()}", after(table, events)
        table = after(table, events)


ANTE = {"ante": 1000}
EACH = [f"639a.8(d)(5) 1 shoe>{to}" for _ in range(3) for to in ("2", "5", "dealer")]
ORDERS = {
    ("caribbean-stud-standard", "manual-shoe"): [
        "639a.8(b) called",
        "639a.8(d)(1) 1 shoe>2", "639a.8(d)(1) 1 shoe>5", "639a.8(d)(2) 1 shoe>dealer up",
        "639a.8(d)(3) 1 shoe>2", "639a.8(d)(3) 1 shoe>5", "639a.8(d)(4) 1 shoe>dealer", *EACH, "639a.8(e) racked",
    ],
    ("caribbean-stud-standard", "hand"): [
        "639a.9(a)(3) called",
        "639a.9(b)(1) 1 shoe>2", "639a.9(b)(1) 1 shoe>5", "639a.9(b)(2) 1 shoe>dealer up",
        "639a.9(b)(3) 1 shoe>2", "639a.9(b)(3) 1 shoe>5", "639a.9(b)(4) 1 shoe>dealer",
        *[line.replace("639a.8(d)", "639a.9(b)") for line in EACH], "639a.9(c) racked",
    ],
    ("caribbean-stud-standard", "automated-shoe"): [
        "639a.10(a)(2) called", "639a.10(b) 5 shoe>2", "639a.10(b) 5 shoe>5", "639a.10(b) 5 shoe>dealer", "639a.10(b) turned",
        "639a.10(c) racked",
    ],
    ("four-card-prime-standard", "manual-shoe"): [
        "682a.8(b) called", *[f"682a.8(c) 1 shoe>{to}" for _ in range(5) for to in ("2", "5", "dealer")],
        "682a.8(c) 1 shoe>dealer", "682a.8(d) racked",
    ],
    ("four-card-prime-standard", "automated-shoe"): [
        "682a.10(a)(2) called", "682a.10(b) 5 shoe>2", "682a.10(b) 5 shoe>5", "682a.10(b) 5 shoe>dealer", "682a.10(b) 5 shoe>stack",
        "682a.10(b) 1 stack>dealer", "682a.10(b) 4 stack>rack", "682a.10(c) racked",
    ],
    ("cajun-stud-standard", "hand"): [
        "683a.9(a)(3) called", *[f"683a.9(b) 1 shoe>{to}" for to in ("2", "5", "2", "5", "board", "board", "board")], "683a.9(c) racked",
    ],
    ("cajun-stud-standard", "automated-shoe"): [
        "683a.10(a)(2) called", "683a.10(b) 2 shoe>2", "683a.10(b) 2 shoe>5", "683a.10(c)(2) 3 shoe>board", "683a.10(c)(2) racked",
    ],
    ("four-card-prime-standard", "hand"): [
        "682a.9(a)(3) called", *[f"682a.9(b) 1 shoe>{to}" for _ in range(5) for to in ("2", "5", "dealer")],
        "682a.9(b) 1 shoe>dealer", "682a.9(c) racked",
    ],
    ("cajun-stud-standard", "manual-shoe"): [
        "683a.8(b) called", *[f"683a.8(c) 1 shoe>{to}" for to in ("2", "5", "2", "5", "board", "board", "board")], "683a.8(d) racked",
    ],
}  # fmt: skip


CLAIMS = {
    ("caribbean-stud-standard", "manual-shoe"): (
        "639a.8(b)", "639a.8(d)", *(f"639a.8(d)({part})" for part in range(1, 6)), "639a.8(e)", "639a.1:hand", "639a.1:hole-card",
    ),
    ("caribbean-stud-standard", "hand"): (
        "639a.9(a)", "639a.9(a)(3)", "639a.9(b)", *(f"639a.9(b)({part})" for part in range(1, 6)), "639a.9(c)",
    ),
    ("caribbean-stud-standard", "automated-shoe"): ("639a.10(a)", "639a.10(a)(2)", "639a.10(b)", "639a.10(c)"),
    ("four-card-prime-standard", "manual-shoe"): ("682a.8(b)", "682a.8(c)", "682a.8(d)"),
    ("four-card-prime-standard", "hand"): ("682a.9(a)", "682a.9(a)(3)", "682a.9(b)", "682a.9(c)"),
    ("four-card-prime-standard", "automated-shoe"): ("682a.10(a)", "682a.10(a)(2)", "682a.10(b)", "682a.10(c)"),
    ("cajun-stud-standard", "manual-shoe"): ("683a.8(b)", "683a.8(c)", "683a.8(d)"),
    ("cajun-stud-standard", "hand"): ("683a.9(a)", "683a.9(a)(3)", "683a.9(b)", "683a.9(c)"),
    ("cajun-stud-standard", "automated-shoe"): ("683a.10(a)", "683a.10(a)(2)", "683a.10(b)", "683a.10(c)(2)"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("preset", "dealing"), [pytest.param(*case, marks=pytest.mark.proves(*CLAIMS[case])) for case in ORDERS]
)
def test_cards_are_dealt_in_the_chapters_order(preset: str, dealing: str) -> None:
    """The stub, the rest of the 52 cards, goes to the discard rack unseen."""
    table = shuffle_and_wager(
        open_for_gaming(preset, dealing=Dealing(dealing), seats={2: "Ann", 5: "Bob"}), {5: ANTE, 2: ANTE}
    )
    *_, (_, after_deal) = told = list(deal(table))
    assert [line for line, _ in told] == ORDERS[preset, dealing]
    dealt = [slot for held in after_deal.places.values() for slot in held]
    dealt += [slot for box in after_deal.boxes.values() for slot in box.cards]
    assert after_deal.shoe == ()
    assert after_deal.stub == DECK[52 - len(after_deal.stub) :]
    assert len(after_deal.stub) + len(after_deal.rack) + len(dealt) == 52
    assert not {str(card) for card in after_deal.stub} & {str(slot.card) for slot in dealt}


@pytest.mark.proves("{clause}")
@pytest.mark.parametrize(
    ("clause", "preset", "dealing", "readings", "first"),
    [
        ("682a.8(c)", "four-card-prime-standard", "manual-shoe", {}, ["682a.8(c) 1 shoe>all-six", "682a.8(c) 1 shoe>2"]),
        ("682a.9(b)", "four-card-prime-standard", "hand", {}, ["682a.9(b) 1 shoe>all-six", "682a.9(b) 1 shoe>2"]),
        ("682a.10(b)", "four-card-prime-standard", "automated-shoe", {},
         [*(f"682a.10(b) 5 shoe>{to}" for to in ("2", "dealer", "stack")), "682a.10(b) 1 stack>all-six", "682a.10(b) 1 stack>dealer",
          "682a.10(b) 3 stack>rack", "682a.10(c) racked"]),
        ("683a.8(c)", "cajun-stud-standard", "manual-shoe", {}, ["683a.8(c) 1 shoe>all-six"] * 4 + ["683a.8(c) 1 shoe>2"]),
        ("683a.9(b)", "cajun-stud-standard", "hand", {}, ["683a.9(b) 1 shoe>all-six"] * 4 + ["683a.9(b) 1 shoe>2"]),
        ("683a.10(c)(1)", "cajun-stud-standard", "automated-shoe", {},
         ["683a.10(b) 2 shoe>2", "683a.10(c)(1) 4 shoe>all-six", "683a.10(c)(2) 3 shoe>board", "683a.10(c)(2) racked"]),
        ("683a.8(c)", "cajun-stud-standard", "manual-shoe", {"cajun-all-six-cards": "community-plus-one", "cajun-community-deal": "first"},
         ["683a.8(c) 1 shoe>board"] * 3 + ["683a.8(c) 1 shoe>all-six", "683a.8(c) 1 shoe>2"]),
        # Four separate cards are dealt first, before anything else: 683a.8(c), .9(b).
        ("683a.8(c)", "cajun-stud-standard", "manual-shoe", {"cajun-community-deal": "first"},
         ["683a.8(c) 1 shoe>all-six"] * 4 + ["683a.8(c) 1 shoe>board"] * 3 + ["683a.8(c) 1 shoe>2"] * 2),
        ("683a.9(b)", "cajun-stud-standard", "hand", {"cajun-community-deal": "first"},
         ["683a.9(b) 1 shoe>all-six"] * 4 + ["683a.9(b) 1 shoe>board"] * 3 + ["683a.9(b) 1 shoe>2"] * 2),
        ("683a.9(b)", "cajun-stud-standard", "hand", {"cajun-community-deal": "interleaved"},
         [f"683a.9(b) 1 shoe>{to}" for to in ("all-six", "all-six", "all-six", "all-six", "2", "board", "2", "board", "board")]),
    ],
)  # fmt: skip
def test_all_six_cards_are_dealt_when_the_chapter_says(
    clause: str, preset: str, dealing: str, readings: dict[str, str], first: list[str]
) -> None:
    """What is dealt first, beginning with the card that comes after the call."""
    table = shuffle_and_wager(
        open_for_gaming(preset, dealing=Dealing(dealing), seats={2: "Ann"}, readings=readings),
        {2: {**ANTE, "all-six": 100}},
    )
    told = [line for line, _ in deal(table)]
    assert clause in {line.partition(" ")[0] for line in told}
    assert told[1 : 1 + len(first)] == first


@pytest.mark.proves("639a.10(b)", "639a.1:hole-card")
def test_639a_10_b_the_bottom_card_of_the_dealers_stack_is_turned_up() -> None:
    table = shuffle_and_wager(
        open_for_gaming("caribbean-stud-standard", dealing=Dealing("automated-shoe"), seats={1: "Ann"}), {1: ANTE}
    )
    *_, (_, table) = deal(table)
    assert view(table).places["dealer"] == (None, None, None, None, str(DECK[9]))
    assert [slot.up for slot in table.places["dealer"]] == [False, False, False, False, True]


@pytest.mark.parametrize(
    ("preset", "told"),
    [
        pytest.param("caribbean-stud-standard", ["1 asked", "3 asked", "6 asked", "639a.11(c) 3 collected", "639a.11(c) dealer turned (0, 1, 2, 3, 4)",
          "6 turned", "6 settled", "3 settled", "1 turned", "1 settled"],
         marks=pytest.mark.proves("639a.11(b)", "639a.11(c)", "639a.11(c)(1)")),
        pytest.param("four-card-prime-standard", ["1 asked", "3 asked", "6 asked", "682a.11(c) 3 collected", "682a.11(d) dealer turned (0, 1, 2, 3, 4, 5)",
          "6 turned", "6 settled", "3 turned", "682a.11(d) all-six turned (0,)", "3 settled", "1 turned", "1 settled"],
         marks=pytest.mark.proves(*(f"682a.11({part})" for part in ("b", "c", "d", "d)(1")))),
        pytest.param("cajun-stud-standard", ["1 asked", "3 asked", "6 asked", "683a.11(b) 3 collected", "683a.11(c) board turned (0,)", "1 asked", "6 asked",
          "683a.11(e) board turned (1,)", "1 asked", "6 asked", "683a.11(g) board turned (2,)",
          "6 turned", "6 settled", "3 turned", "683a.11(h) all-six turned (0, 1, 2, 3)", "3 settled", "1 turned", "1 settled"],
         marks=pytest.mark.proves(*(f"683a.11({part})" for part in "bcdefgh"), "683a.1:raise-wager")),
    ],
)  # fmt: skip
def test_decisions_go_clockwise_and_settlement_counterclockwise(preset: str, told: list[str]) -> None:
    """Seat 3 folds; in 682a and 683a it has an All-Six wager, so that its cards stay and are turned."""
    side = {} if preset.startswith("caribbean") else {"all-six": 100}
    wagers = {1: ANTE, 3: {**ANTE, **side}, 6: ANTE}
    table = shuffle_and_wager(open_for_gaming(preset, {1: "Ann", 3: "Bob", 6: "Cy"}), wagers)
    *_, (_, table) = deal(table)
    seen: list[str] = []
    while table.round == 0:
        if seat := view(table).to_act:
            seen.append(f"{seat} asked")
            multiple = 0 if seat == 3 else table.rules.terms.game.decisions[0].multiples[0]
            table = after_command(table, Decide(seat, multiple), given_by_patron(table.seated[seat]))
            continue
        cite, events = table.due.cite, decide(table, Perform(), DEALER)
        for event in events:
            match event:
                case happened.Collected(seat, _):
                    seen.append(f"{cite} {seat} collected")
                case happened.Turned(which, seat, place):
                    seen.append(f"{seat} turned" if seat else f"{cite} {place} turned {which}")
                case happened.Settled(seat, _):
                    seen.append(f"{seat} settled")
        table = after(table, events)
    assert seen == told
    assert sorted(map(str, table.rack)) == sorted(map(str, DECK))


@pytest.mark.proves("639a.11(b)", "639a.11(c)")
def test_folded_cards_are_racked_unless_a_wager_needs_them() -> None:
    wagers = {
        1: ANTE,
        2: {**ANTE, "five-card-hand-player": 100},
        3: {**ANTE, "five-card-hand-dealer": 100},
        4: {**ANTE, "progressive": 100},
    }
    table = shuffle_and_wager(
        open_for_gaming(
            "caribbean-stud-standard", dealing=Dealing("manual-shoe"), seats=dict(zip(range(1, 5), "ABCD", strict=True))
        ),
        wagers,
    )
    *_, (_, table) = deal(table)
    for seat in wagers:
        table = after_command(table, Decide(seat, 0), given_by_patron(table.seated[seat]))
    while table.due.do == "collect":
        table = after_command(table, Perform())
    assert {seat: box.racked for seat, box in table.boxes.items()} == {1: True, 2: False, 3: True, 4: True}
    assert len(set(table.cards)) == len(table.cards) == 52


def test_a_patrons_boxes_share_one_payout_limit() -> None:
    table = open_for_gaming("cajun-stud-rack-card", dealing=Dealing("manual-shoe"), seats={1: "Ann"})
    rest = [card for card in DECK if str(card) not in {"2c", "Qh", "Jh", "Th", "Ah", "Kh", "9h", "8h"}]
    # The rack card deals the All-Six card and the board first; then one card to each box, twice.
    deck = (*map(Card, ("2c", "Qh", "Jh", "Th", "Ah", "9h", "Kh", "8h")), *rest)
    table = after_command(table, Perform(), replace(DEALER, cards=deck))
    for seat in (1, 2):
        table = after_command(table, Wager(seat, {"ante": 10_000}), given_by_patron("Ann"))
    *_, (_, table) = deal(table)
    lines: list[int] = []
    while table.round == 0:
        if acting := view(table).to_act:
            table = after_command(table, Decide(acting, 1), given_by_patron("Ann"))
            continue
        events = decide(table, Perform(), DEALER)
        lines += [
            line.pays
            for event in events
            if isinstance(event, happened.Settled)
            for line in event.lines
            if line.outcome != "win"
        ]
        table = after(table, events)
    # Box 2, a straight flush: 100 to 1 on $400; box 1, a royal flush: 500 to 1 on $400, down to $10,000 left.
    assert lines == [-(200_000_00 - 10_000_00)]


PLAYER = given_by_patron("Ann")
REFUSED: list[tuple[Command, Given, str, str]] = [
    (Sit(9), given_by_patron("Bob"), "The table has seats 1 to 7.", "639a.2(a)"),
    (
        Sit(1),
        given_by_patron("Bob"),
        "Seat taken, or you already have one.",
        "house rule: one seat for a patron, one patron for a seat",
    ),
    (Wager(3, ANTE), given_by_patron("Bob"), "Take a seat before you wager.", "639a.7(b)"),
    (Wager(9, ANTE), PLAYER, "The table has boxes 1 to 7.", "639a.2(a)"),
    (
        Wager(3, ANTE),
        PLAYER,
        "Box 3 is not beside seat 1; a player's boxes begin beside the seat.",
        "639a.7(e)",
    ),
    (
        Wager(1, {"bonus": 100}),
        PLAYER,
        "The Ante wager is missing; every other wager needs it (639a.7(d)(1)).",
        "639a.7(d)",
    ),
    (Decide(1, 2), PLAYER, "There is nothing to decide now.", "639a.11(b)"),
    (Stand(2), PLAYER, "That seat is not yours.", "house rule: one seat for a patron, one patron for a seat"),
    (Perform(), PLAYER, "Only a dealer or a floorperson may do this.", "house rule: who may do what"),
    (Perform(), DEALER, "Nobody has wagered.", "639a.8(b)"),
    (Sit(4), DEALER, "Only a player may do this.", "house rule: who may do what"),
]


@pytest.mark.parametrize(("command", "given", "why", "cite"), REFUSED)
def test_a_refusal_gives_reason_and_clause(command: Command, given: Given, why: str, cite: str) -> None:
    table = after_command(
        open_for_gaming("caribbean-stud-standard", dealing=Dealing("manual-shoe"), seats={1: "Ann"}),
        Perform(),
        replace(DEALER, cards=DECK),
    )
    assert refusal(table, command, given) == Refusal(why, cite)


CHAPTERS = {"639a": "caribbean-stud-standard", "682a": "four-card-prime-standard", "683a": "cajun-stud-standard"}


@pytest.mark.proves("{chapter}.7(c)")
@pytest.mark.parametrize(("chapter", "preset"), CHAPTERS.items())
def test_7_c_no_wager_changes_after_the_call(chapter: str, preset: str) -> None:
    table = shuffle_and_wager(
        open_for_gaming(preset, dealing=Dealing("manual-shoe"), seats={1: "Ann", 4: "Bob"}), {1: ANTE}
    )
    changes = [(1, {"ante": 2000}, "Ann"), (1, {}, "Ann"), (4, ANTE, "Bob")]
    for seat, wagers, name in changes:
        assert refusal(table, Wager(seat, wagers), given_by_patron(name)) is None
    called = after_command(table, Perform())
    for seat, wagers, name in changes:
        refused = refusal(called, Wager(seat, wagers), given_by_patron(name))
        assert refused == Refusal(
            "No more bets: you cannot place, increase or withdraw a wager now.", f"{chapter}.7(c)"
        )


@pytest.mark.proves("{chapter}.7(b)")
@pytest.mark.parametrize(("chapter", "preset"), CHAPTERS.items())
def test_7_b_only_seated_players_wager_and_they_stay_until_the_round_is_over(chapter: str, preset: str) -> None:
    table = shuffle_and_wager(
        open_for_gaming(preset, dealing=Dealing("manual-shoe"), seats={1: "Ann", 4: "Bob"}), {1: ANTE}
    )
    assert refusal(table, Wager(3, ANTE), given_by_patron("Cy")) == Refusal(
        "Take a seat before you wager.", f"{chapter}.7(b)"
    )
    called = after_command(table, Perform())
    assert refusal(called, Stand(1), PLAYER) == Refusal(
        "You have wagered. Stay seated until the round is over.", f"{chapter}.7(b)"
    )
    assert refusal(called, Stand(4), given_by_patron("Bob")) is None
