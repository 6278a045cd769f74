"""A table whose settings or table file cannot be used still comes up, and says so on the page.

This applies only under a service: nobody reads its terminal, and the screen on the wall would stay dark.
Settings that can be read line by line are kept, so that page and journal are in their usual places. As
soon as the files have changed and can be read, the table ends, and the service starts it as usual.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from table.catalogue import Fact
from table.cli.config import Config, absolute_paths, read_config, would_start
from table.cli.safe_mode import LOOK_S
from table.errors import StammtischError
from table.journal import JournalError
from table.settings import BoardPlace, LampPlan, PinPlan, TableFile, read_table
from table.web.pin import is_pin
from vision.layout import Layout

log = logging.getLogger(__name__)


class UnfitSettingsError(StammtischError):
    """The settings, the table file or the game in the journal cannot be used; `why` is the error."""

    def __init__(self, why: StammtischError) -> None:
        super().__init__(why.fact)
        self.why = why


@contextmanager
def of_settings() -> Iterator[None]:
    """Separate faults of settings from those of a disk or device, which may recover by themselves.

    Raises:
        UnfitSettingsError: in place of any StammtischError but a JournalError.
    """
    try:
        yield
    except JournalError:
        raise
    except StammtischError as wrong:
        raise UnfitSettingsError(wrong) from None


def unread(given: Mapping[str, Any], why: Fact) -> argparse.Namespace:
    """The options of a table that is played by hand because of `why`: as far as they can be read."""
    options = argparse.Namespace(**given)
    for key, value in _readable(options.config).items():
        if getattr(options, key, 0) is None:
            setattr(options, key, value)
    options.game = None  # it may be the wrong one; an unfinished game goes on
    options.new = False
    if options.pin is not None and not is_pin(options.pin):
        options.pin = None  # the kept one holds
    options.fault = why
    return options


def _readable(path: Path) -> dict[str, Any]:
    """The settings in lines that are valid by themselves, up to the first section; paths are absolute."""
    found: dict[str, Any] = {}
    with suppress(OSError):
        for line in path.read_text("utf-8-sig", errors="replace").splitlines():
            if line.lstrip().startswith("["):
                break
            with suppress(ValueError, msgspec.ValidationError, RecursionError, StammtischError):
                one = tomllib.loads(line)
                config = msgspec.convert(one, Config)
                absolute_paths(config, path.parent)
                found = {**one, **found}  # of two lines the first holds
    return {**found, **absolute_paths(msgspec.convert(found, Config), path.parent)}


def no_table() -> TableFile:
    """A substitute for a table file: an unknown table without lamps, board or pins."""
    layout = Layout(kind="mat", size_mm=(0.0, 0.0), tags=())
    return TableFile(layout, LampPlan((), 0), BoardPlace("none"), PinPlan(), Path())


async def mended(config: Path, table: str | None, end: Callable[[], object]) -> None:
    """Call `end` once the files have changed and can be read; `table`: a table file named by the caller."""
    before = _marks(config, table)
    while True:
        await asyncio.sleep(LOOK_S)
        if (now := _marks(config, table)) == before:
            continue
        try:
            await asyncio.to_thread(_check, config, table)
        except StammtischError as wrong:
            log.warning("%s", wrong)
            before = now
        else:
            end()
            await asyncio.Event().wait()  # a service that returns would end the table before it has answered


def _check(config: Path, table: str | None) -> None:
    """Read the settings and the table file. Raises StammtischError."""
    if table is None:
        would_start(config)
    else:
        read_config(config)
        read_table(table)


def _marks(config: Path, table: str | None) -> list[tuple[int, int]]:
    """Modification time in ns and size in bytes of each of the files."""
    named = table
    with suppress(StammtischError, OSError):
        named = table or read_config(config).table
    marks = []
    for file in (config, named):
        with suppress(OSError, ValueError):
            found = os.stat(file or "")
            marks.append((found.st_mtime_ns, found.st_size))
    return marks
