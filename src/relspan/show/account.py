"""What was done, in sentences: data, best model, what "equally good" means, chance, and proof."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from relspan.result import CLASSES, RelevanceResult

MEANINGS = {
    "strong": "no equally good model does without it",
    "weak": "it can matter, and others can take its place",
    "irrelevant": "no equally good model gains from it more than from chance",
    "undecided": "the run was interrupted before classes were known",
}
SCORES = {
    "classification": "weighted F1",
    "multiclass": "weighted F1",
    "regression": "R²",
    "ordinal": "1 - macro-averaged absolute error",
    "reject": "1 - loss with the cost of rejections",
}
NAMED = 12  # names that are listed before the rest is counted


def summary(result: RelevanceResult) -> str:
    """The whole result in one sentence."""
    if result.partial:
        return (
            f"The run was interrupted: {len(result.features)} features have an interval, {len(result.unfinished)} have "
            "none, and no class is known."
        )
    counts = ", ".join(f"{len(result.names(kind))} {kind}" for kind in CLASSES[:3])
    counts += f", {len(result.left_out)} left out" if result.left_out else ""
    return f"{len(result.features)} features: {counts}."


def account(result: RelevanceResult) -> dict[str, list[str]]:
    """Everything that led to the result: a heading, and its sentences."""
    told = {
        "Data": _data(result.data, result.parameters),
        "Best model": _metric(result) if "rows" in result.baseline else _best(result),
        "Equally good": _equally_good(result),
        "Relevance": [
            "The relevance of a feature in a model is the size of its weight, as a share of the best model's norm. "
            "Its interval holds every value that an equally good model gives it: what it must, and what it can, matter."
        ],
        "Chance": _chance(result),
        "Pins": [_pin(pin) for pin in result.parameters.get("pins", ())],
        "Proof": _proof(result),
        "Solver": [f"{result.engine['name']}: {result.engine['reason']}."] if result.engine else [],
        "Time": _time(result.seconds),
    }
    return {heading: sentences for heading, sentences in told.items() if sentences}


def percent(share: float) -> str:
    """A share as it is read."""
    return f"{100 * share:.4g} %"


def listed(names: Sequence[str], most: int = NAMED) -> str:
    """Names with commas; the ones beyond `most` are counted."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(map(str, names[:most])) + more


# -- the parts -----------------------------------------------------------------------------------------------------


def _data(data: Mapping[str, Any], given: Mapping[str, Any]) -> list[str]:
    first = f"{data.get('n_samples', '?')} samples, {data.get('n_features', '?')} features"
    if data.get("target"):
        first += f", target {data['target']}"
    if data.get("classes"):
        first += " (" + ", ".join(f"{name}: {count}" for name, count in data["classes"].items()) + ")"
    said = [first + "."]
    if data.get("file"):
        said.append(f"Read from {data['file']}" + (f", sha256 {data['sha256']}." if data.get("sha256") else "."))
    if data.get("dropped_columns"):
        said.append(f"Left out: {listed(data['dropped_columns'])}.")
    if data.get("dropped_lines"):
        said.append(f"{len(data['dropped_lines'])} rows with missing values were left out.")
    for name, filled in data.get("imputed", {}).items():
        said.append(f"{name}: {filled['count']} missing values were filled with {filled['value']:.6g}.")
    for name, columns in data.get("encoded", {}).items():
        said.append(f"{name} was encoded as {listed(columns)}.")
    if given.get("standardize") is not None:
        centred = data.get("centred", True)
        scaled = "Columns were scaled to mean 0 and deviation 1." if centred else "Columns were scaled to deviation 1."
        said.append(scaled if given["standardize"] else "Columns were taken as they are.")
    return said


def _best(result: RelevanceResult) -> list[str]:
    best = result.baseline
    said = ["The best model minimises its norm plus C times its loss."]
    if result.parameters.get("penalty", "l1") != "l1":
        said = [f"The best model is that of the {result.parameters['penalty']} penalty, with price C of its loss."]
    name = best.get("loss_function", {}).get("name")
    loss = f"the {name} loss" if name else "the loss"
    origin = "as given"
    if best.get("score") is not None:
        tried = len(best.get("scores", {}))
        origin = f"the best of {tried} by cross-validation, {SCORES.get(result.task, 'score')} {best['score']:.3f}"
    said.append(f"C is {best['C']:.4g}, {origin}.")
    said.append(
        f"Its norm is {best['l1_norm']:.4g} and {loss} {best['loss']:.4g}; without features the loss is "
        f"{best['null_loss']:.4g}."
    )
    return said


def _metric(result: RelevanceResult) -> list[str]:
    best = result.baseline
    return [
        f"A metric was learned by {best['learner']}; {len(best['rows'])} rows of it matter.",
        f"Its effective dimension is {best['effective_dimension']}; relevances are shares of the length of the "
        f"shortest equivalent map, {best['l1_norm']:.4g}.",
    ]


def _equally_good(result: RelevanceResult) -> list[str]:
    budgets, given, best = result.budgets, result.parameters, result.baseline
    if "limits" not in budgets:
        return [f"Maps count as equally good if they treat the data alike, within epsilon = {budgets['epsilon']:g}."]
    if budgets["kind"] == "combined":
        limit = budgets["limits"][0][2]
        return [
            f"A model is equally good if its norm plus C times its loss is at most {limit:.4g}, "
            f"{percent(given['delta_norm'])} more than the best model's."
        ]
    limit = {"norm" if norm_price else "loss": value for norm_price, _, value in budgets["limits"]}
    said = [
        f"A model is equally good if its norm is at most {limit['norm']:.4g}, {percent(given['delta_norm'])} more than "
        f"the best model's, and its loss at most {limit['loss']:.4g}."
    ]
    if budgets["kind"] == "relative":
        return [*said, f"That is {percent(given['delta_loss'])} more loss than the best model's {best['loss']:.4g}."]
    share = percent(given["delta_loss"])
    said.append(
        f"That gives up {share} of what the best model explains: the difference between {best['null_loss']:.4g} "
        f"without features and its {best['loss']:.4g}."
    )
    return said


def _chance(result: RelevanceResult) -> list[str]:
    if "relevant" not in result.thresholds:
        return []
    probes, given = result.probes, result.parameters
    count = len(probes["values"] if "values" in probes else probes["hi"])
    threshold = result.thresholds["relevant"]
    said = [f"{count} permuted columns show how far chance reaches: up to {threshold:.4f}. Beyond it is relevant."]
    if "alpha" in given:
        whole = " for all features together" if given.get("control") == "familywise" else ""
        said.append(f"The chance of a false 'relevant' is alpha = {given['alpha']:g}{whole}.")
    if "cancelled" in result.thresholds:
        count = sum(f.cancelled for f in result.features)
        said.append(
            f"With {count} of the columns no score moves more than chance, and others that correlate with them can "
            f"cancel their weight: it must exceed {result.thresholds['cancelled']:.4f} to tell that they are relevant."
        )
    if "needed" in result.thresholds:
        said.append(
            "A feature that no equally good model does without is relevant whatever the permuted columns reach."
        )
    return said


def _pin(pin: Mapping[str, Any]) -> str:
    high = "any size" if pin["high"] is None else f"{pin['high']:.4g}"
    return f"{pin['feature']} was held between {pin['low']:.4g} and {high} ({pin['asked']})."


def _proof(result: RelevanceResult) -> list[str]:
    bounded = sum(not feature.solved for feature in result.features)
    said = [
        "Every end of an interval has a model that attains it and a dual bound that proves it. The largest gap between "
        f"the two is {result.largest_gap:.1e} of the best model's norm."
    ]
    if bounded:
        said.append(f"{bounded} features were proven irrelevant by a bound alone: their ends lie within what is told.")
    return said


def _time(seconds: Mapping[str, float]) -> list[str]:
    if "total" not in seconds:
        return []
    parts = ", ".join(f"{stage} {time:.1f}" for stage, time in seconds.items() if stage != "total" and time >= 0.05)
    return [f"{seconds['total']:.1f} seconds" + (f" ({parts})." if parts else ".")]
