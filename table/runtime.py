"""The running table: the only place where the eye, the rules, the lamps and the page meet.

One camera thread (reads and sees, newest frame wins), one board thread (newest picture wins) and one
asyncio loop, which owns the sitting. Threads hand values over; nothing is shared but what `Newest` holds.

    session = Session(journal, Referee)
    session.resume() or session.begin([Event("game", {…})])
    table = Table(session, Interpreter(layout), plan=table_file.lamps)
    runtime = Runtime(table, camera=lambda: open_camera("usb:0"), eye=Eye(layout, deck),
                      board=lambda: Link.open("auto"))
    runtime.run(Page(table).serve)                  # until Ctrl-C, SIGTERM, SIGHUP or `runtime.stop()`

`camera` and `board` are ways to open them, not the things themselves: a cable that was pulled is
plugged in again, and then they are opened once more. The same call composes `stammtisch demo` with a
virtual camera and an emulated board, and the tests with stand-ins.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import threading
import time
from collections.abc import Awaitable, Callable
from typing import Any

from firmware_bridge.errors import BridgeError
from firmware_bridge.lamps import RGB
from firmware_bridge.status import LinkStatus
from table import markers
from table.board_words import board_told
from table.catalogue import fact
from table.devices import Board, FrameSource, LeavesOut, SightingSource
from table.eye_words import told_by
from table.live import Table
from table.newest import Newest
from table.pulse import Pulse
from vision.errors import SourceError, VisionError
from vision.frame import Frame, as_picture
from vision.sightings import Picture

log = logging.getLogger(__name__)

RETRY_S = 1.0
"""A camera or board that went away is looked for this often."""

BOARD_RETRY_S = 0.25
"""A lamp board is looked for more often: within a second of its cable's return the picture is there again."""

STALL_S = 1.5
"""A camera that gives no frame for so long is lost, even if it does not say so: people hear of it within two
seconds."""

KEEP_ALIVE_S = 0.25
"""The picture is sent this often even when nothing changes: the board goes dark when its host is silent, and
its answer tells which buttons were pressed."""

_IDLE_S = 0.2
"""A camera that nobody looks through stays closed; so often it is asked whether that is still so."""

Service = Callable[[], Awaitable[None]]
"""Something that runs beside the table on the same loop until it is cancelled: the page, MQTT, systemd."""


class Runtime:
    """A `Table` with its threads. `run` blocks until Ctrl-C, SIGTERM, SIGHUP or `stop`."""

    def __init__(
        self,
        table: Table,
        camera: Callable[[], FrameSource] | None,
        eye: SightingSource | None,
        board: Callable[[], Board] | None = None,
        clock: Callable[[], float] = time.monotonic,
        learn: Callable[[], SightingSource | None] | None = None,
    ) -> None:
        """Without a camera and an eye the table plays all the same: what happens is told by touch.

        `learn` makes the eye in the camera's thread where it is not there yet, so that nobody waits for it.
        """
        self.table = table
        self._open_camera = camera
        self._open_board = board
        self._anew = threading.Event()
        self._eye = eye
        self._learn = learn
        self._clock = clock
        self.pulse = Pulse(clock)
        """Which thread gets on; the watchdog asks (`integrations/systemd`)."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping = threading.Event()
        self._done: asyncio.Event | None = None
        self._lamps = Newest[tuple[RGB, ...]]()
        self._picture: Picture | Frame | None = None
        self._last_frame = clock()
        self._waiting_since: float | None = None
        """Since when the camera owes a frame; None while the eye looks at one, however long that takes."""
        self._eye_t = 0.0
        self._link: LinkStatus | None = None
        self._camera: FrameSource | None = None
        table.frames_hz = lambda: self.pulse.rate_hz("camera")
        table.frames_seen = self._share_seen
        table.link = lambda: self._link
        table.frame = lambda: None if self._picture is None else as_picture(self._picture)

    def run(self, *services: Service) -> None:
        """Run table and services on a loop of their own; Ctrl-C, SIGTERM and SIGHUP end it cleanly."""
        asyncio.run(self.serve(*services))

    def stop(self) -> None:
        """End `run`; may be called from any thread."""
        self._stopping.set()
        if self._loop is not None and self._done is not None:
            self._loop.call_soon_threadsafe(self._done.set)

    def relearn(self) -> None:
        """Have the eye made anew by `learn`, between two frames; may be called from any thread."""
        self._anew.set()

    def end_soon(self) -> bool:
        """End `run` once what was asked for is answered; belongs to the loop. Always True."""
        assert self._loop is not None
        self._loop.call_later(RETRY_S, self.stop)
        return True

    async def serve(self, *services: Service) -> None:
        """The same on the loop that is running. A service that fails ends the table with its error."""
        self._loop, self._done = asyncio.get_running_loop(), asyncio.Event()
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                if signal.getsignal(number) is not signal.SIG_IGN:  # whoever said `nohup` means it
                    self._loop.add_signal_handler(number, self.stop)
        self._last_frame = self._clock()
        threads = []
        if self._open_camera is not None and (self._eye or self._learn) is not None:
            threads.append(threading.Thread(target=self._watch_camera, name="camera", daemon=True))
        if self._open_board is not None and self.table.plan is not None:
            self.table.ail("board", "starting")
            threads.append(threading.Thread(target=self._light_board, name="board", daemon=True))
        for thread in threads:
            thread.start()
        tasks = [asyncio.ensure_future(service()) for service in (*services, self._tick)]
        done = asyncio.ensure_future(self._done.wait())
        try:
            finished, _ = await asyncio.wait([done, *tasks], return_when=asyncio.FIRST_COMPLETED)
            for task in finished - {done}:
                task.result()
        finally:
            self._stopping.set()
            for task in (done, *tasks):
                task.cancel()
            await asyncio.gather(done, *tasks, return_exceptions=True)
            # A camera that hangs in its driver must not keep the table from ending: its thread is a daemon.
            await asyncio.gather(*(asyncio.to_thread(thread.join, 2 * RETRY_S) for thread in threads))
            self.table.close()

    async def _tick(self) -> None:
        while True:
            self.pulse.beat("loop")
            self.table.tick()
            self._lamps.put(self.table.strip())
            waits = self._waiting_since
            stalled = waits is not None and self._clock() - waits > STALL_S
            if stalled and self.table.health.camera.what == "fine":
                self.table.ail("camera", "lost", fact("camera.silent", n=f"{STALL_S:.1f}"))
            await asyncio.sleep(markers.REDRAW_S)

    def _share_seen(self) -> float | None:
        camera = self._camera
        return camera.share_seen if isinstance(camera, LeavesOut) else None

    def post(self, call: Callable[..., None], *arguments: Any) -> None:
        """From a thread to the loop; a loop that has ended needs no news."""
        assert self._loop is not None
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(call, *arguments)

    # --- the camera thread ---------------------------------------------------------------------------

    def _watch_camera(self) -> None:
        assert self._open_camera is not None
        opened_before = False
        if self._eye is None:
            self._learn_eye()
        while not self._stopping.is_set():
            if not self._awaited():
                self._stopping.wait(_IDLE_S)
                continue
            try:
                camera = self._open_camera()
            except Exception as wrong:
                self._camera_lost(wrong)
                continue
            # The eye's time runs on while a camera that was unplugged starts again from zero.
            ahead = self._eye_t + self._clock() - self._last_frame if opened_before else 0.0
            opened_before = True
            with contextlib.closing(camera):
                self._camera = camera
                try:
                    ended = self._see(camera, ahead)
                except Exception as wrong:
                    self._camera_lost(wrong)
                    continue
                finally:
                    self._camera = None
            if self._stopping.is_set():
                return
            self.pulse.rest("camera")
            if ended:
                self.post(self.table.ail, "camera", "ended")
                return
            self._picture = None

    def _awaited(self) -> bool:
        """Whether anybody looks through the camera: the eye, or who sets the table up before it has one."""
        if self._anew.is_set():
            self._anew.clear()
            self.pulse.rest("camera")  # learning takes longer than a camera may hang
            self._learn_eye()
        return self._eye is not None or self.table.visitor() is not None

    def _learn_eye(self) -> None:
        """Make the eye; whoever makes it says himself why there is none."""
        if self._learn is None:
            return
        try:
            self._eye = self._learn()
        except Exception as fault:
            log.exception("the eye cannot be made")
            self._eye = None
            self.post(self.table.ail, "camera", "unread", fact("program.fault", why=repr(fault)))

    def _camera_lost(self, why: Exception) -> None:
        if not isinstance(
            why, VisionError
        ):  # drivers throw what they like; the table tries again all the same
            log.error("the camera failed in a way nobody expected", exc_info=why)
        if self._eye is not None:  # else the table says already that it is without an eye, and why
            self.post(self.table.ail, "camera", "lost", told_by(why))
        self._stopping.wait(RETRY_S)

    def _see(self, camera: FrameSource, ahead: float) -> bool:
        """Read and see; True: the film is over, False: the table stops or nobody looks any more."""
        while not self._stopping.is_set() and self._awaited():
            self._waiting_since = self._clock()
            frame = camera.read()
            self._waiting_since = None
            if frame is None:
                return True
            self.pulse.beat("camera")
            self._picture, t = frame
            self._eye_t, self._last_frame = t + ahead, self._clock()
            try:
                visitor = self.table.visitor()
                if visitor is not None and visitor.see(as_picture(self._picture), self._eye_t):
                    continue
                if self._eye is None:
                    continue
                sightings = self._eye.see(self._picture, self._eye_t)
            except SourceError:
                raise
            except VisionError as wrong:
                self.post(self.table.ail, "camera", "blind", told_by(wrong))
                continue
            except Exception:
                log.exception("the eye stumbled over a frame at %.3f s and goes on", self._eye_t)
                self.post(self.table.ail, "camera", "blind", fact("camera.stumbled"))
                continue
            self.post(self.table.ail, "camera", "fine")
            if sightings:
                self.post(self.table.hear_all, sightings)
        return False

    # --- the board thread ----------------------------------------------------------------------------

    def _light_board(self) -> None:
        assert self._open_board is not None
        while not self._stopping.is_set():
            try:
                with contextlib.closing(self._open_board()) as board:
                    self._light(board)
            except Exception as wrong:
                if not isinstance(wrong, BridgeError):
                    log.error("the lamp board failed in a way nobody expected", exc_info=wrong)
                self.post(self.table.ail, "board", "lost", board_told(wrong))
                self._stopping.wait(BOARD_RETRY_S)

    def _light(self, board: Board) -> None:
        """Show the newest picture again and again; leave the lamps dark at closing time."""
        shown: tuple[RGB, ...] | None = None
        while not self._stopping.is_set():
            colours = self._lamps.take(KEEP_ALIVE_S, unlike=shown)
            if colours is None:
                continue
            board.show(colours)
            self.pulse.beat("board")
            self._link = board.status
            shown = colours
            self.post(self.table.ail, "board", "fine")
            if pressed := board.take_presses():
                self.post(self.table.press, pressed)
        if shown is not None:
            board.show((markers.OFF,) * len(shown))
