"""Wishes: what a guest may ask of the table, and what he must have seen for it; bodies of POST requests.

Every wish may name the newest line that the page had seen (`seen`). If something that concerns the wish has
happened since, the answer is 409 and the page redraws. A wish that would newly accuse somebody is not done
at once: the answer (409, `consequences`) says what would follow, and the guest may agree to exactly that by
sending its `state` back as `agreed`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from table.catalogue import fact
from table.errors import StammtischError
from table.foresight import Consequences
from table.public import PUBLIC
from table.rules.events import Event, EventError, PlainEvent
from table.rules.tonight import Agreement, first_lines, house_way
from table.rules.undisputed import Accusation
from table.seen_by_page import Seen, stands_as_seen, told_since
from table.session import Session, SessionError
from table.standing import begun_by_hand, running
from table.undoing import redoable, redone, undoable
from table.web.state import proof_of

Accusations = Sequence[Accusation]


class OutdatedError(SessionError):
    """The page had not yet seen the current state of the game."""


class AccusingError(SessionError):
    """The wish would accuse somebody; `consequences` says whom of what."""

    def __init__(self, consequences: Consequences) -> None:
        super().__init__(fact("wish.accusing"))
        self.consequences = consequences


class Wish(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A request of a guest: `seen` = what the page had seen; `agreed` = the consequences agreed to."""

    seen: Seen | None = None
    agreed: str | None = None

    def lines(self, session: Session) -> list[Event]:
        """The lines that would be written first.

        Raises:
            SessionError: the wish cannot be met in the current state of the game.
        """
        raise NotImplementedError

    def do(self, session: Session, agreed: Accusations = ()) -> int:
        """Meet the wish; return the id that the answer names. `agreed`: the accusations agreed to.

        Raises:
            SessionError: the wish cannot be met in the current state of the game.
            JournalError: the wish could not be written.
        """
        raise NotImplementedError


class Correction(Wish):
    """Event `of` was really `event`; null = it never happened."""

    of: int
    event: PlainEvent | None

    def lines(self, session: Session) -> list[Event]:
        """Return the correction."""
        if not stands_as_seen(session.entries, self.of, self.seen):
            raise OutdatedError(fact("wish.corrected"))
        if self.of == 1 and self.event is None and begun_by_hand(session.entries):
            return []  # the last game continues: that accuses nobody newly
        return [session.correction(self.of, self._whole(session))]

    def do(self, session: Session, agreed: Accusations = ()) -> int:
        """Write the correction."""
        return session.correct(self.of, self._whole(session), agreed)

    def _whole(self, session: Session) -> Event | None:
        """The new event; a corrected `round` keeps the fields that pages do not get."""
        if self.event is None:
            return None
        right = _parsed(self.event)
        first = session.entries[self.of - 1].event if 1 <= self.of <= len(session.entries) else None
        if first is None or not right.kind == first.kind == "round":
            return right
        kept = {name: value for name, value in first.fields.items() if name not in PUBLIC}
        return Event("round", {**kept, **right.fields}, right.id)


class Undo(Wish):
    """Take back event `id`, which must be the last that holds."""

    id: int

    def lines(self, session: Session) -> list[Event]:
        """Return the correction that takes it back."""
        last = undoable(session.entries)
        if last is None:
            raise SessionError(fact("session.undo"))
        if last.id != self.id:
            raise OutdatedError(fact("wish.last"))
        return [session.correction(last.id, None)]

    def do(self, session: Session, agreed: Accusations = ()) -> int:
        """Take the event back."""
        return session.undo(agreed).id


class Redo(Wish):
    """Bring back what the correction `id` took back, which must be the last undo."""

    id: int

    def lines(self, session: Session) -> list[Event]:
        """Return the corrections that bring it back."""
        last = redoable(session.entries)
        if last is None:
            raise SessionError(fact("session.redo"))
        if last.id != self.id:
            raise OutdatedError(fact("wish.last"))
        return [session.correction(of, None) for of in redone(session.entries, last)]

    def do(self, session: Session, agreed: Accusations = ()) -> int:
        """Bring the event back."""
        return session.redo(agreed).id


class Again(Wish):
    """The same people play another game."""

    def lines(self, session: Session) -> list[Event]:
        """Return no line: a new game accuses nobody."""
        if self.seen is not None and self.seen.id < len(session.entries):
            raise OutdatedError(fact("wish.on"))
        if running(session.view):
            raise SessionError(fact("opening.running"))
        return []

    def do(self, session: Session, agreed: Accusations = ()) -> int:
        """Begin the game."""
        return session.again()


class Begin(Wish):
    """Another game, chosen by touch: which, by which rules, who plays where, who deals first."""

    game: str
    preset: str | None = None
    options: dict[str, Any] = {}
    players: list[str] = []
    seats: list[str] | None = None
    """Seats of the players, one each; if omitted, all seats of the table; an empty name leaves one free."""
    dealer: str | None = None
    rounds: int | None = None
    break_off: bool = False
    """Whether the players of the running round agree that it does not count."""

    def lines(self, session: Session) -> list[Event]:
        """Return no line: a new game accuses nobody."""
        self._opening(session)
        if running(session.view) and not self.break_off:
            raise SessionError(fact("opening.running"))
        return []

    def do(self, session: Session, agreed: Accusations = ()) -> int:
        """Begin the game."""
        return session.start(self._opening(session))

    def _opening(self, session: Session) -> list[Event]:
        at, here = session.equipment, self.seats
        strange = [seat for seat in here or () if at.seats and seat not in at.seats]
        if strange:
            raise SessionError(fact("opening.seat", seat=strange[0], seats=at.seats))
        try:
            rules = house_way(self.game, self.preset, self.options)
            taken = at.seats if here is None else here
            return first_lines(rules, taken, Agreement(self.players, self.rounds, self.dealer), at.bets)
        except EventError as wrong:
            raise SessionError(wrong.fact) from None


class Telling(Wish):
    """Something that the table did not see or hear."""

    event: PlainEvent

    def lines(self, session: Session) -> list[Event]:
        """Return the event."""
        line = session.line_for(_parsed(self.event), self._saw())
        if self.seen is not None and told_since(session.entries, line, self.seen, running(session.view)):
            raise OutdatedError(fact("wish.known"))
        return [line]

    def do(self, session: Session, agreed: Accusations = ()) -> int:
        """Write the event."""
        return session.tell(_parsed(self.event), agreed, self._saw())

    def _saw(self) -> int:
        return 0 if self.seen is None else self.seen.id


def _parsed(plain: PlainEvent) -> Event:
    """Parse the event that a page sent, ignoring its number: the journal assigns one. Raises SessionError."""
    try:
        return Event.from_dict({name: value for name, value in plain.items() if name != "id"})
    except EventError as wrong:
        raise SessionError(wrong.fact) from None


def meet(session: Session, wish: Wish) -> int:
    """Do a wish if its page had seen the current state and it accuses nobody, or only as agreed.

    Raises:
        SessionError: the wish is refused; the text says why.
        JournalError: the wish could not be written.
    """
    foreseen = weigh(session, wish)
    if foreseen is not None and foreseen.findings and foreseen.state != wish.agreed:
        raise AccusingError(foreseen)
    return wish.do(session, () if foreseen is None else foreseen.accusations)


def weigh(session: Session, wish: Wish) -> Consequences | None:
    """What would follow from a wish; None if it would write nothing in this game.

    Raises:
        SessionError: the wish cannot be met in the current state of the game.
    """
    if wish.seen is not None and wish.seen.game != (session.game or 0):
        raise OutdatedError(fact("wish.game"))
    lines = wish.lines(session)
    return session.foresee(*lines) if lines else None


def plain_consequences(foreseen: Consequences) -> dict[str, Any]:
    """The consequences as the page reads them."""
    return {
        "state": foreseen.state,
        "before": foreseen.before,
        "after": foreseen.after,
        "findings": msgspec.to_builtins(foreseen.findings),
        "proof": {str(n): event for n, event in proof_of(foreseen.entries, foreseen.findings).items()},
    }


WishForm = TypeVar("WishForm", bound=msgspec.Struct)


class UnreadableError(StammtischError):
    """A request's body does not have the expected form, or is not text at all."""


def read(body: bytes, form: type[WishForm]) -> WishForm:
    """Read the wish in a request's body. A `Telling` has its event's fields beside `seen` and `agreed`.

    Raises:
        UnreadableError: the body is not such a wish.
    """
    try:
        return _decode(body, form)
    except (msgspec.MsgspecError, RecursionError, ValueError) as wrong:  # ValueError: bytes that are no UTF-8
        raise UnreadableError(fact("request.unreadable", why=str(wrong))) from wrong


def _decode(body: bytes, form: type[WishForm]) -> WishForm:
    if not issubclass(form, Telling):
        return msgspec.json.decode(body, type=form)
    event = msgspec.json.decode(body, type=dict[str, Any])
    wish: dict[str, Any] = {key: event.pop(key) for key in ("seen", "agreed") if key in event}
    return msgspec.convert({**wish, "event": event}, type=form)
