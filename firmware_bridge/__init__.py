"""The wire: frames to and from the lamp board. It knows nothing of cards or games."""
