"""True rounds in front of an eye that is blind now and then: what the table writes, and whom it accuses.

    python -m tests.table.blind_eye 0 20               # seeds; prints a line for each game
    python -m tests.table.blind_eye 0 20 club          # only that game; names the seeds that accuse

Nobody broke a rule in any of these rounds. Cards seen after a gap come without a hand, in the order of the
seats, and the lower cards of a trick in the middle of the table may be hidden; cards that left during a gap
have no taker. Now and then a card is unsure or comes without a hand.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

from table.cli.watch_log import Log as Written
from table.interpret import Interpreter
from table.rules import Referee
from table.rules.chance import Chance
from table.rules.events import Event
from table.ties import in_turn
from tests.rules.ill_told import LEAST_CARDS
from tests.rules.spoilt import GAMES, Log, cards, true_round
from vision.layout import Layout, SeatPlace
from vision.sightings import CardDown, CardsGone, DieDown, Guess, HandSeen, SightBack, Sighting, SightLost

_SEATS = {
    "S1": (0.0, -190.0),
    "S2": (-340.0, -90.0),
    "S3": (-340.0, 90.0),
    "S4": (0.0, 190.0),
    "S5": (340.0, 90.0),
    "S6": (340.0, -90.0),
}
_WHY = ("covered", "dark", "frozen", "moved", "gone")
_HIDDEN, _LATE = 3, 4
"""After a gap, one in so many cards is hidden under others, or for a while under the next player's hand."""
_UNREAD, _NO_HAND = 20, 12
"""One in so many cards is unsure, or no hand was seen over it."""


def layout_for(seats: list[str]) -> Layout:
    """A mat with these seats."""
    places = (SeatPlace(name, (), at) for name, at in _SEATS.items() if name in seats)
    return Layout(kind="mat", size_mm=(680.0, 380.0), tags=(), seats=tuple(places))


@dataclass
class Card:
    """A card that lies on the table."""

    key: int
    seat: str
    name: str
    zone: str | None
    told: bool = False
    hidden: bool = False


@dataclass
class BlindEye:
    """An eye over a table in play, and what the table writes from it."""

    chance: Chance
    in_the_middle: bool
    layout: Layout
    like: tuple[str, ...]
    """The names for which a card may be mistaken."""
    written: Written
    interpreter: Interpreter = field(init=False)
    cards: list[Card] = field(default_factory=list)
    dice: list[DieDown] = field(default_factory=list)
    waiting: list[CardDown | CardsGone] = field(default_factory=list)
    gone: list[int] = field(default_factory=list)
    blind: tuple[float, str] | None = None
    count: int = 0
    t: float = 0.0

    def __post_init__(self) -> None:
        self.interpreter = Interpreter(self.layout)

    def tell(self, *sightings: Sighting) -> None:
        """Turn sightings of one moment into events."""
        for sighting in in_turn(sightings, self.written.view):
            for event in self.interpreter.hear(sighting, self.written.view):
                self.interpreter.written(event, self.written.add(event), game=1)

    def lose_sight(self) -> None:
        """See nothing from now on."""
        self.blind = (self.t, _WHY[self.chance.below(len(_WHY))])
        self.tell(SightLost(self.t, *self.blind))

    def see_again(self) -> None:
        """Report what is new on the table and what is gone."""
        if self.blind is None:
            return
        (since, why), self.blind = self.blind, None
        seen: list[Sighting] = [SightBack(self.t, since, why)]
        if self.gone:
            gone = CardsGone(self.t, tuple(self.gone), None, after_gap=True)
            if self.chance.below(_LATE):
                seen.append(gone)
            else:
                self.waiting.append(gone)
        fresh = [card for card in self.cards if not (card.told or card.hidden)]
        for card in fresh:
            card.hidden = self.in_the_middle and card is not fresh[-1] and not self.chance.below(_HIDDEN)
            if not card.hidden:
                card.told = True
                down = self._down(card, after_gap=True)
                if self.chance.below(_LATE):
                    seen.append(down)
                else:
                    self.waiting.append(down)
        seen += [replace(die, t=self.t, after_gap=True) for die in self.dice]
        self.gone, self.dice = [], []
        self.tell(*seen)

    def play(self, seat: str, name: str) -> None:
        """A player lays a card."""
        self.count += 1
        self.cards.append(card := Card(self.count, seat, name, self._zone(seat)))
        if self.blind is None:
            card.told = True
            late, self.waiting = self.waiting, []
            whose = seat if self.chance.below(2) else None
            late = [replace(one, t=self.t, hand=whose if isinstance(one, CardDown) else None) for one in late]
            hand = seat if self.chance.below(_NO_HAND) else None
            self.tell(*late, self._down(card, hand=hand), HandSeen(self.t, self.t, seat))

    def take(self, seat: str) -> None:
        """A player takes what lies there."""
        told = [card.key for card in self.cards if card.told]
        self.cards, late = [], self.waiting
        self.waiting = []
        if self.blind is not None:
            self.gone += told
        elif told:
            self.tell(*late, CardsGone(self.t, tuple(told), seat), HandSeen(self.t, self.t, seat))

    def set_die(self, colour: str, value: int, spot: str | None) -> None:
        """A player puts a die on its place or turns the one that is there."""
        die = DieDown(self.t, colour, value, spot, (0.0, 0.0), 0.9)
        if self.blind is None:
            self.tell(die)
        else:
            self.dice = [other for other in self.dice if other.spot != spot] + [die]

    def _zone(self, seat: str) -> str | None:
        if not self.in_the_middle:
            return seat
        others = [None, None, *(place.name for place in self.layout.seats), seat]
        return others[self.chance.below(len(others))]

    def _down(self, card: Card, *, hand: str | None = None, after_gap: bool = False) -> CardDown:
        x, y = _SEATS[card.zone or card.seat]
        spot = ((x, y), (x + 59.0, y), (x + 59.0, y + 91.0), (x, y + 91.0))
        sure = bool(self.chance.below(_UNREAD))
        like = self.like[self.chance.below(len(self.like))]
        guesses = (Guess(card.name, 0.96),) if sure else (Guess(card.name, 0.4), Guess(like, 0.4))
        return CardDown(
            self.t,
            card.key,
            guesses if self.chance.below(2) else guesses[::-1],
            sure,
            spot,
            card.zone,
            hand,
            after_gap=after_gap,
        )


def told(log: Log, seed: int) -> list[dict[str, Any]]:
    """What the table writes of a true round while its eye is blind now and then, and the result."""
    chance = Chance(seed)
    gaps = _gaps(log, chance)
    in_the_middle = bool(chance.below(2))
    names = tuple(sorted({log[at]["card"] for at in cards(log)}))
    takes = any(event["kind"] == "collected" for event in log)
    truth, out = Referee(), io.StringIO()
    with contextlib.redirect_stdout(out):
        written = Written([Event(log[0]["kind"], _fields(log[0]))], True, None, folding=True)
        eye = BlindEye(chance, in_the_middle, layout_for(log[0]["seats"]), names, written)
        truth.add(log[0])
        for at, line in enumerate(log[1:], 1):
            eye.t += 1.0
            if eye.blind is None and at in gaps:
                eye.lose_sight()
            elif eye.blind is not None and at not in gaps:
                eye.see_again()
            _happens(eye, line)
            tricks = truth.view().trick_number
            truth.add(line)
            after = truth.view()
            whole = line["kind"] == "card" and not after.trick and after.trick_number != tricks
            if (whole or after.phase == "settled") and not takes and eye.cards and after.last_winner:
                eye.t += 1.0
                eye.take(after.last_winner)
        eye.see_again()
        written.end()
    return [json.loads(row) for row in out.getvalue().splitlines()]


def _happens(eye: BlindEye, line: dict[str, Any]) -> None:
    match line["kind"]:
        case "card":
            eye.play(line["seat"], line["card"])
        case "collected":
            eye.take(line["seat"])
        case "die":
            eye.set_die(line["colour"], line["value"], line.get("spot"))
        case "touch":
            pass
        case kind:  # said on somebody's phone or entered by the host
            eye.written.add(Event(kind, {**_fields(line), "t": eye.t}))


def _fields(line: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in line.items() if name not in ("kind", "id")}


def _gaps(log: Log, chance: Chance) -> set[int]:
    where = cards(log)
    gaps: set[int] = set()
    for _ in range(1 + chance.below(7)):
        first = where[chance.below(len(where))]
        gaps |= {*range(first, first + 1 + chance.below(9))}
    return gaps


def accused(game: str, seed: int) -> list[dict[str, Any]] | None:
    """Whom the table accuses in a true round that it partly missed; None if the round was not played."""
    log = true_round(game, seed)
    if len(cards(log)) < LEAST_CARDS:
        return None
    rows = told(log, seed)
    found: list[dict[str, Any]] = rows[-1]["findings"]
    return found


def main() -> None:
    """Print how many rounds of each game accuse somebody, and of what."""
    seeds, only = range(int(sys.argv[1]), int(sys.argv[2])), tuple(sys.argv[3:])
    for game in only or GAMES:
        logs, bad, kinds = 0, [], Counter[str]()
        for seed in seeds:
            if (found := accused(game, seed)) is None:
                continue
            logs += 1
            kinds.update(one["finding"] for one in found)
            bad += [seed] if found else []
        print(f"{game}: {len(bad)} of {logs} {dict(kinds) or ''} {bad or ''}", flush=True)


if __name__ == "__main__":
    main()
