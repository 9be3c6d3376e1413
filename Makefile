# Every target first sets up what it needs, in .venv. `make` alone lists the targets.
.DEFAULT_GOAL := help
.PHONY: help run tour test check lint types ready nightly mutants bench verify-exact wheel setup ui proofs pictures screens figures lock

PYTHON ?= python3
PORT ?=
BIN := .venv/bin
VENV := .venv/made
RUN := .venv/run
TEST := .venv/test
BENCH := .venv/bench
NODE_PACKAGES := .venv/node_modules/.all
SCREENS := src/pitboss/web/static/index.html
UI := $(shell find ui -name node_modules -prune -o -name schema.d.ts -o -type f -print)
unexport PYTHONDONTWRITEBYTECODE # compile packages once, on first import
PARALLEL := @$(MAKE) --silent --jobs=2

##@ Play and explore
help: ## list the targets
	@awk '/^##@/ { printf "\n%s\n", substr($$0, 5) } /^[a-z-]+:.*## / { split($$0, part, ":.*## "); printf "  make %-13s %s\n", part[1], part[2] }' Makefile

run: ## start the house at http://127.0.0.1:8639, for play money, in ./data (PORT=… for another port)
	$(PARALLEL) $(RUN) $(SCREENS)
	@$(BIN)/pitboss serve $(if $(PORT),--port $(PORT))

tour: $(RUN) ## show the three games, their clauses and paytables in the terminal
	@$(BIN)/pitboss tour

##@ Test
test: check ## run all checks and tests; installs PostgreSQL and Chromium if missing (10 minutes)
	$(BIN)/pytest

nightly: ready ## run every test campaign at full size; resumable (100 minutes)
	$(BIN)/python tools/nightly.py

mutants: ready ## break each clause on purpose; a test that claims it must fail; resumable (40 minutes)
	$(BIN)/python tools/mutants.py $(CLAUSE)

verify-exact: $(RUN) ## recount every wager by another method; resumable (15 minutes)
	$(BIN)/python -m pitboss.exact.recount

bench: $(BENCH) ## measure speed against other libraries
	$(BIN)/python -m bench

##@ Develop
check: ready ## lint, check types and import layers
	$(PARALLEL) --output-sync lint types

lint:
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports
	mkdir -p build && $(BIN)/python -m pitboss.web.schema > build/openapi.json
	$(BIN)/python tools/node.py run types check

types:
	$(BIN)/mypy

ready: $(VENV) # installs everything the tests need
	@$(BIN)/python tools/programs.py
	$(PARALLEL) $(TEST) $(NODE_PACKAGES)
	@$(MAKE) --silent $(SCREENS)

ui: $(SCREENS) ## build the screens into the package

proofs: ready ## record which tests prove which clauses
	@out=$$($(BIN)/pytest --collect-only --quiet --write-proofs 2>&1) || { echo "$$out"; exit 1; }

figures: $(RUN) ## calculate the figures included in the package
	$(BIN)/python -m pitboss.report.write_figures

pictures: $(TEST) ## draw the pictures of the documentation and list all refusals
	$(BIN)/python docs/pictures.py
	$(BIN)/python docs/refusals.py

screens: ready ## take the screenshots of the documentation
	$(BIN)/python docs/screens.py

##@ Release
wheel: $(TEST) $(SCREENS) ## build the package with its screens into ./dist
	$(BIN)/hatchling build -t wheel

lock: ## lock the dependencies in requirements/ (needs uv)
	uv pip compile $(LOCK) pyproject.toml --output-file requirements/run.txt
	uv pip compile $(LOCK) pyproject.toml --group test --constraint requirements/run.txt --output-file requirements/test.txt
	for group in bench node postgresql; do uv pip compile $(LOCK) --group pyproject.toml:$$group --output-file requirements/$$group.txt; done
LOCK := --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --quiet

# Set-up: each file below marks a finished step.
$(VENV): requirements/run.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Pitboss needs Python 3.11 or newer; set PYTHON=… to one."; exit 1; }
	@echo "Setting up in .venv; this happens once."
	@$(PYTHON) -m venv --clear .venv || { echo "Python's venv module is missing; as root: apt-get install python3-venv"; exit 1; }
	@touch $@

$(RUN): $(VENV)
	@$(BIN)/python tools/install.py run
	@touch $@

$(TEST): $(RUN) requirements/test.txt
	@$(BIN)/python tools/install.py test
	@touch $@

$(BENCH): $(RUN) requirements/bench.txt
	@$(BIN)/python tools/install.py bench
	@touch $@

$(NODE_PACKAGES): ui/package-lock.json | $(VENV)
	@$(BIN)/python tools/node.py packages

$(SCREENS): $(UI) | $(VENV)
	@$(BIN)/python tools/node.py screens
