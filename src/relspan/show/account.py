"""The account of a result: a description of all its parts, in sentences. Nothing else writes sentences about a result.

Terminal, report, notebook, page and plain text choose from these entries and lay them out. What holds for one task only
(the name of its score, what a sign means, further facts of its best model) comes from the task itself; a result of a
task that is not registered is described without it.

A name within a sentence stands in quotes, since a column may be called "seen" or "of"; a list after a colon needs none.
Each surface escapes what it must.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from relspan.analysis.sign_demands import SIGNS
from relspan.checks import listed
from relspan.explore.pins import pin_from_record
from relspan.progress import STAGES
from relspan.result import CLASSES, FeatureRelevance, RelevanceResult
from relspan.tasks.task import TASKS, Task
from relspan.tolerances import SHOWN_LOSS

NAMES_IN_A_SENTENCE = 12  # columns that a sentence lists before it only counts the rest
CLASS_MEANINGS = {
    "strong": "The feature matters beyond chance, and no equally good model works without it.",
    "weak": "The feature matters beyond chance, but nothing proves that it is needed; as a rule, other features can "
    "replace it.",
    "irrelevant": "Nothing here distinguishes the feature from chance.",
    "undecided": "The run was interrupted before the feature's class was known.",
}
ROUTE_MEANINGS = {
    "reach": "How much weight an equally good model can give the feature.",
    "association": "How far the target moves with the feature.",
    "need": "How far the target moves with the feature beyond what the other features explain.",
    "cluster": "How far the target moves with the feature beyond what all but it and its substitutes explain.",
}
NORM_MADE = "Needed only because of the norm budget: other columns express it at the price of larger weights."
OUTCOME_MEANINGS = {
    "left out": "No model that satisfies the pins uses the feature.",
    "needed": "Every model that satisfies the pins uses the feature; without pins some equally good model does not. "
    "This is no verdict on the feature: pins that use up the budgets leave almost one model, which needs all that it "
    "uses.",
    "moved": "The pins changed its smallest or largest relevance.",
}


@dataclass(frozen=True)
class Entry:
    """One part of the description of a result.

    Attributes
    ----------
    key : str
        What it is about, for a surface that looks for it: "equally_good".
    title : str
        The same for readers: "Equally good".
    sentence : str
        One or several whole sentences.
    value : object
        The number, name or list that the sentences are about, as JSON holds it.

    See Also
    --------
    account : All entries of a result.

    Examples
    --------
    >>> Entry("time", "Time", "The analysis took 0.7 seconds.", 0.7).value
    0.7
    """

    key: str
    title: str
    sentence: str
    value: Any


def account(result: RelevanceResult) -> list[Entry]:
    """Describe a result, part by part, in the order in which it is best read.

    Parameters
    ----------
    result : RelevanceResult
        Of any task, whole or partial.

    Returns
    -------
    list of Entry
        Only what applies to this result.

    See Also
    --------
    relspan.show.recipe.command : How to get the same result again.

    Examples
    --------
    >>> from relspan.result import FeatureRelevance, RelevanceResult
    >>> age = FeatureRelevance("age", 0.1, 0.4, 0.1, 0.4, "strong")
    >>> account(RelevanceResult("outside", (age,), {}, {}, {}, {}, {}, {}))[0].sentence
    '1 feature: 1 strong, 0 weak, 0 irrelevant.'
    """
    is_map, tested = "learner" in result.baseline, table_test(result)
    entries = [
        *([tested] if nothing_called(result) else []),
        summary(result),
        Entry("pins", "Pins", _pins(result), result.parameters.get("pins", [])),
        *outcome_meanings(result),
        *class_meanings(result),
        Entry("adjusted", "Adjusted for", _adjusted(result), covariates(result)),
        Entry("demanded_signs", "Demanded signs", _demanded_signs(result), result.parameters.get("signs")),
        Entry("interval", "min, max", _interval(result), None),
        Entry("sign", "Sign", "" if is_map else _sign(result), None),
        Entry("chance", "Chance", _chance(result), result.thresholds.get("relevant")),
        Entry("beyond_line", "Beyond the line", _beyond_line(result), [f.name for f in _irrelevant_beyond(result)]),
        Entry("evidence", "Evidence", _evidence(result), result.thresholds.get("evidence")),
        Entry("route", "Route", _routes(result), None),
        Entry("norm_made", "Norm-made", _norm_made(result), [f.name for f in result.features if f.norm_made]),
        *([] if nothing_called(result) else [tested]),
        Entry("equally_good", "Equally good", _equivalent(result) if is_map else _equally_good(result), result.budgets),
        Entry("budget_range", "Other budgets", _budget_range(result), result.budgets.get("drop_costs")),
        Entry("best_model", "Learned map" if is_map else "Best model", _map(result) if is_map else _best(result), None),
        Entry("ends", "Models at the ends", _ends(result), result.extremal_scores),
        Entry("decisions", "Decisions", _decisions(result), None),
        Entry("certified", "Certified", _certified(result), result.largest_gap),
        Entry("task", "Task", _task(result), result.task),
        Entry("data", "Data", _data(result), result.data.get("n_samples")),
        Entry("source", "Source", _source(result.data), result.data.get("file")),
        Entry("preparation", "Preparation", _preparation(result.data, result.parameters), None),
        Entry("engine", "Solver", _engine(result.engine), result.engine.get("name")),
        Entry("time", "Time", _time(result.seconds), result.seconds.get("total")),
    ]
    return [entry for entry in entries if entry.sentence]


def by_key(result: RelevanceResult) -> dict[str, Entry]:
    """The same entries, for a surface that looks for some of them."""
    return {entry.key: entry for entry in account(result)}


def nothing_called(result: RelevanceResult) -> bool:
    """Whether no feature is called relevant, whatever its interval: every surface then says so in its first line."""
    return result.passed is False or result.is_null


def table_test(result: RelevanceResult) -> Entry:
    """Whether the best model predicts rows that it has not seen; the sentence is empty where this was not tested."""
    if result.is_null:
        sentence = "No feature is called relevant: the best model uses none of them."
    elif result.passed is None:
        sentence = ""
    elif result.passed:
        sentence = (
            "The best model predicts rows left out of its fit better than chance, so features may be called relevant."
        )
    else:
        sentence = (
            "No feature is called relevant: on rows left out of its fit, the best model predicts no better than chance."
        )
    return Entry("test", "Test", sentence, result.passed)


def summary(result: RelevanceResult) -> Entry:
    """How many features there are of each class; under pins first what these do to how many."""
    counts = {kind: len(result.names(kind)) for kind in CLASSES[:3]}
    if result.partial:
        known, missing = len(result.features), len(result.unfinished)
        counts = {"undecided": known, "unfinished": missing}
        sentence = (
            f"The run was interrupted: {_count(known, 'feature has', 'features have')} an interval, {missing} "
            f"{'has' if missing == 1 else 'have'} none, and no class is known."
        )
    else:
        parts = ", ".join(f"{count} {kind}" for kind, count in counts.items())
        sentence = f"{_count(len(result.features), 'feature', 'features')}{_beyond(result)}: {parts}."
        if result.is_pinned:
            done = ", ".join(f"{count} {outcome}" for outcome, count in outcome_counts(result).items())
            sentence = f"Under these pins ({', '.join(pin_texts(result))}): {done}. Without pins, {sentence}"
    return Entry("summary", "Result", sentence, counts)


def class_meanings(result: RelevanceResult) -> list[Entry]:
    """What each class means, for the classes that this result can have."""
    is_map, kinds = "learner" in result.baseline, CLASSES[3:] if result.partial else CLASSES[:3]
    meanings = {kind: text.replace("model", "map") if is_map else text for kind, text in CLASS_MEANINGS.items()}
    if result.is_pinned:
        meanings = {kind: f"Without pins: {text[0].lower()}{text[1:]}" for kind, text in meanings.items()}
    return [Entry(kind, kind, meanings[kind], result.names(kind)) for kind in kinds]


def outcome_meanings(result: RelevanceResult) -> list[Entry]:
    """What each outcome of the pins means, for those that this result has."""
    found = result.pin_outcomes
    return [Entry(outcome, outcome, text, found[outcome]) for outcome, text in OUTCOME_MEANINGS.items() if found]


def covariates(result: RelevanceResult) -> list[str]:
    """The covariates that features were adjusted for; a category goes by its own name."""
    return list(result.data.get("adjusted_for") or result.data.get("covariates", ()))


def _beyond(result: RelevanceResult) -> str:
    """The covariates as a part of a sentence; empty where there are none."""
    names = covariates(result)
    return f" beyond {_and(names)}" if names else ""


def _adjusted(result: RelevanceResult) -> str:
    names = covariates(result)
    if not names:
        return ""
    several = len(names) > 1
    return (
        f"Every model may use {_and(names)} without a price, and {'they are' if several else 'it is'} not judged. A "
        f"feature counts by what {'they leave' if several else 'it leaves'} of it: intervals, chance, the model "
        f"without features and the test of the table all refer to what is added beyond {'them' if several else 'it'}."
    )


def _demanded_signs(result: RelevanceResult) -> str:
    signs = result.parameters.get("signs") or {}
    if not signs:
        return ""
    up, down = ([str(name) for name, sign in signs.items() if (SIGNS[sign] > 0) is above] for above in (True, False))
    parts = [f"a positive weight or none of {_and(up)}"] if up else []
    parts += [f"a negative weight or none of {_and(down)}"] if down else []
    return (
        f"The analysis demands {', and '.join(parts)}. The best model is the best one under these signs, and every "
        "interval, proof and test refers to models that have them. Probes have no sign: the end of a probe that counts "
        "is the same with and without one."
    )


def _and(names: Sequence[str]) -> str:
    """Names of which all hold: ``'a', 'b' and 'c'``."""
    *first, last = map(repr, names)
    return " and ".join(filter(None, [", ".join(first), last]))


def outcome_counts(result: RelevanceResult) -> dict[str, int]:
    """How many features the pins leave out, make needed, move, and do not move."""
    return {outcome: len(names) for outcome, names in result.pin_outcomes.items()}


def pin_texts(result: RelevanceResult) -> list[str]:
    """The pins in words, in the order in which they were set."""
    return [str(pin_from_record(pin)) for pin in result.parameters.get("pins", ())]


# -- what the numbers mean -----------------------------------------------------------------------------------------


def _interval(result: RelevanceResult) -> str:
    if "learner" in result.baseline:
        return (
            "The relevance of a feature in a map is the sum of its absolute weights over all rows, as a share of the "
            "length of the shortest equally good map. min and max are its smallest and largest relevance in all "
            "equally good maps."
        )
    several = any(f.has_several_weights for f in result.features)
    size = "the sum of its absolute weights, one per class" if several else "the absolute value of its weight"
    if any(f.levels for f in result.features):
        size += " (for a category, the sum over all its levels)"
    return (
        f"The relevance of a feature in a model is {size}, as a share of the best model's norm (the sum of all its "
        "absolute weights). min and max are its smallest and largest relevance in all equally good models"
        f"{' that satisfy the pins' if result.is_pinned else ''}."
    )


def _sign(result: RelevanceResult) -> str:
    task = _registered(result)
    meaning = task.sign_meaning(result) if task is not None else ""
    disagree = "± marks a feature whose sign differs among equally good models."
    return f"{meaning[0].upper()}{meaning[1:]}. {disagree}" if meaning else disagree


def _chance(result: RelevanceResult) -> str:
    if "relevant" not in result.thresholds:
        return ""
    given, threshold = result.parameters, result.thresholds["relevant"]
    drawn = result.probes.get("drawn", given.get("n_probes", len(result.probes["hi"])))
    count = drawn - result.probes.get("lost", 0)
    sentences = [
        f"Chance alone can give a feature a relevance of up to {threshold:.3f}. This threshold is estimated from "
        f"{count} probes (permuted columns, which carry no information)."
    ]
    if "total" in result.thresholds:
        sentences = [
            f"Chance alone can give a single weight a size of up to {threshold:.3f}, and a feature with several "
            f"weights a total of up to {result.thresholds['total']:.3f}; each is marked beside the bars that it "
            f"belongs to. Both thresholds are estimated from {count} probes (permuted columns, which carry no "
            "information)."
        ]
    if "planned" in result.probes:
        sentences.append(_stopped(result))
    if any(group.threshold is not None for group in result.groups):
        sentences.append("The mark beside a group shows how far its permuted copies reach.")
    if any(f.levels and f.threshold is not None for f in result.features):
        sentences.append("The mark beside a category shows how far permuted copies of it reach.")
    if "evidence" not in result.thresholds:
        sentences.append("A feature is relevant if its max is larger.")
    if "alpha" in given:
        scope = "single features" if given.get("control") == "per_feature" else "all features together"
        sentences.append(f"The level of what counts as chance is alpha = {given['alpha']:g} for {scope}.")
    return " ".join(sentences)


def _stopped(result: RelevanceResult) -> str:
    """Why fewer probes than planned were drawn."""
    planned, (least, most) = result.probes["planned"], result.probes["threshold_range"]
    if result.passed is False:
        return f"No more of the {planned} planned probes were drawn, because no class depends on them."
    return (
        f"No more of the {planned} planned probes were drawn, because they would not change any class: the threshold "
        f"is expected between {least:.3f} and {most:.3f}, where all classes are the same."
    )


def _irrelevant_beyond(result: RelevanceResult) -> list[FeatureRelevance]:
    """The irrelevant features whose bar crosses the line up to which chance reaches."""
    lines = result.thresholds
    if not {"relevant", "evidence"} <= set(lines):
        return []

    def line_of(f: FeatureRelevance) -> float:
        if f.levels is not None and f.threshold is not None:
            return f.threshold  # a category's total has a line of its own
        return lines["relevant"] if f.parts is None else lines.get("total", lines["relevant"])

    return [f for f in result.features if f.relevance == "irrelevant" and f.max > line_of(f)]


def _beyond_line(result: RelevanceResult) -> str:
    names = [f.name for f in _irrelevant_beyond(result)]
    if not names or nothing_called(result):
        return ""
    subject = "This irrelevant feature has a bar" if len(names) == 1 else "These irrelevant features have bars"
    its = "its" if len(names) == 1 else "their"
    return (
        f"{subject} beyond the line that chance reaches: {listed(names, NAMES_IN_A_SENTENCE)}. The line is only a "
        f"third of the evidence; the rest, {its} association with the target, is too weak."
    )


def _evidence(result: RelevanceResult) -> str:
    if all(f.evidence is None for f in result.features):
        return ""
    several = any(f.parts is not None for f in result.features)
    reach = "a feature's largest weight to the weight" if several else "a feature's max to the max"
    sentences = [
        f"Evidence is the mean of two ratios: {reach} that chance reaches, and, counted twice, its association with "
        f"the target to the association that chance reaches. 1 is what {_extreme(result)} reaches by chance."
    ]
    if result.is_pinned:
        sentences.append("Evidence was computed without pins.")
    if "evidence" in result.thresholds and not nothing_called(result):
        line = result.thresholds["evidence"]
        sentences.append(f"In this table a feature is relevant if its evidence exceeds {line:.2f}.")
        if any(f.relevance == "strong" and f.evidence is not None and f.evidence <= line for f in result.features):
            sentences.append("A feature with less is strong if its association shows that it is needed.")
    return " ".join(sentences)


def _extreme(result: RelevanceResult) -> str:
    return (
        "a single feature" if result.parameters.get("control") == "per_feature" else "the most extreme of all features"
    )


def _routes(result: RelevanceResult) -> str:
    taken = {f.route for f in result.features}
    used = [
        f"{route.capitalize()}: {text[0].lower()}{text[1:]}" for route, text in ROUTE_MEANINGS.items() if route in taken
    ]
    return " ".join(["The route is what speaks most for a feature.", *used]) if used else ""


def _norm_made(result: RelevanceResult) -> str:
    names = [f.name for f in result.features if f.norm_made]
    if not names:
        return ""
    return (
        "These features are needed only because of the norm budget, so they are called weak: "
        f"{listed(names, NAMES_IN_A_SENTENCE)}. Other columns express them at the price of larger weights."
    )


def _equally_good(result: RelevanceResult) -> str:
    budgets, given, best = result.budgets, result.parameters, result.baseline
    if "limits" not in budgets:
        return ""
    if budgets["kind"] == "combined":
        return (
            f"A model is equally good if its norm plus C times its loss is at most {budgets['limits'][0][2]:.4g}, "
            f"{_percent(given['delta_norm'])} more than the best model's."
        )
    limit = {"norm" if norm_price else "loss": value for norm_price, _, value in budgets["limits"]}
    loss = best["loss"] if best["loss"] > SHOWN_LOSS * limit["loss"] else 0.0
    limits = (
        f"A model is equally good if its norm is at most {limit['norm']:.4g} ({_percent(given['delta_norm'])} more "
        f"than the best model's {best['l1_norm']:.4g}) and its loss at most {limit['loss']:.4g}"
    )
    allowed = _percent(allowed_loss(result))
    reason = ", one standard error of the loss on rows left out" if "standard_error" in budgets else ""
    if budgets["kind"] == "relative":
        return f"{limits} ({allowed} more than the best model's {loss:.4g}{reason})."
    return (
        f"{limits}. Features lower the loss from {best['null_loss']:.4g} to the best model's {loss:.4g}; {allowed} of "
        f"this gain may be given up{reason}."
    )


def _budget_range(result: RelevanceResult) -> str:
    """Which features are strong at half the loss budget and not at twice."""
    shares = result.budgets.get("drop_costs")
    if shares is None or result.budgets["kind"] == "combined" or nothing_called(result):
        return ""
    if not shares:
        return "At half and at twice this loss budget the same features are strong."
    at_half = [name for name, share in shares.items() if share < 1]
    not_at_twice = [name for name, share in shares.items() if share >= 1]
    parts = [f"at half this budget {_quoted(at_half)} would be strong, too"] if at_half else []
    parts += [f"at twice this budget {_quoted(not_at_twice)} would not be strong"] if not_at_twice else []
    return f"Which features are strong depends on the loss budget: {'; '.join(parts)}."


def allowed_loss(result: RelevanceResult) -> float:
    """The loss budget of a result as a share, whether it was given or follows from the rows."""
    return float(result.budgets.get("delta_loss", result.parameters["delta_loss"]))


def _equivalent(result: RelevanceResult) -> str:
    which = "needed" if result.baseline.get("need_curve") is not None else "leading"
    return (
        f"A map is equally good if it agrees with the learned one in the {which} directions of the data and is at most "
        f"{_percent(result.budgets['delta_norm'])} longer than the shortest such map."
    )


def _pins(result: RelevanceResult) -> str:
    pins = ", ".join(pin_texts(result))
    return pins and (
        f"Intervals are those over the models that satisfy these pins: {pins}. Pins do not change classes: these, the "
        "warnings, the best model and the times are those without pins. How far chance reaches under these pins was "
        "not computed, so no threshold is shown."
    )


# -- what it is based on -------------------------------------------------------------------------------------------


def _best(result: RelevanceResult) -> str:
    best, task = result.baseline, _registered(result)
    if "C" not in best:
        return ""
    name = best.get("loss_function", {}).get("name")
    if result.is_null:
        price = "" if best["C"] is None else f" with C = {best['C']:.4g}"
        return (
            f"The best model{price} uses no feature: none lowers the loss{f' ({name})' if name else ''} of "
            f"{best['null_loss']:.4g} by more than its norm costs."
        )
    norm = "L2 norm" if result.parameters.get("penalty") == "l2" else "norm"
    sentences = [f"The best model minimises its {norm} plus C times its loss{f' ({name})' if name else ''}."]
    facts = ", ".join([f"C = {best['C']:.4g}", *(task.model_facts(result) if task is not None else [])])
    if best.get("score") is None:
        sentences.append(f"{facts}, as given.")
    else:
        score = task.score_name if task is not None else "score"
        by = "by the loss on rows left out" if "C_range" in best else "by cross-validation"
        sentences.append(f"{facts}, chosen {by} ({score} {best['score']:.3f}).")
        sentences += [_firmness(best)] if "C_range" in best else []
    if {"l1_norm", "loss", "null_loss"} <= set(best):
        sentences.append(
            f"Its norm is {best['l1_norm']:.4g} and its loss {best['loss']:.4g}; without features the loss is "
            f"{best['null_loss']:.4g}."
        )
    return " ".join(sentences)


def _firmness(best: Mapping[str, Any]) -> str:
    """How much the choice of C depends on the folds."""
    low, high = best["C_range"]
    alone = sorted(best["C_by_repeat"])
    repeats = f"{len(alone)} deals of the folds alone would choose"
    chosen = f"C = {alone[0]:.3g} each" if alone[0] == alone[-1] else f"C from {alone[0]:.3g} to {alone[-1]:.3g}"
    if low == high:
        return f"Every other C that was tried is worse beyond the error of the folds; {repeats} {chosen}."
    as_good = f"C from {low:.3g} to {high:.3g} does as well within the error of the folds"
    if alone[0] == alone[-1]:
        return f"{as_good}; {repeats} {chosen}."
    return f"{as_good}; {repeats} {chosen}: explore().stability(over='folds') shows which classes depend on that."


def _map(result: RelevanceResult) -> str:
    best = result.baseline
    rows, curve = best["rows"], best["curve"]
    unseen = sum(row["vanishes"] for row in rows)
    vanish = f", {unseen} of which do not change any distance in the data" if unseen else ""
    sentences = [f"{best['learner']} learned a map of {_count(len(rows), 'row', 'rows')}{vanish}."]
    if curve is None:
        sentences.append(f"Its effective dimension is {best['effective_dimension']}, as given.")
    else:
        errors = dict(zip(curve["dimensions"], curve["errors"], strict=True))
        extremal = result.parameters.get("dimension_by") == "extremal"
        judged = "the mean error of the maps at the ends of all intervals" if extremal else "the error"
        sentences.append(
            f"Its effective dimension is {best['effective_dimension']}, chosen by cross-validation: {judged} is "
            f"{errors[best['effective_dimension']]:.3f}, and {curve['raw_error']:.3f} with the map as learned."
        )
    if best.get("need_curve") is not None:
        sentences.append(f"Its classification needs {best['directions']} of these directions.")
    sentences.append(f"The shortest equally good map has length {best['l1_norm']:.4g}.")
    if result.parameters.get("combine") == "sum" and len(rows) > 1:
        sentences.append("Relevances are sums of the weights' sizes over the rows.")
    return " ".join(sentences)


def _ends(result: RelevanceResult) -> str:
    """How well the extremal models predict, on average and at worst."""
    found, task = result.extremal_scores, _registered(result)
    if not found:
        return ""
    score = task.score_name if task is not None else "score"
    return (
        f"The {found['models']} models at the ends of the intervals predict the rows of this table, to which they were "
        f"fitted, with a mean {score} of {found['mean']:.3f} (standard deviation {found['sd']:.4f}, lowest "
        f"{found['least']:.3f}); the best model's is {found['best_model']:.3f}."
    )


def _decisions(result: RelevanceResult) -> str:
    ends = result.details.get("extremal_decisions")
    if not ends:
        return ""
    flips = max(end["flips"] for end in ends)
    moved = max(end["newly_rejected"] + end["newly_accepted"] for end in ends)
    change = max((end["change"] for end in ends), key=abs)
    return (
        f"Compared with the best model, a model at an end of an interval gives at most {flips} of "
        f"{result.data['n_samples']} rows the other class, and at most {moved} rows change between an answer and a "
        f"rejection. The loss, including the cost of rejections, changes by up to {change:+.3f}."
    )


def _certified(result: RelevanceResult) -> str:
    if not result.features or result.is_null:
        return ""
    one, unit = ("map", "shortest map's length") if "learner" in result.baseline else ("model", "best model's norm")
    width = max(max(f.gap_lo, f.gap_hi) for f in (*result.features, *result.privileged))
    gap = f"to within {width:.0e} of the {unit}" if width else "exactly"
    sentences = [
        f"Every end of an interval is proven {gap}: a {one} attains it, and a bound shows that no {one} goes beyond it."
    ]
    wide = max((max(group.gap_lo, group.gap_hi) for group in result.groups), default=0.0)
    if result.groups:
        sentences.append(
            f"The ends of groups are proven {f'to within {wide:.0e} of the {unit}' if wide else 'exactly'}."
        )
    bounded = sum(not feature.solved for feature in result.features)
    if bounded:
        sentences.append(
            f"{_count(bounded, 'feature was', 'features were')} proven irrelevant by a bound alone; the max shown is "
            "that bound, marked <=."
        )
    return " ".join(sentences)


def _task(result: RelevanceResult) -> str:
    reason = result.data.get("task_guessed")
    return f"The task is {result.task}" + (f". It was guessed: {reason}." if reason else ".")


def _data(result: RelevanceResult) -> str:
    data, task = result.data, _registered(result)
    if "n_samples" not in data:
        return ""
    features = _count(data.get("n_features", len(result.features)), "feature", "features")
    if any(f.levels for f in result.features):  # the levels of a category are columns, and the category is the feature
        columns = _count(data.get("n_features", len(result.features)), "column", "columns")
        features = f"{_count(len(result.features), 'feature', 'features')} in {columns}"
    parts = [_count(data["n_samples"], "row", "rows"), features]
    parts += [f"weights {data['weights']!r}"] if data.get("weights") else []
    parts += [_groups_of_rows(data["groups"])] if data.get("groups") else []
    parts += [f"target {data['target']!r}"] if data.get("target") else []
    between = task.class_separator if task is not None else ", "
    classes = between.join(f"{name}: {count}" for name, count in data.get("classes", {}).items())
    if data.get("target_range"):
        classes = "from {:.4g} to {:.4g}".format(*data["target_range"])
    if "events" in data:
        named = f" of {data['event']!r}" if data.get("event") else ""
        classes += f", {_count(data['events'], 'event', 'events')}{named} seen"
    together = " Rows of one group stay together in folds and permutations." if data.get("groups") else ""
    return ", ".join(parts) + (f" ({classes})." if classes else ".") + together


def _groups_of_rows(groups: Mapping[str, Any]) -> str:
    """How many groups of rows there are, and which column names them."""
    by = f" by {groups['column']!r}" if groups.get("column") else ""
    return f"{_count(groups['count'], 'group', 'groups')} of rows{by}"


def _source(data: Mapping[str, Any]) -> str:
    if not data.get("file"):
        return ""
    return f"{data['file']}" + (f", sha256 {data['sha256']}." if data.get("sha256") else ".")


def _preparation(data: Mapping[str, Any], given: Mapping[str, Any]) -> str:
    sentences = []
    if data.get("dropped_columns"):
        sentences.append(f"Columns left out: {listed(data['dropped_columns'], NAMES_IN_A_SENTENCE)}.")
    targetless = data.get("dropped_targets", 0)
    if targetless:
        sentences.append(f"{_count(targetless, 'row', 'rows')} without a value of the target left out.")
    if len(data.get("dropped_lines", ())) > targetless:
        count = len(data["dropped_lines"]) - targetless
        rows = _count(count, "row with missing values was", "rows with missing values were")
        sentences.append(f"{rows} left out.")
    for name, filled in data.get("imputed", {}).items():
        count = filled["count"]
        sentences.append(
            f"{_count(count, 'missing value', 'missing values')} of {name!r} {'was' if count == 1 else 'were'} filled "
            f"with {filled['value'] if isinstance(filled['value'], str) else format(filled['value'], '.6g')}."
        )
    for name, columns in data.get("encoded", {}).items():
        sentences.append(f"{name!r} was encoded as {_quoted(columns)}.")
    for name, (_, true) in data.get("booleans", {}).items():
        sentences.append(f"{name!r} was read as a boolean: {true!r} is 1.")
    if given.get("standardize") is not None:
        to = "mean 0 and standard deviation 1" if data.get("centred", True) else "standard deviation 1"
        sentences.append(f"Columns were scaled to {to}." if given["standardize"] else "Columns were not scaled.")
    return " ".join(sentences)


def _engine(engine: Mapping[str, str]) -> str:
    return f"The engine {engine['name']!r} solved the linear programs: {engine['reason']}." if engine else ""


def _time(seconds: Mapping[str, float]) -> str:
    if "total" not in seconds:
        return ""
    parts = ", ".join(f"{word} {seconds[stage]:.1f}" for stage, word in STAGES.items() if stage in seconds)
    return f"{seconds['total']:.1f} seconds" + (f" ({parts})." if parts else ".")


# -- words ---------------------------------------------------------------------------------------------------------


def _registered(result: RelevanceResult) -> Task | None:
    return TASKS.get(result.task)


def _quoted(names: Sequence[str]) -> str:
    return listed(map(repr, names), NAMES_IN_A_SENTENCE)


def _percent(share: float) -> str:
    return f"{100 * share:.4g} %"


def _count(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}"
