"""From what players do to how their hands move: a card is laid, a die is turned, a trick is taken."""

from __future__ import annotations

import math
import random
from dataclasses import replace

from table.printables import MatPlan
from table.printables.cards import COLOURS
from table.printables.marks import INKS, on
from table.virtual.deeds import ClearTable, Deed, LayCard, LayDie, Lying, TakeTrick, Tell, Wait
from table.virtual.stage import BACK, Motion, Stage, StageChange, pause, reach, tip_for
from vision.layout import Point
from vision.synthetic.scene import CardLying
from vision.synthetic.shapes import BGR, DieLying, six_sided

Ink = tuple[int, int, int]


_CARD_AHEAD_MM = 26.0
_DIE_AHEAD_MM = -14.0


class MatHands:
    """Turns deeds into motions over one mat; the same seed gives the same untidiness.

    `dice`: whether the five coloured dice lie on the table.
    """

    def __init__(self, plan: MatPlan, seed: int, dice: bool = True) -> None:
        self._plan = plan
        self._colours = COLOURS if dice else ()
        self._chance = random.Random(seed)
        self._seats = {place.name: place for place in plan.layout.seats}
        self._areas = dict(zip(self._seats, plan.seats, strict=True))
        self._spots = {spot.name: spot for spot in plan.layout.spots}
        self._parked = dict(zip((*COLOURS, "black"), plan.parked_mm, strict=True))

    def opening(self, lying: Lying | None = None) -> Stage:
        """The stage at the start or after a power cut; dice on no spot lie ready."""
        lying, stage = lying or Lying(), Stage()
        on_spot = {colour: (spot, value) for spot, (colour, value) in lying.dice.items()}
        for colour in self._colours:
            spot, value = on_spot.get(colour, (None, self._chance.randint(1, 6)))
            center = self._parked[colour] if spot is None else self._spots[spot].center_mm
            stage.dice[colour] = self._die(colour, value, center)
        stage.pile = [self._on_pile() for _ in range(min(lying.pile, 3))]
        stage.cards = [CardLying(card, *self._place(seat)) for seat, card in lying.cards]
        return stage

    def motions(self, deed: Deed, stage: Stage) -> list[Motion]:
        """The motions of a deed, given what lies on the table when it begins."""
        match deed:
            case LayCard():
                return [self._lay_card(deed), self._breath()]
            case LayDie():
                die, (x, y) = stage.dice[deed.colour], self._spots[deed.spot].center_mm
                if (
                    die.top == str(deed.value)
                    and math.dist(die.center_mm, (x, y)) < self._spots[deed.spot].size_mm / 2
                ):
                    return []  # Jo Lossen's three, a six that has reached its end: nothing to turn
                return [self._lay_die(deed, stage), self._breath()]
            case TakeTrick():
                return [self._take_trick(deed, stage), self._breath()]
            case ClearTable():
                # Cards still lie open where the round was broken off.
                swept = [self._take_trick(TakeTrick(deed.seat), stage)] if stage.cards else []
                return [*swept, self._clear(deed, stage), pause(1.5)]
            case Wait():
                return [pause(deed.seconds)]
            case Tell():
                return []

    def _lay_card(self, deed: LayCard) -> Motion:
        seat = self._seats[deed.seat]
        center, yaw = self._place(deed.seat)
        tip = tip_for(_outside(seat.enters_from_mm), center, _CARD_AHEAD_MM)
        lying = CardLying(deed.card, center, yaw)
        # A card in the hand has the same angle to the arm as it will have on the table.
        heading = math.degrees(math.atan2(*reversed(_minus(tip, _outside(seat.enters_from_mm)))))
        held = CardLying(deed.card, (0.0, _CARD_AHEAD_MM), yaw - heading + 90)

        def take(stage: Stage) -> None:
            stage.held = [held]

        def drop(stage: Stage) -> None:
            stage.held = []
            stage.cards.append(lying)

        return reach(
            seat.enters_from_mm, [(0.05, self._gate(deed.seat), take), (0.5, tip, None), (0.12, tip, drop)]
        )

    def _lay_die(self, deed: LayDie, stage: Stage) -> Motion:
        seat, spot = self._seats[deed.seat], self._spots[deed.spot]
        from_mm = _outside(seat.enters_from_mm)
        x, y = spot.center_mm
        goal = (x + self._chance.uniform(-3, 3), y + self._chance.uniform(-3, 3))
        before = stage.dice[deed.colour].center_mm
        laid = self._die(deed.colour, deed.value, goal)

        def take(stage: Stage) -> None:
            stage.held_die = stage.dice.pop(deed.colour)

        def drop(stage: Stage) -> None:
            stage.held_die = None
            stage.dice[deed.colour] = laid

        start, end = (tip_for(from_mm, place, _DIE_AHEAD_MM) for place in (before, goal))
        way = 0.25 + math.dist(before, goal) / 700
        return reach(
            seat.enters_from_mm,
            [(0.55, start, None), (0.15, start, take), (way, end, None), (0.2, end, drop)],
        )

    def _take_trick(self, deed: TakeTrick, stage: Stage) -> Motion:
        enters = self._seats[deed.seat].enters_from_mm
        from_mm, steps = _outside(enters), list[tuple[float, Point, StageChange | None]]()
        # The nearest card first, then on from card to card.
        left, at = list(stage.cards), enters
        while left:
            card = min(left, key=lambda c: math.dist(c.center_mm, at))
            left.remove(card)
            tip = tip_for(from_mm, card.center_mm, _CARD_AHEAD_MM / 2)
            steps += [(0.2 + math.dist(at, card.center_mm) / 900, tip, None), (0.12, tip, self._pick(card))]
            at = card.center_mm
        pile = tip_for(from_mm, self._plan.pile.center_mm, _CARD_AHEAD_MM)
        laid = [self._on_pile() for _ in stage.cards]

        def drop(stage: Stage) -> None:
            stage.held = []
            stage.pile = [*stage.pile, *laid][-3:]

        steps += [(0.25 + math.dist(at, self._plan.pile.center_mm) / 700, pile, None), (0.15, pile, drop)]
        return reach(enters, steps)

    def _clear(self, deed: ClearTable, stage: Stage) -> Motion:
        enters = self._seats[deed.seat].enters_from_mm
        from_mm, steps = _outside(enters), list[tuple[float, Point, StageChange | None]]()
        for colour, die in stage.dice.items():
            goal = self._parked[colour]
            if math.dist(die.center_mm, goal) < 30:
                continue
            ready = self._die(colour, self._chance.randint(1, 6), goal)
            start, end = (tip_for(from_mm, place, _DIE_AHEAD_MM) for place in (die.center_mm, goal))
            way = 0.25 + math.dist(die.center_mm, goal) / 900
            steps += [
                (0.45, start, None),
                (0.12, start, _take_die(colour)),
                (way, end, None),
                (0.15, end, _drop_die(colour, ready)),
            ]
        pile = tip_for(from_mm, self._plan.pile.center_mm, _CARD_AHEAD_MM)
        heading = math.degrees(math.atan2(*reversed(_minus(pile, from_mm))))

        def take(stage: Stage) -> None:
            stage.held = [
                CardLying(BACK, (i * 1.5, _CARD_AHEAD_MM), card.yaw_deg - heading + 90)
                for i, card in enumerate(stage.pile)
            ]
            stage.pile = []

        steps += [(0.6, pile, None), (0.2, pile, take)]
        motion = reach(enters, steps)
        return replace(
            motion, waypoints=(*motion.waypoints[:-1], replace(motion.waypoints[-1], does=_empty_hand))
        )

    def _pick(self, card: CardLying) -> StageChange:
        offset = (self._chance.uniform(-6, 6), _CARD_AHEAD_MM / 2 + self._chance.uniform(-6, 6))
        in_hand = CardLying(BACK, offset, self._chance.uniform(-12, 12))

        def pick(stage: Stage) -> None:
            stage.cards.remove(card)
            stage.held.append(in_hand)

        return pick

    def _place(self, seat: str) -> tuple[Point, float]:
        """Where this player's next card will lie: in the zone, a little off its middle, a little turned."""
        area, enters = self._areas[seat], self._seats[seat].enters_from_mm
        slack = (min(area.size_mm) - min(self._plan.layout.card_size_mm or (59, 91))) / 2
        off = slack * 0.55
        center = (
            area.center_mm[0] + self._chance.uniform(-off, off),
            area.center_mm[1] + self._chance.uniform(-off, off),
        )
        lying = area.size_mm[0] > area.size_mm[1]
        yaw = (-90.0 if enters[0] < 0 else 90.0) if lying else (0.0 if enters[1] < 0 else 180.0)
        return center, yaw + max(-10.0, min(10.0, self._chance.gauss(0, 4)))

    def _on_pile(self) -> CardLying:
        x, y = self._plan.pile.center_mm
        near = (x + self._chance.uniform(-3, 3), y + self._chance.uniform(-3, 3))
        return CardLying(BACK, near, 90 + self._chance.uniform(-4, 4))

    def _die(self, colour: str, value: int, center_mm: Point) -> DieLying:
        ground = INKS[colour]
        return DieLying(
            str(value),
            center_mm,
            self._chance.uniform(-20, 20),
            _bgr(ground),
            _bgr(on(ground)),
            self._plan.layout.edge_mm,
            sides=six_sided(value),
        )

    def _gate(self, seat: str) -> Point:
        x, y = self._seats[seat].enters_from_mm
        far = math.hypot(x, y)
        return (x + x / far * 190, y + y / far * 190)

    def _breath(self) -> Motion:
        return pause(self._chance.uniform(0.35, 0.8))


def _take_die(colour: str) -> StageChange:
    def take(stage: Stage) -> None:
        stage.held_die = stage.dice.pop(colour)

    return take


def _drop_die(colour: str, ready: DieLying) -> StageChange:
    def drop(stage: Stage) -> None:
        stage.held_die = None
        stage.dice[colour] = ready

    return drop


def _empty_hand(stage: Stage) -> None:
    stage.held = []


def _outside(enters_from_mm: Point) -> Point:
    return reach(enters_from_mm, []).from_mm or enters_from_mm


def _minus(a: Point, b: Point) -> Point:
    return (a[0] - b[0], a[1] - b[1])


def _bgr(ink: Ink) -> BGR:
    return (ink[2], ink[1], ink[0])
