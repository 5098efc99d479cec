"""HITON as scikit-learn selectors: the parents and children, the Markov blanket, and the wrapper on top."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from relspan.arrays import Bools
from relspan.checks import flag, number
from relspan.errors import ParameterError
from relspan.markov.backward_wrapper import WrapperResult, backward_pass
from relspan.markov.blanket import BlanketResult, BlanketSearch
from relspan.markov.explanations import blanket_reason, pc_reason
from relspan.markov.independence_choice import TESTS, IndependenceChoice
from relspan.markov.outcomes import PCResult
from relspan.progress import ProgressChoice
from relspan.selectors.cross_validated_test import CandidateTest, choice_scores
from relspan.selectors.markov_selector import MarkovSelector
from relspan.selectors.subset_scorer import SubsetScorer, check_learner, folds_of, scorer_of

LEVELS = 3


class HITONPC(MarkovSelector):
    """Parents and children of the target (HITON-PC).

    Keeps every feature that no set of at most `max_k` kept features makes independent of the target. In a faithful
    causal graph these are the direct causes and direct effects.

    Parameters
    ----------
    alpha : float, default=0.05
        Level of the independence tests: a reliable test with p <= alpha means dependent, with p > alpha independent.
    max_k : int, default=3
        Size of the largest conditioning set.
    test : {"auto", "g2", "chi2", "fisher-z", "mixed"}, default="auto"
        Independence test. "auto" takes G2 when all columns are discrete, Fisher's z when none is, and the mixed
        likelihood ratio otherwise.
    variant : {"semi-interleaved", "interleaved"}, default="semi-interleaved"
        The algorithm of 2010 or that of 2003.
    symmetric : bool, default=False
        Keep X only if the target is also among the parents and children of X. This costs one more search per feature
        kept.
    discrete_features : "auto", bool mask, or sequence of names or numbers, default="auto"
        Which columns are discrete. "auto" takes those that hold whole numbers with at most ten different values.
    discrete_target : "auto" or bool, default="auto"
        Whether the target is discrete. "auto" takes it as discrete if it is not numeric, or holds whole numbers with at
        most twenty different values.
    n_bins : int, default=None
        Cut continuous columns into this many levels of equal frequency and use G2 (or chi2); None does not cut.
    samples_per_df : float, default=5.0
        Samples that a reliable test needs per degree of freedom. An unreliable test neither admits nor removes.
    max_tests : int, default=None
        Largest number of tests. A search that needs more stops with a partial result, a warning, and a reason in
        `stopped_`. None sets no limit.
    max_pc : int, default=None
        Largest number of parents and children. A search that finds more stops likewise. None sets no limit.
    progress : callable, bool or None, default=None
        Called as ``progress(stage, share, note)`` after every admission; True prints lines to standard error.

    Attributes
    ----------
    support_ : bool ndarray of shape (n_features,)
        Mask of the kept features.
    members_ : list of str
        The kept features, strongest association first.
    separating_sets_ : dict of str to tuple of str
        For every feature dropped by a conditional test, the features that make it independent of the target.
    n_tests_, n_conditional_tests_ : int
        Number of tests, and of those with conditions.
    stopped_ : str or None
        Why the search ended early; None when it is complete.
    test_ : str
        The test in use.
    discrete_ : bool ndarray of shape (n_features + 1,)
        Which columns were treated as discrete; the target is the last.
    target_name_ : str
        The name of y if it has one (a pandas series), else "the target".
    result_ : PCResult
        The whole outcome of the search, by number.

    See Also
    --------
    HITON : Finds the spouses, too, and can run a wrapper on top.
    relspan.markov.BlanketSearch : The search itself, over any independence test.

    Examples
    --------
    >>> import numpy as np
    >>> from relspan.selectors import HITONPC
    >>> rng = np.random.default_rng(0)
    >>> cause = rng.normal(size=500)
    >>> target = cause + rng.normal(size=500)
    >>> X = np.column_stack([cause, cause + rng.normal(size=500), rng.normal(size=500)])
    >>> HITONPC(alpha=0.01).fit(X, target).members_
    ['x0']
    """

    def fit(self, X: Any, y: Any) -> Self:
        """Find the parents and children of y among the columns of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The table.
        y : array-like of shape (n_samples,)
            The target.

        Returns
        -------
        HITONPC
            The fitted selector.
        """
        X, y = self._read(X, y)
        choice = self._choice(X, y, self.test, self.n_bins)
        search = self._search(choice)
        self.result_: PCResult = search.pc(self.n_features_in_)
        self._store(choice, search, self.result_.members, self.result_.stopped)
        return self

    def why(self, feature: int | str) -> str:
        """Explain why a feature was kept or dropped.

        Parameters
        ----------
        feature : str or int
            Name or number of the feature.

        Returns
        -------
        str
            The reason, with the test behind it.
        """
        self._get_support_mask()
        return pc_reason(self.result_, self._column_of(feature), self._name_of)

    @property
    def separating_sets_(self) -> dict[str, tuple[str, ...]]:
        """For every feature dropped by a conditional test, the set that separated it."""
        return self._separating_sets(self.result_)


class HITON(MarkovSelector):
    """Markov blanket of the target, and the smallest part of it that a learner needs (HITON).

    The blanket is the parents, the children and the children's other parents (spouses): given it, no other feature
    adds information about the target. With an `estimator`, one backward pass then drops what does not help its
    cross-validated score.

    Parameters
    ----------
    estimator : scikit-learn classifier or regressor, default=None
        The learner of the wrapper; None ends with the blanket.
    spouses : bool, default=True
        False stops at the parents and children.
    cv : int, splitter or iterable, default=5
        Folds of the wrapper, and of the choice of a test.
    scoring : str or callable, default=None
        Score of the wrapper, and of the choice of a test; None takes the learner's own.
    tol : float, default=0.0
        A feature is dropped when the score without it is at least the current score minus tol.
    alpha : float, default=0.05
        Level of the independence tests: a reliable test with p <= alpha means dependent, with p > alpha independent.
    max_k : int, default=3
        Size of the largest conditioning set.
    test : {"auto", "g2", "chi2", "fisher-z", "mixed", "cv"}, default="auto"
        Independence test. "auto" takes G2 when all columns are discrete, Fisher's z when none is, and the mixed
        likelihood ratio otherwise. "cv" compares a test of the numbers as they are with G2 on continuous columns cut
        into levels (`n_bins`, or 3), by the estimator's cross-validated score on the columns that each of them finds,
        and takes the better one. The first is Fisher's z, or "mixed" where a column or the target has more than two
        classes.
    variant : {"semi-interleaved", "interleaved"}, default="semi-interleaved"
        The algorithm of 2010 or that of 2003.
    symmetric : bool, default=False
        Keep X only if the target is also among the parents and children of X. This costs one more search per feature
        kept.
    discrete_features : "auto", bool mask, or sequence of names or numbers, default="auto"
        Which columns are discrete. "auto" takes those that hold whole numbers with at most ten different values.
    discrete_target : "auto" or bool, default="auto"
        Whether the target is discrete. "auto" takes it as discrete if it is not numeric, or holds whole numbers with at
        most twenty different values.
    n_bins : int, default=None
        Cut continuous columns into this many levels of equal frequency and use G2 (or chi2); None does not cut. With
        test="cv" the number of levels of the second test, 3 if None.
    samples_per_df : float, default=5.0
        Samples that a reliable test needs per degree of freedom. An unreliable test neither admits nor removes.
    max_tests : int, default=None
        Largest number of tests. A search that needs more stops with a partial result, a warning, and a reason in
        `stopped_`. None sets no limit.
    max_pc : int, default=None
        Largest number of parents and children. A search that finds more stops likewise. None sets no limit.
    progress : callable, bool or None, default=None
        Called as ``progress(stage, share, note)`` after every admission; True prints lines to standard error.

    Attributes
    ----------
    support_ : bool ndarray of shape (n_features,)
        After the wrapper, if there is one.
    members_ : list of str
        The kept features.
    blanket_ : list of str
        The blanket before the wrapper.
    roles_ : dict of str to str
        "parent", "child", "parent or child" or "spouse" for every member of the blanket.
    spouses_ : dict of str to list of str
        For every spouse the common children it was found by.
    wrapper_ : WrapperResult or None
        The score on the folds that chose the features (too good to report) and every step.
    result_ : BlanketResult
        The whole outcome of the search, by number.
    separating_sets_ : dict of str to tuple of str
        For every feature dropped by a conditional test, the features that make it independent of the target.
    n_tests_, n_conditional_tests_ : int
        Number of tests, and of those with conditions.
    stopped_ : str or None
        Why the search ended early; None when it is complete.
    test_ : str
        The test in use.
    test_scores_ : dict of str to float
        With test="cv", the mean held-out score of each test that was compared. It is empty if there was nothing to
        choose, because no test was to be chosen or all columns are discrete.
    discrete_ : bool ndarray of shape (n_features + 1,)
        Which columns were treated as discrete; the target is the last.
    target_name_ : str
        The name of y if it has one (a pandas series), else "the target".

    See Also
    --------
    HITONPC : Stops at the parents and children.
    relspan.plots.BlanketDisplay : Draws the blanket as a graph.
    relspan.markov.BlanketSearch : The search itself, over any independence test.

    Examples
    --------
    >>> import numpy as np
    >>> from relspan.selectors import HITON
    >>> rng = np.random.default_rng(0)
    >>> cause = rng.normal(size=800)
    >>> target = cause + rng.normal(size=800)
    >>> effect = target + rng.normal(size=800)
    >>> bystander = cause + rng.normal(size=800)
    >>> hiton = HITON(alpha=0.01).fit(np.column_stack([cause, effect, bystander]), target)
    >>> sorted(hiton.blanket_)
    ['x0', 'x1']
    >>> print(hiton.why("x2"))
    x2 was dropped: it is independent of the target given x0 (p = 0.201, statistic 1.28 on 1 degrees of freedom).
    """

    _tests = (*TESTS, "cv")

    def __init__(
        self,
        estimator: Any = None,
        *,
        spouses: bool = True,
        cv: Any = 5,
        scoring: Any = None,
        tol: float = 0.0,
        alpha: float = 0.05,
        max_k: int = 3,
        test: str = "auto",
        variant: str = "semi-interleaved",
        symmetric: bool = False,
        discrete_features: str | Sequence[Any] | Bools = "auto",
        discrete_target: str | bool = "auto",
        n_bins: int | None = None,
        samples_per_df: float = 5.0,
        max_tests: int | None = None,
        max_pc: int | None = None,
        progress: ProgressChoice = None,
    ) -> None:
        super().__init__(
            alpha=alpha,
            max_k=max_k,
            test=test,
            variant=variant,
            symmetric=symmetric,
            discrete_features=discrete_features,
            discrete_target=discrete_target,
            n_bins=n_bins,
            samples_per_df=samples_per_df,
            max_tests=max_tests,
            max_pc=max_pc,
            progress=progress,
        )
        self.estimator = estimator
        self.spouses = spouses
        self.cv = cv
        self.scoring = scoring
        self.tol = tol

    def fit(self, X: Any, y: Any) -> Self:
        """Find the Markov blanket of y among the columns of X, then run the wrapper if there is an estimator.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The table.
        y : array-like of shape (n_samples,)
            The target.

        Returns
        -------
        HITON
            The fitted selector.
        """
        flag("spouses", self.spouses)
        number("tol", self.tol)
        if self.estimator is not None:
            check_learner(self.estimator, self.cv, self.scoring)
        elif isinstance(self.test, str) and self.test == "cv":
            raise ParameterError("test='cv' compares tests by the score of an estimator: give one, or use test='auto'")
        X, y = self._read(X, y)
        self.test_scores_: dict[str, float] = {}
        choice = self._chosen_by_folds(X, y) if self.test == "cv" else self._choice(X, y, self.test, self.n_bins)
        search = self._search(choice)
        self.result_: BlanketResult = self._found(search)
        blanket = self.result_.members
        self.blanket_ = [self._name_of(x) for x in blanket]
        self.wrapper_: WrapperResult | None = None
        kept: Sequence[int] = blanket
        if self.estimator is not None and blanket:
            strength = self.result_.pc.marginal.log_p
            weakest_first = sorted(blanket, key=lambda x: (-strength[x], -x))
            self.wrapper_ = backward_pass(
                SubsetScorer(self.estimator, X, y, self.cv, self.scoring), weakest_first, self.tol
            )
            kept = [x for x in blanket if x in self.wrapper_.kept]
        self._store(choice, search, kept, self.result_.stopped)
        return self

    def _found(self, search: BlanketSearch) -> BlanketResult:
        """The blanket of the target, or its parents and children if spouses are not asked for."""
        target = self.n_features_in_
        pc = search.pc(target)
        return search.blanket(target) if self.spouses else BlanketResult(target, pc, stopped=pc.stopped)

    def _chosen_by_folds(self, X: npt.NDArray[np.generic], y: npt.NDArray[np.generic]) -> IndependenceChoice:
        """The test whose columns serve the estimator best on held-out rows."""
        usual = self._choice(X, y, "auto", None)
        if usual.discrete.all():
            return usual
        uncut = CandidateTest("fisher-z" if _at_most_two_values(X, y, usual.discrete) else "mixed", None)
        choices = [uncut, CandidateTest("g2", LEVELS if self.n_bins is None else self.n_bins)]

        def blanket(choice: CandidateTest, X: npt.NDArray[np.generic], y: npt.NDArray[np.generic]) -> list[int]:
            return self._found(self._search(self._choice(X, y, *choice))).members

        scorer = scorer_of(self.estimator, self.scoring)
        folds = folds_of(self.cv, self.estimator, X, y)
        scores = choice_scores(choices, blanket, self.estimator, scorer, X, y, folds)
        self.test_scores_ = {choice.label: score for choice, score in zip(choices, scores, strict=True)}
        return self._choice(X, y, *choices[int(np.argmax(scores))])

    @property
    def roles_(self) -> dict[str, str]:
        """The role of every member of the blanket, as far as the tests show it."""
        return {self._name_of(x): role for x, role in self.result_.roles.items()}

    @property
    def spouses_(self) -> dict[str, list[str]]:
        """For every spouse, the common children it was found by."""
        return {self._name_of(x): [self._name_of(y) for y in via] for x, via in self.result_.spouses.items()}

    @property
    def separating_sets_(self) -> dict[str, tuple[str, ...]]:
        """For every feature dropped by a conditional test, the set that separated it."""
        return self._separating_sets(self.result_.pc)

    def why(self, feature: int | str) -> str:
        """Explain why a feature was kept or dropped.

        Parameters
        ----------
        feature : str or int
            Name or number of the feature.

        Returns
        -------
        str
            The reason, with the test behind it.
        """
        self._get_support_mask()
        column = self._column_of(feature)
        reason = blanket_reason(self.result_, column, self._name_of)
        for step in self.wrapper_.steps if self.wrapper_ else ():
            if step.variable == column and step.dropped:
                return (
                    f"{self._name_of(column)} was dropped by the wrapper: the score without it was "
                    f"{step.score_without:.4g}, with it {step.score_with:.4g}. Before that: {reason}"
                )
        return reason


def _at_most_two_values(X: npt.NDArray[np.generic], y: npt.NDArray[np.generic], discrete: Bools) -> bool:
    """Whether every discrete column, the target being the last, is a yes or no: then it is a number, too."""
    columns = [*X[:, discrete[:-1]].T, *([y] if discrete[-1] else [])]
    return all(len(np.unique(column)) <= 2 for column in columns)
