"""One broker and one database cluster for all tests of a session."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from table.hub.database import Connection, connect, migrate
from table.hub.engines import Mosquitto, Postgres
from tests.integrations.engines import mosquitto, postgres

_NUMBER = itertools.count(1)


@pytest.fixture(scope="session")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    running = mosquitto(tmp_path_factory.mktemp("broker"))
    yield running
    running.stop()


@pytest.fixture(scope="session")
def cluster() -> Iterator[Postgres]:
    # If we are root, another user owns the database and cannot enter pytest's own folders.
    with tempfile.TemporaryDirectory(prefix="stammtisch-") as folder:
        Path(folder).chmod(0o755)
        running = postgres(Path(folder) / "cluster")
        yield running
        running.stop(kill=True)


@pytest.fixture
def dsn(cluster: Postgres) -> str:
    """A database for this test alone, with the newest schema."""
    name = f"hub{next(_NUMBER)}"
    with psycopg.connect(cluster.dsn, autocommit=True) as base:
        base.execute(f"CREATE DATABASE {name}".encode())
    own = cluster.dsn.replace("dbname=postgres", f"dbname={name}")
    migrate(own)
    return own


@pytest.fixture
def base(dsn: str) -> Iterator[Connection]:
    """A connection to a database for this test alone."""
    with connect(dsn) as opened:
        yield opened
