"""Twelve faults of wire and board in five games: score, lamps and each press of a button stay right."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import pytest

from firmware_bridge.errors import BridgeError
from firmware_bridge.faults import Fault, FaultyWire
from firmware_bridge.link import Link
from firmware_bridge.messages import ResetCause
from firmware_bridge.transport import Transport
from firmware_bridge.transports.loopback import Loopback, VirtualBoard
from table import markers
from table.game_log import SessionError
from table.journal import Journal
from table.rules.events import Event
from table.session import Session
from table.settings import LampPlan, default_lamps

GAMES = Path(__file__).parents[1] / "data" / "games"
NAMES = (
    "dubbe-three-players",
    "dulle-one-round",
    "doppelkopf-ddv-one-round",
    "klapper-jas-two-players",
    "doppelx-three-players",
)
WATCHDOG_S = 0.5
LONGEST_S = 3.0
"""Longest time, on the table's clock, that anybody may wait for a lamp."""


class Cable(Loopback):
    """The board in memory on the test's clock: waiting moves the clock, and a hung board does not respond."""

    def __init__(self, board: VirtualBoard, now: list[float]) -> None:
        super().__init__(board, lambda: now[0])
        self._now = now
        self.hangs_until: float | None = None

    def write(self, data: bytes) -> None:
        self._wake()
        if self.hangs_until is None:
            super().write(data)

    def read(self, patience_s: float) -> bytes:
        self._wake()
        if self.hangs_until is None and (said := super().read(0.0)):
            return said
        self._now[0] += max(patience_s, 0.001)
        self._wake()
        return b"" if self.hangs_until is not None else super().read(0.0)

    def _wake(self) -> None:
        if self.hangs_until is not None and self._now[0] >= self.hangs_until:
            self.board.reset(ResetCause.WATCHDOG, self._now[0])
            self.hangs_until = None


class Evening:
    """A logged game, played event by event, with its lamps on a board that suffers faults."""

    def __init__(self, folder: Path, name: str, seed: int) -> None:
        lines = (GAMES / f"{name}.jsonl").read_text().splitlines()
        events = [{k: v for k, v in json.loads(line).items() if k != "id"} for line in lines]
        self.result = json.loads((GAMES / f"{name}.result.json").read_text())
        self._rest = events[2:]
        self._now = [1000.0]
        seats = tuple(events[0].get("seats") or [f"S{n + 1}" for n in range(len(events[0]["players"]))])
        self.plan: LampPlan = default_lamps(seats)
        self.board = VirtualBoard(self.plan.count, now_s=self._now[0])
        self._cable = Cable(self.board, self._now)
        self.wire = FaultyWire(self._plugged, self._strike, random.Random(seed))
        self.link = Link(self.wire.dial, clock=lambda: self._now[0], budget_ma=1e6)
        self.session = Session(Journal.open(folder / "evening.sqlite"), clock=lambda: self._now[0])
        self.session.begin([*map(Event.from_dict, events[:2])])
        self.longest_s = 0.0
        self.show()

    def events(self) -> Iterator[None]:
        """Play the rest of the log."""
        for event in self._rest:
            self.session.add(Event.from_dict(event))
            yield

    def show(self, fault: Fault | None = None) -> None:
        """Let time pass and draw the lamps; a `fault` strikes on the way to the board."""
        self._now[0] += 0.1
        begun_s = self._now[0]
        wanted = markers.picture(self.session.view, self.plan, begun_s)
        if fault is not None:
            self.wire.suffer(fault)
        for _ in range(10):
            try:
                self.link.show(wanted)
                break
            except BridgeError:
                self._now[0] += 0.05
        self.longest_s = max(self.longest_s, self._now[0] - begun_s)
        assert self.board.shown[-1][1] == wanted, fault

    def push_undo(self, fault: Fault) -> None:
        """Push the button once; the press must be reported exactly once."""
        self.board.press(0)
        self.show(fault)
        self.board.release(0)
        self._now[0] += 0.1
        self.show()
        lost = fault in (Fault.POWER, Fault.BROWN_OUT, Fault.HANG)  # a board that was reset may have lost it
        presses = sum(event.kind.name == "PRESSED" for event in self.link.take_events())
        assert presses == 1 or (lost and presses <= 1), fault
        for _ in range(presses):
            self.session.undo()
            self.session.redo()

    def _plugged(self) -> Transport:
        self._cable.plugged = True
        return self._cable

    def _strike(self, fault: Fault) -> None:
        if fault is Fault.HANG:
            self._cable.hangs_until = self._now[0] + WATCHDOG_S
        else:
            cause = ResetCause.POWER if fault is Fault.POWER else ResetCause.BROWN_OUT
            self.board.reset(cause, self._now[0])


def _right(session: Session, expected: dict[str, object]) -> bool:
    return {key: session.result().get(key) for key in expected} == expected


@pytest.mark.parametrize("name", NAMES)
def test_each_fault_once_in_each_game(tmp_path: Path, name: str) -> None:
    evening = Evening(tmp_path, name, seed=22)
    faults = cycle(Fault)
    for _ in evening.events():
        evening.show(next(faults))
    for fault in Fault:
        evening.show(fault)
        evening.push_undo(fault)
    _over(evening)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("name", NAMES)
def test_each_fault_at_each_event(tmp_path: Path, name: str, seed: int) -> None:
    evening = Evening(tmp_path, name, seed)
    for _ in evening.events():
        for fault in Fault:
            evening.show(fault)
    for fault in Fault:
        evening.push_undo(fault)
    _over(evening)


def _over(evening: Evening) -> None:
    assert evening.longest_s < LONGEST_S
    assert _right(evening.session, evening.result)
    with pytest.raises(SessionError):
        evening.session.redo()
