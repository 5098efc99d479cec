"""AnnData and MuData: from annotated matrices to a table that estimators take, and verdicts back into ``.var``.

Neither package is imported: anything that has `X`, `layers`, `obs`, `var` and `uns` as AnnData has them will do, and
anything with `mod`, a mapping of such objects, is read as MuData.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from relspan import checks
from relspan.arrays import Bools, Floats, Ints
from relspan.errors import DataError, ParameterError, RelspanWarning
from relspan.result import RelevanceResult
from relspan.tables import NamedMatrix

OBS = "obs:"
VERDICTS = ("relevance", "min", "max", "direction", "evidence")
"""What `annotate_var` writes of every feature; each name follows the prefix and an underscore."""
LARGEST_TABLE = 2**29  # numbers, which are 4 GiB


class AnnotatedTable(NamedTuple):
    """Numbers of annotated data, ready for an estimator.

    Parameters
    ----------
    X : NamedMatrix
        The features, with their names.
    y : ndarray of shape (n_rows,)
        The target: numbers or text.
    groups : ndarray of shape (n_rows,) or None
        The group of each row; None where none was asked for.
    rows : tuple of str
        The names of the observations that became rows.

    See Also
    --------
    from_anndata : Makes one.

    Examples
    --------
    ``RelevanceClassifier(random_state=0).fit(table.X, table.y, groups=table.groups)`` analyses the table.
    """

    X: NamedMatrix
    y: NDArray[Any]
    groups: NDArray[Any] | None
    rows: tuple[str, ...]


def from_anndata(
    data: Any,
    target: str,
    *,
    layer: str | Mapping[str, str] | None = None,
    groups: str | None = None,
    features: str | Sequence[str] | None = None,
) -> AnnotatedTable:
    """Take the features and the target from AnnData or MuData.

    Nothing is normalised, logarithmised or corrected for batches: choose the layer in which that has been done.

    Parameters
    ----------
    data : AnnData or MuData
        The annotated data. Of MuData all modalities are used, and features are called "rna:CD3D". Observations that
        some modality does not have are left out, with a warning that counts them.
    target : str
        The column of ``data.obs`` to predict, such as "response" or "obs:response".
    layer : str or mapping of str to str, optional
        The layer to read in place of ``X``; for MuData one name for all modalities, or one for each by its name.
    groups : str, optional
        The column of ``data.obs`` whose values name the group of each observation, such as a patient or a batch.
    features : str or sequence of str, optional
        The features to use: the name of a column of ``var`` that holds booleans, such as "highly_variable", or the
        names of features. By default all of them.

    Returns
    -------
    AnnotatedTable
        What `fit` takes: `X`, `y` and `groups`.

    See Also
    --------
    annotate_var : Write the verdicts back.

    Examples
    --------
    With an AnnData object ``adata``::

        table = relspan.from_anndata(adata, target="obs:response", layer="log1p", groups="obs:patient")
        clf = RelevanceClassifier(random_state=0).fit(table.X, table.y, groups=table.groups)
        relspan.annotate_var(adata, clf.result_)
    """
    parts = _modalities(data)
    of_data, of_part = _shared_rows(data, parts)
    blocks, columns = [], []
    for modality, part in parts.items():
        values, names = _block(part, _layer_of(layer, modality, parts), features, modality)
        blocks.append((values, of_part[modality]))
        columns += [_full_name(modality, name) for name in names]
    _refuse_columns(columns, features, parts, len(of_data))
    X = NamedMatrix(np.hstack([_dense(values)[rows] for values, rows in blocks]), tuple(columns))
    own = None if groups is None else _observed(data, "groups", groups)[of_data]
    names = [str(name) for name in data.obs_names]
    return AnnotatedTable(X, _observed(data, "target", target)[of_data], own, tuple(names[row] for row in of_data))


def annotate_var(data: Any, result: RelevanceResult, *, prefix: str = "relspan") -> None:
    """Write the verdicts of a result into ``var`` of AnnData or MuData, and the whole result into ``uns``.

    Parameters
    ----------
    data : AnnData or MuData
        The data whose features were analysed. Columns of ``var`` that have these names already are replaced.
    result : RelevanceResult
        The result of an estimator that was fitted to the table of `from_anndata`.
    prefix : str, default="relspan"
        What the names of the columns begin with: "relspan_relevance" (the class), "relspan_min", "relspan_max",
        "relspan_direction" and "relspan_evidence". ``uns["relspan"]`` gets the JSON of the result.

    See Also
    --------
    from_anndata : The table that was analysed.

    Examples
    --------
    ``adata.var[adata.var["relspan_relevance"] == "strong"]`` are then the genes that every good model needs.
    """
    parts = _modalities(data)
    known = {_full_name(modality, str(name)) for modality, part in parts.items() for name in part.var_names}
    strange = next((feature.name for feature in result.features if feature.name not in known), None)
    if strange is not None:
        raise DataError(f"the data have no feature {strange!r}{checks.did_you_mean(strange, sorted(known))}")
    found = {feature.name: feature for feature in result.features}
    for modality, part in parts.items():
        names = [_full_name(modality, str(name)) for name in part.var_names]
        for key in VERDICTS:
            text = key in ("relevance", "direction")
            values = [getattr(found[name], key) if name in found else None for name in names]
            empty: Any = "" if text else np.nan
            column = [empty if value is None else value for value in values]
            part.var[f"{prefix}_{key}"] = np.array(column, dtype=object if text else np.float64)
    data.uns[prefix] = result.to_json(indent=None)


def _modalities(data: Any) -> dict[str | None, Any]:
    """The parts that have features, by modality; AnnData is one part without a name."""
    if hasattr(data, "mod"):
        return dict(data.mod)
    missing = [name for name in ("X", "layers", "obs", "var", "obs_names", "var_names") if not hasattr(data, name)]
    if missing:
        raise ParameterError(
            f"data must be AnnData or MuData, not {type(data).__name__}, which has no {missing[0]!r}; "
            "relspan.tables.read_table reads files, and estimators take data frames as they are"
        )
    return {None: data}


def _shared_rows(data: Any, parts: Mapping[str | None, Any]) -> tuple[Ints, dict[str | None, Ints]]:
    """The observations that every part has: their places in the data, and in each part."""
    if None in parts:
        every = np.arange(len(data.obs))
        return every, {None: every}
    places = {modality: {str(name): row for row, name in enumerate(part.obs_names)} for modality, part in parts.items()}
    names = [str(name) for name in data.obs_names]
    kept = [row for row, name in enumerate(names) if all(name in place for place in places.values())]
    if not kept:
        raise DataError("no observation is in every modality, so there is no table to analyse")
    if len(kept) < len(names):
        warnings.warn(
            f"{len(names) - len(kept)} of {len(names)} observations are not in every modality and are left out",
            RelspanWarning,
            stacklevel=3,
        )
    return np.array(kept), {
        modality: np.array([place[names[row]] for row in kept]) for modality, place in places.items()
    }


def _full_name(modality: str | None, name: str) -> str:
    return name if modality is None else f"{modality}:{name}"


def _layer_of(
    layer: str | Mapping[str, str] | None, modality: str | None, parts: Mapping[str | None, Any]
) -> str | None:
    if layer is None or isinstance(layer, str):
        return layer
    strange = next((name for name in layer if name not in parts), None)
    if strange is not None:
        raise ParameterError(f"layer names {strange!r}, but the modalities are {checks.quoted(map(str, parts))}")
    return layer.get(str(modality))


def _block(
    part: Any, layer: str | None, features: str | Sequence[str] | None, modality: str | None
) -> tuple[Any, list[str]]:
    """The chosen columns of one part, and their names."""
    if layer is not None and layer not in part.layers:
        there = ", ".join(map(repr, part.layers)) or "none"
        raise ParameterError(f"no layer {layer!r}{_within(modality)}; the layers are: {there}")
    values = part.X if layer is None else part.layers[layer]
    if values is None:
        raise DataError(f"the data have no X{_within(modality)}; name a layer with layer=")
    names = [str(name) for name in part.var_names]
    chosen = _chosen(part, features, names, modality)
    return values[:, chosen], [name for name, keep in zip(names, chosen, strict=True) if keep]


def _chosen(part: Any, features: str | Sequence[str] | None, names: Sequence[str], modality: str | None) -> Bools:
    if features is None:
        return np.ones(len(names), dtype=bool)
    if not isinstance(features, str):
        own = {name if modality is None else name.removeprefix(f"{modality}:") for name in features}
        return np.array([name in own for name in names], dtype=bool)
    if features not in part.var:
        near = checks.did_you_mean(features, [str(name) for name in part.var])
        raise ParameterError(f"features: var has no column {features!r}{_within(modality)}{near}")
    marks = np.asarray(part.var[features])
    if marks.dtype != bool:
        raise ParameterError(f"features: the column {features!r} of var must hold booleans, not {marks.dtype}")
    return marks


def _refuse_columns(
    columns: Sequence[str], features: str | Sequence[str] | None, parts: Mapping[str | None, Any], n_rows: int
) -> None:
    """Refuse features that the data do not have, none at all, two of one name, and more than fit into memory."""
    if not (features is None or isinstance(features, str)):
        held = {*columns, *(name.split(":", 1)[1] for name in columns if None not in parts)}
        strange = next((name for name in features if name not in held), None)
        if strange is not None:
            known = [str(name) for part in parts.values() for name in part.var_names]
            raise ParameterError(f"features: no feature {strange!r}{checks.did_you_mean(strange, known)}")
    if not columns:
        raise DataError(f"features={features!r} leaves no feature")
    twice = next((name for name, times in Counter(columns).items() if times > 1), None)
    if twice is not None:
        raise DataError(f"several features are called {twice!r}; data.var_names_make_unique() renames them")
    if n_rows * len(columns) > LARGEST_TABLE:
        raise DataError(
            f"{n_rows} observations of {len(columns)} features are too many numbers to analyse at once; choose fewer "
            "with features=, such as 'highly_variable'"
        )


def _observed(data: Any, parameter: str, name: str) -> NDArray[Any]:
    """A column of obs without gaps: numbers, or text."""
    column = name.removeprefix(OBS)
    if column not in data.obs:
        near = checks.did_you_mean(column, [str(one) for one in data.obs])
        raise ParameterError(f"{parameter}: obs has no column {column!r}{near}")
    values = data.obs[column]
    gaps = int(values.isna().sum())
    if gaps:
        raise DataError(
            f"{parameter}: the column {column!r} of obs lacks {gaps} of {len(values)} values; leave these observations "
            f"out first: data[data.obs[{column!r}].notna()]"
        )
    plain = np.asarray(values)
    return plain if plain.dtype.kind in "biuf" else plain.astype(str)


def _dense(block: Any) -> Floats:
    values = block.toarray() if sparse.issparse(block) else block
    return np.asarray(values, dtype=np.float64)


def _within(modality: str | None) -> str:
    return "" if modality is None else f" in the modality {modality!r}"
