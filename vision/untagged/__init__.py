"""Watching through a camera that no tags register: cards laid, dice thrown, a deck enrolled live."""
