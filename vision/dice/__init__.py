"""Dice with pips in stills: read without enrolment, on a table's spots and in any picture."""
