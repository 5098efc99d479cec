"""Filters, recursive elimination, wrappers: what they must find, and what they are known to miss."""

from itertools import combinations

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from relspan.errors import DataError, ParameterError, RelspanWarning
from relspan.selectors import (
    AssociationFilter,
    BranchAndBound,
    ExhaustiveSearch,
    GeneticSearch,
    GreedyWrapper,
    HalvingRFE,
)
from relspan.selectors.association_filter import association
from relspan.selectors.branch_and_bound import explained_variance
from relspan.selectors.greedy_wrapper import greedy_search
from relspan.selectors.removal_tree import FewestFeatures

TREE = DecisionTreeClassifier(random_state=0)
FOLDS = StratifiedKFold(4, shuffle=True, random_state=0)


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    return StandardScaler().fit_transform(X), y


@pytest.fixture
def parity():
    """y is the parity of three bits; each of them alone, and each pair, says nothing."""
    bits = np.array(np.meshgrid([0, 1], [0, 1], [0, 1])).reshape(3, -1).T
    X = np.tile(bits, (20, 1))
    return X.astype(float), X.sum(axis=1) % 2


# Association


def test_measures_against_independent_formulas(cancer):
    X, y = cancer
    expected = [abs(stats.pearsonr(X[:, j], y).statistic) for j in range(X.shape[1])]
    np.testing.assert_allclose(association(X, y, "pearson"), expected, rtol=1e-10)
    F = [stats.f_oneway(X[y == 0, j], X[y == 1, j]).statistic for j in range(X.shape[1])]
    np.testing.assert_allclose(association(X, y, "fisher") * (len(y) - 2), F, rtol=1e-9)
    levels = (np.median(X, axis=0) < X).astype(int)
    tables = [stats.contingency.crosstab(levels[:, j], y).count for j in range(X.shape[1])]
    for measure, kind in (("chi2", "pearson"), ("g2", "log-likelihood")):
        found = [stats.chi2_contingency(t, correction=False, lambda_=kind) for t in tables]
        log_p = [stats.chi2.logsf(f.statistic, f.dof) for f in found]
        np.testing.assert_allclose(association(levels, y, measure), -np.array(log_p), rtol=1e-8)
        np.testing.assert_allclose(association(X, y, measure, n_bins=2), -np.array(log_p), rtol=1e-8)
    joint = [t / t.sum() for t in tables]
    gain = [stats.entropy(q.sum(0)) + stats.entropy(q.sum(1)) - stats.entropy(q.ravel()) for q in joint]
    np.testing.assert_allclose(association(levels, y, "information"), gain, rtol=1e-9)


def test_constant_and_perfect_columns():
    y = np.repeat([0, 1], 30)
    X = np.column_stack([np.full(60, 0.1), y, np.random.default_rng(0).normal(size=60)])
    for measure in ("g2", "chi2", "information", "pearson", "fisher"):
        found = association(X, y, measure)
        assert np.isfinite(found).all()
        assert found[0] == 0.0
        assert found.argmax() == 1


def test_measures_that_need_classes_say_so():
    X, y = load_diabetes(return_X_y=True)
    assert association(X, y + 0.5, "pearson").argmax() == 2
    with pytest.raises(DataError, match="y is continuous: use measure='pearson'"):
        association(X, y + 0.5, "fisher")
    with pytest.raises(DataError, match="not 3 labels"):
        association(X[:3], np.array(["a", "b", "c"]), "pearson")
    with pytest.raises(ParameterError, match=r"measure must be one of .* not 'mutual'"):
        association(X, y, "mutual")


def test_filter_takes_the_strongest(cancer):
    X, y = cancer
    selector = AssociationFilter(measure="pearson", n_features=3).fit(X, y)
    assert set(np.flatnonzero(selector.support_)) == set(np.argsort(-selector.scores_)[:3])
    with pytest.raises(ParameterError, match=r"n_features must .* at most 30, not 31"):
        AssociationFilter(n_features=31).fit(X, y)


@pytest.mark.slow
def test_filter_size_by_cross_validation_ranks_inside_the_folds():
    """On noise, ranking outside the folds would look good; inside it stays at chance."""
    random = np.random.default_rng(0)
    X, y = random.normal(size=(60, 2000)), np.tile([0, 1], 30)
    selector = AssociationFilter(measure="pearson").fit(X, y)
    assert selector.sizes_ == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2000]
    assert max(selector.size_scores_) < 0.7
    leaked = AssociationFilter(measure="pearson", n_features=16).fit(X, y)
    assert cross_val_score(SVC(kernel="linear"), X[:, leaked.support_], y, cv=5).mean() > 0.8


# Recursive feature elimination


def test_halving_really_halves(cancer):
    X, y = cancer
    selector = HalvingRFE(cv=3).fit(X, y)
    assert selector.sizes_ == [30, 15, 8, 4, 2, 1]
    assert len(selector.size_scores_) == 6
    assert selector.support_.sum() in selector.sizes_
    for rank, size in zip(range(6, 0, -1), selector.sizes_, strict=True):
        assert (selector.ranking_ <= rank).sum() == size


def test_elimination_by_hand(cancer):
    X, y = cancer
    columns = np.arange(30)
    while len(columns) > 4:
        wsix = SVC(kernel="linear").fit(X[:, columns], y).coef_[0] ** 2
        columns = columns[np.argsort(-wsix)[: (len(columns) + 1) // 2]]
    selector = HalvingRFE(n_features=4).fit(X, y)
    assert sorted(columns) == np.flatnonzero(selector.support_).tolist()
    assert HalvingRFE(n_features=5).fit(X, y).support_.sum() == 5


def test_elimination_needs_wsixs(cancer):
    X, y = cancer
    with pytest.raises(ParameterError, match="has no coef_"):
        HalvingRFE(KNeighborsClassifier()).fit(X, y)
    with pytest.raises(ParameterError, match=r"n_features .* not 0"):
        HalvingRFE(n_features=0).fit(X, y)


def test_elimination_with_more_than_two_classes(iris):
    X, y = iris
    assert HalvingRFE(LogisticRegression(max_iter=1000), n_features=2).fit(X, y).get_support().tolist() == [0, 0, 1, 1]


# Greedy wrappers


def test_forward_search_is_blind_to_parity(parity):
    """The documented failure: no single bit helps, so the search stops after its first feature."""
    X, y = parity
    forward = GreedyWrapper(TREE, direction="forward", cv=FOLDS).fit(X, y)
    assert forward.support_.sum() == 1
    assert forward.score_ < 0.6


@pytest.mark.parametrize("direction", ["backward", "forward-backward"])
def test_backward_searches_keep_all_three_bits(parity, direction):
    X, y = parity
    X = np.column_stack([X, np.random.default_rng(1).integers(0, 2, len(X))])
    selector = GreedyWrapper(TREE, direction=direction, cv=FOLDS).fit(X, y)
    assert selector.support_.tolist() == [True, True, True, False]
    assert selector.score_ == 1.0
    assert selector.full_score_ <= selector.score_


def test_forward_equals_scikit_learn(iris):
    X, y = iris
    learner = KNeighborsClassifier()
    for size in (1, 2, 3):
        theirs = SequentialFeatureSelector(learner, n_features_to_select=size, cv=FOLDS).fit(X, y)
        ours = GreedyWrapper(learner, direction="forward", cv=FOLDS, max_features=size).fit(X, y)
        if ours.support_.sum() == size:
            np.testing.assert_array_equal(ours.support_, theirs.support_)
    assert GreedyWrapper(learner, direction="forward", cv=FOLDS, max_features=2).fit(X, y).support_.sum() == 2


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_forward_backward_is_never_below_the_full_set(seed):
    random = np.random.default_rng(seed)
    X = random.normal(size=(80, 6))
    y = (X[:, 0] * X[:, 1] + 0.3 * random.normal(size=80) > 0).astype(int)
    selector = GreedyWrapper(cv=4).fit(X, y)
    assert selector.score_ >= selector.full_score_
    assert selector.history_[-1][2] == selector.score_
    assert GreedyWrapper(direction="backward", cv=4).fit(X, y).score_ >= selector.full_score_


@pytest.mark.parametrize("direction", ["forward", "backward", "forward-backward"])
@pytest.mark.parametrize("seed", range(4))
def test_sweeps_end_where_no_single_step_helps(direction, seed):
    """Property, on a made-up score: with "first" as with "best", no feature can be added or removed any more."""
    random = np.random.default_rng(seed)
    gains, pairs = random.normal(size=12), np.triu(random.normal(size=(12, 12)))

    def score(columns):
        inside = np.isin(np.arange(12), list(columns)).astype(float)
        return gains @ inside + 0.3 * inside @ pairs @ inside

    for step in ("best", "first"):
        found = greedy_search(score, 12, direction, step=step)
        chosen = set(found.columns)
        assert found.best_score == pytest.approx(score(chosen))
        if direction != "backward":
            assert all(score(chosen | {x}) <= found.best_score + 1e-9 for x in range(12))
        if direction != "forward" and len(chosen) > 1:
            assert all(score(chosen - {x}) < found.best_score for x in chosen)


def test_sweeps_score_far_fewer_sets(cancer):
    """A backward sweep over p columns scores some p sets, the best-first search some p^2 / 2."""
    X, y = cancer
    sweep, best = (
        GreedyWrapper(GaussianNB(), direction="backward", step=step, cv=2).fit(X, y) for step in ("first", "best")
    )
    assert sweep.n_evaluations_ < best.n_evaluations_ / 2
    assert min(sweep.score_, best.score_) >= sweep.full_score_ == best.full_score_
    assert [what for what, _, _ in sweep.history_] == ["remove"] * (30 - sweep.support_.sum())
    one = GreedyWrapper(GaussianNB(), direction="forward", step="first", cv=2, max_features=2).fit(X, y)
    assert one.support_.sum() == 2


def test_greedy_parameters(iris):
    X, y = iris
    with pytest.raises(ParameterError, match=r"step .* not 'next'"):
        GreedyWrapper(step="next").fit(X, y)
    with pytest.raises(ParameterError, match=r"direction .* not 'sideways'"):
        GreedyWrapper(direction="sideways").fit(X, y)
    with pytest.raises(ParameterError, match=r"tol .* not -1"):
        GreedyWrapper(tol=-1).fit(X, y)
    with pytest.raises(ParameterError, match=r"max_features .* not 0"):
        GreedyWrapper(max_features=0).fit(X, y)


# Exhaustive, genetic, branch and bound


@pytest.fixture(scope="module")
def six():
    random = np.random.default_rng(5)
    X = random.normal(size=(120, 6))
    y = (X[:, 1] + X[:, 2] * X[:, 5] + 0.3 * random.normal(size=120) > 0).astype(int)
    return X, y


@pytest.mark.slow
def test_genetic_search_equals_exhaustive_search(six, parity):
    for X, y in (six, parity):
        all_of_them = ExhaustiveSearch(cv=FOLDS, size_penalty=0.01).fit(X, y)
        assert all_of_them.n_evaluations_ == 2 ** X.shape[1] - 1
        evolved = GeneticSearch(cv=FOLDS, size_penalty=0.01, random_state=0).fit(X, y)
        assert evolved.fitness_ == pytest.approx(all_of_them.fitness_, abs=1e-12)
        np.testing.assert_array_equal(evolved.support_, all_of_them.support_)
        assert evolved.score_ - 0.01 * evolved.support_.sum() / X.shape[1] == pytest.approx(evolved.fitness_)


@pytest.mark.slow
def test_genetic_search_is_seeded_and_keeps_its_history(six):
    X, y = six
    first, second = (GeneticSearch(cv=3, population=8, generations=4, random_state=1).fit(X, y) for _ in range(2))
    assert first.history_ == second.history_
    np.testing.assert_array_equal(first.support_, second.support_)
    best = [g.best_fitness for g in first.history_]
    assert best == sorted(best)
    assert len(first.history_) == 5
    assert first.n_evaluations_ <= 8 + 4 * 6  # the first generation, then all but the elite


@pytest.mark.slow
def test_the_size_penalty_shrinks(six):
    X, y = six
    sizes = [ExhaustiveSearch(cv=3, size_penalty=c).fit(X, y).support_.sum() for c in (0.0, 0.3, 10.0)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 1


def test_genetic_parameters(iris):
    X, y = iris
    for wrong in ({"population": 1}, {"elite": 40}, {"mutation": 2.0}, {"initial_share": 0.0}, {"generations": 0}):
        with pytest.raises(ParameterError, match=next(iter(wrong))):
            GeneticSearch(**wrong).fit(X, y)


@pytest.mark.slow
def test_exhaustive_search_refuses_what_it_cannot_do(cancer):
    X, y = cancer
    with pytest.raises(ParameterError, match="30 features have 1073741823 subsets of up to 30"):
        ExhaustiveSearch().fit(X, y)
    with pytest.raises(ParameterError, match=r"max_size .* not 0"):
        ExhaustiveSearch(max_size=0).fit(X, y)
    assert ExhaustiveSearch(max_size=1, cv=3).fit(X, y).support_.sum() == 1


@pytest.mark.parametrize("size", [1, 2, 4, 6])
@pytest.mark.parametrize("load", [load_diabetes, load_iris])
def test_branch_and_bound_equals_exhaustive_search(load, size):
    X, y = load(return_X_y=True)
    size = min(size, X.shape[1])
    selector = BranchAndBound(n_features=size).fit(X, y)
    target = y[:, None] if load is load_diabetes else (y[:, None] == np.unique(y)).astype(float)
    target = target - target.mean(axis=0)

    def explained(columns):
        """Canonical correlations as singular values of the product of two orthonormal bases."""
        Q = np.linalg.qr(X[:, columns] - X[:, columns].mean(axis=0))[0]
        U = np.linalg.svd(target, full_matrices=False)
        basis = U[0][:, U[1] > 1e-9]
        return np.sum(np.linalg.svd(Q.T @ basis, compute_uv=False) ** 2)

    best = max(combinations(range(X.shape[1]), size), key=explained)
    assert np.flatnonzero(selector.support_).tolist() == list(best)
    assert selector.value_ == pytest.approx(explained(best), rel=1e-9)
    assert selector.proven_


def test_r_squared_is_the_built_in_criterion():
    X, y = load_diabetes(return_X_y=True)
    selector = BranchAndBound(n_features=3).fit(X, y)
    chosen = X[:, selector.support_]
    assert selector.value_ == pytest.approx(LinearRegression().fit(chosen, y).score(chosen, y), rel=1e-10)


def test_branch_and_bound_saves_work_and_takes_any_monotone_criterion():
    X, y = load_diabetes(return_X_y=True)
    own = BranchAndBound(n_features=5, criterion=lambda A, t: LinearRegression().fit(A, t).score(A, t)).fit(X, y)
    np.testing.assert_array_equal(own.support_, BranchAndBound(n_features=5).fit(X, y).support_)
    assert own.n_evaluations_ < 252  # 10 choose 5


def test_branch_and_bound_refuses_a_criterion_that_is_not_monotone(six):
    X, y = six
    with pytest.raises(ParameterError, match="not monotone"):
        BranchAndBound(
            n_features=2, criterion=lambda A, t: cross_val_score(KNeighborsClassifier(), A, t, cv=3).mean()
        ).fit(X, y)


def test_branch_and_bound_guard_and_parameters(cancer):
    X, y = cancer
    with pytest.warns(RelspanWarning, match="max_evaluations=50 reached"):
        partial = BranchAndBound(n_features=8, max_evaluations=50).fit(X, y)
    assert not partial.proven_
    assert partial.support_.sum() == 8
    with pytest.raises(ParameterError, match=r"n_features .* not 0"):
        BranchAndBound(n_features=0).fit(X, y)
    with pytest.raises(ParameterError, match=r"criterion .* not 'accuracy'"):
        BranchAndBound(n_features=2, criterion="accuracy").fit(X, y)


@pytest.mark.parametrize("reach", [0.3, 0.45, 0.5, 0.515])
def test_branch_and_bound_finds_the_fewest_features_that_reach_a_value(reach):
    """The same subset as by scoring all of a size, one size after the other."""
    X, y = load_diabetes(return_X_y=True)
    found = BranchAndBound(reach=reach).fit(X, y)
    value = explained_variance(X, y)
    for size in range(1, 11):
        best = max(combinations(range(10), size), key=value)
        if value(best) >= reach:
            break
    assert np.flatnonzero(found.support_).tolist() == list(best)
    assert found.value_ == pytest.approx(value(best))
    assert found.value_ >= reach
    assert found.proven_
    assert found.n_evaluations_ < 1023


@pytest.mark.parametrize("seed", range(5))
def test_the_fewest_features_of_any_monotone_criterion(seed):
    """A union of covered points never shrinks with a set more: the smallest cover, as by trying all."""
    random = np.random.default_rng(seed)
    covers = random.random((9, 25)) < 0.3

    def covered(columns):
        return float(covers[list(columns)].any(axis=0).sum())

    whole = covered(range(9))
    for reach in (whole, whole - 3, whole / 2):
        tree = FewestFeatures(covered, reach, 10**6)
        assert tree.search(9)
        smallest = next(size for size in range(1, 10) if any(covered(s) >= reach for s in combinations(range(9), size)))
        assert len(tree.best) == smallest
        assert tree.best_value == max(covered(s) for s in combinations(range(9), smallest))


def test_the_fewest_features_have_a_guard_and_refuse_the_impossible(cancer):
    X, y = cancer
    with pytest.warns(RelspanWarning, match="max_evaluations=40 reached"):
        partial = BranchAndBound(reach=0.7, max_evaluations=40).fit(X, y)
    assert partial.value_ >= 0.7
    assert not partial.proven_
    with pytest.raises(ParameterError, match=r"reach=1 cannot be reached: all 30 features together give 0\.77"):
        BranchAndBound(reach=1.0).fit(X, y)
    with pytest.raises(ParameterError, match=r"reach=0.5 finds the smallest size itself: leave out n_features=3"):
        BranchAndBound(reach=0.5, n_features=3).fit(X, y)


def test_exhaustive_search_finds_the_fewest_features_that_reach_a_score(six):
    X, y = six
    plain = [ExhaustiveSearch(GaussianNB(), cv=3, max_size=size).fit(X, y) for size in (1, 2)]
    goal = plain[1].score_
    assert goal > plain[0].score_
    found = ExhaustiveSearch(GaussianNB(), cv=3, reach=goal).fit(X, y)
    np.testing.assert_array_equal(found.support_, plain[1].support_)
    assert found.n_evaluations_ == 6 + 15
    with pytest.raises(ParameterError, match=r"reach=1.5: no subset of up to 6 of the 6 features .* scores 0\.\d+"):
        ExhaustiveSearch(GaussianNB(), cv=3, reach=1.5).fit(X, y)
    with pytest.raises(ParameterError, match=r"reach=1.5: .* of fewer than 3 features .* there are 20 of 3"):
        ExhaustiveSearch(GaussianNB(), cv=3, reach=1.5, max_subsets=25).fit(X, y)
    with pytest.raises(ParameterError, match=r"leave out size_penalty=0.1"):
        ExhaustiveSearch(reach=0.5, size_penalty=0.1).fit(X, y)


def test_singular_columns_do_no_harm():
    X, y = load_diabetes(return_X_y=True)
    doubled = np.column_stack([X[:, :4], X[:, :4], np.ones(len(X))])
    assert BranchAndBound(n_features=4).fit(doubled, y).value_ == pytest.approx(
        LinearRegression().fit(X[:, :4], y).score(X[:, :4], y), rel=1e-8
    )
