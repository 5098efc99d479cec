"""The table in a terminal: rows, bars and the account of the result, at any width and in any encoding."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from rich.console import Console

from made_up_results import made_up_by_evidence, made_up_under_pins, made_up_with_totals
from relspan.result import FeatureRelevance, RelevanceResult
from relspan.show.account import account
from relspan.show.marks import by_relevance
from relspan.show.terminal.result_table import NOT_BELOW_TABLE, show

FEATURES = (
    FeatureRelevance("noise", 0.0, 0.05, -0.05, 0.04, "irrelevant"),
    FeatureRelevance("twin", 0.0, 0.4, -0.1, 0.4, "weak"),
    FeatureRelevance("needed", 0.2, 0.3, -0.3, -0.2, "strong", 1e-12, 3e-9),
    FeatureRelevance("other twin", 0.0, 0.5, -0.2, 0.5, "weak"),
)
RESULT = RelevanceResult(
    task="classification",
    features=FEATURES,
    baseline={"C": 0.5, "l1_norm": 10.0, "loss": 20.0, "null_loss": 100.0, "score": 0.9, "scores": {}},
    budgets={"kind": "explained", "limits": [[1.0, 0.0, 11.0], [0.0, 1.0, 21.6]]},
    probes={"kind": "append", "sources": [], "lo": [-0.02] * 50, "hi": [0.02] * 50, "lost": 0},
    thresholds={"relevant": 0.1, "strong": 0.0001},
    parameters={"delta_norm": 0.1, "delta_loss": 0.02, "n_probes": 50},
    data={"n_samples": 60, "n_features": 4, "classes": {"no": 20, "yes": 40}, "target": "ill"},
    seconds={"baseline": 0.1, "bounds": 0.2, "probes": 0.3, "classes": 0.0, "total": 0.7},
)


def shown(result=RESULT, width=80, encoding="utf-8", everything=False, **options):
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding)
    show(result, Console(file=stream, width=width, highlight=False, **options), everything)
    stream.flush()
    return raw.getvalue().decode(encoding)


def words(text):
    return " ".join(text.split())


def renamed(name):
    return replace(RESULT, features=(replace(FEATURES[1], name=name), *FEATURES[2:]))


def test_rows_go_by_class_then_by_what_a_feature_can_reach():
    assert [f.name for f in by_relevance(FEATURES)] == ["needed", "other twin", "twin", "noise"]
    lines = shown().splitlines()
    at = [next(i for i, line in enumerate(lines) if line.startswith(n)) for n in ("needed", "other twin", "twin")]
    assert at == list(range(at[0], at[0] + 3))


def test_a_row_tells_class_ends_sign_and_bar():
    row = next(line for line in shown().splitlines() if line.startswith("needed"))
    assert row.split()[:6] == ["needed", "●", "strong", "0.200", "0.300", "-"]
    bar = row[row.index("-") + 1 :]
    assert bar.split()[0] == "┊"  # the threshold lies before this interval
    assert set(bar.split()[1]) <= set("╺━╸")
    row = next(line for line in shown().splitlines() if line.startswith("twin"))
    assert row.split()[:6] == ["twin", "◐", "weak", "0", "0.400", "±"]
    assert "┿" in row  # and inside this one


def test_irrelevant_features_have_rows_if_asked_for():
    assert "not shown: 1 irrelevant feature (noise)" in shown()
    assert not any(line.startswith("noise") for line in shown().splitlines())
    everything = shown(everything=True)
    assert any(line.startswith("noise") for line in everything.splitlines())
    assert "not shown" not in everything


def test_a_table_without_a_relevant_feature_still_speaks():
    text = shown(replace(RESULT, features=FEATURES[:1]))
    assert "0 strong" in text
    assert "not shown: 1 irrelevant feature (noise)" in text


def test_the_counts_and_the_account_stand_below():
    text = words(shown())
    assert "● 1 strong ◐ 2 weak · 1 irrelevant" in text
    for entry in account(RESULT):
        assert (entry.sentence in text) != (entry.key in NOT_BELOW_TABLE)


def test_a_partial_result_says_what_is_missing():
    cut = tuple(replace(f, relevance="undecided") for f in FEATURES)
    text = words(shown(replace(RESULT, features=cut, partial=True, thresholds={}, probes={}, unfinished=("z",))))
    assert "interrupted" in text
    assert "strong" not in text


@pytest.mark.parametrize("name", ["[bold]x", "[/]", ":smile:", "[link=http://x]", "50%", "größe (µm)", "体重"])
def test_names_are_shown_literally(name):
    assert name in shown(renamed(name), color_system="standard", force_terminal=True)


def test_names_cannot_steer_the_terminal():
    text = shown(renamed("a\x1b[31mb\nc\u202ed"))
    assert "a\\x1b[31mb\\nc\\u202ed" in text
    assert "\x1b" not in text


@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
def test_no_line_is_wider_than_the_terminal_and_no_name_is_cut(width):
    text = shown(renamed("#" * 85), width=width)
    assert max(map(len, text.splitlines())) <= width
    assert text.count("#") == 85


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_a_terminal_without_unicode_gets_ascii(encoding):
    text = shown(encoding=encoding)
    assert text.isascii()
    assert "* strong" in text
    assert "o weak" in text


def test_colour_is_never_the_only_carrier():
    plain = shown(color_system=None)
    coloured = shown(color_system="truecolor", force_terminal=True)
    assert "\x1b[" in coloured
    assert "\x1b" not in plain
    for word in ("● strong", "◐ weak", "· 1 irrelevant"):
        assert word in plain


@pytest.mark.parametrize("width", [80, 100])
def test_a_row_has_its_evidence_and_its_route(width):
    lines = shown(made_up_by_evidence(), width=width).splitlines()
    assert max(map(len, lines)) <= width
    rows = {line.split()[0]: line.split() for line in lines if line.startswith(("sure", "twin"))}
    assert rows["sure"][3:8] == ["0.300", "0.400", "+", "2.50", "need"]
    assert rows["twin"][3:8] == ["0", "0.500", "±", "1.75", "cluster"]


def test_names_have_room_before_the_route_has():
    """A long name is not folded for the route; then the route is not explained below either."""
    result = made_up_by_evidence()
    long = replace(result, features=(replace(result["sure"], name="worst fractal dimension"), *result.features[1:]))
    text = shown(long, width=80)
    row = next(line for line in text.splitlines() if line.startswith("worst fractal dimension"))
    assert "2.50" in row
    assert re.search(r"^feature .* 0.500$", text, re.MULTILINE)  # the axis is whole
    assert "need" not in row
    assert "The route is" not in words(text)
    assert "Evidence is the mean" in words(text)
    assert "need" in next(line for line in shown(long, width=100).splitlines() if line.startswith("worst"))


def test_evidence_that_is_only_a_bound_is_marked():
    result = made_up_by_evidence()
    bounded = replace(result, features=tuple(replace(f, solved=f.name != "noise") for f in result.features))
    for text in (shown(bounded, width=100, everything=True), bounded.to_text(everything=True)):
        (row,) = [line.split() for line in text.splitlines() if line.startswith("noise")]
        assert "<=0.55" in row
        assert "2.50" in text
        assert "<=2.50" not in text
    for page in (bounded.to_html(), bounded._repr_html_()):
        assert ">≤ 0.55<" in page


def test_a_result_by_the_papers_rule_has_no_evidence():
    for text in (shown(width=120), str(RESULT)):
        assert "vidence" not in text
        assert "route" not in text


@pytest.mark.parametrize("pinned", [False, True])
def test_the_first_line_states_that_nothing_is_called_relevant(pinned):
    failed = replace(made_up_under_pins(), passed=False) if pinned else made_up_by_evidence(passed=False)
    sentence = (
        "No feature is called relevant: on rows left out of its fit, the best model predicts no better than chance."
    )
    for text in (shown(failed, width=120), str(failed)):
        assert text.splitlines()[0] == sentence
        assert words(text).count(sentence) == 1
    assert "No feature is called relevant" not in shown(made_up_by_evidence()) + str(made_up_by_evidence())


def test_plain_text_has_evidence_route_and_what_is_norm_made():
    lines = str(made_up_by_evidence()).splitlines()
    assert lines[0].split() == ["feature", "class", "min", "max", "evidence", "route"]
    assert lines[1].split()[:7] == ["sure", "●", "strong", "0.300", "0.400", "2.50", "need"]
    assert max(map(len, lines)) <= 100
    assert lines[2].index("━") == len(lines[0]) + len("association  ") - len("route")
    assert lines[-1] == "needed only because of the norm budget: other; twin"


def test_under_pins_the_first_line_names_them_and_every_row_has_its_effect():
    text = shown(made_up_under_pins(), width=120)
    lines = text.splitlines()
    assert lines[1] == "Under these pins: without lost"
    assert "vidence" not in text
    row = next(line for line in lines if line.startswith("substitute"))
    assert row.split()[:7] == ["substitute", "◐", "weak", "0.250", "0.600", "+", "needed"]
    assert any(line.startswith("noise") for line in lines)  # an irrelevant feature that is needed is not hidden
    assert not any(line.startswith("more noise") for line in lines)
    assert "under these pins 1 left out 2 needed 1 moved 2 unmoved" in words(text)
    assert "without pins ● 1 strong ◐ 3 weak · 2 irrelevant" in words(text)
    assert "┊" not in text


def test_under_pins_plain_text_names_them_first():
    text = str(made_up_under_pins())
    assert text.startswith("Under these pins: without lost\n")
    assert re.search(r"^lost +◐ weak +0.000 +0.000 +pinned, left out ", text, re.MULTILINE)
    assert text.endswith("and 1 irrelevant feature")
    known = replace(made_up_under_pins(), features=made_up_by_evidence().features)
    pinned = tuple(replace(f, under_pins=made_up_under_pins()["sure"].under_pins) for f in known.features)
    assert "evidence" not in str(replace(known, features=pinned))


def test_the_weights_of_several_classes_follow_their_feature():
    several = replace(FEATURES[2], lo=0.2, hi=0.3, parts={"a": (0.05, 0.2), "b": (-0.15, 0.0)})
    result = replace(RESULT, features=(several,))
    for text in (shown(result), result.to_text()):
        rows = [line.split() for line in text.splitlines()]
        at = next(i for i, row in enumerate(rows) if row[:1] == ["needed"])
        assert rows[at + 1][:3] == ["a", "0.050", "0.200"]
        assert rows[at + 2][0] == "b"
        assert rows[at + 2][2] == "0.150"


def test_every_mark_is_that_of_its_own_row():
    """Totals, single weights and each group have thresholds of their own; a group without one has no mark."""
    lines = shown(made_up_with_totals(), width=120, everything=True).splitlines()
    head, size, setosa, known, unknown = (
        next(line for line in lines if line.strip().startswith(name))
        for name in ("feature", "size", "setosa", "known", "unknown")
    )
    bars = head.index("▾") - size.index("┊")
    assert bars == 0  # the pointer of the axis stands above the marks of the totals
    assert "┿" in setosa
    assert setosa.index("┿") < size.index("┊")
    assert "┿" in known
    assert "▾" not in next(line for line in lines if line.startswith("group"))
    assert not {"┊", "┿"} & set(unknown)
