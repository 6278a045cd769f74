"""Successive conversations with a board, each over a newly opened port, and their counters.

`link` decides what is said, and what to do when it goes wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from firmware_bridge.answers import BoardEvent, Refused
from firmware_bridge.errors import RefusedError
from firmware_bridge.known import KnownBoard
from firmware_bridge.messages import EventKind, Message, RefusalReason
from firmware_bridge.session import Asked, WireSession
from firmware_bridge.talk import answer, await_all, begin, pump
from firmware_bridge.transport import Transport


class ForgottenError(Exception):
    """The board no longer knows us: it was reset or fell asleep."""


class Contact:
    """`open` dials when something is to be said; `hang_up` closes the port and drops what was in flight."""

    def __init__(
        self,
        dial: Callable[[], Transport],
        session: Callable[[KnownBoard], WireSession],
        known: KnownBoard,
        clock: Callable[[], float],
    ) -> None:
        self._dial, self._new_session, self._known, self._clock = dial, session, known, clock
        self._transport: Transport | None = None
        self._session = session(known)
        self._asked: list[Asked] = []
        self._events: list[BoardEvent] = []
        self._repeated = self._broken = 0
        self.down = 0
        """Bit mask of the buttons held down, as far as the board has reported."""

    @property
    def port(self) -> str | None:
        """The open port's name; None if none is open."""
        return self._transport.name if self._transport else None

    @property
    def greeted(self) -> bool:
        """Whether the board knows us."""
        return self._session.greeted

    @property
    def repeated(self) -> int:
        """Number of requests that had to be sent again, over all conversations."""
        return self._repeated + self._session.repeated

    @property
    def broken(self) -> int:
        """Number of answers that arrived damaged, over all conversations."""
        return self._broken + self._session.broken_frames

    def open(self) -> None:
        """Open the port unless it is open; raises `BridgeError`."""
        if self._transport is None:
            self._transport = self._dial()

    def begin(self, messages: Sequence[Message]) -> list[Asked]:
        """Put requests on the wire; wait only while there is no room for them.

        Raises:
            ForgottenError, RefusedError: the board's answer to these requests or to earlier ones.
            BoardLostError, NoAnswerError: the port is gone, the board is silent.
        """
        assert self._transport is not None, "open it before sending anything"
        asked = begin(self._transport, self._session, messages, self._clock)
        self._asked += asked
        while self._session.backlog:
            pump(self._transport, self._session, self._clock)
        if len(self._asked) > len(asked):  # a stream reads what has arrived, without waiting for more
            pump(self._transport, self._session, self._clock, patience_s=0.0)
        self._settle()
        return asked

    def finish(self) -> None:
        """Wait until all requests in flight have been answered; raises as `begin`."""
        if self._transport is not None:
            await_all(self._transport, self._session, self._asked, self._clock)
            self._settle()

    def forget(self) -> None:
        """Stop waiting for the requests in flight."""
        self._asked = []

    def hang_up(self) -> None:
        """Close the port; the next conversation starts afresh."""
        if self._transport is not None:
            self._transport.close()
            self._transport = None
        self._repeated += self._session.repeated
        self._broken += self._session.broken_frames
        self._session = self._new_session(self._known)
        self.forget()

    def take_events(self) -> list[BoardEvent]:
        """The events that the board has reported since the last call, each once, in order."""
        self._hear_events()
        events, self._events = self._events, []
        return events

    def _settle(self) -> None:
        """Drop requests that have an outcome; raise an error if one went wrong."""
        assert self._transport is not None
        self._hear_events()
        settled = [one for one in self._asked if one.outcome is not None]
        self._asked = [one for one in self._asked if one.outcome is None]
        for one in settled:
            outcome = answer(self._transport, one, self._session.heard_nonsense)
            if isinstance(outcome, Refused):
                self._asked = []
                if outcome.why in (RefusalReason.NOT_GREETED, RefusalReason.OUT_OF_ORDER):
                    raise ForgottenError
                why = outcome.why.name
                raise RefusedError(why, f"the board refused {one.message.type.name}: {why.lower()}")

    def _hear_events(self) -> None:
        for event in self._session.take_events():
            self._events.append(event)
            bit = 1 << event.value
            if event.kind is EventKind.PRESSED:
                self.down |= bit
            elif event.kind is EventKind.RELEASED:
                self.down &= ~bit
