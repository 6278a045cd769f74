"""Creates tables, lines, games, people, ratings and leagues."""

from alembic import op

revision = "0001"
down_revision = None

_STEPS = (
    """CREATE TABLE tables (
        name text PRIMARY KEY,
        boot bigint NOT NULL DEFAULT 0,
        kept bigint NOT NULL DEFAULT 0,      -- of this boot all lines up to here are there
        online boolean NOT NULL DEFAULT false,
        state jsonb,                         -- newest state message, without names
        seen timestamptz NOT NULL DEFAULT now()
    )""",
    """CREATE TABLE lines (
        table_name text NOT NULL,
        boot bigint NOT NULL,
        sequence bigint NOT NULL,
        after bigint NOT NULL,
        game bigint NOT NULL,
        id integer NOT NULL,
        wall timestamptz NOT NULL,
        arrived timestamptz NOT NULL DEFAULT clock_timestamp(),
        event jsonb NOT NULL,
        PRIMARY KEY (table_name, sequence, boot)
    )""",
    "CREATE INDEX lines_after ON lines (table_name, boot, after)",
    "CREATE INDEX lines_wall ON lines USING brin (wall)",
    """CREATE TABLE games (
        table_name text NOT NULL,
        game bigint NOT NULL,
        kind text,
        started timestamptz NOT NULL,
        rounds integer NOT NULL DEFAULT 0,
        over boolean NOT NULL DEFAULT false,
        dirty timestamptz,                   -- lines came that the points do not know yet
        PRIMARY KEY (table_name, game)
    )""",
    "CREATE INDEX games_dirty ON games (dirty) WHERE dirty IS NOT NULL",
    "CREATE INDEX games_started ON games (started)",
    """CREATE TABLE players (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        key bytea UNIQUE NOT NULL,           -- HMAC of the name that was typed; that is not kept
        pseudonym text UNIQUE
    )""",
    """CREATE TABLE seats (
        table_name text NOT NULL,
        game bigint NOT NULL,
        seat text NOT NULL,
        player bigint REFERENCES players ON DELETE SET NULL,
        points integer NOT NULL,
        won boolean NOT NULL,                -- nobody at the table has more
        PRIMARY KEY (table_name, game, seat),
        FOREIGN KEY (table_name, game) REFERENCES games
    )""",
    "CREATE INDEX seats_player ON seats (player)",
    """CREATE TABLE ratings (
        player bigint NOT NULL REFERENCES players ON DELETE CASCADE,
        kind text NOT NULL,
        table_name text NOT NULL,
        game bigint NOT NULL,
        at timestamptz NOT NULL,
        rating double precision NOT NULL,
        PRIMARY KEY (player, kind, table_name, game)
    )""",
    "CREATE INDEX ratings_newest ON ratings (player, kind, at DESC, game DESC) INCLUDE (rating)",
    """CREATE TABLE leagues (
        name text NOT NULL,
        table_name text NOT NULL,
        PRIMARY KEY (name, table_name)
    )""",
    "CREATE TABLE house (secret bytea NOT NULL, rated boolean NOT NULL DEFAULT true)",
    "INSERT INTO house (secret) VALUES (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))",
)


def upgrade() -> None:
    """Create the first database tables."""
    for step in _STEPS:
        op.execute(step)
