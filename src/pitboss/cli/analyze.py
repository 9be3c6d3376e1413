"""`pitboss analyze`: exact figures of wagers, single or combined, over rounds and under payout limits."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import msgspec
from cyclopts import Parameter
from rich.console import Console
from rich.table import Table

from pitboss.cli.output import Format, console, find_games, heading, parse_pairs, plain_table, print_json
from pitboss.cli.progress import progress_bar
from pitboss.errors import Mistake, hint
from pitboss.games import GAMES, Terms
from pitboss.games.settlement_inputs import check_wagers
from pitboss.games.terms import SINGLE_PAYTABLE
from pitboss.money import DOLLAR, format_money, parse_money
from pitboss.rulebook import GameRules, rulebook
from pitboss.rulebook.published_hold import published_holds
from pitboss.submission import load
from pitboss.submission.terms import readings_of

if TYPE_CHECKING:  # numpy and numba are loaded only for calculations
    from pitboss.exact.analysis import AnalysisRow, Task
    from pitboss.exact.distribution import Distribution
    from pitboss.exact.jackpots import LongRun
    from pitboss.exact.payout_limits import EdgeUnderLimit
    from pitboss.exact.session_results import SessionResult

Many = tuple[str, ...]


def analyze(  # noqa: PLR0913 (options)
    game: Annotated[str, Parameter(help="caribbean-stud, four-card-prime, cajun-stud, or a chapter: 639a, …")],
    /,
    *,
    wager: Annotated[str | None, Parameter(help="A wager: ante-raise, bonus, …; default: all.")] = None,
    paytable: Annotated[str | None, Parameter(help="A paytable's letter; default: all.")] = None,
    reading: Annotated[Many, Parameter(negative="", help="ID=OPTION, overrides the default.")] = (),
    submission: Annotated[str | None, Parameter(help="File or preset: analyze only its wagers and paytables.")] = None,
    rounds: Annotated[int | None, Parameter(help="Also show a player's result after this many rounds.")] = None,
    hours: Annotated[float | None, Parameter(help="Also show a player's result after this many hours.")] = None,
    pace: Annotated[int, Parameter(help="Rounds per hour.")] = 45,
    together: Annotated[Many, Parameter(negative="", help="NAME=AMOUNT, repeated: combine these wagers.")] = (),
    limit: Annotated[
        str | None, Parameter(help="Also show the house edge under this payout limit, by size of wager.")
    ] = None,
    format: Format = "table",  # noqa: A002 (the option's name)
) -> None:
    """Calculate the exact house edge, average wager, element of risk, hit frequency and deviation of every wager."""
    (rules,) = find_games(game)
    name = rules.chapter.game
    chosen, letters = _readings_and_letters(name, submission, parse_pairs(reading, "ev-ties=smaller-wager"))
    options = rulebook().options(chosen)
    from pitboss.exact.analysis import analyze as worked_out  # noqa: PLC0415 (numpy and numba)
    from pitboss.exact.analysis import as_json, format_fraction, kernel_module, list_tasks  # noqa: PLC0415 (the same)
    from pitboss.exact.session_results import session_result  # noqa: PLC0415 (the same)

    if together:
        if wager or paytable or limit:
            raise Mistake("--together excludes --wager, --paytable and --limit; use a --submission.")
        found = _analyze_together(name, parse_pairs(together, "ante=10"), letters, options, submission)
        _show_together(rules, *found, options, _rounds(rounds, hours, pace), format)
        return
    after = _rounds(rounds, hours, pace)
    tasks = _tasks_on_offer(list_tasks(name, wager, paytable), letters, wager, submission)
    most = _payout_limit(name, tasks, limit, submission)
    with progress_bar(len(tasks), kernel_module(name)) as done:
        rows = worked_out(name, tasks, options, done)
    sessions = [(row, session_result(row.distribution, after)) for row in rows] if after is not None else []
    limited = list(_edges_under_limit(name, rows, options, most)) if most is not None else []
    if format == "json":
        data = as_json(name, rows, options)
        if after is not None:
            data["sessions"] = [{**_row_names(row), **msgspec.to_builtins(session)} for row, session in sessions]
        if most is not None:
            data["payout_limit"] = most
            data["limited"] = [
                {**_row_names(row), "wager_cents": one.wager, "house_edge": format_fraction(one.house_edge)}
                for row, found in limited
                for one in found
            ]
        print_json(data)
        return
    out = console()
    out.print(heading(rules))
    _show(out, name, rows, options)
    if after is not None:
        _print_session_results(out, after, sessions)
    if most is not None:
        _print_edges_under_limit(out, most, limited)


def _analyze_together(
    game: str,
    given: Mapping[str, str],
    letters: Mapping[str, str] | None,
    readings: Mapping[str, str],
    submission: str | None,
) -> "tuple[dict[str, int], Terms, Distribution]":
    """Return the combined result of several wagers on one deal, with a Submission's paytables and limit if given."""
    wagers = {name: parse_money(amount) for name, amount in given.items()}
    offers = {name: _offer_of_wager(game, name) for name in wagers}
    if letters is not None and (missing := [name for name, offer in offers.items() if offer not in letters]):
        raise Mistake(f"The Submission does not offer {' or '.join(missing)}.")
    from pitboss.exact.payoffs import letters_of, terms_for  # noqa: PLC0415 (loaded for calculations)

    chosen = {offer: (letters or {}).get(offer) or letters_of(game)[offer][0] for offer in offers.values()}
    terms = terms_for(game, chosen, readings, _limit_of_submission(submission))
    check_wagers(terms, wagers)
    from pitboss.exact.analysis import kernel_module  # noqa: PLC0415 (numpy and numba)
    from pitboss.exact.joint import joint_distribution, steps_of  # noqa: PLC0415 (the same)

    with progress_bar(steps_of(terms, wagers), kernel_module(game)) as done:
        return wagers, terms, joint_distribution(terms, wagers, done)


def _show_together(  # noqa: PLR0913, PLR0917 (input and result)
    rules: GameRules,
    wagers: Mapping[str, int],
    terms: Terms,
    found: "Distribution",
    readings: Mapping[str, str],
    rounds: int | None,
    format: str,  # noqa: A002 (the option's name)
) -> None:
    """Print the combined result of several wagers on one deal."""
    from pitboss.exact.analysis import format_fraction  # noqa: PLC0415 (numpy and numba)
    from pitboss.exact.session_results import session_result  # noqa: PLC0415 (the same)

    session = session_result(found, rounds) if rounds is not None else None
    paytables = {name: letter for name, letter in terms.letters.items() if letter != SINGLE_PAYTABLE}
    limit = terms.payout_limit
    note = "Meters at their seeds; without Envy, Magic Card and Lucky Bonus." if terms.meters else ""
    if format == "json":
        figures = {
            name: format_fraction(getattr(found, name)) for name in ("house_edge", "average_wager", "hit_frequency")
        }
        print_json(
            {
                "game": rules.chapter.game, "edition": rules.chapter.edition, "readings": readings, "wagers": wagers,
                "paytables": paytables, "payout_limit": limit, "note": note, "deals": found.deals, **figures,
                "standard_deviation": found.standard_deviation,
                "results": {format_fraction(net): count for net, count in found.by_net().items()},
                **({"session": msgspec.to_builtins(session)} if session else {}),
            }
        )  # fmt: skip
        return
    out = console()
    out.print(heading(rules))
    made = ", ".join(f"{name} {format_money(amount)}" for name, amount in wagers.items())
    by = ", ".join(f"{name} {letter}" for name, letter in paytables.items())
    capped = f"; payout limit {format_money(limit)}" if limit is not None else ""
    out.print(f"{made}: {format_money(found.stake)} before the deal{f'; paytables: {by}' if by else ''}{capped}")
    page = plain_table("result", "chance", "at most")
    below = Fraction()
    for net, count in found.by_net().items():
        below += Fraction(count, found.deals)
        page.add_row(format_money(int(net * found.stake)), _percent(Fraction(count, found.deals)), _percent(below))
    for column in page.columns:
        column.justify = "right"
    out.print(page)
    lost = format_money(round(found.house_edge * found.stake))
    out.print(
        f"Expected loss {lost}, {_percent(found.house_edge)} of the wagers before the deal; "
        f"deviation {format_money(round(found.standard_deviation * found.stake))}; "
        f"ahead {_percent(found.hit_frequency)}. {note}"
    )
    if session:
        known = {p: x for p, x in session.percentiles.items() if x is not None}
        at = ", ".join(f"{p} %: {format_money(round(x * found.stake))}" for p, x in known.items())
        out.print(f"After {session.rounds:,} rounds ahead {100 * session.ahead:.2f} %; {at}.")


def _offer_of_wager(game: str, name: str) -> str:
    """Return the offer of a wager placed before the deal."""
    known = {wager.name: wager.offer for wager in GAMES[game].initial}
    if name not in known:
        raise Mistake(f"{game} has no wager “{name}” to place before the deal; {hint(name, known)}")
    return known[name]


def _row_names(row: "AnalysisRow") -> dict[str, object]:
    return {"wager": row.wager, "paytable": row.paytable}


def _rounds(rounds: int | None, hours: float | None, pace: int) -> int | None:
    if hours is None:
        if rounds is not None and rounds < 1:
            raise Mistake(f"The number of rounds is at least 1, not {rounds}.")
        return rounds
    if rounds is not None:
        raise Mistake("Give --rounds or --hours, not both.")
    if not 0 < hours < 10_000 or not 0 < pace < 1_000:  # noqa: PLR2004 (plausible values)
        raise Mistake(f"Out of range: --hours {hours} must be below 10,000, --pace {pace} from 1 to 999.")
    return max(1, round(hours * pace))


def _limit_of_submission(submission: str | None) -> int | None:
    limit = load(submission).table.payout_limit if submission else None
    return None if limit is None else int(limit)


def _payout_limit(game: str, tasks: "Sequence[Task]", given: str | None, submission: str | None) -> int | None:
    """Return the payout limit to apply: the given one, else the Submission's if it affects any of these wagers.

    A given limit below one dollar, or for wagers that have none, is a Mistake.
    """
    from pitboss.exact.payout_limits import limited_offers  # noqa: PLC0415 (numpy and numba)

    affected = limited_offers(game, {})
    if given is None:
        return _limit_of_submission(submission) if any(task.offer in affected for task in tasks) else None
    limit = parse_money(given)
    if not affected:
        raise Mistake(f"{game} has no payout limit.")
    if not any(task.offer in affected for task in tasks):
        raise Mistake(f"{tasks[0].wager} has no payout limit; it applies to {', '.join(sorted(affected))}.")
    if limit < DOLLAR:
        raise Mistake(f"A payout limit is at least one dollar, not {format_money(limit)}.")
    return limit


def _edges_under_limit(
    game: str, rows: "Sequence[AnalysisRow]", readings: Mapping[str, str], limit: int
) -> "Iterator[tuple[AnalysisRow, list[EdgeUnderLimit]]]":
    """Yield the edges of each limited wager, by size of wager."""
    from pitboss.exact.payout_limits import (  # noqa: PLC0415 (numpy and numba)
        edges_under_limit,
        limited_offers,
        round_amounts,
    )

    affected = limited_offers(game, readings)
    for row in rows:
        if row.offer in affected:
            amounts = round_amounts(DOLLAR, limit)
            yield row, edges_under_limit(game, row.offer, row.paytable or SINGLE_PAYTABLE, readings, limit, amounts)


def _print_session_results(out: Console, rounds: int, sessions: "Sequence[tuple[AnalysisRow, SessionResult]]") -> None:
    out.print(f"\n[bold]After {rounds:,} rounds[/]")
    percentiles = list(sessions[0][1].percentiles)
    page = plain_table("wager", "paytable", "ahead", "even", *(f"{p} %" for p in percentiles))
    for row, session in sessions:
        page.add_row(
            row.wager, row.paytable or "", f"{100 * session.ahead:.2f} %", f"{100 * session.even:.2f} %",
            *("" if (at := session.percentiles[p]) is None else f"{at:+,.1f}" for p in percentiles),
        )  # fmt: skip
    for column in page.columns[2:]:
        column.justify = "right"
    out.print(page)
    out.print("[dim]In initial wagers: this share of players ends here or below. To about ten digits.[/]")


def _print_edges_under_limit(
    out: Console, limit: int, limited: "Sequence[tuple[AnalysisRow, list[EdgeUnderLimit]]]"
) -> None:
    out.print(f"\n[bold]House edge under a payout limit of {format_money(limit)}[/]")
    page = plain_table("initial wager", *(f"{row.wager} {row.paytable or ''}" for row, _ in limited))
    page.add_row("no limit", *(_percent(found[0].free) for _, found in limited))
    for place, one in enumerate(limited[0][1]):
        page.add_row(format_money(one.wager), *(_percent(found[place].house_edge) for _, found in limited))
    for column in page.columns:
        column.justify = "right"
    out.print(page)
    out.print("[dim]Per initial wager, decisions adapted to the limit. The figures above ignore it.[/]")


def _readings_and_letters(
    game: str, submission: str | None, given: Mapping[str, str]
) -> tuple[dict[str, str], dict[str, str] | None]:
    """Return the readings to use, and the letters of the Submission's paytables."""
    if submission is None:
        return dict(given), None
    found = load(submission)
    if found.game != game:
        raise Mistake(f"The Submission {submission} is for {found.game}, not {game}.")
    return {**readings_of(found), **given}, {offer: wager.paytable or "" for offer, wager in found.wagers.items()}


def _tasks_on_offer(
    tasks: "Sequence[Task]", letters: Mapping[str, str] | None, wager: str | None, submission: str | None
) -> "list[Task]":
    """Return the tasks that a Submission offers, each with its paytable."""
    if letters is None:
        return list(tasks)
    offered = [task for task in tasks if task.offer in letters]
    if not offered:
        raise Mistake(f"The Submission {submission} does not offer {wager}.")
    chosen = [
        msgspec.structs.replace(task, letters=tuple(x for x in task.letters if x == (letters[task.offer] or x)))
        for task in offered
    ]
    if not any(task.letters for task in chosen):
        raise Mistake(f"The Submission {submission} offers {wager or 'its wagers'} with other paytables.")
    return [task for task in chosen if task.letters]


def _show(out: Console, game: str, rows: "Sequence[AnalysisRow]", readings: Mapping[str, str]) -> None:
    from pitboss.exact.analysis import jackpot_of  # noqa: PLC0415 (numpy and numba)
    from pitboss.exact.jackpots import envy_return, long_run  # noqa: PLC0415 (the same)

    page = plain_table(
        "wager", "paytable", "house edge", "average wager", "element of risk", "hits", "deviation", "deals"
    )
    meters = plain_table(
        "with meters, per $1", "paytable", "fixed", "per meter dollar", "break-even", "at seed", "long run", ""
    )
    for row in rows:
        found = row.distribution
        page.add_row(
            row.wager, row.paytable or "", _percent(found.house_edge), f"{float(found.average_wager):.4f}",
            _percent(found.element_of_risk), _percent(found.hit_frequency), f"{found.standard_deviation:.4f}",
            f"{found.deals:,}",
        )  # fmt: skip
        if held := jackpot_of(game, row, readings):
            terms, jackpot = held
            name = next(wager.name for wager in terms.game.initial if wager.offer == row.offer)
            run = long_run(terms, name, jackpot)
            notes = [f"Envy {_percent(each)} for each other hand"] if (each := envy_return(terms, found)) else []
            notes += ["[yellow]over 100 % in the long run[/]"] if run and run.from_table > 1 else []
            bonuses = [bonus.title for bonus in GAMES[game].bonuses if bonus.on == name and bonus.may_be_left_out]
            notes += [f"without {' and '.join(title.split(',')[0] for title in bonuses)}"] if bonuses else []
            meters.add_row(
                row.wager, row.paytable or "", _percent(jackpot.fixed_return),
                ", ".join(f"{name} {float(slope):.3e}" for name, slope in jackpot.slopes.items()),
                f"${float(jackpot.break_even):,.2f}" if jackpot.break_even else "",
                _percent(jackpot.at_seed),
                _long_run(run),
                "; ".join(notes),
            )  # fmt: skip
    _align_right(page, 2)
    out.print(page)
    known = any(one.game == game for one in published_holds())
    published = " pitboss holds compares them with rulemaking 125-204." if known else ""
    out.print(
        "\n[dim]House edge: expected loss per initial wager. Average wager: all wagers of a round, in initial "
        "wagers. Element of risk: expected loss per amount wagered. Hits: the chance of a net win. Deviation: standard "
        "deviation of the result, in initial wagers. Required wagers are played with the best decisions."
        f"{published}[/]"
    )
    if meters.rows:
        _align_right(meters, 2)
        out.print()
        out.print(meters)
        out.print(
            "\n[dim]The figures above assume meters at their seeds. Fixed: return per dollar without the meters. "
            "Long run: return over all time if the table pays fixed amounts; then, if the meter pays them (reading "
            "progressive-fixed-pays). A meter sinks if it pays more than it collects.[/]"
        )


def _long_run(run: "LongRun | None") -> str:
    """Return the long-run return in words: if the table pays fixed amounts, and if the meter does."""
    if run is None:
        return "not calculated"
    if not run.may_come_off:
        return _percent(run.from_table)
    return f"{_percent(run.from_table)} or {'[yellow]sinks[/]' if run.from_meter is None else _percent(run.from_meter)}"


def _align_right(page: Table, first: int) -> None:
    for column in page.columns[first:-1]:
        column.justify = "right"


def _percent(number: Fraction) -> str:
    return f"{100 * float(number):.4f} %"
