"""Simulated tables in one process, to measure a hub: each with a connection, a log and a mark of its own.

They tell as real ones do (integrations/mqtt/uplink.py): in order, answered by the broker, again from the
newest `kept` where something was lost. Only their journals are lists in memory, and their games were played
by the house's own players beforehand.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import time
from collections.abc import Iterator
from typing import Any

import aiomqtt
import msgspec

from table.messages import JournalLine, encode, read_kept, topic
from table.rules.bots import choose
from table.rules.evening import evening

_QUIET = logging.getLogger("stammtisch.simulated")
_QUIET.setLevel(logging.ERROR)

BEAT_S = 0.1
MISSED_S = 4.0
BOOT = 1
_AT_ONCE = 50
_LOGS = 8
_NAMES = ("Anna", "Bernd", "Carla", "Dirk", "Elke", "Franz", "Gerda", "Hans")


def played(number: int) -> list[dict[str, Any]]:
    """An evening of Dubbe, two rounds long, from a seed."""
    people = [f"{name} {number}" for name in _NAMES[:4]]
    opening = {"kind": "game", "game": "dubbe", "seats": ["S1", "S2", "S3", "S4"], "players": people}
    return [*evening(opening, seed=number, player=choose, rounds=2), {"kind": "end"}]


class SimulatedTable:
    """One table; `lines` is all that has happened there."""

    def __init__(self, name: str, log: list[dict[str, Any]], port: int) -> None:
        self.name, self.port = name, port
        self.lines: list[JournalLine] = []
        self._source = self._events(log)
        self._told = 0
        self._kept: int | None = None
        self._kept_at = 0.0

    def _events(self, log: list[dict[str, Any]]) -> Iterator[tuple[int, int, dict[str, Any]]]:
        for game in itertools.count(1):
            for number, event in enumerate(log, 1):
                yield game, number, event

    def happen(self, count: int) -> None:
        """So many lines more, now."""
        for game, number, event in itertools.islice(self._source, count):
            after = self.lines[-1].sequence if self.lines else 0
            place = (game << 32) + number
            self.lines.append(JournalLine(self.name, BOOT, place, after, game, number, time.time(), event))

    @property
    def untold(self) -> int:
        """How many lines the broker has not answered."""
        return len(self.lines) - self._told

    async def serve(self) -> None:
        """Tell it, whatever the broker suffers."""
        while True:
            with contextlib.suppress(aiomqtt.MqttError, OSError):
                async with aiomqtt.Client(
                    "127.0.0.1",
                    self.port,
                    identifier=f"simulated-{self.name}",
                    logger=_QUIET,
                    protocol=aiomqtt.ProtocolVersion.V5,
                    max_concurrent_outgoing_calls=4 * _AT_ONCE,
                ) as client:
                    await client.subscribe(topic(self.name, "kept"), qos=1)
                    listening = asyncio.ensure_future(self._listen(client))
                    try:
                        await self._tell(client)
                    finally:
                        listening.cancel()
                        await asyncio.gather(listening, return_exceptions=True)
            await asyncio.sleep(0.5)

    async def _tell(self, client: aiomqtt.Client) -> None:
        where = topic(self.name, "event")
        while True:
            part = self.lines[self._told : self._told + _AT_ONCE]
            await asyncio.gather(*(client.publish(where, encode(line), qos=1) for line in part))
            self._told += len(part)
            self._look_back()
            if len(part) < _AT_ONCE:
                await asyncio.sleep(BEAT_S)

    def _look_back(self) -> None:
        if self._kept is None or time.monotonic() - self._kept_at < MISSED_S:
            return
        kept, self._kept = self._kept, None
        missing = next((k for k, line in enumerate(self.lines) if line.sequence > kept), self._told)
        self._told = min(self._told, missing)

    async def _listen(self, client: aiomqtt.Client) -> None:
        async for message in client.messages:
            if isinstance(message.payload, bytes):
                with contextlib.suppress(msgspec.MsgspecError):
                    self._kept, self._kept_at = read_kept(message.payload).sequence, time.monotonic()


async def simulate(tables: list[SimulatedTable], rate_hz: float, seconds: float) -> None:
    """Let lines happen at this rate in all; all tables tell them until this is cancelled."""
    serving = [asyncio.ensure_future(table.serve()) for table in tables]
    try:
        began, done, turn = time.monotonic(), 0, itertools.cycle(tables)
        while (now := time.monotonic() - began) < seconds:
            due = int(now * rate_hz)
            for table in itertools.islice(turn, due - done):
                table.happen(1)
            done = due
            await asyncio.sleep(BEAT_S / 2)
        await asyncio.Event().wait()
    finally:
        for task in serving:
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)


def tables(count: int, port: int) -> list[SimulatedTable]:
    """So many of them."""
    logs = [played(number) for number in range(min(count, _LOGS))]
    return [SimulatedTable(f"t{number}", logs[number % len(logs)], port) for number in range(count)]
