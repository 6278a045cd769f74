"""Where the pure `Session` meets a port and the clock: one question, one answer."""

from __future__ import annotations

import time
from collections.abc import Callable

from firmware_bridge.errors import NoAnswerError
from firmware_bridge.messages import Answer, Message
from firmware_bridge.session import Session, Silence
from firmware_bridge.transport import Transport


def ask(
    transport: Transport, session: Session, message: Message, clock: Callable[[], float] = time.monotonic
) -> Answer:
    """Put one question to the board and wait for its answer, repeating it as `session` demands.

    Raises:
        NoAnswerError: the board stayed silent.
        BoardLostError: the port is gone.
    """
    transport.write(session.ask(message, clock()))
    while session.outcome is None:
        wake_s = session.wake_s
        assert wake_s is not None
        heard = transport.read(max(0.0, wake_s - clock()))
        again = session.hear(heard, clock()) if heard else b""
        again = again or session.tick(clock())
        if again:
            transport.write(again)
    if isinstance(session.outcome, Silence):
        raise NoAnswerError(
            f"the board on {transport.name} does not answer: is it flashed (`stammtisch board flash`), "
            "has it power, is no other program using the port?"
        )
    return session.outcome
