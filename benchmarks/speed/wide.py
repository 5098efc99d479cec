"""Certified intervals of every gene: seconds and memory on wide tables.

    python -m benchmarks.speed.wide DATA [--table colon prostate_ge] [--engine exact] [--stage programs fit screened]

DATA is a folder with colon.npz, prostate_ge.npz, arcene.npz and pcmac.npz (arrays X and y; gene expression, mass
spectra, word counts, as scikit-feature has them); RELSPAN_DATA may name it instead. Three stages, each in a process of
its own so that its peak memory is its own:

    programs    C by cross-validation, then both budgets .1 (relative): all 2 d programs, every proof evaluated again
    fit         RelevanceClassifier at its defaults: cross-validation, probes, classes
    screened    the same with screen=True

Seconds are CPU seconds, so that other work on the machine counts less.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import warnings
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.model_selection import StratifiedKFold

from relspan import RelevanceClassifier
from relspan.analysis.baseline import fit_baseline
from relspan.analysis.intervals import feature_ranges
from relspan.analysis.scaled_table import scaled, scaling, varying
from relspan.family.budgets import family_of
from relspan.losses import Hinge
from relspan.result import Certificates

TABLES = ("colon", "prostate_ge", "arcene", "pcmac")
STAGES = ("programs", "fit", "screened")
LARGEST_GAP = 1e-6


def table(folder: Path, name: str) -> tuple[Any, np.ndarray]:
    """The table (counts of words stay sparse) and its two classes."""
    with np.load(folder / f"{name}.npz") as read:
        X, y = read["X"].astype(np.float64), read["y"].ravel()
    return (sparse.csr_array(X) if name == "pcmac" else X), np.where(y == y.max(), 1, 0)


def programs(X: Any, y: np.ndarray, engine: str) -> str:
    Z, signs = scaled(X, *scaling(X, None))[:, varying(X)], np.where(y == 1, 1.0, -1.0)
    begin = process_time()
    baseline = fit_baseline(Hinge(), Z, signs, None, None, StratifiedKFold(3, shuffle=True, random_state=0))
    chosen = process_time()
    family = family_of(Hinge().rows(Z, signs), baseline, 0.1, 0.1, "relative")
    ranges = feature_ranges(family, engine)
    solved = process_time()
    fault = Certificates(family, ranges.extremes, tuple(map(str, range(Z.shape[1])))).verify()
    gap = float(ranges.gaps.max()) / baseline.norm
    if not max(fault, gap) <= LARGEST_GAP:
        raise SystemExit(f"not certified: largest gap {gap:.1e}, largest fault {fault:.1e}")
    count = 2 * Z.shape[1]
    return (
        f"C = {baseline.C:.3g} (norm {baseline.norm:.3g}, loss {baseline.loss:.3g}) in {chosen - begin:.1f} s; "
        f"{count} programs in {solved - chosen:.1f} s, {1e3 * (solved - chosen) / count:.1f} ms each; "
        f"certified gap {gap:.0e}, fault {fault:.0e}"
    )


def fit(X: Any, y: np.ndarray, engine: str, screen: bool = False) -> str:
    begin = process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = RelevanceClassifier(random_state=0, engine=engine, screen=screen).fit(X, y).result_
    seconds = process_time() - begin
    if not found.largest_gap <= LARGEST_GAP:
        raise SystemExit(f"not certified: largest gap {found.largest_gap:.1e}")
    classes = ", ".join(f"{len(found.names(kind))} {kind}" for kind in ("strong", "weak", "irrelevant"))
    solved = sum(f.solved for f in found.features)
    wall = {stage: round(spent, 1) for stage, spent in found.seconds.items()}
    return (
        f"whole fit in {seconds:.1f} s; {solved} of {len(found.features)} features solved; {classes}; "
        f"certified gap {found.largest_gap:.0e}; wall clock {wall}"
    )


def one(folder: Path, name: str, stage: str, engine: str) -> None:
    X, y = table(folder, name)
    done = programs(X, y, engine) if stage == "programs" else fit(X, y, engine, screen=stage == "screened")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"{name} {X.shape[0]} x {X.shape[1]}, {stage}: {done}; peak memory {peak:.2f} GiB", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", default=os.environ.get("RELSPAN_DATA"), help="folder of the tables")
    parser.add_argument("--table", nargs="*", choices=TABLES, default=TABLES[:2])
    parser.add_argument("--stage", nargs="*", choices=STAGES, default=STAGES)
    parser.add_argument("--engine", default="exact")
    options = parser.parse_args()
    if options.data is None:
        raise SystemExit("name the folder of the tables, as an argument or in RELSPAN_DATA")
    for name in options.table:
        if not (Path(options.data) / f"{name}.npz").is_file():
            print(f"{name}: skipped, no {name}.npz in {options.data}")
            continue
        for stage in options.stage:
            if len(options.table) == len(options.stage) == 1:
                one(Path(options.data), name, stage, options.engine)
                continue
            again = ["--table", name, "--stage", stage, "--engine", options.engine]
            subprocess.run([sys.executable, "-m", "benchmarks.speed.wide", options.data, *again], check=False)


if __name__ == "__main__":
    main()
