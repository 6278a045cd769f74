"""Whether a camera shows what it should: covered, dark, frozen, torn, moved."""
