"""Replaces a settings file in one step, so that nobody ever reads half of one."""

from __future__ import annotations

from pathlib import Path

from table.settings.values import SettingsError
from table.whole_file import replace_whole


def write_over(path: Path, text: str, remedy: str = "") -> None:
    """Replace a file's contents by `text`.

    Raises:
        SettingsError: the file cannot be written and is unchanged; `remedy` says what to do about it.
    """
    try:
        replace_whole(path, text.encode())
    except OSError as wrong:
        why = (wrong.strerror or str(wrong)).lower()
        raise SettingsError(
            f"{path}: cannot be written ({why})" + (f"; {remedy}" if remedy else "")
        ) from None
