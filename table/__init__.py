"""The house: composes eye, rules and wire into a table that keeps score."""
