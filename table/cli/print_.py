"""`stammtisch print`: mats and fields with their table files, decks, dice, tiles, a sheet for the lens."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from table.catalogue import LANGUAGES, text
from table.cli.actions import add_action
from table.cli.print_sizes import card_size, floor_size, within_mm
from table.cli.progress import ProgressLine
from table.errors import UsageError
from table.printables import Drawing, draw_back, draw_mat, dubbe_deck, plan_mat, table_file, tiled, write_pdf
from table.printables.booklet import booklet, box_parts, card_parts, quick_rules
from table.printables.drawing import PrintError, laid_out
from table.printables.field_plan import BET_MM, BETS, DESIGN_MM, FIELDS, RIM_MM, plan_field, plan_frame
from table.printables.fields import (
    LARGEST_STICKER_MM,
    bet_sheets,
    draw_field,
    draw_flat,
    sticker_sheets,
    tag_places,
    tag_sheets,
)
from table.printables.figures import figure_sheet
from table.printables.insert import CARDS_MM, DICE_MM, height_mm, tray
from table.printables.pieces import A4_UPRIGHT, calibration_sheet, dice_sheets, tile_sheets
from table.printables.plan import CARD_MM, DIE_EDGE_MM, SEATS, SHEETS, TAG_MM
from table.printables.seat_cards import seat_sheets
from table.printables.tablefile import field_file
from table.rules.game import Game
from table.rules.games import GAMES, boxed
from table.settings.kept import Renewed, renewed

_FORCE = "replace what differs in the existing table file"


_AddThing = Callable[[str, str], argparse.ArgumentParser]
"""Adds a printable thing, by name and description."""


def register(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    things = parser.add_subparsers(dest="thing", metavar="THING", required=True)

    def thing(name: str, words: str) -> argparse.ArgumentParser:
        sub = add_action(things, name, words)
        sub.add_argument(
            "--out", type=Path, default=Path(), metavar="DIR", help="folder for the files (default: here)"
        )
        return sub

    _add_booklet(thing)
    rules = thing("rules", "a card with the quick rules of a game, two on an A4 sheet")
    rules.add_argument("--game", required=True, choices=list(GAMES), help="the game")
    rules.add_argument("--language", default="de", choices=LANGUAGES, help="(default: de)")
    _add_language(thing("figures", "the five characters of Dubbe with their faces, to fold and stand up"))
    _add_language(thing("insert", "trays for cards and dice in a box, to fold"))
    _add_mat(thing)
    deck = thing("deck", "a Dubbe deck of 75 cards of our own, nine on an A4 sheet")
    deck.add_argument("--backs", action="store_true", help="a sheet of backs after every sheet of faces")
    _add_seats(thing)
    thing("dice", "nets of the six Dubbe dice and of nine DoppelX dice, to fold")
    _add_language(thing("tiles", "the five characters, the ±10 chips, the starting field"))
    _add_language(thing("calibration", "a ChArUco sheet to measure a camera's lens"))
    _add_box(thing)


def _add_language(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "--language", default="de", choices=LANGUAGES, help="language of its words (default: de)"
    )


def _add_booklet(thing: _AddThing) -> None:
    whole = thing(
        "all", "one booklet of all that a game needs, with a cover that says what to cut; and its table file"
    )
    whole.add_argument("--game", required=True, choices=list(GAMES), help="the game")
    whole.add_argument(
        "--seats", type=int, metavar="N", help="seats of the mat, 2 to 5 (default: 4, or as many as may play)"
    )
    whole.add_argument(
        "--field", default="I", metavar="N", help=f"field of DoppelX: {', '.join(FIELDS)} (default: I)"
    )
    whole.add_argument(
        "--paper", default="A4", choices=("A4", "A3"), help="paper of your printer; the mat is cut for it"
    )
    whole.add_argument(
        "--language", default="de", choices=LANGUAGES, help="language of cover and rules (default: de)"
    )
    whole.add_argument("--force", action="store_true", help=_FORCE)


def _add_mat(thing: _AddThing) -> None:
    mat = thing("mat", "a mat as PDF and its table file, from one source")
    mat.add_argument(
        "--seats", type=int, default=4, metavar="N", help=f"{SEATS[0]} to {SEATS[-1]} (default: 4)"
    )
    mat.add_argument(
        "--game",
        default="dubbe",
        choices=[name for name in GAMES if not boxed(name)],
        help="game whose characters or trumps it shows (default: dubbe)",
    )
    mat.add_argument(
        "--language", default="de", choices=LANGUAGES, help="language of its words (default: de)"
    )
    mat.add_argument("--size", default="A2", metavar="PAPER", help=f"{' or '.join(TAG_MM)} (default: A2)")
    mat.add_argument("--tile", metavar="PAPER", help=f"cut into sheets with crop marks: {', '.join(SHEETS)}")
    mat.add_argument(
        "--cards",
        type=card_size,
        default=CARD_MM,
        metavar="WxH",
        help="size of your cards in mm (default: 59x91)",
    )
    mat.add_argument("--force", action="store_true", help=_FORCE)


def _add_seats(thing: _AddThing) -> None:
    seats = thing("seats", "a QR code for each seat, which opens the page of that seat on a phone")
    seats.add_argument(
        "--url",
        required=True,
        metavar="ADDRESS",
        help="where phones find the page, as `run` prints it: http://stammtisch.local:8080",
    )
    seats.add_argument(
        "--seats",
        type=int,
        choices=range(SEATS[0], SEATS[-1] + 1),
        default=4,
        metavar="N",
        help=f"{SEATS[0]} to {SEATS[-1]} (default: 4)",
    )
    _add_language(seats)


def _add_box(thing: _AddThing) -> None:
    field = thing("field", "a DoppelX field of our own, its tags, and its table file, from one source")
    field.add_argument("--field", default="I", metavar="N", help=f"{', '.join(FIELDS)} (default: I)")
    field.add_argument(
        "--size", type=float, default=DESIGN_MM, metavar="MM", help="edge of the floor (default: 280)"
    )
    field.add_argument(
        "--bets", default="ABCD", metavar="LETTERS", help="bet tiles at the corners (default: ABCD)"
    )
    field.add_argument(
        "--tile", metavar="PAPER", help=f"cut into sheets with crop marks: {', '.join(SHEETS)}"
    )
    frame = thing("frame", "the four tags for the rim of a box you bought, and a table file to trace it with")
    frame.add_argument(
        "--size",
        type=floor_size,
        default=(DESIGN_MM, DESIGN_MM),
        metavar="WxH",
        help="size of its floor in mm (default: 280x280)",
    )
    bets = thing("bets", f"the bet tiles {BETS[0]} to {BETS[-1]} of DoppelX")
    bets.add_argument("--size", type=float, default=BET_MM, metavar="MM", help="edge of a tile (default: 60)")
    for sub in (field, frame, bets):
        _add_language(sub)
    for sub in (field, frame):
        sub.add_argument(
            "--rim",
            type=float,
            default=RIM_MM,
            metavar="MM",
            help="height of the rim over the floor; 0 = no box (default: 45)",
        )
        sub.add_argument("--force", action="store_true", help=_FORCE)
    stickers = thing("stickers", "square stickers that make DoppelX dice of blank ones")
    stickers.add_argument(
        "--edge", type=float, default=DIE_EDGE_MM, metavar="MM", help="edge of your dice (default: 16)"
    )


def run(options: argparse.Namespace) -> int:
    """Print the thing; report every file that was written."""
    out: Path = options.out
    match options.thing:
        case "all":
            return _all(options, out)
        case "mat":
            return _mat(options, out)
        case "rules":
            card = quick_rules(GAMES[options.game], options.language)
            pages = laid_out([card] * 2, SHEETS["A4"], gap_mm=4)
            return _write(pages, out / f"{options.game}-rules.pdf", "cut, lay on the table")
        case "figures":
            sheets = figure_sheet(options.language)
            return _write(sheets, out / "dubbe-figures.pdf", "cut, fold at the top, glue back to back")
        case "insert":
            cards, dice = (text(f"paper.insert.{kind}", options.language) for kind in ("cards", "dice"))
            nets = [tray(CARDS_MM, height_mm(75), cards), tray(DICE_MM, DIE_EDGE_MM + 4, dice)]
            return _write(
                [page for net in nets for page in laid_out([net], A4_UPRIGHT)],
                out / "insert.pdf",
                "cut, fold, glue",
            )
        case "deck":
            faces = laid_out(list(dubbe_deck().values()), A4_UPRIGHT)
            backs = laid_out([draw_back()] * 9, A4_UPRIGHT)
            pages = [page for face in faces for page in ((face, *backs) if options.backs else (face,))]
            return _write(pages, out / "dubbe-deck.pdf", "print on card, both sides" if options.backs else "")
        case "seats":
            return _seats(options, out)
        case "dice":
            return _write(dice_sheets(), out / "dice.pdf", "cut, fold, glue")
        case "tiles":
            return _write(tile_sheets(options.language), out / "tiles.pdf", "")
        case "field":
            return _field(options, out)
        case "frame":
            return _frame(options, out)
        case "bets":
            return _bets(options, out)
        case "stickers":
            within_mm(options.edge, 10, LARGEST_STICKER_MM, "a die for stickers")
            hint = "on sticky paper, six for each die"
            return _write(sticker_sheets(options.edge), out / "doppelx-stickers.pdf", hint)
    return _write(
        [calibration_sheet(options.language)], out / "calibration.pdf", "glue it onto something flat"
    )


def _all(options: argparse.Namespace, out: Path) -> int:
    """Print the booklet and the table file that belongs to its mat or field."""
    game, title, language = options.game, GAMES[options.game].title, options.language
    try:
        if boxed(game):
            if options.seats is not None:
                raise PrintError(f"--seats: {title} is played without seats; leave it out")
            field = plan_field(options.field.upper())
            name, parts = field.file_name, box_parts(GAMES[game], field, language)
            said = (
                f"Table file of {game}-booklet.pdf: millimetres from the floor's middle, x right, y up.",
                "Made by `stammtisch print all`; tags and bets lie at the height of the rim.",
            )
            table = field_file(field.layout, said)
        else:
            seats = _usual_seats(GAMES[game]) if options.seats is None else options.seats
            plan = plan_mat(_seated(seats, GAMES[game]), "A2", characters=GAMES[game].character_dice)
            name, parts = plan.name, card_parts(GAMES[game], plan, options.paper, language)
            table = table_file(plan)
    except PrintError as wrong:
        raise UsageError(str(wrong)) from None
    file = renewed(out / f"{name}.toml", table, options.force, _OWNED)
    pages = booklet(title, parts, f"{name}.toml", language)
    _write(pages, out / f"{game}-booklet.pdf", "the first page says what to cut")
    return _table(file)


_OWNED = ("bet", "zone", "spot")
"""Table-file sections that belong to the print of a mat or field, which writes or omits them."""


def _usual_seats(game: Game) -> int:
    return 4 if 4 in game.players else max(game.players)


def _seated(seats: int, game: Game) -> int:
    """Return the number of seats if that many may play the game. Raises PrintError."""
    if seats in SEATS and seats not in game.players:
        many = " or ".join(str(n) for n in game.players)
        raise PrintError(f"{game.title} is played by {many}, not by {seats}; give --seats {game.players[0]}")
    return seats


def _seats(options: argparse.Namespace, out: Path) -> int:
    try:
        pages = seat_sheets(options.url, options.seats, options.language)
    except PrintError as wrong:
        raise UsageError(str(wrong)) from None
    return _write(pages, out / "seats.pdf", "cut, one for each seat")


def _field(options: argparse.Namespace, out: Path) -> int:
    try:
        plan = plan_field(options.field.upper(), options.size, options.rim, options.bets.upper())
        boxed = plan.rim_mm > 0
        language = options.language
        drawing = draw_field(plan, language) if boxed else draw_flat(plan, language, noted=not options.tile)
        pages = [drawing]
        if options.tile:
            # A tag that is cut and glued is no longer a square.
            whole = [] if boxed else tag_places(plan.layout)
            pages = tiled(drawing, options.tile.upper(), language, whole)
    except PrintError as wrong:
        raise UsageError(str(wrong)) from None
    if boxed:
        pages += tag_sheets(plan.layout, language)
    said = (
        f"Table file of the printed {plan.file_name}.pdf: millimetres from the floor's middle, x right, y"
        " up.",
        "Made by `stammtisch print field`; tags and bets lie at the height of the rim.",
    )
    file = renewed(out / f"{plan.file_name}.toml", field_file(plan.layout, said), options.force, _OWNED)
    _write(pages, out / f"{plan.file_name}.pdf", "cut, glue" if options.tile or boxed else "")
    return _table(file)


def _frame(options: argparse.Namespace, out: Path) -> int:
    try:
        layout = plan_frame(options.size, options.rim)
    except PrintError as wrong:
        raise UsageError(str(wrong)) from None
    said = (
        "Tags on the rim of a DoppelX box, millimetres from the middle of its floor; measure them again!",
        "Made by `stammtisch print frame`, for `stammtisch field trace --tags`.",
    )
    file = renewed(out / "doppelx-frame.toml", field_file(layout, said), options.force)
    _write(tag_sheets(layout, options.language), out / "doppelx-frame.pdf", "glue the tags where they say")
    return _table(file)


def _bets(options: argparse.Namespace, out: Path) -> int:
    within_mm(options.size, 30, 90, "a bet tile")
    _write(
        bet_sheets(options.size, options.language),
        out / "doppelx-bets.pdf",
        "cut, lay at the rim's height",
    )
    if options.size != BET_MM:
        print(f"  in the table file write size = {options.size:g} at each [[bet]] (it says {BET_MM:g})")
    return 0


def _mat(options: argparse.Namespace, out: Path) -> int:
    sheet = options.size.upper()
    try:
        game = GAMES[options.game]
        plan = plan_mat(_seated(options.seats, game), sheet, options.cards, game.character_dice)
        drawing = draw_mat(plan, game, options.language)
        pages = tiled(drawing, options.tile.upper(), options.language) if options.tile else [drawing]
    except PrintError as wrong:
        raise UsageError(str(wrong)) from None
    # Games without characters share one table file; only their prints differ.
    name = plan.name if game.character_dice else f"{plan.name}-{game.name}"
    file = renewed(out / f"{plan.name}.toml", table_file(plan), options.force, _OWNED)
    _write(pages, out / f"{name}.pdf", f"{sheet} paper" if not options.tile else "cut at the marks, glue")
    return _table(file)


def _table(file: Renewed) -> int:
    file.write()
    print(f"{file.path}: the table file that belongs to it, for --table")
    if file.text is None:
        print("  unchanged: nothing in it differs")
    if file.kept:
        print(f"  kept as it was: {', '.join(file.kept)}")
    for said in file.replaced:
        print(f"  replaced: {said}")
    return 0


def _write(pages: list[Drawing], path: Path, hint: str) -> int:
    with ProgressLine(path.name, len(pages)) as line:
        write_pdf(
            pages, path, f"Stammtisch {path.stem}", lambda n: line.reach(n, f"page {n} of {len(pages)}")
        )
    count = f"{len(pages)} page{'s' if len(pages) > 1 else ''}"
    print(f"{path}: {count}, print at 100 %{', ' + hint if hint else ''}")
    return 0
