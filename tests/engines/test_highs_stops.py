"""A run of HiGHS stops when it is asked to, at once and not at the end of the program."""

from __future__ import annotations

import os
import signal
import threading

import highspy
import numpy as np
import pytest
from scipy import sparse

from relspan.engines.simplex.highs import new_solver, run_bounded


def dense_program(size: int) -> highspy.Highs:
    """A program that takes many pivots: maximise a sum under dense rows."""
    rng = np.random.default_rng(0)
    program, matrix = highspy.HighsLp(), sparse.csc_array(rng.random((size, size)))
    program.num_col_ = program.num_row_ = size
    program.col_cost_, program.col_lower_ = -rng.random(size), np.zeros(size)
    program.col_upper_, program.row_lower_ = np.full(size, np.inf), np.full(size, -np.inf)
    program.row_upper_ = 1.0 + rng.random(size)
    program.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    program.a_matrix_.start_, program.a_matrix_.index_ = matrix.indptr, matrix.indices
    program.a_matrix_.value_ = matrix.data
    solver = new_solver()
    solver.passModel(program)
    return solver


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals of another kind")
def test_ctrl_c_stops_a_running_simplex_method() -> None:
    solver = dense_program(1500)
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        run_bounded(solver)
    assert solver.getModelStatus() != highspy.HighsModelStatus.kOptimal


def test_a_run_that_nobody_stops_ends_as_before() -> None:
    status, pivots = run_bounded(dense_program(30))
    assert status == highspy.HighsModelStatus.kOptimal
    assert pivots > 0
