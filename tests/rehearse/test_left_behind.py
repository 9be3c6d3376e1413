"""Jackpots, Envy Bonuses and increments after a player left, after a void with a fold, or without validation."""

import json
from typing import Any

import pytest

from pitboss.money import CENT
from pitboss.rehearse import play_scene, read_scene

ROYAL_OF_THE_DEALER = "4c 3c Ac 7d 3d Kc 9s 8h Qc Jd Ts Jc 2c Qh Tc"
"""To boxes 1 and 6 and the dealer in turn."""
METER = 20_000_00


def sit_lines(*seats: tuple[str, int]) -> list[dict[str, Any]]:
    return [{"as": name, "do": {"type": "Sit", "seat": seat}} for name, seat in seats]


def scene_line(name: str, command: str, **fields: Any) -> dict[str, Any]:
    return {"as": name, "do": {"type": command, **fields}}


def last_settlement(opening: dict[str, Any], *lines: dict[str, Any]) -> dict[str, Any]:
    """Play a round of Caribbean Stud; return the answer to its last line."""
    first = {"open": {"submission": "caribbean-stud-standard", "dealing": "manual-shoe", **opening}}
    told = play_scene(read_scene("\n".join(json.dumps(line) for line in (first, *lines))))
    assert [answer.refused for answer in told] == [None] * len(told)
    found = told[-1].settled
    assert isinstance(found, dict)
    assert sum(posting["amount"] for posting in found["postings"]) == 0
    return found


def posted_cents(round_: dict[str, Any], account: str) -> int:
    """Return the postings of a round to an account, in cents."""
    amounts = [int(posting["amount"]) for posting in round_["postings"] if posting["account"] == account]
    return sum(amounts) // CENT


def pays(round_: dict[str, Any], seat: int, wager: str) -> int | None:
    found = [line["pays"] for line in round_["boxes"][str(seat)]["lines"] if line["wager"] == wager]
    return found[0] if found else None


ON_THE_DEALER = {"ante": 1000, "five-card-hand-dealer": 100}


@pytest.mark.proves("639a.12(e)(2)", "639a.7(b)")
@pytest.mark.parametrize(("option", "parts"), [("all-lose", 1), ("required-lose-optional-play-out", 2)])
def test_a_player_with_lost_wagers_has_no_share_of_a_jackpot(option: str, parts: int) -> None:
    found = last_settlement(
        {"abandoned_wagers": option},
        *sit_lines(("Ann", 1), ("Bob", 6)),
        {"until": "call", "cards": ROYAL_OF_THE_DEALER},
        scene_line("Ann", "Wager", seat=1, wagers=ON_THE_DEALER),
        scene_line("Bob", "Wager", seat=6, wagers=ON_THE_DEALER),
        {"until": "ask", "meters": {"five-card-hand": METER * CENT}},
        scene_line("Ann", "Decide", seat=1, multiple=0),
        scene_line("Bob", "Leave", seat=6),
        {"until": "round"},
    )
    assert pays(found, 1, "five-card-hand-dealer") == METER // parts
    assert pays(found, 6, "five-card-hand-dealer") == (METER // 2 if parts == 2 else 0)


@pytest.mark.proves("639a.12(e)(2)", "639a.7(b)")
def test_a_jackpot_without_players_stays_on_the_meter() -> None:
    found = last_settlement(
        {"abandoned_wagers": "all-lose"},
        *sit_lines(("Ann", 1)),
        {"until": "call", "cards": "4c Ac 7d Kc 9s Qc Jd Jc 2c Tc"},
        scene_line("Ann", "Wager", seat=1, wagers=ON_THE_DEALER),
        {"until": "ask"},
        scene_line("Ann", "Leave", seat=1),
        {"until": "round"},
    )
    assert pays(found, 1, "five-card-hand-dealer") == 0
    assert posted_cents(found, "meter/five-card-hand@100/current") == 13  # its increment, and nothing else
    assert (
        posted_cents(found, "house") == 100 - 13 - 8
    )  # the wager, less 8 % for the reserve; the Ante is in the inventory


@pytest.mark.proves("639a.12(e)(2)", "639a.7(b)")
def test_the_share_of_a_player_who_leaves_after_the_reveal_goes_back_to_the_meter() -> None:
    found = last_settlement(
        {"abandoned_wagers": "all-lose"},
        *sit_lines(("Ann", 1), ("Bob", 6)),
        {"until": "call", "cards": ROYAL_OF_THE_DEALER},
        scene_line("Ann", "Wager", seat=1, wagers=ON_THE_DEALER),
        scene_line("Bob", "Wager", seat=6, wagers=ON_THE_DEALER),
        {"until": "ask", "meters": {"five-card-hand": METER * CENT}},
        scene_line("Ann", "Decide", seat=1, multiple=0),
        scene_line("Bob", "Decide", seat=6, multiple=0),
        {"until": "settle"},
        scene_line("Bob", "Leave", seat=6),
        {"until": "round"},
    )
    assert (pays(found, 1, "five-card-hand-dealer"), pays(found, 6, "five-card-hand-dealer")) == (METER // 2, 0)
    assert posted_cents(found, "payable/Ann") == 0
    assert posted_cents(found, "cage") == METER // 2
    # Two increments of 13 %; $20,000 were won, it restarted at its reserve, twice 8 %, and Bob's $10,000 came back.
    assert posted_cents(found, "meter/five-card-hand@100/current") == 26 - METER + 16 + METER // 2


ENVY = {"progressive": "D"}
"""The paytable with Envy Bonuses."""


def envy(leaves: str) -> int | None:
    """Return Bob's Envy Bonus for Ann's royal flush when players who leave lose all wagers."""
    gone = scene_line("Bob", "Leave", seat=6)
    decides = scene_line("Bob", "Decide", seat=6, multiple=2)
    lines = [
        *sit_lines(("Ann", 1), ("Bob", 6)),
        {"until": "call", "cards": "Ac 4c 3c Kc 7d 3d Qc 9s 8h Jc Jd Ts Tc 2c Qh"},
        scene_line("Ann", "Wager", seat=1, wagers={"ante": 1000, "progressive": 500}),
        scene_line("Bob", "Wager", seat=6, wagers={"ante": 1000, "progressive": 500}),
        {"until": "ask"},
        scene_line("Ann", "Decide", seat=1, multiple=2),
        gone if leaves == "undecided" else decides,
        {"until": "settle"},
        *([gone] if leaves == "decided" else []),
        scene_line("dealer", "Perform"),
        *([gone] if leaves == "settled" else []),
        {"until": "round"},
    ]
    found = last_settlement({"abandoned_wagers": "all-lose", "paytables": ENVY}, *lines)
    return pays(found, 6, "envy-bonus")


@pytest.mark.proves("639a.11(c)(5)(v)", "639a.7(b)")
def test_a_wager_lost_by_leaving_wins_no_envy() -> None:
    assert envy("not at all") == 5_000_00  # 639a.12(d)(6): a royal flush, with a wager of $5
    assert envy("undecided") is None
    assert envy("decided") is None
    assert envy("settled") == 5_000_00  # a settled box cannot be abandoned


@pytest.mark.proves("639a.12(d)(4)")
@pytest.mark.parametrize(("option", "stays"), [("no", 53), ("yes", 0)])
def test_a_void_keeps_the_increment_of_a_forfeited_wager(option: str, stays: int) -> None:
    found = last_settlement(
        {"readings": {"void-after-fold": option}},
        *sit_lines(("Ann", 1), ("Bob", 3)),
        {"until": "call"},
        scene_line("Ann", "Wager", seat=1, wagers={"ante": 1000, "progressive": 100}),
        scene_line("Bob", "Wager", seat=3, wagers={"ante": 1000}),
        {"until": "ask"},
        scene_line("Ann", "Decide", seat=1, multiple=0),
        scene_line("dealer", "Report", kind="exposed"),
        scene_line("floorperson:Flo", "Acknowledge"),
        {"until": "round"},
    )
    assert posted_cents(found, "meter/main@100/current") == stays
    cites = {line["cite"] for line in found["boxes"]["1"]["lines"]}
    assert cites == {"639a.11(b)" if option == "no" else "639a.13(d)"}


@pytest.mark.proves("639a.11(c)(5)(iii)", "639a.11(c)(5)(v)")
@pytest.mark.parametrize(
    ("answer", "reading", "paid"),
    [
        ({"type": "Acknowledge"}, "no", 300_00),
        ({"type": "Withhold", "reason": "the hand was fouled"}, "no", None),
        ({"type": "Withhold", "reason": "the hand was fouled"}, "yes", 300_00),
    ],
)
def test_envy_is_paid_for_a_validated_hand(answer: dict[str, Any], reading: str, paid: int | None) -> None:
    found = last_settlement(
        {"paytables": ENVY, "readings": {"envy-withheld-hand": reading}},
        *sit_lines(("Ann", 2), ("Bob", 5)),
        {"until": "call", "cards": "5h 2c Ac 6h 4d Kd 7h 7s 3c 8h 9c 4c 9h Jd 8d"},
        scene_line("Ann", "Wager", seat=2, wagers={"ante": 1000, "progressive": 100}),
        scene_line("Bob", "Wager", seat=5, wagers={"ante": 1000, "progressive": 100}),
        {"until": "ask"},
        scene_line("Ann", "Decide", seat=2, multiple=2),
        scene_line("Bob", "Decide", seat=5, multiple=2),
        {"until": "settle"},
        scene_line("dealer", "Perform"),
        scene_line("dealer", "Perform"),
        {"as": "floorperson:Flo", "do": answer, "light": True},
        {"until": "round"},
    )
    assert pays(found, 5, "envy-bonus") == paid  # 639a.12(d)(6): a straight flush, with a wager of $1


@pytest.mark.proves("639a.11(c)(5)(iii)", "639a.12(d)(5)")
@pytest.mark.parametrize(
    ("reading", "meter", "disputed"),
    # 639a.12(d)(4): $10,000 and 53 % of the $1 that was wagered, or the $10,000 that the meter restarts with.
    [("back-on-meter", 10_000_53, 100), ("set-aside", 10_000_00, 10_000_53 + 100)],
)
def test_reading_withheld_jackpot(reading: str, meter: int, disputed: int) -> None:
    found = last_settlement(
        {"readings": {"withheld-jackpot": reading}},
        *sit_lines(("Ann", 1)),
        {"until": "call", "cards": "Ah 2c Kh 7d Qh 9s Jh 4c Th 3d"},
        scene_line("Ann", "Wager", seat=1, wagers={"ante": 1000, "progressive": 100}),
        {"until": "ask"},
        scene_line("Ann", "Decide", seat=1, multiple=2),
        {"until": "settle"},
        scene_line("dealer", "Perform"),
        scene_line("floorperson:Flo", "Withhold", reason="the light was out"),
        {"until": "round"},
    )
    assert 10_000_00 + posted_cents(found, "meter/main@100/current") == meter
    assert posted_cents(found, "meter/main@100/pending") == 0
    accounts = [posting["account"] for posting in found["postings"]]
    assert posted_cents(found, next(name for name in accounts if name.endswith("/disputed"))) == disputed
    assert pays(found, 1, "progressive") == 0


@pytest.mark.proves("639a.13(c)")
def test_a_void_reverses_a_pending_jackpot() -> None:
    found = last_settlement(
        {"readings": {"withheld-jackpot": "set-aside"}},
        *sit_lines(("Ann", 1), ("Bob", 6)),
        {"until": "call", "cards": "3c Ah 2c 5d Kh 7d 8s Qh 9s 2h Jh 4c 7c Th 3d"},
        scene_line("Ann", "Wager", seat=1, wagers={"ante": 1000}),
        scene_line("Bob", "Wager", seat=6, wagers={"ante": 1000, "progressive": 100}),
        {"until": "ask"},
        scene_line("Ann", "Decide", seat=1, multiple=2),
        scene_line("Bob", "Decide", seat=6, multiple=2),
        {"until": "settle"},
        scene_line("dealer", "Perform"),
        scene_line("floorperson:Flo", "Withhold", reason="the light was out"),
        scene_line("dealer", "Report", kind="wrong-number", seat=1, cards=6),
        scene_line("floorperson:Flo", "Acknowledge"),
        {"until": "round"},
    )
    assert {
        posting["account"]: posted_cents(found, posting["account"]) for posting in found["postings"]
    } == dict.fromkeys([posting["account"] for posting in found["postings"]], 0)


@pytest.mark.proves("639a.7(b)")
@pytest.mark.parametrize("looks_twice", [False, True])
def test_a_player_who_leaves_during_the_own_settlement_loses_nothing(looks_twice: bool) -> None:  # noqa: FBT001 (a case)
    again = [scene_line("floorperson:Flo", "Reject"), scene_line("dealer", "Perform")] if looks_twice else []
    found = last_settlement(
        {"abandoned_wagers": "all-lose"},
        *sit_lines(("Ann", 1)),
        {"until": "call", "cards": "Ah 2c Kh 7d Qh 9s Jh 4c Th 3d"},
        scene_line("Ann", "Wager", seat=1, wagers={"ante": 1000, "progressive": 100}),
        {"until": "ask"},
        scene_line("Ann", "Decide", seat=1, multiple=2),
        {"until": "settle"},
        scene_line("dealer", "Perform"),
        scene_line("Ann", "Leave", seat=1),
        *again,
        {"until": "round"},
    )
    assert pays(found, 1, "progressive") == 10_000_53  # 639a.12(d): the whole meter, with 53 % of this wager
