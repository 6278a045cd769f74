"""`stammtisch enrol`: learn a deck from pictures or live, save it, and say which cards look alike."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from pathlib import Path

from table.cli.opening import opening
from table.errors import StammtischError, UsageError
from table.rules import EventError, Referee
from table.settings import read_table
from vision.cameras import Camera, open_camera
from vision.cards.deck import Deck, card_name, load_deck
from vision.cards.showing import Showing
from vision.layout import Layout

_SEATS = ("S1", "S2", "S3", "S4")
_SAME = 0.003
"""A picture copied under another name differs by less ink; a 6 and a 9 without a line by twice as much."""


def register(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "deck",
        metavar="SOURCE",
        help="a folder of pictures named <card>.jpg or .png, one card in each; "
        "or, with --names or --game, a camera (usb:0, pi:0) or film before which card after card is laid",
    )
    parser.add_argument("--table", metavar="FILE", help="the table file: card size in millimetres")
    parser.add_argument("--out", metavar="FILE", help="save the deck into this file, for --deck")
    parser.add_argument(
        "--names",
        metavar="FILE",
        help="the cards, one name a line: live in the order shown; a folder's names are held against it",
    )
    parser.add_argument("--game", metavar="GAME", help="the same with the pack of this game")
    parser.add_argument("--json", action="store_true", help="the report as one JSON object")


def run(options: argparse.Namespace) -> int:
    """Learn the deck and report doubtful pairs. Raises VisionError, StammtischError, UsageError."""
    if options.out and Path(options.out).suffix.lower() in (".jpg", ".jpeg", ".png"):
        raise UsageError(f"--out {options.out}: a deck is no picture; end its name in .deck")
    layout = read_table(options.table).layout if options.table else None
    names = _wanted(options.names, options.game)
    missing: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()
    if names and _holds_cards(Path(options.deck), names):
        deck = load_deck(Path(options.deck), layout)
        missing = tuple(name for name in dict.fromkeys(names) if name not in deck.cards)
        foreign = tuple(name for name in deck.cards if name not in names)
    elif names:
        deck, missing = _learn_live(options.deck, names, layout, options.json)
    elif options.deck.partition(":")[0] in ("usb", "pi"):
        raise UsageError(
            f"{options.deck}: a camera does not know the cards' names; give --game or a list with --names"
        )
    else:
        deck = load_deck(Path(options.deck), layout)
    if options.out:
        try:
            deck.save(Path(options.out))
        except OSError as wrong:
            reason = (wrong.strerror or "cannot be written").lower()
            raise UsageError(f"{options.out}: {reason}; give another file") from None
    _report(deck, missing, foreign, options.out, options.json)
    return 1 if missing else 0


def _holds_cards(folder: Path, names: list[str]) -> bool:
    """Whether the source is a folder of pictures that bear names of these cards, not a film's frames."""
    return folder.is_dir() and any(card_name(file) in names for file in folder.iterdir())


def _wanted(file: str | None, game: str | None) -> list[str]:
    """The names of the cards to be shown; empty when the pictures bring their own."""
    if file and game:
        raise UsageError("--names and --game both say which cards are shown; give one of them")
    if game:
        referee = Referee()
        try:
            for event in opening(game, None, None, None, _SEATS):
                referee.add(event)
        except EventError:  # players of a dice game are colours, not seats
            raise UsageError(f"--game {game}: this game is played without cards; choose another") from None
        return list(referee.view().pack)
    if not file:
        return []
    try:
        names = [line.strip() for line in Path(file).read_text("utf-8").splitlines()]
    except (OSError, UnicodeDecodeError):
        raise UsageError(f"{file}: cannot be read as text; give a file with one card's name a line") from None
    names = [name for name in names if name and not name.startswith("#")]
    if not names:
        raise UsageError(f"{file}: no names in it; write one card's name a line")
    return names


def _learn_live(
    source: str, names: list[str], layout: Layout | None, quiet: bool
) -> tuple[Deck, tuple[str, ...]]:
    """Ask for card after card until all are learnt, the source ends or somebody presses Ctrl-C."""
    camera = open_camera(source)
    showing = Showing(names, layout)
    with contextlib.closing(camera), contextlib.suppress(KeyboardInterrupt):
        _follow(camera, showing, quiet)
    deck = showing.deck()
    if not deck.names:
        raise StammtischError(
            f"{source}: no card came to rest before the camera; lay one card flat, wholly in view and unlike"
            " the ground, and take the hand away"
        )
    return deck, showing.missing


def _follow(camera: Camera, showing: Showing, quiet: bool) -> None:
    out = sys.stderr if quiet else sys.stdout
    total = len(showing.missing)
    print(f"Show {showing.missing[0]} (1 of {total}); lay it down and take the hand away.", file=out)
    while showing.missing and (taken := camera.read()) is not None:
        shown = showing.see(*taken)
        if shown is None:
            continue
        left = showing.missing
        ask = f"Show {left[0]} ({total - len(left) + 1} of {total})." if left else "That was the last one."
        said = f"This is {shown.name} again." if shown.again else f"Got {shown.name}."
        print(f"{said} {ask}", file=out, flush=True)


def _report(
    deck: Deck, missing: tuple[str, ...], foreign: tuple[str, ...], out: str | None, as_json: bool
) -> None:
    alike = deck.look_alikes()
    if as_json:
        pairs = [[pair.first, pair.second, round(pair.apart, 4)] for pair in alike]
        size = [round(v, 1) for v in deck.size_mm] if deck.size_mm else None
        told = {"cards": list(deck.cards), "size_mm": size, "look_alikes": pairs, "odd": list(deck.odd)}
        told["strangers"] = list(deck.strangers)
        told |= {key: list(said) for key, said in (("missing", missing), ("foreign", foreign)) if said}
        print(json.dumps(told, ensure_ascii=False))
        return
    size_text = f", {deck.size_mm[0]:.1f} x {deck.size_mm[1]:.1f} mm" if deck.size_mm else ""
    print(f"{len(deck.cards)} cards learnt from {len(deck.names)} pictures{size_text}.")
    if missing:
        print(f"Missing: {', '.join(missing)}")
    if foreign:
        print("Cards of these names are not asked for; take their pictures out or give them other names:")
        print(f"  {', '.join(foreign)}")
    if deck.strangers:
        print("These look like no other card; if they are none of this deck, take their pictures out:")
        print(f"  {', '.join(deck.strangers)}")
    if deck.odd:
        print("These have another shape than the rest; look at their pictures, is each of one whole card?")
        print(f"  {', '.join(deck.odd)}")
    same = [pair for pair in alike if pair.apart < _SAME]
    if same:
        print("These are all but the same picture; is one card there under two names?")
        for pair in same:
            print(f"  {pair.first} and {pair.second}")
    alike = [pair for pair in alike if pair.apart >= _SAME]
    if alike:
        print("These look alike; give more light or bring the camera nearer if the table is often unsure:")
        for pair in alike[:12]:
            print(f"  {pair.first} and {pair.second}: {pair.apart:.1%} of their ink differs")
    elif deck.nearest_pairs and not same:
        pair = deck.nearest_pairs[0]
        print(
            f"No two look alike; the nearest are {pair.first} and {pair.second}:"
            f" {pair.apart:.0%} of their ink differs."
        )
    if out:
        print(f"Saved: {out}; give it to watch, look and run with --deck {out}")
