"""Parsers for numbers on the command line; anything else is refused in a sentence.

All of them raise argparse.ArgumentTypeError.
"""

from __future__ import annotations

import argparse
import math
import sys

from table.catalogue import shown

MOST = 10**6
"""Largest plausible number of days, minutes, pictures or tables."""


def port(text: str) -> int:
    """A port of this machine; 0 is any free one."""
    return _whole(text, 0, 65535, "a port is a whole number from 0 to 65535")


def from_nothing(text: str) -> int:
    """A whole number from 0."""
    return _whole(text, 0, MOST, f"give a whole number from 0 to {MOST}")


def from_one(text: str) -> int:
    """A whole number from 1."""
    return _whole(text, 1, MOST, f"give a whole number from 1 to {MOST}")


def positive(text: str) -> float:
    """A number greater than 0, of seconds, lines or the like."""
    return _number(text, sys.float_info.min, sys.float_info.max, "give a number greater than 0")


def speed(text: str) -> float:
    """How many times as fast as people the demo plays."""
    return _number(text, 0.1, 20, "give a number from 0.1 to 20")


def _number(text: str, least: float, most: float, said: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not least <= number <= most:
        raise argparse.ArgumentTypeError(f"{shown(text)}: {said}")
    return number


def _whole(text: str, least: int, most: int, said: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10 and least <= int(text) <= most):
        raise argparse.ArgumentTypeError(f"{shown(text)}: {said}")
    return int(text)
