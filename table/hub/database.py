"""The hub's database: PostgreSQL, made and brought up to date by Alembic."""

from __future__ import annotations

from pathlib import Path

import psycopg
from psycopg.rows import TupleRow

from table.errors import StammtischError

Connection = psycopg.Connection[TupleRow]

_LOCK = 0x53544D54
"""Hubs that start together bring the database up to date one after another."""


class HubError(StammtischError):
    """The database cannot be reached or used."""


def connect(dsn: str) -> Connection:
    """A connection where each statement stands for itself, unless `transaction()` says otherwise.

    Raises:
        HubError: there is no such database.
    """
    try:
        return psycopg.connect(dsn, autocommit=True, connect_timeout=5)
    except psycopg.Error as wrong:
        raise _unreached(wrong) from None


def migrate(dsn: str) -> None:
    """Bring the database up to date; nothing where it is.

    Raises:
        HubError: it cannot be reached, or it is newer than this program.
    """
    import sqlalchemy
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    engine = sqlalchemy.create_engine(
        "postgresql+psycopg://", creator=lambda: psycopg.connect(dsn), poolclass=sqlalchemy.NullPool
    )
    try:
        with engine.begin() as connection:
            connection.execute(sqlalchemy.text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except CommandError as wrong:
        raise HubError(f"the database is not this program's, or newer ({wrong}); update the hub") from None
    except sqlalchemy.exc.OperationalError as wrong:
        raise _unreached(wrong.orig or wrong) from None
    except psycopg.Error as wrong:
        raise _unreached(wrong) from None


def _unreached(wrong: BaseException) -> HubError:
    """What PostgreSQL says first; its further lines guess at reasons."""
    said = str(wrong).strip().splitlines()[0]
    return HubError(f"the database cannot be reached ({said}); start PostgreSQL, or check --database")
