"""Every numerical limit of the package: its value, its unit, and why it is what it is.

Limits are grouped by the part of the package that uses them. Sizes that only balance work (features per block, columns
added in one round) stay with their algorithm: changing them changes how long an answer takes, not the answer.

Shares are dimensionless. "Of the norm" means as a share of the baseline's L1 norm, the unit of every relevance.
"""

from __future__ import annotations

import sys

# -- arithmetic --------------------------------------------------------------------------------------------------------

SUM_ROUNDING = 8 * sys.float_info.epsilon
"""Share of a sum's size that rounding may have changed: a few roundings of double precision."""

EQUAL_SHARES = 1e-12
"""Share of a sum of weights: two parts of it that differ by less are equal, and a slope that is less is 0."""

LEAST_PART = 1e-7
"""Share of a column's deviation: if covariates leave less of it, they express the whole column."""

SIGN_PRESSURE = 1e-3
"""Share of the price of norm by which a feature must be pressed against its demanded sign for a warning: less would
change the best model by less than a reader could see."""

CARD_FACTOR = 1e-10
"""Share of the largest factor of a score card to which its best factor is found: its loss is then right to about as
many digits."""

CARD_GAIN = 1e-9
"""Share of a score card's loss that a change of its points must save to count."""

CARD_BUDGET = 1e-9
"""Share of a budget by which the plain formulas may find a score card beyond it: rounding of its factor and offset."""

PROVEN_LOSS = 1e-6
"""Share of a score card's loss: where the proven bound is nearer, no card is better in any digit that is shown."""

# -- families ----------------------------------------------------------------------------------------------------------

CORNER_ROUNDING = 1e-12
"""Share of a budget's limit by which a corner of the budgets' polygon, where two lines cross, may exceed it."""

LEAST_LOSS_LIMIT = 1e-3
"""Share of the zero model's loss. A smaller loss limit counts as this large when a violation is put in relation to it:
on separable data the limit is 0, or a rounding error, and every violation would be infinite."""

# -- certificates ------------------------------------------------------------------------------------------------------

CERTIFIED_GAP = 1e-6
"""Largest certified gap of an end, of the norm. Engines work until they reach it; a result warns of a larger one."""

LARGEST_FAULT = 1e-3
"""Largest gap or violation of an answer, of the norm or of a budget: more would be wrong in the last digit that tables
show, and is refused."""

FAILED_PROOF = 1e-5
"""Share of the norm budget by which a proof may miss what is reported when it is evaluated again."""

LARGEST_PULL = 1e-5
"""Share of the way to an anchor by which a model may be moved to lie inside: more would not be a rounding error."""

SMALLEST_PULL = 1e-15
"""The first share that is tried, added to every computed one: a few roundings of double precision."""

DOUBTFUL_GAP = 0.5
"""Bounds of ends whose gap is more than this share of the gap that is allowed may be evaluated with exact sums."""

ROUNDED_SHARE = 0.1
"""Exact sums are used where the payment for rounding is at least this share of the gap."""

DROPPED_SHARES = (0.0, 1e-12, 1e-9)
"""Shares of the largest multiplier, or of the direction, up to which multipliers are dropped in turn, as the noise of a
solver, where an offset has no limit. What remains is a proof like any other."""

ROUNDED_UP = 1.001
"""An exact change of a multiplier is paid for as a double, a thousandth larger than it is."""

FINER_DUAL = 2.0**12
"""By how much finer the tolerance becomes in each step that refines multipliers."""

FAR_FROM_BINDING = 1e6
"""A row of such a step that has this much room, in units of the step, does not bind."""

FINE_HEIGHT = 2.0**10
"""What heights are multiplied by where the solver's tolerance is too coarse to prove which model is best."""

VISIBLE_PULL = 1e-8
"""A share from which on a move costs a good part of the gap that an end may have."""

PULL_FACTOR = 1.001
"""The computed share is exact only without rounding, so models are moved a thousandth further."""

LARGEST_VIOLATION = 1e-9
"""Share of its budgets by which an accepted model may stick out, where the family has no interior to draw it into."""

PATH_GAP = 1e-6
"""Share of its cost by which a model may cost more than the best one where models only serve to compare C."""

# -- simplex method (HiGHS) --------------------------------------------------------------------------------------------

SOLVER_TOLERANCE = 1e-9
"""Feasibility of rows and columns, in units of a margin (heights are about 1). The default of 1e-7 is too coarse."""

SMALLEST_ENTRY = 1e-12
"""Coefficients below are dropped by the solver. This is the least that it allows; by default it drops below 1e-9."""

KINK_TOLERANCE = 0.1 * SOLVER_TOLERANCE
"""A row may pass a kink that is not in the program by this much, and all such rows may cost this share of the loss."""

AT_KINK = 1e-6
"""Rows whose slack at the reference model is smaller start with their kink in the program."""

BROKEN_CONSTRAINT = 1e-7
"""A constraint that an answer misses by more than this has drifted away; it is not a rounding error."""

ACCEPTED_GAP = 1e-8
"""Share of the objective that may lie between the cost of a best model and what its multipliers prove."""

DUAL_ROUNDING = 10 * SOLVER_TOLERANCE
"""By how much the multipliers of a best model may miss their equations, and as a share of the sums in them."""

NULL_LOSS_ROOM = 1e-9
"""Share by which a loss budget exceeds the null model's loss, so that this model lies inside in spite of rounding."""

EQUALITY_MISS = 1e-12
"""Share by which an answer one pivot away may miss the equalities of its family: rounding."""

PRESSURE_TIE = 1e-9
"""A pressure this near to the price of norm equals it: the feature enters at no cost, like the copy of a used one."""

REFERENCE_TOLERANCE = 1e-10
"""Feasibility of scipy's programs, in units of a margin: the reference must be more exact than what it checks."""

# -- interior point methods --------------------------------------------------------------------------------------------

QUADRATIC_TOLERANCE = 1e-10
"""Gap and residuals of Clarabel's quadratic programs, absolute and relative."""

GAP_AIMED_AT = 0.2
"""Share of the accepted gap at which the batched method stops: certified gaps are a little larger than its own."""

ROUGH_GAPS = (0.2, 0.02)
"""Gaps, as shares of the norm budget, at which a batch stops to look again at the rows that were set aside."""

ROUGH_RESIDUAL = 1e-2
"""The same of a program that is only roughly solved, to see which columns and rows it needs."""

DUAL_RESIDUAL = 1e-9
"""Largest residual of the dual equations of a converged program, relative to 1 + its bound."""

CENTRE_PRODUCT = 1e-3
"""At the analytic centre every product of a slack and its price is 1 up to this."""

CENTRE_RESIDUAL = 1e-8
"""Largest residual of the equations at the analytic centre."""

CENTRE_DECREMENT = 1e-8
"""Newton decrement, squared, at which the centre of the dual polytope counts as found."""

SMALLEST_CENTRE = 1e-9
"""Share of the norm budget below which the barrier of the dual polytope is not followed."""

LEAST_SLACK = 1e-12
"""Slacks and prices of the merged row of a restricted program start with at least this."""

STEP_TO_WALL = 0.995
"""Share of the way to the nearest wall that a step goes: slacks and prices stay positive."""

SHORT_STEP = 1e-3
"""A step of slacks and prices below this share of its direction hardly moves a program."""

VANISHED_PRODUCTS = 1e-6
"""Sum of the products of all slacks and prices, in units of the gap aimed at, below which a program that is not done
never will be: further steps change nothing."""

LEAST_CENTRING = 1e-3
"""Least centring of a program: without any, one that rows have joined may creep along a wall for dozens of steps."""

CENTRING_OF_RETRY = 0.05
"""Least centring of a program that failed before: it keeps away from the walls."""

JITTER_OF_RETRY = 1e-12
"""Relative addition to the diagonal of a matrix that could not be factorised before."""

BATCH_BYTES = 2**27
"""Bytes that the arrays of one batch of ends of a wide table may take, so that memory does not grow with the table's
width times the number of its programs."""

# -- the baseline ------------------------------------------------------------------------------------------------------

BELOW_C = 1e-7
"""Share by which C is lowered when the best model is solved for. Of several best models at one C this picks the one of
smallest norm, so that mu and rho do not depend on the order of rows or columns."""

NO_LOSS = 1e-10
"""Share of the zero model's loss below which a model loses nothing, so that a larger C changes nothing."""

EQUAL_LOSS = 1e-6
"""Share of the held-out loss below which two values of C lose the same: the smaller one is taken."""

SCORE_ROUNDING = 1e-9
"""Weights that move no score by more than this, in units of a margin, are those of a model without features."""

NO_GAIN = 1e-6
"""Share of the null model's loss: a model that saves less is the null model, whatever its weights are. Its family is so
small that its ends, of which six digits are to be proven, would be lost in the rounding of the loss."""

# -- units -------------------------------------------------------------------------------------------------------------

LARGEST_UNIT = 1e301
"""Deviations of a target, and products of units, must be smaller, and larger than the inverse: their products with
norms and losses must be numbers that a computer holds."""

FAR_COLUMN = 100.0
"""A column whose values are all this many times farther from 0 than from each other is shifted towards 0: otherwise its
range would be lost in the solver's tolerances."""

LEAST_SAMPLE_WEIGHT = 1e-9
"""Share of the mean sample weight. What a sample of smaller weight loses is below the solver's tolerances."""

# -- classes -----------------------------------------------------------------------------------------------------------

POSITIVE = 1e-4
"""Share of the norm budget beyond which the least relevance of a feature is a weight and not rounding."""

CLOSE_FACTOR = 1.4
"""Strong or weak is a close call where leaving the feature out costs what the budget allows, within this factor."""

EXPRESSED_COLUMN = 1e-4
"""Share of a column's variance: if less is left after regression on other columns, they express the column. Its square
is added to the diagonal of their correlations, which are singular where columns are copies or sums of others."""

LINKAGE_ROUNDING = 1e-9
"""By how much a correlation may miss the limit of a cluster: rounding."""

VANISHED_MIXTURE = 1e-9
"""Share of the norm budget: where mixtures of models have a smaller total in a group, a model without it is judged."""

GROUP_BRACKET = 1e-7
"""Share of the norm budget: bounds of a group's interval that are closer have met."""

# -- tests of independence ---------------------------------------------------------------------------------------------

DETERMINED_VARIANCE = 1e-10
"""Share of a column's variance: if less is left after conditioning, the others determine the column, up to rounding."""

CONSTANT_COLUMN = 1e-13
"""Share of a column's size: a smaller deviation from its mean is what rounding the mean leaves of a constant column."""

LARGEST_CORRELATION = 1.0 - 1e-15
"""Partial correlations are cut here, so that Fisher's z stays finite."""

LEAST_RESIDUAL = 1e-15
"""Share of the residual sum of squares that is left at least, so that its logarithm stays finite."""

LEAST_VARIANCE = 1e-300
"""Stands in for a variance of 0 in a quotient."""

LOGIT_GAIN = 1e-10
"""Newton's method for a multinomial model stops when a step gains less of the log likelihood, relative to 1 + it."""

LOGIT_RIDGE = (1e-10, 1e-12)
"""Added to the diagonal of a multinomial model's Hessian, as a share of its mean and as it is: it may be singular."""

TAIL_UNDERFLOW = 1e-280
"""Probabilities below come from a continued fraction of their logarithm instead: they are about to become 0."""

FRACTION_CONVERGED = 1e-15
"""The continued fraction stops when a step changes it by less than this share."""

PLAIN_P = 1e-4
"""Smaller p-values are written with a power of ten, larger ones as they are."""

# -- selectors ---------------------------------------------------------------------------------------------------------

CONSTANT_SQUARES = 1e-26
"""Share of the sum of squares of a column: less variation is that of a constant column, up to rounding."""

PERFECT_SEPARATION = 1e-13
"""Least variation within classes, as a share of that between them: a quotient by less would not be finite."""

CRITERION_RANK = 1e-7
"""Singular values of the standardised targets below this are rounding."""

CRITERION_PSEUDO_RANK = 1e-10
"""Share of the largest eigenvalue of the chosen features' correlations below which a direction is left out."""

MONOTONE_ROUNDING = 1e-7
"""By how much a criterion may rise when a feature is removed, absolute or as a share, and still count as monotone."""

# -- metric learners ---------------------------------------------------------------------------------------------------

VANISHED_ROW = 1e-6
"""Share of a row's L1 norm: a row whose shortest equivalent is shorter does nothing on the data."""

NEARLY_EQUAL_EIGENVALUES = 0.1
"""Neighbouring eigenvalues of a map that differ by less than this share leave their eigenvectors open."""

NUMERICAL_RANK = 1e-10
"""Share of the largest variance or eigenvalue below which a direction is rounding."""

FRAGILE_FEATURE = 0.05
"""A strong feature is named if maps that are longer by less than this share can do without it."""

UNSCALED_COLUMNS = 3.0
"""Ratio of the largest standard deviation to the smallest above which columns count as not scaled."""

HINGE_SUM_ROUNDING = 1e-9
"""Share by which two sums of the same hinges may differ."""

# -- audits of fitted models -------------------------------------------------------------------------------------------

BARRIER_GAP = 1e-5
"""Share of the width of a smooth family, in one direction, up to which an end of a range is proven."""

BARRIER_DECREMENT = 1e-9
"""Squared Newton decrement below which a point counts as on the central path; also the relative jitter of a retry."""

# -- descriptions of results -------------------------------------------------------------------------------------------

SHOWN_LOSS = 1e-9
"""Share of its limit below which a loss is shown as 0."""

SHOWN_CONTRIBUTION = 1e-6
"""Share of the length of a score interval below which a contribution to the score is shown as 0: ends are not proven
more closely."""

# -- exploring ---------------------------------------------------------------------------------------------------------

PIN_ROUNDING = 1e-9
"""Of the norm: a pin this near to the end of an interval means the end, which was rounded when it was typed."""

RELAXED_BOUNDS = 1e-7
"""Of the norm. So far the bounds of a sign branch are widened that has a model, but for which the solver finds none."""

UNUSED_WEIGHT = 1e-9
"""Of the norm: a feature whose weight is smaller is not used by a model."""

NO_NORM = 1e-12
"""The L1 norm below which a best model uses no feature at all."""

MOVED_END = 1e-6
"""Of the norm: ends of an interval that differ by less in two scenarios differ by rounding, and a maximum that pins
lower to less is 0."""

VISIBLE_CHANGE = 1e-3
"""Of the norm: the last digit that tables show. An end that pins move by less is not reported as moved."""

RAISED_MINIMUM = 1e-4
"""Of the norm: a minimum that rises by less when another feature is left out does not deserve a sentence."""

LEAST_EXCHANGE = 0.1
"""Share of the relevance that must be able to pass between two features for them to count as substitutes."""

CHANGED_LABEL = 1e-6
"""How far beyond 0 a margin must lie for its label to count as changed, in units of a margin."""

PROVEN_COUNT = 1e-6
"""A bound on a whole number is rounded to the next one once it is this near; also the share of a panel's cost within
which its bound has met it."""

PROVEN_COST = 1e-9
"""Gap at which the search for a panel stops where costs are not whole numbers; also the share of labels within which
the bound of a discrepancy has met it."""

# -- tables, comparisons, drawings -------------------------------------------------------------------------------------

SHARES_SUM = 1e-9
"""By how much the shares of classes may miss a sum of 1."""

NO_IMPORTANCE = 1e-12
"""The least maximum by which importances are divided, so that importances of 0 stay 0."""

DRAWN_AT_ZERO = 1e-9
"""In units of the chart: a place or width nearer to 0 is drawn as 0."""
