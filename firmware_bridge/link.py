"""A picture for the table's lamps, whatever happens to the cable: the one door that the house uses.

with Link.open("auto") as link:
    link.show([(255, 0, 0), (0, 255, 0)])
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from firmware_bridge import lamps
from firmware_bridge.errors import (
    BoardLostError,
    BridgeError,
    NoAnswerError,
    PictureError,
    ProtocolError,
    RefusedError,
)
from firmware_bridge.lamps import Picture
from firmware_bridge.messages import (
    PROTOCOL_VERSION,
    RGB,
    Answer,
    Buttons,
    Done,
    Greeting,
    Hello,
    Message,
    Ping,
    Pong,
    Refused,
)
from firmware_bridge.session import Session
from firmware_bridge.talk import ask
from firmware_bridge.transport import Transport
from firmware_bridge.transports import dial

BUDGET_MA = 2000.0
"""What the lamps may draw unless the table says otherwise: a common 5 V 2 A supply."""

ATTEMPTS = 3
"""A board that is reset again and again while we speak has a power problem that we cannot heal."""


@dataclass(frozen=True, slots=True)
class LinkStatus:
    """How the wire is; counters since the link was made."""

    connected: bool
    port: str | None
    greeting: Greeting | None
    """What the board said of itself at its last HELLO."""
    shown: int
    """Pictures that the board has confirmed."""
    repeated: int
    """Requests that had to be sent again."""
    broken: int
    """Answers that arrived damaged."""
    greetings: int
    """HELLOs answered: the first, and one more for every reset, nap or new cable."""
    pong: Pong | None
    trouble: str | None
    """The last error, None while all is well."""


class Link:
    """A thread-safe, blocking link to the lamp board.

    It heals what can be healed: lost and damaged frames are repeated, a board that was reset or has
    fallen asleep is greeted again, a port that is gone is opened again; each time the whole picture is
    sent. What it cannot heal now is raised as `BridgeError`; the picture is kept, and the next `show`
    or `tend` tries again.
    """

    def __init__(
        self,
        dial: Callable[[], Transport],
        *,
        budget_ma: float = BUDGET_MA,
        session: Callable[[], Session] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`dial` opens the port, again after each loss; nothing is opened yet."""
        self._dial = dial
        self._budget_ma = budget_ma
        self._new_session = session or (lambda: Session(first_seq=random.randrange(256)))
        self._clock = clock
        self._lock = threading.RLock()
        self._transport: Transport | None = None
        self._session = self._new_session()
        self._greeting: Greeting | None = None
        self._wanted: Picture = ()
        self._lamps = 0
        self._pong: Pong | None = None
        self._buttons = Buttons()
        self._pressed = 0
        self._shown = self._repeated = self._broken = self._greetings = 0
        self._trouble: str | None = None

    @classmethod
    def open(cls, port: str = "auto", *, budget_ma: float = BUDGET_MA) -> Self:
        """Open `port` (see `transports.dial`) and greet the board; raises `BridgeError` if there is none."""
        link = cls(lambda: dial(port), budget_ma=budget_ma)
        try:
            link.tend()
        except BridgeError:
            link.close()
            raise
        return link

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def status(self) -> LinkStatus:
        """How the wire is. Does not wait for a `show` that is under way."""
        transport, session = self._transport, self._session
        return LinkStatus(
            connected=transport is not None and session.greeted,
            port=transport.name if transport else None,
            greeting=self._greeting,
            shown=self._shown,
            repeated=self._repeated + session.repeated,
            broken=self._broken + session.broken_frames,
            greetings=self._greetings,
            pong=self._pong,
            trouble=self._trouble,
        )

    @property
    def buttons_down(self) -> int:
        """Bit mask of the buttons held down when the board answered last."""
        return self._buttons.down

    def take_presses(self) -> int:
        """Bit mask of the buttons pressed since the last call; ask the board now and then with `tend`."""
        with self._lock:
            pressed, self._pressed = self._pressed, 0
            return pressed

    def as_sent(self, colours: Sequence[RGB]) -> Picture:
        """What the strip will show for `colours`: the same, or dimmed to the power budget."""
        return lamps.limit(lamps.check(colours, len(colours)), self._budget_ma)

    def show(self, colours: Sequence[RGB]) -> None:
        """Light the whole strip, lamp 0 first; return when the board has written it.

        Raises:
            PictureError: more lamps than the board drives, or a colour outside 0..255.
            BridgeError: the board cannot be reached now; the picture is sent when it is back.
        """
        picture = self.as_sent(colours)
        with self._lock:
            self._wanted = picture
            self._heal(paint=True)
            self._shown += 1

    def tend(self) -> None:
        """Keep the board awake, hear its buttons, bring back what was lost; call it at least every 2 s.

        Raises:
            BridgeError: the board cannot be reached now.
        """
        with self._lock:
            self._heal(paint=False)

    def close(self) -> None:
        """Let go of the port. Lamps stay as they are until the board misses us (5 s) and goes to sleep."""
        with self._lock:
            self._hang_up()

    def _heal(self, paint: bool) -> None:
        """Paint or ping, after whatever must be repaired before."""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                if self._transport is None:
                    self._transport = self._dial()
                strange = not self._session.greeted
                if strange:
                    self._greet()
                if strange or paint:
                    self._paint()
                if not paint:
                    self._ask(Ping())
                self._trouble = None
                return
            except (BoardLostError, NoAnswerError) as wrong:
                self._hang_up()
                self._trouble = str(wrong)
                if attempt == ATTEMPTS or isinstance(wrong, NoAnswerError):
                    raise
            except _ForgottenError:
                self._trouble = "the board was reset or fell asleep"
            except BridgeError as wrong:
                self._trouble = str(wrong)
                raise
        self._hang_up()
        self._trouble = f"the lamp board is reset again and again ({self._causes()}): check its 5 V supply"
        raise NoAnswerError(self._trouble)

    def _greet(self) -> None:
        greeting = self._ask(Hello(min(255, len(self._wanted))))
        assert isinstance(greeting, Greeting)
        if greeting.protocol != PROTOCOL_VERSION:
            self._hang_up()
            raise ProtocolError(
                f"the board speaks protocol {greeting.protocol}, this program {PROTOCOL_VERSION}: "
                "flash the board again with `stammtisch board flash`"
            )
        self._greeting = greeting
        self._lamps = len(self._wanted)
        self._greetings += 1

    def _paint(self) -> None:
        assert self._greeting is not None
        if len(self._wanted) > self._greeting.capacity:
            raise PictureError(
                f"a picture of {len(self._wanted)} lamps, but this board drives {self._greeting.capacity}: "
                "shorten [lamps] or raise LAMPS_MAX in hardware/board/config.h"
            )
        if len(self._wanted) != self._lamps:
            self._greet()
        for message in lamps.sets(self._wanted):
            self._ask(message)

    def _ask(self, message: Message) -> Answer:
        assert self._transport is not None
        answer = ask(self._transport, self._session, message, self._clock)
        match answer:
            case Refused() if not self._session.greeted:
                raise _ForgottenError
            case Refused(why=why):
                raise RefusedError(why.name, f"the board refused {message.type.name}: {why.name.lower()}")
            case Pong():
                self._pong = answer
        if isinstance(answer, (Done, Pong, Greeting)):
            self._buttons = answer.buttons
            self._pressed |= answer.buttons.pressed
        return answer

    def _causes(self) -> str:
        cause = self._greeting.reset_cause if self._greeting else None
        return (
            "unknown cause"
            if not cause
            else cause.name.lower().replace("_", "-")
            if cause.name
            else repr(cause)
        )

    def _hang_up(self) -> None:
        if self._transport is not None:
            self._transport.close()
            self._transport = None
        self._repeated += self._session.repeated
        self._broken += self._session.broken_frames
        self._session = self._new_session()


class _ForgottenError(Exception):
    """The board does not know us any more."""
