"""`pitboss settle`: what a hand pays, line by line, with clauses."""

import re
from collections.abc import Sequence
from typing import Annotated

import msgspec
from cyclopts import Parameter
from rich.console import Console
from rich.markup import escape
from rich.text import Text

from pitboss.cards import Card, hand
from pitboss.cli.output import (
    Format,
    console,
    draw_cards,
    find_games,
    heading,
    parse_pairs,
    plain_table,
    print_json,
    warn,
)
from pitboss.errors import Mistake
from pitboss.games import FOLD, Balances, Hands, Line, Other, Terms
from pitboss.games.settlement import settle as settlement
from pitboss.money import CENT, format_money, parse_money
from pitboss.submission import edge_warnings, load, require_valid, terms_of
from pitboss.submission.overrides import apply_overrides, require_known_meters

Many = tuple[str, ...]


def settle(  # noqa: PLR0913 (the calculator's keys)
    game: Annotated[str, Parameter(help="caribbean-stud, four-card-prime, cajun-stud, or a chapter: 639a, …")],
    /,
    *,
    submission: Annotated[str | None, Parameter(help="File or preset; default: the game's standard.")] = None,
    paytable: Annotated[Many, Parameter(negative="", help="WAGER=LETTER, overrides the Submission.")] = (),
    reading: Annotated[Many, Parameter(negative="", help="ID=OPTION, overrides the Submission.")] = (),
    player: Annotated[str, Parameter(help="The player's cards: “Ah Kh …”.")] = "",
    dealer: Annotated[str, Parameter(help="The dealer's cards.")] = "",
    board: Annotated[str, Parameter(help="The community cards.")] = "",
    all_six: Annotated[str, Parameter(help="The All-Six card or cards.")] = "",
    wager: Annotated[Many, Parameter(negative="", help="NAME=AMOUNT in dollars: ante=10.")] = (),
    raise_: Annotated[
        Many, Parameter("--raise", negative="", help="Multiple of the Ante; repeat for each decision.")
    ] = (),
    fold: Annotated[bool, Parameter(negative="", help="Fold after these raises.")] = False,
    left: Annotated[bool, Parameter(negative="", help="The player left the table during the round.")] = False,
    meter: Annotated[Many, Parameter(negative="", help="NAME=AMOUNT of a meter at this player's turn.")] = (),
    meter_at_reveal: Annotated[
        Many, Parameter(negative="", help="NAME=AMOUNT when the dealer's hand was turned, if different.")
    ] = (),
    envy: Annotated[Many, Parameter(negative="", help="Another patron's hand; repeat for each.")] = (),
    magic: Annotated[str, Parameter(help="The card the table game system drew.")] = "",
    lucky: Annotated[Many, Parameter(negative="", help="A position the system drew: player or dealer.")] = (),
    sharing: Annotated[str, Parameter(help="Number of wagers that share the jackpot of the dealer's hand.")] = "1",
    format: Format = "table",  # noqa: A002 (the option's name)
) -> None:
    """Settle one player's wagers: what each returns and pays, why, and under which clause."""
    (rules,) = find_games(game)
    name = rules.chapter.game
    terms = _terms(name, f"{name}-standard" if submission is None else submission, paytable, reading)
    raises = tuple(_multiple(text) for text in raise_)
    hands = Hands(
        cards={
            place: hand(text)
            for place, text in (("player", player), ("dealer", dealer), ("board", board), ("all-six", all_six))
            if text
        },
        others=tuple(Other(hand(text)) for text in envy),
        magic=Card(magic) if magic else None,
        lucky=lucky,
    )
    wagers = {name: parse_money(amount) for name, amount in parse_pairs(wager, "ante=10").items()}
    lines = settlement(
        terms,
        hands,
        wagers,
        (*raises, FOLD) if fold else raises,
        Balances(_meters(terms, meter), _meters(terms, meter_at_reveal), _number(sharing)),
        left=left,
    )
    edges = edge_warnings(terms, {terms.game.wager(wagered).offer for wagered in wagers})
    if format == "json":
        net = sum(line.net for line in lines)
        print_json({"lines": [line.as_json() for line in lines], "net": net, "warnings": msgspec.to_builtins(edges)})
    else:
        out = console()
        out.print(heading(rules))
        out.print()
        _show(out, terms, hands, lines)
        warn(out, (edge.warning for edge in edges))


def _number(text: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", text):
        raise Mistake(f"“{text}” is not a whole number.")
    return int(text)


def _multiple(text: str) -> int:
    if not (multiple := _number(text)):
        raise Mistake("A raise cannot be 0; to fold, use --fold.")
    return multiple


def _terms(game: str, name: str, paytable: Sequence[str], reading: Sequence[str]) -> Terms:
    """Return the terms of a Submission with overrides applied."""
    submission = load(name)
    if submission.game != game:
        raise Mistake(f"The Submission {name} is for {submission.game}, not {game}.")
    changed = apply_overrides(submission, parse_pairs(paytable, "bonus=B"), parse_pairs(reading, "five-card-wheel=no"))
    require_valid(changed, f"{name}, with these overrides,")
    return terms_of(changed)


def _meters(terms: Terms, texts: Sequence[str]) -> dict[str, int]:
    amounts = {name: parse_money(amount) for name, amount in parse_pairs(texts, "main=12500").items()}
    return {name: amount * CENT for name, amount in require_known_meters(terms, amounts).items()}


def _show(out: Console, terms: Terms, hands: Hands, lines: Sequence[Line]) -> None:
    for place in (place for place in terms.game.places if place.name in hands.cards):
        out.print(Text(place.holder.removeprefix("the ").capitalize(), "dim"))
        out.print(draw_cards(hands.cards[place.name]))
    page = plain_table("wager", "outcome", "stake", "returned", "pays", "net", "clause")
    for column in page.columns[2:6]:
        column.justify = "right"
    for line in lines:
        page.add_row(
            line.wager,
            line.outcome,
            *map(format_money, (line.stake, line.returned, line.pays, line.net)),
            f"§ {line.cite}",
        )
    out.print()
    out.print(page)
    out.print()
    reasons = plain_table("why", "")
    for line in lines:
        reasons.add_row(line.wager, f"[dim]{escape(line.why)}[/]")
    out.print(reasons)
    net = sum(line.net for line in lines)
    verdict = "The patron wins" if net > 0 else "The patron loses" if net < 0 else "The patron is even"
    out.print(f"\n[bold]{verdict}{f' {format_money(abs(net))}' if net else ''}.[/]")
