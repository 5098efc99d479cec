"""Every parameter of every public callable takes a wrong value as an error of relspan, or means something by it.

The words of scikit-learn are its own where a table X or a target y is read; see decision 21.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from relspan import (
    GMLVQ,
    HITON,
    LMNN,
    AssociationFilter,
    BranchAndBound,
    ExhaustiveSearch,
    GeneticSearch,
    GreedyWrapper,
    HalvingRFE,
    MetricRelevance,
    OrdinalRelevanceClassifier,
    QuantileRelevanceRegressor,
    RejectOptionSVC,
    RejectRelevanceClassifier,
    RelevanceClassifier,
    RelevanceRegressor,
    RelevanceSurvival,
    compare,
    guess_task,
    metrics,
    tables,
)
from relspan import simulate as simulated
from relspan.errors import RelspanError
from relspan.explore import Explorer
from relspan.result import RelevanceResult
from relspan.simulate import simulate

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),
]


class Other:
    """An object of no use."""

    def __repr__(self) -> str:
        return "<other>"


WRONG: dict[str, Any] = {
    "text": "abc",
    "empty text": "",
    "surrogate": "\ud800",
    "zero byte": "a\0b",
    "bytes": b"x",
    "none": None,
    "nan": float("nan"),
    "infinite": float("inf"),
    "negative": -1.5,
    "true": True,
    "huge": 10**30,
    "complex": 1j,
    "list": [1, "a"],
    "no list": [],
    "mapping": {"x": "y"},
    "matrix": np.eye(2),
    "ragged": [[1], [1, 2]],
    "object": Other(),
}
DATA = simulate(30, strong=1, weak=2, irrelevant=2, random_state=0)
X, Y = DATA.X, DATA.y
NUMBERS = 2 * X[:, 0] + X[:, 1]
TIMES = np.column_stack([np.exp(-X[:, 0]), np.ones(len(X))])
QUICK = {"C": 1.0, "n_probes": 5, "random_state": 0}
READ_BY_SKLEARN = ("X", "y", "input_features")
NOT_CALLED = ("show", "widget", "to_bytes", "plot", "explore", "stability", "progress")

WITH_SCORES_OF_THEIR_OWN = (
    *(OrdinalRelevanceClassifier, QuantileRelevanceRegressor),
    *(RelevanceSurvival, RejectRelevanceClassifier, RejectOptionSVC),
)

Case = tuple[Callable[..., Any], dict[str, Any]]


@cache
def explorer() -> Explorer:
    return RelevanceClassifier(**QUICK).fit(X, Y).explore().save_scenario("s")


ESTIMATORS: dict[Any, tuple[Any, dict[str, Any]]] = {
    RelevanceClassifier: (Y, QUICK),
    RelevanceRegressor: (NUMBERS, QUICK),
    OrdinalRelevanceClassifier: (Y + (X[:, 0] > 0), QUICK),
    QuantileRelevanceRegressor: (NUMBERS, QUICK),
    RelevanceSurvival: (TIMES, QUICK),
    RejectRelevanceClassifier: (Y, QUICK),
    RejectOptionSVC: (Y, {"C": 1.0}),
    MetricRelevance: (Y, {"learner": GMLVQ(n_starts=1, max_iter=5, random_state=0), "n_probes": 5, "random_state": 0}),
    GMLVQ: (Y, {"n_starts": 1, "max_iter": 5, "random_state": 0}),
    LMNN: (Y, {"max_iter": 5, "random_state": 0}),
    HITON: (Y, {}),
    AssociationFilter: (Y, {}),
    BranchAndBound: (Y, {}),
    ExhaustiveSearch: (Y, {}),
    GeneticSearch: (Y, {"generations": 1, "population": 4, "elite": 1, "random_state": 0}),
    GreedyWrapper: (Y, {}),
    HalvingRFE: (Y, {}),
}


def estimator_cases() -> Iterator[tuple[str, Case]]:
    """Constructors, through `fit`, and the methods of what is fitted."""
    for kind, (target, quick) in ESTIMATORS.items():
        name = kind.__name__

        def built(kind: Any = kind, target: Any = target, quick: Any = quick, **options: Any) -> Any:
            return kind(**{**quick, **options}).fit(X, target)

        def fitted(kind: Any = kind, target: Any = target, quick: Any = quick, **options: Any) -> Any:
            return kind(**quick).fit(**{"X": X, "y": target, **options})

        yield name, (built, dict.fromkeys(inspect.signature(kind).parameters))
        yield f"{name}.fit", (fitted, dict.fromkeys([p for p in inspect.signature(kind.fit).parameters if p != "self"]))
        for method in ("score", "rename", "as_published", "with_map", "extremal_model", "why"):
            if hasattr(kind, method) and (method != "score" or kind in WITH_SCORES_OF_THEIR_OWN):
                own = {"paper": "fri2019"} if method == "as_published" else {}
                own |= {"feature": 0, "end": "maximal"} if method == "extremal_model" else {}
                own |= {"omega": np.eye(5)} if method == "with_map" else {}
                own |= {"X": X, "y": target} if method == "score" else {}
                yield f"{name}.{method}", (method_of(kind, target, quick, method), with_all(getattr(kind, method), own))


def method_of(kind: Any, target: Any, quick: dict[str, Any], method: str) -> Callable[..., Any]:
    fit = cache(lambda: kind(**quick).fit(X, target))
    return lambda **options: getattr(fit(), method)(**options)


def signature(function: Any) -> list[str]:
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [p.name for p in inspect.signature(function).parameters.values() if p.kind not in kinds]


def with_all(function: Any, own: dict[str, Any]) -> dict[str, Any]:
    """The parameters of a function, with values of our own for some; None stands for the default."""
    return {**{name: None for name in signature(function) if name not in ("self", "cls")}, **own}


QUESTIONS: dict[str, dict[str, Any]] = {
    "alternatives": {"feature": "x0"},
    "annotate_scenario": {"name": "s", "note": "t"},
    "cheapest_panel": {"costs": dict.fromkeys(DATA.names, 1.0)},
    "combined": {"features": ["x0", "x1"]},
    "compare": {"first": "s"},
    "contrast": {"first": "x0", "second": "x1"},
    "contributions": {"sample": X[0]},
    "delete_scenario": {"name": "unknown"},
    "from_bytes": {"data": b"{}"},
    "gap": {"subgroup": Y == 1},
    "load": {"path": "missing"},
    "load_scenario": {"name": "s"},
    "pin": {"feature": "x0", "demand": "min"},
    "pin_all": {"demands": {"x0": "min"}},
    "path": {"values": [1.0, 2.0]},
    "save": {"path": "session.json"},
    "save_scenario": {"name": "t"},
    "score_card": {"time_limit": 0.1, "features": 2},
    "score_cards": {"time_limit": 0.1, "features": 2, "limit": 1},
    "set_pins": {"demands": {"x0": "min"}},
    "span": {"direction": {"x0": 1.0}},
    "to_html": {"n_panels": 0},
    "verify": {"X": X, "y": Y},
}


def asked(found: Callable[[], Any], method: str, /, **options: Any) -> Any:
    return getattr(found(), method)(**options)


def question_cases() -> Iterator[tuple[str, Case]]:
    """The methods of an explorer, and of a result and other answers."""
    for kind, found in ((Explorer, explorer), (RelevanceResult, lambda: explorer().result)):
        for name in sorted(vars(kind)):
            member = inspect.getattr_static(kind, name)
            if (
                name.startswith("_")
                or isinstance(member, property)
                or name in NOT_CALLED
                or not callable(getattr(kind, name))
            ):
                continue

            own = QUESTIONS.get(name, {}) if (kind, name) != (RelevanceResult, "to_html") else {}
            yield f"{kind.__name__}.{name}", (partial(asked, found, name), with_all(getattr(kind, name), own))
    yield "Ranking.above", (lambda **given: explorer().ranking().above(**given), {"feature": "x0"})
    yield "Substitution.moves", (lambda **given: explorer().substitution().moves(**given), {"at": "min"})
    yield "RelevancePath.interval", (lambda **given: explorer().path(values=[1.0]).interval(**given), {"feature": "x0"})
    yield (
        "ResultChanges.names",
        (
            lambda **given: explorer().result.changes_since(explorer().result).names(**given),
            {"kind": "class"},
        ),
    )


def function_cases() -> Iterator[tuple[str, Case]]:
    """Functions that stand alone."""
    table = tables.parse_table(b"a,b,y\n1,2,0\n2,1,1\n3,2,0\n1,5,1\n", "s")
    labels = {"y_true": Y, "y_pred": Y, "rejected": Y == 2, "reject_cost": 0.2, "certainty": X[:, 0]}
    labels |= {"risk": X[:, 0], "ranks": Y.astype(float), "predicted": Y.astype(float)}
    for name in ("ordinal_score", "reject_loss", "coverage", "accepted_accuracy", "accuracy_reject_curve"):
        function = getattr(metrics, name)
        yield (
            f"metrics.{name}",
            (function, with_all(function, {k: labels[k] for k in signature(function) if k in labels})),
        )
    yield (
        "concordance_index",
        (metrics.concordance_index, with_all(metrics.concordance_index, {"y_true": TIMES, "risk": X[:, 0]})),
    )
    sizes = {"simulate_ohsumed": {"n_samples": 50, "n_words": 30}, "simulate_named": {"name": "Sim1"}}
    sizes |= {"simulate_rejectable": {"number": 1}, "simulate_t21": {"normal": 20, "affected": 20}}
    for name in ("simulate", "simulate_adrenal", "simulate_flip", "make_xor", *sizes):
        function = getattr(simulated, name)
        yield name, (function, with_all(function, sizes.get(name, {})))
    yield "guess_task", (guess_task, {"y": Y})
    yield "jaccard", (compare.jaccard, {"one": [1], "other": [1]})
    yield "agreement", (compare.agreement, {"sets": [[1]]})
    yield "parse_table", (tables.parse_table, with_all(tables.parse_table, {"data": b"a,y\n1,2\n", "source": "s"}))
    yield "read_table", (tables.read_table, with_all(tables.read_table, {"path": "missing.csv"}))
    yield "prepare_table", (tables.prepare_table, with_all(tables.prepare_table, {"table": table, "target": "y"}))
    yield "inspect_table", (tables.inspect_table, with_all(tables.inspect_table, {"table": table}))


CASES: dict[str, Case] = dict([*estimator_cases(), *question_cases(), *function_cases()])


@pytest.mark.parametrize("name", CASES)
def test_a_wrong_value_is_refused_in_words_of_relspan(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # some names are those of a file
    call, parameters = CASES[name]
    base = {key: value for key, value in parameters.items() if value is not None}
    faults = []
    for parameter in parameters:
        if parameter in READ_BY_SKLEARN and name not in ("guess_task", "concordance_index"):
            continue
        for kind, value in WRONG.items():
            try:
                call(**{**base, parameter: value})
            except RelspanError:
                pass
            except Exception as fault:
                faults.append(f"{parameter} = {kind}: {type(fault).__name__}: {fault}"[:200])
    assert faults == []
