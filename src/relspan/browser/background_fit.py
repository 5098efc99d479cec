"""The analysis in a background thread, with progress and a way to stop it."""

from __future__ import annotations

import logging
import threading
import warnings
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import Any

from relspan.browser.column_parts import ColumnParts
from relspan.browser.request_values import read_number, read_whole
from relspan.browser.revision import Revision
from relspan.checks import did_you_mean
from relspan.errors import ParameterError, RelspanError, RelspanWarning
from relspan.progress import STAGES
from relspan.tables import PreparedTable
from relspan.tasks import TASKS, estimator_for

NUMBERS = ("C", "delta_norm", "delta_loss")
WHOLE_NUMBERS = ("n_probes", "random_state")
log = logging.getLogger("relspan.browser")


def read_settings(given: Any) -> dict[str, Any]:
    """The parameters of an analysis that a request may set: numbers that every task has, or that one of them adds."""
    if not isinstance(given, dict):
        raise ParameterError("settings must map parameters to numbers")
    of_tasks = [option.name for task in TASKS.values() for option in task.options if option.type is float]
    known = dict.fromkeys((*NUMBERS, *WHOLE_NUMBERS, *of_tasks))
    for name in given:
        if name not in known:
            raise ParameterError(f"there is no setting {name!r}{did_you_mean(name, known)}")
    read = {
        name: read_whole(value, name) if name in WHOLE_NUMBERS else read_number(value, name)
        for name, value in given.items()
        if value is not None
    }
    return {"random_state": 0, **read}


class BackgroundFit:
    """One analysis. `finished(fit, estimator)` is called from its thread when it succeeds."""

    def __init__(
        self,
        prepared: PreparedTable,
        parts: ColumnParts,
        task: str,
        settings: dict[str, Any],
        finished: Callable[[BackgroundFit, Any], None],
        revision: Revision,
        row_names: tuple[str, ...] = (),
    ) -> None:
        self.trouble: str | None = None
        self.running = True
        self._stage, self._share, self._note = "reading the table", 0.0, ""
        self._cancelled, self._begun, self._finished = threading.Event(), perf_counter(), finished
        self._revision = revision
        self._prepared, self._parts, self.row_names = prepared, parts, row_names
        given = {**settings, **({"covariates": list(parts.covariates)} if parts.covariates else {})}
        self._estimator = estimator_for(task, progress=self._report, **given)
        self._thread = threading.Thread(target=self._run, name="relspan-fit", daemon=True)

    def start(self) -> BackgroundFit:
        """Start the thread."""
        self._thread.start()
        return self

    def cancel(self) -> None:
        """Stop the analysis at its next report of progress."""
        self._cancelled.set()

    def join(self, timeout: float | None = None) -> None:
        """Wait until the thread has ended."""
        self._thread.join(timeout)

    def progress_record(self) -> dict[str, Any]:
        """How far the analysis has come."""
        return {
            "stage": self._stage,
            "share": self._share,
            "note": self._note,
            "seconds": perf_counter() - self._begun,
            "features": len(self._parts.X.columns) - len(self._parts.covariates),
            "rows": len(self._prepared.y),
        }

    def _report(self, stage: str, share: float | None, note: str = "") -> None:
        if self._cancelled.is_set():
            raise KeyboardInterrupt  # as if from the keyboard: the analysis turns it into Interrupted where it can
        self._stage, self._share, self._note = STAGES.get(stage, stage), share or 0.0, note
        self._revision.grow()

    def _run(self) -> None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RelspanWarning)  # the result holds them
                weights = {} if self._parts.weights is None else {"sample_weight": self._parts.weights}
                fitted = self._estimator.fit(self._parts.X, self._prepared.y, groups=self._prepared.groups, **weights)
            fitted.progress = None
            facts = {**self._prepared.report.facts_beside(fitted.result_.data), **self._parts.facts}
            fitted.result_ = replace(fitted.result_, data=facts)
            if not self._cancelled.is_set():
                self._finished(self, fitted)
        except KeyboardInterrupt:
            self.trouble = "The analysis was stopped."
        except RelspanError as error:
            self.trouble = str(error)
        except Exception as error:
            log.exception("the analysis failed")
            self.trouble = f"The analysis failed with {type(error).__name__}. The terminal of relspan shows more."
        finally:
            self.running = False
            self._revision.grow()
