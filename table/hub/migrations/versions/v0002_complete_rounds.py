"""Scores all games anew: `rounds` are those played to their end; the rules tell who has `won`."""

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Have all games scored anew."""
    op.execute("UPDATE games SET dirty = now()")
    # A number that no game can have; a table that is there tells its state again.
    op.execute(
        "UPDATE tables SET state = NULL WHERE (state->>'number')::numeric NOT BETWEEN 0 AND 2147483647"
    )
