"""Check a Submission against its chapter: all problems at once, each with its clause."""

from collections.abc import Callable, Iterator
from typing import Final

from pitboss.errors import Mistake, hint
from pitboss.games import GAMES, Game
from pitboss.games.declarations import LIMIT_SCOPE
from pitboss.games.terms import paytable_letters, paytable_with_letters
from pitboss.money import format_money
from pitboss.rulebook import GameRules, Odds, rulebook
from pitboss.rulebook.grounds import Ground
from pitboss.submission.approvals import kinds
from pitboss.submission.meters import meter_problems
from pitboss.submission.model import Dealing, Offer, Submission, is_automated_shuffler
from pitboss.submission.parser import Problem
from pitboss.submission.payout_floor import highest_payout_at_minimum, highest_payout_if_all_win
from pitboss.submission.terms import ABANDONED, terms_of

_TWO_DECKS: Final = 2
_LONGEST: Final = 100


def problems(submission: Submission) -> list[Problem]:
    """Return every problem of a Submission, in file order."""
    if submission.game not in GAMES:
        return [Problem("game", f"There is no game “{submission.game}”; {hint(submission.game, GAMES)}")]
    game, rules = GAMES[submission.game], rulebook().games[submission.game]
    violations = [problem for part in _PARTS for problem in part(submission, game, rules)]
    return violations or list(_payout_floor(submission, game))


def _heading(submission: Submission, _: Game, rules: GameRules) -> Iterator[Problem]:
    if not submission.property.strip():
        yield Problem(
            "property",
            "The operator's name is empty; the layout shows it.",
            rules.chapter.grounds[Ground.PROPERTY_NAME],
        )
    if not submission.property.isprintable():
        problem = "The operator's name has a character that cannot be printed."
        yield Problem("property", problem, rules.chapter.grounds[Ground.PROPERTY_NAME])
    if len(submission.property) > _LONGEST:
        problem = f"The operator's name has more than {_LONGEST} letters; it would not fit a sign."
        yield Problem("property", problem, rules.chapter.grounds[Ground.PROPERTY_NAME])
    if len(submission.version) > _LONGEST:
        yield Problem("version", f"The version has more than {_LONGEST} letters.")
    if not submission.version.strip():
        yield Problem("version", "The version is empty; every Submission needs a version.")


def _equipment(submission: Submission, game: Game, rules: GameRules) -> Iterator[Problem]:
    table, grounds = submission.table, rules.chapter.grounds
    if not 1 <= table.seats <= game.seats:
        yield Problem(
            "table.seats", f"A table has 1 to {game.seats} betting positions, not {table.seats}.", grounds[Ground.SEATS]
        )
    most = min(max(1, table.seats), game.seats)
    if not 1 <= table.boxes <= most:
        problem = f"A player wagers on at least one adjacent box and at most {most}, not {table.boxes}."
        yield Problem("table.boxes", problem, grounds[Ground.BOXES])
    if table.decks not in (1, _TWO_DECKS):
        yield Problem(
            "table.decks", f"The game is played with one deck or two, not {table.decks}.", grounds[Ground.DECKS]
        )
    shuffles = is_automated_shuffler(table.shuffler, submission.readings)
    if table.decks == _TWO_DECKS and not shuffles:
        yield Problem("table.decks", "Two decks need an automated card shuffling device.", grounds[Ground.TWO_DECKS])
    if table.dealing is Dealing.HAND and not shuffles:
        problem = "Cards dealt from the hand are shuffled by an automated device."
        yield Problem("table.shuffler", problem, grounds[Ground.HAND_NEEDS_SHUFFLER])
    if table.decision_timeout is not None and table.decision_timeout < 1:
        yield Problem("table.decision_timeout", "A timeout is at least 1 second; leave it out to have none.")


def _approvals(submission: Submission, game: Game, _: GameRules) -> Iterator[Problem]:
    known = [needed.kind for needed in kinds(game.name)]
    for kind, approval in submission.approvals.items():
        where = f"approvals.{kind}"
        if kind not in known:
            yield Problem(where, f"Unknown approval; {hint(kind, known)}")
        if not approval.reference.strip() or not approval.reference.isprintable() or len(approval.reference) > _LONGEST:
            yield Problem(f"{where}.reference", f"An approval has a reference of one line, up to {_LONGEST} letters.")


def _readings(submission: Submission, _: Game, rules: GameRules) -> Iterator[Problem]:
    book = rulebook()
    for name, option in submission.readings.items():
        where = f"readings.{name}"
        try:
            book.options({name: option})
        except Mistake as error:
            yield Problem(where, str(error))
            continue
        clauses = book.readings[name].clauses
        if all(cite.chapter != rules.chapter.id for cite in clauses):
            yield Problem(where, f"This reading does not apply to this game; it concerns {clauses[0]}.", clauses[0])
        for other, needed in book.readings[name].needs.get(option, {}).items():
            if submission.readings.get(other, book.readings[other].default) != needed:
                yield Problem(where, f"{option} needs {other} = “{needed}”.", clauses[0])
        if name == ABANDONED:
            yield Problem(where, "Set it as abandoned_wagers under [table].", rules.chapter.grounds[Ground.ABANDONED])
    option = submission.table.abandoned_wagers
    options = book.readings[ABANDONED].options
    if option and option not in options:
        problem = f"Unknown policy “{option}”; {hint(option, options)}"
        yield Problem("table.abandoned_wagers", problem, rules.chapter.grounds[Ground.ABANDONED])


def _offers(submission: Submission, game: Game, rules: GameRules) -> Iterator[Problem]:
    offers = {wager.offer: wager for wager in game.initial}
    for name, offer in submission.wagers.items():
        where = f"wagers.{name}"
        if name not in offers:
            problem = f"The game has no wager “{name}” to offer; {hint(name, offers)}"
            yield Problem(where, problem, rules.chapter.grounds[Ground.WAGERS])
            continue
        yield from _paytable(submission, game, name, offer)
        yield from _bonuses(game, name, offer)
        if name in rules.meters:
            yield from meter_problems(submission, rules.meters[name], offer, where)
        else:
            yield from _amounts(submission, offer, where, offers[name].cite)
    if game.required not in submission.wagers:
        required = game.wager(game.required)
        problem = f"The {required.title} is missing; every other wager needs one."
        yield Problem(f"wagers.{required.name}", problem, required.cite)
    if submission.table.unit <= 0:
        yield Problem("table.unit", "The unit must be above $0.")


def _paytable(submission: Submission, game: Game, name: str, offer: Offer) -> Iterator[Problem]:
    """Check that a letter is chosen if the chapter has several, and that every pay on one unit is whole cents."""
    where, book = f"wagers.{name}.paytable", rulebook()
    choice = paytable_with_letters(game, book, name)
    paytables = book.games[game.name].paytables
    if choice is None:
        if offer.paytable:
            own = paytables[game.tables_of(name)[0]]
            yield Problem(where, "The chapter has one paytable for this wager; leave the letter out.", own.cite)
        return
    printed = paytables[choice].printed
    if offer.paytable not in printed:
        problem = f"There is no Paytable {offer.paytable}" if offer.paytable else "The wager has no paytable"
        yield Problem(where, f"{problem}; the Submission chooses one of {', '.join(printed)}.", paytables[choice].cite)
        return
    for table, letter in paytable_letters(game, book, name, {name: offer.paytable}).items():
        for hand, pay in paytables[table].printed[letter].items():
            if isinstance(pay, Odds) and submission.table.unit * pay.wins % pay.per:
                problem = f"{hand} pays {pay}, which on the unit of {submission.table.unit} is not whole cents."
                yield Problem("table.unit", problem, paytables[table].cite)


def _bonuses(game: Game, name: str, offer: Offer) -> Iterator[Problem]:
    """Check that the chosen bonuses are optional bonuses of this wager."""
    own = {wager.name for wager in game.wagers if wager.offer == name}
    known = {bonus.paytable for bonus in game.bonuses if bonus.on in own and bonus.may_be_left_out}
    for stray in offer.bonuses.keys() - known:
        cite = next(
            (bonus.may_be_left_out for bonus in game.bonuses if bonus.may_be_left_out), game.wager(min(own)).cite
        )
        yield Problem(
            f"wagers.{name}.bonuses.{stray}", f"This wager has no bonus “{stray}” to choose; {hint(stray, known)}", cite
        )


def _amounts(submission: Submission, offer: Offer, where: str, cite: str) -> Iterator[Problem]:
    """Check the minimum and maximum of a wager without meters."""
    limits = {"minimum": offer.minimum, "maximum": offer.maximum}
    for name, amount in limits.items():
        if amount is None:
            yield Problem(f"{where}.{name}", f"The {name} is missing.", cite)
        elif amount <= 0:
            yield Problem(f"{where}.{name}", f"The {name} must be above $0.", cite)
        elif submission.table.unit > 0 and amount % submission.table.unit:
            unit = submission.table.unit
            yield Problem(f"{where}.{name}", f"The {name} of {amount} is not a multiple of the unit, {unit}.", cite)
    if offer.minimum is not None and offer.maximum is not None and offer.minimum > offer.maximum:
        problem = f"The minimum of {offer.minimum} is above the maximum of {offer.maximum}."
        yield Problem(f"{where}.minimum", problem, cite)
    for key in ("amounts", "starting", "validated_from"):
        if getattr(offer, key):
            yield Problem(f"{where}.{key}", "This wager has no meter; leave it out.", cite)
    if offer.linked != "no":
        yield Problem(f"{where}.linked", "This wager has no meter to link.", cite)


def _payout_limit(submission: Submission, game: Game, rules: GameRules) -> Iterator[Problem]:
    amount = submission.table.payout_limit
    if amount is None:
        return
    if game.limit is None:
        problem = "The chapter has no payout limit for this game."
        yield Problem("table.payout_limit", problem, rules.chapter.grounds[Ground.PAYOUTS])
    elif submission.readings.get(LIMIT_SCOPE) != "every-wager" and not any(
        wager.name in game.limit.wagers and wager.offer in submission.wagers for wager in game.initial
    ):
        problem = "The Submission offers no wager that this limit applies to."
        yield Problem("table.payout_limit", problem, game.limit.cite)
    elif amount < game.limit.floor:
        problem = f"The limit of {amount} is below {format_money(game.limit.floor)}."
        yield Problem("table.payout_limit", problem, game.limit.cite)


def _payout_floor(submission: Submission, game: Game) -> Iterator[Problem]:
    """Compare the payout limit with the highest possible win; everything else must be valid by now."""
    amount = submission.table.payout_limit
    if amount is None or game.limit is None:
        return
    terms, boxes = terms_of(submission), submission.table.boxes
    most = highest_payout_at_minimum(terms, boxes) if amount < highest_payout_if_all_win(terms) * boxes else amount
    if amount < most:
        problem = (
            f"The limit of {amount} is below {format_money(most)}, the most a patron could win at the minimum wager."
        )
        yield Problem("table.payout_limit", problem, game.limit.cite)


_PARTS: Final[tuple[Callable[[Submission, Game, GameRules], Iterator[Problem]], ...]] = (
    _heading,
    _equipment,
    _payout_limit,
    _offers,
    _readings,
    _approvals,
)
