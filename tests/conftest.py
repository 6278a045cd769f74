"""What all tests share: the gate tries the same examples every time, `make soak` tries new ones."""

import os

import pytest
from hypothesis import settings

from tests.rules import coverage

settings.register_profile("gate", derandomize=True, deadline=None)
settings.register_profile("wild", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "gate"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many rules have a test, whatever ran and on how many cores."""
    terminalreporter.write_line(coverage.in_words())
