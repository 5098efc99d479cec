"""What all equally good models say of samples, in sentences: for whom they agree, and what moves a score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from relspan.checks import listed
from relspan.explore import Contributions, Prediction, Predictions
from relspan.tolerances import SHOWN_CONTRIBUTION

NAMES_PER_SENTENCE = 4


def agreement(found: Predictions, before: Predictions | None = None, unmeasured: str | None = None) -> str:
    """For how many samples the equally good models agree; `before`: the same without pins, with all measured."""
    count = len(found)
    if not any(one.labels for one in found.samples):
        return f"{count} samples. The bar of each is the interval of its prediction over all equally good models."
    agreed = sum(one.certain is True for one in found.samples)
    sentence = f"For {agreed} of {count} samples, all equally good models give the same label."
    if before is None:
        return sentence
    pairs = list(zip(found.samples, before.samples, strict=True))
    settled, changed = sum(is_settled(*pair) for pair in pairs), sum(is_changed(*pair) for pair in pairs)
    if unmeasured is not None:
        opened = sum(is_opened(*pair) for pair in pairs)
        return (
            f"If {unmeasured!r} is not measured, the models are those that are as good as the best one without it. "
            f"{sentence} {opened} labels that were certain become uncertain, {settled} that were uncertain become "
            f"certain, and the best model changes its label for {changed}."
        )
    return (
        f"Under these pins: {sentence[0].lower()}{sentence[1:]} The pins leave fewer models, so they can settle a "
        f"label but make none uncertain: they settle {settled}. The best model changes its label for {changed} of the "
        "samples."
    )


def is_settled(now: Prediction, then: Prediction) -> bool:
    """Whether pins settle a label that was open."""
    return now.certain is True and then.certain is False


def is_opened(now: Prediction, then: Prediction) -> bool:
    """Whether a label that was certain is open now."""
    return now.certain is False and then.certain is True


def is_changed(now: Prediction, then: Prediction) -> bool:
    """Whether the best model under the pins gives another label than the best model of all."""
    return bool(now.label != then.label)


def certain_but_wrong(found: Predictions, truths: Sequence[Any]) -> str:
    """That agreement is no proof of being right, with the number of samples that show it."""
    certain = [(one, truth) for one, truth in zip(found.samples, truths, strict=True) if one.certain]
    wrong = sum(one.label != truth for one, truth in certain)
    return (
        f"Agreement is no proof of being right, least of all on new rows: of these {len(certain)} samples, to which "
        f"the models were fitted, {wrong or 'none'} {'has' if wrong < 2 else 'have'} another class in the table."
    )


def sides(names: Sequence[str]) -> str:
    """What the bars of score intervals show; with two labels, which side of the line speaks for which."""
    if not names:
        return "The bar is the prediction over all equally good models, the dot that of the best model."
    bar = "The bar is the score over all equally good models, the dot the best model"
    if len(names) != 2:
        return f"{bar}."
    return f"{bar}; left of the line speaks for {names[0]}, right of it for {names[1]}."


def counts_by_class(found: Predictions, truths: Sequence[Any]) -> list[dict[str, Any]]:
    """How many samples of each class have a certain and how many an ambiguous label."""
    classes = list(dict.fromkeys(sorted(truths, key=str)))
    rows = []
    for kind in classes:
        own = [one for one, truth in zip(found.samples, truths, strict=True) if truth == kind]
        certain = sum(one.certain is True for one in own)
        rows.append({"class": str(kind), "certain": certain, "ambiguous": len(own) - certain})
    return rows


def verdict(one: Prediction, pinned: bool = False) -> str:
    """What the models say of one sample."""
    models = "models that satisfy the pins" if pinned else "equally good models"
    what = "prediction" if one.labels is None else "score"
    reach = f"Its {what} is {one.score:.3g} in the best model, and {one.lo:.3g} to {one.hi:.3g} in all {models}."
    if one.labels is None:
        return reach
    names = [label_text(label) for label in one.labels]
    if one.certain:
        return f"All {models} say {names[0]}. {reach}"
    return f"The {models} disagree: {' or '.join(names)}. {reach}"


def pushes(found: Contributions) -> str:
    """Which features push the score where in every model."""
    size = {one.feature: max(abs(one.lo), abs(one.hi)) for one in found.features}
    parts = []
    for way in ("up", "down"):
        names = sorted((one.feature for one in found.features if one.pushes == way), key=lambda name: -size[name])
        if names:
            parts.append(f"{way} by {listed(names, NAMES_PER_SENTENCE)}")
    if not parts:
        return "No feature pushes the score in the same direction in every model."
    return f"In every model the score is pushed {' and '.join(parts)}."


def disagreement(found: Contributions) -> str:
    """How the two models differ that give a sample its lowest and its highest score; empty where all say the same."""
    own = found.prediction
    if own.certain:
        return ""
    ends = [f"{own.lo:.3g}", f"{own.hi:.3g}"]
    if own.labels is not None:
        ends = [f"{end}: {label_text(label)}" for end, label in zip(ends, found.extreme_labels, strict=True)]
    pairs = [(repr(one.feature), one.in_lowest, one.in_highest) for one in found.features]
    pairs.append(("the score of the average sample", *found.extreme_averages))
    floor = SHOWN_CONTRIBUTION * (own.hi - own.lo)
    differing = sorted((pair for pair in pairs if abs(pair[2] - pair[1]) > floor), key=lambda p: -abs(p[2] - p[1]))
    most = differing[:NAMES_PER_SENTENCE]
    parts = [f"{name} ({_added(low, floor)} and {_added(high, floor)})" for name, low, high in most]
    models = f"Two of these models differ most, the one with the lowest score ({ends[0]}) and the one with the highest"
    return f"{models} ({ends[1]}). What they add to the score differs most in {', '.join(parts)}."


def _added(value: float, floor: float) -> str:
    return f"{value:+.3g}" if abs(value) > floor else "0"


def label_text(label: Any) -> str:
    """A label in words; None is a rejection."""
    return "no answer" if label is None else str(label)


def at_mean(names: Sequence[str]) -> str:
    """Which features of a typed sample were not given."""
    return f"Not given, so taken at their mean: {listed(names, NAMES_PER_SENTENCE)}." if names else ""
