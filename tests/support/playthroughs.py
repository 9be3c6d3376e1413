"""Golden playthroughs: rounds worth looking at, played by a script and narrated as by `pitboss replay`.

`python tests/support/playthroughs.py` writes them anew; a test compares them byte for byte.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec
from table_play import open_for_gaming

from pitboss.cards import DECK, Card, hand
from pitboss.money import CENT
from pitboss.progressive import open_bank
from pitboss.record import Entry, ReplayedEntry, narrate
from pitboss.rulebook.procedures import Do
from pitboss.submission.model import Dealing, Shuffler
from pitboss.table import (
    Acknowledge,
    ChangeDealing,
    ChangeDeck,
    Command,
    Correct,
    Cover,
    Decide,
    Document,
    Given,
    Idle,
    Leave,
    Perform,
    Recut,
    Reject,
    Report,
    Reshuffle,
    Role,
    Table,
    Tick,
    Wager,
    Withhold,
    transitions,
    view,
)
from pitboss.table.box_settlement import undocumented_boxes
from pitboss.table.metering import apply_to_bank
from pitboss.table.refusals import count_accepted_wagers
from pitboss.table.steps import cards_to_name

FOLDER: Final = Path(__file__).parents[1] / "table" / "playthroughs"
STUD, PRIME, CAJUN, CARD = (
    "caribbean-stud-standard",
    "four-card-prime-standard",
    "cajun-stud-standard",
    "cajun-stud-rack-card",
)
NAMES: Final = {1: "Ann", 3: "Bob", 5: "Cy"}


FLOOR: Final = Given(actor="Floor", role=Role.FLOORPERSON)
DEALER: Final = Given(actor="Dealer", role=Role.DEALER)


class Script(msgspec.Struct, frozen=True, kw_only=True):
    """One playthrough."""

    preset: str
    about: str
    cards: str
    """The first cards of the shoe."""
    wagers: Mapping[int, Mapping[str, int]]
    decisions: Mapping[int, Sequence[int]] = {}
    """By seat; the default is the lowest raise."""
    dealing: Dealing = Dealing.MANUAL_SHOE
    shuffler: Shuffler = Shuffler.AUTOMATED
    readings: Mapping[str, str] = {}
    at: Mapping[str, Sequence[Command | tuple[Command, Given]]] = {}
    """Extra commands, when a step is first due, or after this many cards: `ask`, `3 dealt`."""
    names: str = ""
    """Of a scanned shoe: the cards as they are turned."""
    timeout: int | None = None
    miscounted: bool = False
    misdealt: bool = False
    before: int = 0
    """Rounds played before."""


def _ante(**more: int) -> dict[str, int]:
    return {"ante": 1000, **{name.replace("_", "-"): amount for name, amount in more.items()}}


ROYAL_H, ROYAL_S = "Ah Kh Qh Jh Th", "As Ks Qs Js Ts"


def _woven(*hands: str) -> str:
    """Cards in the order in which hands of equal length are dealt one card at a time."""
    return " ".join(card for cards in zip(*(text.split() for text in hands), strict=True) for card in cards)


SCRIPTS: Final[Mapping[str, Script]] = {
    **{
        f"{game}-{dealing}": Script(
            preset=preset, about=f"A round dealt from a {dealing}: one wins or loses, one folds with a side wager.",
            cards="", dealing=dealing, wagers={1: _ante(), 3: _ante(**side)}, decisions={3: [0]},
        )
        for game, preset, side in (("639a", STUD, {"five_card_hand_player": 100}), ("682a", PRIME, {"all_six": 100}), ("683a", CAJUN, {"all_six": 100}))
        for dealing in Dealing
    },
    "639a-dealer-qualifies": Script(preset=STUD, about="A flush beats the dealer's pair.", cards=_woven("Ah Jh 9h 6h 3h", "Ks Kd 8c 5d 2c"), wagers={1: _ante(bonus=500)}),
    "639a-dealer-does-not-qualify": Script(preset=STUD, about="The Ante is paid, the Bet returned.", cards=_woven("7h 6c 4d 3s 2h", "As Qd 8c 5d 3c"), wagers={1: _ante()}),
    "639a-tie": Script(preset=STUD, about="Equal hands: both wagers come back.", cards=_woven("Ah Kc 9d 6s 3h", "As Kd 9c 6d 3c"), wagers={1: _ante()}),
    "639a-two-jackpots-in-one-round": Script(
        preset=STUD, about="Two royal flushes: settled from the dealer's right, each validated.",
        cards=_woven(ROYAL_H, ROYAL_S, "2c 2d 3c 3d 4c"), wagers={1: _ante(progressive=100), 3: _ante(progressive=100)},
    ),
    "639a-envy": Script(
        preset="progressive-d", about="A folded player keeps the right to Envy for another's straight flush.",
        cards=_woven("9h 8h 7h 6h 5h", "Kc Jd 8s 4c 2h", "Ac Qd 8d 4d 2c"), wagers={1: _ante(progressive=100), 3: _ante(progressive=100)}, decisions={3: [0]},
    ),
    "639a-dealers-jackpot-divided": Script(
        preset=STUD, about="A straight flush of the dealer's: a tenth of the meter, by two.",
        cards=_woven("Kc Jd 8s 4c 2h", "Ac Qd 8d 4d 2c", "9h 8h 7h 6h 5h"), wagers={1: _ante(five_card_hand_dealer=100), 3: _ante(five_card_hand_dealer=100)},
    ),
    "682a-tie-wins": Script(preset=PRIME, about="A tie wins.", cards=_woven("Ah Kc 9d 6s 2h", "As Kd 9c 6d 2c") + " 3s", wagers={1: _ante()}),
    "682a-win-bonus": Script(preset=PRIME, about="Fours beat threes and are paid the Win Bonus.", cards=_woven("9h 9c 9d 9s 2h", "As Ad Ac 6d 2c") + " 3s", wagers={1: _ante()}, decisions={1: [3]}),
    "682a-bad-beat": Script(preset=PRIME, about="Threes lose to fours: the Ante comes back, and a bonus.", cards=_woven("9h 9c 9d 8s 2h", "As Ad Ac Ah 2c") + " 3s", wagers={1: _ante()}, decisions={1: [3]}),
    "683a-push": Script(preset=CAJUN, about="A pair of eights: everything comes back.", cards="8h 8c Kd 6s 2h", wagers={1: _ante()}),
    "683a-limit": Script(preset=CARD, about="A royal flush beyond the payout limit of the rack card.", cards="2c Qh Jh Th Ah Kh", wagers={1: {"ante": 10_000}}, decisions={1: [3, 3, 3]}, readings={}),
    "683a-rack-card": Script(
        preset=CARD, about="Four cards first: the one dealt first stays for All-Six, three slide to the board. One folds, and his cards are tucked under the Pocket Bonus.",
        cards="Ac Kd Ah As 2c 9h 7d 9s", wagers={1: _ante(), 3: _ante(all_six=100, pocket_bonus=100)}, decisions={3: [0]},
    ),
    "683a-folds-late-with-side-wagers": Script(preset=CAJUN, about="A fold at the third decision; side wagers are settled.", cards="5h 7c 2d 3s 8h", wagers={1: _ante(lo_ball=100, board_bonus=100)}, decisions={1: [1, 2, 0]}),
    "639a-cut-and-recut": Script(preset=STUD, about="Shuffled by hand, cut, and cut again on the floorperson's order.", cards="", wagers={1: _ante()}, shuffler=Shuffler.NONE, at={"call": [Recut()]}),
    "639a-wrong-stub-count": Script(preset=STUD, about="The fifth round: the stub is short, nobody misdealt. Void; the deck is removed.", cards="", wagers={1: _ante()}, before=4, miscounted=True),
    "682a-misdeal-at-the-count": Script(preset=PRIME, about="The count is wrong because of a misdeal: void, the deck stays.", cards="", wagers={1: _ante()}, before=4, miscounted=True, misdealt=True),
    "639a-card-face-up": Script(preset=STUD, about="One card face up is set aside.", cards="", wagers={1: _ante()}, at={"3 dealt": [Report("face-up-card")]}),
    "682a-two-cards-face-up": Script(preset=PRIME, about="A second card face up voids the round.", cards="", wagers={1: _ante(prime=100)}, at={"3 dealt": [Report("face-up-card")], "5 dealt": [Report("face-up-card"), Acknowledge()]}),
    "683a-card-drawn-in-error": Script(preset=CAJUN, about="A card drawn in error is the next card.", cards="", wagers={1: _ante()}, at={"1 dealt": [Report("drawn-in-error")]}),
    "639a-wrong-number-of-cards": Script(preset=STUD, about="Void after one has folded: all wagers come back.", cards="", wagers={1: _ante(), 3: _ante(bonus=100)}, decisions={1: [0]}, at={"3 to act": [Report("wrong-number"), Acknowledge()]}),
    "639a-hole-card-exposed": Script(preset=STUD, about="639a returns every wager.", cards="", wagers={1: _ante(bonus=100)}, at={"ask": [Report("exposed"), Acknowledge()]}),
    "682a-dealers-card-exposed": Script(preset=PRIME, about="682a settles the side wagers.", cards="", wagers={1: _ante(prime=100, aces_bonus=100)}, at={"4 dealt": [Report("exposed"), Acknowledge()]}),
    "683a-community-card-exposed": Script(preset=CAJUN, about="683a settles the side wagers.", cards="8h 8c Kd 6s 2h", wagers={1: _ante(pocket_bonus=100)}, at={"ask": [Report("exposed"), Acknowledge()]}),
    "682a-exposed-after-one-has-raised": Script(
        preset=PRIME, about="Raised with four aces, then the round is void: no bonus on the Ante.",
        cards=_woven("Ac Ad Ah As 9c", "2c 3d 5h 8s Tc", "2d 3h 6s 8c Td") + " 4d", wagers={1: _ante(prime=100), 3: _ante(aces_bonus=100)},
        decisions={1: [3]}, at={"3 to act": [Report("exposed"), Acknowledge()]},
    ),
    "682a-shuffler-jam": Script(preset=PRIME, about="The shuffler jams: the cards are shuffled again.", cards="", wagers={1: _ante()}, at={"shuffle": [Report("shuffler-jam")]}),
    "683a-shoe-jam": Script(preset=CAJUN, about="The automated shoe jams in the round: void.", cards="", dealing=Dealing.AUTOMATED_SHOE, wagers={1: _ante(lo_ball=100), 3: _ante()}, at={"1 dealt": [Report("shoe-jam"), Acknowledge()]}),
    "639a-shuffler-out-of-order": Script(preset=STUD, about="The shuffler fails, is covered, and the cards are shuffled and cut by hand.", cards="", wagers={1: _ante()}, at={"shuffle": [Report("malfunction", "shuffler"), Cover("shuffler")]}),
    "683a-player-leaves": Script(preset=CAJUN, about="A player leaves before his second decision.", cards="", wagers={1: _ante(pocket_bonus=100), 3: _ante()}, at={"second ask": [Leave(1)]}),
    "639a-deck-changed": Script(preset=STUD, about="The deck is changed between rounds.", cards="", wagers={1: _ante()}, at={"shuffle": [ChangeDeck()]}),
    "639a-validation-refused": Script(
        preset=STUD, about="The floorperson does not validate at first; the box is settled again, then documented.",
        cards=_woven(ROYAL_H, "2c 2d 3c 3d 4c"), wagers={1: _ante(progressive=100)}, at={"1 claimed": [(Reject(), FLOOR), (Perform(), DEALER), (Acknowledge(), msgspec.structs.replace(FLOOR, light=True))]},
    ),
    "639a-payout-withheld": Script(
        preset=STUD, about="The system shows no light: the payout is withheld, and back on the meter.",
        cards=_woven(ROYAL_H, "2c 2d 3c 3d 4c"), wagers={1: _ante(progressive=100)}, at={"1 claimed": [(Withhold("no light for this hand"), FLOOR)]},
    ),
    "682a-preshuffled-deck": Script(preset=PRIME, about="A preshuffled deck is placed and cut.", cards="", wagers={1: _ante()}, at={"shuffle": [ChangeDeck(), (Perform(), msgspec.structs.replace(DEALER, preshuffled=True))]}),
    "683a-shuffled-again": Script(preset=CAJUN, about="The floorperson has the cards shuffled again.", cards="", wagers={1: _ante()}, at={"call": [(Reshuffle(), FLOOR)]}),
    "639a-name-corrected": Script(
        preset=STUD, about="A card that was named wrongly is corrected before anybody is settled.", cards="", names="Kd Ks 8h 8c 2c Ah Jh 9h 6h 3h", wagers={1: _ante()},
        at={"settle": [(Correct(hand("8d")[0], 3, place="dealer"), FLOOR)]},
    ),
    "639a-chips-do-not-match": Script(
        preset=STUD, about="Two chips for one wager accepted: the floorperson decides.", cards="", wagers={1: _ante(progressive=100)},
        at={"chips": [(Perform(), msgspec.structs.replace(FLOOR, counted=2))]},
    ),
    "639a-chip-missing": Script(
        preset=STUD, about="One chip for two wagers accepted: the floorperson cancels the one without a chip.", cards="", wagers={1: _ante(progressive=100), 3: _ante(progressive=100)},
        at={"chips": [(Perform(), msgspec.structs.replace(FLOOR, counted=1, without_chip=(1,)))]},
    ),
    "639a-shuffler-counts-51": Script(
        preset=STUD, about="The device counts 51 cards: the deck is removed, another received.", cards="", wagers={1: _ante()}, shuffler=Shuffler.COUNTING,
        at={"shuffle": [(Perform(), msgspec.structs.replace(DEALER, counted=51, cards=DECK))]},
    ),
    "682a-shoe-out-of-order": Script(
        preset=PRIME, about="The automated shoe fails, is covered, and the cards are dealt from the hand.", cards="", wagers={1: _ante()}, dealing=Dealing.AUTOMATED_SHOE,
        at={"shuffle": [Report("malfunction", "shoe"), Cover("shoe"), ChangeDealing(Dealing.HAND)]},
    ),
    "683a-idle-table": Script(preset=CAJUN, about="Nobody plays: the cards are spread, then washed and shuffled again.", cards="", wagers={1: _ante()}, at={"shuffle": [Idle()]}),
    "683a-not-decided-in-time": Script(
        preset=CAJUN, about="Who does not decide within the Submission's 60 seconds is folded by house policy.", cards="", wagers={1: _ante(pocket_bonus=100), 3: _ante()}, timeout=60,
        at={"ask": [(Tick(), Given(actor="Clock", role=Role.SYSTEM, time=60))]},
    ),
    "639a-six-cards-found-at-settlement": Script(
        preset=STUD, about="A hand of six cards comes out when one box is settled already: all is void.", cards="", wagers={1: _ante(bonus=100), 3: _ante()},
        at={"3 settled": [Report("wrong-number", seat=1, cards=6), Acknowledge()]},
    ),
    "639a-scanned-shoe": Script(
        preset=STUD, about="Nobody knows the cards; the dealer names each when it is turned.", cards="", names="Kd Ks 8h 8c 2c Ah Jh 9h 6h 3h", wagers={1: _ante(), 3: _ante()}, decisions={3: [0]},
    ),
}  # fmt: skip


class _Player:
    """Plays a script and records the entries."""

    def __init__(self, script: Script) -> None:
        readings = dict(script.readings)
        preset = STUD if script.preset == "progressive-d" else script.preset
        letters = {"progressive": "D"} if script.preset == "progressive-d" else {}
        self.script = script
        self.table = open_for_gaming(
            preset,
            {seat: NAMES[seat] for seat in script.wagers},
            dealing=script.dealing,
            shuffler=script.shuffler,
            readings=readings,
            paytable_letters=letters,
            scanned=bool(script.names),
            timeout=script.timeout,
        )
        self.names = list(hand(script.names)) if script.names else []
        amounts = dict.fromkeys(self.table.rules.terms.meters, 100)
        starting = {"main": 23_456_78 * CENT, "five-card-hand": 11_111_11 * CENT}
        self.bank = open_bank(self.table.rules.terms, amounts, starting)
        self.lines: list[str] = []
        self.quiet = True
        self.done: set[str] = set()
        self.dealt = self.asks = 0
        self.orders: list[tuple[Table, Command, Given]] = []

    def do(self, command: Command, given: Given) -> None:
        given = msgspec.structs.replace(given, time=max(given.time, self.table.now), meters=self.bank.shows)
        if self.table.rules.scanned and isinstance(command, Perform):
            turned = cards_to_name(self.table, given)
            given = msgspec.structs.replace(given, cards=tuple(self.names[:turned]))
            self.names = self.names[turned:]
        decided = transitions(self.table, command, given)
        entry = Entry(0, command, given, tuple(one.event for one in decided))
        replayed = ReplayedEntry(self.table, entry, decided)
        self.orders.append((self.table, command, given))
        if not self.quiet:
            self.lines += narrate(replayed)
        self.bank = apply_to_bank(self.bank, decided)
        self.table = replayed.after

    def besides(self) -> None:
        """Carry out the script's commands for this moment."""
        do, seat = self.table.due.do, view(self.table).to_act
        moments = [do, f"{self.dealt} dealt", f"{seat} to act", "second ask" if self.asks == 2 else ""]
        moments += [f"{box.seat} claimed" for box in self.table.boxes.values() if box.claimed]
        moments += [f"{box.seat} settled" for box in self.table.boxes.values() if box.settled]
        for moment in moments:
            if moment in self.script.at and moment not in self.done:
                self.done.add(moment)
                for said in self.script.at[moment]:
                    self.do(*(said if isinstance(said, tuple) else (said, _actor(said, self.table))))

    def step(self) -> None:
        if not self.quiet:
            self.besides()
        table = self.table
        if table.unacknowledged_void or any(box.claimed for box in table.boxes.values()):
            self.do(Acknowledge(), msgspec.structs.replace(FLOOR, light=True))
        elif table.due.do is Do.CLEAR and (held := undocumented_boxes(table)):
            self.do(Document(held[0].seat), FLOOR)
        elif seat := view(table).to_act:
            box = table.boxes[seat]
            number = len(box.decisions)
            said = self.script.decisions.get(seat, ())
            least = table.rules.terms.game.decisions[number].multiples[0]
            self.do(Decide(seat, said[number] if number < len(said) and not self.quiet else least), _player(box.patron))
        elif table.due.do is Do.CALL and not table.boxes:
            for seat, wagers in self.script.wagers.items():
                self.do(Wager(seat, wagers), _player(NAMES[seat]))
        else:
            role = Role(table.due.by)
            count = table.expected_stub_count - (self.script.miscounted and not self.quiet)
            counted = {Do.COUNT: count, Do.SHUFFLE: 52, Do.CHIPS: count_accepted_wagers(table, table.due.needs)}.get(
                table.due.do
            )
            self.dealt += table.due.do is Do.DEAL and not self.quiet
            self.do(
                Perform(),
                msgspec.structs.replace(
                    DEALER,
                    role=role,
                    actor="Floor" if role is Role.FLOORPERSON else "Dealer",
                    cards=_deck(self.script.cards),
                    depth=26,
                    counted=counted,
                    misdealt=self.script.misdealt,
                ),
            )
            self.asks += table.due.do is not Do.ASK and self.table.due.do is Do.ASK and not self.quiet


def _player(name: str) -> Given:
    return Given(actor=name, role=Role.PLAYER)


def _actor(command: Command, table: Table) -> Given:
    if isinstance(command, Leave):
        return _player(table.seated[command.seat])
    floor = isinstance(command, Acknowledge | Recut | ChangeDeck | ChangeDealing)
    return FLOOR if floor else DEALER


def _deck(first: str) -> tuple[Card, ...]:
    top = hand(first) if first else ()
    rest = [card for card in DECK if card not in top]
    return (*top, *rest[7:], *rest[:7]) if top else tuple(rest[i * 11 % 52] for i in range(52))


def orders(name: str) -> list[tuple[Table, Command, Given]]:
    """Return every order of a playthrough, each with the table it was given at."""
    return _played(SCRIPTS[name]).orders


def playthrough(name: str) -> str:
    """Return one playthrough as text."""
    script = SCRIPTS[name]
    player = _played(script)
    head = f"{script.preset}, {script.dealing}: {script.about}"
    return "\n".join([head, "", *player.lines, ""])


def _played(script: Script) -> _Player:
    player = _Player(script)
    while player.table.round < script.before:
        player.step()
    player.quiet = False
    while player.table.round == script.before:
        player.step()
    return player


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in SCRIPTS:
        (FOLDER / f"{name}.txt").write_text(playthrough(name), "utf-8")
