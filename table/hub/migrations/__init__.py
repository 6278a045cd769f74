"""Alembic's folder: how the hub's database became what it is, step by step."""
