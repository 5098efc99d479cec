"""Genes that distinguish two kinds of blood cells: a real wide table, from AnnData and back.

The data are 369 single cells with 765 genes each, a part of the 68,000 peripheral blood cells of 10x Genomics (Zheng et
al. 2017) that is shipped with scanpy. They are normalised by library size, logarithmised and scaled already, as relspan
expects. Which genes distinguish CD14+ monocytes from dendritic cells?

Needs `pip install "relspan[omics]" scanpy`. Run: python examples/omics_genes.py [FILE.h5ad]
It writes the genes' verdicts into a copy of the data. It takes minutes on one core.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

from relspan import RelevanceClassifier, annotate_var, from_anndata

KINDS = ("CD14+ Monocyte", "Dendritic")
FILE = "10x_pbmc68k_reduced.h5ad"


def main(output: str | None) -> None:
    scanpy = find_spec("scanpy")
    if find_spec("anndata") is None or scanpy is None:
        sys.exit('this example needs two more packages: pip install "relspan[omics]" scanpy')
    import anndata

    cells = anndata.read_h5ad(Path(scanpy.origin).parent / "datasets" / FILE)
    cells = cells[cells.obs["bulk_labels"].isin(KINDS)].copy()
    table = from_anndata(cells, target="obs:bulk_labels")
    print(f"{len(table.y)} cells, {len(table.X.columns)} genes")

    # screen=True skips the exact intervals of genes that are proven irrelevant already; the classes are the same
    result = RelevanceClassifier(random_state=0, screen=True, progress=True).fit(table.X, table.y).result_
    print(repr(result))

    annotate_var(cells, result)
    verdicts = cells.var[[name for name in cells.var if name.startswith("relspan_")]]
    relevant = verdicts[verdicts["relspan_relevance"] != "irrelevant"]
    print(relevant.sort_values("relspan_evidence", ascending=False).head(12).round(3).to_string())
    if output is not None:
        cells.write_h5ad(output)
        print(f"verdicts in {output}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
