"""A round of Dubbe for three, ready for the first card: shared by tests of a sitting."""

from __future__ import annotations

from table.journal import Journal
from table.rules.events import Event
from table.session import Session

GAME = Event(
    "game",
    {
        "game": "dubbe",
        "preset": "dubbe",
        "options": {},
        "seats": ["S1", "S2", "S3"],
        "players": ["Anna", "Bernd", "Carla"],
    },
)
ROUND = Event("round", {"dealer": "S3"})
TRUMP = Event("die", {"colour": "red", "value": 1, "spot": "aagewwer"})


def card(seat: str, name: str) -> Event:
    return Event("card", {"seat": seat, "card": name})


def played(session: Session) -> list[tuple[str, str | None]]:
    return [(p.seat, p.card) for p in session.view.trick]


def begun(journal: Journal) -> Session:
    """A sitting in which the first card may be played."""
    session = Session(journal, clock=lambda: 1000.0)
    session.begin([GAME, ROUND, TRUMP])
    return session
