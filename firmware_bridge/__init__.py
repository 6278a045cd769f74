"""THE WIRE: frames to and from the lamp board; has never heard of a card."""
