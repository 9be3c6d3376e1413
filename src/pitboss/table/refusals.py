"""Decide whether a command is refused, and by which clause or house rule.

`player_refusals` has the reasons to refuse a patron's commands, `irregularities` those to refuse a report.
"""

from typing import Final

from pitboss.cards import DECK
from pitboss.games.declarations import ByTable
from pitboss.rulebook.grounds import Ground
from pitboss.rulebook.procedures import Do
from pitboss.submission import Dealing
from pitboss.table import irregularities, steps
from pitboss.table.box_settlement import needs_validation, undocumented_boxes
from pitboss.table.commands import (
    ROLES_BY_COMMAND,
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
    Refusal,
    Reject,
    Repair,
    Report,
    Reshuffle,
    Role,
    Sit,
    Stand,
    Tick,
    Wager,
    Warn,
    Withhold,
)
from pitboss.table.decks import decks_refusal
from pitboss.table.devices import approved_device_works, can_deal_by, shuffler_counts, spread_due
from pitboss.table.inputs import draws_are_offered, has_valid_salts, missing_meter, needs_system_light
from pitboss.table.irregularities import report_refusal
from pitboss.table.player_refusals import SEATS, decide_refusal, sit_refusal, stand_refusal, wager_refusal
from pitboss.table.state import Table
from pitboss.table.steps import is_timed, next_to_decide

ROLES_RULE: Final = "house rule: who may do what"
COMMITMENT_RULE: Final = "house rule: the order of the cards is committed to"
CLOCK_RULE: Final = "house rule: the clock does not run backwards"
TIMEOUT_RULE: Final = "house rule: the decision timeout of the Submission"
SCANNED_SHOE_RULE: Final = "house rule: a card of a scanned shoe is named when it is turned"
DOCUMENTATION_RULE: Final = "house rule: only payouts off a meter are documented"
DRAW_RULE: Final = "house rule: only what is offered is drawn"
MIN_CUT_DEPTH: Final = 10
"""Minimum number of cards above the cover card: .5(d)."""
HOUR: Final = 3600


def refusal(table: Table, command: Command, given: Given) -> Refusal | None:
    """Return the reason to refuse a command, or None.

    This is the only check inside `pitboss.table`; the house adds its own.
    """
    if given.role not in ROLES_BY_COMMAND[type(command)]:
        return Refusal(f"Only {_allowed_roles(command)} may do this.", ROLES_RULE)
    if given.time < table.now:
        return Refusal(f"The time {given.time} is earlier than the table's last command, {table.now}.", CLOCK_RULE)
    if refused := _command_refusal(table, command, given):
        return refused
    return _card_names_refusal(table, command, given) if table.rules.scanned else None


def _allowed_roles(command: Command) -> str:
    people = [role for role in Role if role in ROLES_BY_COMMAND[type(command)] and role is not Role.SYSTEM]
    return " or ".join(f"a {role}" for role in people) or "the system"


def _command_refusal(table: Table, command: Command, given: Given) -> Refusal | None:
    match command:
        case Perform():  # first because it is the most frequent
            return _perform_refusal(table, given)
        case Sit(seat):
            return sit_refusal(table, seat, given)
        case Stand(seat):
            return stand_refusal(table, seat, given)
        case Wager(seat, wagers):
            return wager_refusal(table, seat, wagers, given)
        case Decide(seat, multiple):
            return decide_refusal(table, seat, multiple, given)
        case Report():
            return report_refusal(table, command)
        case _:
            return _state_refusal(table, command, given)


def _state_refusal(table: Table, command: Command, given: Given) -> Refusal | None:
    """Refuse a command that does not fit the present state of the table."""
    grounds = table.rules.grounds
    match command:
        case Leave(seat):
            may_leave = given.role is not Role.PLAYER or table.seated.get(seat) == given.actor
            if seat not in table.seated or not may_leave:
                return Refusal("That seat is not yours." if seat in table.seated else "Nobody sits there.", SEATS)
        case Acknowledge():
            has_claim = any(box.claimed for box in table.boxes.values())
            if not table.unacknowledged_void and not has_claim:
                return Refusal("Nothing is waiting for a floorperson.", ROLES_RULE)
            if has_claim and not table.void and not given.light and needs_system_light(table):
                return Refusal("The progressive system shows no light for this hand.", grounds[Ground.LIGHT])
        case Document(seat):
            if seat not in (held.seat for held in undocumented_boxes(table)):
                return Refusal(f"Seat {seat} has no payout to document.", _documentation_clause(table))
        case Idle(face_up):
            return _idle_refusal(table, face_up=face_up)
        case Recut():
            dealt = any(box.cards for box in table.boxes.values()) or table.places or table.set_aside
            before_deal = table.ready and table.due.do in (Do.CALL, Do.LOCK, Do.CHIPS, Do.DEAL)
            if not before_deal or dealt or table.void or not table.was_cut:
                return Refusal("Recut after a cut and before the first card is dealt.", grounds[Ground.RECUT])
        case Cover(device):
            if device not in table.broken:
                return Refusal("That device has not failed, or is covered already.", grounds[Ground.OUT_OF_ORDER])
        case ChangeDeck():
            if table.called:
                return Refusal("Change the deck between rounds.", grounds[Ground.DECK_CHANGE])
        case Reject() | Withhold():
            if not any(box.claimed for box in table.boxes.values()):
                return Refusal("No payout is waiting for a floorperson.", ROLES_RULE)
            if isinstance(command, Withhold) and not command.reason.strip():
                return Refusal("Give a reason for withholding the payout.", ROLES_RULE)
        case Reshuffle():
            if not table.ready or table.called or table.due.do not in (Do.CUT, Do.CALL):
                return Refusal("Reshuffle after a shuffle and before “no more bets”.", grounds[Ground.SHUFFLE])
        case Correct():
            return _correct_refusal(table, command)
        case Repair(device):
            if device not in table.covered:
                return Refusal("That device is not out of order.", grounds[Ground.OUT_OF_ORDER])
        case ChangeDealing(dealing):
            return _change_dealing_refusal(table, dealing)
        case Warn(seat):
            box = next_to_decide(table)
            if box is None or box.seat != seat:
                return Refusal(f"Seat {seat} has nothing to decide now.", TIMEOUT_RULE)
            if is_timed(table):
                return Refusal(f"Seat {seat} already has a deadline.", TIMEOUT_RULE)
        case Tick():
            box = next_to_decide(table)
            if box is None or not is_timed(table):
                return Refusal("No decision is being timed.", TIMEOUT_RULE)
            if given.time < table.deadline:
                return Refusal(f"Seat {box.seat} has until {table.deadline} to decide.", TIMEOUT_RULE)
        case _:
            pass
    return None


def _idle_refusal(table: Table, *, face_up: bool) -> Refusal | None:
    """Refuse to spread the cards during play, or twice."""
    grounds = table.rules.grounds
    if approved_device_works(table):
        return Refusal("An approved device holds the cards; they are not spread.", grounds[Ground.APPROVED_DEVICE])
    if table.spread:
        turns_faces_up = face_up and table.spread == "down"
        return None if turns_faces_up else Refusal("The cards are already spread.", grounds[Ground.NO_PLAY])
    if not table.ready or table.boxes or table.due.do not in (Do.SHUFFLE, Do.CUT, Do.CALL):
        return Refusal("Spread the cards only while nobody plays.", grounds[Ground.NO_PLAY])
    return None


def _correct_refusal(table: Table, command: Correct) -> Refusal | None:
    box = table.boxes.get(command.seat)
    slots = (box.cards if not box.racked else ()) if box else table.places.get(command.place, ())
    if not table.rules.scanned:
        return Refusal("Only cards of a scanned shoe can be renamed.", SCANNED_SHOE_RULE)
    if bool(command.seat) == bool(command.place):
        return Refusal("Give either a seat or a place.", SCANNED_SHOE_RULE)
    if not 0 <= command.number < len(slots) or not slots[command.number].up:
        return Refusal("No card lies face up there.", SCANNED_SHOE_RULE)
    if any(box.claimed for box in table.boxes.values()):
        return Refusal("A payout is claimed on these cards; reject it first.", SCANNED_SHOE_RULE)
    if table.void:
        return Refusal("The round is void; its cards cannot be renamed.", SCANNED_SHOE_RULE)
    if any(box.settled for box in table.boxes.values()):
        return Refusal("A box is already settled on these cards; report an irregularity instead.", SCANNED_SHOE_RULE)
    if command.card in table.cards:
        return Refusal(f"{command.card} is already on the table.", SCANNED_SHOE_RULE)
    return None


def _change_dealing_refusal(table: Table, dealing: Dealing) -> Refusal | None:
    """Refuse a way of dealing whose device does not work. While the Submission's way works, refuse any other."""
    submitted = table.rules.submitted
    if not table.ready or table.called or table.due.do is not Do.SHUFFLE:
        return Refusal(
            "Change the way of dealing between rounds, before a shuffle.", table.rules.grounds[Ground.OUT_OF_ORDER]
        )
    if dealing is table.rules.dealing:
        return Refusal("The table already deals this way.", table.rules.grounds[Ground.OUT_OF_ORDER])
    if refused := _failed_device_refusal(table):
        return refused
    if dealing is not submitted and can_deal_by(table, submitted):
        return Refusal(
            f"The Submission's way of dealing, {submitted}, still works.",
            table.rules.grounds[Ground.OUT_OF_ORDER],
        )
    if not can_deal_by(table, dealing):
        needed = Ground.HAND_NEEDS_SHUFFLER if dealing is Dealing.HAND else Ground.OUT_OF_ORDER
        return Refusal(
            "The device that this way of dealing needs is missing or has failed.", table.rules.grounds[needed]
        )
    return None


def _failed_device_refusal(table: Table) -> Refusal | None:
    """Refuse to continue while a failed device is neither covered nor marked with a sign."""
    if not table.broken:
        return None
    failed = " and ".join(table.broken)
    return Refusal(
        f"The {failed} must be covered or marked with a sign first.", table.rules.grounds[Ground.OUT_OF_ORDER]
    )


def _card_names_refusal(table: Table, command: Command, given: Given) -> Refusal | None:
    """Refuse a command on a scanned shoe that names too many or too few cards, or one card twice."""
    match command:
        case Perform():
            cards_turned = steps.cards_to_name(table, given)
        case Report():
            cards_turned = irregularities.count_cards_a_report_turns(table, command, given)
        case _:
            return None
    named = len(given.cards)
    if named != cards_turned:
        return Refusal(f"Name each card turned up: {cards_turned} turned up, {named} named.", SCANNED_SHOE_RULE)
    if given.salts:
        return Refusal("The cards of a scanned shoe have no salts.", COMMITMENT_RULE)
    on_table = {card for card in table.cards if card}
    if present := next((card for card in given.cards if card in on_table), None):
        return Refusal(f"{present} is already on the table.", SCANNED_SHOE_RULE)
    if repeated := next((card for card in given.cards if given.cards.count(card) > 1), None):
        return Refusal(f"{repeated} is named twice.", SCANNED_SHOE_RULE)
    return None


def _perform_refusal(table: Table, given: Given) -> Refusal | None:
    step = table.due
    role = given.role
    floorperson_at_chips = role is Role.FLOORPERSON and step.do is Do.CHIPS  # if chips and wagers do not match
    if role != step.by and (role, step.by) != (Role.SYSTEM, Role.DEALER) and not floorperson_at_chips:
        return Refusal(f"Waiting for a {step.by}: the step “{step.do}” is due.", step.cite)
    if table.void and not table.acknowledged:
        return Refusal("The round is void. A floorperson must acknowledge it first.", table.void)
    if given.meters and min(given.meters.values()) < 0:
        return Refusal("A meter cannot be negative.", step.cite)
    if refused := decks_refusal(table, given):
        return refused
    if spread_due(table):
        return Refusal("The last player has left. Spread the cards first.", table.rules.grounds[Ground.NO_PLAY])
    if given.without_chip and step.do is not Do.CHIPS:
        return Refusal("A wager can be cancelled only while the chips are counted.", step.cite)
    match step.do:
        case Do.DEAL:
            return None
        case Do.SETTLE if any(box.claimed for box in table.boxes.values()):
            return Refusal("Waiting for a floorperson to validate a payout.", _validation_clause(table))
        case Do.ASK:
            box = next_to_decide(table)
            return Refusal(f"Waiting for seat {box.seat if box else '?'} to decide.", step.cite)
        case Do.SHUFFLE:
            return _shuffle_refusal(table, given)
        case Do.CUT if not MIN_CUT_DEPTH <= given.depth < len(DECK):
            return Refusal(f"Put the cover card at least {MIN_CUT_DEPTH} cards from the top.", step.cite)
        case Do.CUT if not has_valid_salts(given) or bool(table.root) != bool(given.salts):
            return Refusal(
                "A cut needs 52 salts of 32 bytes if the shuffle had salts, and none otherwise.", COMMITMENT_RULE
            )
        case Do.COUNT if given.counted is None or not 0 <= given.counted <= len(DECK):
            return Refusal(f"Give the stub count, 0 to {len(DECK)}.", step.cite)
        case Do.WASH if not table.seated:
            return Refusal("The cards stay spread until a player arrives.", step.cite)
        case Do.VERIFY if given.actor == table.inspected_by:
            return Refusal("Another person must verify the inspection.", step.cite)
        case Do.SETTLE | Do.TURN if missing := missing_meter(table, given):
            return Refusal(f"The balance of the meter {missing} is missing.", step.cite)
        case Do.CLEAR if held := undocumented_boxes(table):
            seat = held[0].seat
            return Refusal(
                f"The hand of seat {seat} stays until its payout is documented.", _documentation_clause(table)
            )
        case Do.CALL if not table.boxes:
            return Refusal("Nobody has wagered.", step.cite)
        case Do.CALL if table.rules.dealing is Dealing.AUTOMATED_SHOE and not can_deal_by(
            table, Dealing.AUTOMATED_SHOE
        ):
            return Refusal(
                "The automated shoe has failed. Shuffle again and deal another way.",
                table.rules.grounds[Ground.OUT_OF_ORDER],
            )
        case Do.CALL if not draws_are_offered(table, given):
            return Refusal("The system drew for a bonus that this table does not offer.", DRAW_RULE)
        case Do.CALL:
            return _deck_hours_refusal(table, given)
        case Do.CHIPS:
            return _chip_count_refusal(table, given, by_floorperson=floorperson_at_chips)
        case _:
            return None


def _validation_clause(table: Table) -> str:
    """Return the clause that requires validation of the claimed payout."""
    claimed = (line for box in table.boxes.values() for line in box.claimed if needs_validation(table, (line,)))
    return table.rules.validated[next(claimed).wager][1]


def _documentation_clause(table: Table) -> str:
    """Return the clause that keeps a hand on the table until its payout is documented."""
    game = table.rules.terms.game
    paid = (line.wager for box in table.boxes.values() if not box.documented for line in box.lines if line.meter)
    by = next((game.wager(name).by for name in paid), None)
    return by.wins if isinstance(by, ByTable) else table.rules.grounds.get(Ground.DOCUMENTATION, DOCUMENTATION_RULE)


def _chip_count_refusal(table: Table, given: Given, *, by_floorperson: bool) -> Refusal | None:
    """Refuse a chip count that differs from the accepted wagers until a floorperson decides.

    The floorperson may cancel wagers without a chip; exactly one chip must remain for each other wager.
    """
    cite, seats, cancelled = table.due.cite, seats_with_wager(table, table.due.needs), set(given.without_chip)
    if given.counted is None or given.counted < 0:
        return Refusal("The chips must be counted.", cite)
    accepted, remaining = len(seats), len(seats) - len(cancelled)
    count = f"Chips counted: {given.counted}, wagers accepted: {accepted}"
    if not by_floorperson and given.counted != accepted:
        return Refusal(f"{count}. A floorperson must decide first.", cite)
    if not cancelled:
        return None
    if given.counted >= accepted:
        return Refusal(f"{count}. No chip is missing, so no wager is cancelled.", cite)
    if stray := cancelled - set(seats):
        return Refusal(f"Box {min(stray)} has no {table.due.needs} wager.", cite)
    if given.counted != remaining:
        return Refusal(f"{count}, wagers remaining: {remaining}. One wager must remain for each chip.", cite)
    return None


def seats_with_wager(table: Table, offer: str) -> tuple[int, ...]:
    """Return the seats whose boxes have a wager on this offer."""
    return tuple(seat for seat in table.boxes if table.wagers_of(seat, offer))


def count_accepted_wagers(table: Table, offer: str) -> int:
    """Return the number of accepted wagers on this offer; a box has at most one."""
    return len(seats_with_wager(table, offer))


def _shuffle_refusal(table: Table, given: Given) -> Refusal | None:
    step, grounds, rules = table.due, table.rules.grounds, table.rules
    if refused := _failed_device_refusal(table):
        return refused
    if not rules.scanned and (len(given.cards) != len(DECK) or len(set(given.cards)) != len(DECK)):
        return Refusal("A deck has 52 different cards.", step.cite)
    if not has_valid_salts(given):
        return Refusal("A commitment needs one 32-byte salt for each of the 52 positions.", COMMITMENT_RULE)
    if rules.dealing is Dealing.HAND and not can_deal_by(table, Dealing.HAND):
        return Refusal(
            "Cards dealt from the hand need an automated shuffler, and none works here.",
            grounds[Ground.HAND_NEEDS_SHUFFLER],
        )
    if rules.dealing is not rules.submitted and can_deal_by(table, rules.submitted):
        return Refusal(
            f"The Submission's way of dealing, {rules.submitted}, can be used again.", grounds[Ground.OUT_OF_ORDER]
        )
    if not can_deal_by(table, rules.dealing):
        return Refusal("The automated shoe has failed. Choose another way of dealing.", grounds[Ground.OUT_OF_ORDER])
    if shuffler_counts(table) and not table.preshuffled and given.counted is None:
        return Refusal("The shuffler's count of the cards is missing.", grounds[Ground.SHUFFLER_COUNT])
    return _deck_hours_refusal(table, given)


def _deck_hours_refusal(table: Table, given: Given) -> Refusal | None:
    """Refuse to continue with a deck that is due for a change."""
    hours, cite = deck_hours(table)
    if given.time - table.since >= hours * HOUR:
        return Refusal(f"The deck has been in use for {hours} hours and must be changed.", cite)
    return None


def deck_hours(table: Table) -> tuple[int, str]:
    """Return the maximum hours of use of a deck, and the clause."""
    hours, ground = (4, Ground.DECK_HOURS_HAND) if table.rules.dealing is Dealing.HAND else (8, Ground.DECK_HOURS_SHOE)
    return hours, table.rules.grounds[ground]
