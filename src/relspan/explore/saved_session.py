"""A session as one JSON file: the analysis, the scaled table, the family with its extreme models, pins and scenarios.

Everything that a question needs is in the file, so that a saved model answers for new samples on another day; numbers
come back exactly as they were. The loss is written as the name of its class with its parameters, and looked up in
`relspan.losses.LOSSES`: a loss from outside relspan must be registered before a file that uses it is read. A file whose
name ends in .gz is compressed.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
from scipy import sparse

from relspan.analysis.adjustment import Adjustment
from relspan.analysis.baseline import Baseline
from relspan.analysis.extremal_scores import ExtremalScores
from relspan.analysis.folds import Folds
from relspan.analysis.held_out import HeldOutLosses
from relspan.analysis.intervals import ranges_of
from relspan.analysis.learning_problem import LearningProblem
from relspan.analysis.pipeline import Analysis
from relspan.analysis.probes import Probes
from relspan.analysis.settings import Settings
from relspan.analysis.units import Units
from relspan.analysis.verdicts.evidence import FeatureEvidence
from relspan.analysis.verdicts.verdict import Verdicts
from relspan.arrays import Floats, dense
from relspan.checks import did_you_mean, file_path
from relspan.engines import EngineChoice
from relspan.engines.certificates import CertifiedMaxima
from relspan.errors import DataError, ParameterError
from relspan.explore.fitted_problem import FittedProblem
from relspan.family import Budget, Family
from relspan.family.constraints import Constraints
from relspan.losses import LOSSES, Loss
from relspan.result import Certificates, RelevanceResult
from relspan.result.record import packed, read_record, reason_in_words, unpacked, write_record
from relspan.unpacking import unpacked_gzip
from relspan.whole_files import write_whole

FORMAT = "relspan model"
# parts of an analysis that are found elsewhere, or not asked for here
NOT_SAVED = ("problem", "engine", "group_intervals", "group_classes", "group_thresholds", "budget_shares")
SEPARATE_RECORDS = ("baseline", "family", "ranges", "probes")  # parts of an analysis with a record of their own


def encode(problem: FittedProblem, session: dict[str, Any]) -> bytes:
    """A problem and what a session remembers, as JSON."""
    return write_record({"format": FORMAT, "problem": _problem_record(problem), "session": session}, None).encode()


def write(path: str | Path, problem: FittedProblem, session: dict[str, Any]) -> None:
    """Write the same to a file."""
    place, data = file_path("path", path), encode(problem, session)
    write_whole(place, gzip.compress(data, mtime=0) if str(path).endswith(".gz") else data)


def read(path: str | Path) -> tuple[FittedProblem, dict[str, Any]]:
    """What `write` wrote."""
    return decode(read_bytes(file_path("path", path)), str(path))


def read_bytes(path: str | Path) -> bytes:
    """The bytes that `write` wrote, unpacked."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise ParameterError(f"cannot read {str(path)!r}: {error.strerror or error}") from error
    return unpacked_gzip(data, str(path))


def decode(data: bytes, source: str) -> tuple[FittedProblem, dict[str, Any]]:
    """What `encode` gave. Any other data are refused with DataError: they may come from anywhere."""
    try:
        record = read_record(data, "a saved relspan model")
    except DataError as error:
        raise DataError(f"{source!r} cannot be loaded: {error}") from error
    if record.get("format") != FORMAT:
        raise DataError(f"{source!r} is not a saved relspan model; the JSON of a result does not contain one")
    try:
        return _read_problem(unpacked(record["problem"])), record["session"]
    except UnknownLoss as error:
        raise DataError(f"{source!r} needs {error}") from error
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise DataError(f"{source!r} is a damaged relspan model: {reason_in_words(error)}") from error


class UnknownLoss(DataError):
    """A loss that nobody has registered."""


def _problem_record(problem: FittedProblem) -> dict[str, Any]:
    analysis, family = problem.analysis, problem.analysis.family
    baseline = {f.name: getattr(analysis.baseline, f.name) for f in fields(Baseline) if f.name != "loss_function"}
    whole = {
        "names": problem.names,
        "varies": problem.varies,
        "mean": problem.mean,
        "scale": problem.scale,
        "loss": _loss_record(problem.loss),
        "X": dense(problem.X),
        "y": problem.y,
        "sample_weight": problem.sample_weight,
        "groups": problem.groups,
        "folds": problem.splitter,
        "settings": problem.settings.as_dict(),
        "classes": problem.classes,
        "adjustment": problem.adjustment,
        "baseline": {**baseline, "scores": [[C, scores] for C, scores in analysis.baseline.scores.items()]},
        "budgets": [[b.norm_price, b.loss_price, b.limit] for b in family.budgets],
        "constraints": family.constraints,
        "anchors": family.anchors,
        "extremes": analysis.ranges.extremes,
        "probes": analysis.probes,
        "verdict": {
            f.name: getattr(analysis, f.name) for f in fields(Analysis) if f.name not in (*NOT_SAVED, *SEPARATE_RECORDS)
        },
    }
    return {**packed(whole), "result": json.loads(problem.result.to_json())}


def _check_numbers(family: Family, names: int, mean: Floats, scale: Floats, y: Floats) -> None:
    """Every array has its shape and holds finite numbers: a program of NaN or infinite coefficients may never end."""
    rows, extra = family.rows, family.constraints
    n, m, d, k = rows.features.shape[0], extra.n_rows, family.n_features, family.n_offsets
    features = rows.features.data if sparse.issparse(rows.features) else rows.features
    budgets = [[one.norm_price, one.loss_price, one.limit] for one in family.budgets]
    shapes = {
        "the best models": (family.anchors, (len(family.anchors), d + k)),
        "constraints": (extra.features, (m, d)),
        "constraints of offsets": (extra.offsets, (m, k)),
        "means": (mean, (names,)),
        "scales": (scale, (names,)),
        "rows": (rows.offsets, (n, k)),
    }
    wrong = [name for name, (array, shape) in shapes.items() if np.shape(array) != shape]
    if wrong or len(extra.lower) != m or len(extra.upper) != m:
        raise DataError(f"the sizes of its {wrong[0] if wrong else 'limits'} do not fit its table")
    parts = (features, rows.heights, rows.costs, y, budgets, *(array for array, _ in shapes.values()))
    if not all(np.isfinite(part).all() for part in parts) or np.isnan([*extra.lower, *extra.upper]).any():
        raise DataError("it holds values that are no numbers")


def _read_problem(record: dict[str, Any]) -> FittedProblem:
    X, y, weights, groups = (record[part] for part in ("X", "y", "sample_weight", "groups"))
    loss = _read_loss(record["loss"])
    family = Family(
        loss.rows(X, y, weights),
        tuple(Budget(*budget) for budget in record["budgets"]),
        Constraints(**record["constraints"]),
        record["anchors"],
    )
    _check_numbers(family, len(record["names"]), record["mean"], record["scale"], y)
    extremes = CertifiedMaxima(**record["extremes"])
    scores, held_out = record["baseline"]["scores"], record["baseline"]["held_out"]
    chosen = {
        "scores": {float(C): folds for C, folds in scores},
        "held_out": None if held_out is None else HeldOutLosses(**held_out),
        "units": Units(**record["baseline"]["units"]),
    }
    baseline = Baseline(**{**record["baseline"], **chosen}, loss_function=loss)
    if baseline.model.shape != (family.n_features + family.n_offsets,) or not np.isfinite(baseline.model).all():
        raise DataError("the size of its best model does not fit its table")
    verdict, names, varies = record["verdict"], tuple(record["names"]), record["varies"]
    columns = tuple(name for name, keep in zip(names, varies, strict=True) if keep)
    result = replace(
        RelevanceResult.from_json(json.dumps(record["result"])), certificates=Certificates(family, extremes, columns)
    )
    return FittedProblem(
        names,
        varies,
        record["mean"],
        record["scale"],
        loss,
        X,
        y,
        weights,
        Folds(**record["folds"]),
        Settings(**record["settings"]),
        Analysis(
            problem=LearningProblem(loss, X, y, weights, groups),
            baseline=baseline,
            family=family,
            engine=EngineChoice(result.engine["name"], result.engine["reason"]),
            ranges=ranges_of(extremes),
            probes=Probes(**record["probes"]),
            group_intervals=(),
            group_classes=np.zeros(0, dtype=np.int64),
            group_thresholds=(),
            budget_shares={},
            **{**verdict, **_read_verdict(verdict), "warnings": tuple(verdict["warnings"])},
        ),
        result,
        None if record["classes"] is None else tuple(record["classes"]),
        groups,
        _read_adjustment(record["adjustment"]),
    )


def _read_verdict(record: dict[str, Any]) -> dict[str, Any]:
    """The verdicts, with the evidence behind them, and the scores of the models at the ends."""
    found, scores = record["verdicts"], record["extremal_scores"]
    evidence = None if found["evidence"] is None else FeatureEvidence(**found["evidence"])
    return {
        "verdicts": Verdicts(**{**found, "evidence": evidence}),
        "extremal_scores": None if scores is None else ExtremalScores(**scores),
    }


def _loss_record(loss: Any) -> dict[str, Any]:
    """The class of a loss and its parameters, one of which may be a loss again."""
    given = {f.name: getattr(loss, f.name) for f in fields(loss)}
    inner = {name: _loss_record(value) for name, value in given.items() if type(value).__name__ in LOSSES}
    return {"kind": type(loss).__name__, "parameters": {**given, **inner}}


def _read_adjustment(record: dict[str, Any] | None) -> Adjustment | None:
    return None if record is None else Adjustment(**{**record, "names": tuple(record["names"])})


def _read_loss(record: dict[str, Any]) -> Loss:
    """The registered loss of that name: nothing else can be made from a file."""
    kind = record["kind"]
    if not isinstance(kind, str) or kind not in LOSSES:
        raise UnknownLoss(
            f"the loss {kind!r}, which is not registered{did_you_mean(kind, LOSSES)}; "
            "if it is defined outside relspan, import its module first"
        )
    inner = {name: _read_loss(given) for name, given in record["parameters"].items() if isinstance(given, dict)}
    return cast(Loss, LOSSES[kind](**{**record["parameters"], **inner}))
