"""Alembic runs this: the steps, on the connection that `database.migrate` gives."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
with context.begin_transaction():
    context.run_migrations()
