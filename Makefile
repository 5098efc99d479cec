# make demo | make test work in a fresh clone with nothing but Python (3.11 or newer) and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
TORCH ?= torch

.PHONY: demo test quick torch test-torch lint types format fuzz docs bench bench-quick release-check web-tools clean help

help:            ## what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "relspan needs Python 3.11 or newer; try make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.core: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.docs: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[docs]"
	@touch $@ $(VENV)/.core

$(VENV)/.bench: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[bench]"
	@touch $@ $(VENV)/.core

$(VENV)/.test: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[test]"
	@touch $@ $(VENV)/.core

demo: $(VENV)/.core  ## relevance intervals of ten measurements of diabetes patients
	$(BIN)/relspan demo

test: $(VENV)/.test lint types  ## linter, types and all tests
	$(BIN)/python -m pytest -q -n auto --dist worksteal

quick: $(VENV)/.test  ## linter and the quick tests, within a minute: no browser, no cluster, nothing slow
	$(BIN)/ruff check .
	$(BIN)/python -m pytest -q -n auto --dist worksteal -m "not slow and not browser and not cluster"

torch: $(VENV)/.torch  ## PyTorch into the environment; TORCH names the package, such as one without CUDA
$(VENV)/.torch: $(VENV)/.test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --retries 1 --timeout 20 $(TORCH)
	@touch $@

test-torch: $(VENV)/.torch  ## the engines' tests with the batched engine on PyTorch tensors, as a GPU runs it
	$(BIN)/python -m pytest -q -n auto --dist worksteal tests/engines -k torch

lint: $(VENV)/.test  ## ruff, and codespell for spelling
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/codespell

types: $(VENV)/.test  ## mypy, strict
	$(BIN)/mypy

format: $(VENV)/.test  ## let ruff rewrite the code in the project's style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

MINUTES ?= 30
JOBS ?= 2
fuzz: $(VENV)/.test  ## random problems for MINUTES on JOBS processes; faults go to fuzz-cases/
	$(BIN)/python tests/fuzz --minutes $(MINUTES) --jobs $(JOBS)

docs: $(VENV)/.docs  ## the documentation in docs/_build/html: warnings are errors, examples and doctests run
	$(BIN)/python -m sphinx -W --keep-going -b html -d docs/_build/doctrees docs docs/_build/html
	$(BIN)/python -m sphinx -W --keep-going -q -b doctest -D plot_gallery=0 -d docs/_build/doctrees docs docs/_build/doctest

bench-quick: $(VENV)/.bench  ## quick versions of all benchmarks whose needs are met
	$(BIN)/python -m benchmarks --all --quick

bench: $(VENV)/.bench  ## all benchmarks whose needs are met; hours
	$(BIN)/python -m benchmarks --all

release-check:   ## wheel and sdist, installed into empty environments with the lowest and newest dependencies, tested there
	$(PYTHON) tools/release_check.py

web-tools:       ## axe and tsc for the explorer's tests, from npm (tests skip what is not there)
	npm install --no-audit --no-fund --silent --no-save --prefix .node axe-core typescript

clean:           ## remove the environment, what was built, and caches
	rm -rf $(VENV) .node build dist docs/_build docs/api docs/gallery .pytest_cache .mypy_cache .ruff_cache .hypothesis
