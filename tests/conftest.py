"""Settings of all tests: the gate tries the same Hypothesis examples every time, `make soak` new ones."""

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
    """Keep tests away from the journal of a table that runs on this computer, and leave none behind."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how many rules have a test, whichever tests ran, and how to repeat the order of this run."""
    terminalreporter.write_line(coverage.in_words())
    seed = terminalreporter.config.getoption("randomly_seed", default=None)
    if seed is not None:
        terminalreporter.write_line(f"this order again: pytest --randomly-seed={seed}")
