"""The model and the folds by which all methods are judged alike."""

from __future__ import annotations

from typing import Any

from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold

from relspan.tasks import TASKS


def sees_numbers(task: str) -> bool:
    """Whether the judge and the other methods take the target as numbers; they know nothing of ordered classes."""
    return TASKS[task].peers_see_numbers


def judge_for(task: str) -> Any:
    """The model that judges every set of columns: linear, lightly penalised, the same for all methods."""
    return Ridge() if sees_numbers(task) else LogisticRegression(max_iter=2000)


def folds_for(task: str, count: int, seed: int, grouped: bool = False) -> Any:
    """Shuffled folds, stratified by class where there are classes, and with the rows of a group in one of them."""
    kinds = (GroupKFold, StratifiedGroupKFold) if grouped else (KFold, StratifiedKFold)
    return kinds[not sees_numbers(task)](count, shuffle=True, random_state=seed)
