"""The tasks, one file per task: its estimator, and everything else that is true of one kind of target alone."""

from relspan.tasks.classification import RelevanceClassifier
from relspan.tasks.ordinal import OrdinalRelevanceClassifier
from relspan.tasks.quantile import QuantileRelevanceRegressor
from relspan.tasks.registry import estimator_for, guess_task
from relspan.tasks.regression import RelevanceRegressor
from relspan.tasks.reject import RejectRelevanceClassifier
from relspan.tasks.survival import RelevanceSurvival
from relspan.tasks.task import TASKS, Task, TaskOption, register

__all__ = [
    "TASKS",
    "OrdinalRelevanceClassifier",
    "QuantileRelevanceRegressor",
    "RejectRelevanceClassifier",
    "RelevanceClassifier",
    "RelevanceRegressor",
    "RelevanceSurvival",
    "Task",
    "TaskOption",
    "estimator_for",
    "guess_task",
    "register",
]
