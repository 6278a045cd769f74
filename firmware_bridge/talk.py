"""Connects the pure `WireSession` with a port and the clock."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from firmware_bridge.answers import Answer
from firmware_bridge.errors import NoAnswerError
from firmware_bridge.messages import Message
from firmware_bridge.session import Asked, Silence, WireSession
from firmware_bridge.transport import Transport


def ask(
    transport: Transport, session: WireSession, message: Message, clock: Callable[[], float] = time.monotonic
) -> Answer:
    """Send one request to the board and wait for its answer, repeating it as `session` requires.

    Raises:
        NoAnswerError: the board stayed silent.
        BoardLostError: the port is gone.
    """
    asked = begin(transport, session, [message], clock)
    await_all(transport, session, asked, clock)
    return answer(transport, asked[0], session.heard_nonsense)


def begin(
    transport: Transport,
    session: WireSession,
    messages: Sequence[Message],
    clock: Callable[[], float] = time.monotonic,
) -> list[Asked]:
    """Send as many requests as may be in flight; the rest goes out as the board answers."""
    asked, out = session.ask(messages, clock())
    if out:
        transport.write(out)
    return asked


def await_all(
    transport: Transport,
    session: WireSession,
    asked: Sequence[Asked],
    clock: Callable[[], float] = time.monotonic,
) -> None:
    """Read and write until each request has an outcome; raises `BoardLostError`."""
    while any(one.outcome is None for one in asked):
        pump(transport, session, clock)


def pump(
    transport: Transport,
    session: WireSession,
    clock: Callable[[], float] = time.monotonic,
    patience_s: float | None = None,
) -> None:
    """Read once, for at most `patience_s` (None: until a repetition is due), and write what is due."""
    wake_s = session.wake_s
    if patience_s is None:
        patience_s = 0.0 if wake_s is None else max(0.0, wake_s - clock())
    heard = transport.read(patience_s)
    out = session.hear(heard, clock()) if heard else b""
    out += session.tick(clock())
    if out:
        transport.write(out)


def answer(transport: Transport, asked: Asked, nonsense: bool = False) -> Answer:
    """The answer to a request; raises `NoAnswerError` if there is none, or only `nonsense`."""
    if isinstance(asked.outcome, Silence):
        flash = f"`stammtisch board flash --port {transport.name}`"
        if nonsense:
            raise NoAnswerError(
                f"{transport.name} answers, but not as a lamp board: another sketch or another speed; "
                f"if it is the board, {flash} repairs it",
                "nonsense",
                port=transport.name,
            )
        raise NoAnswerError(
            f"{transport.name} does not answer: is the board powered and flashed? If not, {flash}",
            "silent",
            port=transport.name,
        )
    assert asked.outcome is not None
    return asked.outcome
