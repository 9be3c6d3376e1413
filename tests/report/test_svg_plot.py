"""Pictures of data: round ticks, values at the right place, words that do not cover each other."""

import pytest

from pitboss.report.par.scale import Scale, linear_ticks, log_ticks, number, rounded_scale
from pitboss.report.par.svg_plot import Axes, cells_picture, ink_on, mix_colors, spread


@pytest.mark.parametrize(
    ("low", "high", "most", "ticks"),
    [
        (0, 7, 8, [0, 1, 2, 3, 4, 5, 6, 7]),
        (0, 7, 7, [0, 2, 4, 6]),
        (-186, 112, 8, [-150, -100, -50, 0, 50, 100]),
        (0, 0.3, 8, [0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3]),  # no 0.15000000000000002
        (0, 277_000, 6, [0, 50_000, 100_000, 150_000, 200_000, 250_000]),
    ],
)
def test_linear_ticks_are_round_and_few(low: float, high: float, most: int, ticks: list[float]) -> None:
    assert linear_ticks(low, high, most) == ticks


@pytest.mark.parametrize(
    ("low", "high", "most", "ticks"),
    [
        (10, 100_000, 8, [10, 100, 1_000, 10_000, 100_000]),
        (5, 1_000, 8, [5, 10, 20, 50, 100, 200, 500, 1_000]),
        (5, 1_000, 7, [10, 100, 1_000]),
        (1e-8, 1, 5, [1e-8, 1e-6, 1e-4, 1e-2, 1]),
        (25, 45, 8, [25, 30, 35, 40, 45]),  # no two of 1, 2 and 5 times a power of ten
    ],
)
def test_log_ticks_are_powers_of_ten_or_finer(low: float, high: float, most: int, ticks: list[float]) -> None:
    assert log_ticks(low, high, most) == ticks


def test_a_symlog_scale_is_linear_to_ten_and_logarithmic_beyond() -> None:
    scale = Scale(-100, 1_000, "symlog")  # five equal parts: −100, −10, 0, 10, 100, 1,000
    shares = [scale.share(value) for value in (-100, -10, -5, 0, 5, 10, 100, 1_000)]
    assert shares == pytest.approx([0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1])
    assert scale.ticks(10) == [-100, -10, 0, 10, 100, 1_000]
    minor = scale.minor_ticks()
    assert {-90, -20, 20, 90, 200, 900} <= set(minor)
    assert all(10 < abs(value) < 1_000 for value in minor)


def test_a_log_scale_puts_factors_at_equal_distances() -> None:
    scale = Scale(1, 10_000, "log")
    assert [scale.share(value) for value in (1, 10, 100, 10_000)] == [0, 0.25, 0.5, 1]


def test_a_rounded_scale_ends_on_ticks() -> None:
    assert rounded_scale(-186, 112) == Scale(-200, 150)
    assert rounded_scale(0, 61.3) == Scale(0, 70)
    assert rounded_scale(0, 0) == Scale(0, 0.1)  # even one value has a scale


def test_numbers_have_separators_and_a_true_minus() -> None:
    assert [number(value) for value in (-1500.0, 0.0, 0.25)] == ["−1,500", "0", "0.25"]


def test_overlapping_words_move_apart_as_little_as_possible() -> None:
    assert spread([100, 104, 50], 10, 0, 200) == [97, 107, 50]
    assert spread([5, 5, 5], 10, 0, 200) == [0, 10, 20]  # not above the picture
    assert spread([199, 198], 10, 0, 200) == [200, 190]  # nor below it, and in their order
    assert spread([10, 19, 31], 10, 0, 200) == [9.5, 19.5, 31]
    assert spread([], 10, 0, 200) == []


AXES = Axes(x=Scale(0, 10), y=Scale(0, 100), x_name="rounds", y_name="result")


def test_a_point_is_at_the_place_of_its_values() -> None:
    """“100” needs 18 units and 12 of space: the y axis stands at 30. It goes from 258 up to 28; x ends at 620."""
    assert AXES.at(0, 0) == (30, 258)
    assert AXES.at(10, 100) == (620, 28)
    assert AXES.at(5, 50) == (325, 143)
    assert AXES.dot(5, 50) == '<circle cx="325" cy="143" r="2.8" fill="#222222"/>'
    assert AXES.stem(5, 50, "#3f8fb0") == '<path d="M325 258V143" fill="none" stroke="#3f8fb0" stroke-width="2.4"/>'


def test_a_note_at_the_edge_stays_between_the_axes() -> None:
    assert 'x="325" y="135" text-anchor="middle"' in AXES.dot(5, 50, "0123456789")  # it is 60 wide
    assert 'x="64" y="135" text-anchor="middle"' in AXES.dot(0, 50, "0123456789")
    assert 'x="590" y="135" text-anchor="middle"' in AXES.dot(10, 50, "0123456789")


def test_a_plot_equals_its_expected_bytes() -> None:
    axes = Axes(
        x=Scale(0, 2),
        y=Scale(1, 10, "log"),
        x_name="a < b",
        y_name="y",
        x_words=lambda value: f"{value:.1f} thousand",  # too wide for a tick at every 0.2
        ends=((2, 10, "up"),),
    )
    assert axes.picture("Two & two", [axes.level(5), axes.line([(0, 1), (2, 10)], "#b5503c", 0.5)]) == PICTURE


def test_cells_have_a_shade_and_readable_text() -> None:
    assert mix_colors("#000000", "#ff8000", 0.5) == "#804000"
    assert ink_on("#b5503c") == "#ffffff"  # brick red
    assert ink_on("#b8923a") == "#222222"  # brass
    drawn = cells_picture("Chart", ["A"], ["K", "Q"], [(0, 1, "F", "#f4f1ea")], ("pair", "kicker"))
    assert '<rect x="330" y="22" width="309" height="35" fill="#f4f1ea"/>' in drawn
    assert '<text x="485" y="44" text-anchor="middle" fill="#222222">F</text>' in drawn
    assert drawn.count("<rect") == 1


PICTURE = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 300" width="640" height="300" font-family="Libertinus Serif, Georgia, Times New Roman, serif" font-size="12" role="img" aria-label="Two &amp; two">
<path d="M24 28V258H608M24 258v5M170 258v5M316 258v5M462 258v5M608 258v5M24 188.8h-2.5M24 148.3h-2.5M24 119.5h-2.5M24 97.2h-2.5M24 79h-2.5M24 63.6h-2.5M24 50.3h-2.5M24 38.5h-2.5M24 258h-5M24 188.8h-5M24 97.2h-5M24 28h-5" fill="none" stroke="#6b6459" stroke-width="0.7"/>
<text x="24" y="275" text-anchor="middle" fill="#6b6459">0.0 thousand</text>
<text x="170" y="275" text-anchor="middle" fill="#6b6459">0.5 thousand</text>
<text x="316" y="275" text-anchor="middle" fill="#6b6459">1.0 thousand</text>
<text x="462" y="275" text-anchor="middle" fill="#6b6459">1.5 thousand</text>
<text x="608" y="275" text-anchor="middle" fill="#6b6459">2.0 thousand</text>
<text x="16" y="262" text-anchor="end" fill="#6b6459">1</text>
<text x="16" y="192.8" text-anchor="end" fill="#6b6459">2</text>
<text x="16" y="101.2" text-anchor="end" fill="#6b6459">5</text>
<text x="16" y="32" text-anchor="end" fill="#6b6459">10</text>
<text x="316" y="292" text-anchor="middle" fill="#222222">a &lt; b</text>
<text x="0" y="12" text-anchor="start" fill="#222222">y</text>
<path d="M24 97.2H608" fill="none" stroke="#6b6459" stroke-width="0.7"/>
<polyline points="24,258 608,28" fill="none" stroke="#b5503c" stroke-width="1.8" stroke-linejoin="round" stroke-opacity="0.5"/>
<path d="M608 28L622 28" fill="none" stroke="#6b6459" stroke-width="0.7"/>
<text x="625" y="32" text-anchor="start" fill="#222222">up</text>
</svg>
"""
