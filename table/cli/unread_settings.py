"""What a table does whose settings or table file cannot be read: it comes up and says so on the page.

Only where a service starts it: nobody reads its terminal, and the screen on the wall would stay dark. What of
the settings can still be read line by line is kept, so that page and journal are where they always are. As
soon as the files can be read again the table ends, and the service starts it as usual.
"""

from __future__ import annotations

import argparse
import asyncio
import tomllib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from table.catalogue import Fact
from table.cli.config import Config, absolute_paths, fill, read_config, would_start
from table.errors import StammtischError
from table.settings import BoardPlace, LampPlan, PinPlan, TableFile, read_table
from vision.layout import Layout

LOOK_S = 5.0
"""Time between two looks at files that could not be read."""


def fault_of(options: argparse.Namespace) -> Fact | None:
    """Fill in the settings; where they or the table file are wrong fill in what can be read, and say why."""
    typed = options.table
    try:
        fill(options)
        check(options.config, typed)
    except StammtischError as wrong:
        for key, value in _readable(options.config).items():
            if getattr(options, key, 0) is None:
                setattr(options, key, value)
        options.game = None  # nobody knows whether it is the right one; the one that was played goes on
        return wrong.fact
    return None


def check(config: Path, table: str | None) -> None:
    """Read the settings and the table file; `table`: one that the command line names.

    Raises:
        StammtischError: what is wrong.
    """
    if table is None:
        would_start(config)
    else:
        read_config(config)
        read_table(table)


def _readable(path: Path) -> dict[str, Any]:
    """The settings that stand in lines which are right by themselves, up to the first section."""
    found: dict[str, Any] = {}
    with suppress(OSError):
        for line in path.read_text("utf-8-sig", errors="replace").splitlines():
            if line.lstrip().startswith("["):
                break
            with suppress(tomllib.TOMLDecodeError, msgspec.ValidationError, RecursionError):
                one = tomllib.loads(line)
                msgspec.convert(one, Config)
                found.update(one)
    return {**found, **absolute_paths(msgspec.convert(found, Config), path.parent)}


def no_table() -> TableFile:
    """What stands in for a table file: nothing is known of the table, no lamp hangs and no pin is used."""
    layout = Layout(kind="mat", size_mm=(0.0, 0.0), tags=())
    return TableFile(layout, LampPlan((), 0), BoardPlace("none"), PinPlan(), Path())


async def mended(checked: Callable[[], None], end: Callable[[], object]) -> None:
    """Call `end` once the settings and their table file can be read again: `checked` raises no more."""
    while True:
        await asyncio.sleep(LOOK_S)
        with suppress(StammtischError):
            await asyncio.to_thread(checked)
            end()
            await asyncio.Event().wait()
