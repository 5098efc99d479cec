"""The warnings that an analysis gives: what was seen, what it means for the reader, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from relspan.analysis.baseline import Baseline
from relspan.analysis.group_intervals import GroupInterval
from relspan.analysis.probes import Probes
from relspan.analysis.proof_limits import FIGURES, WAYS_OUT
from relspan.analysis.settings import Settings
from relspan.analysis.verdicts.verdict import Verdicts
from relspan.checks import listed
from relspan.tolerances import CERTIFIED_GAP


def warning_texts(
    baseline: Baseline,
    proofs: Mapping[str, float],
    probes: Probes,
    found: Verdicts,
    close: dict[int, float],
    names: Sequence[str],
    settings: Settings,
    totals: Sequence[tuple[str, GroupInterval]],
    contradicted: Sequence[int] = (),
) -> list[str]:
    """What a reader of the result should know: what was seen, what it means, and what to do about it.

    `totals` are those of features with several weights and of groups of features, each with its name, and
    `contradicted` the features whose demanded sign the data contradict.
    """
    texts: list[str] = []
    if baseline.null_preferred:
        texts.append(
            "Cross-validation prefers a model without any feature, so the features may not predict the target at all. "
            "The intervals are those around the best model that uses some "
            f"(C = {baseline.units.price(baseline.C):.3g}); read them with care."
        )
    if not found.passed:
        text = (
            "No feature is called relevant: on rows left out of its fit the best model is no better than chance. The "
            "intervals show what the best models use, which may be noise. More samples would settle this."
        )
        texts.append(f"{text} {baseline.loss_function.way_out}".rstrip())
    if contradicted:
        which = listed([repr(names[j]) for j in contradicted])
        texts.append(
            f"The data contradict the demanded sign of {which}: without the demand, the best model would use a weight "
            "of the other sign. The intervals hold under the demand; check the coding of the column and of the target, "
            "or drop the sign to see what the data say."
        )
    if close:
        texts.append(_close_calls(close, baseline, names, settings))
    norm_made = [] if found.norm_made is None else [names[j] for j in np.flatnonzero(found.norm_made).tolist()]
    if norm_made:
        texts.append(
            "Only the norm budget makes every equally good model use these features: other columns express them, at "
            f"the price of larger weights. They are called weak: {listed(norm_made)}."
        )
    for name, size in proofs.items():
        if not size <= CERTIFIED_GAP:
            text = FIGURES[name].format(size)
            texts.append(f"{text[0].upper()}{text[1:]}, more than the usual {CERTIFIED_GAP:g}; {WAYS_OUT}.")
    wide = [(name, width) for name, total in totals if not (width := total.gap / baseline.norm) <= CERTIFIED_GAP]
    if wide:
        texts.append(
            f"The total relevance of {listed(name for name, _ in wide)} is certified only to within "
            f"{max(width for _, width in wide):.1e} of the best model's norm, more than the usual {CERTIFIED_GAP:g}, "
            "because many signs can be combined: models attain the ends shown, but a true end may lie beyond, by its "
            "gap at most. Smaller budgets or groups leave fewer combinations."
        )
    if probes.lost:
        texts.append(
            f"{probes.lost} of {probes.lost + probes.count} replaced probes left no equally good model and were not "
            "counted, so the chance threshold rests on fewer probes. probes='append' loses none."
        )
    return texts


def _close_calls(close: dict[int, float], baseline: Baseline, names: Sequence[str], settings: Settings) -> str:
    """The warning about features that are strong or weak by little."""
    allowed = settings.loss_share
    if settings.loss_budget == "relative":  # a share of rho, given here as a share of the explained loss
        allowed *= baseline.loss / (baseline.null_loss - baseline.loss)
    costs = [f"{names[j]} ({cost:.1%})" for j, cost in sorted(close.items(), key=lambda item: -item[1])]
    which = "feature" if len(close) == 1 else "features"
    return (
        f"Strong or weak is a close call for {len(close)} relevant {which}: leaving one out costs about as much of the "
        f"explained loss as delta_loss = {settings.loss_share:.3g} allows ({allowed:.1%}). Try other values of "
        f"delta_loss before relying on the class of: {listed(costs)}."
    )
