"""Alembic runs this module: it applies the migrations on the connection that `database.migrate` passes."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
with context.begin_transaction():
    context.run_migrations()
