"""Games are scored anew: `rounds` are now those that were played to their end, `won` is what the rules say."""

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Have all games scored anew."""
    op.execute("UPDATE games SET dirty = now()")
