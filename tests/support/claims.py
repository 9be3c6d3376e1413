"""Which clauses a test says it proves, case by case: `@pytest.mark.proves("{chapter}.5(d)")` names the case's chapter."""

import pytest

from pitboss.rulebook import CitationMistake, Cite, cite


def claims(item: pytest.Item) -> list[Cite]:
    """Return the clauses one test or case says it proves; a name in braces is an argument of the case."""
    spec = getattr(item, "callspec", None)
    arguments = spec.params if spec else {}
    try:
        return [cite(text.format_map(arguments)) for mark in item.iter_markers("proves") for text in mark.args]
    except KeyError as error:
        raise pytest.UsageError(f"{item.nodeid}: the case has no argument {error}") from None
    except CitationMistake as error:
        raise pytest.UsageError(f"{item.nodeid}: {error}") from None
