"""`stammtisch enrol`: learn a deck from pictures, save it, and say which cards look alike."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from table.errors import UsageError
from table.settings import read_table
from vision.deck import load_deck


def register(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("deck", metavar="DIR", help="pictures named <card>.jpg or .png, one card in each")
    parser.add_argument("--table", metavar="FILE", help="the table file: card size in millimetres")
    parser.add_argument("--out", metavar="FILE", help="save the deck into this file, for --deck")
    parser.add_argument("--json", action="store_true", help="the report as one JSON object")


def run(options: argparse.Namespace) -> int:
    """Learn the deck and report doubtful pairs. Raises VisionError, UsageError."""
    layout = read_table(options.table).layout if options.table else None
    deck = load_deck(Path(options.deck), layout)
    if options.out:
        try:
            deck.save(Path(options.out))
        except OSError as wrong:
            reason = (wrong.strerror or "cannot be written").lower()
            raise UsageError(f"{options.out}: {reason}; give another file") from None
    alike = deck.look_alikes()
    if options.json:
        pairs = [[pair.first, pair.second, round(pair.apart, 4)] for pair in alike]
        size = [round(v, 1) for v in deck.size_mm] if deck.size_mm else None
        print(json.dumps({"cards": list(deck.cards), "size_mm": size, "look_alikes": pairs}))
        return 0
    size_text = f", {deck.size_mm[0]:.1f} x {deck.size_mm[1]:.1f} mm" if deck.size_mm else ""
    print(f"{len(deck.cards)} cards learnt from {len(deck.names)} pictures{size_text}.")
    if options.out:
        print(f"Saved: {options.out}")
    if alike:
        print("These look alike; give more light or bring the camera nearer if the table is often unsure:")
        for pair in alike[:12]:
            print(f"  {pair.first} and {pair.second}: {pair.apart:.1%} of their ink differs")
    return 0
