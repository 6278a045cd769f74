"""One action of a command, such as `board find`."""

from __future__ import annotations

import argparse
from typing import Any


def add_action(actions: Any, name: str, words: str) -> argparse.ArgumentParser:
    """Add an action to `actions` (from `add_subparsers`); `words` are its summary and its own help."""
    parser: argparse.ArgumentParser = actions.add_parser(
        name, help=words, description=words[0].upper() + words[1:] + "."
    )
    parser.set_defaults(asked=parser)
    return parser
