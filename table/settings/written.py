"""A file of the house is replaced in one step, so that nobody ever reads half of one."""

from __future__ import annotations

import os
from pathlib import Path

from table.settings.values import SettingsError


def write_over(path: Path, text: str, remedy: str = "") -> None:
    """Put `text` in a file's place.

    Raises:
        SettingsError: it cannot be written; the old file stands as it stood. `remedy` says what helps.
    """
    new = path.with_name(f".{path.name}.new")
    try:
        new.write_text(text, encoding="utf-8")
        os.replace(new, path)
    except OSError as wrong:
        new.unlink(missing_ok=True)
        why = (wrong.strerror or str(wrong)).lower()
        raise SettingsError(
            f"{path}: cannot be written ({why})" + (f"; {remedy}" if remedy else "")
        ) from None
