"""The explorer in the browser: one result, live, on this machine alone.

The back end is thin over `relspan.explore.Explorer` and knows *verbs* only: a verb takes a JSON object and answers one
(`Workbench.ask`). How it travels is another matter: HTTP here (`server`), messages in a notebook, nothing in a report.

    opening.py     a table or a built-in data set: what is in it, target and task guessed and told, missing values
    fitting.py     the analysis in a thread, with progress and cancel
    live.py        intervals under pins: at once from known models (bounds from inside), then exact, in small steps;
                   the newest question wins, and what nobody asks any more is dropped
    view.py        what an explorer knows, as JSON
    deep.py        questions that take seconds, on a solver of their own
    verbs.py       what a page may ask: a JSON object in, a JSON object out; payload.py reads its values with care
    exports.py     files to take away, and recipes: "copy as Python", "copy as command line"
    workbench.py   what one browser works on
    security.py    Host, Origin, token and size of every request; what a page may load
    server.py      routes, and the server on 127.0.0.1
    static/        the page: ES modules without dependencies or a build step

The front end renders from a plain `State` (see static/js/types.js). A component is a function that makes an element and
an `update(data)`; it tells what a person wants through the `events` it was given and never talks to a back end. Only
static/js/explorer.js does, through the `Transport` passed in: ``ask(verb, payload)``. The report and the notebook use
the same components with another transport. So that modules can be put into one file by writing them one after the
other, they use named exports only, import without renaming, and no two of them share a name at top level.

Every text of a table reaches the page as text (`textContent`), never as markup.
"""
