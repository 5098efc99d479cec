"""What the page can ask for beside pins: other budgets, stability, panels, unmeasured features, further questions."""

from __future__ import annotations

import numpy as np
import pytest

from relspan.browser.browser_session import BrowserSession
from relspan.errors import ParameterError
from relspan.show.findings import exchange_groups

pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")


def test_the_slider_has_classes_and_those_of_the_analysis_at_its_own_budget(bench, fitted):
    slider, found = bench.state({})["slider"], bench.ask("budgets", {})
    own = found["classes"][slider["current"]]
    assert own == {f.name: f.relevance for f in fitted.result_.features}
    assert "Every feature has the class" in found["sentences"][slider["current"]]
    assert len(found["classes"]) == len(found["steps"]) == len(slider["values"])


def test_whiskers_are_those_of_the_explorer(bench, fitted):
    found, own = bench.ask("stability", {"draws": 3}), fitted.explore().stability(3)
    for one in own.features:
        shown = found["features"][one.name]
        assert (shown["min"], shown["max"]) == ([one.min[0], one.min[2]], [one.max[0], one.max[2]])
    assert "3 draws" in found["sentence"]


@pytest.mark.parametrize("draws", [1, 100_000, 2.5])
def test_too_few_or_too_many_draws_are_refused(bench, draws):
    with pytest.raises(ParameterError, match="draws"):
        bench.ask("stability", {"draws": draws})


def test_several_panels_have_scores_and_what_must_be_in_them(bench):
    found = bench.ask("panel", {"several": True, "include": ["irrelevant1"], "seconds": 20})
    assert len(found["panels"]) > 1
    assert all("irrelevant1" in panel["features"] for panel in found["panels"])
    assert all(0 < panel["score"]["mean"] <= 1 for panel in found["panels"])
    sizes = [len(panel["features"]) for panel in found["panels"]]
    assert sizes == sorted(sizes)


@pytest.mark.parametrize(("limit", "says"), [(1000, "within the limit"), (1, "No panel costs at most 1")])
def test_a_price_limit_is_met_or_proven_impossible(bench, limit, says):
    bench.ask("set_costs", {"costs": {"strong1": 30, "weak1_1": 40}})
    found = bench.ask("panel", {"priced": True, "price_limit": limit, "include": ["weak1_1"], "seconds": 20})
    assert says in found["sentences"][0]
    assert "No cost was entered for" in found["sentences"][1]  # a price that leaves something out would be misread


def test_a_feature_that_is_not_measured_opens_labels(bench, fitted):
    free, found = bench.ask("samples", {}), bench.ask("samples", {"unmeasured": "strong1"})
    own = fitted.explore().predictions(unmeasured=["strong1"])
    assert [row["certain"] for row in found["rows"]] == [one.certain for one in own.samples]
    opened = [then["certain"] and not now["certain"] for then, now in zip(free["rows"], found["rows"], strict=True)]
    assert [row["opened"] for row in found["rows"]] == opened
    assert f"{sum(opened)} labels that were certain become uncertain" in found["sentence"]
    with pytest.raises(ParameterError, match="nothing"):
        bench.ask("samples", {"unmeasured": "nothing"})


def test_every_question_that_is_offered_is_answered(bench):
    offered = bench.state({})["questions"]
    assert {one["key"] for one in offered} == {"contrast", "sum", "ranking", "discrepancy", "purchases", "card"}
    for one in offered:
        names = ["strong1", "weak1_1"][: one["features"]]
        answer = bench.ask("question", {"key": one["key"], "features": names})
        assert all(sentence.endswith(".") for sentence in answer["sentences"])
        assert all(len(row) == len(answer["columns"]) for row in answer.get("rows", []))
    for wrong in ({"key": "sum", "features": ["strong1"]}, {"key": "sum", "features": ["strong1"] * 2}, {"key": "x"}):
        with pytest.raises(ParameterError):
            bench.ask("question", wrong)


def test_kits_limits_and_groups_are_read_as_they_are_typed(bench, fitted):
    typed = {"kits": "both = 3: strong1, strong2\n", "limits": "1 = weak1_1, weak1_2", "together": "weak1_3, weak1_4"}
    bench.ask("set_costs", {"costs": {"weak1_1": 0.5}})
    found = bench.ask("question", {"key": "purchases", "fields": typed})
    costs = {name: 1.0 for name in fitted.explore().feature_names if not name.startswith("strong")} | {"weak1_1": 0.5}
    own = fitted.explore().cheapest_panel(
        costs,
        kits={"both": (3.0, ["strong1", "strong2"])},
        at_most=[(1, ["weak1_1", "weak1_2"])],
        together=[["weak1_3", "weak1_4"]],
    )
    assert f"cost {own.cost:g}" in found["sentences"][0]
    assert "the kit both" in found["sentences"][0]
    wrong = {
        "kits": ("both", "both = x: a", "= 3: a"),
        "limits": ("a, b", "1.5 = weak1_1"),
        "together": ("nothing, a",),
    }
    for key, texts in wrong.items():
        for text in texts:
            with pytest.raises(ParameterError):
                bench.ask("question", {"key": "purchases", "fields": {key: text}})


def test_a_score_card_keeps_within_what_is_typed(bench):
    found = bench.ask("question", {"key": "card", "fields": {"size": "5", "points": "9"}})
    assert 1 <= len(found["rows"]) <= 5
    assert all(1 <= abs(int(points)) <= 9 for points, _ in found["rows"])
    with pytest.raises(ParameterError, match="whole number"):
        bench.ask("question", {"key": "card", "fields": {"size": "few"}})


def test_a_feature_can_be_pinned_to_a_sign_and_the_fields_of_a_question_are_reached_by_the_keyboard(show, fitted):
    sight = show(fitted)
    page = sight.page
    sight.row("weak1_1").locator(".name").click()
    page.locator("button:has-text('Only positive weights')").press("Enter")
    page.wait_for_selector(".pins :text('weak1_1')")
    sight.settled()
    page.click("#tab-questions")
    kits = page.locator("[data-question=purchases] textarea").first
    kits.focus()
    page.keyboard.type("both = 3: strong1, strong2")
    page.locator("[data-question=purchases] button").press("Enter")
    page.wait_for_selector("[data-question=purchases] .question-answer:has-text('the kit both')", timeout=60_000)


def test_groups_of_the_list_are_those_of_the_findings(bench, fitted):
    groups = bench.state({})["groups"]
    assert [group["names"] for group in groups] == exchange_groups(fitted.result_)
    assert [group["mark"] for group in groups] == list("ABCDEFG"[: len(groups)])


def test_the_map_names_the_pairs_that_exchange_most(bench):
    found = bench.ask("substitution", {"at": "exchange"})
    shares = [pair["exchange"] for pair in found["pairs"]]
    assert shares == sorted(shares, reverse=True)
    place = {name: k for k, name in enumerate(found["features"])}
    for pair in found["pairs"]:
        assert found["values"][place[pair["first"]]][place[pair["second"]]] == pytest.approx(pair["exchange"], abs=1e-5)
        assert f"{100 * pair['exchange']:.0f} %" in pair["phrase"]


@pytest.fixture
def survival_table():
    rng = np.random.default_rng(0)
    a, b, age = rng.normal(size=(3, 60))
    time, seen = np.exp(-a) * rng.exponential(size=60) + 0.01, rng.integers(2, size=60)
    rows = (f"p{i},{a[i]},{b[i]},{age[i]},{1 + i % 2},{time[i]},{'ny'[seen[i]]}" for i in range(60))
    return "\n".join(["name,a,b,age,w,time,seen", *rows]).encode()


def test_columns_may_be_events_weights_and_covariates(survival_table):
    bench = BrowserSession()
    bench.upload(survival_table, "t.csv")
    assert bench.ask("guess_task", {"target": "time", "event": "seen"})["task"] == "survival"
    asked = {"target": "time", "event": "seen", "task": "survival", "adjust": ["age"], "weights": "w", "drop": ["name"]}
    bench.ask("analyse", {**asked, "settings": {"n_probes": 5, "C": 0.1}})
    bench.fit and bench.fit.join(60)
    state = bench.ask("state", {})
    assert [f["name"] for f in state["result"]["features"]] == ["a", "b"]
    data = state["result"]["data"]
    assert (data["weights"], data["adjusted_for"], data["event"]) == ("w", ["age"], "seen")
    assert len(bench.ask("samples", {})["rows"]) == 60
    number, typed = bench.ask("sample", {"index": 3}), bench.ask("sample", {"text": "a: 2\nage: 1"})
    assert [one["feature"] for one in number["features"]] == [one["feature"] for one in typed["features"]]
    for wrong in ({"adjust": ["nothing"]}, {"weights": "nothing"}):
        with pytest.raises(ParameterError, match="nothing"):
            bench.ask("analyse", {**asked, **wrong})
    bench.close()


def test_a_feature_may_be_asked_for_with_one_sign(survival_table):
    bench = BrowserSession()
    bench.upload(survival_table, "t.csv")
    asked = {
        "target": "time",
        "event": "seen",
        "task": "survival",
        "drop": ["name", "w"],
        "settings": {"n_probes": 5, "C": 0.1},
    }
    bench.ask("analyse", {**asked, "rising": ["b"], "falling": ["age"]})
    bench.fit and bench.fit.join(60)
    state = bench.ask("state", {})
    assert state["result"]["parameters"]["signs"] == {"b": "+", "age": "-"}
    signed = {f["name"]: (f["lo"], f["hi"]) for f in state["result"]["features"]}
    assert signed["b"][0] >= 0 >= signed["age"][1]
    bench.ask("analyse", {**asked, "rising": ["nothing"]})
    bench.fit and bench.fit.join(60)
    assert "nothing" in bench.ask("state", {})["trouble"]
    bench.close()
