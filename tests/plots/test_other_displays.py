"""Pictures of what a session answers: the numbers are the answer's, and every picture draws on given axes."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import relspan.plots
from made_up_results import feature, made_up, made_up_with_totals
from relspan import RelevanceClassifier
from relspan.errors import ParameterError
from relspan.explore import (
    FeatureStability,
    Groups,
    RankedPair,
    Ranking,
    RelevancePath,
    Stability,
    Step,
    Substitution,
)
from relspan.plots import (
    ExchangeGraphDisplay,
    IntervalDisplay,
    PathDisplay,
    ProbeDisplay,
    RankingDisplay,
    StabilityDisplay,
    SubstitutionDisplay,
)
from relspan.simulate import simulate


@pytest.fixture
def groups():
    """a and c replace each other."""
    exchange = np.array([[1.0, 0.0, 0.9], [0.0, 1.0, 0.3], [0.9, 0.3, 1.0]])
    return Groups(("a", "b", "c"), (0, 1, 0), exchange, np.zeros((2, 4)), 0.5)


@pytest.fixture
def found():
    intervals = np.array([[0.0, 0.6], [0.0, 0.5], [0.1, 0.7]])
    at_min = np.tile(intervals, (3, 1, 1))
    at_min[0, 2, 0] = 0.5  # c must step in where a is left out
    return Substitution(("a", "b", "c"), intervals, at_min, np.tile(intervals, (3, 1, 1)))


@pytest.fixture
def path():
    def step(C, width):
        return Step(C, 1.0, 1.0, 0.5 + 0.1 * C, 0.0, {"a": (0.0, width), "b": (0.1, 0.2)})

    return RelevancePath("C", (step(0.1, 0.9), step(1.0, 0.6)), (0.01,))


@pytest.fixture
def stability():
    def one(name, classes):
        return FeatureStability(name, (0.1, 0.5), (0.0, 0.1, 0.2), (0.4, 0.5, 0.8), classes)

    shares = {"strong": 0.7, "weak": 0.2, "irrelevant": 0.1}
    return Stability((one("b", {"strong": 0.0, "weak": 1.0, "irrelevant": 0.0}), one("a", shares)), 20, 1, 0.9)


def test_the_heat_map_keeps_groups_together(found, groups):
    display = SubstitutionDisplay.from_result(found, groups=groups)
    assert set(display.names[:2]) == {"a", "c"}
    assert display.borders == [2]
    row, column = display.names.index("a"), display.names.index("c")
    assert display.moves[row, column] == pytest.approx(0.4)
    assert display.moves.sum() == pytest.approx(0.4)
    drawn = display.ax_.images[0].get_array()
    assert drawn[row, column] == display.moves[row, column]
    assert drawn.mask.diagonal().all()
    assert ".40" in [text.get_text() for text in display.ax_.texts]
    with pytest.raises(ParameterError, match="at must be"):
        SubstitutionDisplay.from_result(found, at="middle")


def test_the_graph_draws_pairs_that_exchange(groups):
    result = made_up(feature("a", 0.0, 0.5, "weak"), feature("b", 0.2, 0.5, "strong"), feature("c", 0.0, 0.5, "weak"))
    display = ExchangeGraphDisplay.from_result(groups, result)
    assert display.names == ("a", "c", "b")
    assert display.classes == ("weak", "weak", "strong")
    assert len(display.ax_.patches) == 2
    assert len(ExchangeGraphDisplay.from_result(groups, result, least=0.5).ax_.patches) == 1
    np.testing.assert_allclose(np.linalg.norm(display.positions, axis=1), 1.0)
    apart = np.linalg.norm(display.positions[:, None] - display.positions[None], axis=2)
    assert apart[~np.eye(3, dtype=bool)].min() > 0.5


def test_probes_are_the_ends_of_both_signs(small):
    display = ProbeDisplay.from_result(small, feature="hum")
    np.testing.assert_allclose(
        np.sort(display.ends), np.sort([0.01 * j for j in range(10)] + [0.015 * j for j in range(10)])
    )
    assert display.threshold == 0.2
    assert {kind: len(most) for kind, most in display.relevances.items()} == {"strong": 2, "weak": 2, "irrelevant": 1}
    assert any("hum: 0.100" in text.get_text() for text in display.ax_.texts)
    with pytest.raises(ParameterError, match="no feature 'him'"):
        ProbeDisplay.from_result(small, feature="him")
    with pytest.raises(ParameterError, match="partial"):
        ProbeDisplay.from_result(made_up(feature("a", 0.0, 0.4, "undecided"), threshold=None))


def test_probes_of_several_weights_are_compared_by_their_totals():
    display = ProbeDisplay.from_result(made_up_with_totals(), feature="size")
    assert (display.threshold, display.value) == (0.6, 0.5)
    np.testing.assert_allclose(display.ends, [0.05 * j for j in range(10)])


def test_a_path_has_a_chart_a_feature_and_one_for_the_score(path):
    display = PathDisplay.from_result(path, made_up(feature("a", 0.0, 0.6, "weak"), feature("b", 0.1, 0.2, "strong")))
    assert list(display.intervals) == ["a", "b"]
    np.testing.assert_allclose(display.intervals["a"], [[0.0, 0.9], [0.0, 0.6]])
    assert len(display.ax_) == 3
    np.testing.assert_allclose(display.ax_[0].lines[1].get_ydata(), [0.9, 0.6])
    np.testing.assert_allclose(display.ax_[2].lines[0].get_ydata(), display.scores)
    assert display.chosen == 1.0
    with pytest.raises(ParameterError, match="no feature 'x'"):
        PathDisplay.from_result(path, features=["x"])
    with pytest.raises(ParameterError, match="no step"):
        PathDisplay.from_result(RelevancePath("C", (), (0.1,)))


def test_a_path_draws_in_the_place_of_given_axes(path):
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2)
    display = PathDisplay.from_result(path, ax=right)
    assert display.figure_ is figure
    assert all(chart.get_position().x0 > left.get_position().x1 - 0.01 for chart in display.ax_)


def test_whiskers_and_class_shares(stability):
    display = StabilityDisplay.from_result(stability)
    assert [f.name for f in display.features] == ["a", "b"]
    assert display.n_draws == 19
    spans = [tuple(line.get_xdata()) for line in display.ax_.lines if len(line.get_xdata()) == 2]
    assert (0.0, 0.2) in spans
    assert (0.4, 0.8) in spans
    assert "70" in [text.get_text() for text in display.ax_.texts]
    assert "90% of 19 draws" in display.ax_.get_xlabel()
    assert StabilityDisplay.from_result(stability, most=1).hidden == 1


def test_a_ranking_draws_only_the_lines_that_do_not_follow_from_others():
    chain = [RankedPair("a", "b", 0.1, True), RankedPair("b", "c", 0.1, True), RankedPair("a", "c", 0.2, False)]
    display = RankingDisplay.from_result(Ranking(("a", "b", "c", "alone"), tuple(chain)))
    assert display.levels == (("a",), ("b",), ("c",))
    assert sum(len(line.get_xdata()) == 2 for line in display.ax_.lines) == 2
    assert "1 more" in display.ax_.get_title()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["intervals", "probes", "substitution", "graph", "stability"])
def test_every_picture_draws_on_given_axes(kind, small, found, groups, stability, tmp_path):
    import matplotlib.pyplot as plt

    figure, ax = plt.subplots(layout="constrained")
    display = {
        "intervals": lambda: IntervalDisplay.from_result(small, ax=ax),
        "probes": lambda: ProbeDisplay.from_result(small, ax=ax),
        "substitution": lambda: SubstitutionDisplay.from_result(found, ax=ax),
        "graph": lambda: ExchangeGraphDisplay.from_result(groups, ax=ax),
        "stability": lambda: StabilityDisplay.from_result(stability, ax=ax),
    }[kind]()
    assert display.ax_ is ax
    assert display.figure_ is figure
    assert display.plot(ax) is display
    figure.savefig(tmp_path / "drawn.png")
    assert (tmp_path / "drawn.png").stat().st_size > 4000


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
def test_from_an_estimator_and_its_session():
    from problems import two_classes
    from relspan import RelevanceClassifier

    X, y = two_classes(60, 4, seed=0, flips=0.05)
    fitted = RelevanceClassifier(C=1.0, n_probes=5, random_state=0).fit(X, y)
    rows = IntervalDisplay.from_estimator(fitted, sort="table").rows
    np.testing.assert_array_equal([row.interval for row in rows], fitted.intervals_)
    assert len(ProbeDisplay.from_estimator(fitted).ends) == 10
    explorer = fitted.explore()
    features = tuple(name for name in SubstitutionDisplay.from_explorer(explorer).names)
    assert set(features) == {f.name for f in fitted.result_.features if f.relevance != "irrelevant"}
    assert set(ExchangeGraphDisplay.from_explorer(explorer).names) == set(features)
    assert PathDisplay.from_explorer(explorer, "delta_loss").chosen == 0.02
    assert len(StabilityDisplay.from_explorer(explorer, n_draws=2).features) == 4


@pytest.mark.parametrize("name", relspan.plots.__all__)
def test_every_display_can_be_had(name):
    assert getattr(relspan.plots, name).__name__ == name


@pytest.mark.slow
def test_matplotlib_is_not_imported_before_a_picture_is_drawn():
    code = "import sys; from relspan.plots import *; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_unknown_displays_are_refused():
    with pytest.raises(AttributeError, match="no attribute 'Chart'"):
        _ = relspan.plots.Chart


@pytest.mark.slow
@pytest.mark.parametrize("kind", [SubstitutionDisplay, ExchangeGraphDisplay])
def test_a_chart_of_an_explorer_names_its_pins(kind):
    data = simulate(80, strong=1, weak=3, irrelevant=1, random_state=0)
    explorer = RelevanceClassifier(C=1.0, n_probes=5, random_state=0).fit(data.X, data.y).explore()
    assert kind.from_explorer(explorer).ax_.get_title("left") == ""
    drawn = kind.from_explorer(explorer.without("x1"))
    assert drawn.ax_.get_title("left") == "Under these pins: without x1"


def test_a_display_as_the_last_line_of_a_cell_is_one_short_line(small, found):
    shown = [IntervalDisplay.from_result(small), ProbeDisplay.from_result(small)]
    for display in [*shown, SubstitutionDisplay(found.features, found.moves("min"))]:
        assert repr(display).startswith(f"<{type(display).__name__}")
        assert len(repr(display)) < 100
