"""The explorer in the browser: one result, live, on this machine alone.

The back end is thin over `relspan.explore.Explorer` and knows *actions* only: an action takes a JSON object and answers
one (`BrowserSession.ask`). How it travels is another matter: by HTTP here (`server`), by messages in a notebook.

    browser_session   what one browser works on
    shown_result      a result with all that was done to it; kept when another table is opened
    revision          a number that grows with every change, and who waits for the next one
    actions           what a page may ask; request_values checks what it sends
    open_table        a table before its analysis: what it holds, target and task guessed, missing values
    row_names         what the table calls its rows
    background_fit    the analysis in a thread, with progress and a way to stop it
    live_intervals    intervals under pins: at once from known models (inner bounds), then exact, in small steps; the
                      newest question wins
    long_questions    questions that take seconds, on solvers of their own
    as_json           what an explorer knows, as records
    exports           files and code to take away
    security          host, origin, token and size of every request; what a page may load
    server            routes, and the server on 127.0.0.1

The page itself lies in relspan/show/html/static: ES modules without dependencies or a build step. It renders from a
plain `State` (see static/js/types.js). A component is a function that makes an element and an `update(data)`; it passes
on what a person wants through the `events` it was given and never talks to a back end. Only static/js/explorer.js does,
through the `Transport` passed in: ``ask(action, payload)``. The report and the notebook use the same components with
another transport. So that modules can be joined into one file, they use named exports only, import without renaming,
and no two of them share a name at top level.

Every text of a table reaches the page as text (`textContent`), never as markup.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from relspan.browser.server import RunningServer, show

__all__ = ["RunningServer", "show"]


def __getattr__(name: str) -> Any:
    """The names of the server, looked up when they are asked for: a notebook works without a web server."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from relspan.browser import server

    return getattr(server, name)
