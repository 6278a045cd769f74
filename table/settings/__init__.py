"""The table file (table-file.md): read, checked to the last key, and turned into plain values.

A person who edits a table file by hand is told the file, the line, the key and the nearest known name.
"""

from table.settings.tablefile import read_table
from table.settings.values import (
    BOARD_BUTTONS,
    CHARACTERS,
    BoardPlace,
    Brightness,
    Button,
    Lamp,
    LampPlan,
    PinPlan,
    SettingsError,
    TableFile,
    box_lamps,
    default_lamps,
)

__all__ = [
    "BOARD_BUTTONS",
    "CHARACTERS",
    "BoardPlace",
    "Brightness",
    "Button",
    "Lamp",
    "LampPlan",
    "PinPlan",
    "SettingsError",
    "TableFile",
    "box_lamps",
    "default_lamps",
    "read_table",
]
