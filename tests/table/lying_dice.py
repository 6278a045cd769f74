"""A game of DoppelX in which made-up dice come to rest, and the events that follow."""

from __future__ import annotations

from table.interpret import Interpreter
from table.rules import Referee
from table.rules.events import Event
from vision.layout import Layout
from vision.sightings import DieSeen, ThrowSeen

BOX = Layout(kind="field", size_mm=(280.0, 280.0), tags=())
PLAYERS = ["blue", "green", "yellow"]
EARLY_S, LATE_S = 0.12, 0.8
Hiding = tuple[tuple[float, float, float, float], ...]


def die(
    colour: str | None, face: str | None, x: float = 0.0, zone: str = "1x", where: str = "field"
) -> DieSeen:
    on = where == "field"
    return DieSeen(
        colour, face, (x, 40.0), 20.0, where, (zone,) if on else (), zone if on else None, 8.0 if on else None
    )


class Table:
    """A game of three in which dice come to rest; the eye reports each rest early and late."""

    def __init__(self) -> None:
        self.referee, self.interpreter, self.t = Referee(), Interpreter(BOX), 0.0
        self.referee.add({"kind": "game", "game": "doppelx", "preset": "doppelx", "players": PLAYERS})
        self.referee.add({"kind": "round", "first": "blue"})

    def rest(
        self,
        *dice: DieSeen,
        rolled: bool = True,
        hiding: Hiding = (),
        gap_s: float = 0.0,
        bets: tuple[str, ...] = (),
        reached: tuple[str, ...] = (),
        short: bool = False,
    ) -> list[Event]:
        """Let everything come to rest and return the events.

        `hiding`: where a die may lie unseen (mm); `bets`: the tiles with one on them; `reached`: the tiles
        over which a hand was seen.

        `short`: a hand comes before the eye has looked a second time.
        """
        events: list[Event] = []
        self.t += 2.0
        for wait in (EARLY_S,) if short else (EARLY_S, LATE_S):
            seen = ThrowSeen(self.t + wait, dice, None, rolled, wait, hiding, gap_s, bets, reached)
            for event in self.interpreter.hear(seen, self.referee.view()):
                self.referee.add(event)
                events.append(event)
        return events

    def blind(self) -> None:
        """The camera is covered for a while."""
        self.referee.add({"kind": "blind", "t": self.t, "until": self.t + 5.0, "why": "covered"})

    def opened(self) -> Table:
        """After the opening throw: blue 2, green 1, yellow 3."""
        self.rest(die("blue", "2", -80.0), die("green", "1", 0.0), die("yellow", "3", 80.0))
        return self

    @property
    def points(self) -> dict[str, int]:
        return dict(self.referee.view().points)

    @property
    def findings(self) -> list[tuple[str, str | None]]:
        return [(found.rule, found.seat) for found in self.referee.view().findings]


REST_OF_OPENING = (die("green", "1", 0.0), die("yellow", "3", 80.0))
