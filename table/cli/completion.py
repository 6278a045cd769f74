"""`stammtisch completion`: print the script with which a shell completes commands and options."""

from __future__ import annotations

import argparse

from table.errors import StammtischError, installing

SHELLS = ("bash", "zsh", "tcsh")


def register(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    parser.add_argument(
        "shell",
        choices=SHELLS,
        metavar="SHELL",
        help=f"{', '.join(SHELLS)}: which shell; put the output where it looks for completions",
    )


def run(options: argparse.Namespace) -> int:
    """Print the script. Raises StammtischError if shtab is not installed."""
    try:
        import shtab
    except ModuleNotFoundError:
        raise StammtischError(
            "completion needs the package shtab, which is not installed;"
            f" install it with: {installing('shtab')}"
        ) from None
    from table.cli import whole_program

    print(shtab.complete(whole_program(), options.shell))
    return 0
