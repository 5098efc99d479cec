"""A session as one JSON file: the analysis, the scaled table, the family with its extreme models, pins and scenarios.

Everything that a question needs is in it, so that a saved model answers for new samples on another day; numbers come
back exactly as they were. Extreme models and multipliers are mostly zeros and are written as sparse rows. A name that
ends in .gz is compressed.
"""

from __future__ import annotations

import gzip
import json
import zlib
from dataclasses import asdict, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.model_selection import PredefinedSplit

from relspan.analysis.baseline import Baseline
from relspan.analysis.intervals import ranges_of
from relspan.analysis.learning_problem import LearningProblem
from relspan.analysis.pipeline import Analysis, Settings
from relspan.analysis.probes import Probes
from relspan.arrays import dense
from relspan.engines import EngineChoice
from relspan.engines.certificates import CertifiedMaxima
from relspan.errors import DataError, ParameterError
from relspan.explore.fitted_problem import FittedProblem
from relspan.family import Budget, Family
from relspan.family.constraints import Constraints
from relspan.losses import EpsilonInsensitive, Hinge, Loss, OrdinalHinge, RejectHinge
from relspan.result import Certificates, RelevanceResult

FORMAT = "relspan model"
SCHEMA_VERSION = 1
LOSSES: dict[str, Any] = {loss.__name__: loss for loss in (EpsilonInsensitive, Hinge, OrdinalHinge, RejectHinge)}
_SPARSE = ("models", "hinge_multipliers", "constraint_multipliers")


def encode(problem: FittedProblem, session: dict[str, Any]) -> bytes:
    """A problem and what a session remembers, as JSON."""
    record = {"format": FORMAT, "schema_version": SCHEMA_VERSION, "problem": _problem(problem), "session": session}
    return json.dumps(_plain(record), allow_nan=False).encode()


def write(path: str | Path, problem: FittedProblem, session: dict[str, Any]) -> None:
    """Write the same to a file."""
    data = encode(problem, session)
    try:
        Path(path).write_bytes(gzip.compress(data, mtime=0) if str(path).endswith(".gz") else data)
    except OSError as error:
        raise ParameterError(f"cannot write {str(path)!r}: {error.strerror or error}") from error


def read(path: str | Path) -> tuple[FittedProblem, dict[str, Any]]:
    """What `write` wrote."""
    return decode(read_bytes(path), str(path))


def read_bytes(path: str | Path) -> bytes:
    """The bytes that `write` wrote, unpacked."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise ParameterError(f"cannot read {str(path)!r}: {error.strerror or error}") from error
    try:
        return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(f"{str(path)!r} is a damaged gzip file: {error}") from error


def decode(data: bytes, source: str) -> tuple[FittedProblem, dict[str, Any]]:
    """What `encode` gave. Data that are anything else are refused: they may come from anywhere."""
    try:
        record = json.loads(data)
        if record["format"] != FORMAT:
            raise KeyError("format")
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise DataError(f"{source!r} is not a saved relspan model (a result's JSON does not hold one)") from error
    if record.get("schema_version") != SCHEMA_VERSION:
        raise DataError(f"{source!r} has schema_version {record.get('schema_version')}, not {SCHEMA_VERSION}")
    try:
        return _read_problem(record["problem"]), record["session"]
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise DataError(f"{source!r} is a damaged relspan model ({type(error).__name__}: {error})") from error


def _problem(problem: FittedProblem) -> dict[str, Any]:
    family = problem.analysis.family
    folds = np.full(len(problem.y), -1)
    for number, (_, test) in enumerate(problem.splitter.split(problem.X, problem.y)):
        folds[test] = number
    return {
        "names": problem.names,
        "varies": problem.varies,
        "mean": problem.mean,
        "scale": problem.scale,
        "loss": {"kind": type(problem.loss).__name__, "parameters": _parameters(problem.loss)},
        "X": dense(problem.X),
        "y": problem.y,
        "sample_weight": problem.sample_weight,
        "folds": folds,
        "settings": problem.settings.as_dict(),
        "classes": problem.classes,
        "result": json.loads(problem.result.to_json()),
        "baseline": {
            **{key: value for key, value in _dict(problem.analysis.baseline).items() if key != "loss_function"},
            "scores": [[C, scores] for C, scores in problem.analysis.baseline.scores.items()],
        },
        "budgets": [[b.norm_price, b.loss_price, b.limit] for b in family.budgets],
        "constraints": {**_dict(family.constraints), **_sides(family.constraints)},
        "anchors": family.anchors,
        "extremes": {
            name: _sparse(value) if name in _SPARSE else value
            for name, value in _dict(problem.analysis.ranges.extremes).items()
        },
        "probes": _dict(problem.analysis.probes),
        "verdict": {
            name: getattr(problem.analysis, name)
            for name in ("upper_threshold", "own_thresholds", "floor", "roomy", "classes", "warnings", "seconds")
        },
    }


def _read_problem(record: dict[str, Any]) -> FittedProblem:
    X, y = np.array(record["X"]), np.array(record["y"])
    weights = None if record["sample_weight"] is None else np.array(record["sample_weight"])
    loss = _read_loss(record["loss"])
    family = Family(
        loss.rows(X, y, weights),
        tuple(Budget(*budget) for budget in record["budgets"]),
        _read_constraints(record["constraints"], X.shape[1], loss.n_offsets),
        np.array(record["anchors"]).reshape(-1, X.shape[1] + loss.n_offsets),
    )
    extremes = CertifiedMaxima(
        **{
            name: _read_sparse(value) if name in _SPARSE else np.array(value)
            for name, value in record["extremes"].items()
        }
    )
    best = dict(record["baseline"])
    scores = {C: np.array(values) for C, values in best.pop("scores")}
    baseline = Baseline(**_arrays(best), loss_function=loss, scores=scores)
    probes = Probes(**_arrays(record["probes"]))
    ranges, verdict = ranges_of(extremes), record["verdict"]
    names, varies = tuple(record["names"]), np.array(record["varies"])
    columns = tuple(name for name, keep in zip(names, varies, strict=True) if keep)
    result = replace(
        RelevanceResult.from_json(json.dumps(record["result"])), certificates=Certificates(family, extremes, columns)
    )
    return FittedProblem(
        names,
        varies,
        np.array(record["mean"]),
        np.array(record["scale"]),
        loss,
        X,
        y,
        weights,
        PredefinedSplit(np.array(record["folds"])),
        Settings(**record["settings"]),
        Analysis(
            problem=LearningProblem(loss, X, y, weights),
            baseline=baseline,
            family=family,
            engine=EngineChoice(result.engine["name"], result.engine["reason"]),
            ranges=ranges,
            probes=probes,
            upper_threshold=verdict["upper_threshold"],
            own_thresholds=np.array(verdict["own_thresholds"]),
            floor=verdict["floor"],
            roomy=verdict["roomy"],
            intervals=ranges.relevances,
            gaps=ranges.gaps,
            classes=np.array(verdict["classes"]),
            masses=(),
            group_classes=np.zeros(0, dtype=np.int64),
            warnings=tuple(verdict["warnings"]),
            seconds=verdict["seconds"],
        ),
        result,
        None if record["classes"] is None else tuple(record["classes"]),
    )


def _read_loss(record: dict[str, Any]) -> Loss:
    """The loss of that name, and nothing else that the name may be of."""
    if record["kind"] not in LOSSES:
        raise DataError(f"there is no loss {record['kind']!r}")
    loss: Loss = LOSSES[record["kind"]](**record["parameters"])
    return loss


def _read_constraints(record: dict[str, Any], d: int, k: int) -> Constraints:
    lower = [-np.inf if value is None else value for value in record["lower"]]
    upper = [np.inf if value is None else value for value in record["upper"]]
    return Constraints(
        np.array(record["features"]).reshape(-1, d),
        np.array(record["offsets"]).reshape(-1, k),
        np.array(lower, dtype=np.float64),
        np.array(upper, dtype=np.float64),
    )


def _sides(constraints: Constraints) -> dict[str, Any]:
    """JSON has no infinity: a free side is null."""
    return {
        side: [float(value) if np.isfinite(value) else None for value in getattr(constraints, side)]
        for side in ("lower", "upper")
    }


def _sparse(matrix: np.ndarray) -> dict[str, Any]:
    rows = sparse.csr_array(matrix)
    return {"shape": rows.shape, "data": rows.data, "indices": rows.indices, "indptr": rows.indptr}


def _read_sparse(record: dict[str, Any]) -> np.ndarray:
    parts = (np.array(record["data"], dtype=np.float64), np.array(record["indices"], dtype=np.int64), record["indptr"])
    return np.asarray(sparse.csr_array(parts, shape=tuple(record["shape"])).toarray())


def _dict(value: Any) -> dict[str, Any]:
    """A dataclass's fields, one level deep."""
    return {field.name: getattr(value, field.name) for field in fields(value)}


def _arrays(record: dict[str, Any]) -> dict[str, Any]:
    """Lists as arrays."""
    return {name: np.array(value) if isinstance(value, list) else value for name, value in record.items()}


def _parameters(loss: Loss) -> dict[str, Any]:
    return asdict(loss) if is_dataclass(loss) and not isinstance(loss, type) else {}


def _plain(value: Any) -> Any:
    """NumPy, tuples and mappings as JSON has them."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    return value
