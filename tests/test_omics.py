"""AnnData and MuData in, verdicts back into .var; on the packages themselves where they are installed."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import relspan
from relspan import RelevanceClassifier, RelevanceResult, annotate_var, from_anndata
from relspan.errors import DataError, ParameterError, RelspanWarning
from relspan.simulate import simulate

DATA = simulate(80, strong=1, weak=2, irrelevant=2, random_state=0)
GENES = ["CD3D", "MS4A1", "NKG7", "LYZ", "PPBP"]
CELLS = [f"cell{k}" for k in range(80)]


def stand_in(X, obs, var, layers):
    """What AnnData offers, as far as it is used."""
    return SimpleNamespace(X=X, obs=obs, var=var, layers=layers, uns={}, obs_names=obs.index, var_names=var.index)


def real(X, obs, var, layers):
    return pytest.importorskip("anndata").AnnData(X, obs=obs, var=var, layers=layers)


def annotated(kind, X=DATA.X, cells=CELLS, genes=GENES):
    obs = pd.DataFrame(
        {
            "response": pd.Categorical(np.where(DATA.y[: len(cells)] > 0, "yes", "no")),
            "patient": [f"p{k // 4}" for k in range(len(cells))],
            "age": np.arange(len(cells), dtype=float),
        },
        index=cells,
    )
    var = pd.DataFrame({"highly_variable": [True, True, True, False, True], "length": range(5)}, index=genes)
    return kind(X, obs, var, {"scaled": 2 * X, "sparse": sparse.csr_matrix(X)})


def multimodal(kind):
    """The first three genes, and two proteins in another order that lack one cell."""
    rna = annotated(kind)
    rna = kind(DATA.X[:, :3], rna.obs, rna.var[:3], {"scaled": 2 * DATA.X[:, :3]})
    order = np.arange(80)[::-1][1:]
    obs, var = rna.obs.iloc[order][[]], pd.DataFrame(index=["CD3D", "CD19"])
    protein = kind(DATA.X[order, 3:], obs, var, {"scaled": 3 * DATA.X[order, 3:]})
    if kind is real:
        data = pytest.importorskip("mudata").MuData({"rna": rna, "protein": protein})
        data.obs["response"] = rna.obs["response"].astype(str).reindex(data.obs_names)
        return data
    return SimpleNamespace(mod={"rna": rna, "protein": protein}, obs=rna.obs, obs_names=rna.obs_names, uns={})


KINDS = pytest.mark.parametrize("kind", [stand_in, real])


@KINDS
def test_a_table_has_the_numbers_names_target_and_groups(kind) -> None:
    table = from_anndata(annotated(kind), target="obs:response", groups="patient")
    np.testing.assert_array_equal(table.X.values, DATA.X)
    assert table.X.columns == tuple(GENES)
    assert table.y.tolist() == np.where(DATA.y > 0, "yes", "no").tolist()
    assert table.groups.tolist()[3:5] == ["p0", "p1"]
    assert table.rows == tuple(CELLS)
    assert from_anndata(annotated(kind), target="age").y.dtype == float


@KINDS
def test_layers_dense_and_sparse(kind) -> None:
    data = annotated(kind)
    np.testing.assert_array_equal(from_anndata(data, "response", layer="scaled").X.values, 2 * DATA.X)
    np.testing.assert_array_equal(from_anndata(data, "response", layer="sparse").X.values, DATA.X)


@KINDS
def test_features_by_a_column_of_var_or_by_name(kind) -> None:
    data = annotated(kind)
    assert from_anndata(data, "response", features="highly_variable").X.columns == ("CD3D", "MS4A1", "NKG7", "PPBP")
    chosen = from_anndata(data, "response", features=["LYZ", "CD3D"])
    assert chosen.X.columns == ("CD3D", "LYZ")  # in the order of the data
    np.testing.assert_array_equal(chosen.X.values, DATA.X[:, [0, 3]])


@KINDS
@pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::UserWarning")
def test_verdicts_go_back_into_var_and_the_result_into_uns(kind) -> None:
    data = annotated(kind)
    table = from_anndata(data, "response", features="highly_variable")
    result = RelevanceClassifier(random_state=0, n_probes=10).fit(table.X, table.y).result_
    annotate_var(data, result)
    assert data.var["relspan_relevance"].tolist() == [
        *(result[name].relevance for name in ("CD3D", "MS4A1", "NKG7")),
        "",
        result["PPBP"].relevance,
    ]
    assert data.var["relspan_max"]["CD3D"] == result["CD3D"].max
    assert np.isnan(data.var["relspan_max"]["LYZ"])
    assert RelevanceResult.from_json(data.uns["relspan"]) == result
    annotate_var(data, result, prefix="second")
    assert data.var["second_direction"]["CD3D"] == result["CD3D"].direction


@pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::UserWarning")
def test_an_annotated_file_can_be_written_and_read(tmp_path) -> None:
    anndata = pytest.importorskip("anndata")
    data = annotated(real)
    table = from_anndata(data, "response")
    result = RelevanceClassifier(random_state=0, n_probes=10).fit(table.X, table.y).result_
    annotate_var(data, result)
    data.write_h5ad(tmp_path / "data.h5ad")
    again = anndata.read_h5ad(tmp_path / "data.h5ad")
    assert again.var["relspan_relevance"].tolist() == data.var["relspan_relevance"].tolist()
    assert RelevanceResult.from_json(again.uns["relspan"]) == result


@KINDS
@pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::UserWarning:mudata")
def test_modalities_are_joined_by_observation(kind) -> None:
    data = multimodal(kind)
    with pytest.warns(RelspanWarning, match="1 of 80 observations are not in every modality"):
        table = from_anndata(data, "response")
    assert table.X.columns == ("rna:CD3D", "rna:MS4A1", "rna:NKG7", "protein:CD3D", "protein:CD19")
    assert sorted(table.rows) == sorted(CELLS[:79])
    place = [CELLS.index(name) for name in table.rows]
    np.testing.assert_array_equal(table.X.values, DATA.X[place])
    with pytest.warns(RelspanWarning):
        twofold = from_anndata(data, "response", layer={"protein": "scaled"})
    np.testing.assert_array_equal(twofold.X.values, DATA.X[place] * [1, 1, 1, 3, 3])
    result = RelevanceClassifier(random_state=0, n_probes=10).fit(table.X, table.y).result_
    annotate_var(data, result)
    assert data.mod["protein"].var["relspan_max"]["CD3D"] == result["protein:CD3D"].max
    assert data.mod["rna"].var["relspan_max"]["CD3D"] == result["rna:CD3D"].max
    with pytest.warns(RelspanWarning):
        assert from_anndata(data, "response", features=["rna:CD3D"]).X.columns == ("rna:CD3D",)


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"target": "respons"}, ParameterError, "target: obs has no column 'respons'; did you mean 'response'?"),
        ({"groups": "obs:patients"}, ParameterError, "groups: obs has no column 'patients'; did you mean 'patient'?"),
        ({"layer": "log"}, ParameterError, "no layer 'log'; the layers are: 'scaled', 'sparse'"),
        ({"features": "variable"}, ParameterError, "features: var has no column 'variable'"),
        ({"features": "length"}, ParameterError, "must hold booleans"),
        ({"features": ["CD3"]}, ParameterError, "features: no feature 'CD3'; did you mean 'CD3D'?"),
        ({"features": []}, DataError, "leaves no feature"),
        ({"layer": {"rna": "scaled"}}, ParameterError, "layer names 'rna'"),
    ],
    ids=["target", "groups", "layer", "no mark", "no booleans", "no feature", "none", "modality"],
)
def test_what_is_not_there_is_named(wrong, error, message) -> None:
    with pytest.raises(error) as caught:
        from_anndata(annotated(stand_in), **{"target": "response", **wrong})
    assert message in str(caught.value)


def test_gaps_in_the_target_other_objects_and_names_given_twice_are_refused() -> None:
    data = annotated(stand_in)
    data.obs.loc["cell3", "age"] = np.nan
    with pytest.raises(DataError, match=r"'age' of obs lacks 1 of 80 values; .* data\[data.obs\['age'\].notna\(\)\]"):
        from_anndata(data, "age")
    with pytest.raises(ParameterError, match="data must be AnnData or MuData, not ndarray"):
        from_anndata(DATA.X, "age")
    with pytest.raises(DataError, match="several features are called 'a'"):
        from_anndata(annotated(stand_in, genes=["a", "a", "b", "c", "d"]), "response")
    result = RelevanceClassifier(random_state=0, n_probes=10).fit(DATA.X, DATA.y).result_
    with pytest.raises(DataError, match="the data have no feature 'x0'"):
        annotate_var(annotated(stand_in), result)


def test_the_functions_are_at_the_front_door() -> None:
    assert {"from_anndata", "annotate_var"} <= set(relspan.__all__)
