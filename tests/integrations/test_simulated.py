"""The simulated tables that measure a hub publish as real ones do, whatever happens to the broker."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from pathlib import Path

import paho.mqtt.client as paho
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from table.hub import simulated
from table.hub.engines import Mosquitto
from table.hub.simulated import BOOT, SimulatedTable, tables
from table.messages import Kept, encode, read_line, topic
from tests.integrations.engines import mosquitto


async def until(true: Callable[[], object]) -> None:
    deadline = time.monotonic() + 30.0
    while not true():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.01)


def listener(broker: Mosquitto, table: SimulatedTable, heard: list[int]) -> paho.Client:
    client = paho.Client(CallbackAPIVersion.VERSION2, protocol=paho.MQTTv5)
    client.on_message = lambda _client, _data, message: heard.append(read_line(message.payload).sequence)
    there = threading.Event()
    client.on_connect = lambda *_: client.subscribe(topic(table.name, "event"), qos=1)  # type: ignore[assignment]
    client.on_subscribe = lambda *_: there.set()
    client.connect("127.0.0.1", broker.port)
    client.loop_start()
    assert there.wait(10)
    return client


def test_a_simulated_table_tells_each_line_in_order_and_again_what_was_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulated, "MISSED_S", 0.0)
    monkeypatch.setattr(simulated, "BEAT_S", 0.05)
    broker, heard = mosquitto(tmp_path), []
    (table,) = tables(1, broker.port)
    reader = listener(broker, table, heard)

    async def evening() -> None:
        serving = asyncio.ensure_future(table.serve())
        table.happen(3)
        await until(lambda: len(heard) == 3)
        table.happen(2 * simulated.AT_ONCE)
        wanted = [line.sequence for line in table.lines]
        await until(lambda: len(heard) == len(wanted))
        assert heard == wanted
        heard.clear()
        reader.publish(topic(table.name, "kept"), encode(Kept(BOOT, wanted[-3])), qos=1)
        await until(lambda: heard == wanted[-2:])
        broker.stop(kill=True)
        table.happen(5)
        assert table.untold >= 5
        broker.start()
        await until(lambda: not table.untold)
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)

    try:
        asyncio.run(evening())
    finally:
        reader.disconnect()
        reader.loop_stop()
        broker.stop()
