"""A real table on the command line: the options for its parts, and how camera and board are opened."""

from __future__ import annotations

import argparse
import logging
import os
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from table.catalogue import shown
from table.cli import numbers
from table.errors import UsageError
from vision.errors import SourceError

if TYPE_CHECKING:
    from firmware_bridge.link import Link
    from table.devices import FrameSource
    from vision.sightings import Picture

log = logging.getLogger(__name__)

PORT = 8080

JOURNAL = "evening.sqlite"

HOST = r"^[^\W_]([\w.-]*[^\W_])?$"
A_HOST = "a host name of letters, digits, points and hyphens"


def add_equipment(parser: argparse.ArgumentParser) -> None:
    """Add the options that name the table's parts; `run` and `doctor` share them."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings of every evening (TOML)")
    parser.add_argument("--table", metavar="FILE", help="the table file that came with the mat")
    parser.add_argument("--deck", metavar="DIR", help="pictures of the cards, or a saved deck")
    parser.add_argument(
        "--partial",
        action="store_true",
        default=None,
        help="play even if cards are missing from the deck; the table asks about those",
    )
    parser.add_argument(
        "--dice", metavar="DIR", help="pictures of the dice of a box, named <colour>-<face>, and empty"
    )
    parser.add_argument("--camera", metavar="SOURCE", help="usb:0, pi:0 or a film (default: usb:0)")
    parser.add_argument(
        "--board", metavar="PORT", help="lamp board: a port, auto or none (default: as the table file says)"
    )
    parser.add_argument(
        "--journal", metavar="FILE", help=f"where the games are kept (default: {usual_journal()})"
    )
    parser.add_argument("--port", type=numbers.port, metavar="P", help=f"port of the page (default: {PORT})")
    parser.add_argument(
        "--listen", metavar="ADDRESS", help="0.0.0.0 lets phones in (default: this machine only)"
    )
    parser.add_argument(
        "--name",
        dest="names",
        action="append",
        type=_host,
        metavar="NAME",
        help="another host name under which the page answers",
    )


def _host(text: str) -> str:
    if not re.fullmatch(HOST, text):
        raise argparse.ArgumentTypeError(f"{shown(text)}: {A_HOST} is needed")
    return text


def journal_place() -> Path:
    """The default place of the journal. Raises UsageError as `state_folder` does."""
    return state_folder() / JOURNAL


def usual_journal() -> str:
    """The same for help texts, which a user without a home folder may read, too."""
    try:
        return str(journal_place())
    except UsageError:
        return f"~/.local/state/stammtisch/{JOURNAL}"


def state_folder() -> Path:
    """The default folder for games.

    Raises:
        UsageError: this user has no home folder.
    """
    try:
        state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    except RuntimeError:
        raise UsageError(
            "this user has no home folder to keep the games in; name a file with --journal"
        ) from None
    return Path(state) / "stammtisch"


def installed_state() -> Path | None:
    """The folder with settings and journal of the table installed on this computer (`table.releases`).

    None if this program does not run from an installed release.
    """
    releases = Path(sys.prefix).parent
    if releases.parts[-3:] != ("opt", "stammtisch", "releases"):
        return None
    return releases.parents[2] / "var" / "lib" / "stammtisch"


def lamp_board(
    port: str, budget_ma: float, reset: Callable[[], None] | None = None
) -> tuple[str, Callable[[], Link] | None]:
    """A description of the lamp board and how to open it, None if there is none.

    `auto` looks once: a table without lamps must not open other people's serial ports all evening.
    `reset` pulls the board's reset line; it is used when the board does not answer.
    """
    from firmware_bridge.errors import BridgeError
    from firmware_bridge.known import KnownBoard
    from firmware_bridge.link import Link
    from firmware_bridge.transports import SERIAL, dialler

    def opened(at: str) -> Callable[[], Link]:
        way, known = dialler(at), KnownBoard()  # kept across a pulled cable, so that no press counts twice
        return lambda: Link.open(way, budget_ma=budget_ma, known=known, reset=reset)

    if port == "none":
        return "none", None
    if port != "auto":
        return f"at {port}", opened(port)
    try:
        with Link.open("auto", budget_ma=budget_ma) as link:
            status = link.status
    except BridgeError as wrong:
        return f"none ({wrong})", None
    assert status.port is not None
    if status.welcome is None or not status.welcome.serial:
        return f"at {status.port}", opened(status.port)
    return f"at {status.port}", opened(f"{SERIAL}{status.welcome.serial:08x}")


def camera(source: str) -> Callable[[], FrameSource]:
    """How to open a camera or a film. Raises SourceError at once if the source can be neither."""
    from vision.cameras import OnDemand, is_live, open_camera

    if not Path(source).exists():
        if not is_live(source):
            open_camera(source).close()  # raises: neither film nor camera, and waiting will not help
        return lambda: OnDemand(open_camera(source))
    film = PacedFilm(source)
    return lambda: film


def is_absent(source: str, devices: Path = Path("/dev")) -> bool:
    """Whether this is a USB camera that is not plugged in now (Linux only); it may come later."""
    usb = re.fullmatch(r"usb:(\d+)", source)
    return usb is not None and sys.platform == "linux" and not (devices / f"video{int(usb[1])}").exists()


def camera_now(source: str, devices: Path = Path("/dev")) -> str:
    """The camera's name, with a remedy if it is not plugged in now."""
    if not is_absent(source, devices):
        return source
    return f"{source} is not there now; plug it in, or name another one with --camera"


class PacedFilm:
    """A film as a camera: its frames come at the times at which they were taken, and it plays once."""

    def __init__(self, film: str) -> None:
        """Raises SourceError if it is not a film."""
        from vision.cameras import open_camera

        self._film = open_camera(film)
        self._began: float | None = None

    def read(self) -> tuple[Picture, float] | None:
        """Wait for the next frame's time and return it; None at the end, also where the film is broken."""
        try:
            frame = self._film.read()
        except SourceError as wrong:
            if self._began is None:
                raise
            log.warning("%s", wrong)
            return None
        if frame is not None:
            now = time.monotonic()
            self._began = now - frame[1] if self._began is None else self._began
            time.sleep(max(0.0, self._began + frame[1] - now))
        return frame

    def close(self) -> None:
        """Release the film."""
        self._film.close()
