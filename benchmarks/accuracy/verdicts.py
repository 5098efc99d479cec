"""Can the classes be trusted? Tables with known truth, pure noise, patients with several rows, other seeds and orders.

    python -m benchmarks.accuracy.verdicts [--seeds 5] [--first-seed 0] [--part kinds noise patients steadiness]
                                           [--kind "groups .9" ...] [--design "100 x 20" ...] [--loss logistic]
                                           [--jobs 2] [--json FILE]
    python -m benchmarks.accuracy.verdicts --part peers --seeds 2
    python -m benchmarks.accuracy.verdicts --part cost [--against OTHER/src]
    python -m benchmarks.accuracy.verdicts --part probes --seeds 1 --noise-seeds 2

The tables are those of benchmarks.accuracy.known_truth, which also defines truth and figures. The parts:

    kinds        classes compared with the truth, per kind of table and over all; then which warnings were given on
                 tables whose classes are all right, and on the others (and on tables of noise, if they are run too)
    noise        the share of tables of noise in which something is called relevant, with its 95 % interval
    patients     several rows per patient, `groups` given: false calls where nothing is relevant, and what is found
    steadiness   how many of the relevant classes differ between two of five seeds of one fit, and between two of five
                 orders of the rows, on twelve kinds
    peers        other methods on the same tables; a slow one sees the first seed of every fourth kind
    cost         CPU seconds of whole fits, and their ratio to those of another checkout (alternating runs)
    probes       every table with as many probes as settle its classes, and with all probes: do the classes differ?

--loss is for two classes. Weighted tables are not shown to peers, which ignore weights.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable
from dataclasses import asdict
from itertools import combinations

import numpy as np
from scipy.stats import binomtest

from benchmarks.accuracy.known_truth.fits import Ask, Fitted, all_fitted, first_words
from benchmarks.accuracy.known_truth.kinds import CLASSES, KINDS, STEADY
from benchmarks.accuracy.known_truth.noise_designs import NOISE, PATIENTS
from benchmarks.accuracy.known_truth.scores import Scores, all_right, changed_classes, mean_scores, scored
from benchmarks.accuracy.verdict_cost import SIZES, show_cost
from benchmarks.accuracy.verdict_peers import show_peers
from benchmarks.accuracy.verdict_probes import show_probes

USUAL = ("kinds", "noise", "patients", "steadiness")
PARTS = (*USUAL, "peers", "cost", "probes")
SEEDS_OF_A_FIT = ROW_ORDERS = 5
COLUMNS = {
    "F1": "f1",
    "strict F1": "strict_f1",
    "recall": "recall",
    "three-way": "three_way",
    "false call": "false_call",
    "null called": "null_called",
    "null strong": "null_strong",
    "strong missed": "strong_missed",
    "weak missed": "weak_missed",
    "strong as weak": "strong_as_weak",
    "weak as strong": "weak_as_strong",
    "proxies called": "proxies_called",
}


def asks(part: str, names: Iterable[str], options: argparse.Namespace, seeds: int) -> list[Ask]:
    """One question per name and seed."""
    return [Ask(part, name, options.first_seed + number) for name in names for number in range(seeds)]


def figures_of(fits: list[Fitted]) -> Scores:
    """Means over tables."""
    return mean_scores([scored(fit.truth, fit.found) for fit in fits])


def header(*titles: str) -> str:
    """The head of a Markdown table."""
    return "| " + " | ".join(titles) + " |\n" + "| --- " * len(titles) + "|"


def share(part: int, whole: int) -> str:
    """A share with its counts."""
    return f"{part / whole:.3f} ({part} of {whole})" if whole else ""


def show_kinds(options: argparse.Namespace) -> list[Fitted]:
    """One row per kind, then the means over all tables."""
    names = options.kind or list(KINDS)
    fits = all_fitted(asks("kinds", names, options, options.seeds), options.loss, options.jobs)
    print(f"\nTables with known truth, {seeds_text(options, options.seeds)}: means over tables, counts per table\n")
    print(header("kind", "tables", *COLUMNS, "CPU s per fit"))
    for name in names:
        print(kind_row(name, [fit for fit in fits if fit.name == name]))
    for title, chosen in (("classes", CLASSES), ("other targets", set(KINDS) - set(CLASSES)), ("all", KINDS)):
        some = [fit for fit in fits if fit.name in chosen]
        if some and (title == "all" or len(some) < len(fits)):
            print(kind_row(f"ALL: {title}" if title != "all" else "ALL", some))
    return fits


def kind_row(title: str, fits: list[Fitted]) -> str:
    """The means over some tables."""
    figures = asdict(figures_of(fits))
    cells = ["" if np.isnan(figures[name]) else f"{figures[name]:.3f}" for name in COLUMNS.values()]
    seconds = float(np.mean([fit.seconds for fit in fits]))
    return f"| {title} | {len(fits)} | {' | '.join(cells)} | {seconds:.2f} |"


def show_warnings(kinds: list[Fitted], noise: list[Fitted]) -> None:
    """How often each kind of warning is given, and whether it marks the tables with a wrong class."""
    right = [fit for fit in kinds if all_right(fit.truth, fit.found)]
    wrong = [fit for fit in kinds if not all_right(fit.truth, fit.found)]
    print(f"\nWarnings by their first words: all classes are right on {share(len(right), len(kinds))} of the tables\n")
    print(header("warning", "right tables with it", "wrong tables with it", "tables of noise with it"))
    texts = sorted({first_words(text) for fit in (*kinds, *noise) for text in fit.warnings})
    for words in texts:
        cells = [share(sum(has_warning(fit, words) for fit in fits), len(fits)) for fits in (right, wrong, noise)]
        print(f"| {words} | {' | '.join(cells)} |")
    if not texts:
        print("| none | | | |")


def has_warning(fit: Fitted, words: str) -> bool:
    """Whether one of a fit's warnings begins with these words."""
    return any(first_words(text) == words for text in fit.warnings)


def show_noise(options: argparse.Namespace) -> list[Fitted]:
    """One row per design, and all of them with an interval for the rate."""
    names = [name for name in NOISE if not options.design or name in options.design]
    fits = all_fitted(asks("noise", names, options, options.noise_seeds), options.loss, options.jobs)
    print(f"\nTables of noise, {seeds_text(options, options.noise_seeds)}: tables with something called relevant\n")
    print(header("design", "tables", "with a call", "with a strong one", "rate", "95 % interval"))
    for name in (*names, None):
        some = [fit for fit in fits if name is None or fit.name == name]
        called = sum(bool(fit.found.any()) for fit in some)
        low, high = binomtest(called, len(some)).proportion_ci(method="exact")
        cells = [len(some), called, sum(bool((fit.found == 2).any()) for fit in some), f"{called / len(some):.3f}"]
        print(f"| {name or 'ALL'} | {' | '.join(map(str, cells))} | {low:.3f} to {high:.3f} |")
    return fits


def show_patients(options: argparse.Namespace) -> None:
    """One row per design with several rows per patient."""
    names = [name for name in PATIENTS if not options.design or name in options.design]
    fits = all_fitted(asks("patients", names, options, options.patient_seeds), options.loss, options.jobs)
    print(f"\nSeveral rows per patient, groups given, {seeds_text(options, options.patient_seeds)}\n")
    print(header("design", "tables", "tables with a false call", "null called per table", "relevant found"))
    for name in names:
        some = [fit for fit in fits if fit.name == name]
        figures = figures_of(some)
        true = sum(int((fit.truth > 0).sum()) for fit in some)
        found = sum(int(((fit.truth > 0) & (fit.found > 0)).sum()) for fit in some)
        false = round(figures.false_call * len(some))
        print(f"| {name} | {len(some)} | {false} | {figures.null_called:.2f} | {share(found, true)} |")


def show_steadiness(options: argparse.Namespace) -> None:
    """The share of relevant classes that differ between two fits of one table."""
    names = [name for name in STEADY if not options.kind or name in options.kind]
    variations: dict[str, Callable[[str, int], Ask]] = {
        "seeds": lambda name, number: Ask("kinds", name, options.first_seed, random_state=number),
        "row orders": lambda name, number: Ask("kinds", name, options.first_seed, row_order=number),
    }
    counts = {"seeds": SEEDS_OF_A_FIT, "row orders": ROW_ORDERS}
    changes: dict[str, dict[str, tuple[int, int]]] = {}
    for variation, ask in variations.items():
        numbers = range(counts[variation])
        fits = all_fitted([ask(name, number) for name in names for number in numbers], options.loss, options.jobs)
        for name in names:
            own = [fit.found for fit in fits if fit.name == name]
            pairs = [changed_classes(first, other) for first, other in combinations(own, 2)]
            changes.setdefault(name, {})[variation] = (sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs))
    print(
        f"\nChanged classes among the relevant ones, over all pairs of {SEEDS_OF_A_FIT} seeds of a fit and of "
        f"{ROW_ORDERS} orders of the rows, table {options.first_seed} of each kind\n"
    )
    print(header("kind", *(f"changed by {variation}" for variation in variations)))
    for name in names:
        print(f"| {name} | {' | '.join(share(*changes[name][variation]) for variation in variations)} |")
    sums = [np.sum([changes[name][variation] for name in names], axis=0) for variation in variations]
    print(f"| ALL | {' | '.join(share(int(changed), int(relevant)) for changed, relevant in sums)} |")


def seeds_text(options: argparse.Namespace, count: int) -> str:
    """The seeds of the tables, in words."""
    return f"seeds {options.first_seed} to {options.first_seed + count - 1}"


def write_records(path: str, fits: list[Fitted]) -> None:
    """All fits as JSON."""
    records = [{**asdict(fit), "truth": fit.truth.tolist(), "found": fit.found.tolist()} for fit in fits]
    with open(path, "w", encoding="utf-8") as file:
        json.dump(records, file, indent=1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5, help="tables per kind")
    parser.add_argument("--noise-seeds", type=int, default=12, help="tables per design of noise")
    parser.add_argument("--patient-seeds", type=int, default=20, help="tables per design with patients")
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--part", nargs="*", choices=PARTS, help=f"by default {', '.join(USUAL)}; with --kind, kinds")
    parser.add_argument("--kind", nargs="*", metavar="KIND", help=f"some of: {'; '.join(KINDS)}")
    parser.add_argument(
        "--design", nargs="*", choices=(*NOISE, *PATIENTS), metavar="DESIGN", help="of noise or patients"
    )
    parser.add_argument("--loss", help="loss of the fits with two classes; the estimator's default if not given")
    parser.add_argument("--jobs", type=int, default=1, help="number of processes")
    parser.add_argument("--against", metavar="SRC", help="source folder of another checkout, for the part cost")
    parser.add_argument("--sizes", nargs="*", default=list(SIZES), metavar="ROWSxCOLUMNS", help="for the part cost")
    parser.add_argument("--repeat", type=int, default=3, help="runs per fit in the part cost")
    parser.add_argument("--json", help="also write the classes of all tables of kinds and noise here")
    options = parser.parse_args()
    unknown = [name for name in options.kind or [] if name not in KINDS]
    if unknown:
        parser.error(f"no kind {unknown[0]!r}; there are {'; '.join(KINDS)}")
    parts = options.part or (("kinds",) if options.kind else USUAL)
    kinds = show_kinds(options) if "kinds" in parts else []
    noise = show_noise(options) if "noise" in parts else []
    if kinds:
        show_warnings(kinds, noise)
    if "patients" in parts:
        show_patients(options)
    if "steadiness" in parts:
        show_steadiness(options)
    if "peers" in parts:
        show_peers(options)
    if "cost" in parts:
        show_cost(options.sizes, options.against, options.repeat)
    if "probes" in parts:
        show_probes(options)
    if options.json:
        write_records(options.json, [*kinds, *noise])


if __name__ == "__main__":
    main()
