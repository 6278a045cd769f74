"""One action of a command, as `board find`."""

from __future__ import annotations

import argparse
from typing import Any


def add_action(actions: Any, name: str, words: str) -> argparse.ArgumentParser:
    """The parser of an action among `actions` (of `add_subparsers`); its own help says what it does, too."""
    parser: argparse.ArgumentParser = actions.add_parser(
        name, help=words, description=words[0].upper() + words[1:] + "."
    )
    parser.set_defaults(asked=parser)
    return parser
