"""The tasks: what a target can ask for, one file per task."""

from relspan.tasks.registry import TASKS, estimator_for, guess_task

__all__ = ["TASKS", "estimator_for", "guess_task"]
