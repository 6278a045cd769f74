"""Shows pictures on the table's lamps, whatever happens to the cable: the house's interface to the board.

with Link.open("auto") as link:
    link.show([(255, 0, 0), (0, 255, 0)])
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Sequence
from typing import Self

from firmware_bridge import lamps
from firmware_bridge.answers import BoardEvent, Pong, Welcome
from firmware_bridge.closing import Closing
from firmware_bridge.contact import Contact, ForgottenError
from firmware_bridge.errors import (
    BoardLostError,
    BridgeError,
    CapacityError,
    NoAnswerError,
    ProtocolError,
)
from firmware_bridge.known import KnownBoard
from firmware_bridge.lamps import LampColours
from firmware_bridge.messages import (
    LAMPS_MAX,
    PROTOCOL_VERSION,
    RGB,
    EventKind,
    Hello,
    Message,
    Ping,
    Serial,
)
from firmware_bridge.session import WireSession
from firmware_bridge.status import LinkStatus
from firmware_bridge.transport import Transport
from firmware_bridge.transports import dialler

BUDGET_MA = 2000.0
"""Current that the lamps may draw unless the table says otherwise: that of a common 5 V 2 A supply."""

ATTEMPTS = 3
"""Attempts before giving up: a board that resets again and again has a power problem."""


class Link(Closing):
    """A thread-safe, blocking link to the lamp board.

    It recovers from what it can: it repeats lost and damaged frames, greets a board that was reset or fell
    asleep, and reopens a port that is gone. After a greeting it sends the whole picture, otherwise only the
    changes. The board's answer to a ping says which picture it has; a wrong one is replaced. Anything else
    raises `BridgeError`; the picture is kept, and the next `show` or `tend` tries again.
    """

    def __init__(
        self,
        dial: Callable[[], Transport],
        *,
        budget_ma: float = BUDGET_MA,
        session: Callable[[KnownBoard], WireSession] | None = None,
        known: KnownBoard | None = None,
        reset: Callable[[], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`dial` opens the port, and again after each loss; nothing is opened yet.

        `known` outlives this link: with the same one in the next link no event is reported twice. `reset`
        pulls the board's reset line, if there is one, as the last resort with a silent board.
        """
        self._budget_ma = budget_ma
        self._reset = reset
        new_session = session or (lambda known: WireSession(random.randrange(256), known=known))
        self._contact = Contact(dial, new_session, known or KnownBoard(), clock)
        self._lock = threading.RLock()
        self._welcome: Welcome | None = None
        self._wanted: LampColours = ()
        self._sent: LampColours | None = None
        """The picture that the board has, or will have once it has done what is in flight; None: unknown."""
        self._lamps = 0
        self._pong: Pong | None = None
        self._shown = self._greetings = self._repaints = 0
        self._trouble: str | None = None

    @classmethod
    def open(
        cls,
        port: str | Callable[[], Transport] = "auto",
        *,
        budget_ma: float = BUDGET_MA,
        known: KnownBoard | None = None,
        reset: Callable[[], None] | None = None,
    ) -> Self:
        """Open `port` (see `transports.dial`) and greet the board; raises `BridgeError` if there is none."""
        link = cls(
            dialler(port) if isinstance(port, str) else port, budget_ma=budget_ma, known=known, reset=reset
        )
        try:
            link.tend()
        except BridgeError:
            link.close()
            raise
        return link

    @property
    def status(self) -> LinkStatus:
        """The state of the wire. Does not wait for a `show` in progress."""
        contact = self._contact
        return LinkStatus(
            connected=contact.port is not None and contact.greeted,
            port=contact.port,
            welcome=self._welcome,
            shown=self._shown,
            repeated=contact.repeated,
            broken=contact.broken,
            greetings=self._greetings,
            repaints=self._repaints,
            pong=self._pong,
            trouble=self._trouble,
        )

    @property
    def buttons_down(self) -> int:
        """Bit mask of the buttons held down, as far as the board has reported."""
        return self._contact.down

    def take_events(self) -> list[BoardEvent]:
        """The events that the board has reported since the last call, each once, in order."""
        with self._lock:
            return self._contact.take_events()

    def take_presses(self) -> int:
        """Bit mask of the buttons pressed since the last call, for callers that need only that."""
        pressed = 0
        for event in self.take_events():
            if event.kind is EventKind.PRESSED:
                pressed |= 1 << event.value
        return pressed

    def as_sent(self, colours: Sequence[RGB]) -> LampColours:
        """What the strip will show for `colours`: the same, or dimmed to the power budget."""
        return lamps.limit(lamps.check(colours, len(colours)), self._budget_ma)

    def show(self, colours: Sequence[RGB]) -> None:
        """Light the whole strip, lamp 0 first; return when the board has written it.

        Raises:
            PictureError: there are more lamps than the board drives, or a colour is outside 0..255.
            BridgeError: the board cannot be reached now; the picture is sent when it is back.
        """
        picture = self.as_sent(colours)
        with self._lock:
            self._wanted = picture
            self._heal(paint=True)
            self._shown += 1

    def stream(self, colours: Sequence[RGB]) -> None:
        """As `show`, but return as soon as the picture is sent, so that the next one can follow at once.

        One of the next calls raises, and recovers from, errors; `show` and `tend` wait for everything.
        """
        picture = self.as_sent(colours)
        with self._lock:
            self._wanted = picture
            self._heal(paint=True, wait=False)
            self._shown += 1

    def tend(self) -> None:
        """Keep the board awake, read its buttons, restore what was lost; call at least every 0.3 s.

        Raises:
            BridgeError: the board cannot be reached now.
        """
        with self._lock:
            self._heal(paint=False)

    def give_serial(self, serial: int) -> None:
        """Write the board's serial number (1..0xFFFFFFFE) into its EEPROM; raises `BridgeError`."""
        with self._lock:
            self._heal(paint=False)
            self._do([Serial(serial)])
            self._greet()
            self._paint()
            self._contact.finish()

    def close(self) -> None:
        """Release the port. Lamps stay as they are until the board misses us (after 1 s) and falls asleep."""
        with self._lock:
            self._hang_up()

    def _heal(self, paint: bool, wait: bool = True) -> None:
        """Paint or ping, recovering first from whatever is wrong."""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                self._work(paint, wait)
                self._trouble = None
                return
            except (BoardLostError, NoAnswerError) as wrong:
                self._hang_up()
                self._trouble = str(wrong)
                silent = isinstance(wrong, NoAnswerError)
                if silent and self._reset is not None and attempt == 1:
                    self._reset()
                elif silent or attempt == ATTEMPTS:
                    raise
            except ForgottenError:
                self._forget()
                self._trouble = "the board was reset or fell asleep"
            except BridgeError as wrong:
                self._forget()
                self._trouble = str(wrong)
                raise
        self._hang_up()
        self._trouble = f"the lamp board keeps resetting ({self._causes()}): check its 5 V supply"
        raise NoAnswerError(self._trouble, "resets")

    def _work(self, paint: bool, wait: bool) -> None:
        self._contact.open()
        strange = not self._contact.greeted or self._sent is None
        if strange:
            self._greet()
        if strange or (paint and self._wanted != self._sent):
            self._paint()
        elif paint:
            self._ping(latch=True)  # nothing has changed, but the strip is written again all the same
        if not paint:
            self._ping(latch=False)
        if wait:
            self._contact.finish()

    def _greet(self) -> None:
        self._contact.finish()
        hello = Hello(min(LAMPS_MAX, len(self._wanted)), min(0xFFFF, int(self._budget_ma)))
        (asked,) = self._contact.begin([hello])
        self._contact.finish()
        welcome = asked.outcome
        assert isinstance(welcome, Welcome)
        if welcome.protocol != PROTOCOL_VERSION:
            self._hang_up()
            raise ProtocolError(welcome.protocol, PROTOCOL_VERSION)
        self._welcome = welcome
        self._contact.down = welcome.buttons
        self._lamps = len(self._wanted)
        self._sent = None
        self._greetings += 1

    def _paint(self) -> None:
        assert self._welcome is not None
        if len(self._wanted) > self._welcome.capacity:
            raise CapacityError(len(self._wanted), self._welcome.capacity)
        if len(self._wanted) != self._lamps:
            self._greet()
        self._contact.begin(list(lamps.sets(self._wanted, self._welcome.frame_max, self._sent)))
        self._sent = self._wanted

    def _ping(self, latch: bool) -> None:
        (asked,) = self._contact.begin([Ping(latch)])
        self._contact.finish()
        if not isinstance(asked.outcome, Pong):
            return  # a later answer acknowledged it, without a PONG's contents
        self._pong = asked.outcome
        if self._sent is not None and asked.outcome.picture_crc != lamps.checksum(self._sent):
            self._repaints += 1
            self._sent = None
            self._greet()
            self._paint()

    def _do(self, messages: Sequence[Message]) -> None:
        self._contact.begin(messages)
        self._contact.finish()

    def _causes(self) -> str:
        return "unknown cause" if self._welcome is None else self._welcome.reset_cause.words

    def _forget(self) -> None:
        """Forget what picture the board has."""
        self._sent = None
        self._contact.forget()

    def _hang_up(self) -> None:
        self._contact.hang_up()
        self._sent = None
