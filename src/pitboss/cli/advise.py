"""`pitboss advise` and `pitboss strategy`: the EV of every decision, and strategies a person can remember."""

from fractions import Fraction
from typing import Annotated

from cyclopts import Parameter
from rich.markup import escape
from rich.text import Text

from pitboss.cards import hand
from pitboss.cli.analyze import Many
from pitboss.cli.output import Format, console, draw_cards, find_games, heading, parse_pairs, plain_table, print_json
from pitboss.cli.progress import progress_bar
from pitboss.errors import Mistake
from pitboss.games import GAMES, Terms
from pitboss.rulebook import GameRules, rulebook

Letter = Annotated[str | None, Parameter(help="Letter of the required wagers' paytable; default: the first.")]
Readings = Annotated[Many, Parameter(negative="", help="ID=OPTION, overrides the default.")]


def advise(  # noqa: PLR0913 (the player's situation)
    game: Annotated[str, Parameter(help="caribbean-stud, four-card-prime, cajun-stud, or a chapter.")],
    /,
    *,
    player: Annotated[str, Parameter(help="The player's cards: “Ah Kd …”.")],
    up: Annotated[str, Parameter(help="The dealer's up-card, if the game has one.")] = "",
    board: Annotated[str, Parameter(help="The community cards seen so far.")] = "",
    raise_: Annotated[
        Many,
        Parameter("--raise", negative="", help="An earlier raise, in Antes; repeat for each."),
    ] = (),
    paytable: Letter = None,
    reading: Readings = (),
    format: Format = "table",  # noqa: A002 (the option's name)
) -> None:
    """Show the exact EV of folding and of each raise, and which is best."""
    (rules,) = find_games(game)
    name = rules.chapter.game
    options = rulebook().options(parse_pairs(reading, "ev-ties=smaller-wager"))
    cards = [hand(text) if text.strip() else () for text in (player, up, board)]
    raised = tuple(_parse_whole_number(text) for text in raise_)
    letter = _letter(name, paytable)
    from pitboss.exact.analysis import kernel_module  # noqa: PLC0415 (numpy and numba)

    with progress_bar(1, kernel_module(name)):
        from pitboss.exact.advice import Situation, best_option, previous_raises  # noqa: PLC0415 (numpy and numba)
        from pitboss.exact.advice import advise as worked_out  # noqa: PLC0415 (the same)

        known = Situation(player=cards[0], up=cards[1], board=cards[2], raised=raised)
        found = worked_out(name, letter, options, known)
        before = previous_raises(name, letter, options, known)
    chosen = best_option(found, larger=options["ev-ties"] == "larger-wager")
    if format == "json":
        print_json(
            {
                "game": name,
                "raised": list(before),
                "decisions": [{"decision": _decision(o.multiple), "worth": _format_fraction(o.worth)} for o in found],
                "best": _decision(chosen.multiple),
            }
        )
        return
    out = console()
    out.print(heading(rules))
    for whose, held in zip(("Player", "Dealer", "Board"), cards, strict=True):
        if held:
            out.print(Text(whose, "dim"))
            out.print(draw_cards(held))
    if before:
        out.print(f"After raises of {', '.join(f'{multiple} ×' for multiple in before)}")
    page = plain_table("decision", "worth", "", "exactly")
    page.columns[1].justify = "right"
    for option in found:
        mark = "[green]best[/]" if option is chosen else ""
        page.add_row(_decision(option.multiple), f"{float(option.worth):+.6f}", mark, _format_fraction(option.worth))
    out.print(page)
    out.print("[dim]The player's expected result of the round, in Antes.[/]")


def strategy(
    game: Annotated[str, Parameter(help="caribbean-stud, four-card-prime, cajun-stud, or a chapter.")],
    /,
    *,
    paytable: Letter = None,
    reading: Readings = (),
    leaks: Annotated[bool, Parameter(negative="", help="Show the value of knowing hidden cards instead.")] = False,
    format: Format = "table",  # noqa: A002 (the option's name)
) -> None:
    """Show strategies a person can remember, each with its cost against the best decisions."""
    (rules,) = find_games(game)
    name = rules.chapter.game
    options = rulebook().options(parse_pairs(reading, "ev-ties=smaller-wager"))
    letter = _letter(name, paytable)
    from pitboss.exact.payoffs import letters_of, terms_for  # noqa: PLC0415 (loaded for calculations)

    required = GAMES[name].required
    terms = terms_for(name, {required: letter or letters_of(name)[required][0]}, options)
    if leaks:
        _print_leaks(rules, terms, format)
        return
    from pitboss.exact.analysis import kernel_module  # noqa: PLC0415 (numpy and numba)

    with progress_bar(1, kernel_module(name)):
        from pitboss.exact.strategies import judge_strategies  # noqa: PLC0415 (numpy and numba)

        found = judge_strategies(terms)
    if format == "json":
        print_json(
            [
                {
                    "strategy": one.name,
                    "rules": list(one.rules),
                    "net": _format_fraction(one.distribution.net),
                    "house_edge": _format_fraction(one.distribution.house_edge),
                    "average_wager": _format_fraction(one.distribution.average_wager),
                    "cost": _format_fraction(one.cost),
                }
                for one in found
            ]
        )
        return
    out = console()
    out.print(heading(rules))
    page = plain_table("strategy", "house edge", "cost", "average wager", "element of risk", "net over all deals")
    for column in page.columns[1:]:
        column.justify = "right"
    for one in found:
        of = one.distribution
        page.add_row(
            one.name, f"{100 * float(of.house_edge):.6f} %", f"{100 * float(one.cost):.6f} %",
            f"{float(of.average_wager):.4f}", f"{100 * float(of.element_of_risk):.4f} %", f"{float(of.net):,.1f}",
        )  # fmt: skip
    out.print(page)
    for one in found:
        if one.rules:
            out.print(f"\n[bold]{escape(one.name)}[/]")
            for rule in one.rules:
                out.print(escape(rule))
    out.print("\n[dim]Cost: extra expected loss against the best decisions, per Ante. All figures are exact.[/]")


def _print_leaks(rules: GameRules, terms: Terms, format: str) -> None:  # noqa: A002 (the option's name)
    """Print the value of knowing hidden cards."""
    from pitboss.exact.leaks import leaks_of, steps_of  # noqa: PLC0415 (numpy and numba)

    with progress_bar(steps_of(terms), "leaks" if terms.game.contest else "staged") as done:
        found = leaks_of(terms, done)
    if format == "json":
        print_json(
            [
                {
                    "known": leak.known,
                    "net": _format_fraction(leak.net),
                    "house_edge": _format_fraction(leak.house_edge),
                }
                for leak in found
            ]
        )
        return
    out = console()
    out.print(heading(rules))
    page = plain_table("what the player knows", "house edge", "net over all deals")
    for column in page.columns[1:]:
        column.justify = "right"
    for leak in found:
        page.add_row(leak.known, f"{100 * float(leak.house_edge):+.6f} %", f"{float(leak.net):,.1f}")
    out.print(page)
    out.print("[dim]Per Ante, with the best decisions on that knowledge. A negative edge favors the player.[/]")


def _letter(game: str, paytable: str | None) -> str | None:
    from pitboss.exact.analysis import list_tasks  # noqa: PLC0415 (loaded for calculations)

    if paytable is not None:
        declared = GAMES[game]
        list_tasks(game, declared.analysis_name(declared.required), paytable)
    return paytable


def _decision(multiple: int) -> str:
    return f"raise {multiple} ×" if multiple else "fold"


def _parse_whole_number(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or len(text) > 2:  # noqa: PLR2004 (multiples are small)
        raise Mistake(f"“{text:.12}” is not a multiple of the Ante; give a whole number.")
    return int(text)


def _format_fraction(number: Fraction) -> str:
    return f"{number.numerator}/{number.denominator}"
