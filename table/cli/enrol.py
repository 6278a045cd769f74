"""`stammtisch enrol`: learn a deck from pictures or live, save it, and say which cards look alike."""

from __future__ import annotations

import argparse
import contextlib
import re
import sys
import unicodedata
from dataclasses import replace
from pathlib import Path

from table.cli import sheet
from table.cli.enrol_report import Files, as_json, in_words
from table.cli.opening import opening
from table.errors import StammtischError, UsageError
from table.rules import Referee
from table.rules.games import boxed
from table.rules.tonight import Agreement
from table.settings import read_table
from vision.cameras import Camera, open_camera
from vision.cards.deck import Deck, learn_folder, load_deck
from vision.cards.deck_folder import EMPTY, card_name
from vision.errors import VisionError
from vision.layout import Layout
from vision.pictures import picture_files, read_picture
from vision.untagged.live_enrolment import Showing

_NAMES = 3
"""So many kinds of names are none of a film's frames."""
_CARD_SHAPES = (1.25, 1.95)
"""Long by short side of cards, from the squarest to a tarot's."""
_SEATS = ("S1", "S2", "S3", "S4")


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
        help="the cards' names, one a line: in the order shown to a camera, or to check a folder's names",
    )
    parser.add_argument("--game", metavar="GAME", help="the names of this game's cards, instead of --names")
    parser.add_argument(
        "--scans", action="store_true", help="each picture of the folder is a card from edge to edge"
    )
    parser.add_argument(
        "--partial", action="store_true", help="save the deck even if some pictures cannot be learnt"
    )
    parser.add_argument(
        "--sheet",
        metavar="FILE",
        help="all faces to look at, .html or .png (default: beside --out, with .html added to its name)",
    )
    parser.add_argument("--json", action="store_true", help="the report as one JSON object")


def run(options: argparse.Namespace) -> int:
    """Learn the deck and report doubtful pairs. Raises VisionError, StammtischError, UsageError."""
    if options.out and Path(options.out).suffix.lower() in (".jpg", ".jpeg", ".png"):
        raise UsageError(f"--out {options.out}: a deck is no picture; end its name in .deck")
    if options.sheet and Path(options.sheet).suffix.lower() not in sheet.FORMS:
        raise UsageError(f"--sheet {options.sheet}: end its name in .html or .png")
    layout = read_table(options.table).layout if options.table else None
    names = _wanted(options.names, options.game)
    live = bool(names) and not _holds_cards(Path(options.deck), names)
    if live:
        _refuse_other_names(Path(options.deck), names)
    if options.scans and (live or not Path(options.deck).is_dir()):
        raise UsageError(f"--scans: {options.deck} is no folder of pictures named like their cards")
    if live:
        deck, picture_of = _learn_live(options.deck, names, layout, options.json)
    elif options.deck.partition(":")[0] in ("usb", "pi"):
        raise UsageError(
            f"{options.deck}: a camera does not know the cards' names; give --game or a list with --names"
        )
    elif Path(options.deck).is_dir():
        deck = learn_folder(Path(options.deck), layout, options.scans)
        picture_of = sheet.picture_at
    else:
        deck, picture_of = load_deck(Path(options.deck), layout, partial=True), sheet.picture_at
    missing = tuple(name for name in dict.fromkeys(names) if name not in deck.cards)
    foreign = tuple(name for name in deck.cards if names and name not in names)
    if missing:
        deck = replace(deck, missing=tuple(sorted({*deck.missing, *missing})))
    # What was never shown is no surprise; what was shown and not learnt must be wanted in so many words.
    saved = bool(deck.names) and (options.partial or not deck.refused)
    files = Files(options.out if saved else None, _sheet_of(options))
    if files.deck:
        try:
            deck.save(Path(files.deck))
        except OSError as wrong:
            reason = (wrong.strerror or "cannot be written").lower()
            raise StammtischError(f"{files.deck}: {reason}; give another file") from None
    if files.sheet:
        sheet.write(Path(files.sheet), f"{options.deck}: {len(deck.cards)} cards", deck, picture_of)
    report = as_json if options.json else in_words
    print("\n".join(report(deck, missing, foreign, files, bool(options.out))))
    if layout is not None and deck.names and deck.size_mm is None and not options.json:
        print(f"The tags of {options.table} are in none of these pictures: no size was measured.")
    if deck.refused and not options.scans and not options.json and _may_be_scans(deck):
        print("Where each picture is a card from edge to edge, a scan say, add --scans.")
    return 1 if missing or deck.refused else 0


def _may_be_scans(deck: Deck) -> bool:
    """Whether pictures from which nothing was learnt have the shape of a card, and show no table's tags."""
    if deck.size_mm is not None:
        return False
    with contextlib.suppress(VisionError):
        height, width = read_picture(deck.refused[0].where).shape[:2]
        least, most = _CARD_SHAPES
        return bool(least <= max(height, width) / min(height, width) <= most)
    return False


def _sheet_of(options: argparse.Namespace) -> str | None:
    """Where the contact sheet goes; without --out and --sheet nobody asked for files."""
    if options.sheet:
        return str(options.sheet)
    return f"{options.out}.html" if options.out else None


def _holds_cards(folder: Path, names: list[str]) -> bool:
    """Whether the source is a folder of pictures that bear names of these cards, not a film's frames."""
    return folder.is_dir() and any(card_name(file) in names for file in folder.iterdir())


def _refuse_other_names(folder: Path, names: list[str]) -> None:
    """A folder of pictures that bear other names is no film: frames are called alike but for a number."""
    if not folder.is_dir():
        return
    files = [file for file in picture_files(folder) if card_name(file) != EMPTY]
    if len({re.sub(r"\d+", "", file.stem) for file in files}) < _NAMES:
        return
    spelt = {name.casefold(): name for name in names}
    if meant := next((name for file in files if (name := spelt.get(card_name(file).casefold()))), None):
        raise UsageError(
            f"{folder}: {files[0].name} and the others bear the cards' names in other letters, small or"
            f" capital; call them like {meant}.jpg"
        )
    raise UsageError(
        f"{folder}: none of its {len(files)} pictures bears the name of one of these cards (not"
        f" {files[0].name}, for one); call them like {names[0]}.jpg"
    )


def _wanted(file: str | None, game: str | None) -> list[str]:
    """The names of the cards to be shown; empty when the pictures bring their own."""
    if file and game:
        raise UsageError("--names and --game both say which cards are shown; give one of them")
    if game:
        if boxed(game):
            raise UsageError(f"--game {game}: this game is played without cards; choose another")
        referee = Referee()
        for event in opening(game, Agreement(), _SEATS):
            referee.add(event)
        return list(referee.view().pack)
    if not file:
        return []
    try:
        text = unicodedata.normalize("NFC", Path(file).read_text("utf-8-sig"))
        names = [line.strip() for line in text.splitlines()]
    except FileNotFoundError:
        raise StammtischError(
            f"{file}: there is no such file; give one with one card's name a line"
        ) from None
    except (OSError, UnicodeDecodeError):
        raise StammtischError(
            f"{file}: cannot be read as text; give a file with one card's name a line"
        ) from None
    names = [name for name in names if name and not name.startswith("#")]
    if not names:
        raise StammtischError(f"{file}: no names in it; write one card's name a line")
    return names


def _learn_live(
    source: str, names: list[str], layout: Layout | None, quiet: bool
) -> tuple[Deck, sheet.PictureOf]:
    """Ask for card after card until all are learnt, the source ends or somebody presses Ctrl-C."""
    camera = open_camera(source)
    showing = Showing(names, layout)
    with contextlib.closing(camera), contextlib.suppress(KeyboardInterrupt):
        _follow(camera, showing, quiet)
    deck = showing.deck()
    if not deck.names and not deck.refused:
        raise StammtischError(
            f"{source}: no card came to rest before the camera; leave the table without a card for a moment,"
            " then lay one card flat, wholly in view, and take the hand away"
        )
    return deck, showing.still


def _follow(camera: Camera, showing: Showing, quiet: bool) -> None:
    out = sys.stderr if quiet else sys.stdout
    total = len(showing.missing)
    print("Leave the table without a card for a moment.", file=out, flush=True)
    asked = False
    while showing.missing and (taken := camera.read()) is not None:
        shown = showing.see(*taken)
        if showing.ready and not asked:
            asked = True
            print(f"Show {showing.missing[0]} (1 of {total}); lay it down and take the hand away.", file=out)
        if shown is None:
            continue
        left = showing.missing
        ask = f"Show {left[0]} ({total - len(left) + 1} of {total})." if left else "That was the last one."
        said = f"This is {shown.name} again." if shown.again else f"Got {shown.name}."
        print(f"{said} {ask}", file=out, flush=True)
