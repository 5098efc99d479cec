"""Would a compiled kernel pay? The batched Newton steps of tall tables by NumPy, and program by program by numba.

    python -m benchmarks.speed.compiled [--table 500x30 500x120 100x50 2000x30] [--repeat 3]

The kernel is Mehrotra's method as `predictor_corrector` has it, for families with one score per row and no constraints
besides the budgets. It takes one program after the other and calls the same LAPACK (through scipy) for Cholesky
factors. Both sides share everything else: preparation, certificates, cross-validation, verdicts. Printed are CPU
milliseconds per Newton step of one program, CPU seconds of all ends of intervals, and of a whole fit by `engine=
"batched"`; the first call, which compiles, is not counted. Needs numba, which relspan does not use otherwise.
"""

from __future__ import annotations

import argparse
import ctypes
import warnings
from time import process_time
from typing import Any

import numba
import numpy as np
from numba.extending import get_cython_function_address

from benchmarks.speed.gpu import wide_family
from relspan import RelevanceClassifier
from relspan.engines import BatchedEngine
from relspan.engines.interior import batched_engine
from relspan.engines.interior.batch_arrays import BatchArrays, Point
from relspan.engines.interior.predictor_corrector import MOST_ITERATIONS, MOST_SHORT_STEPS, Solution, maximise
from relspan.family import unit_directions
from relspan.simulate import simulate
from relspan.tolerances import DUAL_RESIDUAL, SHORT_STEP, STEP_TO_WALL

POINTER, INTEGER = ctypes.c_void_p, ctypes.c_void_p
factorise = ctypes.CFUNCTYPE(None, *[POINTER] * 5)(get_cython_function_address("scipy.linalg.cython_lapack", "dpotrf"))
substitute = ctypes.CFUNCTYPE(None, *[POINTER] * 8)(get_cython_function_address("scipy.linalg.cython_lapack", "dpotrs"))
LOWER = np.frombuffer(b"L", dtype=np.uint8)


@numba.njit(cache=False, fastmath=False)
def _step(F, O, c, P, Q, T, N, T_w, D_w, M, E, solved, schur, H, missing, prices, border, charged):  # type: ignore
    """The step for one right hand side, (slacks, offsets, prices); M holds the Cholesky factor."""
    (m, d), k, n_b = F.shape, O.shape[1], len(P)
    h_w, f = np.empty(d), np.empty(m)
    norm = 0.0
    for j in range(d):
        up, down = H[j] - T[j] * prices[j], H[d + j] - T[d + j] * prices[d + j]
        h_w[j] = up - down
        norm += up + down - D_w[j] / T_w[j] * h_w[j]
    loss = 0.0
    for i in range(m):
        f[i] = N[i] * (missing[i] - H[2 * d + i] + H[2 * d + m + i])
        loss += c[i] * H[2 * d + i] + charged[i] * f[i]
    right = -border.copy()
    for b in range(n_b):
        right[k + b] -= P[b] * norm + Q[b] * loss + H[2 * d + 2 * m + b]
    for j in range(k):
        for i in range(m):
            right[j] += f[i] * O[i, j]
    inner = F.T @ f + h_w / T_w
    _substituted(M, inner.reshape(d, 1))
    y = np.linalg.solve(schur, right - E.T @ inner)
    dw = inner - solved @ y
    dlam, dbeta = P @ y[k:], Q @ y[k:]
    score = F @ dw + O @ y[:k]
    dX, dZ = np.empty(len(H)), np.empty(len(H))
    for j in range(d):
        pull = (dw[j] + D_w[j] * dlam - h_w[j]) / T_w[j]
        dZ[j], dZ[d + j] = dlam - pull + prices[j], dlam + pull + prices[d + j]
    for i in range(m):
        da = f[i] - N[i] * (score[i] - charged[i] * dbeta)
        dZ[2 * d + i], dZ[2 * d + m + i] = c[i] * dbeta - da, da
    dZ[2 * d + 2 * m :] = y[k:]
    for i in range(len(H)):
        dX[i] = H[i] - T[i] * dZ[i]
    return dX, y[:k], dZ


@numba.njit
def _substituted(M, right):  # type: ignore
    """Overwrite a right hand side, (size, columns) in the order of FORTRAN, by the solution; M is a factor."""
    sizes, info = np.array([M.shape[0], right.shape[1]], dtype=np.int32), np.zeros(1, dtype=np.int32)
    substitute(
        LOWER.ctypes, sizes[:1].ctypes, sizes[1:].ctypes, M.ctypes, sizes[:1].ctypes, right.ctypes, sizes[:1].ctypes,
        info.ctypes,
    )  # fmt: skip


@numba.njit
def _length(values, steps):  # type: ignore
    most = 1.0
    for i in range(len(values)):
        most = max(most, -steps[i] / values[i])
    return STEP_TO_WALL / most if most > 1 else 1.0


@numba.njit
def _program(F, O, h, c, P, Q, B, v, v_b, X, offset, Z, tolerance, residual, floor, jitter, most):  # type: ignore
    """One program from a start, which is overwritten; whether it converged, and its steps."""
    (m, d), k, n_b = F.shape, O.shape[1], len(P)
    pairs, short = 2 * d + 2 * m + n_b, 0
    for iteration in range(most):
        w, a, theta = X[:d] - X[d : 2 * d], Z[2 * d + m : 2 * d + 2 * m], Z[2 * d + 2 * m :]
        missing = h - F @ w - O @ offset - X[2 * d : 2 * d + m] + X[2 * d + m : 2 * d + 2 * m]
        pull, lam = v + F.T @ a, P @ theta
        prices = np.empty(2 * d)
        prices[:d], prices[d:] = lam - pull - Z[:d], lam + pull - Z[d : 2 * d]
        border = np.empty(k + n_b)
        border[:k] = -(v_b + O.T @ a)
        border[k:] = P * X[: 2 * d].sum() + Q * (c @ X[2 * d : 2 * d + m]) + X[2 * d + 2 * m :] - B
        bound = theta @ B - a @ h
        gap = abs(bound - v @ w - v_b @ offset)
        primal = np.abs(missing).max() + np.abs(border[k:]).max()
        dual = np.abs(prices).max() + (np.abs(border[:k]).max() if k else 0.0)
        if gap <= tolerance and primal <= tolerance and dual <= residual * (1 + abs(bound)):
            return True, iteration
        if not gap + primal + dual < np.inf or short == MOST_SHORT_STEPS:
            return False, iteration
        T = X / Z
        T_w, D_w = T[:d] + T[d : 2 * d], T[:d] - T[d : 2 * d]
        charged = T[2 * d : 2 * d + m] * c
        N = 1 / (T[2 * d : 2 * d + m] + T[2 * d + m : 2 * d + 2 * m])
        weighted = F * N.reshape(m, 1)
        M = F.T @ weighted
        for j in range(d):
            M[j, j] += 1 / T_w[j]
            M[j, j] += jitter * M[j, j]
        size, info = np.array([d], dtype=np.int32), np.zeros(1, dtype=np.int32)
        factorise(LOWER.ctypes, size.ctypes, M.ctypes, size.ctypes, info.ctypes)
        if info[0]:
            return False, iteration
        charge = N * charged
        across, of_loss = O.T @ weighted, F.T @ charge
        E = np.empty((d, k + n_b))
        schur = np.zeros((k + n_b, k + n_b))
        schur[:k, :k] = O.T @ (O * N.reshape(m, 1))
        norm, loss = (D_w * D_w / T_w - T_w).sum(), ((charge - c) * charged).sum()
        by_offset = O.T @ charge
        for j in range(d):
            E[j, :k] = across[:, j]
            E[j, k:] = P * D_w[j] / T_w[j] - Q * of_loss[j]
        for b in range(n_b):
            schur[:k, k + b] = -by_offset * Q[b]
            schur[k + b, :k] = -by_offset * Q[b]
            for other in range(n_b):
                schur[k + b, k + other] = P[b] * P[other] * norm + Q[b] * Q[other] * loss
            schur[k + b, k + b] -= T[2 * d + 2 * m + b]
        turned = E.T.copy()  # the columns one after the other, as LAPACK has them
        _substituted(M, turned.reshape(d, k + n_b))
        solved = turned.T.copy()
        schur -= E.T @ solved
        ahead, _, _ = _step(F, O, c, P, Q, T, N, T_w, D_w, M, E, solved, schur, -X, missing, prices, border, charged)
        now = first = second = 0.0
        least, largest = 1.0, 0.0
        for i in range(pairs):
            u, xz = ahead[i] / X[i], X[i] * Z[i]
            least, largest = max(least, -u), max(largest, u)
            now, first, second = now + xz, first + u * xz, second + u * u * xz
        up, down = 1 / least, 1 / max(1.0, 1 + largest)
        left = now + up * first - down * (now + first) - up * down * (first + second)
        target = max((left / now) ** 3, floor) * now / pairs
        H = np.empty(pairs)
        for i in range(pairs):
            H[i] = target / Z[i] - X[i] + (ahead[i] / X[i] + 1) * ahead[i]
        dX, db, dZ = _step(F, O, c, P, Q, T, N, T_w, D_w, M, E, solved, schur, H, missing, prices, border, charged)
        up, down = _length(X, dX), _length(Z, dZ)
        short = short + 1 if max(up, down) < SHORT_STEP else 0
        X += up * dX
        offset += up * db
        Z += down * dZ
    return False, most


STEPS = {"numpy": 0, "numba": 0}


def compiled(
    problem: BatchArrays, start: Point, tolerance: float, residual: float = DUAL_RESIDUAL, floor: float = 0.0,
    jitter: float = 0.0, most: int = MOST_ITERATIONS,
) -> Solution:  # fmt: skip
    """`maximise` by the kernel, where it applies."""
    pr, n_b = problem, problem.B.shape[0]
    if not pr.tall or pr.score_of is not None or pr.contrasts is not None or pr.g.shape[0] or pr.norm_price is not None:
        return maximise(problem, start, tolerance, residual, floor, jitter, most)
    programs, converged, longest = len(pr.v), np.zeros(len(pr.v), dtype=bool), 0
    X = np.concatenate([start.p, start.q, start.x, start.s, start.r], axis=1)
    Z = np.concatenate([start.z_p, start.z_q, start.z_x, start.a, start.theta], axis=1)
    offset, F = np.array(start.b), pr.F
    for i in range(programs):
        if pr.extra_column is not None:
            F = np.column_stack([pr.F, pr.extra_column[i]])
        converged[i], steps = _program(
            F, pr.O, pr.h, pr.c, pr.P, pr.Q, pr.B, pr.v[i], pr.v_b[i], X[i], offset[i], Z[i], tolerance, residual,
            floor, jitter, most,
        )  # fmt: skip
        longest = max(longest, steps)
        STEPS["numba"] += steps
    d, m = start.p.shape[1], start.x.shape[1]
    parts = np.cumsum([d, d, m, m])
    p, q, x, s, r = np.split(X, parts, axis=1)
    z_p, z_q, z_x, a, theta = np.split(Z, parts, axis=1)
    assert r.shape[1] == n_b
    return Solution(Point(p, q, x, s, r, start.t, offset, a, theta, start.gamma, z_p, z_q, z_x), converged, longest)


def counted(problem: BatchArrays, *words: Any, **options: Any) -> Solution:
    """`maximise`, with the steps of its programs counted."""
    where = BatchArrays.where
    left = [len(problem.v), 0, 0]  # programs, steps before they were fewer, steps

    def fewer(one: BatchArrays, kept: Any) -> BatchArrays:
        found = where(one, kept)
        left[0] = len(found.v)
        return found

    from relspan.engines.interior import predictor_corrector as method

    direction = method._direction

    def one_step(*arguments: Any) -> Any:
        STEPS["numpy"] += left[0]
        return direction(*arguments)

    BatchArrays.where, method._direction = fewer, one_step  # type: ignore[method-assign]
    try:
        return maximise(problem, *words, **options)
    finally:
        BatchArrays.where, method._direction = where, direction  # type: ignore[method-assign]


SIDES = {"numpy": counted, "numba": compiled}


def measured(n: int, d: int, repeat: int) -> None:
    members, mu = wide_family(n, d, 0.1, 1.0)
    directions, data = unit_directions(range(d), members), simulate(n, 5, 5, d - 10, random_state=0)
    seconds: dict[str, list[float]] = {}
    answers = {}
    for side, method in SIDES.items():
        batched_engine.maximise = method
        best = [np.inf, np.inf, np.inf]
        for _ in range(repeat + 1):
            engine, STEPS[side] = BatchedEngine(members), 0
            begin = process_time()
            answers[side] = engine.maxima(directions)
            ends = process_time() - begin
            per_step = 1e3 * ends / STEPS[side]
            begin = process_time()
            fitted = RelevanceClassifier(engine="batched", random_state=0).fit(data.X, data.y)
            whole = process_time() - begin
            if len(seconds.setdefault(side, [])) == 0:
                seconds[side] = [np.inf] * 3  # the first run compiles
                continue
            best = [min(a, b) for a, b in zip(best, (per_step, ends, whole), strict=True)]
            seconds[side] = best
        answers[f"{side} classes"] = fitted.relevance_.tolist()
    batched_engine.maximise = maximise
    apart = np.abs(answers["numpy"].values - answers["numba"].values).max() / mu
    same = answers["numpy classes"] == answers["numba classes"]
    cells = [f"{a:.3f} / {b:.3f} ({a / b:.2f})" for a, b in zip(seconds["numpy"], seconds["numba"], strict=True)]
    print(f"| {n} x {d} | " + " | ".join(cells) + f" | {apart:.0e} | {'same' if same else 'differ'} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", nargs="*", default=["500x30", "500x120", "100x50", "2000x30"])
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print("CPU time of NumPy / numba (ratio)\n")
    print("| table | ms per step of a program | all ends, s | whole fit, s | ends differ, of mu | classes |")
    print("| --- " * 6 + "|")
    for table in options.table:
        measured(*map(int, table.split("x")), options.repeat)


if __name__ == "__main__":
    main()
