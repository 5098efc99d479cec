"""Reading targets: classes and their ranks, folds that have all of them, and what a sample of each class costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets

from relspan import checks
from relspan.analysis.folds import FEWEST_FOLDS, Folds
from relspan.analysis.units import Units, units_of_target
from relspan.arrays import Floats, Ints
from relspan.errors import DataError, ParameterError
from relspan.estimators.samples import seed_of
from relspan.survival_times import any_comparable

LOSS_FOLDS = (5, 2)  # folds, and how often they are dealt, where the held-out loss chooses C


def read_classes(y: NDArray[Any], C: float | None, most: int | None = None) -> tuple[NDArray[Any], Ints]:
    """The sorted classes, and the place of every sample's class among them.

    At least two classes are needed, `most` at most, and enough samples of each to choose C by cross-validation.
    """
    check_classification_targets(y)
    classes, codes, counts = np.unique(y, return_inverse=True, return_counts=True)
    if len(classes) == 1:
        raise DataError(
            f"the target has one class only ({classes.tolist()[0]!r}, {counts[0]} samples); "
            "a classifier needs two classes"
        )
    if most is not None and len(classes) > most:
        raise DataError(
            f"Only binary classification is supported: the target has {len(classes)} classes "
            f"({', '.join(map(str, classes[:6]))}{' ...' if len(classes) > 6 else ''}); "
            "RelevanceClassifier and OrdinalRelevanceClassifier take more"
        )
    rare = int(np.argmin(counts))
    if C is None and counts[rare] < FEWEST_FOLDS:
        raise DataError(
            f"class {classes.tolist()[rare]!r} has {counts[rare]} samples, and choosing C by cross-validation needs "
            f"{FEWEST_FOLDS} of each class: add samples, or set C"
        )
    return classes, codes


def read_numbers(y: NDArray[Any], C: float | None, chosen: str) -> tuple[Floats, dict[str, Any], Units]:
    """A target of numbers, its range as a result records it, and its units.

    `chosen` names what cross-validation would choose.
    """
    numbers = np.asarray(y, dtype=np.float64)
    if numbers.min() == numbers.max():
        raise DataError(f"the target is constant ({numbers[0]:g}): there is nothing to predict")
    if C is None and len(numbers) < 2 * FEWEST_FOLDS:
        raise DataError(
            f"the table has {len(numbers)} samples, and choosing C by cross-validation needs {2 * FEWEST_FOLDS}: add "
            f"samples, or set {chosen}"
        )
    return numbers, {"target_range": [float(numbers.min()), float(numbers.max())]}, units_of_target(numbers)


def read_times(y: Floats, target: NDArray[Any], C: float | None) -> dict[str, Any]:
    """What a result records of a survival target: the range of its times, and the number of events seen.

    `y` are the signed ranks of the samples that count, of a target that may hold more.
    """
    seen = int((y > 0).sum())
    if not any_comparable(y):
        raise DataError(
            f"no two of the {len(y)} samples can be compared: {seen} events were seen, and no sample was observed "
            "beyond one of them"
        )
    if C is None and seen < 2 * FEWEST_FOLDS:
        raise DataError(
            f"the table has {seen} events, and choosing C by cross-validation needs {2 * FEWEST_FOLDS}: add samples, "
            "or set C"
        )
    times = np.unique(target["time"])[np.abs(y).astype(np.intp) - 1]
    return {"target_range": [float(times.min()), float(times.max())], "events": seen}


def ranked_classes(order: Any, classes: NDArray[Any], codes: Ints) -> tuple[NDArray[Any], Ints]:
    """Classes and places of a target by an order that names each class once; as they are, where none is given."""
    if order is None:
        return classes, codes
    try:
        listed, known = np.asarray(order), classes.tolist()
    except ValueError:
        listed = np.zeros((0, 0))
    if listed.ndim != 1:
        raise ParameterError(f"order must list the classes from low to high, or be None, not {order!r}")
    given = listed.tolist()
    if len(given) != len(known) or set(given) != set(known):
        missing = [c for c in known if c not in given]
        strange = [c for c in given if c not in known]
        problem = f"lacks {missing[0]!r}" if missing else f"names {strange[0]!r}" if strange else "names a class twice"
        raise ParameterError(
            f"order {problem}; it must name every class once, from low to high, and the classes are {known}"
        )
    place = np.array([given.index(c) for c in known])
    return classes[np.argsort(place)], place[codes]


def class_counts(classes: NDArray[Any], codes: Ints) -> dict[str, int]:
    return {str(c): int(n) for c, n in zip(classes, np.bincount(codes, minlength=len(classes)), strict=True)}


def sample_costs(class_weight: Any, classes: NDArray[Any], codes: Ints, weights: Floats | None) -> Floats | None:
    """What each sample's loss is multiplied by: its own weight times its class's.

    "balanced" gives class k the weight  n / (K n_k),  with n and n_k counted by sample weight.
    """
    if class_weight is None:
        return weights
    own = np.ones(len(codes)) if weights is None else weights
    if isinstance(class_weight, str):
        if class_weight != "balanced":
            raise ParameterError(f"class_weight must be None, 'balanced' or a dict, not {class_weight!r}")
        totals = np.bincount(codes, weights=own, minlength=len(classes))
        factors = own.sum() / (len(classes) * totals)
    elif isinstance(class_weight, Mapping):
        unknown = [c for c in class_weight if c not in classes]
        if unknown:
            raise ParameterError(f"class_weight names {unknown[0]!r}, which is not among the classes {list(classes)}")
        given = [class_weight.get(c, 1.0) for c in classes.tolist()]
        factors = checks.float_array("class_weight", given, "a dict of one number per class")
        if not (np.isfinite(factors).all() and (factors > 0).all()):
            raise ParameterError(f"class_weight must be positive and finite, not {dict(class_weight)!r}")
    else:
        raise ParameterError(f"class_weight must be None, 'balanced' or a dict, not {class_weight!r}")
    return np.asarray(own * factors[codes])


def folds_for(criterion: str, stratified: bool, random_state: Any) -> Folds:
    """The folds that choose C: by "loss" dealt by the data alone, by "score" with the seed that was given."""
    if criterion == "score":
        return Folds(FEWEST_FOLDS, 1, stratified, seed_of(random_state))
    return Folds(*LOSS_FOLDS, stratified, seed=0)


def refuse_few_groups(groups: Ints | None, classes: Floats | None, C: float | None) -> None:
    """Refuse groups of samples that are too few for folds, or for permutations of whole groups.

    `classes` numbers the class of every sample, where the target has classes.
    """
    if groups is None:
        return
    count = len(np.unique(groups))
    if count < FEWEST_FOLDS:
        raise DataError(
            f"groups has {count} different {'label' if count == 1 else 'labels'}, and at least {FEWEST_FOLDS} groups "
            "are needed: rows of one group stay together in folds, and chance is measured by exchanging whole groups"
        )
    if classes is None or C is not None:
        return
    for one in np.unique(classes):
        held = len(np.unique(groups[classes == one]))
        if held < 2:
            raise DataError(
                f"all {(classes == one).sum()} samples of one class are in one group, and choosing C by "
                "cross-validation, which keeps groups together, needs every class in at least 2 groups: add groups, "
                "or set C"
            )
