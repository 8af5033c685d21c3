# Two commands set everything up on a machine with Python 3.11+, make and git:
#   make demo    install, score the bundled completions, print the table
#   make test    install the development extras and TRL, check style, run the gate: minutes, before each commit
# Beside them:
#   make test-all           the gate and the rest of the suite: types, whole trainings, matrices of attacks, tutorials
#   make test-rest          that rest alone
#   make release-check      sdist and wheel, built twice and compared byte by byte, their sums and an SBOM, into dist/
#   make coverage           the suite again, with the lines and branches that it reaches
#   make soak               the hostile texts at full length, and twenty times as many random examples
#   make train-demo         install what training needs, and train: GRPO on a CPU in three minutes
#   make mutants            change one place of the modules that decide what is paid at a time; at least 80 % must
#                           be noticed by the tests (`make mutants SAMPLE=500 SEED=7`)
#   make certificates       certify the bundled presets, into certificates/ (docs/certify.md)
#   make verdict-changes    print every verdict on the frozen rows that changed since the last release; CHANGELOG=1
#                           writes the changes into CHANGELOG.md, FREEZE=1 takes today's verdicts for this version's,
#                           RELEASE=0.2.0 does both, raises the version and dates the CHANGELOG
#   make test-extras        install each extra of the wheel in an environment of its own and use what it is for
#                           (EXTRA=cache: only that one; all of them take an hour and gigabytes)
#   make test-hosts         the own code of foreign trainers and evaluators, each in a locked environment of its own
#                           (HOST=inspect_ai: only that one; all of them take an hour and gigabytes)
#   make test-page          the page of `verify-cli report` in a real browser (Debian: apt-get install chromium
#                           fonts-noto-cjk; CHROMIUM=PATH chooses another one)
#   make test-trl-oldest    the tests of the TRL adapter with the oldest TRL that is supported
#   make test-python PYTHON=python3.13    in an environment of its own and without torch: what depends on the
#                           interpreter
#   make test-lowest        the gate with the lowest versions that pyproject.toml allows, in .venv-lowest
#   make test-newest        the gate with the newest ones, in .venv-newest; `make test-python FROM=lowest` (or newest)
#                           is the part that depends on the interpreter
#   make docs               build the site of the documentation into site/, strictly: a warning fails it
#   make lock               resolve anew what all but these two install, and write it with hashes into locks/
PYTHON ?= python3
VENV := .venv
OLDEST := .venv-trl-oldest
FROM := lock
# Torch moves by hand: its build for CPUs has to be where pip looks.
KEEP := torch==2.13.0
SAMPLE := 320
SEED := 1
BIN := $(VENV)/bin
# What an environment's lock says, unless it is there already; anything that is wrong is said in one sentence.
FITS := import sys; v = sys.version_info[:2]; (3, 11) <= v <= (3, 14) or sys.exit( \
	"this needs Python 3.11 to 3.14, and $(PYTHON) is %d.%d: name another one, as in `make PYTHON=python3.12`" % v)
INSTALL = @$(PYTHON) -c 0 2>/dev/null || { \
	echo "$(PYTHON) does not start: name a Python 3.11 to 3.14 that does, as in \`make PYTHON=python3.12\`" >&2; exit 1; }; \
	$(PYTHON) -c '$(FITS)' && $(PYTHON) -m locks.install
# The oldest parser runtime of the supported range, beside the newest one in the environment.
ANTLR_OLDEST := $(VENV)/antlr-4.9.3

.PHONY: demo test test-all test-rest release-check coverage soak mutants verdict-changes train-demo test-trl-oldest \
	test-extras test-hosts test-page test-python test-lowest test-newest docs lock style lint format bench-env clean FORCE \
	certificates

demo: $(VENV)/.base
	$(BIN)/verify-cli demo

train-demo: $(VENV)/.train
	$(BIN)/verify-train demo

# Threads of torch would only stand in each other's way: the tests themselves run side by side, one more than
# there are cores, since many wait for processes that they watch.
RUNNERS := $(shell $(PYTHON) -c "import os; print((os.cpu_count() or 1) + 1)" 2>/dev/null)
PYTEST := OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n $(RUNNERS) --dist worksteal

# CONTRIBUTING.md says what is marked `slow`. The types are among it, checked by one of the tests beside the others.
test: style $(ANTLR_OLDEST)
	$(PYTEST) --durations 10 -m 'not slow'

test-rest: $(ANTLR_OLDEST)
	$(PYTEST) --durations 10 -m slow

test-all: style $(ANTLR_OLDEST)
	$(PYTEST) --durations 10

release-check: $(VENV)/.dev
	$(BIN)/python -m benchmarks.release_check

# Before Python 3.12 measuring makes Python code about twice as slow, so it is a command of its own.
coverage: $(ANTLR_OLDEST)
	$(PYTEST) --cov --cov-report=term:skip-covered

soak: $(VENV)/.dev
	SOAK=1 $(PYTEST) tests/verifiers tests/rewards tests/adapters

mutants: $(VENV)/.mutants
	$(BIN)/python -m benchmarks.mutants --sample $(SAMPLE) --seed $(SEED)

certificates: $(VENV)/.dev
	$(BIN)/python -m benchmarks.certificates certificates

verdict-changes: $(VENV)/.dev
	$(BIN)/python -m benchmarks.verdict_changes $(if $(CHANGELOG),--changelog) $(if $(FREEZE),--freeze) \
		$(if $(RELEASE),--release $(RELEASE))

style: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m tests.public_names

lint: style
	$(BIN)/mypy

format: $(VENV)/.dev
	$(BIN)/python -m tests.public_names --write
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

test-extras: $(VENV)/.dev
	$(BIN)/python -m tests.extras $(EXTRA)

test-hosts: $(VENV)/.dev
	$(BIN)/python -m tests.hosts $(HOST)

# The driver of the browser is for these tests only, so it is in no extra.
CHROMIUM ?= $(shell command -v chromium || command -v chromium-browser || command -v google-chrome)
test-page: $(VENV)/.page
	TESTED_PAGE=$(CHROMIUM) $(BIN)/python -m pytest tests/browser

test-trl-oldest: $(OLDEST)/.installed
	OMP_NUM_THREADS=1 $(OLDEST)/bin/python -m pytest tests/adapters/test_trl.py

# What depends on the interpreter: the sandbox, which forks it, and what reads or pickles code. Torch has no
# wheels for some interpreters, and is not needed for that.
MINOR = $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)
OTHER = .venv-python$(MINOR)$(if $(filter-out lock,$(FROM)),-$(FROM))
PARTS := tests/test_alias.py tests/test_imports.py tests/verifiers/code/jail tests/verifiers/runtime \
	$(addprefix tests/verifiers/core/, test_identity.py test_component_laws.py) \
	$(addprefix tests/verifiers/code/engine/, test_engine.py test_turns.py test_where_it_starts.py)

test-python:
	$(INSTALL) interpreter $(OTHER) --from $(FROM)
	OMP_NUM_THREADS=1 $(OTHER)/bin/python -m pytest -q -n $(RUNNERS) --dist worksteal $(PARTS)

# What users install is ranges: the suite's gate at both ends of them, each in an environment of its own.
GATE := -m 'not slow'
test-lowest test-newest: test-%:
	$(INSTALL) dev $(VENV)-$* --from $*
	OMP_NUM_THREADS=1 $(VENV)-$*/bin/python -m pytest -n $(RUNNERS) --dist worksteal $(GATE)

docs:
	$(INSTALL) docs .venv-docs
	NO_MKDOCS_2_WARNING=1 .venv-docs/bin/python -m mkdocs build --quiet
	@echo "site/index.html; its search needs a server: python3 -m http.server -d site"

lock:
	$(INSTALL) uv .venv-uv-$(MINOR)
	.venv-uv-$(MINOR)/bin/python -m locks.refresh $(KEEP)

# The peers that benchmarks/ measures against.
bench-env: $(VENV)/.bench

# Whether these are complete is for locks/install.py to say: a file's time says little after `git checkout`.
$(VENV)/.base $(VENV)/.train $(VENV)/.dev $(VENV)/.mutants $(VENV)/.bench $(VENV)/.page: $(VENV)/.%: FORCE
	$(INSTALL) $* $(VENV)

$(ANTLR_OLDEST): | $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --use-pep517 \
		--target $@ antlr4-python3-runtime==4.9.3

$(OLDEST)/.installed: FORCE
	$(INSTALL) trl-oldest $(OLDEST)

clean:
	rm -rf $(VENV) $(VENV)-* .hosts build dist site .mypy_cache .pytest_cache .ruff_cache
