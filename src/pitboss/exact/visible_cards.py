"""The cards that a player sees at each decision, from the procedures of the game."""

from collections import Counter
from collections.abc import Mapping, Sequence

from pitboss.rulebook import rulebook
from pitboss.rulebook.procedures import Do, Step
from pitboss.submission.model import Dealing

PLAYER = "player"


def visible_cards_at_decisions(game: str, readings: Mapping[str, str]) -> tuple[dict[str, int], ...]:
    """Return, for each decision, the number of face-up cards at each place besides the player's own."""
    return _visible_cards(rulebook().games[game].procedures.round(Dealing.MANUAL_SHOE, readings))


def _visible_cards(steps: Sequence[Step]) -> tuple[dict[str, int], ...]:
    up: Counter[str] = Counter()
    decisions = []
    for step in steps:
        match step.do:
            case Do.DEAL if step.up:
                up[step.to] += step.cards
            case Do.TURN:
                up[step.place] += step.cards
            case Do.ASK:
                decisions.append({place: count for place, count in up.items() if count})
            case _:
                pass
    return tuple(decisions)
