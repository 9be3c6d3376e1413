"""The kinds of pay of section .12 are different things."""

import pytest

from pitboss.errors import Mistake
from pitboss.rulebook import ForOne, Loss, NotPaid, Odds, Pay, Push, Share
from pitboss.rulebook.meters import Amount, Percent, parse_amount, parse_percent
from pitboss.rulebook.pay import parse_pay


@pytest.mark.parametrize(
    ("cell", "kind", "written"),
    [
        ("1,000 to 1", Odds(1000, 1), "1000 to 1"),
        ("3 to 2", Odds(3, 2), "3 to 2"),
        ("5,000 for 1", ForOne(5000), "5000 for 1"),
        ("100% of meter", Share(100, "meter"), "100% of meter"),
        ("10% of meter", Share(10, "meter"), "10% of meter"),
        ("100% mega jackpot", Share(100, "mega"), "100% of mega"),
        ("100% of minor", Share(100, "minor"), "100% of minor"),
        ("Push", Push(), "push"),
        ("Loss", Loss(), "loss"),
        ("N/A", NotPaid(), "n/a"),
        ("", NotPaid(), "n/a"),
    ],
)
def test_a_cell_survives_a_round_trip(cell: str, kind: Pay, written: str) -> None:
    assert parse_pay(cell) == kind
    assert str(kind) == written
    assert parse_pay(written) == kind


@pytest.mark.parametrize("cell", ["1", "to 1", "1 too 1", "1 to 0", "2 for 2", "10%", "100% of megabucks", "-1 to 1"])
def test_refuses_an_invalid_pay(cell: str) -> None:
    with pytest.raises(Mistake, match="is not a pay such as"):
        parse_pay(cell)


def test_cells_that_pay_from_a_meter() -> None:
    assert parse_amount("$10,000 for 1") == Amount(10000, for_one=True)
    assert parse_amount("$0") == Amount(0, for_one=False)
    assert parse_percent("53%") == Percent(53)
    for wrong in ("10,000", "$", "$1.5", "53%"):
        with pytest.raises(Mistake, match="is not an amount such as"):
            parse_amount(wrong)
    with pytest.raises(Mistake, match="is not a rate such as"):
        parse_percent("$53")
