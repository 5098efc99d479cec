"""The page pins columns: the levels of a category are rows of their own there, all with the category's class."""

from __future__ import annotations

import json

import numpy as np
import pytest

from relspan import RelevanceClassifier
from relspan.browser.browser_session import BrowserSession
from relspan.tables import NamedMatrix


@pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
def test_levels_are_rows_with_the_class_of_their_category():
    rng = np.random.default_rng(0)
    island, x = rng.integers(3, size=60), rng.standard_normal(60)
    columns = ("x", "island=A", "island=B", "island=C")
    table = NamedMatrix(np.column_stack([x, island[:, None] == np.arange(3)]), columns, {"island": columns[1:]})
    model = RelevanceClassifier(C=1.0, n_probes=5, random_state=0).fit(table, x + 2 * (island == 1) > 0.7)
    assert model.explore().categories == {"island": columns[1:]}
    session = BrowserSession().show_fitted(model)
    try:
        state = session.state({})
        shown = json.loads(json.dumps(state))["result"]["features"]
        assert [f["name"] for f in shown] == list(columns)
        assert len(state["view"]["rows"]) == len(columns)
        assert {f["relevance"] for f in shown[1:]} == {model.result_["island"].relevance}
    finally:
        session.close()
