"""The equipment of a table, judged by the names of pictures that are not learnt yet."""

from __future__ import annotations

import argparse
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from table.cli.opening import check_cards, check_dice
from table.cli.safe_mode import by_hand

if TYPE_CHECKING:
    from table.equipment import Equipment
    from table.rules.view import View
    from table.settings import TableFile


def by_name(options: argparse.Namespace, table_file: TableFile) -> Equipment:
    """Equipment that checks a game by the pictures' names; without pictures any game of this table suits."""
    boxed = table_file.layout.kind == "field"
    where = options.dice if boxed else options.deck
    hand = by_hand(table_file)
    named = _named(Path(where), boxed) if where is not None and Path(where).is_dir() else ()
    if not named:
        return hand

    def suits(view: View) -> None:
        hand.suits(view)
        if boxed:
            check_dice(named, view.players, where)
        elif not options.partial:
            check_cards(named, view.pack, where)

    colours = tuple(colour for colour in named if boxed and colour != "white")
    return replace(hand, colours=colours, suits=suits)


def _named(folder: Path, boxed: bool) -> Collection[str]:
    if boxed:
        from vision.box.dice_set import pictured

        return pictured(folder)
    from vision.cards import deck_folder

    return deck_folder.pictured(folder)
