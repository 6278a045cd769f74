"""The running table: the only place where the eye, the rules, the lamps and the page meet.

One camera thread (reads and sees, newest frame wins), one board thread (newest picture wins) and one
asyncio loop, which owns the sitting. The threads post their findings to the loop. They also share

* the lamps' picture, left by the loop for the board thread in a `Newest`;
* the wire's counters (`_link`), written by the board thread, read by the loop (`Table.link`);
* the newest frame, the open camera and since when it owes a frame (`CameraWatch`), written by the camera
  thread, read by the loop (`Table.frame`, `frames_seen`, `silent_s`);
* the `Pulse`, in which each thread writes its own part and the loop reads all;
* the camera's visitor (`Watching.visitor`), set by the loop; the camera thread shows it its frames.

Each of these has one writer, which publishes a whole value by one store or one append: a reader gets that
value or the one before, and needs no lock. A visitor locks what it learns from frames (`setup/enrolment`,
`lens`).

    session = Session(journal, Referee)
    session.resume() or session.begin([Event("game", {…})])
    table = Table(session, Interpreter(layout), plan=table_file.lamps)
    watching = Watching(camera=lambda: open_camera("usb:0"), eye=Eye(layout, deck))
    runtime = Runtime(table, watching, board=lambda: Link.open("auto"))
    runtime.run(Page(table).serve)                  # until Ctrl-C, SIGTERM, SIGHUP or `runtime.stop()`

`camera` and `board` are functions that open the devices, because a device is opened again after its cable
was pulled and plugged in. `stammtisch demo` passes a virtual camera and an emulated board to the same call,
and the tests pass stand-ins.
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
from table.camera_watch import CameraWatch, Watching
from table.catalogue import fact
from table.devices import Board
from table.live import Table
from table.newest import Newest
from table.pulse import Pulse

log = logging.getLogger(__name__)

BOARD_RETRY_S = 0.25
"""Time between two searches for a lamp board: lamps are back within a second of plugging in its cable."""

STALL_S = 1.5
"""How long a camera may deliver no frame, without an error of its own, before it counts as lost: people hear
of it within two seconds."""

KEEP_ALIVE_S = 0.25
"""Time after which an unchanged picture is sent again: the board goes dark when its host is silent, and
its answer reports the pressed buttons."""

END_S = 1.0
"""How long answering the last requests may take; a thread may take twice as long to end."""

Service = Callable[[], Awaitable[None]]
"""Something that runs beside the table on the same loop until it is cancelled: the page, MQTT, systemd."""


class Runtime:
    """A `Table` with its threads. `run` blocks until Ctrl-C, SIGTERM, SIGHUP or `stop`."""

    def __init__(
        self,
        table: Table,
        watching: Watching | None,
        board: Callable[[], Board] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Without `watching` people enter what happens by touch."""
        self.table = table
        self._open_board = board
        self._clock = clock
        self.pulse = Pulse(clock)
        """Which threads make progress, for the watchdog (`integrations/systemd`)."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping = threading.Event()
        self._done: asyncio.Event | None = None
        self._lamps = Newest[tuple[RGB, ...]]()
        self._link: LinkStatus | None = None
        self._watch = None if watching is None else CameraWatch(table, watching, self.pulse, self.post, clock)
        table.frames_hz = lambda: self.pulse.rate_hz("camera")
        table.link = lambda: self._link
        if (watch := self._watch) is not None:
            table.frames_seen = lambda: watch.share_seen
            table.frame = watch.frame

    def run(self, *services: Service) -> None:
        """Run table and services on a loop of their own; Ctrl-C, SIGTERM and SIGHUP end it cleanly."""
        asyncio.run(self.serve(*services))

    def stop(self) -> None:
        """End `run`; may be called from any thread, even after `run` has ended."""
        self._end_threads()
        if self._done is not None:
            self.post(self._done.set)

    def relearn(self) -> None:
        """Have `learn` make a new eye between two frames; may be called from any thread."""
        if self._watch is not None:
            self._watch.relearn()

    def end_soon(self) -> bool:
        """End `run` once pending requests are answered; call on the loop. Always returns True."""
        assert self._loop is not None
        self._loop.call_later(END_S, self.stop)
        return True

    async def serve(self, *services: Service) -> None:
        """As `run`, on the running loop. A service that fails ends the table with its error."""
        self._loop, self._done = asyncio.get_running_loop(), asyncio.Event()
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                if signal.getsignal(number) is not signal.SIG_IGN:  # a user who says `nohup` means it
                    self._loop.add_signal_handler(number, self.stop)
        if self._stopping.is_set():  # `stop` was called before there was a loop to post to
            self._done.set()
        threads = []
        if self._watch is not None:
            threads.append(threading.Thread(target=self._watch.run, name="camera", daemon=True))
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
            self._end_threads()
            for task in (done, *tasks):
                task.cancel()
            await asyncio.gather(done, *tasks, return_exceptions=True)
            # A camera that hangs in its driver must not keep the table from ending: its thread is a daemon.
            await asyncio.gather(*(asyncio.to_thread(thread.join, 2 * END_S) for thread in threads))
            self.table.close()

    async def _tick(self) -> None:
        while True:
            self.pulse.beat("loop")
            self.table.tick()
            self._lamps.put(self.table.strip())
            stalled = self._watch is not None and self._watch.silent_s > STALL_S
            if stalled and self.table.health.camera.what == "fine":
                self.table.ail("camera", "lost", fact("camera.silent", n=f"{STALL_S:.1f}"))
            await asyncio.sleep(markers.REDRAW_S)

    def _end_threads(self) -> None:
        self._stopping.set()
        if self._watch is not None:
            self._watch.stop()

    def post(self, call: Callable[..., None], *arguments: Any) -> None:
        """Hand a call from a thread to the loop; once the loop has ended, do nothing."""
        assert self._loop is not None
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(call, *arguments)

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
                self.pulse.seek("board")
                self.post(self.table.ail, "board", "lost", board_told(wrong))
                self._stopping.wait(BOARD_RETRY_S)

    def _light(self, board: Board) -> None:
        """Show the newest picture again and again; turn the lamps off at the end."""
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
