# Two commands set everything up on a machine with Python 3.11+, make and git:
#   make demo    install, score the bundled completions, print the table
#   make test    install the development extras, check types and style, run the whole suite
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
# The oldest parser runtime of the supported range, beside the newest one in the environment.
ANTLR_OLDEST := $(VENV)/antlr-4.9.3

.PHONY: demo test lint format bench-env clean

demo: $(VENV)/.base
	$(BIN)/verify-cli demo

test: lint $(ANTLR_OLDEST)
	$(BIN)/python -m pytest -n auto --cov --cov-report=term:skip-covered

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The peers that benchmarks/ measures against.
bench-env: $(VENV)/.dev
	$(PIP) -e '.[dev,bench]'

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.base: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) -e .
	touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) -e '.[dev]'
	touch $@ $(VENV)/.base

$(ANTLR_OLDEST): | $(VENV)/.dev
	$(PIP) --no-deps --target $@ antlr4-python3-runtime==4.9.3

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache
