"""Finds the games that continue earlier ones, so that their rounds count once."""

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Index their first lines; have the games that they continue scored again."""
    op.execute("CREATE INDEX IF NOT EXISTS lines_resumes ON lines (table_name, game) WHERE event ? 'resumes'")
    op.execute(
        "UPDATE games g SET dirty = now() FROM lines l WHERE l.table_name = g.table_name AND l.game > g.game "
        "AND l.event ? 'resumes'"
    )
