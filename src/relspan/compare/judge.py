"""The model and the folds by which all methods are judged alike."""

from __future__ import annotations

from typing import Any

from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import KFold, StratifiedKFold

from relspan.tasks import TASKS


def sees_numbers(task: str) -> bool:
    """Whether the judge and the other methods take the target as numbers; they know nothing of ordered classes."""
    return TASKS[task].peers_see_numbers


def judge_for(task: str) -> Any:
    """The model that judges every set of columns: linear, lightly penalised, the same for all methods."""
    return Ridge() if sees_numbers(task) else LogisticRegression(max_iter=2000)


def folds_for(task: str, count: int, seed: int) -> Any:
    """Shuffled folds, stratified by class where there are classes."""
    return (KFold if sees_numbers(task) else StratifiedKFold)(count, shuffle=True, random_state=seed)
