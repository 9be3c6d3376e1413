"""The cache: damaged results are calculated again, and everything works without a cache."""

from pathlib import Path

import numpy as np
import pytest

from pitboss.cache import cache_folder, encode_result, file_name, load_or_make, load_or_make_arrays


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path))
    return tmp_path


def results_and_calls(*numbers: int) -> list[int]:
    """The cached results for these numbers in turn, and how often each was calculated."""
    made: list[int] = []

    def make(number: int) -> int:
        made.append(number)
        return number

    results = [
        load_or_make("key", "cache.py", of=int, make=lambda number=number: make(number))  # type: ignore[misc]
        for number in numbers
    ]
    return [*results, len(made)]


def test_a_result_is_cached(cache: Path) -> None:
    assert results_and_calls(5, 6) == [5, 5, 1]
    assert len(list(cache.iterdir())) == 1


@pytest.mark.parametrize("damage", [b"", b"5", b"nonsense", b"0" * 64 + b"\n6"])
def test_a_damaged_result_is_calculated_again(cache: Path, damage: bytes) -> None:
    results_and_calls(5)
    (file,) = cache.iterdir()
    file.write_bytes(damage)
    assert results_and_calls(6) == [6, 1]


def test_damaged_arrays_are_calculated_again(cache: Path) -> None:
    first = load_or_make_arrays("key", "cache.py", make=lambda: [np.arange(3)])
    (file,) = cache.iterdir()
    file.write_bytes(file.read_bytes()[:40])
    again = load_or_make_arrays("key", "cache.py", make=lambda: [np.arange(4)])
    assert (first[0].tolist(), again[0].tolist()) == ([0, 1, 2], [0, 1, 2, 3])


def test_results_are_calculated_without_a_writable_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path / "file" / "below"))
    assert results_and_calls(5, 6) == [5, 6, 2]


def test_the_cache_needs_no_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PITBOSS_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)

    def homeless(_: Path) -> Path:
        raise RuntimeError

    monkeypatch.setattr(Path, "expanduser", homeless)
    assert cache_folder().name == "pitboss"


def test_a_shipped_result_is_not_calculated(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = cache / "shipped"
    shipped.mkdir()
    monkeypatch.setattr("pitboss.cache.SHIPPED", shipped)
    (shipped / file_name("key", "cache.py", ending=".json")).write_bytes(encode_result(7))
    assert results_and_calls(5) == [7, 0]
