"""A virtual table that is watched without being drawn."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from table.printables import MatPlan
from table.rules.events import Event
from table.virtual import Lying, MatHands, Players, VirtualTable
from vision.sightings import Picture
from vision.synthetic.scene import Scene

BLANK = np.zeros((2, 2, 3), np.uint8)


class Watcher:
    """Takes the painter's place: remembers the scenes instead of drawing them."""

    def __init__(self) -> None:
        self.scene = Scene()

    def render(self, scene: Scene, seed: int) -> Picture:
        self.scene = scene
        return BLANK


def staged(watcher: Watcher, hands: MatHands, players: Players, lying: Lying) -> VirtualTable:
    return VirtualTable(watcher, hands, players, hands.opening(lying))


def events_of(table: VirtualTable, players: Players, watcher: Watcher, plan: MatPlan) -> list[Event]:
    """The events of a round as a perfect eye reports them."""
    return list(seen_of(table, players, watcher, plan))


def seen_of(table: VirtualTable, players: Players, watcher: Watcher, plan: MatPlan) -> Iterator[Event]:
    """What a perfect eye reports along the way: cards, dice on spots, tricks taken away."""
    spots = {spot.name: spot for spot in plan.layout.spots}
    zones = dict(zip((place.name for place in plan.layout.seats), plan.seats, strict=True))
    cards: set[str] = set()
    dice: dict[str, tuple[str, int]] = {}
    while not players.waiting:
        table.frame()
        lying = {card.face: card for card in watcher.scene.cards if card.face != "back"}
        for name in lying.keys() - cards:
            seat = next(s for s, a in zones.items() if math.dist(a.center_mm, lying[name].center_mm) < 40)
            yield Event("card", {"seat": seat, "card": name})
        if cards and not lying:
            yield Event("collected")
        cards = set(lying)
        for name, spot in spots.items():
            for colour, die in table.stage.dice.items():
                value = int(die.top)
                if math.dist(die.center_mm, spot.center_mm) < 15 and dice.get(name) != (colour, value):
                    dice[name] = (colour, value)
                    yield Event("die", {"colour": colour, "value": value, "spot": name})
