"""Dice with pips: read without enrolment, on a table's spots and in any picture."""
