"""Synthetic camera frames, drawn from a description: for plumbing and demos, never a proof of sight."""
