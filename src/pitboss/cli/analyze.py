"""`pitboss analyze`: exact figures of every wager, alone and together, over rounds and under limits."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import msgspec
from cyclopts import Parameter
from rich.console import Console
from rich.table import Table

from pitboss.cli.output import Format, console, games, heading, ledger, pairs, print_json
from pitboss.cli.progress import progress
from pitboss.errors import Mistake, hint
from pitboss.games import GAMES, Terms
from pitboss.games.entry import check_wagers
from pitboss.games.terms import ONLY
from pitboss.money import DOLLAR, cents, dollars
from pitboss.rulebook import GameRules, rulebook
from pitboss.rulebook.holds import published_holds
from pitboss.submission import insist, load
from pitboss.submission.terms import readings_of

if TYPE_CHECKING:  # numpy and numba are loaded only when something is worked out
    from pitboss.exact.analyze import Row, Task
    from pitboss.exact.distribution import Distribution
    from pitboss.exact.jackpots import LongRun
    from pitboss.exact.limits import Limited
    from pitboss.exact.session import Standing

Many = tuple[str, ...]


def analyze(  # noqa: PLR0913 (what to look at)
    game: Annotated[str, Parameter(help="caribbean-stud, four-card-prime, cajun-stud, or a chapter: 639a, …")],
    /,
    *,
    wager: Annotated[str | None, Parameter(help="One wager: ante-raise, bonus, …; all without it.")] = None,
    paytable: Annotated[str | None, Parameter(help="One letter; all without it.")] = None,
    reading: Annotated[Many, Parameter(negative="", help="ID=OPTION, instead of the default.")] = (),
    submission: Annotated[str | None, Parameter(help="File or preset: what it offers, with its paytables.")] = None,
    rounds: Annotated[int | None, Parameter(help="How a player stands after so many rounds.")] = None,
    hours: Annotated[float | None, Parameter(help="The same after so many hours.")] = None,
    pace: Annotated[int, Parameter(help="Rounds an hour.")] = 45,
    together: Annotated[
        Many, Parameter(negative="", help="NAME=AMOUNT; several: what a patron's wagers come to on one deal.")
    ] = (),
    limit: Annotated[str | None, Parameter(help="The edge of growing wagers under this payout limit.")] = None,
    format: Format = "table",  # noqa: A002 (the option's name)
) -> None:
    """Work out edge, average wager, risk, hit frequency and deviation of every wager, exactly."""
    (rules,) = games(game)
    name = rules.chapter.game
    chosen, letters = _chosen(name, submission, pairs(reading, "ev-ties=smaller-wager"))
    options = rulebook().options(chosen)
    from pitboss.exact.analyze import analyze as worked_out  # noqa: PLC0415 (numpy and numba)
    from pitboss.exact.analyze import as_json, kernels_of, tasks_of, text  # noqa: PLC0415 (the same)
    from pitboss.exact.session import after_rounds  # noqa: PLC0415 (the same)

    if together:
        if wager or paytable or limit:
            raise Mistake("Wagers together are chosen by --together, their paytables and payout limit by a Submission.")
        found = _joined(name, pairs(together, "ante=10"), letters, options, submission)
        _show_together(rules, *found, options, _rounds(rounds, hours, pace), format)
        return
    after = _rounds(rounds, hours, pace)
    tasks = _offered(tasks_of(name, wager, paytable), letters, wager, submission)
    most = _payout_limit(name, tasks, limit, submission)
    with progress(len(tasks), kernels_of(name)) as done:
        rows = worked_out(name, tasks, options, done)
    standings = [(row, after_rounds(row.distribution, after)) for row in rows] if after is not None else []
    limited = list(_limited(name, rows, options, most)) if most is not None else []
    if format == "json":
        data = as_json(name, rows, options)
        if after is not None:
            data["sessions"] = [{**_named(row), **msgspec.to_builtins(standing)} for row, standing in standings]
        if most is not None:
            data["payout_limit"] = most
            data["limited"] = [
                {**_named(row), "wager_cents": one.wager, "house_edge": text(one.house_edge)}
                for row, found in limited
                for one in found
            ]
        print_json(data)
        return
    out = console()
    out.print(heading(rules))
    _show(out, name, rows, options)
    if after is not None:
        _show_standings(out, after, standings)
    if most is not None:
        _show_limited(out, most, limited)


def _joined(
    game: str,
    given: Mapping[str, str],
    letters: Mapping[str, str] | None,
    readings: Mapping[str, str],
    submission: str | None,
) -> "tuple[dict[str, int], Terms, Distribution]":
    """Work out what several wagers come to on one deal, by a Submission's paytables and payout limit if given."""
    wagers = {name: cents(amount) for name, amount in given.items()}
    offers = {name: _initial(game, name) for name in wagers}
    if letters is not None and (missing := [name for name, offer in offers.items() if offer not in letters]):
        raise Mistake(f"The Submission does not offer {' or '.join(missing)}.")
    from pitboss.exact.payoffs import letters_of, terms_for  # noqa: PLC0415 (when something is worked out)

    chosen = {offer: (letters or {}).get(offer) or letters_of(game)[offer][0] for offer in offers.values()}
    terms = terms_for(game, chosen, readings, _submitted_limit(submission))
    check_wagers(terms, wagers)
    from pitboss.exact.analyze import kernels_of  # noqa: PLC0415 (numpy and numba)
    from pitboss.exact.joint import steps_of, together  # noqa: PLC0415 (the same)

    with progress(steps_of(terms, wagers), kernels_of(game)) as done:
        return wagers, terms, together(terms, wagers, done)


def _show_together(  # noqa: PLR0913, PLR0917 (what was asked and found)
    rules: GameRules,
    wagers: Mapping[str, int],
    terms: Terms,
    found: "Distribution",
    readings: Mapping[str, str],
    rounds: int | None,
    format: str,  # noqa: A002 (the option's name)
) -> None:
    """Show what several wagers come to on one deal."""
    from pitboss.exact.analyze import text  # noqa: PLC0415 (numpy and numba)
    from pitboss.exact.session import after_rounds  # noqa: PLC0415 (the same)

    standing = after_rounds(found, rounds) if rounds is not None else None
    paytables = {name: letter for name, letter in terms.letters.items() if letter != ONLY}
    limit = terms.payout_limit
    note = "Meters at their seeds; without Envy, Magic Card and Lucky Bonus." if terms.meters else ""
    if format == "json":
        figures = {name: text(getattr(found, name)) for name in ("house_edge", "average_wager", "hit_frequency")}
        print_json(
            {
                "game": rules.chapter.game, "edition": rules.chapter.edition, "readings": readings, "wagers": wagers,
                "paytables": paytables, "payout_limit": limit, "note": note, "deals": found.deals, **figures,
                "standard_deviation": found.standard_deviation,
                "results": {text(net): count for net, count in found.by_net().items()},
                **({"session": msgspec.to_builtins(standing)} if standing else {}),
            }
        )  # fmt: skip
        return
    out = console()
    out.print(heading(rules))
    made = ", ".join(f"{name} {dollars(amount)}" for name, amount in wagers.items())
    by = ", ".join(f"{name} {letter}" for name, letter in paytables.items())
    capped = f"; payout limit {dollars(limit)}" if limit is not None else ""
    out.print(f"{made}: {dollars(found.stake)} before the deal{f'; paytables: {by}' if by else ''}{capped}")
    page = ledger("result", "chance", "at most")
    below = Fraction()
    for net, count in found.by_net().items():
        below += Fraction(count, found.deals)
        page.add_row(dollars(int(net * found.stake)), _percent(Fraction(count, found.deals)), _percent(below))
    for column in page.columns:
        column.justify = "right"
    out.print(page)
    lost = dollars(round(found.house_edge * found.stake))
    out.print(
        f"On average {lost} is lost, {_percent(found.house_edge)} of what is wagered before the deal; "
        f"deviation {dollars(round(found.standard_deviation * found.stake))}; "
        f"ahead {_percent(found.hit_frequency)}. {note}"
    )
    if standing:
        known = {p: x for p, x in standing.percentiles.items() if x is not None}
        at = ", ".join(f"{p} %: {dollars(round(x * found.stake))}" for p, x in known.items())
        out.print(f"After {standing.rounds:,} rounds ahead {100 * standing.ahead:.2f} %; {at}.")


def _initial(game: str, name: str) -> str:
    """Return what a wager placed before the deal is offered as."""
    known = {wager.name: wager.offer for wager in GAMES[game].initial}
    if name not in known:
        raise Mistake(f"{game} has no wager “{name}” to place before the deal; {hint(name, known)}")
    return known[name]


def _named(row: "Row") -> dict[str, object]:
    return {"wager": row.wager, "paytable": row.paytable}


def _rounds(rounds: int | None, hours: float | None, pace: int) -> int | None:
    if hours is None:
        if rounds is not None and rounds < 1:
            raise Mistake(f"Rounds are counted from 1, not {rounds}.")
        return rounds
    if rounds is not None:
        raise Mistake("Say how many rounds, or how many hours, not both.")
    if not 0 < hours < 10_000 or not 0 < pace < 1_000:  # noqa: PLR2004 (what can be meant)
        raise Mistake(f"{hours} hours of {pace} rounds each cannot be meant.")
    return max(1, round(hours * pace))


def _submitted_limit(submission: str | None) -> int | None:
    limit = load(submission).table.payout_limit if submission else None
    return None if limit is None else int(limit)


def _payout_limit(game: str, tasks: "Sequence[Task]", given: str | None, submission: str | None) -> int | None:
    """Return the limit to show edges under: the one asked for, else the Submission's, if it is on any of these wagers.

    A limit that is asked for is refused where there can be none, or if it is less than a dollar.
    """
    from pitboss.exact.limits import limited_offers  # noqa: PLC0415 (numpy and numba)

    affected = limited_offers(game, {})
    if given is None:
        return _submitted_limit(submission) if any(task.offer in affected for task in tasks) else None
    limit = cents(given)
    if not affected:
        raise Mistake(f"{game} has no payout limit.")
    if not any(task.offer in affected for task in tasks):
        raise Mistake(f"No payout limit is on {tasks[0].wager}; there may be one on {', '.join(sorted(affected))}.")
    if limit < DOLLAR:
        raise Mistake(f"A payout limit is a dollar or more, not {dollars(limit)}.")
    return limit


def _limited(
    game: str, rows: "Sequence[Row]", readings: Mapping[str, str], limit: int
) -> "Iterator[tuple[Row, list[Limited]]]":
    """Yield the edge of each wager that a limit may be on, as the wager grows."""
    from pitboss.exact.analyze import base_name  # noqa: PLC0415 (numpy and numba)
    from pitboss.exact.limits import ladder, limited_offers, under_limit  # noqa: PLC0415 (the same)

    affected = limited_offers(game, readings)
    for row in rows:
        offer = GAMES[game].required if row.wager == base_name(game) else row.wager
        if offer in affected:
            amounts = ladder(DOLLAR, limit)
            yield row, under_limit(game, offer, row.paytable or ONLY, readings, limit, amounts)


def _show_standings(out: Console, rounds: int, standings: "Sequence[tuple[Row, Standing]]") -> None:
    out.print(f"\n[bold]After {rounds:,} rounds[/]")
    percentiles = list(standings[0][1].percentiles)
    page = ledger("wager", "paytable", "ahead", "even", *(f"{p} %" for p in percentiles))
    for row, standing in standings:
        page.add_row(
            row.wager, row.paytable or "", f"{100 * standing.ahead:.2f} %", f"{100 * standing.even:.2f} %",
            *("" if (at := standing.percentiles[p]) is None else f"{at:+,.1f}" for p in percentiles),
        )  # fmt: skip
    for column in page.columns[2:]:
        column.justify = "right"
    out.print(page)
    out.print("[dim]Of a hundred players, so many stand there or below, in initial wagers. To about ten digits.[/]")


def _show_limited(out: Console, limit: int, limited: "Sequence[tuple[Row, list[Limited]]]") -> None:
    out.print(f"\n[bold]House edge under a payout limit of {dollars(limit)}[/]")
    page = ledger("initial wager", *(f"{row.wager} {row.paytable or ''}" for row, _ in limited))
    page.add_row("no limit", *(_percent(found[0].free) for _, found in limited))
    for place, one in enumerate(limited[0][1]):
        page.add_row(dollars(one.wager), *(_percent(found[place].house_edge) for _, found in limited))
    for column in page.columns:
        column.justify = "right"
    out.print(page)
    out.print("[dim]Of the initial wager; decisions know of the limit, which is not in the figures above.[/]")


def _chosen(
    game: str, submission: str | None, given: Mapping[str, str]
) -> tuple[dict[str, str], dict[str, str] | None]:
    """Return the readings to go by, and the letters of what a Submission offers."""
    if submission is None:
        return dict(given), None
    found = load(submission)
    insist(found, submission)
    if found.game != game:
        raise Mistake(f"The Submission {submission} is for {found.game}, not {game}.")
    return {**readings_of(found), **given}, {offer: wager.paytable or "" for offer, wager in found.wagers.items()}


def _offered(
    tasks: "Sequence[Task]", letters: Mapping[str, str] | None, wager: str | None, submission: str | None
) -> "list[Task]":
    """Return what a Submission offers of these wagers, each with its paytable."""
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


def _show(out: Console, game: str, rows: "Sequence[Row]", readings: Mapping[str, str]) -> None:
    from pitboss.exact.analyze import base_name, jackpot_of  # noqa: PLC0415 (numpy and numba)
    from pitboss.exact.jackpots import envy, long_run  # noqa: PLC0415 (the same)

    page = ledger("wager", "paytable", "house edge", "average wager", "element of risk", "hits", "deviation", "deals")
    meters = ledger(
        "with meters, per $1", "paytable", "fixed", "per meter dollar", "break-even", "at seed", "long run", ""
    )
    for row in rows:
        found = row.distribution
        page.add_row(
            row.wager, row.paytable or "", _percent(found.house_edge), f"{float(found.average_wager):.4f}",
            _percent(found.element_of_risk), _percent(found.hit_frequency), f"{found.standard_deviation:.4f}",
            f"{found.deals:,}",
        )  # fmt: skip
        offer = GAMES[game].required if row.wager == base_name(game) else row.wager
        if held := jackpot_of(game, row, offer, readings):
            terms, jackpot = held
            name = next(wager.name for wager in terms.game.initial if wager.offer == offer)
            run = long_run(terms, name, jackpot)
            notes = [f"Envy {_percent(each)} for each other hand"] if (each := envy(terms, found)) else []
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
    _right(page, 2)
    out.print(page)
    known = any(one.game == game for one in published_holds())
    published = " pitboss holds sets the holds of rulemaking 125-204 beside them." if known else ""
    out.print(
        "\n[dim]House edge: the player's expected loss over the initial wager. Average wager: all that is wagered in a "
        "round, in initial wagers. Element of risk: the loss over all that is wagered. Hits: the chance to have more "
        "than before. Deviation: of the result, in initial wagers. Required wagers under the best decisions."
        f"{published}[/]"
    )
    if meters.rows:
        _right(meters, 2)
        out.print()
        out.print(meters)
        out.print(
            "\n[dim]Above, the meters are at their seeds. Fixed: what comes back of a dollar apart from the meters. "
            "Long run: where the table pays what is no share of a meter; or where the meter does (reading "
            "progressive-fixed-pays), which sinks if more is paid off it than comes onto it.[/]"
        )


def _long_run(run: "LongRun | None") -> str:
    """Write what comes back over all time: where the table pays what is no share, and where the meter may."""
    if run is None:
        return "not worked out"
    if not run.may_come_off:
        return _percent(run.from_table)
    return f"{_percent(run.from_table)} or {'[yellow]sinks[/]' if run.from_meter is None else _percent(run.from_meter)}"


def _right(page: Table, first: int) -> None:
    for column in page.columns[first:-1]:
        column.justify = "right"


def _percent(number: Fraction) -> str:
    return f"{100 * float(number):.4f} %"
