"""Verdicts: from intervals to classes. A verdict is a statistical claim, so each one rests on evidence against chance.

*The table* (`table_guard`). Does the best model explain rows that it has not seen, beyond chance? If not, no feature is
called relevant, whatever its interval.

*Evidence* (`evidence`). Two quantities show that a feature matters, each in units of what chance reaches in a share
alpha of tables, so that 1 means as much as the most extreme of all features by chance:

    reach_j        = max relevance_j / tau        how much a good model can use it; tau from the probes (`probes`)
    association_j  = T_j / t*                     how far the target moves with it; t* from permutations
    evidence_j     = (reach_j + 2 association_j) / 3

The association counts twice: reach depends on a threshold that few probes estimate, and correlated columns inflate it.

*Relevant.* Evidence of 1 is enough in any table. In a table that has passed its test the strongest feature is no
accident, and a feature with 0.6 of its evidence is more likely its companion than an extreme of chance; there, 0.75 is
enough, provided that there are enough samples to adjust associations for all other columns. So a feature is relevant if

    evidence_j  >  min(1, max(0.75, 0.6 max_k evidence_k))      and      max relevance_j > floor

*Strong.* No equally good model does without it: min relevance > floor, which is a fact about the family. That the need
is no accident is shown without the family: its association exceeds 0.8, and what no other column can express of it
still moves with what the others leave unexplained (`associations`, needed_j > 1.96). Such a feature is relevant
whatever its reach. The other relevant features are weak. A feature is *norm-made* if it is in the way of no model but
for the norm budget: min relevance > floor, while a model without it, of any norm, loses no more than the loss budget
allows.

What does not depend on the budgets: the test of the table, the associations, and so everything that makes a feature
strong but min relevance itself. A larger budget lowers min relevance, so it never makes a feature strong.

The papers' own rule, which compares intervals with thresholds and tests nothing else, is in `published_rule`.
"""
