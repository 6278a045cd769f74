"""`stammtisch enrol`: learn a deck from pictures or live, save it, and say which cards look alike."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from table.cli import sheet
from table.cli.enrol_names import fewer_players, of_no_game, seated, wanted_names
from table.cli.enrol_report import Files, as_json, in_words
from table.errors import StammtischError, UsageError
from table.settings import read_table
from table.whole_file import replacing
from vision.cameras import Camera, is_live, open_camera
from vision.cards.deck import Deck, learn_folder, load_deck
from vision.cards.deck_folder import EMPTY, card_name
from vision.errors import VisionError
from vision.imgproc.colourless import is_colourless
from vision.layout import Layout
from vision.pictures import picture_files, read_picture
from vision.untagged.live_enrolment import Showing

_NAMES = 3
"""From this many distinct names on, digits aside, a folder's pictures are not the frames of a film."""
_SHOWN = 5
"""Most names that a hint lists."""
_CARD_SHAPES = (1.25, 1.95)
"""Ratio of a card's long side to its short one, from the squarest cards to a tarot's."""


def register(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    parser.add_argument(
        "deck",
        metavar="SOURCE",
        help="a folder of pictures named <card>.jpg or .png, one card in each; "
        "or, with --names or --game, a camera (usb:0, pi:0) or film that is shown one card after another",
    )
    parser.add_argument("--table", metavar="FILE", help="the table file: card size in millimetres")
    parser.add_argument("--out", metavar="FILE", help="save the deck into this file, for --deck")
    parser.add_argument(
        "--names",
        metavar="FILE",
        help="the cards' names, one per line: in the order shown to a camera, or to check a folder's names",
    )
    parser.add_argument("--game", metavar="GAME", help="the names of this game's cards, instead of --names")
    parser.add_argument(
        "--players",
        type=int,
        metavar="N",
        help="the game's cards for N players (default: the seats of --table, else all its cards)",
    )
    parser.add_argument(
        "--scans", action="store_true", help="each picture of the folder is a card from edge to edge"
    )
    parser.add_argument(
        "--partial", action="store_true", help="save the deck even if some pictures cannot be learnt"
    )
    parser.add_argument(
        "--sheet",
        metavar="FILE",
        help="contact sheet of all faces, .html or .png (default: beside --out, .html added to its name)",
    )
    parser.add_argument("--json", action="store_true", help="the report as one JSON object")


def run(options: argparse.Namespace) -> int:
    """Learn the deck and report doubtful pairs. Raises VisionError, StammtischError, UsageError."""
    if options.out and Path(options.out).suffix.lower() in (".jpg", ".jpeg", ".png"):
        raise UsageError(f"--out {options.out}: a deck is not a picture; end its name in .deck")
    if options.sheet and Path(options.sheet).suffix.lower() not in sheet.FORMS:
        raise UsageError(f"--sheet {options.sheet}: end its name in .html or .png")
    layout = read_table(options.table).layout if options.table else None
    players = options.players
    if players is None and options.game and layout is not None:
        players = seated(options.game, len(layout.seats))
    names = wanted_names(options.names, options.game, players)
    deck, picture_of = _learnt(options, names, layout)
    missing = tuple(name for name in dict.fromkeys(names) if name not in deck.cards)
    enough_for = fewer_players(options.game, players, missing) if missing else None
    if enough_for:
        missing = ()
    foreign = tuple(name for name in deck.cards if names and name not in names)
    if missing:
        deck = replace(deck, missing=tuple(sorted({*deck.missing, *missing})))
    files, trouble = _written(options, deck, picture_of)
    report = as_json if options.json else in_words
    print("\n".join(report(deck, missing, foreign, files, bool(options.out))))
    if not options.json:
        _hint(options, deck, enough_for, layout)
        _hint_at_grey(deck, picture_of)
    if trouble:
        raise StammtischError(" ".join(trouble))
    return 1 if missing or deck.refused else 0


def _learnt(
    options: argparse.Namespace, names: list[str], layout: Layout | None
) -> tuple[Deck, sheet.PictureOf]:
    """The deck from its folder, file or camera, and how to get its pictures."""
    source = Path(options.deck)
    live = bool(names) and not _holds_cards(source, names)
    if live:
        _refuse_other_names(source, names)
    if options.scans and (live or not source.is_dir()):
        raise UsageError(f"--scans: {options.deck} is not a folder of pictures named like their cards")
    if not live and is_live(options.deck):
        raise UsageError(
            f"{options.deck}: a camera does not know the cards' names; give --game or a list with --names"
        )
    for option, file in (("--out", options.out), ("--sheet", options.sheet)):
        if file:
            _make_room(option, Path(file))
    if live:
        return _learn_live(options.deck, names, layout, options.json)
    if source.is_dir():
        return learn_folder(source, layout, options.scans), sheet.picture_at
    return load_deck(source, layout, partial=True), sheet.picture_at


def _make_room(option: str, file: Path) -> None:
    """Check, before the first card is shown, that the file can be written.

    Raises UsageError, StammtischError.
    """
    if file.is_dir():
        raise UsageError(f"{option} {file}: this is a folder; name a file in it")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        reason = (wrong.strerror or "cannot be made").lower()
        raise StammtischError(
            f"{option} {file}: its folder cannot be made ({reason}); give another file"
        ) from None
    if not os.access(file if file.exists() else file.parent, os.W_OK):
        raise StammtischError(f"{option} {file}: cannot be written; give another file")


def _written(options: argparse.Namespace, deck: Deck, picture_of: sheet.PictureOf) -> tuple[Files, list[str]]:
    """Save the deck and its sheet; return where they are, and a sentence for each that could not be saved."""
    # Cards that were never shown are no surprise; those shown but not learnt need an explicit --partial.
    where, page = None, _sheet_of(options)
    trouble = []
    if options.out and deck.names and (options.partial or not deck.refused):
        where = options.out
        try:
            with replacing(Path(where)) as new:
                deck.save(new)
        except OSError as wrong:
            # Nobody wants to show a deck twice, so it is saved elsewhere.
            where = _kept_elsewhere(deck)
            reason = (wrong.strerror or "cannot be written").lower()
            kept = f"the deck was saved as {where}, copy it" if where else "give another file"
            trouble.append(f"{options.out}: {reason}; {kept}.")
    if page:
        try:
            sheet.write(Path(page), f"{options.deck}: {len(deck.cards)} cards", deck, picture_of)
        except StammtischError as wrong:
            page = None
            trouble.append(f"{wrong}.")
    return Files(where, page), trouble


def _kept_elsewhere(deck: Deck) -> str | None:
    """Save the deck in the system's folder for temporary files; None if that is full, too."""
    with contextlib.suppress(OSError):
        folder = tempfile.mkdtemp(prefix="stammtisch-")
        place = Path(folder) / "enrolled.deck"
        try:
            deck.save(place)
        except OSError:
            shutil.rmtree(folder, ignore_errors=True)
        else:
            return str(place)
    return None


def _hint(options: argparse.Namespace, deck: Deck, enough_for: int | None, layout: Layout | None) -> None:
    """Print hints on this deck that may help."""
    if enough_for:
        print(f"These are the cards for up to {enough_for} players; for more, learn the rest, too.")
    if deck.names and not (options.game or options.names):
        _hint_at_names(deck)
    if layout is not None and deck.names and deck.size_mm is None:
        print(f"The tags of {options.table} are in none of these pictures: no size was measured.")
    if deck.refused and not options.scans and _may_be_scans(deck):
        print("If each picture is a card from edge to edge, as in a scan, add --scans.")


def _hint_at_grey(deck: Deck, picture_of: sheet.PictureOf) -> None:
    """Print which pictures show no colours: a face learnt from one may be another suit's."""
    doubtful = [
        each.where for each, face in zip(deck.taken, deck.pictures, strict=False) if is_colourless(face)
    ]
    seen = {where: picture_of(where) for where in doubtful}
    grey = [where for where, picture in seen.items() if picture is not None and is_colourless(picture)]
    if grey:
        print(
            "These pictures show no colours, so that cards may be taken for those of another colour; take"
            f" them again with a camera that shows colours (not in its night mode): {_first(grey)}"
        )


def _first(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{', '.join(names[:_SHOWN])}{more}"


def _hint_at_names(deck: Deck) -> None:
    """Print which names no game knows: the table would never ask for these cards, nor let them be played."""
    game, strange = of_no_game(deck.cards)
    if game is not None and strange:
        print(
            f"In {game}, of which the other cards are, no card has these names; name the pictures like its"
            f" cards: {_first(strange)}"
        )
    elif strange:
        print(
            "No game of this table has cards of these names; before you play with them name the pictures like"
            f" red-7.jpg (Dubbe) or HT.jpg (hearts, ten): {_first(strange)}"
        )


def _may_be_scans(deck: Deck) -> bool:
    """Whether refused pictures have the shape of a card and show no table's tags."""
    if deck.size_mm is not None:
        return False
    with contextlib.suppress(VisionError):
        height, width = read_picture(deck.refused[0].where).shape[:2]
        least, most = _CARD_SHAPES
        return bool(least <= max(height, width) / min(height, width) <= most)
    return False


def _sheet_of(options: argparse.Namespace) -> str | None:
    """Where the contact sheet goes; None without --out and --sheet, as nobody asked for files."""
    if options.sheet:
        return str(options.sheet)
    return f"{options.out}.html" if options.out else None


def _holds_cards(folder: Path, names: list[str]) -> bool:
    """Whether the source is a folder of pictures named after these cards, not a film's frames."""
    return folder.is_dir() and any(card_name(file) in names for file in folder.iterdir())


def _refuse_other_names(folder: Path, names: list[str]) -> None:
    """Refuse a folder of pictures with other names: the frames of a film differ only by a number."""
    if not folder.is_dir():
        return
    files = [file for file in picture_files(folder) if card_name(file) != EMPTY]
    if len({re.sub(r"\d+", "", file.stem) for file in files}) < _NAMES:
        return
    spelt = {name.casefold(): name for name in names}
    if meant := next((name for file in files if (name := spelt.get(card_name(file).casefold()))), None):
        raise UsageError(
            f"{folder}: {files[0].name} and the others differ from the cards' names in upper and lower "
            f"case; name them like {meant}.jpg"
        )
    raise UsageError(
        f"{folder}: none of its {len(files)} pictures has the name of one of these cards (the"
        f" first is {files[0].name}); name them like {names[0]}.jpg"
    )


def _learn_live(
    source: str, names: list[str], layout: Layout | None, quiet: bool
) -> tuple[Deck, sheet.PictureOf]:
    """Ask for card after card until all are learnt, the source ends or Ctrl-C is pressed."""
    camera = open_camera(source)
    showing = Showing(names, layout)
    with contextlib.closing(camera), contextlib.suppress(KeyboardInterrupt):
        _follow(camera, showing, quiet)
    deck = showing.deck()
    if not deck.names and not deck.refused:
        if Path(source).is_dir():
            raise StammtischError(
                f"{source}: no card came to rest in these pictures, taken as the frames of a film; where each"
                f" shows one card, name them like {names[0]}.jpg"
            )
        raise StammtischError(
            f"{source}: no card came to rest in front of the camera; leave the table without a card for "
            "a moment, then lay one card flat, wholly in view, and take your hand away"
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
            print(f"Show {showing.missing[0]} (1 of {total}); lay it down and take your hand away.", file=out)
        if shown is None:
            continue
        left = showing.missing
        ask = f"Show {left[0]} ({total - len(left) + 1} of {total})." if left else "That was the last one."
        said = f"This is {shown.name} again." if shown.again else f"Got {shown.name}."
        print(f"{said} {ask}", file=out, flush=True)
