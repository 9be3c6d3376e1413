"""The shipped figures equal those that the kernels calculate."""

from pathlib import Path

import pytest

from pitboss.cache import SHIPPED
from pitboss.report.mathematics import calculate_figures


def test_the_shipped_figures_equal_the_calculated_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path))
    shipped = {file.name: file.read_bytes() for file in SHIPPED.iterdir()}
    assert shipped == calculate_figures(), "stale: run `make figures`"
