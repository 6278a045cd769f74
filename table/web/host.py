"""What only the host may do if the page is open to the network, and how he proves that he is the host.

At the table itself (a request from this machine) nobody is asked. A guest's phone cannot begin a game, break
one off, end an evening, accuse anybody, change anything older than the last trick or see the camera's
pictures, unless its browser has shown the host's PIN this evening.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import math
import secrets
import time
from collections.abc import Callable, Sequence
from ipaddress import ip_address
from pathlib import Path

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from table.catalogue import fact
from table.journal import Entry
from table.rules.events import PlainEvent
from table.session import Session
from table.standing import running, standing
from table.undoing import redoable, undoable
from table.web.answers import refused
from table.web.kept_hosts import KeptHosts, keep_hosts, read_hosts
from table.web.pin import HashedPin, Tries, is_pin
from table.web.wishes import (
    Again,
    Begin,
    Correction,
    Redo,
    Telling,
    Undo,
    UnreadableError,
    Wish,
    read,
)

log = logging.getLogger(__name__)

COOKIE = "stammtisch_host"

EVENING_S = 12 * 3600.0
"""How long a browser stays the host's."""

CLOCK_BEHIND_S = 3600.0
"""How far a computer without a battery-backed clock may be behind after a power cut, until it gets the time
from the network: a stored browser may seem valid for this much longer than an evening."""

WRONG_S = EVENING_S
"""How long wrong tries survive a restart: longer than the hour after which a running table forgets them,
since its clock may be wrong. A table that was off until the next evening has forgotten them."""

MOST_BROWSERS = 32


class PinWish(msgspec.Struct, forbid_unknown_fields=True):
    """The body of `POST /api/pin`."""

    pin: str


class HostDesk:
    """Knows the host's browsers and asks all others for the PIN; if `pin` is None, nobody is asked.

    `file` keeps browsers and wrong tries over a restart of the table (`kept_hosts`); None forgets them.
    """

    def __init__(
        self,
        pin: HashedPin | None,
        clock: Callable[[], float] = time.monotonic,
        file: Path | None = None,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._pin = pin
        self._clock = clock
        self._file = file
        self._wall = wall
        self._writing = asyncio.Lock()
        self._tries = Tries()
        self._browsers: dict[str, float] = {}
        self._mark = (0, 0)
        self._unkept: str | None = None
        if file is not None and pin is not None:
            self._go_on(read_hosts(file), pin)

    def _go_on(self, kept: KeptHosts, pin: HashedPin) -> None:
        now, wall = self._clock(), self._wall()
        if wall - kept.at < WRONG_S:
            self._tries.go_on(kept.wrong, now)
        if kept.pin != pin.salt.hex():
            return
        for browser, until in kept.browsers.items():
            if 0.0 < until - wall <= EVENING_S + CLOCK_BEHIND_S:
                self._browsers[browser] = now + min(until - wall, EVENING_S)

    async def _keep(self) -> None:
        if self._file is None or self._pin is None:
            return
        async with self._writing:  # one write at a time, so that the newest comes last
            now, wall = self._clock(), self._wall()
            browsers = {each: wall + until - now for each, until in self._browsers.items() if until > now}
            kept = KeptHosts(self._pin.salt.hex(), browsers, self._tries.counted(), wall)
            why = await asyncio.to_thread(keep_hosts, self._file, kept)  # off the loop: SD cards can be slow
            if why is not None and why != self._unkept:  # warn once, not at every PIN
                log.warning(
                    "%s: cannot be written (%s); after a start phones show the PIN again", self._file, why
                )
            self._unkept = why

    def follow(self, session: Session) -> None:
        """Note how far the game has come. The mark never moves back, so nobody can undo trick by trick."""
        game, mark = session.game or 0, last_trick_from(session)
        self._mark = (game, max(mark, self._mark[1]) if game == self._mark[0] else mark)

    def refusal(self, request: Request, session: Session, wish: Wish | None = None) -> Response | None:
        """The answer to a guest who must show the PIN first; None if he need not.

        Without a wish, the request is for something that only the host may see: the camera's picture, past
        evenings, the settings.
        """
        if self._pin is None or _is_here(request) or self._is_host(request):
            return None
        self.follow(session)
        if wish is not None and not is_for_host(wish, session, self._mark[1]):
            return None
        return _said(refused(fact("pin.needed")), 403)

    async def show(self, request: Request) -> Response:
        """Answer `POST /api/pin`: a cookie for the right PIN, a wait after too many wrong ones."""
        try:
            pin = read(await request.body(), PinWish).pin
        except UnreadableError as wrong:
            return _said(refused(wrong.fact), 400)
        if self._pin is None:
            return _said(refused(fact("pin.none")), 409)
        if not is_pin(pin):
            return _said(refused(fact("pin.digits")), 400)
        address = request.client.host if request.client else ""
        if wait := math.ceil(self._tries.wait_s(address, self._clock())):
            return _said(refused(fact("pin.wait", n=wait)), 429, {"retry-after": str(wait)})
        self._tries.book(address, self._clock())
        await self._keep()  # before checking: pulling the plug must not win another try
        # Off the loop: it is slow on purpose, and the table comes first.
        if not await asyncio.to_thread(self._pin.matches, pin):
            return _said(refused(fact("pin.wrong")), 403)
        self._tries.right(address)
        answer = _said({"host": True}, 200)
        token = self._admit()
        await self._keep()
        secure = request.url.scheme == "https"
        lasts_s = int(EVENING_S)
        answer.set_cookie(COOKIE, token, lasts_s, secure=secure, httponly=True, samesite="strict")
        return answer

    def _admit(self) -> str:
        token = secrets.token_urlsafe(32)
        while len(self._browsers) >= MOST_BROWSERS:
            del self._browsers[next(iter(self._browsers))]  # the one that was admitted first
        self._browsers[_named(token)] = self._clock() + EVENING_S
        return token

    def _is_host(self, request: Request) -> bool:
        token = request.cookies.get(COOKIE)
        return token is not None and self._browsers.get(_named(token), -math.inf) > self._clock()


def last_trick_from(session: Session) -> int:
    """The id from which on everybody may correct: the last trick's first card.

    If no trick has been taken in this round, the round's beginning; in the dice box the last throw.
    """
    played = [card.event for card in (*session.view.last_trick, *session.view.trick)]
    if session.view.last_trick:
        return min(played)
    kinds = ("round", "throw")
    return next((entry.id for entry in reversed(session.entries) if entry.event.kind in kinds), 0)


def is_for_host(wish: Wish, session: Session, mark: int) -> bool:
    """Whether only the host may request this; events before `mark` are old."""
    entries = session.entries
    if wish.agreed is not None:  # agreeing means accusing somebody
        return True
    match wish:
        case Begin() | Again():
            return True
        case Telling():
            kind = wish.event.get("kind")
            return kind == "end" or (kind == "round" and running(session.view))
        case Correction() if 1 <= wish.of <= len(entries):
            return _puts_right(session, wish.of, wish.event, mark)
        case Undo():
            last = undoable(entries)
            return last is not None and _reaches(entries, last.id, mark, ("game", "end"))
        case Redo():
            last = redoable(entries)
            return last is not None and _reaches(entries, last.id, mark, ("game", "end"))
    return False


def _puts_right(session: Session, of: int, right: PlainEvent | None, mark: int) -> bool:
    kind = None if right is None else right.get("kind")
    ends = ("game", "end") if kind == "round" else ("game", "round", "end")
    if kind in (*ends, "correction"):  # a correction could concern anything
        return True
    # Anybody may answer what the table itself asks about.
    asked = any(doubt.event == _root(session.entries, of) for doubt in session.view.doubts)
    return not asked and _reaches(session.entries, of, mark, ends)


def _reaches(entries: Sequence[Entry], of: int, mark: int, kinds: tuple[str, ...]) -> bool:
    """Whether changing this line concerns an old event, or one of these kinds."""
    root = _root(entries, of)
    stood = standing(entries).get(root)
    now_of_kind = stood is not None and stood.kind in kinds
    return root < mark or entries[root - 1].event.kind in kinds or now_of_kind


def _root(entries: Sequence[Entry], of: int) -> int:
    """The event that a line is about, behind all corrections."""
    while entries[of - 1].event.kind == "correction":
        of = entries[of - 1].event.fields["of"]
    return of


def _is_here(request: Request) -> bool:
    """Whether the request comes from this machine: over loopback, or from the address that it was sent to."""
    server = request.scope.get("server")
    host = request.client.host if request.client else ""
    try:
        address = ip_address(host)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None) or address
    return mapped.is_loopback or bool(server and server[0] == host)


def _named(token: str) -> str:
    """The name under which a browser is stored: comparing these hashes reveals nothing about the tokens."""
    return hashlib.sha256(token.encode()).hexdigest()


def _said(value: dict[str, object], status: int, headers: dict[str, str] | None = None) -> Response:
    return Response(msgspec.json.encode(value), status, headers, media_type="application/json")
