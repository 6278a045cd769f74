"""Whether a camera shows its table, or is covered, dark, frozen, torn, moved or gone."""
