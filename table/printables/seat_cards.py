"""Cards with a QR code for each seat, which opens the page of that seat on a phone."""

from __future__ import annotations

from urllib.parse import urlsplit

from table.catalogue import Language, text
from table.errors import installing
from table.printables.drawing import BLACK, WHITE, Drawing, Mark, PrintError, Text, box, laid_out
from table.printables.pieces import A4_UPRIGHT

CARD_MM = (85.0, 110.0)
CODE_MM = 66.0
"""Edge of the code without its quiet zone, for which the card's white ground serves."""

MOST_LETTERS = 60
"""Longest address whose QR code still has modules of more than 1.5 mm."""

_HERE = ("localhost", "::1", "0.0.0.0", "::")
"""Host names and addresses by which every computer means itself."""


def seat_sheets(address: str, seats: int, language: Language = "de") -> list[Drawing]:
    """A4 pages of cards to cut, one for each seat S1 to Sn.

    Args:
        address: the page's address for phones, such as `http://stammtisch.local:8080`.
        seats: number of seats.
        language: language of the line on the cards.

    Raises:
        PrintError: this is not the address of a page, or phones cannot reach it.
    """
    address = address.rstrip("/")
    host = _host(address)
    if host is None or len(address) > MOST_LETTERS:
        raise PrintError(
            f"--url: {address[:80]!r} is not a short address of the table's first page; give one like"
            " http://stammtisch.local:8080, with nothing after it"
        )
    if host in _HERE or host.startswith("127."):
        raise PrintError(
            f"--url: at {host} a phone finds only itself; give the address in your network that `run` prints,"
            " like http://stammtisch.local:8080"
        )
    cards = [seat_card(address, f"S{number}", language) for number in range(1, seats + 1)]
    return laid_out(cards, A4_UPRIGHT, gap_mm=4)


def _host(address: str) -> str | None:
    """The host in a page's address; None unless it is a plain http(s) address without a path."""
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port
    except ValueError:  # an invalid port or IPv6 address
        return None
    plain = address.isascii() and not any(sign.isspace() or not sign.isprintable() for sign in address)
    whole = parts.scheme in ("http", "https") and f"{parts.scheme}://{parts.netloc}" == address
    return host if plain and whole and "@" not in parts.netloc else None


def seat_card(address: str, seat: str, language: Language = "de") -> Drawing:
    """The card of one seat: its QR code (ISO/IEC 18004, level M), its name, the address in letters."""
    try:
        import segno
    except ImportError:
        raise PrintError(
            f"QR codes need the package segno, which is not installed; install it with: {installing('segno')}"
        ) from None
    link = f"{address}/seat/{seat}"
    rows = [list(row) for row in segno.make_qr(link, error="m", boost_error=False).matrix]
    pitch = CODE_MM / len(rows)
    middle = (len(rows) - 1) / 2
    marks: list[Mark] = [box((0, 0), CARD_MM, WHITE, BLACK, 0.2, 4), Text((0, 41), seat, 8, BLACK, bold=True)]
    # One box for each run of dark modules in a row: some printers show seams between single modules.
    for y, row in enumerate(rows):
        for first, last in _runs(row):
            center = (((first + last) / 2 - middle) * pitch, (middle - y) * pitch)
            marks.append(box(center, ((last - first + 1) * pitch, pitch), BLACK))
    marks.append(Text((0, -43), text("paper.seat", language), 3.2, BLACK, bold=True))
    marks.append(Text((0, -50), link, 1.9, BLACK))
    return Drawing((CARD_MM[0] + 1, CARD_MM[1] + 1), tuple(marks))


def _runs(row: list[int]) -> list[tuple[int, int]]:
    """First and last index of each run of dark modules."""
    runs: list[tuple[int, int]] = []
    for at, dark in enumerate(row):
        if not dark:
            continue
        if runs and runs[-1][1] == at - 1:
            runs[-1] = (runs[-1][0], at)
        else:
            runs.append((at, at))
    return runs
