"""A result as a person at a terminal reads it: a table with interval bars, and what the numbers mean.

Everything shown is in the result; nothing is computed here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from relspan.explore.pins import pin_from_record
from relspan.progress import STAGES
from relspan.result import CLASSES, FeatureRelevance, GroupRelevance, RelevanceResult
from relspan.show.marks import Glyphs, axis_end, by_relevance
from relspan.show.plain_text import printable
from relspan.show.terminal.interval_bars import Axis, Bar, glyphs

STYLES = {"strong": "bold cyan", "weak": "yellow", "irrelevant": "dim", "undecided": ""}
SCORES = {
    "classification": "weighted F1",
    "multiclass": "weighted F1",
    "ordinal": "1 - macro-averaged rank error",
    "regression": "R2",
    "reject": "1 - 0/1/r loss",
}
Told: TypeAlias = FeatureRelevance | GroupRelevance
NAMED = 6  # folded features that are still called by name


def show(result: RelevanceResult, console: Console, everything: bool = False) -> None:
    """Print the table, what is folded, and what it all means."""
    known = glyphs(console.options)
    ordered = by_relevance(result.features)
    pinned = {pin["feature"] for pin in result.parameters.get("pins", ())}
    shown = [f for f in ordered if everything or f.relevance != "irrelevant" or f.name in pinned]
    console.print()
    if shown:
        console.print(feature_table(result, shown, known, console.width))
    if len(shown) < len(ordered):
        console.print(Text(fold([f for f in ordered if f not in shown]), "dim"))
    for title, more in (("known while learning only", result.privileged), ("together", result.groups)):
        if more:
            console.print()
            console.print(more_table(result, title, more, known, console.width))
    console.print()
    console.print(counts(result, known))
    console.print()
    console.print(meaning(result, known))


def feature_table(result: RelevanceResult, shown: Sequence[FeatureRelevance], known: Glyphs, width: int) -> Table:
    """One row a feature: name, class, least and largest relevance, sign (one for each class, if several), bar."""
    threshold, top = result.thresholds.get("relevant"), axis_end(result)
    table = empty_table("feature", width)
    table.add_column("sign", justify="center", no_wrap=True)
    table.add_column(Axis(top, threshold))
    for f in shown:
        if f.name in result.left_out:
            table.add_row(Text(printable(f.name)), Text("left out", STYLES["irrelevant"]))
        else:
            table.add_row(*cells_of(f, known, f.solved), known.signs(f), bar_of(f, threshold, top))
    return table


def more_table(result: RelevanceResult, title: str, shown: Sequence[Told], known: Glyphs, width: int) -> Table:
    """The same without signs, for privileged columns or groups; a group's members stand below its name."""
    threshold, top = result.thresholds.get("relevant"), axis_end(result)
    table = empty_table(title, width)
    table.add_column(Axis(top, threshold))
    for f in shown:
        table.add_row(*cells_of(f, known), bar_of(f, threshold, top))
        if isinstance(f, GroupRelevance):
            table.add_row(Text("  " + ", ".join(map(printable, f.members)), "dim"))
    return table


def empty_table(title: str, width: int) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0), pad_edge=False, header_style="")
    table.add_column(title, overflow="fold", min_width=8, max_width=max(20, width // 3))
    table.add_column("class", no_wrap=True)
    table.add_column("min", justify="right", no_wrap=True)
    table.add_column("max", justify="right", no_wrap=True)
    return table


def cells_of(f: Told, known: Glyphs, solved: bool = True) -> tuple[Text, Text, str, str]:
    return (
        Text(printable(f.name)),
        Text(f"{known.mark(f.relevance)} {f.relevance}", STYLES[f.relevance]),
        f"{f.min:.3f}" if f.min else "0",
        ("" if solved else "<=") + (f"{f.max:.3f}" if f.max else "0"),
    )


def bar_of(f: Told, threshold: float | None, top: float) -> Bar:
    return Bar(f.min / top, f.max / top, None if threshold is None else threshold / top, STYLES[f.relevance])


def fold(folded: Sequence[FeatureRelevance]) -> str:
    """The features that have no row."""
    names = ", ".join(printable(f.name) for f in folded[:NAMED])
    more = f" and {len(folded) - NAMED} more" if len(folded) > NAMED else ""
    return f"folded, {len(folded)} irrelevant: {names}{more} (--all unfolds)"


def counts(result: RelevanceResult, known: Glyphs) -> Text:
    """How many features there are of each class."""
    if result.partial:
        undecided = f"{len(result.features)} undecided, {len(result.unfinished)} without an interval"
        return Text(f"{known.undecided} partial, the run was interrupted: {undecided}")
    kinds = CLASSES[:3]
    parts = [Text(f"{known.mark(kind)} {len(result.names(kind))} {kind}", STYLES[kind], end="") for kind in kinds]
    if result.left_out:
        parts.append(Text(f"{len(result.left_out)} left out", STYLES["irrelevant"], end=""))
    return Text("   ").join(parts)


def meaning(result: RelevanceResult, known: Glyphs) -> Table:
    """What the words and marks of the table mean here, one line each: a word and its explanation."""
    stages = ", ".join(f"{word} {result.seconds[key]:.1f}" for key, word in STAGES.items() if key in result.seconds)
    size = "total |weight| of all classes" if result.task == "multiclass" else "|weight|"
    lines = {
        "strong": "no equally good model does without it",
        "weak": "it can matter, and others can take its place",
        "min, max": f"least and largest {size} in all equally good models, as a share of the best model's norm",
        "sign": direction(result, known),
        known.pointer: "" if result.partial else chance(result),
        "equally good": equally_good(result),
        "pins": pins(result),
        "best model": best_model(result),
        "decisions": decisions(result),
        "proof": f"largest certified gap of an end {result.largest_gap:.0e}",
        "task": task(result),
        "data": described(result),
        "time": f"{result.seconds['total']:.1f} s ({stages})",
    }
    if result.partial:
        for word in ("strong", "weak", known.pointer):
            del lines[word]
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="bold", no_wrap=True)
    grid.add_column()
    for word, explanation in lines.items():
        if explanation:
            grid.add_row(Text(word, STYLES.get(word, "")), Text(explanation))
    return grid


def direction(result: RelevanceResult, known: Glyphs) -> str:
    """What a sign speaks for."""
    target = printable(result.data.get("target") or "the target")
    classes = [printable(name) for name in result.data.get("classes", {})]
    differs = f"{known.uncertain} differs among equally good models"
    if result.task == "multiclass":
        return f"one for each class, in turn {', '.join(classes)}: + speaks for it, - against it; {differs}"
    if result.task == "ordinal":
        return f"+ raises {target} from {classes[0]} towards {classes[-1]}; {differs}"
    if result.task == "regression":
        return f"+ raises {target}; {differs}"
    return f"+ speaks for {target} = {classes[-1]}; {differs}" if classes else differs


def best_model(result: RelevanceResult) -> str:
    """Where the budgets start from: C, the loss's own parameters, and how they were chosen."""
    baseline = result.baseline
    parts = [f"C = {baseline['C']:.4g}"]
    loss = baseline.get("loss_function", {})
    loss = {**loss, **loss.get("inner", {})}
    if result.task == "regression":
        parts.append(f"epsilon = {loss['epsilon']:.4g}")
    if result.task == "reject":
        parts.append(
            f"no answer costs {loss['reject_cost']:g} and is given at scores up to {loss['reject_threshold']:g}"
        )
    score = baseline.get("score")
    parts.append("as given" if score is None else f"cross-validated {SCORES.get(result.task, 'score')} {score:.3f}")
    return ", ".join(parts)


def decisions(result: RelevanceResult) -> str:
    """How differently models at the ends of the intervals decide, where they may give no answer."""
    ends = result.details.get("extremal_decisions")
    if not ends:
        return ""
    flips = max(end["flips"] for end in ends)
    moved = max(end["newly_rejected"] + end["newly_accepted"] for end in ends)
    change = max((end["change"] for end in ends), key=abs)
    rows = result.data["n_samples"]
    return (
        f"at the ends of the intervals at most {flips} of {rows} rows change their class and {moved} change between an "
        f"answer and none; the 0/1/r loss changes by up to {change:+.3f}"
    )


def task(result: RelevanceResult) -> str:
    """What the target was taken for, and why, where that was a guess."""
    reason = result.data.get("task_guessed")
    return result.task if reason is None else f"{result.task}, a guess (--task chooses): {reason}"


def described(result: RelevanceResult) -> str:
    """Rows, features and target."""
    told = [f"{result.data['n_samples']} rows", f"{result.data['n_features']} features"]
    target, weights = result.data.get("target"), result.data.get("weights")
    told += [f"weights {printable(weights)}"] if weights else []
    told += [f"target {printable(target)}"] if target else []
    between = " < " if result.task == "ordinal" else ", "
    classes = between.join(f"{printable(name)}: {count}" for name, count in result.data.get("classes", {}).items())
    lowest, highest = result.data.get("target_range", (None, None))
    span = classes if lowest is None else f"from {lowest:.4g} to {highest:.4g}"
    return ", ".join(told) + (f" ({span})" if span else "")


def equally_good(result: RelevanceResult) -> str:
    """The budgets in one sentence."""
    given, best = result.parameters, result.baseline
    more = f"at most {_percent(given['delta_norm'])} more"
    limits = result.budgets["limits"]
    if result.budgets["kind"] == "combined":
        return f"{more} norm + C loss than the best model (up to {limits[0][2]:.4g})"
    limit = {"norm" if norm_price else "loss": value for norm_price, _, value in limits}
    norm = f"{more} norm than the best model ({best['l1_norm']:.4g} to {limit['norm']:.4g})"
    least = best["loss"] if best["loss"] > 1e-9 * limit["loss"] else 0.0  # rounding is no loss
    loss = f"({least:.4g} to {limit['loss']:.4g}"
    if result.budgets["kind"] == "relative":
        return f"{norm}, at most {_percent(given['delta_loss'])} more loss {loss})"
    share = f"at most {_percent(given['delta_loss'])} of the loss it explains given up"
    return f"{norm}, {share} {loss}; without features {best['null_loss']:.4g})"


def pins(result: RelevanceResult) -> str:
    """What was demanded of the models; nothing without pins."""
    said = ", ".join(printable(str(pin_from_record(pin))) for pin in result.parameters.get("pins", ()))
    return said and f"{said}; thresholds, best model and time are those without pins"


def chance(result: RelevanceResult) -> str:
    """The threshold, and where it comes from; features that are needed may be relevant below it."""
    count = result.parameters["n_probes"] - result.probes["lost"]
    said = f"{result.thresholds['relevant']:.3f}, as far as chance reaches by {count} permuted columns"
    needed = result.thresholds.get("needed")
    least = [f.min for f in result.features if f.relevance != "irrelevant" and f.max <= result.thresholds["relevant"]]
    return said if needed is None or not least else f"{said}; relevant is also what must carry more than {needed:.2g}"


def _percent(share: float) -> str:
    return f"{100 * share:.4g} %"
