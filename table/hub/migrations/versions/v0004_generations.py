"""Separates games that had the same number: a journal that was replaced counts its games from 1 again."""

from alembic import op

revision = "0004"
down_revision = "0003"

_STEPS = (
    "ALTER TABLE games ADD COLUMN IF NOT EXISTS generation integer NOT NULL DEFAULT 0, "
    "ADD COLUMN IF NOT EXISTS boot bigint NOT NULL DEFAULT 0",
    "ALTER TABLE seats ADD COLUMN IF NOT EXISTS generation integer NOT NULL DEFAULT 0, "
    "DROP CONSTRAINT IF EXISTS seats_table_name_game_fkey, DROP CONSTRAINT IF EXISTS seats_game, "
    "DROP CONSTRAINT seats_pkey, ADD CONSTRAINT seats_pkey PRIMARY KEY (table_name, game, generation, seat)",
    "ALTER TABLE games DROP CONSTRAINT games_pkey, "
    "ADD CONSTRAINT games_pkey PRIMARY KEY (table_name, game, generation)",
    "ALTER TABLE seats ADD CONSTRAINT seats_game FOREIGN KEY (table_name, game, generation) REFERENCES games",
    "ALTER TABLE ratings ADD COLUMN IF NOT EXISTS generation integer NOT NULL DEFAULT 0, "
    "DROP CONSTRAINT ratings_pkey, "
    "ADD CONSTRAINT ratings_pkey PRIMARY KEY (player, kind, table_name, game, generation)",
    "CREATE INDEX IF NOT EXISTS lines_openings ON lines (wall) WHERE id = 1",
    "UPDATE games SET dirty = now()",
)


def upgrade() -> None:
    """Give each game of a number its own generation; have all games scored again."""
    for step in _STEPS:
        op.execute(step)
