"""What virtual guests play tonight: as given on the command line, or as people at the table chose."""

from __future__ import annotations

from dataclasses import dataclass, replace

from table.rules.events import Event
from table.session import Session

ASKED_S = 20.0
"""Real seconds in which people who break a round off may choose what comes next; then the guests play on."""


@dataclass(frozen=True, slots=True)
class Tonight:
    """A game for a number of players, what decides it by chance, and how long it goes on."""

    game: str
    players: int
    opening: Event | None = None
    """The `game` line that people chose; None: the usual one for this many players."""
    first: str | None = None
    """The one who deals first, at the dice box whose colour begins; None leaves it to the rules."""
    seed: int = 0
    """Decides every deal and throw of the evening."""
    limit: int | None = None
    """Number of rounds, at the dice box of games, after which to stop; None = never."""
    sheet_s: float = 0.0
    """Real seconds for which people read the sheet of a game before the next one begins."""
    own_sheet_s: float = 0.0
    """The same where people chose the game or ended it: they print its sheet and take it away."""
    keep_games: int = 3
    """Number of games that the journal remembers."""

    def shown_s(self, last: Event) -> float:
        """Real seconds for which the sheet of a game that ended with this line stays."""
        theirs = self.opening is not None or last.kind == "end"
        return max(self.sheet_s, self.own_sheet_s) if theirs else self.sheet_s

    def by_itself(self) -> Tonight:
        """The next game, which nobody chose."""
        return replace(self, opening=None)


def broken_off(session: Session) -> bool:
    """Whether somebody has ended the last round before its end, and no other has begun."""
    if session.view.phase not in ("settled", "finished"):
        return False
    rounds = session.result()["rounds"]
    return bool(rounds) and bool(rounds[-1]["broken_off"])
