"""The report as a file: escaped, whole, and of the explorer's own parts."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from made_up_results import feature, made_up, made_up_by_evidence, made_up_under_pins, made_up_with_totals
from relspan.explore import Groups
from relspan.result import GroupRelevance
from relspan.show import palette
from relspan.show.account import NORM_MADE
from relspan.show.html import bundle
from relspan.show.html.elements import BAR_SIZE, element, interval_bar

HOSTILE = '</script><script>alert(1)</script><img src=x onerror="alert(2)">\u2028&amp;'


class Elements(HTMLParser):
    """Tags with their attributes, and the text inside, by tag."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inside: list[str] = []
        self.text: dict[str, list[str]] = {}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "link", "br"):
            self.inside.append(tag)
            self.text.setdefault(tag, []).append("")

    def handle_endtag(self, tag):
        assert self.inside.pop() == tag

    def handle_data(self, data):
        if self.inside:
            self.text[self.inside[-1]][-1] += data


@pytest.fixture
def hostile():
    result = made_up(feature(HOSTILE, 0.1, 0.5, "strong"), feature("b", 0.0, 0.1, "irrelevant"))
    return replace(
        result,
        data={**result.data, "target": HOSTILE, "classes": {HOSTILE: 3}, "file": HOSTILE},
        warnings=(HOSTILE,),
        groups=(GroupRelevance(HOSTILE, (HOSTILE,), 0.1, 0.5, "strong"),),
        parameters={**result.parameters, "random_state": 0},
    )


def test_elements_escape_text_and_keep_markup():
    assert element("p", "<b>", element("b", "&")) == "<p>&lt;b&gt;<b>&amp;</b></p>"
    assert element("td", class_='a"b', aria_label="x", hidden=True, title=None) == (
        '<td class="a&quot;b" aria-label="x" hidden></td>'
    )


def test_a_script_in_a_name_is_text_in_the_report(hostile):
    page = Elements(hostile.to_html(title=HOSTILE, panels=[panel(HOSTILE)], groups={HOSTILE: [HOSTILE, HOSTILE]}))
    assert page.inside == []
    assert [tag for tag, _ in page.tags].count("script") == 2
    assert not {"img", "iframe", "object", "link"} & {tag for tag, _ in page.tags}
    assert not any(name.startswith("on") or name == "style" for _, given in page.tags for name in given)
    assert page.text["h1"] == page.text["title"] == [HOSTILE]
    embedded = next(text for text in page.text["script"] if text.startswith("{"))
    assert json.loads(embedded)["features"][0]["name"] == HOSTILE
    assert "\u2028" not in embedded


def test_a_script_in_a_name_is_text_in_a_notebook(hostile):
    shown = Elements(hostile._repr_html_())
    assert shown.inside == []
    assert not {"script", "img", "style"} & {tag for tag, _ in shown.tags}
    assert HOSTILE in shown.text["td"]


def test_the_report_carries_the_result_unchanged(hostile):
    page = Elements(hostile.to_html())
    embedded = next(text for text in page.text["script"] if text.startswith("{"))
    assert json.loads(embedded) == json.loads(hostile.to_json())
    values = [float(given["value"] or "nan") for tag, given in page.tags if tag == "data"]
    assert values[:8] == [0.1, 0.5, 0.1, 0.5, 0.0, 0.1, 0.0, 0.1]


def test_the_policy_names_the_script_and_the_styles_and_forbids_the_rest(hostile):
    page = Elements(hostile.to_html())
    (policy,) = [given["content"] for tag, given in page.tags if given.get("http-equiv") == "Content-Security-Policy"]
    said = dict(part.strip().split(" ", 1) for part in (policy or "").split(";"))
    assert said["default-src"] == "'none'"
    script = next(text for text in page.text["script"] if not text.startswith("{"))
    for directive, text in (("script-src", script), ("style-src", page.text["style"][0])):
        assert said[directive] == "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", script + page.text["style"][0])
    assert "url(" not in page.text["style"][0]


def panel(name: str) -> dict:
    return {"features": [name], "cost": 2.0, "bound": 1.0, "proven": False}


def test_panels_and_groups_are_shown_if_asked_for():
    import numpy as np

    result = made_up(feature("a", 0.1, 0.5, "strong"))
    assert "Panels" not in result.to_html()
    groups = Groups(("a", "b", "c"), (0, 1, 0), np.eye(3), np.zeros((2, 4)), 0.5)
    page = result.to_html(panels=[panel("a")], groups=groups)
    assert "every panel costs at least 1;" in page
    assert "<li>a, c</li>" in page
    assert "though several together may: b." in page


def test_long_tables_fold_the_irrelevant():
    many = made_up(feature("a", 0.1, 0.5, "strong"), *(feature(f"i{j}", 0.0, 0.1, "irrelevant") for j in range(100)))
    page = Elements(many.to_html())
    assert page.text["summary"] == ["100 irrelevant features"]
    assert len([1 for tag, given in page.tags if tag == "tr" and "data-feature" in given]) == 101
    assert "61 more features" not in many._repr_html_()
    assert "100 more features" in many._repr_html_()
    assert "and 60 more; see to_frame()" in many._repr_html_()


def test_a_partial_result_has_a_report():
    partial = replace(made_up(feature("a", 0.0, 0.5, "undecided"), threshold=None), unfinished=("b",))
    assert "interrupted" in partial.to_html()
    assert "interrupted" in partial._repr_html_()


def test_bars_stay_within_their_axis():
    for low, high in ((0.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.99999, 1.0), (0.2, 5.0)):
        inside = Elements(interval_bar(low, high, 1.0, 0.3, "weak"))
        for tag, given in inside.tags:
            if tag == "rect":
                assert float(given["x"] or 0) >= 0
                assert float(given["x"] or 0) + float(given["width"] or 0) <= 160.01


# -- the bundle ----------------------------------------------------------------------------------------------------


def test_the_bundle_has_every_module_once_and_no_imports():
    script = bundle.script("report.js")
    assert script.count("function intervalList(") == 1
    assert script.index("function h(") < script.index("function intervalList(") < script.index("function startReport(")
    assert not re.search(r"^\s*(import|export)\s", script, re.MULTILINE)
    assert "</script" not in script


@pytest.mark.parametrize(
    ("modules", "wrong"),
    [
        ({"a.js": 'import { b as c } from "./b.js";\n', "b.js": "export const b = 1;\n"}, "renames"),
        ({"a.js": 'import * as b from "./b.js";\n', "b.js": ""}, "renames"),
        ({"a.js": 'import { b } from "./b.js";\nconst x = 1;\n', "b.js": "const x = 2;\nexport const b = x;\n"}, "'x'"),
        ({"a.js": 'import { b } from "./b.js";\n', "b.js": 'import { a } from "./a.js";\n'}, "circle"),
        ({"a.js": "export default 3;\n"}, "cannot be taken out"),
        ({"a.js": 'import "./b.js";\n', "b.js": ""}, "cannot be taken out"),
    ],
)
def test_modules_that_cannot_be_one_file_are_refused(monkeypatch, modules, wrong):
    monkeypatch.setattr(bundle, "static", lambda path: modules[path.removeprefix("js/")])
    with pytest.raises(RuntimeError, match=wrong):
        bundle.script.__wrapped__("a.js")


def test_pages_and_pictures_share_one_palette():
    light = bundle.static("css/tokens.css").split('[data-theme="dark"]')[0]
    for kind in ("strong", "weak", "irrelevant"):
        assert f"--{kind}: {palette.CLASS_COLOURS[kind]};" in light
        assert f"--{kind}-ink: {palette.CLASS_EDGES[kind]};" in light


def test_under_pins_comes_first_in_the_report_and_in_a_notebook():
    result = made_up_under_pins()
    page = result.to_html()
    parsed = Elements(page)
    assert next(text for text in parsed.text["p"] if text).startswith("Under these pins (without lost): 1 left out")
    assert "under these pins" in parsed.text["th"]
    assert "without pins" in parsed.text["th"]
    assert "0.000 – 0.800" in parsed.text["td"]
    assert "pinned, left out" in parsed.text["td"]
    assert "How far chance reaches." not in page
    cell = Elements(result._repr_html_())
    assert cell.text["strong"][0].startswith("Under these pins (without lost)")
    assert "pinned, left out" in cell.text["td"]


def test_evidence_route_and_norm_made_stand_in_the_table():
    result = made_up_by_evidence()
    for text in (result.to_html(), result._repr_html_()):
        parsed = Elements(text)
        assert {"evidence", "route"} <= set(parsed.text["th"])
        assert {"2.50", "need", "1.75", "cluster"} <= set(parsed.text["td"])
        (flag,) = [given for tag, given in parsed.tags if tag == "small"]
        assert flag["title"] == NORM_MADE
        assert parsed.text["small"] == [", norm-made"]
        assert "exceeds 0.80" in text
    old = Elements(made_up(feature("a", 0.1, 0.5, "strong")).to_html())
    assert "evidence" not in old.text["th"]


@pytest.mark.parametrize("pinned", [False, True])
def test_the_first_sentence_states_that_nothing_is_called_relevant(pinned):
    failed = replace(made_up_under_pins(), passed=False) if pinned else made_up_by_evidence(passed=False)
    for text in (failed.to_html(), failed._repr_html_()):
        assert next(words for words in Elements(text).text["p"] if words).startswith(
            "No feature is called relevant: on"
        )
    for text in (made_up_by_evidence().to_html(), made_up_by_evidence()._repr_html_()):
        assert "No feature is called relevant" not in text


@pytest.mark.parametrize("pinned", [False, True])
def test_every_row_has_a_cell_in_every_column(pinned):
    parts = {"setosa": (0.05, 0.2), "virginica": (-0.3, 0.1)}
    result = made_up_under_pins() if pinned else made_up_by_evidence()
    several = replace(result, features=tuple(replace(f, parts=parts) for f in result.features))
    for text in (several.to_html(), several._repr_html_()):
        for table in re.findall(r"<table.*?</table>", text, re.DOTALL):
            rows = re.findall(r"<tr.*?</tr>", table, re.DOTALL)
            assert len({len(re.findall(r"<t[hd][ >]", row)) for row in rows}) == 1


def test_the_weights_of_several_classes_have_rows():
    several = feature("size", 0.1, 0.5, "strong", parts={"setosa": (0.05, 0.2), "virginica": (-0.3, 0.1)})
    for text in (made_up(several).to_html(), made_up(several)._repr_html_()):
        parsed = Elements(text)
        assert any("virginica" in cell for cell in [*parsed.text["td"], *parsed.text.get("th", [])])
        assert any("0.300" in cell for kind in ("td", "data") for cell in parsed.text.get(kind, []))


def test_the_shaded_reach_of_chance_is_in_the_unit_of_each_bar():
    """The axis ends at 1, the largest total: chance covers .6 of a total's bar and .2 of a single weight's."""
    result = made_up_with_totals()
    shaded = r'<rect x="0" y="0" width="([0-9.]+)"[^>]*opacity="0.18"'
    for text, expected in ((result.to_html(), [0.6, 0.2, 0.2, 0.8]), (result._repr_html_(), [0.6, 0.2, 0.2])):
        found = [float(width) / BAR_SIZE[0] for width in re.findall(shaded, text)]
        assert found == pytest.approx(expected, abs=0.01)
