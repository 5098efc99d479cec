"""The analysis in a thread of its own, with progress and a way to stop it."""

from __future__ import annotations

import logging
import threading
import warnings
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import Any

from relspan.browser.request_values import read_number, read_whole
from relspan.errors import ParameterError, RelspanError, RelspanWarning
from relspan.progress import STAGES
from relspan.tables import PreparedTable
from relspan.tasks.registry import estimator_for

SETTINGS: dict[str, Callable[[Any], Any]] = {
    "C": read_number,
    "delta_norm": read_number,
    "delta_loss": read_number,
    "n_probes": read_whole,
    "random_state": read_whole,
    "epsilon": read_number,
    "reject_cost": read_number,
}
log = logging.getLogger("relspan.browser")


class Cancelled(Exception):
    """Raised inside the analysis when nobody waits for it any more."""


def read_settings(given: Any) -> dict[str, Any]:
    """The parameters of an analysis as a request may set them."""
    if not isinstance(given, dict):
        raise ParameterError("settings must be an object")
    unknown = sorted(set(given) - set(SETTINGS))
    if unknown:
        raise ParameterError(f"{unknown[0]!r} is no setting; there are {', '.join(SETTINGS)}")
    return {"random_state": 0, **{name: SETTINGS[name](value) for name, value in given.items() if value is not None}}


class Fit:
    """One analysis. `finished(fit, estimator)` is called from its thread when it succeeds."""

    def __init__(
        self, prepared: PreparedTable, task: str, settings: dict[str, Any], finished: Callable[[Fit, Any], None]
    ) -> None:
        self.trouble: str | None = None
        self.stage, self.share, self.running = "reading", 0.0, True
        self._cancelled, self._begun, self._finished = threading.Event(), perf_counter(), finished
        self._prepared = prepared
        self._estimator = estimator_for(task, progress=self._progress, **settings)
        self._thread = threading.Thread(target=self._run, name="relspan-fit", daemon=True)

    def start(self) -> Fit:
        self._thread.start()
        return self

    def cancel(self) -> None:
        """Stop at the next report of progress."""
        self._cancelled.set()

    def join(self, timeout: float | None = None) -> None:
        self._thread.join(timeout)

    def told(self) -> dict[str, Any]:
        """Where it stands."""
        return {
            "stage": STAGES.get(self.stage, self.stage),
            "share": self.share,
            "seconds": perf_counter() - self._begun,
            "features": len(self._prepared.names),
            "rows": len(self._prepared.y),
        }

    def _progress(self, stage: str, share: float | None, note: str = "") -> None:
        if self._cancelled.is_set():
            raise Cancelled
        self.stage, self.share = stage, float(share or 0.0)

    def _run(self) -> None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RelspanWarning)  # the result tells them
                fitted = self._estimator.fit(self._prepared.named, self._prepared.y)
            fitted.progress = None
            facts = self._prepared.report.facts()
            fitted.result_ = replace(fitted.result_, data={**fitted.result_.data, **facts})
            if not self._cancelled.is_set():
                self._finished(self, fitted)
        except Cancelled:
            self.trouble = "the analysis was stopped"
        except RelspanError as error:
            self.trouble = str(error)
        except Exception as error:
            log.exception("the analysis failed")
            self.trouble = f"the analysis failed: {type(error).__name__}"
        finally:
            self.running = False
