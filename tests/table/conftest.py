"""What tests of the pages begin with."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.table.browser import Browser


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser for all tests of a module."""
    with Browser(tmp_path_factory.mktemp("chromium")) as opened:
        yield opened
