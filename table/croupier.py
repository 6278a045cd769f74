"""What settled dice mean in the game as it stands: a throw, a bet laid, dice taken back, a box turned.

The eye says how the dice lie each time all is still. A throw is the active player's own die or the white one
come to rest anew; dice that went out of view with it fell into a hole or out of the box. If both are gone, it
was a throw only if something flew without a hand. The first throw is that of all players (X-06, X-08).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from typing import Any

from table.rules.view import View
from vision.sightings import DieSeen, ThrowSeen

Event = dict[str, Any]

WHITE = "white"
MOVED_MM = 3.0
"""A die that lies this far from where it lay was moved; less is the eye's error and a push."""


FAR_MM = 12.0
"""No reading of a die that nobody touched strays as far as this."""


class Croupier:
    """Turns settled dice into throws; `view` is the game before them."""

    def __init__(self) -> None:
        self._lay: dict[str, DieSeen] = {}
        """The dice as they lay when all was last still, by colour."""
        self._in_hand: set[str] = set()
        """Colours that were not in view at some rest since the last throw."""
        self._far: set[str] = set()
        """Colours that now lie far from where they lay at the last rest."""

    def hear(self, seen: ThrowSeen, view: View) -> list[Event]:
        """The throw that these dice are, if they are one."""
        now = {die.colour: die for die in seen.dice if die.colour is not None}
        before, self._lay = self._lay, now
        players = set(view.players) if view.box is not None else set()
        news = {colour for colour, die in now.items() if self._is_news(die, before.get(colour))}
        self._far = {c for c in news if c not in before or _apart_mm(now[c], before[c]) > FAR_MM}
        gone = set(before) - set(now)
        if not players:
            unnamed = any(die.colour is None and not die.where.startswith("bet") for die in seen.dice)
            self._in_hand = gone | (self._in_hand - set(now))
            return [throw_event(seen)] if news or (unnamed and seen.rolled) else []
        if view.finished:
            return []
        thrower = self._opening(news & players) if self._opens(view) else self._thrower(seen, view, news, now)
        if thrower is None:
            self._in_hand |= {c for c in (*players, WHITE) if c not in now}
            return []
        thrown = players if thrower == "all" else {thrower, WHITE}
        # What a thrown die knocked out of view is gone with it; what a hand took before stays in the hand.
        lost = (thrown - set(now)) | (gone - self._in_hand)
        self._in_hand = {c for c in (*players, WHITE) if c not in now}
        return [throw_event(seen, thrower, sorted(lost))]

    @staticmethod
    def _opens(view: View) -> bool:
        return view.box is None or view.box.throw == 0

    @staticmethod
    def _opening(news: set[str]) -> str | None:
        """All players throw together; the white die is not thrown (X-06, XA-1)."""
        return "all" if news else None

    def _thrower(self, seen: ThrowSeen, view: View, news: set[str], now: dict[str, DieSeen]) -> str | None:
        """Whose throw these dice are; None when nobody threw."""
        active = _colour_at(view, view.turn)
        picked = {c for c in news if c in self._in_hand}
        others = picked & (set(view.players) - {active})
        if active is None:  # the rules do not know who is next: the dice do
            return next(iter(sorted(others)), None) if others else None
        # A die that nobody took up and that nothing rolled was only read a little differently.
        sure = self._in_hand | (news if seen.rolled else self._far)
        own = {active, WHITE} & news & sure
        stayed = active in now and active not in news and active not in self._in_hand
        if others and stayed and (own or seen.rolled):
            return sorted(others)[0]
        if own:
            return active
        both_gone = active not in now and WHITE not in now
        return active if both_gone and seen.rolled else None

    @staticmethod
    def _is_news(die: DieSeen, before: DieSeen | None) -> bool:
        """Whether a die came to lie anew; a bet that is laid is no throw."""
        if die.where.startswith("bet"):
            return False
        if before is None:
            return True
        if before.where.startswith("bet"):
            return True
        if die.where == before.where == "outside":
            return False
        turned = None not in (die.face, before.face) and die.face != before.face
        return turned or _apart_mm(die, before) > MOVED_MM


def _apart_mm(one: DieSeen, two: DieSeen) -> float:
    """How far two readings of a die lie apart; another place (a tile, a hole) is far."""
    if one.where != two.where:
        return 10 * FAR_MM
    (x, y), (a, b) = one.center_mm, two.center_mm
    return hypot(x - a, y - b)


def _colour_at(view: View, seat: str | None) -> str | None:
    return view.players[view.seats.index(seat)] if seat in view.seats else None


def throw_event(seen: ThrowSeen, player: str | None = None, lost: Sequence[str] = ()) -> Event:
    """The `throw` of CONTRACTS 4; `lost` dice are in no one's view: outside, or deep in a hole."""
    event: Event = {"kind": "throw", "t": round(seen.t, 3)}
    if player is not None:
        event["player"] = player
    event["dice"] = [_die(die) for die in seen.dice]
    event["dice"] += [{"colour": c, "face": None, "where": "outside", "touches": []} for c in lost]
    event["source"] = "camera"
    return event


def _die(die: DieSeen) -> Event:
    told: Event = {
        "colour": die.colour,
        "face": die.face,
        "where": die.where,
        "touches": list(die.touches),
        "center": [round(v, 1) for v in die.center_mm],
        "yaw": round(die.yaw_deg, 1),
    }
    if die.counts_as is not None:
        told["counts_as"] = die.counts_as
    if die.margin_mm is not None:
        told["margin_mm"] = round(die.margin_mm, 2)
    if die.cocked:
        told["cocked"] = True
    if die.doubt:
        told["doubt"] = list(die.doubt)
    if die.candidates:
        told["candidates"] = [[g.name, round(g.confidence, 3)] for g in die.candidates]
    return told
