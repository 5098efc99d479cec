"""The drawing of a blanket: its data first, then that it can be drawn."""

import numpy as np
import pytest

from relspan.markov import BlanketSearch, DSeparation
from relspan.plots.blanket import BlanketDisplay
from relspan.selectors import HITON

GRAPH = {"P": [], "Q": [], "T": ["P", "Q"], "S": [], "C": ["T", "S"], "D": ["T"], "U": [], "V": ["T", "U", "S"]}


@pytest.fixture
def display():
    oracle = DSeparation(GRAPH)
    return BlanketDisplay.from_result(BlanketSearch(oracle, symmetric=True).blanket(2), oracle.names)


@pytest.mark.slow
def test_the_data_behind_the_drawing(display):
    assert display.target == "T"
    assert display.roles == {
        "P": "parent",
        "Q": "parent",
        "C": "child",
        "V": "child",
        "D": "parent or child",
        "S": "spouse",
        "U": "spouse",
    }
    assert set(display.edges) == {
        ("P", "T", True),
        ("Q", "T", True),
        ("T", "C", True),
        ("T", "V", True),
        ("T", "D", False),
        ("S", "C", True),
        ("S", "V", True),
        ("U", "V", True),
    }


def test_no_two_names_share_a_place(display):
    places = np.array(list(display.positions.values()))
    distances = np.linalg.norm(places[:, None] - places[None, :], axis=2)
    assert distances[~np.eye(len(places), dtype=bool)].min() > 0.3


def test_many_spouses_of_one_child_are_spread():
    display = BlanketDisplay(
        "T", {"C": "child"} | {f"S{i}": "spouse" for i in range(8)}, {f"S{i}": ["C"] for i in range(8)}
    )
    places = np.array([display.positions[f"S{i}"] for i in range(8)])
    distances = np.linalg.norm(places[:, None] - places[None, :], axis=2)
    assert distances[~np.eye(8, dtype=bool)].min() > 0.3


def test_plot_draws_on_given_axes_and_never_shows(display, monkeypatch, tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    monkeypatch.setattr(plt, "show", lambda *a, **k: pytest.fail("show() was called"))
    _, ax = plt.subplots()
    assert display.plot(ax=ax) is display
    assert display.ax_ is ax
    drawn = {text.get_text() for text in ax.texts}
    assert set(GRAPH) <= drawn
    assert ax.get_title() == "Markov blanket of T"
    display.plot().figure_.savefig(tmp_path / "blanket.png")
    assert (tmp_path / "blanket.png").stat().st_size > 5000
    plt.close("all")


def test_from_estimator():
    random = np.random.default_rng(0)
    X = random.normal(size=(300, 3))
    display = BlanketDisplay.from_estimator(HITON(alpha=0.01).fit(X, X[:, 0] + random.normal(size=300)), target="y")
    assert display.target == "y"
    assert display.roles == {"x0": "parent or child"}


def test_an_empty_blanket_can_be_drawn():
    pytest.importorskip("matplotlib").use("agg")
    import matplotlib.pyplot as plt

    BlanketDisplay("T", {}, {}).plot()
    plt.close("all")
