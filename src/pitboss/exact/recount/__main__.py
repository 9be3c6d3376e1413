"""Recount games and compare with the solver."""

import json
import sys
from collections.abc import Iterator, Sequence

import msgspec

from pitboss.cache import cache_folder
from pitboss.exact.payoffs import STAKE, letters_of, terms_for
from pitboss.exact.recount.board import recount_board
from pitboss.exact.recount.contest import ContestRecount
from pitboss.exact.recount.hands import count_hand_names
from pitboss.exact.recount.resumable import print_line, recount
from pitboss.exact.recount.terms import recount_terms
from pitboss.games import GAMES, Terms
from pitboss.games.declarations import ByTable
from pitboss.rulebook import rulebook
from pitboss.source_hashes import source_hash


def main(names: Sequence[str]) -> int:
    """Recount these games and compare with the solver; return the exit status."""
    if unknown := [name for name in names if name not in GAMES]:
        print(f"Unknown game “{unknown[0]}”; the games are {', '.join(GAMES)}.", file=sys.stderr)  # noqa: T201
        return 2
    results = [same for game in names or GAMES for same in (*_sides(game), *_required(game))]
    print_line(f"{sum(results)} of {len(results)} agree.")
    return 0 if all(results) else 1


def _sides(game: str) -> Iterator[bool]:
    """Recount the hands of every side wager under every reading that changes its ranking."""
    from pitboss.exact.hand_counts import count_hands  # noqa: PLC0415 (the code under check)

    required = GAMES[game].required
    first = letters_of(game)[required][0]
    seen: set[tuple[str, int, str]] = set()
    for offer, letters in letters_of(game).items():
        for readings in ({}, *_other_readings()) if offer != required else ():
            terms = terms_for(game, {required: first, offer: letters[0]}, readings)
            sizes = {place.name: place.cards for place in terms.game.places}
            for wager in terms.game.initial:
                if wager.offer != offer or not isinstance(wager.by, ByTable):
                    continue
                evaluate = terms.evaluators[terms.rankings[wager.by.paytable]]
                size = sum(sizes[place] for place in wager.by.places)
                if (ranked := (wager.name, size, repr(evaluate.ranking))) in seen:
                    continue
                seen.add(ranked)
                counted = count_hand_names(evaluate, size)
                same = counted == {hand.name: hand.deals for hand in count_hands(evaluate.ranking, size)}
                row = {"game": game, "wager": wager.name, "readings": readings, "counts": counted, "same": same}
                print_line(json.dumps(row))
                yield same


def _other_readings() -> Iterator[dict[str, str]]:
    """Yield every single option that is not a default."""
    for name, reading in rulebook().readings.items():
        yield from ({name: option} for option in reading.options if option != reading.default)


def _required(game: str) -> Iterator[bool]:
    """Recount the required wagers under every paytable and reading."""
    from pitboss.exact.analysis import required_distribution  # noqa: PLC0415 (the code under check)

    sources = source_hash(
        "cards.py", "ranking", "games", "rulebook", "exact/payoffs.py", "exact/visible_cards.py", "exact/recount"
    )
    for number, group in enumerate(recount_terms(game)):
        print_line(f"{game}: evaluating every hand")
        if not GAMES[game].contest:
            found = recount_board(group)
        else:
            file = cache_folder() / f"recount-{game}-{number}-{sources[:12]}.json"
            found = recount(ContestRecount(group), file)
        for terms, sums in zip(group, found, strict=True):
            solved = required_distribution(terms, STAKE)
            theirs = (solved.deals, int(solved.net * STAKE), int(solved.average_wager * solved.deals * STAKE))
            same = (sums.deals, sums.net, sums.wagered) == theirs
            row = {
                "game": game,
                "paytable": terms.letters,
                "readings": _unusual(terms),
                **msgspec.structs.asdict(sums),
            }
            print_line(json.dumps({**row, "same": same}))
            yield same


def _unusual(terms: Terms) -> dict[str, str]:
    return {name: option for name, option in terms.readings.items() if rulebook().reading(name).default != option}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
