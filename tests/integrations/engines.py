"""A real broker and a real database for tests: one of each per session; tests are skipped without them."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from table.hub.engines import EngineError, Mosquitto, Postgres


def mosquitto(folder: Path, listener: str = "allow_anonymous true") -> Mosquitto:
    try:
        return Mosquitto(folder, listener).start()
    except EngineError as why:
        pytest.skip(str(why))


def until(true: Callable[[], object], said: str = "never came") -> None:
    deadline = time.monotonic() + 30.0
    while not true():
        assert time.monotonic() < deadline, said
        time.sleep(0.01)


def postgres(folder: Path) -> Postgres:
    try:
        return Postgres(folder, lasting=False).start()
    except EngineError as why:
        pytest.skip(str(why))
