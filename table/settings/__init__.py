"""Reads the table file (table-file.md), checks it to the last key and turns it into plain values.

An error names the file, the line, the key and the nearest known name, for people who edit the file by hand.
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
