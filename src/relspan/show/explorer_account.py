"""What an explorer answers, in sentences: panels and their proofs, pairs of substitutes, stability, other budgets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from relspan.checks import listed
from relspan.explore import FeatureStability, Groups, Panel, Span, Stability
from relspan.result import CLASSES

NAMES_PER_SENTENCE = 4
LARGELY, PARTLY = 0.5, 0.2  # of the relevance that two features can exchange: from here on they are named


def panel_sentences(
    panel: Panel, priced: bool, price_limit: float | None = None, unpriced: Sequence[str] = ()
) -> list[str]:
    """What is proven about the smallest or the cheapest panel, and whether its price is within a limit.

    `unpriced` are features of the panel for which no cost was entered.
    """
    smaller, bound = ("cheaper" if priced else "smaller"), f"{panel.bound:.4g}"
    if panel.proven:
        proof = f"It is proven that no panel is {smaller}."
    else:
        least = f"costs at least {bound}" if priced else f"has at least {bound} features"
        proof = (
            f"This is the best panel so far; it is proven that every panel {least}. A longer search may find a "
            f"{smaller} one, or prove that there is none."
        )
    sentences = [*_within_limit(panel, price_limit if priced else None)]
    if priced and unpriced:
        names = listed(unpriced, NAMES_PER_SENTENCE)
        counts = "it counts" if len(unpriced) == 1 else "each of them counts"
        sentences.append(f"No cost was entered for {names}; in this price, {counts} as 1.")
    return [*sentences, f"{proof} The search took {panel.seconds:.1f} s."]


def _within_limit(panel: Panel, limit: float | None) -> list[str]:
    if limit is None:
        return []
    if panel.cost <= limit:
        return [f"It costs {panel.cost:g}, which is within the limit of {limit:g}."]
    if panel.bound > limit:
        return [
            f"No panel costs at most {limit:g}: it is proven that every panel costs at least {panel.bound:.4g}. "
            "This is the cheapest one that was found."
        ]
    return [f"No panel that costs at most {limit:g} was found in this time, but it is not proven that there is none."]


def panels_sentence(panels: Sequence[Panel], limit: int, complete: bool) -> str:
    """How many panels there are of which no feature can be left out."""
    if not panels:
        return "No panel was found in this time. Allow more time."
    count = "1 panel" if len(panels) == 1 else f"{len(panels)} panels"
    common = sorted(set.intersection(*(set(panel.features) for panel in panels)))
    shared = f" All of them have {listed(common, NAMES_PER_SENTENCE)}." if common and len(panels) > 1 else ""
    if len(panels) >= limit:
        end = "There may be more."
    else:
        end = "There are no others." if complete else "The time was over before all were found."
    return f"{count} of which no feature can be left out. {end}{shared}"


def score_sentence(score: Mapping[str, Any]) -> str:
    """The held-out score of a panel beside that of all features, by the name of the score."""
    return (
        f"On rows left out, the {score['name']} of this panel is {score['mean']:.3f}; that of all features is "
        f"{score['all_features']:.3f}."
    )


def pair_sentences(found: Groups, most: int = 12) -> list[dict[str, Any]]:
    """The pairs that can exchange most of their relevance, each with the words that follow the two names."""
    names, count = found.features, len(found.features)
    pairs = [(float(found.exchange[i, j]), names[i], names[j]) for i in range(count) for j in range(i)]
    best = sorted((pair for pair in pairs if pair[0] >= PARTLY), key=lambda pair: (-pair[0], pair[1:]))[:most]
    return [
        {"first": second, "second": first, "exchange": share, "phrase": _exchange_phrase(share)}
        for share, first, second in best
    ]


def _exchange_phrase(share: float) -> str:
    how = "can replace each other" if share >= LARGELY else "can replace each other in part"
    return f"{how}: {100 * share:.0f} % of the relevance of one can pass to the other."


def no_pair(found: Groups) -> str:
    """The sentence for a table in which no two features are substitutes."""
    if len(found.features) < 2:
        return "There are fewer than two relevant features to compare."
    return f"No two relevant features can exchange {100 * PARTLY:.0f} % of their relevance."


def stability_sentence(found: Stability) -> str:
    """How many features keep their class when samples are drawn again."""
    kept, count = len(found.features) - len(found.changing), len(found.features)
    lost = f" In {found.degenerate} further draws no feature helped." if found.degenerate else ""
    return (
        f"The analysis was repeated on {found.n_draws - found.degenerate} draws of the samples with replacement. "
        f"{kept} of {count} features have the same class in all of them.{lost} In the list, the thin lines show where "
        f"the ends of each interval lie in {100 * found.level:g} % of the draws."
    )


def feature_stability(one: FeatureStability, level: float) -> str:
    """How one feature fares over the draws."""
    classes = [(share, name) for name, share in one.classes.items() if share > 0]
    shares = ", ".join(f"{name} in {100 * share:.0f} %" for share, name in sorted(classes, reverse=True))
    ends = " and ".join(
        f"its {word} between {quantiles[0]:.3f} and {quantiles[2]:.3f}"
        for word, quantiles in (("minimum", one.min), ("maximum", one.max))
    )
    return f"Of the draws it is {shares}. In {100 * level:g} % of them {ends} lie."


def classes_sentence(classes: Mapping[str, str], own: Mapping[str, str]) -> str:
    """How the classes at another budget differ from those of the analysis."""
    changed = {name: kind for name, kind in classes.items() if kind != own[name]}
    if not changed:
        return "Every feature has the class that it has in the analysis."
    parts = []
    for kind in CLASSES:
        names = [name for name, now in changed.items() if now == kind]
        parts += [f"{kind}: {listed(names, NAMES_PER_SENTENCE)}"] if names else []
    have = "1 feature has" if len(changed) == 1 else f"{len(changed)} of {len(own)} features have"
    return f"{have} another class than in the analysis. Now {'; '.join(parts)}."


def contrast_sentence(found: Span, first: str, second: str) -> str:
    """Which of two weights is larger in every equally good model."""
    reach = f"The difference of their weights lies between {found.lo:.3f} and {found.hi:.3f}."
    if found.sign:
        larger, smaller = (first, second) if found.sign > 0 else (second, first)
        return f"In every equally good model the weight of {larger} is larger than that of {smaller}. {reach}"
    return f"Equally good models disagree on whether {first} or {second} has the larger weight. {reach}"


def sum_sentence(found: Span, first: str, second: str) -> str:
    """What two features do together."""
    reach = f"The sum of the weights of {first} and {second} lies between {found.lo:.3f} and {found.hi:.3f}"
    alike = {
        1: ", so it is positive in every equally good model",
        -1: ", so it is negative in every equally good model",
    }
    return f"{reach}{alike.get(found.sign, '; its sign is not the same in all equally good models')}."
