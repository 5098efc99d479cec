"""The explorer in a notebook cell: the page's own front end, with messages to this kernel in place of HTTP.

The front end asks with ``{id, action, payload}`` (an upload has ``{id, upload: name}`` and its bytes as a buffer); the
answer is ``{id, answer}`` or ``{id, refusal, status}``. Both are those of `relspan.browser.actions`. Some actions
wait for news, so each message has a thread of its own and the kernel stays free.

Needs anywidget (the `notebook` extra). Nothing is loaded from elsewhere: the script travels with the widget.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import anywidget

from relspan.browser.as_json import error_record
from relspan.browser.browser_session import BrowserSession
from relspan.browser.long_questions import Superseded
from relspan.errors import InfeasibleFamily, ParameterError, RelspanError
from relspan.explore import Explorer
from relspan.result import RelevanceResult
from relspan.show.html import bundle

SHEETS = ("tokens.css", "list.css", "explorer.css", "samples.css", "notebook.css")
THREADS = 32  # messages that are answered at once; every view has one that waits for news

__all__ = ["ExplorerWidget"]

log = logging.getLogger("relspan.notebook")


class ExplorerWidget(anywidget.AnyWidget):  # type: ignore[misc]
    """The explorer as a Jupyter widget.

    Parameters
    ----------
    model : fitted estimator, Explorer or RelevanceResult
        What is shown. A result alone, or an estimator that cannot be explored, is shown without pins.

    See Also
    --------
    relspan.explore.Explorer.widget : The widget of an explorer.
    relspan.explore.Explorer.show : The same in the browser.

    Examples
    --------
    In a notebook, as the last line of a cell::

        ExplorerWidget(RelevanceClassifier().fit(X, y))
    """

    _esm = bundle.script("notebook.js") + "\nexport default { render: renderNotebook };\n"
    _css = bundle.scoped_styles(SHEETS, ".relspan-explorer")

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.session = session_of(model)
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="relspan")
        self.on_msg(self._receive)

    @property
    def explorer(self) -> Explorer | None:
        """The explorer behind the widget: what is pinned there is pinned here.

        Returns
        -------
        Explorer or None
            None where the model cannot be explored.
        """
        return self.session.explorer

    def close(self) -> None:
        """Stop the threads and remove the widget."""
        self.session.close()
        self._threads.shutdown(wait=False, cancel_futures=True)
        super().close()

    def _receive(self, widget: Any, content: Any, buffers: Sequence[Any]) -> None:
        self._threads.submit(self._answer, content, list(buffers))

    def _answer(self, content: Any, buffers: list[Any]) -> None:
        number = content.get("id") if isinstance(content, Mapping) else None
        self.send({"id": number, **answer_message(self.session, content, buffers)})


def session_of(model: Any) -> BrowserSession:
    """A session that shows a fitted estimator, an explorer or a result."""
    if isinstance(model, Explorer):
        return BrowserSession().show(model)
    if isinstance(model, RelevanceResult):
        return BrowserSession().show_result(
            model, "A result alone cannot be explored. Pass the fitted estimator to pin features."
        )
    if not hasattr(model, "result_"):
        raise ParameterError(
            f"model must be a fitted estimator, an Explorer or a RelevanceResult, not {type(model).__name__}"
        )
    return BrowserSession().show_fitted(model)


def answer_message(session: BrowserSession, content: Any, buffers: Sequence[Any]) -> dict[str, Any]:
    """The answer to one message, or why it is refused."""
    try:
        return {"answer": json.loads(json.dumps(_ask(session, content, buffers), allow_nan=False))}
    except RelspanError as error:
        # as the server has it: these are answers, not failures
        return {
            "refusal": error_record(error),
            "status": 409 if isinstance(error, (InfeasibleFamily, Superseded)) else 400,
        }
    except Exception:
        log.exception("an unexpected error, in a message of the explorer")
        message = "relspan failed unexpectedly. The log of the kernel shows the error."
        return {"refusal": {"kind": "Bug", "message": message}, "status": 500}


def _ask(session: BrowserSession, content: Any, buffers: Sequence[Any]) -> Any:
    if not isinstance(content, Mapping):
        raise ParameterError("a message must be an object")
    if "upload" in content:
        if len(buffers) != 1 or len(buffers[0]) > session.upload_limit:
            raise ParameterError(f"an upload must bring its content, of at most {session.upload_limit} bytes")
        return session.upload(bytes(buffers[0]), str(content["upload"])[:200])
    action, payload = content.get("action"), content.get("payload", {})
    if not isinstance(action, str) or not isinstance(payload, Mapping):
        raise ParameterError("a message must have an action and a payload")
    return session.ask(action, payload)
