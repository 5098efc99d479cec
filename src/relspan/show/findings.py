"""The findings of a result in a few plain sentences: what a reader wants to know first, before any number.

needed        which features no equally good model does without
exchange      which features may stand in for which others
chance        which features cannot be distinguished from chance
score         how well the best model predicts rows left out, by the name of the score
equally_good  what "equally good" means here, in one line
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from relspan.checks import listed
from relspan.result import RelevanceResult
from relspan.show.account import Entry, nothing_called, table_test
from relspan.tasks.task import TASKS

NAMES_PER_FINDING = 6
GROUPS_PER_FINDING = 4


def findings(result: RelevanceResult) -> list[Entry]:
    """The findings of a result, in the order in which they are read.

    Parameters
    ----------
    result : RelevanceResult
        Of any task. Pins do not change findings: they are those without pins.

    Returns
    -------
    list of Entry
        Only what applies to this result.

    See Also
    --------
    relspan.show.account.account : The full description.

    Examples
    --------
    >>> from relspan.result import FeatureRelevance, RelevanceResult
    >>> age = FeatureRelevance("age", 0.1, 0.4, 0.1, 0.4, "strong")
    >>> findings(RelevanceResult("outside", (age,), {}, {}, {}, {}, {}, {}))[0].sentence
    '1 feature is needed: age. No equally good model works without it.'
    """
    if result.partial:
        return []
    called = [table_test(result)] if nothing_called(result) else [_needed(result), _exchange(result), _chance(result)]
    entries = [*called, Entry("score", "Score", _score(result), result.baseline.get("score"))]
    return [entry for entry in entries if entry.sentence]


def exchange_groups(result: RelevanceResult) -> list[list[str]]:
    """Relevant features with columns so similar that they may stand in for one another, the largest groups first."""
    relevant = {f.name: f for f in result.features if f.relevance in ("strong", "weak")}
    groups: list[list[str]] = []
    placed: set[str] = set()
    for f in relevant.values():
        group = [f.name, *(name for name in f.cluster or () if name in relevant)]
        group = [name for name in group if name not in placed]
        if f.name in placed or len(group) < 2:
            continue
        placed.update(group)
        groups.append(group)
    return sorted(groups, key=len, reverse=True)


def group_marks(result: RelevanceResult) -> list[dict[str, Any]]:
    """The groups of features with similar columns, each with the letter that marks it in a list."""
    return [
        {
            "mark": letters(number),
            "names": names,
            "sentence": f"Similar columns, which may stand in for one another: {_names(names)}.",
        }
        for number, names in enumerate(exchange_groups(result))
    ]


def letters(number: int) -> str:
    """A, B, ..., Z, AA, AB, ... for 0, 1, ..."""
    higher, last = divmod(number, 26)
    return (letters(higher - 1) if higher else "") + chr(ord("A") + last)


def equally_good_line(result: RelevanceResult, delta: float | None = None) -> str:
    """What "equally good" means here, in one line; with `delta`, at another budget of the same kind."""
    given, kind = result.parameters, result.budgets.get("kind")
    if kind is None or "delta_norm" not in given:
        return ""
    norm, loss = given["delta_norm"], result.budgets.get("delta_loss", given.get("delta_loss"))
    if kind == "combined":
        return f"Equally good: norm plus C times loss at most {_percent(delta or norm)} above the best model's."
    allowed = _percent(loss if delta is None else delta)
    worse = (
        f"gives up at most {allowed} of what the features gain"
        if kind == "explained"
        else (f"has a loss at most {allowed} above the best model's")
    )
    return f"Equally good: a model that {worse} and has a norm at most {_percent(norm)} larger."


def used_by_all(names: Sequence[str]) -> str:
    """Which features every model uses at some budget."""
    if not names:
        return "At this budget, no feature is used by every equally good model."
    return f"At this budget, every equally good model uses {_names(names)}."


def _needed(result: RelevanceResult) -> Entry:
    names = result.names("strong")
    if not names:
        sentence = "No single feature is proven to be needed."
    else:
        which, it = ("1 feature is", "it") if len(names) == 1 else (f"{len(names)} features are", "them")
        sentence = f"{which} needed: {_names(names)}. No equally good model works without {it}."
    return Entry("needed", "Needed", sentence, list(names))


def _exchange(result: RelevanceResult) -> Entry:
    weak, groups = result.names("weak"), exchange_groups(result)
    if not weak:
        return Entry("exchange", "Exchangeable", "", [])
    if len(weak) == 1:
        sentence = f"1 feature matters, but nothing proves that it is needed: {weak[0]}."
    else:
        sentence = f"{len(weak)} features matter, but nothing proves that any one of them is needed."
    if groups:
        pairs = "; ".join(_names(group) for group in groups[:GROUPS_PER_FINDING])
        more = len(groups) - GROUPS_PER_FINDING
        rest = f"; and {more} more group{'s' if more > 1 else ''}" if more > 0 else ""
        sentence += f" Columns so similar that they may stand in for one another: {pairs}{rest}."
    return Entry("exchange", "Exchangeable", sentence, groups)


def _chance(result: RelevanceResult) -> Entry:
    names = result.names("irrelevant")
    if not names:
        return Entry("chance", "Like chance", "Every feature can be distinguished from chance.", [])
    count = "1 feature" if len(names) == 1 else f"{len(names)} features"
    return Entry("chance", "Like chance", f"{count} cannot be distinguished from chance: {_names(names)}.", list(names))


def _score(result: RelevanceResult) -> str:
    score = result.baseline.get("score")
    return "" if score is None else held_out_sentence(result.task, score)


def held_out_sentence(task_name: str, score: float) -> str:
    """How well the best model predicts rows left out, by the name of the task's score; empty for an unknown task."""
    task = TASKS.get(task_name)
    if task is None:
        return ""
    return f"On rows left out of its fit, the {task.score_name} of the best model is {score:.3f}; 1 is perfect."


def one_division_sentence(result: RelevanceResult, score: float) -> str:
    """Why the score of all features on one division into folds is not the one of the findings; empty where it is."""
    found = result.baseline.get("score")
    if found is None or f"{found:.3f}" == f"{score:.3f}":
        return ""
    return (
        f"In the findings, the score of all features is {found:.3f}, the mean over several divisions of the rows into "
        "folds; features are compared with one another on one of these divisions."
    )


def _names(names: Sequence[str]) -> str:
    """A list as a sentence has it: a, b and c; a long one is cut."""
    if len(names) > NAMES_PER_FINDING:
        return listed(names, NAMES_PER_FINDING)
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def _percent(share: float | None) -> str:
    return f"{100 * (share or 0.0):.3g} %"
