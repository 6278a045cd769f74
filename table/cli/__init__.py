"""The program: `stammtisch COMMAND`. Each command is a separate module, imported on demand."""

from __future__ import annotations

import argparse
import atexit
import contextlib
import importlib
import io
import os
import signal
import sys
import threading
from collections.abc import Collection, Sequence
from functools import cache

from table.cli.actions import add_action

COMMANDS: dict[str, tuple[str, str]] = {
    "demo": ("table.cli.demo", "show a virtual table that plays by itself"),
    "run": ("table.cli.run", "play on a real table"),
    "watch": ("table.cli.watch", "recognise what happens in a film, a folder of pictures or a camera"),
    "record": (
        "table.cli.record",
        "record an evening and what was seen in it, to send it or to watch it again",
    ),
    "look": ("table.cli.look", "recognise cards and dice in single pictures"),
    "evaluate": (
        "table.cli.evaluate",
        "measure recognition against labels, and what a threshold does",
    ),
    "enrol": ("table.cli.enrol", "learn a deck of cards"),
    "calibrate": ("table.cli.calibrate", "measure the camera's lens from pictures of a printed sheet"),
    "replay": ("table.cli.replay", "fold a log of table events into points, ledger and findings"),
    "rules": ("table.cli.rules", "list, show, compare and check house rules"),
    "print": ("table.cli.print_", "make PDFs of mats, fields, decks, dice nets and tiles"),
    "field": ("table.cli.field", "trace the zones of a bought dice field from a picture of it"),
    "hub": ("table.cli.hub", "collect the events of many tables; leagues, ratings and a page"),
    "board": ("table.cli.board", "find, flash, test and torture the lamp board"),
    "backup": ("table.cli.backup", "copy the journal into one file, also while a table plays"),
    "restore": ("table.cli.restore", "put a backup in the journal's place; the old journal is kept"),
    "export": ("table.cli.export", "write every evening as JSON, or the points as CSV"),
    "release": ("table.cli.release", "install, change and take back versions on a table's computer"),
    "doctor": ("table.cli.doctor", "check camera, board, files and computer, and say what to do"),
    "torture": ("table.cli.torture", "put a running table through faults and count what is lost"),
    "completion": ("table.cli.completion", "print the script for command completion in a shell"),
    "bench": ("table.cli.bench", "measure speed against a floor measured in the same run"),
}


INTERRUPTED = 130
"""Exit status after Ctrl-C, as in shells."""


class _Version(argparse.Action):
    """Prints name and version; reads them only on demand, since reading metadata is slow on a Pi."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        print(f"{parser.prog} {version('stammtisch')}")
        parser.exit()


def whole_program() -> argparse.ArgumentParser:
    """The parser of the whole program, every command with its arguments; imports every command."""
    return _program(tuple(COMMANDS))


def program(chosen: str | None) -> argparse.ArgumentParser:
    """The parser of the whole program; only the chosen command has its arguments.

    The others would have to be imported for theirs: a Pi starts slowly enough.
    """
    return _program((chosen,))


def _program(known: Collection[str | None]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="stammtisch",
        description="The smart card table: sees cards and dice, keeps the score, lights the seats.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the installed version")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (module, summary) in COMMANDS.items():
        sub = add_action(commands, name, summary)
        if name in known:
            command = importlib.import_module(module)
            command.register(sub)
            sub.set_defaults(run=command.run)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return 0 for success, 1 if the work failed, 2 for wrong use, 130 after Ctrl-C."""
    _end_undisturbed()
    try:
        return _main(argv)
    except KeyboardInterrupt:  # also while a command is being imported
        return INTERRUPTED


@cache
def _end_undisturbed() -> None:
    """Ignore a Ctrl-C while Python shuts down: ending by the signal would look like a failure."""
    if threading.current_thread() is threading.main_thread():
        atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)


def _main(argv: Sequence[str] | None) -> int:
    # OpenCV's own output would precede our one sentence; a user who wants it sets these variables.
    os.environ.setdefault("OPENCV_LOG_LEVEL", "OFF")
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    # Our matrices are small: threads that wait for each other take twice the time of a single one.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller (`>&-`): discard the output
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that lacks a letter shows ? instead
            stream.reconfigure(errors="replace")
    arguments = list(sys.argv[1:] if argv is None else argv)
    chosen = next((word for word in arguments if not word.startswith("-")), None)
    parser = program(chosen)
    if chosen is not None and chosen not in COMMANDS:
        from table.rules.events import nearest

        parser.error(f'there is no command "{chosen}"; {nearest(chosen, COMMANDS)}')
    options, unknown = parser.parse_known_args(arguments)
    if unknown:  # the error shows the usage of the action that was given
        options.asked.error(f"unrecognized arguments: {' '.join(unknown)}")
    from firmware_bridge.errors import BridgeError
    from table.errors import StammtischError, UsageError
    from vision.errors import VisionError

    try:
        status = int(options.run(options))
        sys.stdout.flush()
        return status
    except UsageError as wrong:
        print(f"stammtisch {options.command}: {wrong}", file=sys.stderr)
        return 2
    except (StammtischError, VisionError, BridgeError) as failed:
        print(f"stammtisch {options.command}: {failed}", file=sys.stderr)
        return 1
    except BrokenPipeError:  # `stammtisch … | head` is not an error
        _close_stdout()
        return 0
    except UnicodeEncodeError as failed:  # from a file's name: messages show ? instead
        print(
            f"stammtisch {options.command}: {failed.object!a}: this computer's locale cannot write that name "
            f"({sys.getfilesystemencoding()}); start with LC_ALL=C.UTF-8, and without PYTHONUTF8=0",
            file=sys.stderr,
        )
        return 1
    except OSError as failed:  # a full disk, mostly
        where = f"{failed.filename}: " if failed.filename else ""
        print(
            f"stammtisch {options.command}: {where}{(failed.strerror or str(failed)).lower()}",
            file=sys.stderr,
        )
        _close_stdout()
        return 1


def _close_stdout() -> None:
    """Close stdout, which can no longer be written: otherwise Python would complain at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
