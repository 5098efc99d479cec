"""The explorer in a notebook cell: the page's own front end, with messages to this kernel in place of HTTP.

The front end asks with ``{id, verb, payload}`` (an upload has ``{id, upload: name}`` and its bytes as a buffer); the
answer is ``{id, answer}`` or ``{id, refusal, status}``. Verbs and answers are those of `relspan.browser.actions`. Some
verbs wait for news, so each question has a thread of its own and the kernel stays free.

Needs anywidget (the `notebook` extra). Nothing is loaded from elsewhere: the script travels with the widget.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import anywidget

from relspan.browser.as_json import told_error
from relspan.browser.browser_session import BrowserSession
from relspan.browser.long_questions import Superseded
from relspan.errors import InfeasibleFamily, ParameterError, RelspanError
from relspan.explore import Explorer
from relspan.result import RelevanceResult
from relspan.show.html import bundle

SHEETS = ("tokens.css", "list.css", "explorer.css", "notebook.css")
THREADS = 6

log = logging.getLogger("relspan.notebook")


class ExplorerWidget(anywidget.AnyWidget):  # type: ignore[misc]
    """The explorer of one fitted estimator, as a Jupyter widget.

    Parameters
    ----------
    model : fitted estimator, Explorer or RelevanceResult
        What is shown. A bare result, or an estimator that cannot be explored, is shown without pins.

    Examples
    --------
    In a notebook, as the last line of a cell::

        ExplorerWidget(RelevanceClassifier().fit(X, y))
    """

    _esm = bundle.script("notebook.js") + "\nexport default { render: renderNotebook };\n"
    _css = bundle.scoped_styles(SHEETS, ".relspan-explorer")

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.workbench = workbench_of(model)
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="relspan")
        self.on_msg(self._heard)

    @property
    def explorer(self) -> Explorer | None:
        """The session behind the widget: what is pinned there is pinned here; None where it cannot be explored."""
        return self.workbench.explorer

    def close(self) -> None:
        """Stop the threads and take the widget away."""
        self.workbench.close()
        self._threads.shutdown(wait=False, cancel_futures=True)
        super().close()

    def _heard(self, widget: Any, content: Any, buffers: Sequence[Any]) -> None:
        self._threads.submit(self._answer, content, list(buffers))

    def _answer(self, content: Any, buffers: list[Any]) -> None:
        number = content.get("id") if isinstance(content, Mapping) else None
        self.send({"id": number, **answered(self.workbench, content, buffers)})


def workbench_of(model: Any) -> BrowserSession:
    """A workbench that shows a fitted estimator, a session or a result."""
    if isinstance(model, Explorer):
        return BrowserSession().show(model)
    if isinstance(model, RelevanceResult):
        return BrowserSession().show_result(model, "a result alone cannot be explored; give the fitted estimator")
    if not hasattr(model, "result_"):
        raise ParameterError(
            f"a fitted estimator, an Explorer or a RelevanceResult is needed, not {type(model).__name__}"
        )
    return BrowserSession().show_fitted(model)


def answered(workbench: BrowserSession, content: Any, buffers: Sequence[Any]) -> dict[str, Any]:
    """The answer to one message, or why there is none."""
    try:
        return {"answer": json.loads(json.dumps(_asked(workbench, content, buffers), allow_nan=False))}
    except RelspanError as error:
        # as the server has it: these are answers, not troubles
        return {
            "refusal": told_error(error),
            "status": 409 if isinstance(error, (InfeasibleFamily, Superseded)) else 400,
        }
    except Exception:
        log.exception("a bug, in a message of the explorer")
        return {"refusal": {"kind": "Bug", "message": "relspan failed here; its log tells more"}, "status": 500}


def _asked(workbench: BrowserSession, content: Any, buffers: Sequence[Any]) -> Any:
    if not isinstance(content, Mapping):
        raise ParameterError("a message must be an object")
    if "upload" in content:
        if len(buffers) != 1 or len(buffers[0]) > workbench.upload_limit:
            raise ParameterError(f"an upload needs its bytes, at most {workbench.upload_limit}")
        return workbench.upload(bytes(buffers[0]), str(content["upload"])[:200])
    verb, payload = content.get("verb"), content.get("payload", {})
    if not isinstance(verb, str) or not isinstance(payload, Mapping):
        raise ParameterError("a message needs a verb and a payload")
    return workbench.ask(verb, payload)
