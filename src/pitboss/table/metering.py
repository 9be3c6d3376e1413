"""Moves the meters of a table by its events: increments at the call, wins at settlement, reversal of voids.

Each amount of a wager feeds its own meters, so a table has one bank for each offer and amount.
"""

from collections.abc import Mapping, Sequence

from pitboss.games import Line, Outcome
from pitboss.games.settlement_inputs import meter_key
from pitboss.progressive import (
    Bank,
    accept,
    bank_of,
    cancel,
    end_round,
    give_back,
    paid,
    pay_part,
    reveal,
    take,
    unclaimed,
    void,
)
from pitboss.submission import Submission
from pitboss.table import events
from pitboss.table.box_settlement import hands_of, jackpot_parts
from pitboss.table.evolution import Transition
from pitboss.table.state import Box, Table

Banks = Mapping[tuple[str, int], Bank]
"""By offer and amount in cents."""


def banks_of(submission: Submission) -> dict[tuple[str, int], Bank]:
    """Open the meters of every amount that a Submission offers."""
    offered = ((offer, int(amount)) for offer, wager in submission.wagers.items() for amount in wager.amounts or ())
    return {(offer, amount): bank_of(submission, {offer: amount}) for offer, amount in offered}


def meter_balances(banks: Banks) -> dict[str, int]:
    """Return all meter balances in micro-cents, by name and amount, as `Given.meters` takes them."""
    return {meter_key(name, amount): now for (_, amount), bank in banks.items() for name, now in bank.shows.items()}


def apply_to_banks(banks: Banks, transitions: Sequence[Transition]) -> dict[tuple[str, int], Bank]:
    """Return all banks after the transitions of a command."""
    return {key: apply_to_bank(bank, transitions) for key, bank in banks.items()}


def apply_to_bank(bank: Bank, transitions: Sequence[Transition]) -> Bank:
    """Return one bank after the transitions of a command; wagers of other amounts belong to other banks."""
    voids = any(isinstance(one.event, events.Voided) for one in transitions)
    for one in transitions:
        before, event, table = one.before, one.event, one.after
        boxes = list(table.boxes.values())
        match event:
            case events.Called():
                for box in boxes:
                    bank = accept(bank, _wagers_of_bank(bank, box.wagers))
            case events.ChipsPlaced(offer, cancelled=seats):
                for seat in seats:
                    bank = cancel(bank, _wagers_of_bank(bank, before.wagers_of(seat, offer)))
            case events.Turned(meters=meters) if meters:
                bank = reveal(bank, hands_of(table, boxes[0]), _sharing(bank, table))
            case events.Claimed(lines=lines):  # the amount is fixed now and pending until validated
                bank = take(bank, _lines_of_bank(bank, lines))
            case events.Rejected(seat=seat) | events.Withheld(seat=seat):
                aside = table.boxes[seat].aside
                undone = [line for line in _lines_of_bank(bank, before.boxes[seat].claimed) if line.wager not in aside]
                bank = give_back(bank, undone, for_good=isinstance(event, events.Withheld))
            case events.Settled(seat=seat, lines=lines, by_hand=by_hand) if not voids:
                withheld = any(line.outcome is Outcome.WITHHELD for line in lines)
                bank = bank if before.boxes[seat].claimed and not withheld else take(bank, _lines_of_bank(bank, lines))
                for line in _lines_of_bank(bank, lines):
                    bank = pay_part(bank, line) if line.wager in by_hand else bank
            case events.Corrected(place=place) if table.meters_at_reveal and place in _dealers(table):
                bank = reveal(void(bank, []), hands_of(table, boxes[0]), _sharing(bank, table))
            case events.Removed() if before.called:
                bank = end_round(bank)
            case events.Voided():
                bank = void(bank, [_wagers_of_bank(bank, _returned_wagers(box)) for box in boxes])
            case events.Cleared():  # all wins are validated and documented by now
                bank = end_round(paid(unclaimed(bank)))
            case _:
                pass
    return bank


def _returned_wagers(box: Box) -> dict[str, int]:
    """Return the wagers that a void returns; forfeited ones stay, with their increments."""
    not_returned = {line.wager for line in box.lines if line.outcome is not Outcome.RETURNED}
    return {name: amount for name, amount in box.wagers.items() if name not in not_returned}


def _wagers_of_bank(bank: Bank, wagers: Mapping[str, int]) -> dict[str, int]:
    """Return the wagers whose amounts belong to the bank."""
    offers = {name: bank.terms.game.wager(name).offer for name in wagers}
    return {name: amount for name, amount in wagers.items() if bank.amounts.get(offers[name]) == amount}


def _lines_of_bank(bank: Bank, lines: Sequence[Line]) -> list[Line]:
    """Return the lines whose stakes belong to the bank."""
    offers = {wager.name: wager.offer for wager in bank.terms.game.wagers}
    return [line for line in lines if bank.amounts.get(offers.get(line.wager, "")) == line.stake]


def _dealers(table: Table) -> tuple[str, ...]:
    contest = table.rules.terms.game.contest
    return contest.dealer if contest else ()


def _sharing(bank: Bank, table: Table) -> dict[str, int]:
    """Return how many parts share each jackpot that is fixed when the dealer's hand is turned."""
    return {
        wager.name: jackpot_parts(table, wager.name, bank.amounts.get(wager.offer))
        for wager in table.rules.terms.game.at_reveal
        if wager.offer in bank.amounts
    }
