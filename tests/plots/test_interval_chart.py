"""The interval chart draws the result's numbers, whatever the names are and however many there are."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest

from made_up_results import feature, made_up, made_up_by_evidence, made_up_under_pins, made_up_with_totals
from relspan.errors import ParameterError
from relspan.plots import IntervalDisplay
from relspan.plots.intervals import MOST_NAMED_ROWS
from relspan.result import CLASSES
from relspan.show import palette


def bars(display, kind):
    """(place, from, to) of the bars of one class."""
    (found,) = [c for c in display.ax_.containers if c.get_label() == kind]
    return [(b.get_y() + b.get_height() / 2, b.get_x(), b.get_x() + b.get_width()) for b in found]


def names(display):
    return [text.get_text() for text in display.ax_.get_yticklabels()]


def test_every_bar_runs_from_min_to_max(small):
    display = IntervalDisplay.from_result(small)
    assert names(display) == ["most needed", "needed", "a", "b", "hum"]
    np.testing.assert_allclose(bars(display, "strong"), [(0, 0.4, 0.9), (1, 0.2, 0.5)])
    np.testing.assert_allclose(bars(display, "weak"), [(2, 0.0, 0.7), (3, 0.0, 0.6)])
    np.testing.assert_allclose(bars(display, "irrelevant"), [(4, 0.0, 0.1)])
    assert [row.interval for row in display.rows] == [(0.4, 0.9), (0.2, 0.5), (0.0, 0.7), (0.0, 0.6), (0.0, 0.1)]
    assert display.figure_ is display.ax_.figure


def test_signed_bars_run_from_lo_to_hi_and_the_mark_sits_at_the_far_end(small):
    display = IntervalDisplay.from_result(small, signed=True, sort="table")
    np.testing.assert_allclose(bars(display, "weak"), [(1, -0.6, 0.3), (3, 0.0, 0.7)])
    marks = {round(float(y)): float(x) for line in display.ax_.lines for x, y in zip(*line.get_data(), strict=True)}
    assert marks[1] == -0.6
    assert marks[2] == -0.5
    assert display.ax_.get_xlim()[0] < -0.6


@pytest.mark.parametrize(
    ("sort", "order"),
    [
        ("max", ["most needed", "a", "b", "needed", "hum"]),
        ("min", ["most needed", "needed", "a", "b", "hum"]),
        ("name", ["a", "b", "hum", "most needed", "needed"]),
        ("table", ["hum", "b", "needed", "a", "most needed"]),
    ],
)
def test_orders(small, sort, order):
    assert names(IntervalDisplay.from_result(small, sort=sort)) == order
    with pytest.raises(ParameterError, match="sort must be one of"):
        IntervalDisplay.from_result(small, sort="size")


def test_groups_stand_together(small):
    display = IntervalDisplay.from_result(small, groups={"pair": ["a", "hum"]})
    assert names(display) == ["a", "hum", "most needed", "needed", "b"]
    assert [row.group for row in display.rows] == ["pair", "pair", "", "", ""]
    assert "pair" in [text.get_text() for text in display.ax_.texts]
    with pytest.raises(ParameterError, match="groups must map"):
        IntervalDisplay.from_result(small, groups=3)


def test_an_earlier_result_is_a_ghost_found_by_name(small):
    now = made_up(feature("a", 0.1, 0.3, "strong"), feature("new", 0.0, 0.3, "weak"))
    display = IntervalDisplay.from_result(now, earlier=small)
    assert [row.ghost for row in display.rows] == [(0.0, 0.7), None]
    ghost = display.ax_.containers[0]
    assert [(b.get_x(), b.get_width()) for b in ghost] == [(0.0, 0.7)]
    assert "before" in [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert display.ax_.get_xlim()[1] > 0.7


def test_classes_differ_in_colour_and_in_mark():
    assert len(set(palette.CLASS_COLOURS.values())) == len(CLASSES)
    shapes = [
        tuple(palette.class_marker(kind).get(key) for key in ("marker", "markersize", "fillstyle")) for kind in CLASSES
    ]
    assert len(set(shapes)) == len(CLASSES)


def test_the_key_counts_classes_and_names_chance(small):
    texts = [text.get_text() for text in IntervalDisplay.from_result(small).ax_.get_legend().get_texts()]
    assert texts == ["strong (2)", "weak (2)", "irrelevant (1)", "reach of chance"]


def test_a_partial_result_has_no_threshold():
    display = IntervalDisplay.from_result(made_up(feature("a", 0.0, 0.4, "undecided"), threshold=None))
    assert display.threshold is None
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == ["undecided (1)"]


def test_parts_of_a_feature_have_rows_in_the_signed_chart():
    several = made_up(feature("a", 0.1, 0.9, "strong", parts={"red": (-0.4, 0.1), "blue": (0.2, 0.3)}))
    assert names(IntervalDisplay.from_result(several)) == ["a"]
    display = IntervalDisplay.from_result(several, signed=True, sort="table")
    assert [(row.name, row.interval) for row in display.rows] == [("a [red]", (-0.4, 0.1)), ("a [blue]", (0.2, 0.3))]


def many(relevant: int, irrelevant: int):
    rng = np.random.default_rng(0)
    top = [feature(f"r{j}", 0.0, float(v), "weak") for j, v in enumerate(rng.uniform(0.3, 1.0, relevant))]
    return made_up(
        *top, *(feature(f"i{j}", 0.0, float(v), "irrelevant") for j, v in enumerate(rng.uniform(0, 0.2, irrelevant)))
    )


def test_a_thousand_features_fold_the_irrelevant_into_one_row():
    display = IntervalDisplay.from_result(many(12, 988))
    assert len(display.rows) == 12
    assert len(display.folded) == 988
    assert names(display)[-1] == "988 irrelevant"
    assert display.figure_.get_size_inches()[1] < 6
    assert display.ax_.get_xlim()[1] > max(row.interval[1] for row in display.rows)


@pytest.mark.slow
def test_rows_without_room_for_names_keep_their_classes():
    display = IntervalDisplay.from_result(many(MOST_NAMED_ROWS + 100, 840), everything=True)
    assert len(display.rows) == 1000
    assert names(display) == [f"{MOST_NAMED_ROWS + 100} weak", "840 irrelevant"]
    assert display.figure_.get_size_inches()[1] <= 16


@pytest.mark.slow
def test_labels_do_not_overlap_up_to_the_limit():
    display = IntervalDisplay.from_result(many(MOST_NAMED_ROWS, 0))
    display.figure_.canvas.draw()
    boxes = sorted((t.get_window_extent() for t in display.ax_.get_yticklabels()), key=lambda box: box.y0)
    assert len(boxes) == MOST_NAMED_ROWS
    assert all(above.y0 >= below.y1 - 1.0 for below, above in pairwise(boxes))


def test_names_are_text_never_mathematics_or_markup(tmp_path):
    odd = ["$\\frac{1}{$", "a\nb", "<script>alert(1)</script>", "_hidden", "x" * 300]
    display = IntervalDisplay.from_result(made_up(*(feature(name, 0.0, 0.5, "weak") for name in odd)))
    display.figure_.savefig(tmp_path / "odd.svg")
    text = (tmp_path / "odd.svg").read_text()
    assert "<script" not in re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    assert all(len(name) < 40 for name in names(display))


def test_only_some_features(small):
    assert names(IntervalDisplay.from_result(small, features=["a", "b"])) == ["a", "b"]
    with pytest.raises(ParameterError, match="no feature 'c'"):
        IntervalDisplay.from_result(small, features=["c"])


def test_an_empty_result_can_be_drawn():
    IntervalDisplay.from_result(made_up())


def test_result_plot_is_this_chart(small):
    display = small.plot(signed=True)
    assert isinstance(display, IntervalDisplay)
    assert display.signed


def test_one_model_is_a_dot_in_every_row(small):
    display = IntervalDisplay.from_result(small, model={"a": -0.3, "most needed": 0.6})
    weights = {row.name: row.weight for row in display.rows}
    assert weights == {"most needed": 0.6, "needed": 0.0, "a": 0.3, "b": 0.0, "hum": 0.0}
    assert IntervalDisplay.from_result(small, model={"a": -0.3}, signed=True, features=["a"]).rows[0].weight == -0.3
    assert "one model" in [text.get_text() for text in display.ax_.get_legend().get_texts()]


def test_under_pins_the_chart_names_them_and_draws_the_intervals_without():
    display = IntervalDisplay.from_result(made_up_under_pins(), title="outcome")
    assert display.title == "Under these pins: without lost. outcome"
    assert display.threshold is None
    assert display.ghosts == "without pins"
    by_name = {row.name: row for row in display.rows}
    assert by_name["substitute"].ghost == (0.0, 0.8)
    assert "substitute (needed)" in names(display)
    assert "lost (pinned, left out)" in names(display)
    assert "other" in names(display)


def test_the_first_line_of_the_title_states_that_nothing_is_called_relevant():
    failed = IntervalDisplay.from_result(made_up_by_evidence(passed=False), title="outcome")
    first, second = failed.ax_.get_title(loc="left").splitlines()
    assert first.startswith("No feature is called relevant: on rows left out")
    assert second == "outcome"
    assert IntervalDisplay.from_result(made_up_by_evidence(), title="outcome").title == "outcome"


def test_the_band_of_chance_is_that_of_totals_or_of_single_weights():
    result = made_up_with_totals()
    assert IntervalDisplay.from_result(result).threshold == 0.6
    assert IntervalDisplay.from_result(result, signed=True).threshold == 0.2
