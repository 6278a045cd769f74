"""`stammtisch backup`, `restore` and `export`: copy the journal, put a copy back, read it out."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

from table.catalogue import LANGUAGES
from table.cli.real_table import journal_place, usual_journal


def _where(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings of every evening (TOML)")
    parser.add_argument("--journal", metavar="FILE", help=f"the journal (default: {usual_journal()})")


def _journal(options: argparse.Namespace) -> Path:
    from table.cli.config import as_installed, read_config

    as_installed(options)
    if options.journal is None and options.config is not None:
        options.journal = read_config(options.config).journal
    return Path(options.journal or journal_place())


def _register_backup(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="where to write the copy; it must not exist yet"
    )
    _where(parser)


def _backup(options: argparse.Namespace) -> int:
    from table.journal.copying import backup

    print(backup(_journal(options), options.file))
    return 0


def _register_restore(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="a copy that `stammtisch backup` made")
    _where(parser)


def _restore(options: argparse.Namespace) -> int:
    from table.integrations.mqtt.outbox import begin_anew
    from table.journal.copying import restore

    place = _journal(options)
    print(restore(options.file, place, lambda copy: begin_anew(place, copy)))
    _leave_to_owner(place)
    return 0


def _leave_to_owner(place: Path) -> None:
    """Give files that root made beside a journal to the folder's owner, so that the table can write them."""
    folder = place.resolve().parent
    owner = folder.stat()
    if os.geteuid() == 0 and owner.st_uid != 0:
        for each in folder.glob(f"{place.resolve().name}*"):
            if each.lstat().st_uid == 0:
                os.chown(each, owner.st_uid, owner.st_gid, follow_symlinks=False)


def _register_export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="NAME.json: every evening whole; NAME.csv: the points"
    )
    _where(parser)
    parser.add_argument("--lang", choices=LANGUAGES, default="de", help="language of the CSV (default: de)")


def _export(options: argparse.Namespace) -> int:
    from table.cli.exporting import export

    print(export(_journal(options), options.file, options.lang))
    return 0


def _command(
    register: Callable[[argparse.ArgumentParser], None], run: Callable[[argparse.Namespace], int]
) -> SimpleNamespace:
    return SimpleNamespace(register=register, run=run)


BACKUP = _command(_register_backup, _backup)
RESTORE = _command(_register_restore, _restore)
EXPORT = _command(_register_export, _export)
