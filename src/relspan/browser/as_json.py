"""What an explorer knows, as JSON: relevances are shares of the best model's norm, features go by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from relspan.arrays import Floats
from relspan.errors import InfeasiblePins
from relspan.explore import Alternative, BudgetUse, Explorer, HeldOutScore, Model, Panel, Pin, ScenarioComparison
from relspan.explore.pins import pin_record


def told_pin(pin: Pin) -> dict[str, Any]:
    """A pin with its words."""
    return {**pin_record(pin), "text": str(pin)}


def told_scenarios(explorer: Explorer) -> list[dict[str, Any]]:
    """The kept scenarios."""
    return [{"name": s.name, "note": s.note, "pins": [str(pin) for pin in s.pins]} for s in explorer.scenarios.values()]


def told_model(model: Model) -> dict[str, Any]:
    """A concrete model: its features only, the largest first."""
    used = sorted(model.features, key=lambda name: -model.relevances[name])
    return {
        "weights": [{"feature": n, "weight": model.weights[n], "relevance": model.relevances[n]} for n in used],
        "offsets": list(model.offsets),
        "norm": model.norm,
        "loss": model.loss,
        "share_of_norm_budget": finite(model.share_of_norm_budget),
        "share_of_loss_budget": finite(model.share_of_loss_budget),
    }


def told_usage(used: BudgetUse) -> dict[str, Any]:
    """What pins take of the budgets."""
    return {
        "least_norm": used.least_norm,
        "least_loss": used.least_loss,
        "share_of_norm_budget": finite(used.share_of_norm_budget),
        "share_of_loss_budget": finite(used.share_of_loss_budget),
    }


def told_score(score: HeldOutScore) -> dict[str, Any]:
    """Held-out scores of the current model's features and of all features, fold by fold."""
    return {
        "mean": score.mean,
        "folds": list(score.folds),
        "all_features": float(np.mean(score.all_features)),
        "n_features": len(score.features),
        "note": score.note,
    }


def told_alternative(other: Alternative) -> dict[str, Any]:
    """What could take a feature's place."""
    return {**asdict(other), "sentence": other.sentence}


def told_map(features: Sequence[str], values: Floats, at: str) -> dict[str, Any]:
    """A map between features."""
    return {"features": list(features), "at": at, "moves": np.round(values, 6).tolist()}


def told_panel(panel: Panel) -> dict[str, Any]:
    """A panel, its proof and its model."""
    return {
        "features": list(panel.features),
        "cost": panel.cost,
        "bound": panel.bound,
        "gap": panel.gap,
        "proven": panel.proven,
        "seconds": panel.seconds,
        "model": told_model(panel.model),
    }


def told_comparison(both: ScenarioComparison) -> dict[str, Any]:
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


def finite(value: float) -> float | None:
    """JSON has no infinity."""
    return value if np.isfinite(value) else None


def told_error(error: Exception) -> dict[str, Any]:
    """A refusal as the page shows it; infeasible pins come with their conflict and what would work."""
    told: dict[str, Any] = {"kind": type(error).__name__, "message": str(error)}
    if isinstance(error, InfeasiblePins):
        told |= {"conflict": list(error.conflict), "nearest": error.nearest}
    return told
