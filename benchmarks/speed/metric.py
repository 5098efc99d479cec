"""Speed and memory of the metric learners and of a row's intervals.

    OMP_NUM_THREADS=1 python -m benchmarks.speed.metric [--data FOLDER] [--peer-python PYTHON] [--samples 10000]

Three tables. Fit times of GMLVQ and LMNN beside sklvq's and metric-learn's: these do not run with current scikit-learn,
so they are asked in another interpreter (--peer-python; one with scikit-learn 1.5, metric-learn 0.7.0 and sklvq 0.1.2
serves), on the same data in the same run; left out without one. LMNN on many samples (wall-clock), with the peak of
memory beside that of one n x n matrix. All intervals of a row of wine NIR and of tecator beside the learner's own fit,
and beside the reference engine (tecator), with the largest difference; needs the data folder (--data or RELSPAN_DATA).
Seconds are CPU seconds unless stated otherwise.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from time import process_time

import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.preprocessing import StandardScaler

from benchmarks.accuracy.metric import header
from benchmarks.accuracy.spectra import missing_spectra, tecator, wine_nir
from relspan.errors import RelspanWarning
from relspan.metric import GMLVQ, LMNN
from relspan.metric.effective_dimension import principal_axes
from relspan.metric.eigenform import eigenform
from relspan.metric.row_family import row_relevance

PEERS = """
import json, sys, time, warnings
warnings.simplefilter("ignore")
import numpy as np
data = np.load(sys.argv[1])
X, y = data["X"], data["y"]
out = {}
def timed(name, make):
    try:
        model = make()
        begin = time.process_time()
        model.fit(X, y)
        out[name] = time.process_time() - begin
    except Exception as reason:
        out[name] = repr(reason)
def lmnn():
    from metric_learn import LMNN
    return LMNN(n_neighbors=3, random_state=0)
def gmlvq():
    from sklvq import GMLVQ
    return GMLVQ(random_state=0)
timed("lmnn", lmnn)
timed("gmlvq", gmlvq)
print(json.dumps(out))
"""

LARGE = """
import resource, sys, time, warnings
warnings.simplefilter("ignore")
import numpy as np
from sklearn.datasets import make_classification
from sklearn.preprocessing import StandardScaler
from relspan.metric import LMNN
n = int(sys.argv[1])
X, y = make_classification(n, 20, n_informative=8, n_classes=3, random_state=0)
X = StandardScaler().fit_transform(X)
LMNN(max_iter=1).fit(X[:200], y[:200])  # everything is imported before the memory is read
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
begin = time.perf_counter()
model = LMNN().fit(X, y)
seconds = time.perf_counter() - begin
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(seconds, (peak - before) / 1024, model.n_impostors_, model.n_iter_)
"""


def seconds_of(fit) -> float:  # type: ignore[no-untyped-def]
    begin = process_time()
    fit()
    return process_time() - begin


def peers_of(python: str | None, X: np.ndarray, y: np.ndarray) -> dict[str, object]:
    if python is None:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        np.savez(f"{folder}/data.npz", X=X, y=y)
        done = subprocess.run([python, "-c", PEERS, f"{folder}/data.npz"], capture_output=True, text=True, check=True)
    figures: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return figures


def fits(python: str | None) -> None:
    print(
        "\nOne fit, each with its defaults (but GMLVQ with one start, as sklvq has one)\n\n"
        + header("data", "GMLVQ", "sklvq", "ratio", "LMNN", "metric-learn", "ratio")
    )
    for load in (load_iris, load_wine, load_breast_cancer):
        X, y = load(return_X_y=True)
        X = StandardScaler().fit_transform(X)
        cells = []
        peers = peers_of(python, X, y)
        for name, model in {"gmlvq": GMLVQ(n_starts=1, random_state=0), "lmnn": LMNN(n_neighbors=3)}.items():
            own = float(np.median([seconds_of(lambda model=model, X=X, y=y: model.fit(X, y)) for _ in range(3)]))
            other = peers.get(name, "not asked")
            ratio = f"{other / own:.1f}" if isinstance(other, float) else ""
            cells += [f"{own:.3f}", f"{other:.3f}" if isinstance(other, float) else str(other)[:60], ratio]
        print(f"| {load.__name__.removeprefix('load_')} | " + " | ".join(cells) + " |", flush=True)


def memory(n_samples: int) -> None:
    print(
        f"\nLMNN on {n_samples} samples of 20 features, 3 classes\n\n"
        + header("s", "peak MiB above start", "n x n doubles, MiB", "share", "impostors at the end", "iterations")
    )
    done = subprocess.run([sys.executable, "-c", LARGE, str(n_samples)], capture_output=True, text=True, check=True)
    seconds, peak, pairs, iterations = (float(word) for word in done.stdout.split())
    whole = 8 * n_samples**2 / 2**20
    print(
        f"| {seconds:.1f} | {peak:.0f} | {whole:.0f} | {peak / whole:.2f} | {pairs:.0f} | {iterations:.0f} |",
        flush=True,
    )


def rows(folder: Path) -> None:
    print(
        "\nAll intervals of the first row of a GMLVQ map, seconds\n\n"
        + header(
            "data",
            "map",
            "dimension",
            "GMLVQ fit",
            "row",
            "share of the fit",
            "reference engine",
            "ratio",
            "difference",
        )
    )
    for name, load, dimension in (("tecator", tecator, 9), ("wine NIR", wine_nir, 8)):
        X, y, train, _ = load(folder)
        Z = StandardScaler().fit_transform(X[train])
        U = principal_axes(Z).leading(dimension)
        for rank in (2, None):
            learner = GMLVQ(rank=rank, random_state=0)
            fit = seconds_of(lambda learner=learner, Z=Z, y=y, train=train: learner.fit(Z, y[train]))
            row = eigenform(learner.omega_).rows[0]
            begin = process_time()
            found = row_relevance(row, U)
            exact = process_time() - begin
            compared = ["", "", ""]
            if name == "tecator" and rank == 2:
                begin = process_time()
                slow = row_relevance(row, U, engine="reference")
                reference = process_time() - begin
                difference = max(np.abs(found.lo - slow.lo).max(), np.abs(found.hi - slow.hi).max())
                compared = [f"{reference:.2f}", f"{reference / exact:.0f}", f"{difference:.0e}"]
            print(
                f"| {name} | {'full' if rank is None else f'rank {rank}'} | {dimension} | {fit:.2f} | {exact:.2f} "
                f"| {exact / fit:.2f} | " + " | ".join(compared) + " |",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=os.environ.get("RELSPAN_DATA"), help="folder of tecator.csv, wine_nir.csv")
    parser.add_argument("--peer-python", help="interpreter in which metric-learn and sklvq run")
    parser.add_argument("--samples", type=int, default=10000)
    options = parser.parse_args()
    warnings.simplefilter("ignore", RelspanWarning)
    fits(options.peer_python)
    memory(options.samples)
    lacks = missing_spectra(options.data)
    if lacks:
        print(f"\nrows are left out: give --data FOLDER (or RELSPAN_DATA) with {' and '.join(lacks)}")
    else:
        rows(Path(options.data))


if __name__ == "__main__":
    main()
