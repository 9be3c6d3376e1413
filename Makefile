# Every target sets up what it needs first. `make` alone says what there is.
.DEFAULT_GOAL := help
.PHONY: help setup run tour soak test check bench lock proofs pictures verify-exact

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready

help: ## say what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

setup: $(READY) ## build .venv from the hashed lock

$(READY): requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Pitboss needs Python 3.11 or newer; set PYTHON=… to one."; exit 1; }
	@$(PYTHON) -m venv --clear .venv || { echo "No virtual environment; if Python's venv module is missing: apt-get install python3-venv"; exit 1; }
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
	@touch $@

run: $(READY) ## open the house: live tables for play money, on SQLite in ./data
	@$(BIN)/pitboss serve

tour: $(READY) ## show the three games, their clauses and tables
	@$(BIN)/pitboss tour

soak: $(READY) ## kill the server a thousand times under play
	PITBOSS_KILLS=1000 $(BIN)/pytest -s tests/house/test_crash.py

test: check ## run every check and every test
	$(BIN)/pytest

check: $(READY) ## lint, types, layers
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(READY) ## measure against named peers, in one run
	$(BIN)/python -m bench

verify-exact: $(READY) ## recount every wager plainly (hours; goes on where it was stopped)
	$(BIN)/python -m pitboss.exact.recount

proofs: $(READY) ## write down which tests prove which clauses
	@out=$$($(BIN)/pytest --collect-only --quiet --write-proofs 2>&1) || { echo "$$out"; exit 1; }

pictures: $(READY) ## draw the pictures of the README anew
	$(BIN)/python docs/pictures.py

lock: ## resolve the dependencies anew (needs uv)
	uv pip compile pyproject.toml --group dev --group bench --universal --generate-hashes --no-header --no-annotate --quiet --output-file requirements.txt
