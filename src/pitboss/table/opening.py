"""Open a table: derive its rules from a Submission and the rulebook."""

from pitboss.games import Terms
from pitboss.rulebook import rulebook
from pitboss.rulebook.readings import meets_condition
from pitboss.submission import Dealing, Submission, terms_of
from pitboss.table.state import Rules, Table


def open_table(submission: Submission, *, scanned: bool = False, decision_timeout: int | None = None) -> Table:
    """Return an empty table under a Submission; its first step is to receive the decks.

    If `scanned`, the cards come from a real shoe in unknown order: the person who turns a card enters which one it is.
    `decision_timeout` applies if the Submission has none.
    """
    terms = terms_of(submission)
    game = rulebook().games[submission.game]
    procedures = game.procedures
    ways = {dealing: procedures.round(dealing, terms.readings) for dealing in Dealing if dealing in procedures.dealing}
    rules = Rules(
        terms=terms,
        opening=procedures.opening,
        steps=ways[submission.table.dealing],
        ways=ways,
        submitted=submission.table.dealing,
        offered={
            offer: frozenset(wager.name for wager in terms.game.initial if wager.offer == offer)
            for offer in {wager.offer for wager in terms.game.initial}
        },
        draws={
            name: (chance.numerator, chance.denominator)
            for offer in submission.wagers.values()
            for name, chance in offer.bonuses.items()
        },
        timeout=submission.table.decision_timeout or decision_timeout,
        scanned=scanned,
        irregularities=procedures.irregularities,
        grounds=game.chapter.grounds,
        seats=submission.table.seats,
        boxes=submission.table.boxes,
        dealing=submission.table.dealing,
        shuffler=submission.table.shuffler,
        decks=submission.table.decks,
        validated=_validation_thresholds(submission, terms),
    )
    return Table(rules=rules)


def _validation_thresholds(submission: Submission, terms: Terms) -> dict[str, tuple[int, str]]:
    """Return, by wager, the lowest payout (in odds for 1) that needs validation, and its clause."""
    meters = rulebook().games[submission.game].meters
    least = {
        offer: (submission.wagers[offer].validated_from or rule.pays, str(rule.cite))
        for offer, found in meters.items()
        if offer in submission.wagers
        for rule in found.validated
        if meets_condition(rule.when, terms.readings)
    }
    return {wager.name: least[wager.offer] for wager in terms.game.initial if wager.offer in least}
