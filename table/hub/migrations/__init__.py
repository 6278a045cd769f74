"""Alembic's folder: the migrations of the hub's database, step by step."""
