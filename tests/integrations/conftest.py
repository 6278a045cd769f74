"""One broker for all tests of a session."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from table.hub.engines import Mosquitto
from tests.integrations.engines import mosquitto


@pytest.fixture(scope="session")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    running = mosquitto(tmp_path_factory.mktemp("broker"))
    yield running
    running.stop()
