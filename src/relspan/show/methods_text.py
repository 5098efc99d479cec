"""The methods text of a report: the items of TRIPOD+AI that a result can fill, in the statement's own numbers.

TRIPOD+AI (Collins et al., BMJ 2024, e078378) lists what a report of a prediction model should contain. A result knows
how the table was prepared, how the model was fitted and judged, and what was found; it does not know who the patients
were or why they were studied. Those items are listed as open, so that nobody takes the text for a complete report.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from relspan.checks import listed
from relspan.result import RelevanceResult
from relspan.show.account import Entry, account
from relspan.tasks.task import TASKS

NAMES_IN_THE_METHODS = 40
OPEN_ITEMS = (
    "title and abstract (1, 2), background and objectives (3, 4), source and dates of the data (5), participants (6), "
    "who assessed outcome and predictors (8b, 8c, 9c), why these predictors were candidates (9a), the reason for the "
    "sample size (10), fairness (14), ethical approval (17), funding, conflicts, protocol, registration and data "
    "sharing (18a to 18e), public involvement (19), characteristics of the participants (20b), differences between "
    "clusters (23b), interpretation (25), use and next steps (27). Items about the evaluation of a finished model on "
    "other data (12f, 12g, 16, 20c, 24) do not apply"
)


def methods(result: RelevanceResult) -> list[Entry]:
    """The items of TRIPOD+AI that a result can fill, each as whole sentences.

    Parameters
    ----------
    result : RelevanceResult
        Of any task; a partial result fills none.

    Returns
    -------
    list of Entry
        One entry per item that applies; the key is its number in the statement. The last entry, without a number, names
        the items that the authors have to write.

    See Also
    --------
    relspan.show.account.account : The full description of a result.

    Examples
    --------
    >>> from relspan.result import FeatureRelevance, RelevanceResult
    >>> age = FeatureRelevance("age", 0.1, 0.4, 0.1, 0.4, "strong")
    >>> result = RelevanceResult("outside", (age,), {}, {}, {}, {}, {}, {"n_samples": 80, "target": "ill"})
    >>> [entry.key for entry in methods(result)]
    ['8a', '9b', '11', '12b', '21', 'open']
    """
    if result.partial or "learner" in result.baseline:
        return []
    known, data, given = {entry.key: entry.sentence for entry in account(result)}, result.data, result.parameters
    items = {
        ("7", "Data preparation"): known.get("preparation", ""),
        ("8a", "Outcome"): _outcome(result),
        ("9b", "Predictors"): _predictors(result),
        ("11", "Missing data"): _missing(data),
        ("12a", "Use of the data"): _use(result),
        ("12b", "Handling of predictors"): _handling(result),
        ("12c", "Type of model and model building"): " ".join(
            known[key] for key in ("best_model", "equally_good", "evidence") if key in known
        ),
        ("12d", "Heterogeneity between clusters"): _clusters(data),
        ("12e", "Measures of performance"): _measure(result),
        ("13", "Class imbalance"): _imbalance(data, given),
        ("15", "Model output"): _output(result, known.get("sign", "")),
        ("18f", "Code"): _code(result.versions),
        ("20a", "Flow of participants"): _flow(data),
        ("21", "Model development"): known.get("data", ""),
        ("22", "Model specification"): _specification(result),
        ("23a", "Performance"): " ".join(
            sentence for sentence in (known.get("test", ""), _score(result), known.get("ends", "")) if sentence
        ),
        ("26", "Limitations"): " ".join(result.warnings),
    }
    found = [Entry(key, title, sentence, None) for (key, title), sentence in items.items() if sentence]
    return [*found, Entry("open", "Left to the authors", f"Items that a result cannot know: {OPEN_ITEMS}.", None)]


def _outcome(result: RelevanceResult) -> str:
    target, classes = result.data.get("target"), result.data.get("classes", {})
    if not (target or classes):
        return ""
    named = f"The outcome is the column {target!r}" if target else "The outcome was given without a name"
    levels = f", with the values {listed([str(name) for name in classes], NAMES_IN_THE_METHODS)}" if classes else ""
    return f"{named}{levels}. The task is {result.task}."


def _predictors(result: RelevanceResult) -> str:
    names = [f"{f.name} ({len(f.levels)} columns)" if f.levels else f.name for f in result.features]
    count = "1 candidate predictor" if len(names) == 1 else f"{len(names)} candidate predictors"
    return f"{count}: {listed(names, NAMES_IN_THE_METHODS)}."


def _missing(data: Mapping[str, Any]) -> str:
    filled = sum(each["count"] for each in data.get("imputed", {}).values())
    dropped = len(data.get("dropped_lines", ()))
    if not (filled or dropped):
        return "The analysed rows have no missing values."
    parts = []
    if dropped:
        parts.append(f"{dropped} {'row' if dropped == 1 else 'rows'} with missing values left out")
    if filled:
        how = data.get("table_options", {})
        used = " and ".join(str(how[key]) for key in ("impute", "impute_text") if how.get(key) not in (None, "drop"))
        parts.append(f"{filled} missing {'value' if filled == 1 else 'values'} filled" + (f" ({used})" if used else ""))
    return f"{'; '.join(parts)}. Filled values count as measured ones, so uncertainty about them is not included."


def _use(result: RelevanceResult) -> str:
    folds = result.baseline.get("scores") or result.baseline.get("held_out_losses")
    chosen = (
        "C was chosen by cross-validation within them" if folds else "C was given and not chosen by cross-validation"
    )
    if "C" not in result.baseline:
        return ""
    return (
        f"All rows were used to find the equally good models; {chosen}. There is no separate set of rows for an "
        "evaluation: scores on rows left out are those of the folds."
    )


def _handling(result: RelevanceResult) -> str:
    parts = ["Every predictor enters linearly, without interactions."]
    categories = [f.name for f in result.features if f.levels]
    if categories:
        which = "The category" if len(categories) == 1 else "The categories"
        verb, each = ("is", "") if len(categories) == 1 else ("are", " each")
        names = listed(categories, NAMES_IN_THE_METHODS)
        parts.append(f"{which} {names} {verb} encoded as several columns and judged as one predictor{each}.")
    return " ".join(parts)


def _clusters(data: Mapping[str, Any]) -> str:
    if not data.get("groups"):
        return ""
    return f"Rows belong to {data['groups']['count']} groups, which stay together in folds and permutations."


def _output(result: RelevanceResult, sign: str) -> str:
    if "l1_norm" not in result.baseline:
        return ""
    return f"A model gives every row a score, the weighted sum of its predictors and an offset. {sign}".strip()


def _measure(result: RelevanceResult) -> str:
    task = TASKS.get(result.task)
    if task is None or result.baseline.get("score") is None:
        return ""
    return f"Performance is the {task.score_name} on rows left out of the fit. Calibration was not assessed."


def _score(result: RelevanceResult) -> str:
    task, score = TASKS.get(result.task), result.baseline.get("score")
    if task is None or score is None:
        return ""
    return f"The best model's {task.score_name} on rows left out is {score:.3f}."


def _imbalance(data: Mapping[str, Any], given: Mapping[str, Any]) -> str:
    classes = data.get("classes", {})
    if len(classes) < 2:
        return ""
    least = min(classes, key=lambda name: classes[name])
    share = classes[least] / sum(classes.values())
    weights = given.get("class_weight")
    treated = "Classes were not weighted." if weights is None else f"Classes were weighted ({weights})."
    return f"The rarest class, {least!r}, has {share:.1%} of the rows. {treated}"


def _code(versions: Mapping[str, str]) -> str:
    if not versions:
        return ""
    named = ", ".join(f"{name} {value}" for name, value in versions.items())
    return f"{named}. How to repeat the analysis is shown at the end of this report."


def _flow(data: Mapping[str, Any]) -> str:
    dropped = len(data.get("dropped_lines", ()))
    if not dropped or "n_samples" not in data:
        return ""
    left = f"{dropped} {'was' if dropped == 1 else 'were'} left out"
    return f"The table has {data['n_samples'] + dropped} rows; {left}, and {data['n_samples']} were analysed."


def _specification(result: RelevanceResult) -> str:
    best = result.baseline
    if "l1_norm" not in best:
        return ""
    return (
        "The result is not one model but all equally good ones; the interval of every predictor's weight is in the "
        "table of this report. The best of them is in the section on the best model, where the report has one."
    )
