"""Watching through a camera without tags in view: cards laid, dice thrown, a deck enrolled live."""
