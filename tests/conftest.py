"""What all tests share: the gate tries the same examples every time, `make soak` tries new ones."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.rules import coverage

settings.register_profile("gate", derandomize=True, deadline=None)
settings.register_profile("wild", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "gate"))


@pytest.fixture(scope="session", autouse=True)
def _state_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test meets the journal of a table that somebody runs on this computer, or leaves one there."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many rules have a test, whatever ran and on how many cores, and how to run it so again."""
    terminalreporter.write_line(coverage.in_words())
    seed = terminalreporter.config.getoption("randomly_seed", default=None)
    if seed is not None:
        terminalreporter.write_line(f"this order again: pytest --randomly-seed={seed}")
