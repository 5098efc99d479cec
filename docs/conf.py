"""Sphinx settings. `make docs` builds the site with warnings as errors."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import matplotlib as mpl

import relspan
from relspan.errors import RelspanWarning

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))
mpl.use("agg")

project = "relspan"
author = "The relspan developers"
copyright = author
release = version = relspan.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.doctest",
    "sphinx.ext.viewcode",
    "numpydoc",
    "sphinx_gallery.gen_gallery",
    "mathml",
]
myst_enable_extensions = ["amsmath", "dollarmath", "deflist"]
myst_heading_anchors = 3
myst_fence_as_directive = ["math"]
exclude_patterns = ["_build", "**/README.md", "gallery/*.ipynb", "gallery/*.py"]
nitpicky = False

html_math_renderer = "mathml"
html_theme = "pydata_sphinx_theme"
html_title = "relspan"
html_theme_options = {"show_toc_level": 2, "navigation_with_keys": False, "secondary_sidebar_items": ["page-toc"]}
html_show_sourcelink = False
html_static_path = ["_static"]
html_css_files = ["formula.css"]
templates_path = ["_templates"]

autosummary_generate = True
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

doctest_global_setup = "import warnings; warnings.simplefilter('ignore')"

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": "/plot_",
    "ignore_pattern": r"(^|/)(?!plot_)[^/]*\.py$",
    "within_subsection_order": "FileNameSortKey",
    "image_scrapers": ("matplotlib",),
    "matplotlib_animations": False,
    "remove_config_comments": True,
    "show_memory": False,
    "abort_on_example_error": True,
    "min_reported_time": 1e9,
    "write_computation_times": False,
    "download_all_examples": False,
}
warnings.filterwarnings("ignore", category=RelspanWarning)
