"""What all tests share: the gate tries the same examples every time, `make soak` tries new ones."""

import os

import pytest
from hypothesis import settings

from tests.rules import coverage

settings.register_profile("gate", derandomize=True, deadline=None)
settings.register_profile("wild", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "gate"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many rules have a test, whatever ran and on how many cores, and how to run it so again."""
    terminalreporter.write_line(coverage.in_words())
    seed = terminalreporter.config.getoption("randomly_seed", default=None)
    if seed is not None:
        terminalreporter.write_line(f"this order again: pytest --randomly-seed={seed}")
