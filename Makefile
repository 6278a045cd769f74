# Two commands are enough: `make demo` shows the whole table, `make test` proves it.
# Both install what they need: Debian packages (through sudo when not root) and a virtual environment.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
TESTS ?= tests

APT_RUN := python3-venv
APT_BOARD := make gcc gcc-avr avr-libc simavr libsimavr-dev libelf-dev
APT_HUB := mosquitto postgresql
APT_TEST := chromium avrdude openscad $(APT_HUB)
APT_BOOTLOADERS := arduino-core-avr

.PHONY: demo hub test lint types walls pytest soak installer ends py311 py313 opencv-oldest opencv-newest lock docs firmware core clean
.PHONY: apt-run apt-board apt-hub apt-test apt-bootloaders

demo: apt-run apt-board $(VENV)/.demo
	-@$(MAKE) --no-print-directory -C hardware/board
	$(BIN)/stammtisch demo

# Many tables: broker, database, hub and three virtual tables on this machine; it says where the page is.
hub: apt-run apt-hub $(VENV)/.hub
	-@$(BIN)/stammtisch hub demo

test: apt-run apt-board apt-test apt-bootloaders $(VENV)/.test firmware lint types walls pytest

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.test
	$(BIN)/mypy

walls: $(VENV)/.test
	$(BIN)/lint-imports

# One shuffled order that was seen green; `make pytest SEED=default` draws another, whose number the end says.
SEED ?= 20261125
pytest: $(VENV)/.test
	$(BIN)/pytest -n 2 --randomly-seed=$(SEED)

# Hours, not minutes: everything with other random examples, long games, power cuts by the hundred.
soak: $(VENV)/.test
	HYPOTHESIS_PROFILE=wild $(BIN)/pytest -m "soak or not soak"

# The ends of what pyproject.toml allows, each in an environment of its own; a Python that is not here is passed over.
# `make py313 TESTS=tests/rules` runs a part.
ends: py311 py313 opencv-oldest opencv-newest

py311 py313: py3%:
	@if command -v python3.$* >/dev/null; then $(MAKE) --no-print-directory PYTHON=python3.$* VENV=.venv-3.$* .venv-3.$*/.test \
	  && .venv-3.$*/bin/pytest -n 2 $(TESTS); else echo "python3.$* is not here: passed over"; fi

opencv-oldest: OPENCV := opencv-python-headless==4.12.*
opencv-newest: OPENCV := opencv-python-headless>=5,<6
opencv-oldest opencv-newest:
	$(MAKE) --no-print-directory VENV=.venv-$@ .venv-$@/.test
	.venv-$@/bin/pip install -q '$(OPENCV)'
	.venv-$@/bin/pytest -n 2 $(TESTS)

# What a table installs, exactly (hardware/deploy/install.sh), and hatchling, which builds the program itself: names,
# versions and hashes, no address.
lock: $(VENV)/.test
	$(BIN)/pip install -q uv
	echo "hatchling>=1.24" | $(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --upgrade --no-header --no-annotate \
	  --no-emit-index-url --no-emit-find-links --extra mqtt --extra print pyproject.toml - \
	  -o hardware/deploy/table.lock

# The installer, updates and broken updates in a Debian of its own, with its own systemd; root, and some ten minutes.
installer: $(VENV)/.test
	$(call install_debian,debootstrap,exit 1)
	$(BIN)/pytest -m soak tests/releases

# The pages of docs/ as a site in build/docs.
docs: $(VENV)/.docs
	$(BIN)/mkdocs build -q --strict

firmware:
	$(MAKE) --no-print-directory -C hardware/board

# The protocol in portable C, on this computer: gcc is enough. A million random frames take minutes.
core: $(VENV)/.test
	$(MAKE) --no-print-directory -C hardware/core
	$(BIN)/pytest tests/firmware_bridge/test_core.py -m "soak or not soak"

# One apt call, and only when something is missing. Off Debian we say what is needed and go on.
define install_debian
	@missing=""; for p in $(1); do dpkg -s $$p >/dev/null 2>&1 || missing="$$missing $$p"; done; \
	if [ -n "$$missing" ]; then \
	  if ! command -v apt-get >/dev/null; then echo "This is not Debian: please install by hand:$$missing"; \
	  else sudo=""; [ "$$(id -u)" = 0 ] || sudo=sudo; echo "Installing$$missing"; \
	    $$sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -qq --no-install-recommends $$missing >/dev/null || $(2); fi; fi
endef

apt-run:
	$(call install_debian,$(APT_RUN),exit 1)

# Without these the demo still runs: it says so and lights the loopback board instead.
apt-board:
	$(call install_debian,$(APT_BOARD),echo "no emulator: the demo will use the loopback board")

apt-hub:
	$(call install_debian,$(APT_HUB),exit 1)

apt-test:
	$(call install_debian,$(APT_TEST),exit 1)

# Without these the tests of a board's bootloader are skipped.
apt-bootloaders:
	$(call install_debian,$(APT_BOOTLOADERS),echo "no bootloaders: their tests will be skipped")

$(VENV)/bin/python: | apt-run
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -q --upgrade pip

$(VENV)/.demo: pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install -q -e .
	touch $@

$(VENV)/.hub: pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install -q -e '.[mqtt,hub]'
	touch $@

$(VENV)/.docs: pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install -q -e '.[docs]'
	touch $@

$(VENV)/.test: pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install -q -e '.[test]'
	touch $@

clean:
	rm -rf $(VENV) .venv-* build dist *.egg-info
	-$(MAKE) --no-print-directory -C hardware/board clean
	-$(MAKE) --no-print-directory -C hardware/core clean
