"""Scores all games again: `rounds` are those played to their end, and the rules decide who has `won`."""

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Have all games scored again."""
    op.execute("UPDATE games SET dirty = now()")
    # Drops states with an impossible number of a game; a table that is online sends its state again.
    op.execute(
        "UPDATE tables SET state = NULL WHERE (state->>'number')::numeric NOT BETWEEN 0 AND 2147483647"
    )
