"""The shuffle has no bias, and a commitment binds the house to it."""

import json
import math
from collections import Counter
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import asdict, replace

from pitboss.cards import DECK
from pitboss.cli import main
from pitboss.errors import Mistake
from pitboss.report.shuffle_statistics import chi_square_tail, shuffle_batches, shuffle_report
from pitboss.table.commitment import Commitment, Opening, commit, is_valid_opening, opening
from pitboss.table.shoe import byte_source, cut, random_below, seeded_source, shuffle, system_source


@pytest.mark.proves("639a.5(a)", "682a.5(a)", "683a.5(a)")
@pytest.mark.parametrize("size", [2, 3, 4])
def test_every_order_of_a_small_deck_is_equally_likely(size: int) -> None:
    """Exact: tries all byte streams up to a length. Only the low bits of a byte are used."""
    most_bits = (size - 1).bit_length()
    values, length = range(1 << most_bits), {2: 6, 3: 7, 4: 7}[size]
    assert {byte & (len(values) - 1) for byte in range(256)} == set(values)
    found: Counter[tuple[int, ...]] = Counter()
    for data in product(values, repeat=length):
        try:
            found[shuffle(range(size), byte_source(bytes(data)))] += 1
        except Mistake:
            continue  # rejections used the stream up; longer streams go on where this one stopped
    assert set(found) == set(permutations(range(size)))
    assert len(set(found.values())) == 1


@pytest.mark.parametrize("limit", [2, 3, 7, 32, 33, 52])
def test_every_number_below_a_limit_is_equally_likely(limit: int) -> None:
    taken = Counter(
        random_below(limit, byte_source(bytes([byte, 0]))) for byte in range(256) if _is_accepted(byte, limit)
    )
    assert set(taken) == set(range(limit))
    assert len(set(taken.values())) == 1


def _is_accepted(byte: int, limit: int) -> bool:
    try:
        random_below(limit, byte_source(bytes([byte])))
    except Mistake:
        return False
    return True


def test_the_compiled_shuffle_equals_the_plain_one() -> None:
    data = seeded_source("compare")(2000 * 120)
    decks = np.concatenate([batch for batch, _ in shuffle_batches(2000, byte_source(data))])
    for row, deck in enumerate(decks):
        assert tuple(deck.tolist()) == shuffle(range(52), byte_source(data[row * 120 : (row + 1) * 120]))


@pytest.mark.proves("639a.5(a)", "682a.5(a)", "683a.5(a)")
def test_a_million_decks_are_randomly_intermixed() -> None:
    """Place, pair and order statistics of 1,000,000 decks from a fixed stream, at 99 %."""
    for statistic in shuffle_report(1_000_000, seeded_source("a million decks")):
        assert statistic.passed, statistic


def test_the_statistics_detect_a_bad_shuffle() -> None:
    # Bytes of which one value is a little too frequent, and a generator with a short period.
    skewed = seeded_source("skewed")
    lean = shuffle_report(200_000, lambda count: skewed(count).replace(b"\x07", b"\x05"))
    assert not all(statistic.passed for statistic in lean)
    short = seeded_source("short")(120 * 100)
    again = shuffle_report(50_000, lambda count: (short * (count // len(short) + 1))[:count])
    assert not any(statistic.passed for statistic in again)


@pytest.mark.parametrize(
    ("value", "freedom", "tail"),
    # From printed tables of the chi-square distribution.
    [(3.841, 1, 0.05), (18.307, 10, 0.05), (124.342, 100, 0.05), (135.807, 100, 0.01), (70.065, 100, 0.99), (9.210, 2, 0.01)],
)  # fmt: skip
def test_chi_square(value: float, freedom: int, tail: float) -> None:
    assert math.isclose(chi_square_tail(value, freedom), tail, rel_tol=1e-3)


def test_a_cut_moves_the_cards_above_the_cover_card() -> None:
    assert cut("abcdef", 2) == tuple("cdefab")
    with pytest.raises(Mistake, match="Cut 6 cards at a depth of 1 to 5, not 6"):
        cut("abcdef", 6)


def test_seeded_streams_repeat_and_the_systems_does_not() -> None:
    assert (
        shuffle(DECK, seeded_source("seed"))
        == shuffle(DECK, seeded_source("seed"))
        != shuffle(DECK, seeded_source("other"))
    )
    assert shuffle(DECK, system_source) != shuffle(DECK, system_source)
    source, whole = seeded_source("parts"), seeded_source("parts")
    assert b"".join(source(size) for size in (1, 5000, 7, 9000)) == whole(1 + 5000 + 7 + 9000)
    with pytest.raises(Mistake, match="The stream of 3 bytes is used up"):
        shuffle(DECK, byte_source(b"abc"))


@pytest.fixture
def committed() -> Commitment:
    source = seeded_source("commitment")
    cards = shuffle(DECK, source)
    return commit(cards, [source(32) for _ in cards])


def test_only_committed_positions_open(committed: Commitment) -> None:
    for position, card in enumerate(committed.cards):
        shown = opening(committed, position)
        assert shown.card == str(card)
        assert is_valid_opening(committed.root, shown)
        other = str(committed.cards[(position + 1) % 52])
        wrongs = (
            replace(shown, card=other),
            replace(shown, position=(position + 1) % 52),
            replace(shown, position=position + 64),
            replace(shown, salt="00" * 32),
            replace(shown, path=shown.path[:-1]),
            replace(shown, path=(*shown.path, "00" * 32)),
            replace(shown, path=("zz", *shown.path[1:])),
            replace(shown, card="XX"),
            replace(shown, position=-1),
            replace(shown, position=1000),
        )
        assert not any(is_valid_opening(committed.root, wrong) for wrong in wrongs)


def test_a_root_reveals_nothing_without_the_salt(committed: Commitment) -> None:
    again = commit(committed.cards, [seeded_source("other salts")(32)] * 52)
    assert again.root != committed.root
    with pytest.raises(Mistake, match="A commitment to 52 cards needs 52 salts of 32 bytes"):
        commit(DECK, [b""] * 52)


def write_openings(file: Path, committed: Commitment, openings: list[Opening]) -> str:
    file.write_text(json.dumps({"root": committed.root, "openings": [asdict(shown) for shown in openings]}))
    return str(file)


def test_verify_shuffle(tmp_path: Path, committed: Commitment, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "round.json"
    some = [opening(committed, position) for position in (0, 7, 51)]
    assert main(["verify-shuffle", write_openings(file, committed, some)]) == 0
    assert "3 of 52 cards match the commitment" in capsys.readouterr().out
    swapped = [some[0], replace(some[1], card=some[2].card), some[2]]
    assert main(["verify-shuffle", write_openings(file, committed, swapped), "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out) == {"ok": False, "opened": 3, "of": 52, "wrong": [7], "twice": True}
    lone = commit(DECK[:1], [b"s" * 32])
    assert main(["verify-shuffle", write_openings(file, lone, [opening(lone, 0)])]) == 1
    capsys.readouterr()
    assert main(["verify-shuffle", write_openings(file, committed, [])]) == 1
    assert "The file has no openings." in capsys.readouterr().out
    for text in ("{", "{}", '{"root": 3, "openings": []}', "\xff"):
        file.write_text(text, "latin-1")
        assert main(["verify-shuffle", str(file)]) == 2
        assert "is not a file of openings" in capsys.readouterr().err
    assert main(["verify-shuffle", str(tmp_path / "nowhere")]) == 2


def test_rng_report(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["rng-report", "--decks", "20000", "--format", "json"])
    found = json.loads(capsys.readouterr().out)
    assert status == (0 if found["passed"] else 1)
    assert [row["name"] for row in found["statistics"]] == ["position", "pair", "order", "byte"]
    assert main(["rng-report", "--decks", "5"]) == 2
    assert "--decks must be 10,000 to 100,000,000, not 5." in capsys.readouterr().err
