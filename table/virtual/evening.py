"""Who sits at the virtual table tonight: opens rounds and games, and says honestly when eye and truth differ.

The house does not know that its guests are virtual: it gets the `game` and `round` lines that people would
give it, and everything else from its camera.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Callable, Mapping
from typing import Any

from table.rules import engine
from table.rules.opening import as_event, open_game
from table.session import Session, standing
from table.virtual.players import SEED, Lying, Players, VirtualRound

log = logging.getLogger(__name__)

NAMES = ("Anna", "Bernd", "Carla", "Dirk", "Elke")
ROUNDS = {2: 4, 3: 6, 4: 4, 5: 5}
"""Rounds of a game by number of players (D-36)."""
PATIENCE_S = 4.0
"""After the last trick the house gets so long to settle, then the next round begins all the same."""
_LOOK_S = 0.2


class Evening:
    """Game after game of Dubbe at one sitting.

    Args:
        session: the house's sitting; its journal says where the evening stands.
        players: who gets the rounds to play.
        seats: how many play, 2 to 5.
        seed: decides every deal of the evening.
        keep_games: how many games the journal remembers.
        rounds: stop after so many rounds; None = never.
        tell: gets a line for people after each round.
        clock: real seconds.
    """

    def __init__(
        self,
        session: Session,
        players: Players,
        seats: int,
        seed: int,
        keep_games: int = 3,
        rounds: int | None = None,
        tell: Callable[[str], None] = lambda line: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._session, self._players, self._clock, self._tell = session, players, clock, tell
        self._seed, self._keep_games, self._left = seed, keep_games, rounds
        self._seats = [f"S{i + 1}" for i in range(seats)]
        self._agreed = ROUNDS[seats]
        self._opening: dict[str, Any] = {
            "kind": "game",
            "game": "dubbe",
            "preset": "dubbe",
            "options": {"rounds": self._agreed},
            "seats": self._seats,
            "players": list(NAMES[:seats]),
        }
        self._round: VirtualRound | None = None
        self._told = 0
        self._compared = 0
        self._noted = 0
        self._over_since: float | None = None
        self.differences = 0
        """How often the journal did not say what was really played."""
        session.listen(lambda _view: self._compare())

    def take_up(self) -> tuple[Lying, str]:
        """Go on where the journal stands, or begin; return what lies on the table and a line for people."""
        resumed = self._session.resume()
        entries = self._session.entries
        now = standing(entries)
        events = [(entry.id, now.get(entry.id, entry.event)) for entry in entries]
        opened = [i for i, (_, event) in enumerate(events) if event and event["kind"] == "round"]
        view = self._session.view
        ours = view.game == "dubbe" and list(view.seats) == self._seats
        if resumed and ours and opened and SEED in (events[opened[-1]][1] or {}):
            event = events[opened[-1]][1]
            assert event is not None
            so_far = [e for _, e in events[opened[-1] + 1 :] if e is not None and e["kind"] != "correction"]
            self._compared = len(entries)
            lying = self._sit(event, so_far)
            self._noted = len(self._round.played) if self._round else 0
            return lying, f"the journal holds game {self._session.game}: round {view.round} goes on"
        self._begin_game()
        return Lying(), f"game {self._session.game} begins"

    async def serve(self) -> None:
        """Look after the evening until it is over (as a service of the runtime)."""
        while self.tend():
            await asyncio.sleep(_LOOK_S)

    def tend(self) -> bool:
        """Open what is to be opened; False when the agreed number of rounds is played."""
        if not self._players.waiting:
            return True
        now = self._clock()
        if self._over_since is None:
            self._over_since = now
        settled = self._session.view.phase in ("settled", "finished")
        if not settled and now < self._over_since + PATIENCE_S:
            return True
        self._over_since = None
        self._close_round(settled)
        if self._left == 0:
            return False
        view = self._session.view
        if view.finished or view.round >= self._agreed:
            self._begin_game()
        else:
            self._begin_round(view.seats[(view.seats.index(str(view.dealer)) + 1) % len(view.seats)])
        return True

    def _begin_game(self) -> None:
        event = self._round_event(self._seats[-1])
        self._session.begin([dict(self._opening), event])
        self._session.prune(self._keep_games)
        self._compared = len(self._session.entries)
        self._sit(event)

    def _begin_round(self, dealer: str) -> None:
        event = self._round_event(dealer)
        self._session.add(event)
        self._compared = len(self._session.entries)
        self._sit(event)

    def _round_event(self, dealer: str) -> dict[str, Any]:
        chance = random.Random(f"{self._seed}/{self._session.game}/{self._session.view.round}")
        return {"kind": "round", "dealer": dealer, SEED: chance.getrandbits(48)}

    def _sit(self, event: Mapping[str, Any], so_far: list[dict[str, Any]] | None = None) -> Lying:
        self._round = VirtualRound(open_game(as_event(self._opening)), event, so_far or ())
        self._noted = 0
        self._players.sit(self._round)
        return self._round.lying

    # --- truth ---------------------------------------------------------------------------------------

    def _compare(self) -> None:
        """Hold every new card of the journal against what was really played; never mend anything."""
        fresh = self._session.entries[self._compared :]
        self._compared = len(self._session.entries)
        for entry in fresh:
            if self._round is None or entry.event["kind"] not in ("card", "unsure"):
                continue
            played, at = self._round.played, self._noted
            self._noted += 1
            truth = played[at] if at < len(played) else None
            if entry.event["kind"] == "unsure":
                log.info("event %d: the table is unsure; %s was played", entry.id, _card(truth))
            elif truth != (entry.event.get("seat"), entry.event["card"]):
                self.differences += 1
                seen = _card((str(entry.event.get("seat")), entry.event["card"]))
                log.warning("event %d: the table saw %s, but %s was played", entry.id, seen, _card(truth))

    def _close_round(self, settled: bool) -> None:
        """Say how the round went, in the table's and in the players' own count."""
        if self._round is None:
            return
        view, truth = self._session.view, engine.score(self._round.position)
        if self._left is not None:
            self._left -= 1
        if not settled:
            self.differences += 1
            log.warning(
                "round %d: the table has not seen all of it (%d of %d cards); it is broken off",
                view.round,
                sum(view.seen.values()),
                len(self._round.played),
            )
            self._session.add({"kind": "end", "source": "touch"})
            view = self._session.view
        rounds = self._session.result()["rounds"]
        counted = rounds[-1]["points"] if rounds else {}
        agree = (
            "as the players count"
            if counted == truth
            else f"the players count {_points(truth, view.players)}"
        )
        if counted != truth and settled:
            self.differences += 1
        self._tell(f"round {view.round}: {_points(counted, view.players)} ({agree})")
        self._round = None


def _card(played: tuple[str, str] | None) -> str:
    return "nothing" if played is None else f"{played[1]} by {played[0]}"


def _points(points: Mapping[str, int], players: tuple[str, ...]) -> str:
    return ", ".join(f"{name} {value:+d}" for name, value in zip(players, points.values(), strict=False))
