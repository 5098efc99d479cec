"""Every answer is a table: a data frame of any kind, one line of text, and a piece of HTML for a notebook."""

from __future__ import annotations

import pkgutil
from html import escape
from importlib import import_module

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import relspan
from relspan import RelevanceClassifier
from relspan.compare import compare
from relspan.explore import Alternatives, Panels
from relspan.result import AnswerTable
from relspan.selectors.blanket_report import blanket_report
from relspan.selectors.selection_report import selection_report
from relspan.simulate import simulate
from relspan.tables.examples import breast_cancer

ROOMS = ("result", "explore", "model_audit", "compare", "selectors", "metric", "markov")
DATA = simulate(80, strong=1, weak=2, irrelevant=2, random_state=0)


def all_answers() -> dict[str, AnswerTable]:
    explorer = RelevanceClassifier(random_state=0, n_probes=10).fit(DATA.X, DATA.y).explore()
    table = breast_cancer()
    audited = relspan.audit(LogisticRegression().fit(DATA.X, DATA.y), DATA.X, DATA.y)
    answers = [
        explorer.unpinned_result,
        explorer.unpinned_result.changes_since(explorer.unpinned_result),
        explorer.stability(2),
        explorer.predictions(),
        explorer.contributions(0),
        explorer.shap(),
        explorer.contrasts(),
        explorer.ranking(),
        explorer.path("delta_loss"),
        explorer.substitution(),
        explorer.groups(),
        explorer.alternatives("x1"),
        explorer.smallest_panel(),
        explorer.minimal_panels(),
        explorer.discrepancy(),
        explorer.compare("unpinned"),
        explorer.model(),
        explorer.budget_use(),
        explorer.score(),
        explorer.score_card(largest=2, features=3, time_limit=5),
        explorer.score_cards(limit=2, largest=2, features=3, time_limit=5),
        compare(DATA.X, DATA.y, methods=["all"], folds=2),
        audited,
        audited.predictions(DATA.X[:3]),
        selection_report(table, method="filter-pearson", n_features=3),
        blanket_report(table, max_k=0)[0],
    ]
    return {type(answer).__name__: answer for answer in answers}


@pytest.fixture(scope="module")
def answers() -> dict[str, AnswerTable]:
    return all_answers()


def kinds() -> set[str]:
    """The names of all answers there are."""
    for module in pkgutil.walk_packages(relspan.__path__, "relspan."):
        if module.name.split(".")[1] in ROOMS:
            import_module(module.name)
    found, open_ = set(), [AnswerTable]
    while open_:
        below = open_.pop().__subclasses__()
        found |= {kind.__name__ for kind in below}
        open_ += below
    return found


def test_every_answer_is_tried(answers: dict[str, AnswerTable]) -> None:
    assert set(answers) == kinds()


def test_every_frame_holds_the_columns(answers: dict[str, AnswerTable]) -> None:
    for name, answer in answers.items():
        columns = answer.to_frame("dict")
        assert len({len(values) for values in columns.values()}) == 1, name
        for kind in ("pandas", "polars"):
            pytest.importorskip(kind)
            frame = answer.to_frame(kind)
            assert list(frame.columns) == list(columns), name
            assert len(frame) == len(next(iter(columns.values()))), name
    with pytest.raises(ValueError, match="kind must be one of"):
        answer.to_frame("excel")


def test_a_console_shows_one_short_line(answers: dict[str, AnswerTable]) -> None:
    for name, answer in answers.items():
        line = repr(answer)
        assert line == f"<{name}: {answer.headline}>"
        assert "\n" not in line
        assert len(line) < 160, line


def test_a_notebook_shows_the_rows_and_counts_the_rest(answers: dict[str, AnswerTable]) -> None:
    for name, answer in answers.items():
        html, rows = answer._repr_html_(), len(next(iter(answer.columns().values())))
        assert html.count("<tr>") >= min(rows, 40), name
        assert "<script" not in html
        if name not in ("RelevanceResult", "ScoreCard"):  # these have a form of their own
            assert escape(answer.headline) in html
            assert (f"and {rows - 40} more row" in html) == (rows > 40), name


def test_names_are_escaped() -> None:
    X = np.column_stack([DATA.X[:, 0], DATA.X[:, 3]])
    frame = pytest.importorskip("pandas").DataFrame(X, columns=["<b>", "b"])
    explorer = RelevanceClassifier(random_state=0, n_probes=10).fit(frame, DATA.y).explore()
    assert "<b>" not in explorer.model()._repr_html_()


def test_no_answer_is_a_table_too() -> None:
    for nothing in (Alternatives(), Panels()):
        assert nothing.to_frame("dict")
        assert len(nothing.to_frame()) == 0
        assert "<table" not in nothing._repr_html_()


def test_the_figures_are_those_of_the_answer(answers: dict[str, AnswerTable]) -> None:
    stability = answers["Stability"]
    assert stability.columns()["min_middle"] == [f.min[1] for f in stability.features]
    path = answers["RelevancePath"]
    long = path.columns()
    of_x0 = [low for name, low in zip(long["name"], long["min"], strict=True) if name == "x0"]
    assert of_x0 == path.interval("x0")[:, 0].tolist()
    substitution = answers["Substitution"].columns()
    place = substitution["pinned"].index("x1")
    k = answers["Substitution"].features.index(substitution["name"][place])
    j = answers["Substitution"].features.index("x1")
    assert substitution["max_at_max"][place] == answers["Substitution"].at_max[j, k, 1]
    assert sorted(answers["Groups"].columns()["name"]) == sorted(answers["Groups"].features)
