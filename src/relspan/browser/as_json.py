"""What an explorer knows, as records for JSON: relevances are shares of the best model's norm, features go by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from relspan.analysis.canonical_order import target_itself
from relspan.arrays import Floats
from relspan.errors import InfeasiblePins
from relspan.explore import (
    Alternative,
    BudgetUse,
    Contributions,
    Explorer,
    Groups,
    HeldOutScore,
    Model,
    Panel,
    Pin,
    Predictions,
    ScenarioComparison,
    Stability,
)
from relspan.explore.fitted_problem import FittedProblem
from relspan.explore.pins import pin_record
from relspan.result import RelevanceResult
from relspan.show.explorer_account import feature_stability, no_pair, pair_sentences, stability_sentence
from relspan.show.findings import held_out_sentence, one_division_sentence
from relspan.show.sample_account import (
    agreement,
    at_mean,
    certain_but_wrong,
    counts_by_class,
    disagreement,
    is_changed,
    is_opened,
    is_settled,
    label_text,
    pushes,
    sides,
    verdict,
)
from relspan.tasks.task import TASKS


def described_pin(pin: Pin) -> dict[str, Any]:
    """A pin with its description."""
    return {**pin_record(pin), "text": str(pin)}


def scenario_records(explorer: Explorer) -> list[dict[str, Any]]:
    """The saved scenarios."""
    return [{"name": s.name, "note": s.note, "pins": [str(pin) for pin in s.pins]} for s in explorer.scenarios.values()]


def model_record(model: Model) -> dict[str, Any]:
    """A model: only the features it uses, the most relevant first."""
    used = sorted(model.features, key=lambda name: -model.relevances[name])
    return {
        "weights": [{"feature": n, "weight": model.weights[n], "relevance": model.relevances[n]} for n in used],
        "offsets": list(model.offsets),
        "norm": model.norm,
        "loss": model.loss,
        "share_of_norm_budget": finite_or_none(model.share_of_norm_budget),
        "share_of_loss_budget": finite_or_none(model.share_of_loss_budget),
    }


def budget_record(used: BudgetUse) -> dict[str, Any]:
    """What the pins use of the budgets."""
    return {
        "least_norm": used.least_norm,
        "least_loss": used.least_loss,
        "share_of_norm_budget": finite_or_none(used.share_of_norm_budget),
        "share_of_loss_budget": finite_or_none(used.share_of_loss_budget),
    }


def score_record(score: HeldOutScore, result: RelevanceResult) -> dict[str, Any]:
    """Held-out scores of the current model's features and of all features, fold by fold, by the name of the score."""
    every = float(np.mean(score.all_features))
    return {
        "name": TASKS[result.task].score_name,
        "sentence": held_out_sentence(result.task, every),
        "one_division": one_division_sentence(result, every),
        "mean": score.mean,
        "folds": list(score.folds),
        "all_features": every,
        "n_features": len(score.features),
        "note": score.note,
    }


def alternative_record(other: Alternative) -> dict[str, Any]:
    """A feature that could take another one's place."""
    return {**asdict(other), "competes": other.competes, "sentence": other.sentence}


def map_record(features: Sequence[str], values: Floats, at: str) -> dict[str, Any]:
    """A map between features: the exchange of every pair, or how far intervals move."""
    return {"features": list(features), "at": at, "values": np.round(values, 6).tolist()}


def exchange_record(found: Groups, names: Sequence[str], values: Floats) -> dict[str, Any]:
    """The map of exchanges, with the pairs and groups that it shows."""
    pairs = pair_sentences(found)
    return {**map_record(names, values, "exchange"), "pairs": pairs, "sentence": "" if pairs else no_pair(found)}


def stability_record(found: Stability) -> dict[str, Any]:
    """Whiskers of both ends and class frequencies of every feature, by name."""
    features = {
        one.name: {
            "min": [one.min[0], one.min[2]],
            "max": [one.max[0], one.max[2]],
            "sentence": feature_stability(one, found.level),
        }
        for one in found.features
    }
    return {"features": features, "sentence": stability_sentence(found)}


def panel_record(panel: Panel) -> dict[str, Any]:
    """A panel, its proof and its model."""
    return {
        "features": list(panel.features),
        "cost": panel.cost,
        "bound": panel.bound,
        "gap": panel.gap,
        "proven": panel.proven,
        "seconds": panel.seconds,
        "model": model_record(panel.model),
    }


def comparison_record(both: ScenarioComparison) -> dict[str, Any]:
    """Two scenarios, feature by feature."""
    moved = both.moved
    return {
        "first": both.first,
        "second": both.second,
        "rows": [
            {"feature": name, "first": list(a), "second": list(b), "moved": name in moved}
            for name, (a, b) in both.intervals.items()
        ],
    }


def samples_record(
    problem: FittedProblem, found: Predictions, before: Predictions | None, unmeasured: str | None = None
) -> dict[str, Any]:
    """The predictions of the training samples, with their true labels; `before`: without pins, all measured."""
    labels = problem.scores.labels_by_code(problem.classes) if problem.classes is not None else {}
    y = target_itself(problem.y)
    truths = [labels[code] for code in y.tolist()] if labels else [None] * len(y)
    then = before.samples if before is not None else found.samples
    rows = [
        {
            "score": now.score,
            "lo": now.lo,
            "hi": now.hi,
            "labels": [label_text(label) for label in now.labels or ()],
            "certain": now.certain,
            "truth": str(truth) if labels else None,
            "wrong": bool(labels) and now.label != truth,
            "settled": is_settled(now, earlier),
            "opened": is_opened(now, earlier),
            "changed": is_changed(now, earlier),
        }
        for now, earlier, truth in zip(found.samples, then, truths, strict=True)
    ]
    counts = counts_by_class(found, truths) if labels else []
    sentence = agreement(found, before, unmeasured)
    return {
        "rows": rows,
        "counts": counts,
        "sentence": f"{sentence} {certain_but_wrong(found, truths)}" if labels else sentence,
        "sides": sides([label_text(label) for label in labels.values()]),
    }


def sample_record(found: Contributions, pinned: bool, absent: list[str]) -> dict[str, Any]:
    """What the features contribute to one score, those that can contribute most first."""
    ordered = sorted(found.features, key=lambda one: -max(abs(one.lo), abs(one.hi)))
    return {
        "sentences": [
            text
            for text in (verdict(found.prediction, pinned), disagreement(found), pushes(found), at_mean(absent))
            if text
        ],
        "certain": found.prediction.certain,
        "average": found.average,
        "features": [asdict(one) for one in ordered],
    }


def error_record(error: Exception) -> dict[str, Any]:
    """A refusal as the page shows it; infeasible pins come with their conflict and what would work."""
    record: dict[str, Any] = {"kind": type(error).__name__, "message": str(error)}
    if isinstance(error, InfeasiblePins):
        record |= {"conflict": list(error.conflict), "nearest": error.nearest}
    return record


def finite_or_none(value: float) -> float | None:
    """The value; None where it is infinite, which JSON cannot hold."""
    return value if np.isfinite(value) else None
