"""Settings out of range are refused, and the lowest allowed rate is still a limit."""

from pathlib import Path

import pytest

from pitboss.errors import Mistake
from pitboss.house.config import load_config
from pitboss.web.rate import Rate


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("port", "0"),
        ("port", "-1"),
        ("port", "99999"),
        ("betting", "-5"),
        ("rest", "3601"),
        ("writers", "0"),
        ("checkpoint_every", "0"),
        ("orders_per_second", "0"),
        ("orders_per_second", "nan"),
        ("orders_per_second", "inf"),
    ],
)
def test_refuses_a_setting_out_of_range(setting: str, value: str) -> None:
    with pytest.raises(Mistake, match=f"The setting “{setting}” must be from .* to .*, not {value}"):
        load_config(None, {f"PITBOSS_{setting.upper()}": value})


def test_refuses_an_option_out_of_range(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text("port = 8000\n", "utf-8")
    assert load_config(file, {}).port == 8000
    with pytest.raises(Mistake, match="“port”"):
        load_config(file, {}, port=70_000)


def test_a_rate_below_one_is_still_a_limit() -> None:
    now = 0.0
    rate = Rate(0.1, 0.5, lambda: now)
    assert [rate.allows("ann") for _ in range(3)] == [True, False, False]
    now = 9.9
    assert not rate.allows("ann")
    now = 10.1
    assert rate.allows("ann")
