"""What "auto" chooses, and that it says why."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from problems import family_around, two_classes
from relspan import RelevanceClassifier
from relspan.engines import BatchedEngine, ExactEngine, SharedEngine, auto_choice, choose_engine, open_engine
from relspan.engines.simplex.range_program import PivotLimit, RangeProgram
from relspan.errors import ParameterError
from relspan.family import Family, unit_directions
from relspan.family.constraints import Constraints


def around(delta: float, n: int, d: int, flips: float = 0.1) -> Family:
    return family_around(*two_classes(n, d, 0, flips), delta_norm=delta, delta_loss=delta)[0]


def test_thin_families_go_to_the_exact_engine():
    thin = around(1e-4, 200, 8)
    assert choose_engine(thin).name == "exact"
    assert "few pivots" in choose_engine(thin).reason


def test_roomy_families_go_to_the_batched_engine():
    roomy = around(0.3, 800, 20, flips=0.2)
    assert choose_engine(roomy).name == "batched"
    assert "many pivots" in choose_engine(roomy).reason


def test_without_an_interior_there_is_no_trial(monkeypatch):
    family = around(0.1, 50, 5)
    monkeypatch.setattr(auto_choice, "_exact_cost", None)
    without_models = type(family)(family.rows, family.budgets, family.constraints, family.anchors[:0])
    assert choose_engine(without_models).name == "exact"
    assert "no interior" in choose_engine(without_models).reason


def test_with_a_constraint_for_every_row_there_is_no_trial(monkeypatch):
    roomy = around(0.3, 800, 20, flips=0.2)
    assert choose_engine(roomy).name == "batched"
    monkeypatch.setattr(auto_choice, "_exact_cost", None)
    d, k, many = roomy.n_features, roomy.n_offsets, roomy.rows.n_rows
    rows = Constraints(np.zeros((many, d)), np.zeros((many, k)), np.zeros(many), np.ones(many))
    assert choose_engine(replace(roomy, constraints=rows)).name == "exact"
    assert "many constraints" in choose_engine(replace(roomy, constraints=rows)).reason


def test_constraints_have_their_cost_in_the_batched_engine():
    """Four classes in 12 rows of 90 columns bring 90 equalities, and took 5 times as long by the batched engine."""
    family = around(0.1, 36, 360)
    sums = Constraints(np.kron(np.eye(90), np.ones(4)), np.zeros((90, family.n_offsets)), np.zeros(90), np.zeros(90))
    with_sums = replace(family, constraints=sums)
    assert auto_choice.batched_cost(with_sums) > 5 * auto_choice.batched_cost(family)


def test_a_sparse_table_stays_sparse():
    X, y = two_classes(800, 20, 0, flips=0.2)
    assert choose_engine(around(0.3, 800, 20, 0.2)).name == "batched"
    family, _ = family_around(sparse.csr_array(X), y, delta_norm=0.3, delta_loss=0.3)
    assert choose_engine(family).name == "exact"
    assert "sparse" in choose_engine(family).reason


def test_much_work_goes_to_a_gpu_where_there_is_one(monkeypatch):
    family = around(0.1, 300, 20)
    monkeypatch.setattr(auto_choice, "GPU_FROM", 0.0)
    monkeypatch.setattr(auto_choice, "has_gpu", lambda: True)
    assert choose_engine(family).name == "gpu"
    monkeypatch.setattr(auto_choice, "has_gpu", lambda: False)
    assert choose_engine(family).name != "gpu"


def test_without_a_driver_pytorch_is_not_even_imported(monkeypatch):
    monkeypatch.setattr(auto_choice, "find_spec", lambda name: True)
    monkeypatch.setattr(auto_choice, "has_driver", lambda: False)
    monkeypatch.setitem(sys.modules, "torch", None)  # an import would fail
    assert not auto_choice.has_gpu()


def test_a_gpu_that_is_not_there_is_a_clear_error(monkeypatch):
    monkeypatch.setattr("relspan.engines.has_gpu", lambda: False)
    with pytest.raises(ParameterError, match=r"needs PyTorch and a CUDA device.*engine 'batched'"):
        open_engine("gpu", around(0.1, 50, 5))


def test_a_work_limit_ends_a_program_and_no_sooner():
    family = around(0.3, 300, 10, flips=0.2)
    direction = unit_directions([0], family)[0]
    program = RangeProgram(family, family.anchors[0])
    program.solve(direction)
    needed = program.work
    hasty, patient = RangeProgram(family, family.anchors[0]), RangeProgram(family, family.anchors[0])
    hasty.work_limit, patient.work_limit = needed / 2, needed + 2 * program.pivot_work
    with pytest.raises(PivotLimit):
        hasty.solve(direction)
    patient.solve(direction)


def test_only_warm_engines_are_opened_anew():
    """An answer must not depend on other blocks."""
    family = around(0.1, 60, 6)
    exact, batched = SharedEngine("exact", family), SharedEngine("batched", family)
    assert isinstance(exact.open(), ExactEngine)
    assert exact.open() is not exact.open()
    assert isinstance(batched.open(), BatchedEngine)
    assert batched.open() is batched.open()
    first = batched.open().maxima(unit_directions([0, 1], family))
    batched.open().maxima(unit_directions([2, 3, 4], family))
    np.testing.assert_array_equal(batched.open().maxima(unit_directions([0, 1], family)).values, first.values)


@pytest.mark.parametrize("engine", ["auto", "exact", "batched"])
def test_the_result_tells_engine_and_reason(engine):
    X, y = two_classes(60, 4, 0)
    result = RelevanceClassifier(C=1.0, n_probes=5, engine=engine, random_state=0).fit(X, y).result_
    assert result.parameters["engine"] == engine
    assert result.engine["name"] in ("exact", "batched")
    assert (result.engine["reason"] == "it was asked for") == (engine != "auto")
    assert type(result).from_json(result.to_json()).engine == result.engine
