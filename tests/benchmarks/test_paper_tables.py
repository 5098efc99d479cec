"""The papers' tables in their own design: printed figures are copied right, cut-offs and draws are the paper's."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.accuracy import author_generator, esann_table, fri_tables
from benchmarks.accuracy.biomedical import TABLES, Table, replicate
from benchmarks.papers import printed

from relspan.simulate import PAPER_SETS, simulate


def test_strong_and_weak_features_add_up_to_the_selected_ones():
    for name, (strong, weak) in printed.FRI_TABLE_V_CLASSES.items():
        assert strong + weak == pytest.approx(printed.FRI_TABLE_V[name]["relspan"], abs=0.051), name


@pytest.mark.parametrize("figures", [printed.ESANN_TABLE_1, printed.FRI_TABLE_II], ids=["ESANN", "FRI"])
def test_printed_f1_lies_between_precision_and_recall(figures):
    for name, rows in figures.items():
        for method, triple in rows.items():
            f1 = triple[2] if figures is printed.ESANN_TABLE_1 else triple[0]
            others = triple[:2] if figures is printed.ESANN_TABLE_1 else triple[1:]
            assert min(others) - 0.03 <= f1 <= max(others), (name, method)  # means of ratios: roughly between


def test_every_set_and_method_of_the_papers_is_there():
    sets = set(fri_tables.SIMULATED) | set(TABLES)
    assert set(printed.FRI_TABLE_V) == set(printed.FRI_TABLE_III) == set(printed.FRI_TABLE_V_CLASSES) == sets
    assert set(printed.FRI_TABLE_IV) == set(TABLES)
    assert set(printed.ESANN_TABLE_1) | set(printed.FRI_TABLE_II) == set(PAPER_SETS)
    methods = {fri_tables.printed(method) for method in fri_tables.METHODS}
    assert all(set(rows) == methods for rows in printed.FRI_TABLE_V.values())


def test_the_elastic_net_is_cut_at_its_mean_weight():
    data = simulate(150, strong=3, weak=0, irrelevant=5, random_state=0)
    kept, predict = esann_table.elastic_net(data.X, data.y, 0)
    assert kept.tolist() == [True] * 3 + [False] * 5
    assert (predict(data.X) == data.y).mean() > 0.9
    assert esann_table.above_mean(np.array([3.0, -2.0, 0.5, 0.0])).tolist() == [True, True, False, False]


def test_a_model_without_features_answers_with_the_larger_class():
    X, y = np.zeros((5, 2)), np.array([0, 1, 1, 1, 0])
    assert esann_table._on(None, np.zeros(2, dtype=bool), X, y)(X).tolist() == [1] * 5


def test_a_replicate_of_the_paper_draws_seven_tenths_of_the_rows():
    rng = np.random.default_rng(0)
    table = Table("made up", rng.standard_normal((200, 3)), np.arange(200) % 2)
    sample = replicate(table, 0, fri_tables.SHARE)
    assert len(sample.y) == len(sample.origin) == 140
    assert len(sample.test) == 200 - len(set(sample.origin))


def test_the_interval_of_the_runtimes_covers_their_mean():
    units = [{"seconds": value} for value in (11.0, 12.0, 13.0)]
    low, high = map(float, fri_tables.interval(units).split(" to "))
    assert low < 12.0 < high
    assert high - low == pytest.approx(2 * 4.303 / 3**0.5, abs=0.02)  # Student's t with 2 degrees of freedom
    assert fri_tables.interval(units[:1]) == ""


def test_rows_are_shown_beside_the_papers_figures(capsys):
    unit = {"f1": 1.0, "precision": 1.0, "recall": 1.0, "size": 4, "strong": 4, "weak": 0}
    unit |= {"training_accuracy": None, "seconds": 0.5}
    rows = {("Sim3", "relspan"): [unit], ("Sim3", "ensemble"): [{**unit, "strong": None, "weak": None, "seconds": 2.0}]}
    for show in (fri_tables.table_ii, fri_tables.table_iii, fri_tables.table_v, fri_tables.figure_4):
        show(rows)
    shown = capsys.readouterr().out
    assert "| Sim3 | relspan | 1 | 1.000 | 1.000 | 1.000 | 0.99 | 0.98 | 1.00 |" in shown
    assert "| Sim3 | ensemble | 1 |  |  |" in shown  # no training accuracy is defined for it
    assert "| Sim3 | relspan | 1 | 4.0 | 4.0 | 0.0 | 4.1 | 4.0 | 0.1 |" in shown
    assert "| Sim3 | ensemble | 1 | 2.00 |  | 4.0 |" in shown


def test_the_truth_of_the_authors_generator_has_the_sizes_of_its_set():
    for name, size in PAPER_SETS.items():
        truth = author_generator.truth_of(name)
        assert [int((truth == kind).sum()) for kind in (2, 1, 0)] == [size.strong, size.weak, size.irrelevant]
    assert author_generator.PAPER_F1["II"] == 0.97
    assert author_generator.PAPER_F1["Sim1"] == 0.98
