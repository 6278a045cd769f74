"""The hub's database: PostgreSQL, created and migrated by Alembic."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import psycopg
from psycopg.rows import TupleRow

from table.errors import StammtischError

Connection = psycopg.Connection[TupleRow]

_LOCK = 0x53544D54
"""Advisory lock under which hubs that start together migrate the database one after another."""


class HubError(StammtischError):
    """The database cannot be reached or used."""


_ALIVE: dict[str, Any] = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
"""In seconds, the last in milliseconds: a database that falls silent is soon given up."""

_STATEMENT_MS = 120_000
"""Statement timeout: no statement takes longer unless another blocks it for good."""


def connect(dsn: str) -> Connection:
    """Open a connection where each statement is its own transaction, unless `transaction()` is used.

    Raises:
        HubError: the database cannot be reached.
    """
    try:
        base = psycopg.connect(dsn, autocommit=True, **_ALIVE)
        base.execute(f"SET statement_timeout = {_STATEMENT_MS}".encode())
    except psycopg.Error as wrong:
        raise _unreached(wrong) from None
    return base


def plainly(wrong: psycopg.Error) -> HubError:
    """Turn a database error into a HubError: a sentence that ends a command."""
    if isinstance(wrong, psycopg.errors.UndefinedTable):
        return HubError("this database has never been a hub's; start one on it: stammtisch hub serve")
    if isinstance(wrong, psycopg.OperationalError):
        return _unreached(wrong)
    return HubError(f"the database refuses that ({_first(wrong)}); check --database and its user's rights")


def migrate(dsn: str) -> None:
    """Bring the database up to date; do nothing if it already is.

    Raises:
        HubError: the database cannot be reached or used, or is newer than this program.
    """
    import sqlalchemy
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    engine = sqlalchemy.create_engine(
        "postgresql+psycopg://", creator=lambda: psycopg.connect(dsn, **_ALIVE), poolclass=sqlalchemy.NullPool
    )
    try:
        with engine.begin() as connection:
            connection.execute(sqlalchemy.text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except CommandError as wrong:
        raise HubError(
            f"the database belongs to another program, or is newer ({wrong}); update the hub"
        ) from None
    except sqlalchemy.exc.DBAPIError as wrong:
        raise plainly(wrong.orig) if isinstance(wrong.orig, psycopg.Error) else _unreached(wrong) from None
    except psycopg.Error as wrong:
        raise plainly(wrong) from None


def _unreached(wrong: BaseException) -> HubError:
    return HubError(
        f"the database cannot be reached ({_first(wrong)}); start PostgreSQL, or check --database"
    )


def _first(wrong: BaseException) -> str:
    """The first line of PostgreSQL's error; the others only guess at reasons."""
    return (str(wrong).strip().splitlines() or [type(wrong).__name__])[0]
