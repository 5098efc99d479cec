"""What the FRI paper (2019) says in words about its tables and its figure of runtimes, as claims on the same runs."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.papers.claims import BETTER, DIFFERS, REPRODUCED, Cell, Claim, number
from benchmarks.papers.printed import FRI_TABLE_II, FRI_TABLE_IV

SETS = tuple(FRI_TABLE_II)
TABLES = tuple(FRI_TABLE_IV)
RIVALS = ("Boruta", "ensemble", "elastic net", "stability selection")
FITTED = ("relspan", "Boruta", "elastic net", "stability selection")
WIDTHS = {"colposcopy": 62, "SPECTF": 44, "breast cancer": 30}
FEW_DRAWS = "the rivals' implementations are others, and there are few draws of the slow ones"

Figures = dict[tuple[str, str], float]  # by set and method


def on(
    item: str,
    statement: str,
    paper: str,
    readings: tuple[str, str],
    sets: tuple[str, ...],
    methods: tuple[str, ...],
    judge: Callable[[Figures], tuple[str, str]],
    because: str = FEW_DRAWS,
) -> Claim:
    """A claim on the figures of several sets and methods; `judge` gives our figure as a text, and the verdict."""
    title, column = readings
    places = [(name, method) for name in sets for method in methods]

    def found(words: tuple[str, ...]) -> tuple[str, str]:
        return judge(dict(zip(places, map(number, words), strict=True)))

    return Claim(
        item,
        statement,
        paper,
        "fri-real" if set(sets) <= set(TABLES) else "fri-simulated",
        tuple(Cell(title, place, column) for place in places),
        lambda words: found(words)[1],
        lambda words: found(words)[0],
        because,
    )


def verdict(condition: bool, otherwise: str = DIFFERS) -> str:
    """Reproduced if the condition holds."""
    return REPRODUCED if condition else otherwise


def listed(figures: dict[str, float], digits: int) -> str:
    """Figures by name."""
    return ", ".join(f"{name} {figure:.{digits}f}" for name, figure in figures.items())


def means(figures: Figures, methods: tuple[str, ...]) -> dict[str, float]:
    """Each method's mean over the sets."""
    by_method = {method: [value for (_, other), value in figures.items() if other == method] for method in methods}
    return {method: sum(values) / len(values) for method, values in by_method.items()}


def winners(figures: Figures, sets: tuple[str, ...]) -> dict[str, str]:
    """The method with the largest figure on each set."""
    return {
        name: max((place for place in figures if place[0] == name), key=lambda place: figures[place])[1]
        for name in sets
    }


def statements_of_table_ii() -> tuple[Claim, ...]:
    """Section III-A1: what the paper reads out of Table II."""
    methods = ("relspan", *RIVALS)
    printed = {method: sum(FRI_TABLE_II[name][method][0] for name in SETS) / len(SETS) for method in methods}

    def lead(figures: Figures) -> tuple[str, str]:
        ours = means(figures, methods)
        return listed(ours, 3), verdict(ours["relspan"] >= max(ours.values()))

    def nearly_perfect(figures: Figures) -> tuple[str, str]:
        least = min(figures.values())
        return f"{least:.3f}", BETTER if least > 0.99 else verdict(least >= 0.97)

    def lost_recall(figures: Figures) -> tuple[str, str]:
        shown = ", ".join(f"{method} {value:.2f} on {name}" for (name, method), value in figures.items())
        return shown, verdict(max(figures.values()) < 0.9)

    def worst_recall(figures: Figures) -> tuple[str, str]:
        worst = min(figures, key=lambda place: figures[place])
        return f"{worst[1]} on {worst[0]}, {figures[worst]:.2f}", verdict(worst == ("Sim5", "stability selection"))

    def beaten(figures: Figures) -> tuple[str, str]:
        theirs, ours = figures["Sim3", "stability selection"], figures["Sim3", "relspan"]
        return f"stability selection {theirs:.3f}, relspan {ours:.3f}", verdict(theirs > ours, BETTER)

    f1, recall = ("Table II:", "F1"), ("Table II:", "recall")
    return (
        on("Table II", "FRI takes the lead overall: mean F1", listed(printed, 2), f1, SETS, methods, lead),
        on("Table II", "A near perfect score in all sets: least F1", "0.98", f1, SETS, ("relspan",), nearly_perfect),
        on(
            "Table II",
            "The ensemble and stability selection lose recall, especially on Sim2 and Sim4: below .9",
            "ensemble .62, .73; stability selection .60, .83",
            recall,
            ("Sim2", "Sim4"),
            ("ensemble", "stability selection"),
            lost_recall,
        ),
        on(
            "Table II",
            "The worst recall of all is that of stability selection on Sim5",
            "0.16",
            recall,
            SETS,
            methods,
            worst_recall,
        ),
        on(
            "Table II",
            "Without weak features, stability selection is slightly better than FRI: F1 on Sim3",
            "stability selection 1.00, FRI .99",
            f1,
            ("Sim3",),
            ("relspan", "stability selection"),
            beaten,
        ),
    )


def all_fit() -> Claim:
    """Section III-A1: Table III in words."""

    def least(figures: Figures) -> tuple[str, str]:
        place = min(figures, key=lambda place: figures[place])
        return f"at least {figures[place]:.3f} ({place[1]} on {place[0]})", verdict(figures[place] > 0.9)

    return on(
        "Table III",
        "All models fit the simulated sets: training accuracy above .9",
        "above .9",
        ("Table III:", "training accuracy"),
        SETS,
        FITTED,
        least,
        "our stability selection keeps few of the relevant features of Sim1, Sim4 and Sim5, and a linear model on them "
        "cannot fit; all others are above",
    )


def statements_of_table_iv() -> tuple[Claim, ...]:
    """Section III-A2: what the paper reads out of Table IV."""
    methods = ("relspan", *RIVALS)
    area = ("Table IV:", "AUC")

    def no_winner(figures: Figures) -> tuple[str, str]:
        found = winners(figures, TABLES)
        shown = ", ".join(f"{method} on {name}" for name, method in found.items())
        return f"best: {shown}", verdict(len(set(found.values())) > 1)

    def best_on_colposcopy(figures: Figures) -> tuple[str, str]:
        ours = {method: value for (_, method), value in figures.items()}
        return listed(ours, 3), verdict(ours["relspan"] >= max(ours.values()))

    def close(figures: Figures) -> tuple[str, str]:
        spread = {
            name: max(v for (other, _), v in figures.items() if other == name)
            - min(v for (other, _), v in figures.items() if other == name)
            for name in ("SPECTF", "breast cancer")
        }
        return f"largest minus least: {listed(spread, 3)}", verdict(max(spread.values()) < 0.05)

    return (
        on("Table IV", "No method is clearly superior on all tables", "stated", area, TABLES, methods, no_winner),
        on(
            "Table IV",
            "On colposcopy the features that FRI selects perform best",
            "FRI .661, the rivals at most .640",
            area,
            ("colposcopy",),
            methods,
            best_on_colposcopy,
            "the elastic net is ahead by about one standard error of the ten draws; the others have one or two draws",
        ),
        on(
            "Table IV",
            "On SPECTF and breast cancer most methods perform alike: within .05",
            "within .021 and .002",
            area,
            ("SPECTF", "breast cancer"),
            methods,
            close,
        ),
    )


def statements_of_table_v() -> tuple[Claim, ...]:
    """Section III-A2: what the paper reads out of Table V."""
    sizes = ("Table V:", "features")

    def largest(figures: Figures) -> tuple[str, str]:
        found = winners(figures, SETS)
        count = sum(method == "elastic net" for method in found.values())
        return f"on {count} of {len(SETS)} sets", verdict(count == len(SETS))

    def inflated(figures: Figures) -> tuple[str, str]:
        shown = ", ".join(f"{value:.0f} of {WIDTHS[name]} on {name}" for (name, _), value in figures.items())
        return shown, verdict(all(value > WIDTHS[name] / 2 for (name, _), value in figures.items()))

    return (
        on(
            "Table V",
            "The elastic net selects by far the most features of the simulated sets",
            "on 5 of 5 sets",
            sizes,
            SETS,
            ("relspan", *RIVALS),
            largest,
        ),
        on(
            "Table V",
            "Boruta's sets on real tables are inflated: more than half of all features",
            "35 of 62, 44 of 44, 30 of 30",
            sizes,
            TABLES,
            ("Boruta",),
            inflated,
        ),
        Claim(
            "Table V",
            "Stability selection selects about as many features as FRI calls strong, within 3: Sim1 to Sim4",
            "5.0 and 5.1, 12.1 and 12.4, 4.0 and 4.0, 15.0 and 17.9",
            "fri-simulated",
            tuple(
                cell
                for name in SETS[:4]
                for cell in (
                    Cell("Table V:", (name, "stability selection"), "features"),
                    Cell("Table V:", (name, "relspan"), "strong"),
                )
            ),
            lambda words: verdict(
                all(abs(number(a) - number(b)) <= 3 for a, b in zip(words[::2], words[1::2], strict=True))
            ),
            "{} and {}, {} and {}, {} and {}, {} and {}",
            "ours keeps fewer features where many are relevant",
        ),
    )


def statements_of_figure_4() -> tuple[Claim, ...]:
    """Section III-C: the order of the runtimes."""
    methods = ("relspan", *RIVALS)

    def order(figures: Figures) -> tuple[str, str]:
        ours = dict(sorted(means(figures, methods).items(), key=lambda item: item[1]))
        fastest = list(ours)[:2]
        return f"mean CPU s: {listed(ours, 2)}", verdict(
            fastest == ["elastic net", "stability selection"], BETTER if "relspan" in fastest else DIFFERS
        )

    def slowest(figures: Figures) -> tuple[str, str]:
        count = sum(method == "ensemble" for method in winners(figures, SETS).values())
        return f"on {count} of {len(SETS)} sets", verdict(count > len(SETS) / 2)

    return (
        on(
            "Figure 4",
            "The elastic net is the fastest, followed by stability selection",
            "shown",
            ("Figure 4:", "CPU s"),
            SETS,
            methods,
            order,
        ),
        on(
            "Figure 4",
            "Ensemble feature selection is the slowest in most cases",
            "shown",
            ("Figure 4:", "CPU s"),
            SETS,
            methods,
            slowest,
            "the paper's ensemble is a package in R, ours a shorter one after its paper; Boruta in Python is slower",
        ),
    )
