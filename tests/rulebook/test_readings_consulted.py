"""Every reading with several options matters: switching it changes payouts, cards, refusals or texts.

Every other one names the test that shows it.
"""

import ast
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace
from table_play import (
    ANTE,
    DEALER,
    FLOORPERSON,
    PRESETS,
    advance_until,
    after_command,
    given_by_patron,
    open_for_gaming,
    shuffle_and_wager,
)

from pitboss.cards import DECK, hand
from pitboss.games import FOLD, GAMES, Balances, Bounds, Hands, Other, Terms, agree, settle
from pitboss.money import CENT
from pitboss.progressive import open_bank, turn
from pitboss.progressive.meter import Rule
from pitboss.rulebook import rulebook
from pitboss.rulebook.procedures import Do
from pitboss.submission import Submission, load, problems, terms_of
from pitboss.submission.hold_warnings import edge_warnings
from pitboss.submission.model import Dealing, Link, Shuffler
from pitboss.table import Decide, Idle, Perform, Report, Stand, Table, Wager, Withhold, decide, open_table
from pitboss.table.devices import can_deal_by
from pitboss.table.events import Event

ROOT: Final = Path(__file__).parents[2]
READINGS: Final = rulebook().readings
SEVERAL: Final = [name for name, reading in READINGS.items() if len(reading.options) > 1]
Probe = Callable[[str, str], object]
"""The result of a probe under one option of a reading."""


def terms(game: str, letters: Mapping[str, str], choice: Mapping[str, str], limit: int | None = None) -> Terms:
    offers = {wager.offer for wager in GAMES[game].initial}
    single = {"ante", "five-card-hand"} if game == "caribbean-stud" else set()
    return agree(
        GAMES[game],
        rulebook(),
        offered=dict.fromkeys(sorted(offers), Bounds()),
        letters={**dict.fromkeys(offers - single, "A"), **letters},
        readings=choice,
        unit=1,
        payout_limit=limit,
        bonuses=("magic-card", "lucky-bonus"),
    )


def pays(  # noqa: PLR0913 (one settlement)
    game: str,
    hands: Hands,
    wagers: Mapping[str, int],
    decisions: tuple[int, ...] = (FOLD,),
    *,
    letters: Mapping[str, str] | None = None,
    limit: int | None = None,
    before: int = 0,
    left: bool = False,
) -> Probe:
    """The payout of a settlement for each wager."""

    def probe(reading: str, option: str) -> object:
        made = settle(
            terms(game, letters or {}, {reading: option}, limit),
            hands,
            {"ante": 100, **wagers},
            decisions,
            Balances({"main": 10**6 * CENT, "five-card-hand": 10**6 * CENT}),
            won_before=before,
            left=left,
        )
        return [(line.wager, line.net) for line in made]

    return probe


def events_at(
    chapter: str, wagers: Mapping[str, int], then: Callable[[Table], list[Event]], until_: Do = Do.ASK, deck: str = ""
) -> Probe:
    """The events at a table after the deal, or until another step."""

    def probe(reading: str, option: str) -> object:
        cards = hand(deck)
        table = open_for_gaming(PRESETS[chapter], {1: "Ann", 4: "Bob"}, readings={reading: option})
        table = shuffle_and_wager(
            table, {1: wagers, 4: wagers}, (*cards, *(card for card in DECK if card not in cards))
        )
        return then(advance_until(table, until_))

    return probe


def problems_of(preset: str, change: Callable[[Submission], Submission]) -> Probe:
    """The problems of a Submission."""

    def probe(reading: str, option: str) -> object:
        found = load(preset)
        return problems(change(replace(found, readings={**found.readings, reading: option})))

    return probe


def dealt_places(preset: str) -> Probe:
    """The places of the first ten cards after the deal."""

    def probe(reading: str, option: str) -> object:
        whole = {"cajun-all-six-cards": "community-plus-one"} if option == "four-first" else {}
        table = open_for_gaming(preset, {1: "Ann"}, readings={**whole, reading: option})
        table = advance_until(shuffle_and_wager(table, {1: {**ANTE, "all-six": 100}}), Do.ASK)
        return {name: [slot.card for slot in held] for name, held in table.places.items()}

    return probe


def meter_rule(reading: str, option: str) -> object:
    printed = rulebook().game("caribbean-stud").meters["progressive"].paytables["A"]["main"]
    return Rule.of(printed, 100, rulebook().options({reading: option}))


def edge_warnings_of(reading: str, option: str) -> object:
    found = load("cajun-stud-rack-card")
    return edge_warnings(terms_of(replace(found, readings={**found.readings, reading: option})))


def validated_wagers(reading: str, option: str) -> object:
    found = load(PRESETS["639a"])
    return open_table(replace(found, readings={**found.readings, reading: option})).rules.validated


def with_device(found: Submission) -> Submission:
    return replace(found, table=replace(found.table, shuffler=Shuffler.APPROVED_DEVICE, decks=2))


def with_link(found: Submission) -> Submission:
    return replace(
        found,
        wagers={**found.wagers, "progressive": replace(found.wagers["progressive"], linked=Link.TABLES)},
    )


def failed_shoe(reading: str, option: str) -> object:
    table = open_for_gaming(
        PRESETS["639a"],
        dealing=Dealing.AUTOMATED_SHOE,
        shuffler=Shuffler.APPROVED_DEVICE,
        readings={reading: option},
    )
    return can_deal_by(replace(table, covered=("shoe",)), Dealing.HAND)


def fold_and_void(table: Table) -> list[Event]:
    table = after_command(table, Decide(1, FOLD), given_by_patron("Ann"))
    return decide(table, Report("wrong-number"), DEALER)


def fold_and_collect(table: Table) -> list[Event]:
    for seat in table.boxes:
        table = after_command(table, Decide(seat, FOLD), given_by_patron(table.boxes[seat].patron))
    return decide(table, Perform(), DEALER)


def exposed_while_dealing(reading: str, option: str) -> object:
    table = open_for_gaming(PRESETS["683a"], {1: "Ann"}, readings={reading: option})
    table = shuffle_and_wager(table, {1: {**ANTE, "lo-ball": 100}})
    while "board" not in table.places:
        table = after_command(table, Perform())
    return decide(table, Report("exposed"), DEALER)


def miscount_events(reading: str, option: str) -> object:
    table = replace(open_for_gaming(PRESETS["639a"], {1: "Ann"}, readings={reading: option}), uncounted=4)
    table = advance_until(shuffle_and_wager(table, {1: ANTE}), Do.COUNT)
    return decide(table, Perform(), replace(DEALER, counted=3, misdealt=True, whole=False))


def two_boxes(wager: str, deck: str, letter: str = "A") -> Probe:
    """The payout of the box that is settled last, for a patron with two boxes."""

    def probe(reading: str, option: str) -> object:
        cards = hand(deck)
        table = open_for_gaming(
            PRESETS["639a"], {1: "Ann"}, readings={reading: option}, paytable_letters={"progressive": letter}
        )
        made = {**ANTE, wager: 100}
        table = shuffle_and_wager(table, {1: made}, (*cards, *(card for card in DECK if card not in cards)))
        table = advance_until(after_command(table, Wager(2, made), given_by_patron("Ann")), Do.SETTLE)
        shown = tuple(replace(slot, up=True) for slot in table.boxes[2].cards)
        first = replace(table.boxes[2], settled=True, cards=shown)
        return decide(replace(table, boxes={**table.boxes, 2: first}), Perform(), DEALER)

    return probe


def jackpot_withheld(reading: str, option: str) -> object:
    table = open_for_gaming(PRESETS["639a"], {1: "Ann"}, readings={reading: option})
    cards = hand("Ah 2c Kh 7d Qh 9s Jh 4c Th 3d")
    table = shuffle_and_wager(
        table, {1: {**ANTE, "progressive": 100}}, (*cards, *(card for card in DECK if card not in cards))
    )
    return decide(after_command(advance_until(table, Do.SETTLE), Perform()), Withhold("no light"), FLOORPERSON)


def envy_of_a_withheld_hand(reading: str, option: str) -> object:
    table = open_for_gaming(
        PRESETS["639a"], {1: "Ann", 2: "Bob"}, readings={reading: option}, paytable_letters={"progressive": "D"}
    )
    cards = hand("2d Ah 9h 3c Kh 8d 4s Qh 7h Td Jh 6h Jd Th 5h")  # to Ann, Bob and the dealer in turn
    made = {**ANTE, "progressive": 100}
    table = advance_until(
        shuffle_and_wager(table, {1: made, 2: made}, (*cards, *(card for card in DECK if card not in cards))), Do.SETTLE
    )
    return decide(after_command(after_command(table, Perform()), Withhold("no light"), FLOORPERSON), Perform(), DEALER)


def spread_out(reading: str, option: str) -> object:
    table = open_for_gaming(PRESETS["639a"], {1: "Ann"}, readings={reading: option})
    return decide(after_command(table, Stand(1), given_by_patron("Ann")), Idle(), DEALER)


def off_the_meter(reading: str, option: str) -> object:
    found = terms("caribbean-stud", {}, {reading: option})
    bank = open_bank(found, {"progressive": 100})
    fours = Hands.of(player="9c 9d 9h 9s 2c", dealer="Ad Ks 8s 7h 3h")
    bank, _ = turn(bank, fours, {"ante": 100, "progressive": 100}, [2])
    return bank.shows


TWO_FLUSHES = Hands.of(player="9c 8c 7c 2c 3d", dealer="Ah Jh 7h 6h 2s 3s")
TIED = Hands.of(player="9c 8c 7c 6c 2d", dealer="9h 8h 7h 6h 2s 3d")
FOURS = Hands.of(player="9c 9d 9h 9s 2c", dealer="Kc Kd Kh 7s 4c 3d")
ROYAL = Hands.of(player="Ac Kc", board="Qc Jc Tc")
LOW = Hands.of(player="Kd 8s 7s 5h 3c", dealer="Ad Ks 9s 7h 3h")
OTHERS_ROYAL = hand("Ac Kc Qc Jc Tc")
BIG = {"ante": 100_00, "pocket-bonus": 100_00}

PROBES: Final[Mapping[str, Probe]] = {
    "aces-bonus-hand-size": pays("four-card-prime", Hands.of(player="Ac Kc Qc Jc 2d", dealer="Kh Kd Ks 7s 4c 3d"), {"aces-bonus": 100}),
    "five-card-wheel": pays("four-card-prime", Hands.of(player="Ac 2d 3h 4s 5c", dealer="Kh Kd Ks 7s 4c 3d", all_six="9d"), {"all-six": 100}),
    "board-bonus-ace-low": pays("cajun-stud", Hands.of(player="Jc 9d", board="As 3h 2c"), {"board-bonus": 100}),
    "same-rank-comparison": pays("four-card-prime", TWO_FLUSHES, {}, (1,)),
    "win-bonus-for-one": pays("four-card-prime", FOURS, {}, (1,)),
    "win-bonus-on-tie": pays("four-card-prime", TIED, {}, (1,)),
    "board-bonus-threshold": pays("cajun-stud", Hands.of(player="Jc 9d", board="8s 8h 2c"), {"board-bonus": 100}),
    "board-bonus-a-mini-royal": pays("cajun-stud", Hands.of(player="Jc 9d", board="As Ks Qs"), {"board-bonus": 100}),
    "ante-when-dealer-fails": pays("caribbean-stud", Hands.of(player="Kc Jc 9c 6c 3c", dealer="Ad Qs 9d 7s 3s"), {}, (2,)),
    "payout-limit-scope": pays("cajun-stud", ROYAL, BIG, (1, 1, 1), limit=50_000_00),
    "payout-limit-meaning": pays("cajun-stud", ROYAL, {"ante": 25_00}, (1, 1, 1), limit=50_000_00, before=10_00),
    "payout-limit-division": pays("cajun-stud", ROYAL, BIG, (1, 1, 1), limit=50_000_00),
    "hold-definition": edge_warnings_of,
    "ev-ties": edge_warnings_of,
    "progressive-na": pays("caribbean-stud", Hands.of(player="9c 9d 9h 4s 2c", dealer="Ad Ks 8s 7h 3h"), {"progressive": 100}, (2,), letters={"progressive": "E"}),
    "meter-pay-stake": pays("caribbean-stud", Hands.of(player="9c 8c 7c 6c 5c", dealer="Ad Ks 8s 7h 3h"), {"progressive": 100}, (2,), letters={"progressive": "B"}),
    "magic-lucky-for-one": pays("caribbean-stud", replace(LOW, lucky=("player",)), {"five-card-hand-player": 100}, (2,)),
    "progressive-fixed-pays": off_the_meter,
    "partial-reseed": meter_rule,
    "own-contribution": meter_rule,
    "void-increment": meter_rule,
    "dealer-hand-jackpot": two_boxes("five-card-hand-dealer", "2c 2d 9h 3c 3d 8h 4c 4d 7h Tc Td 6h Jc Jd 5h"),
    "withheld-jackpot": jackpot_withheld,
    "linked-tables": problems_of(PRESETS["639a"], with_link),
    "validation-threshold": validated_wagers,
    "envy-paytables": pays("caribbean-stud", replace(LOW, others=(Other(OTHERS_ROYAL),)), {"progressive": 100}, letters={"progressive": "H"}),
    "envy-without-own-win": pays("caribbean-stud", replace(LOW, others=(Other(OTHERS_ROYAL),)), {"progressive": 100}, (2,), letters={"progressive": "D"}),
    "envy-withheld-hand": envy_of_a_withheld_hand,
    "envy-own-boxes": two_boxes("progressive", "2d Ac 9h 3c Kc 8d 4s Qc 7h Td Jc 6h Jd Tc 5h", "D"),
    "envy-folded-hand": pays("caribbean-stud", replace(LOW, others=(Other(OTHERS_ROYAL, folded=True),)), {"progressive": 100}, letters={"progressive": "D"}),
    "envy-holder-wagered": pays("caribbean-stud", replace(LOW, others=(Other(OTHERS_ROYAL, wagered=False),)), {"progressive": 100}, letters={"progressive": "D"}),
    "idle-decks": spread_out,
    "cajun-all-six-cards": dealt_places(PRESETS["683a"]),
    "cajun-community-deal": dealt_places(PRESETS["683a"]),
    "all-six-card-that-stays": dealt_places("cajun-stud-rack-card"),
    "folded-cards": events_at("683a", {**ANTE, "pocket-bonus": 100}, fold_and_collect),
    "approved-device-as-shuffler": problems_of(PRESETS["639a"], with_device),
    "approved-device-and-shoe": failed_shoe,
    "abandoned-wagers": pays("caribbean-stud", Hands.of(player="Kc Kd Ks 5h 2c", dealer="Ac Kh 9d 7d 3s"), {"bonus": 100}, (2,), left=True),
    "void-after-fold": events_at("639a", ANTE, fold_and_void),
    "misdeal-not-52": miscount_events,
    "all-six-irregular": events_at("683a", {**ANTE, "all-six": 100}, lambda table: decide(table, Report("exposed", place="all-six"), DEALER)),
    "exposed-card-side-wagers": exposed_while_dealing,
}  # fmt: skip


def test_exactly_the_readings_with_several_options_have_a_probe() -> None:
    assert sorted(PROBES) == sorted(SEVERAL)


@pytest.mark.parametrize("reading", SEVERAL)
def test_switching_a_reading_changes_the_result(reading: str) -> None:
    seen = {option: PROBES[reading](reading, option) for option in READINGS[reading].options}
    values = list(seen.values())
    assert all(one != other for place, one in enumerate(values) for other in values[:place]), seen


@pytest.mark.parametrize("reading", [name for name in READINGS if name not in SEVERAL])
def test_a_reading_with_one_option_names_an_existing_test(reading: str) -> None:
    file, _, name = READINGS[reading].shown_by.partition("::")
    assert name.startswith("test_"), f"{reading} has one option and names no test"
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    (test,) = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == name]
    claims = [node for node in ast.walk(test) if isinstance(node, ast.Assert | ast.With)]
    assert claims, f"{name} asserts nothing"
    assert not any(isinstance(node, ast.Name) and node.id == "skip" for node in ast.walk(test))
