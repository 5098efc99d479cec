"""The parameters and attributes that all relevance estimators share, described once.

An estimator's docstring describes what is its own, and `documented` completes it: `help()`, notebooks and the reference
manual then show every parameter in the order of the constructor, with its type, default and meaning. A description in
the estimator's own docstring stands before the common one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import fields
from inspect import cleandoc
from typing import TypeVar

Estimator = TypeVar("Estimator", bound=type)

SECTION = r"(?ms)^{title}\n-+\n(.*?)(?=^\S[^\n]*\n-{{3,}}\n|\Z)"

COMMON_PARAMETERS = """
C : float or None, default=None
    The price of the loss in the best model, which minimises ``||w||_1 + C loss``. None chooses C by cross-validation;
    see `criterion`.
criterion : {"loss", "score"}, default="loss"
    What cross-validation chooses C by.

    - "loss": the least loss on rows left out, over 5 folds that are dealt twice. The data alone decide which rows a
      fold has, so C depends neither on the order of the rows nor on `random_state`.
    - "score": the best score of the predictions, over 3 random folds, as in the papers. Each task has its own score,
      such as the weighted F1.
delta_norm : float, default=0.1
    The norm budget. The norm of a model, ``||w||_1``, is the sum of its absolute weights. An equally good model has a
    norm of at most ``M = (1 + delta_norm) mu``, where mu is the best model's norm.
delta_loss : float or "one_se", default=0.02
    The loss budget: how much more loss than the best model an equally good model may have. `loss_budget` states what it
    is a share of. A larger budget never makes a feature strong. "one_se" lets the rows choose it: one standard error of
    the loss on rows left out, below which they cannot distinguish two models. ``result_.budgets`` holds its value.
loss_budget : {"explained", "relative", "combined"}, default="explained"
    How the largest loss R of an equally good model follows from the best model's loss rho.

    - "explained": ``R = rho + delta_loss (rho_0 - rho)``, a share of what the best model explains of rho_0, the loss of
      the null model, which uses no feature.
    - "relative": ``R = (1 + delta_loss) rho``, as in the FRI paper.
    - "combined": one budget for both, ``||w||_1 + C loss <= (1 + delta_norm) (mu + C rho)``, as in the first paper;
      `delta_loss` is not used.
n_probes : int, default=50
    The number of probes: permuted copies of columns, which show how relevant a feature can look by chance. Fewer are
    drawn where they settle all classes; ``result_.probes["drawn"]`` is how many.
all_probes : bool, default=False
    Whether to draw all probes, even where fewer of them settle all classes. They are all drawn as well with
    ``rule="published"``, ``probes="replace"`` and ``screen=True``, which need the exact threshold.
probes : {"append", "replace"}, default="append"
    Whether a probe is appended to the table or takes the place of its column, as in the FRI paper.
alpha : float, default=0.01
    The level of the tests against chance: how often irrelevant features exceed what counts as chance; see `control`.
control : {"familywise", "per_feature"}, default="familywise"
    What `alpha` limits: how often the most extreme of all irrelevant features exceeds chance ("familywise"), or how
    often a single one does ("per_feature").
rule : {"evidence", "published"}, default="evidence"
    How classes follow. "evidence" tests the table, the reach of every feature and its association with the target
    against chance; "published" compares intervals with the probes' thresholds, as the papers do.
feature_groups : dict of str to list, default=None
    Groups of features, given by name or position, whose total relevance is reported in ``result_.groups``. The one-hot
    columns of one category are an example.
categorical : {"auto", "error"}, default="auto"
    What becomes of the categories, words and booleans of a data frame. "auto" makes each such column one feature: a
    category becomes one column of zeros and ones per level, and an ordered one becomes steps, which are judged
    together. "error" refuses such columns by name.
covariates : list of str or int, default=None
    Columns of X that the features are adjusted for, such as age, sex and site, by name or position. Every model may use
    them without a price; they are never judged. The question becomes what a feature adds *beyond* them: features,
    probes, null model and the test of the table all count only what the covariates leave. `transform` keeps them. For
    a target with one score per sample. A category of a data frame is given by its own name.
signs : dict of str to {"+", "-"}, default=None
    The sign that the weight of a feature must have, such as ``{"dose": "+", "age": "-"}``, by name or position; a
    weight of 0 is always allowed. "+" means that a larger value never lowers the score, that is, never speaks for a
    lower number, an earlier class or a lower risk; "-" means that it never raises it. The best model is the best one
    under the signs, and intervals, groups, certificates and the test of the table all respect them; probes have no
    sign. The sign of an ordered category makes its effect monotone. For a target with one score per sample.
standardize : bool, default=True
    Whether to scale the columns to mean 0 and standard deviation 1 first. Intervals compare weights, so the columns
    must be comparable. A sparse table is scaled, and centred only in columns without a zero: the intervals are the
    same.
engine : {"auto", "exact", "batched", "gpu", "restricted", "reference"}, default="auto"
    How the linear programs are solved. The answer does not depend on it.
screen : bool, default=False
    Whether to skip the linear programs of features that are already proven irrelevant. Their intervals are upper bounds
    (``solved`` is False in the result). The classes are the same.
select : {"relevant", "strong"}, default="relevant"
    Which features `transform` keeps and `get_support` marks: the strong and weak ones, or the strong ones alone.
on_null : {"irrelevant", "raise"}, default="irrelevant"
    What happens if no feature helps, so that the best model uses none. "irrelevant" reports every feature as irrelevant
    and warns with a `RelspanWarning`; "raise" raises `DegenerateBaseline`.
n_jobs : int or None, default=None
    The number of processes that share the work; -1 takes all cores, None is 1. The answer does not depend on it. Within
    ``joblib.parallel_config(backend="dask")`` a Dask cluster shares the work.
random_state : int, RandomState instance or None, default=None
    The seed of the folds and the probes. The same seed gives the same answer.
progress : callable, bool or None, default=None
    What reports the progress of the fit. True prints lines to standard error. A function is called as
    ``progress(stage, share, note)``, with the share of the stage that is done; see `relspan.progress`.
checkpoint : str or path, default=None
    A file that keeps finished parts of the work. A fit of the same data with the same parameters and version continues
    from it; a fit of anything else is refused. It needs a whole number as `random_state`. The file stays after the
    fit.
"""

COMMON_ATTRIBUTES = """
intervals_ : ndarray of shape (n_features, 2)
    The smallest and the largest relevance of each feature, as shares of the best model's norm.
signed_intervals_ : ndarray of shape (n_features, 2)
    The smallest and the largest weight of each feature, in the same unit.
relevance_ : ndarray of shape (n_features,)
    The class of each feature: 2 for strong, 1 for weak, 0 for irrelevant; -1 for a covariate, which has no class and no
    interval.
support_ : ndarray of shape (n_features,)
    Whether each feature is selected; see `select`. Covariates always are.
result_ : RelevanceResult
    All of the above with names, probes, thresholds, certificates and warnings.
C_ : float
    The C in use.
"""


def entries(text: str) -> dict[str, str]:
    """The entries of a section of a docstring by name, each with its indented description."""
    found = [entry.rstrip() for entry in re.split(r"(?m)^(?=\S)", text.strip("\n")) if entry.strip()]
    return {entry.split(" : ")[0]: entry for entry in found}


def documented(estimator: Estimator) -> Estimator:
    """Complete the sections Parameters and Attributes of an estimator's docstring."""
    if estimator.__doc__:  # python -OO keeps none
        text = cleandoc(estimator.__doc__)
        text = _completed(text, "Parameters", entries(COMMON_PARAMETERS), [field.name for field in fields(estimator)])
        estimator.__doc__ = _completed(text, "Attributes", entries(COMMON_ATTRIBUTES)).rstrip() + "\n"
    return estimator


def _completed(text: str, title: str, common: Mapping[str, str], names: Iterable[str] | None = None) -> str:
    """The text with a section that has the entries of these names in this order; of all names where none are given."""
    section = re.search(SECTION.format(title=title), text)
    if section is None:
        raise ValueError(f"the docstring has no section {title}")
    known = {**common, **entries(section[1])}
    chosen = "\n".join(known[name] for name in (known if names is None else names))
    return f"{text[: section.start(1)]}{chosen}\n\n{text[section.end(1) :]}"
