"""Covariates: free columns that every model may use, and beyond which features are judged."""

from __future__ import annotations

import json
from html import unescape

import numpy as np
import pytest
from scipy.optimize import linprog
from typer.testing import CliRunner

from relspan import RelevanceClassifier, RelevanceRegressor, RelevanceSurvival, estimator_for
from relspan.cli.app import app
from relspan.errors import DataError, ParameterError
from relspan.explore import Explorer
from relspan.result import RelevanceResult
from relspan.show.account import account

pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
QUICK = {"C": 0.3, "n_probes": 10, "random_state": 0}
COVARIATES = [6, 7]
NAMES = ["proxy", "marker", "n1", "n2", "n3", "n4", "age", "sex"]


def table(n: int, seed: int):
    """Age and sex decide, and so does a marker; a proxy knows about age, and nothing else."""
    rng = np.random.default_rng(seed)
    age, sex = rng.standard_normal(n), rng.integers(0, 2, n)
    X = rng.standard_normal((n, 6))
    X[:, 0] += 1.5 * age
    score = 2 * age + 0.8 * (2 * sex - 1) + X[:, 1] + 0.3 * rng.standard_normal(n)
    return np.column_stack([X, 60 + 10 * age, sex]), score


def target(task: str, score: np.ndarray) -> np.ndarray:
    if task == "classification":
        return (score > 0).astype(int)
    if task == "ordinal":
        return np.digitize(score, [-1, 1])
    if task == "survival":
        return np.column_stack([np.exp(-score), np.random.default_rng(0).random(len(score)) < 0.7])
    return score


@pytest.mark.slow
@pytest.mark.parametrize("task", ["classification", "regression", "survival"])
def test_a_proxy_of_age_loses_its_class_and_the_marker_keeps_it(task: str) -> None:
    tables_with_a_false_call = 0
    for seed in range(2):  # ten seeds: python -m benchmarks planted-questions
        X, score = table(200, seed)
        y = target(task, score)
        plain = estimator_for(task, random_state=0).fit(X[:, :6], y).relevance_
        beyond = estimator_for(task, covariates=COVARIATES, random_state=0).fit(X, y).relevance_
        assert plain[0] == 2
        assert beyond[:2].tolist() == [0, 2]
        assert beyond[6:].tolist() == [-1, -1]
        tables_with_a_false_call += bool(beyond[2:6].any())
    assert tables_with_a_false_call == 0


@pytest.mark.slow
def test_covariates_that_know_everything_about_the_target_leave_nothing_by_chance() -> None:
    called = 0
    for seed in range(4):
        X, score = table(150, seed)
        y = (score - X[:, 1] + 0.5 * np.random.default_rng(seed).standard_normal(150) > 0).astype(int)  # no marker
        called += bool((RelevanceClassifier(covariates=COVARIATES, random_state=0).fit(X, y).relevance_ > 0).any())
    assert called == 0


X, SCORE = table(80, 0)
Y = target("classification", SCORE)


@pytest.fixture(scope="module")
def fitted():
    return RelevanceClassifier(covariates=COVARIATES, **QUICK).fit(X, Y)


def test_ranges_are_those_of_a_plain_linear_program(fitted) -> None:
    """Written anew with the columns as they are: free coefficients of age and sex, and weights in the table's units."""
    budgets = fitted.result_.budgets
    found = fitted.result_
    family = fitted.result_.certificates.family
    norm, loss = family.largest_norm, family.largest_loss
    sign, d, n = 2.0 * Y - 1, 6, len(Y)
    covariates = np.column_stack([np.ones(n), X[:, 6:]])
    left = X[:, :6] - covariates @ np.linalg.lstsq(covariates, X[:, :6], rcond=None)[0]
    scale = left.std(axis=0)  # the price of a weight is the deviation of what is left of its column
    raw = sign[:, None] * X[:, :6]
    free = sign[:, None] * covariates
    hinges = np.hstack([-raw, raw, -free, free, -np.eye(n)])
    width = 2 * d + 6 + n
    limits = np.zeros((2, width))
    limits[0, : 2 * d], limits[1, -n:] = np.tile(scale, 2), 1.0
    for j, feature in enumerate(found.features):
        for s, end in ((1, feature.hi), (-1, -feature.lo)):
            c = np.zeros(width)
            c[j], c[d + j] = -s * scale[j], s * scale[j]
            plain = linprog(c, np.vstack([hinges, limits]), np.concatenate([-np.ones(n), [norm, loss]]))
            assert -plain.fun / found.baseline["l1_norm"] == pytest.approx(end, abs=1e-5)
    assert budgets
    assert found.certificates.verify() < 2e-6


@pytest.mark.parametrize("engine", ["exact", "batched", "reference"])
def test_engines_agree(engine: str, fitted) -> None:
    other = RelevanceClassifier(covariates=COVARIATES, engine=engine, **QUICK).fit(X, Y)
    np.testing.assert_allclose(other.intervals_[:6], fitted.intervals_[:6], atol=3e-6)


def test_the_null_model_uses_the_covariates(fitted) -> None:
    alone = RelevanceClassifier(**{**QUICK, "C": 1e6}).fit(X[:, 6:], Y)  # so that norm costs nothing
    assert fitted.result_.baseline["null_loss"] == pytest.approx(alone.result_.baseline["loss"], rel=1e-5)


def test_units_and_codes_of_covariates_do_not_count(fitted) -> None:
    """Other units, another origin, and both levels of a category in place of one: all span the same."""
    other = np.column_stack([X[:, :6], 365 * X[:, 6] - 7, X[:, 7], 1 - X[:, 7], np.ones(len(X))])
    same = RelevanceClassifier(covariates=[6, 7, 8, 9], **QUICK).fit(other, Y)
    np.testing.assert_allclose(same.intervals_[:6], fitted.intervals_[:6], atol=1e-6)
    assert same.relevance_[:6].tolist() == fitted.relevance_[:6].tolist()


def test_mixing_covariates_into_a_feature_does_not_count(fitted) -> None:
    mixed = X.copy()
    mixed[:, 1] += 3 * X[:, 6] - 5 * X[:, 7]
    same = RelevanceClassifier(covariates=COVARIATES, **QUICK).fit(mixed, Y)
    np.testing.assert_allclose(same.intervals_[:6], fitted.intervals_[:6], atol=1e-6)


def test_whole_weights_equal_repeated_rows() -> None:
    times = np.random.default_rng(0).integers(0, 4, len(Y))
    again = np.repeat(np.arange(len(Y)), times)
    weighted = RelevanceClassifier(covariates=COVARIATES, **QUICK).fit(X, Y, sample_weight=times)
    repeated = RelevanceClassifier(covariates=COVARIATES, **QUICK).fit(X[again], Y[again])
    np.testing.assert_allclose(weighted.intervals_[:6], repeated.intervals_[:6], atol=1e-6)
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, atol=1e-6)


@pytest.mark.parametrize("task", ["classification", "regression", "ordinal", "quantile", "reject", "survival"])
def test_every_task_with_one_score_takes_them(task: str) -> None:
    y = target("classification" if task == "reject" else task, SCORE)
    model = estimator_for(task, covariates=COVARIATES, **QUICK).fit(X, y)
    assert model.relevance_[6:].tolist() == [-1, -1]
    assert [feature.name for feature in model.result_.features] == [f"x{j}" for j in range(6)]
    explorer = model.explore()
    samples = explorer.predictions(X[:4])
    score = model.decision_function(X[:4]) if hasattr(model, "decision_function") else model.predict(X[:4])
    for sample, own in zip(samples.samples, score, strict=True):
        if task != "ordinal":  # whose score has no offset
            assert sample.score == pytest.approx(own, abs=1e-6)
        assert sample.lo - 1e-6 <= sample.score <= sample.hi + 1e-6
    everyone = explorer.predictions()
    np.testing.assert_allclose(everyone.intervals[:4], samples.intervals, atol=1e-6)


def test_attributes_have_a_place_for_every_column(fitted) -> None:
    assert fitted.intervals_.shape == (8, 2)
    assert np.isnan(fitted.intervals_[6:]).all()
    assert np.isnan(fitted.signed_intervals_[6:]).all()
    assert fitted.support_[6:].all()
    assert fitted.transform(X).shape[1] == 2 + (fitted.relevance_ > 0).sum()
    by_hand = X @ fitted.coef_.ravel() + fitted.intercept_
    np.testing.assert_allclose(fitted.decision_function(X), by_hand)


def test_a_session_is_explored_saved_and_loaded(fitted, tmp_path) -> None:
    explorer = fitted.explore()
    model = explorer.model()
    assert list(model.weights) == [f"x{j}" for j in range(8)]
    by_hand = X @ np.array(list(model.weights.values())) + model.offsets[0]
    np.testing.assert_allclose([p.score for p in explorer.predictions().samples], by_hand, atol=1e-6)
    assert "x1" in explorer.smallest_panel().features
    explorer.save(tmp_path / "session.json")
    again = Explorer.load(tmp_path / "session.json")
    np.testing.assert_allclose(again.predictions(X).intervals, explorer.predictions(X).intervals, atol=1e-6)
    explorer.pin("x1", (0.5, 0.7))
    assert explorer.result["x1"].min >= 0.5 - 1e-6
    with pytest.raises(ParameterError, match="'x6' is a covariate"):
        explorer.pin("x6", (0, 0.0))


def test_the_result_says_beyond_what(fitted) -> None:
    result = RelevanceResult.from_json(fitted.result_.to_json())
    entries = {entry.key: entry for entry in account(result)}
    assert entries["summary"].sentence.startswith("6 features beyond 'x6' and 'x7': ")
    assert "Every model may use 'x6' and 'x7' without a price" in entries["adjusted"].sentence
    assert "beyond 'x6' and 'x7'" in unescape(result.to_html())


def test_a_category_of_a_frame_is_one_covariate_or_one_feature() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X, columns=NAMES)
    frame["site"] = np.array(["north", "south", "west"])[np.arange(len(X)) % 3]
    frame["kind"] = np.array(["a", "b", "c"])[np.arange(len(X)) // 2 % 3]
    model = RelevanceClassifier(covariates=["age", "sex", "site"], **QUICK).fit(frame, Y)
    assert [f.name for f in model.result_.features] == [*NAMES[:6], "kind"]
    assert model.relevance_.shape == (10,)
    assert (model.relevance_ == -1).tolist() == [name in ("age", "sex", "site") for name in frame]
    by_hand = pd.concat([frame[[*NAMES, "kind"]], pd.get_dummies(frame["site"], dtype=float)], axis=1)
    same = RelevanceClassifier(covariates=["age", "sex", "north", "south", "west"], **QUICK).fit(by_hand, Y)
    np.testing.assert_allclose(model.intervals_[:6], same.intervals_[:6], atol=2e-6)
    explorer = model.explore()
    np.testing.assert_allclose(
        [p.score for p in explorer.predictions(frame).samples], model.decision_function(frame), atol=1e-6
    )
    with pytest.raises(ParameterError, match="'site' is a covariate"):
        explorer.without("site")
    with pytest.raises(ParameterError, match="which is not a column"):
        RelevanceClassifier(covariates=["place"], **QUICK).fit(frame, Y)


def test_groups_of_rows_and_of_features_go_with_them() -> None:
    model = RelevanceClassifier(covariates=COVARIATES, feature_groups={"both": [1, 2]}, **QUICK)
    model.fit(X, Y, groups=np.repeat(np.arange(40), 2))
    (group,) = model.result_.groups
    assert group.members == ("x1", "x2")
    assert group.max >= model.result_["x1"].max - 1e-9


@pytest.mark.parametrize(
    ("covariates", "reason"),
    [
        ("age", "covariates must list columns"),
        (["height"], "covariates name 'height', which is not a column"),
        ([17], "covariates list 17; the table has columns 0 to 7"),
        ([6, 6], "covariates name 'x6' twice"),
        (list(range(8)), "no feature is left to judge"),
    ],
)
def test_covariates_that_mean_nothing_are_refused(covariates, reason: str) -> None:
    with pytest.raises((DataError, ParameterError), match=reason):
        RelevanceClassifier(covariates=covariates, **QUICK).fit(X, Y)


def test_a_covariate_that_is_also_a_feature_is_refused() -> None:
    with pytest.raises(DataError, match="'x8' can be computed from the covariates 'x6', 'x7'"):
        RelevanceClassifier(covariates=COVARIATES, **QUICK).fit(np.column_stack([X, 12 * X[:, 6] + X[:, 7]]), Y)
    with pytest.raises(ParameterError, match="'x6' is a covariate and a feature of the group 'both'"):
        RelevanceClassifier(covariates=COVARIATES, feature_groups={"both": [1, 6]}, **QUICK).fit(X, Y)


def test_covariates_that_explain_everything_are_refused() -> None:
    for model, y in (
        (RelevanceClassifier, (X[:, 6] > 60).astype(int)),
        (RelevanceRegressor, X[:, 6] + X[:, 7]),
        (RelevanceSurvival, np.column_stack([np.exp(-X[:, 6] / 10), np.ones(len(X))])),
    ):
        with pytest.raises(DataError, match="'x6', 'x7' explain the target completely"):
            model(covariates=COVARIATES, **QUICK).fit(X, y)


def test_what_cannot_be_combined_is_refused() -> None:
    from scipy import sparse

    with pytest.raises(ParameterError, match="one score per sample"):
        RelevanceClassifier(covariates=COVARIATES, **QUICK).fit(X, target("ordinal", SCORE))
    with pytest.raises(ParameterError, match="privileged"):
        RelevanceClassifier(covariates=COVARIATES, **QUICK).fit(X[:, :8], Y, privileged=X[:, :1])
    with pytest.raises(DataError, match="dense"):
        RelevanceClassifier(covariates=COVARIATES, **QUICK).fit(sparse.csr_array(X), Y)


def test_the_command_line(tmp_path) -> None:
    file, model = tmp_path / "table.csv", str(tmp_path / "model.json")
    site = np.array(["north", "south", "west"])[np.arange(len(X)) % 3]
    lines = [",".join([*NAMES, "site", "ill"])]
    lines += [",".join([*map(str, row), where, str(y)]) for row, where, y in zip(X, site, Y, strict=True)]
    file.write_text("\n".join(lines) + "\n")
    words = ["analyze", str(file), "--target", "ill", "--categorical", "site", "--adjust", "age,sex,site", "--C", "0.3"]
    words += ["--n-probes", "5", "-f", "json", "-q"]
    done = CliRunner().invoke(app, [*words, "--save-model", model])
    assert done.exit_code == 0, done.output
    result = RelevanceResult.from_json(done.stdout)
    assert [feature.name for feature in result.features] == NAMES[:6]
    assert result.data["adjusted_for"] == ["age", "sex", "site"]
    assert len(result.data["covariates"]) == 5
    assert "6 features beyond 'age', 'sex' and 'site': " in " ".join(entry.sentence for entry in account(result))
    done = CliRunner().invoke(app, ["predict", str(file), "--model", model, "-f", "json"])
    assert done.exit_code == 0, done.output
    assert len(json.loads(done.stdout)["samples"]) == len(X)
    for wrong, reason in (("ill", "a covariate is neither target"), ("height", "height")):
        done = CliRunner().invoke(app, ["analyze", str(file), "--target", "ill", "--drop", "site", "--adjust", wrong])
        assert done.exit_code != 0
        assert reason in " ".join(done.stderr.split())
