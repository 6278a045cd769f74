"""`stammtisch print`: mats with their table file, a deck, dice, tiles, a sheet to measure the lens."""

from __future__ import annotations

import argparse
from pathlib import Path

from table.errors import UsageError
from table.printables import Drawing, draw_back, draw_mat, dubbe_deck, plan_mat, table_file, tiled, write_pdf
from table.printables.drawing import PrintError, laid_out
from table.printables.pieces import A4_UPRIGHT, calibration_sheet, dice_sheets, tile_sheets
from table.printables.plan import CARD_MM, SEATS, SHEETS, TAG_MM
from vision.layout import Point


def register(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    things = parser.add_subparsers(dest="thing", metavar="THING", required=True)

    def thing(name: str, words: str) -> argparse.ArgumentParser:
        sub = things.add_parser(name, help=words, description=words[0].upper() + words[1:] + ".")
        sub.add_argument("--out", type=Path, default=Path(), metavar="DIR", help="where to (default: here)")
        return sub

    mat = thing("mat", "a mat as PDF and its table file, from one source")
    mat.add_argument(
        "--seats", type=int, default=4, metavar="N", help=f"{SEATS[0]} to {SEATS[-1]} (default: 4)"
    )
    mat.add_argument("--size", default="A2", metavar="PAPER", help=f"{' or '.join(TAG_MM)} (default: A2)")
    mat.add_argument("--tile", metavar="PAPER", help=f"cut into sheets with crop marks: {', '.join(SHEETS)}")
    mat.add_argument(
        "--cards",
        type=_size,
        default=CARD_MM,
        metavar="WxH",
        help="size of your cards in mm (default: 59x91)",
    )
    deck = thing("deck", "a Dubbe deck of 75 cards of our own, nine on an A4 sheet")
    deck.add_argument("--backs", action="store_true", help="a sheet of backs after every sheet of faces")
    thing("dice", "nets of the six Dubbe dice and of nine DoppelX dice, to fold")
    thing("tiles", "the five characters, the ±10 chips, the starting field")
    thing("calibration", "a ChArUco sheet to measure a camera's lens")


def run(options: argparse.Namespace) -> int:
    """Print the thing; name every file that was written."""
    out: Path = options.out
    match options.thing:
        case "mat":
            return _mat(options, out)
        case "deck":
            faces = laid_out(list(dubbe_deck().values()), A4_UPRIGHT)
            backs = laid_out([draw_back()] * 9, A4_UPRIGHT)
            pages = [page for face in faces for page in ((face, *backs) if options.backs else (face,))]
            return _write(pages, out / "dubbe-deck.pdf", "print on card, both sides" if options.backs else "")
        case "dice":
            return _write(dice_sheets(), out / "dice.pdf", "cut, fold, glue")
        case "tiles":
            return _write(tile_sheets(), out / "tiles.pdf", "")
    return _write([calibration_sheet()], out / "calibration.pdf", "glue it onto something flat")


def _mat(options: argparse.Namespace, out: Path) -> int:
    sheet = options.size.upper()
    try:
        plan = plan_mat(options.seats, sheet, options.cards)
        drawing = draw_mat(plan)
        pages = tiled(drawing, options.tile.upper()) if options.tile else [drawing]
    except PrintError as wrong:
        raise UsageError(str(wrong)) from None
    _write(
        pages, out / f"{plan.name}.pdf", f"{sheet} paper" if not options.tile else "cut at the marks, glue"
    )
    table = out / f"{plan.name}.toml"
    try:
        table.write_text(table_file(plan), encoding="utf-8")
    except OSError as wrong:
        raise PrintError(f"{table}: cannot be written ({wrong.strerror}); choose another --out") from None
    print(f"{table}: the table file that belongs to it, for --table")
    return 0


def _write(pages: list[Drawing], path: Path, hint: str) -> int:
    write_pdf(pages, path, f"Stammtisch {path.stem}")
    count = f"{len(pages)} page{'s' if len(pages) > 1 else ''}"
    print(f"{path}: {count}, print at 100 %{', ' + hint if hint else ''}")
    return 0


def _size(words: str) -> Point:
    """`59x91` as two numbers of millimetres."""
    try:
        width, height = (float(part) for part in words.lower().replace("×", "x").split("x"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{words!r} is no size like 59x91") from None
    if not (20 <= width <= 200 and 20 <= height <= 200):
        raise argparse.ArgumentTypeError(f"{words!r}: a card measures 20 to 200 mm")
    return (width, height)
