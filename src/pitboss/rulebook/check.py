"""Check references between data files: the clauses, readings, hands and wagers that a file names must exist."""

from collections.abc import Iterable, Iterator
from itertools import chain, product
from pathlib import Path

from pitboss import cards
from pitboss.errors import Mistake
from pitboss.ranking import evaluator
from pitboss.rulebook.book import GameRules, Rulebook
from pitboss.rulebook.grounds import METER_GROUNDS, Ground
from pitboss.rulebook.meters import Meters
from pitboss.rulebook.pay import Pay, Share
from pitboss.rulebook.pay import parse_pay as read_pay
from pitboss.rulebook.paytables import Paytables
from pitboss.rulebook.readings import Choice
from pitboss.rulebook.sign_wording import PlayLine
from pitboss.rulebook.toml import DataMistake


def check_rulebook(book: Rulebook, root: Path) -> None:
    """Raise `DataMistake` for the first unknown name."""
    for name, game in book.games.items():
        _sections(book, game, root / name / "clauses")
    for name, reading in book.readings.items():
        _cites(book, root / "readings.toml", name, reading.clauses)
        for option, needed in reading.needs.items():
            _options(book, root / "readings.toml", name, {name: option, **needed})
    for name, game in book.games.items():
        _rankings(book, game, root / name / "rankings.toml")
        _paytables(book, game, root / name / "paytables.toml")
        _meters(book, game, root / name / "meters.toml")
        _grounds(book, game, root / name / "chapter.toml")
        _example(book, game, root / name / "chapter.toml")
        _wording(book, game, root / name / "sign.toml")
        for offer, cite in game.wording.areas.items():
            _cites(book, root / name / "sign.toml", f"areas.{offer}", [cite])
        _procedures(book, game, root / name / "procedures.toml")


def _sections(book: Rulebook, game: GameRules, folder: Path) -> None:
    for section in game.chapter.sections:
        if book.sections[section.id] is not section:
            raise DataMistake(folder, section.id, "the section is listed twice")


def _rankings(book: Rulebook, game: GameRules, file: Path) -> None:
    for name, printed in game.rankings.items():
        _cites(book, file, name, printed.cites)
        for hand in printed.hands:
            _cites(book, file, f"{name}, {hand.name}", [hand.cite])
        for choice in _every_choice(book, file, name, printed.choices):
            if problem := book.ranking(game.chapter.game, name, choice).problem():
                raise DataMistake(file, name, problem)


def _paytables(book: Rulebook, game: GameRules, file: Path) -> None:
    for wager, paytables in game.paytables.items():
        _cites(book, file, wager, [paytables.cite])
        for change in paytables.amendments:
            _options(book, file, wager, change.when)
        if paytables.ranking and paytables.ranking not in game.rankings:
            raise DataMistake(file, wager, f"there is no ranking “{paytables.ranking}”")
        for letter, table in paytables.printed.items():
            for hand, pay in table.items():
                _cell(game, file, paytables, letter, hand, pay)


def _cell(game: GameRules, file: Path, paytables: Paytables, letter: str, hand: str, pay: Pay) -> None:  # noqa: PLR0913, PLR0917 (where and what)
    key = f"{paytables.wager}, {hand}"
    if paytables.ranking and hand not in _names(game, paytables.ranking):
        raise DataMistake(file, key, f"the ranking {paytables.ranking} has no such hand")
    if isinstance(pay, Share) and not _meter_exists(game, paytables.wager, letter, pay.meter):
        raise DataMistake(file, key, f"meters.toml has no such meter for Paytable {letter}: “{pay}”")


def _meters(book: Rulebook, game: GameRules, file: Path) -> None:
    for wager, meters in game.meters.items():
        envy = meters.envy
        _cites(book, file, wager, [meters.cite, *([envy.cite] if envy else [])])
        if wager not in game.paytables:
            raise DataMistake(file, wager, "paytables.toml has no such wager")
        _meter_options(book, file, meters)
        named = {*meters.paytables, *(meters.not_linked.paytables if meters.not_linked else ())}
        if envy:
            named |= set(envy.paytables).union(*(change.paytables for change in envy.amendments))
        if stray := named - game.paytables[wager].printed.keys():
            raise DataMistake(file, wager, f"there is no Paytable {min(stray)}")
        for letter, names in meters.paytables.items():
            for name, meter in names.items():
                if (meter.seed is None) != (meter.primary is None):
                    raise DataMistake(file, wager, f"meter {name} of Paytable {letter} needs both seed and primary")
        for hands in envy.pays.values() if envy else ():
            if stray := hands.keys() - _names(game, game.paytables[wager].ranking):
                raise DataMistake(file, f"{wager}.envy", f"the ranking of the wager has no hand “{min(stray)}”")


def _meter_options(book: Rulebook, file: Path, meters: Meters) -> None:
    """Check the readings and clauses of links, validation and the Envy Bonus."""
    for change in meters.envy.amendments if meters.envy else ():
        _options(book, file, f"{meters.wager}.envy", change.when)
    for rule in meters.validated:
        _cites(book, file, f"{meters.wager}.validated", [rule.cite])
        _options(book, file, f"{meters.wager}.validated", rule.when)
    if meters.not_linked:
        _cites(book, file, f"{meters.wager}.not_linked", [meters.not_linked.cite])


def _grounds(book: Rulebook, game: GameRules, file: Path) -> None:
    """Check that a game played at tables has a clause for every role."""
    grounds = game.chapter.grounds
    for role, cite in grounds.items():
        _cites(book, file, f"grounds.{role}", [cite])
        if cite.chapter != game.chapter.id:
            raise DataMistake(file, f"grounds.{role}", f"{cite} is not a clause of chapter {game.chapter.id}")
    needed = [role for role in Ground if game.meters or role not in METER_GROUNDS] if game.procedures.dealing else []
    if missing := next((role for role in needed if role not in grounds), None):
        raise DataMistake(file, "grounds", f"it names no clause for the role “{missing}”")
    if not game.meters and (stray := next((role for role in grounds if role in METER_GROUNDS), None)):
        raise DataMistake(file, f"grounds.{stray}", "the chapter has no meters, so no clause plays this role")


def _example(book: Rulebook, game: GameRules, file: Path) -> None:
    example = game.chapter.head.example
    try:
        evaluator(book.ranking(game.chapter.game, example.ranking))(cards.hand(example.cards))
    except Mistake as error:
        raise DataMistake(file, "example", str(error)) from None


def _procedures(book: Rulebook, game: GameRules, file: Path) -> None:
    procedures = game.procedures
    for name, irregularity in procedures.irregularities.items():
        _cites(book, file, f"irregularities.{name}", [irregularity.cite])
    lists = {**procedures.dealing, "opening": procedures.opening, "completion": procedures.completion}
    for name, steps in lists.items():
        for step in steps:
            _cites(book, file, name, [step.cite, *([step.wrong] if step.wrong else [])])
            _options(book, file, name, step.when)
            _options(book, file, name, step.unless)
            if step.needs and step.needs not in game.paytables:
                raise DataMistake(file, name, f"paytables.toml has no wager “{step.needs}”")
            if step.announces and step.announces not in game.rankings:
                raise DataMistake(file, name, f"rankings.toml has no ranking “{step.announces}”")


def _rows(game: GameRules, file: Path, line: PlayLine) -> None:
    """Check that some paytable has the rows that a line of the sign depends on."""
    printed = game.paytables[line.offers].printed.values() if line.offers else ()
    for row, cell in line.pays.items():
        read_pay(cell)
        if not any(row in table for table in printed):
            raise DataMistake(file, "play", f"paytables.toml has no row “{row}” of {line.offers or 'no wager'}")


def _wording(book: Rulebook, game: GameRules, file: Path) -> None:
    for line in game.wording.play:
        _options(book, file, "play", line.when)
        if line.offers and line.offers not in game.paytables:
            raise DataMistake(file, "play", f"paytables.toml has no wager “{line.offers}”")
        _rows(game, file, line)
    for name in game.wording.names:
        _options(book, file, "names", name.when)
        tables = game.paytables[name.table].printed.values() if name.table in game.paytables else ()
        if not any(name.row in rows for rows in tables):
            raise DataMistake(file, "names", f"paytables.toml has no row “{name.row}” of {name.table}")
    for table, pictures in game.wording.pictures.items():
        key = f"pictures.{table}"
        if table not in game.paytables or not game.paytables[table].ranking:
            raise DataMistake(file, key, f"unknown table of hands “{table}”")
        evaluate = evaluator(book.ranking(game.chapter.game, game.paytables[table].ranking))
        for row, example in pictures.items():
            try:
                hand_name = evaluate(example).hand.name
            except Mistake as error:
                raise DataMistake(file, f"{key}, {row}", str(error)) from None
            if hand_name != row:
                raise DataMistake(file, f"{key}, {row}", f"the cards make “{hand_name}”")


def _names(game: GameRules, ranking: str) -> set[str]:
    return {hand.name for hand in game.rankings[ranking].hands}


def _meter_exists(game: GameRules, wager: str, letter: str, meter: str) -> bool:
    meters = game.meters[wager].paytables.get(letter, {}) if wager in game.meters else {}
    names = [name for name, rule in meters.items() if rule.seed is not None]
    return len(names) == 1 if meter == "meter" else meter in names


def _cites(book: Rulebook, file: Path, key: str, cites: Iterable[str]) -> None:
    for text in cites:
        try:
            book.cite(text)
        except Mistake as error:
            raise DataMistake(file, key, str(error)) from None


def _options(book: Rulebook, file: Path, key: str, choice: Choice) -> None:
    try:
        book.options(choice)
    except Mistake as error:
        raise DataMistake(file, key, str(error)) from None


def _every_choice(book: Rulebook, file: Path, key: str, choices: Iterable[Choice]) -> Iterator[Choice]:
    """Yield every combination of options for the readings in these conditions."""
    for choice in (choices := list(choices)):
        _options(book, file, key, choice)
    names = sorted(set(chain(*choices)))
    for options in product(*(book.readings[name].options for name in names)):
        yield dict(zip(names, options, strict=True))
