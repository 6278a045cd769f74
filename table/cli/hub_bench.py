"""`stammtisch hub bench`: simulated tables, real broker and database; what arrived, how late, how often."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any, NamedTuple

from table.errors import StammtischError
from table.hub import questions
from table.hub.database import Connection, connect, migrate
from table.hub.engines import Mosquitto, Postgres, free_port
from table.hub.simulated import SimulatedTable, simulate, tables
from table.processes import cpu_s

PATIENCE_S = 180.0

_WAITING = 100
"""Lines of each table that are left waiting at the broker while no hub runs."""

_WEEK = """
INSERT INTO games SELECT 't' || t, 1000000 + g, 'dubbe', now() - g * interval '10 hours' / 4, 4, true, NULL
    FROM generate_series(0, %(tables)s - 1) t, generate_series(0, 69) g;
INSERT INTO seats SELECT 't' || t, 1000000 + g, 'S' || s,
    (SELECT array_agg(id) FROM players)[1 + (t + s + g) %% %(people)s],
    (t * 7 + g * 13 + s * 29) %% 41 - 20, s = 1
    FROM generate_series(0, %(tables)s - 1) t, generate_series(0, 69) g, generate_series(1, 4) s;
INSERT INTO ratings SELECT s.player, 'dubbe', s.table_name, s.game, g.started, 1500
    FROM seats s JOIN games g USING (table_name, game, generation)
    WHERE s.game >= 1000000 AND s.player IS NOT NULL
    ON CONFLICT DO NOTHING;
ANALYZE;
"""


class Hubs:
    """Hub processes side by side."""

    def __init__(self, count: int, dsn: str, broker: int) -> None:
        self._words = ["hub", "serve", "--database", dsn, "--broker", f"127.0.0.1:{broker}"]
        self.ports = [free_port() for _ in range(count)]
        self._running: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        """Start all hubs and wait until they are connected to the broker. Raises StammtischError."""
        for number, port in enumerate(self.ports, 1):
            words = [*self._words, "--name", str(number), "--port", str(port)]
            self._running.append(
                subprocess.Popen([sys.executable, "-m", "table", *words], stdout=subprocess.DEVNULL)
            )

        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError):
                if all(told.get("stammtisch_hub_connected") for told in self.metrics()):
                    return
            time.sleep(0.1)
        raise StammtischError("the hubs do not start; see the lines above")

    def stop(self, kill: bool = False) -> None:
        """End all hubs; `kill`: by SIGKILL."""
        for process in self._running:
            process.send_signal(signal.SIGKILL if kill else signal.SIGTERM)
            process.wait()
        self._running.clear()

    def metrics(self) -> list[dict[str, float]]:
        """The metrics of each hub, by name."""
        told = []
        for port in self.ports:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
                found = re.findall(r"^(\w+)(?:\{.*\})? ([\d.e+-]+)$", answer.read().decode(), re.M)
            told.append({name: float(value) for name, value in found})
        return told


def measure(count: int, rate_hz: float, seconds: float, hubs: int, upset: bool) -> dict[str, Any]:
    """Run the measurement; the keys of the result name the figures."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="stammtisch-bench-")))
        folder.chmod(0o755)
        broker, database = Mosquitto(folder / "broker"), Postgres(folder / "database")
        stack.callback(database.stop, kill=True)
        database.start()
        stack.callback(broker.stop)
        broker.start()
        migrate(database.dsn)
        working = Hubs(hubs, database.dsn, broker.port)
        stack.callback(working.stop, kill=True)
        working.start()
        simulated = tables(count, broker.port)
        told = asyncio.run(_run(simulated, rate_hz, seconds, _Engines(broker, working, database), upset))
        working.stop(kill=True)
        with connect(database.dsn) as base:
            return {**told, **_kept(base, simulated), **_week(base, count)}


class _Engines(NamedTuple):
    """The servers for many tables, in the order in which an upset kills and restarts them."""

    broker: Mosquitto
    hubs: Hubs
    database: Postgres


async def _run(
    simulated: list[SimulatedTable],
    rate_hz: float,
    seconds: float,
    engines: _Engines,
    upset: bool,
) -> dict[str, Any]:
    broker, hubs, database = engines
    running = asyncio.ensure_future(simulate(simulated, rate_hz, seconds))
    began = time.monotonic()
    upset_ones: tuple[Mosquitto | Hubs | Postgres, ...] = engines if upset else ()
    for number, engine in enumerate(upset_ones, 1):
        await asyncio.sleep(max(0.0, began + seconds * number / 4 - time.monotonic()))
        await asyncio.to_thread(engine.stop, True)
        await asyncio.to_thread(engine.start)
    await asyncio.sleep(max(0.0, began + seconds - time.monotonic()))
    told: dict[str, Any] = {"hubs": await asyncio.to_thread(hubs.metrics)}
    told["cpu_s"] = {
        "tables": time.process_time(),
        "broker": cpu_s(broker.pid),
        "database": cpu_s(database.pid),
        "hubs": sum(each["stammtisch_process_cpu_seconds_total"] for each in told["hubs"]),
    }
    told["load"] = os.getloadavg()[0]
    ended = time.monotonic()
    happened = sum(len(table.lines) for table in simulated)
    while time.monotonic() - ended < PATIENCE_S and await asyncio.to_thread(_count, database.dsn) < happened:
        await asyncio.sleep(0.2)
    told |= {
        "happened": happened,
        "rate_hz": happened / (ended - began),
        "caught_up_s": time.monotonic() - ended,
    }
    told |= await asyncio.to_thread(_lags, database.dsn)
    told["drain_hz"] = await _drain(simulated, hubs, database)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    return told


def _lags(dsn: str) -> dict[str, Any]:
    """How late lines arrived, by their tables' clocks, in seconds, and the disk space of one in bytes."""
    with connect(dsn) as base:
        lags = base.execute(
            "SELECT percentile_cont(ARRAY[0.5, 0.99, 1.0]) WITHIN GROUP "
            "(ORDER BY extract(epoch FROM arrived - wall)), "
            "pg_total_relation_size('lines') / count(*) FROM lines"
        ).fetchall()[0]
    names = ("lag_p50_s", "lag_p99_s", "lag_max_s")
    return {**dict(zip(names, lags[0], strict=True)), "bytes_a_line": int(lags[1])}


async def _drain(simulated: list[SimulatedTable], hubs: Hubs, database: Postgres) -> float:
    """Lines a second at which the hubs read a backlog at the broker."""
    await asyncio.to_thread(hubs.stop)
    for table in simulated:
        table.happen(_WAITING)
    while any(table.untold for table in simulated):
        await asyncio.sleep(0.1)
    await asyncio.to_thread(hubs.start)
    began, there = time.monotonic(), await asyncio.to_thread(_count, database.dsn)
    wanted = sum(len(table.lines) for table in simulated)
    now = there
    while now < wanted and time.monotonic() - began < PATIENCE_S:
        await asyncio.sleep(0.1)
        now = await asyncio.to_thread(_count, database.dsn)
    return (now - there) / (time.monotonic() - began)


def _count(dsn: str) -> int:
    with connect(dsn) as base:
        return int(base.execute("SELECT count(*) FROM lines").fetchall()[0][0])


def _kept(base: Connection, simulated: list[SimulatedTable]) -> dict[str, Any]:
    """How many lines the database has, lost or doubled, compared with what happened."""
    there = [(row[0], row[1]) for row in base.execute("SELECT table_name, sequence FROM lines")]
    wanted = {(table.name, line.sequence) for table in simulated for line in table.lines}
    return {
        "rows": len(there),
        "lost": len(wanted - {*there}),
        "doubled": len(there) - len({*there}),
    }


def _week(base: Connection, count: int) -> dict[str, Any]:
    """How long the page's largest query takes with ten games per day and table over seven days."""
    people = base.execute("SELECT count(*) FROM players").fetchall()[0][0]
    if not people:
        return {}
    for statement in _WEEK.split(";\n"):
        if statement.strip():
            base.execute((statement % {"tables": count, "people": people}).encode())
    took = []
    for _ in range(20):
        began = time.perf_counter()
        questions.ask(base, questions.STANDINGS, kind="dubbe", days=8, league=None)
        took.append((time.perf_counter() - began) * 1000)
    return {"week_games": 70 * count, "standings_ms_p50": sorted(took)[10], "standings_ms_max": max(took)}


def run(count: int, rate_hz: float, seconds: float, hubs: int, upset: bool) -> int:
    """Measure and print one JSON object; return 1 if a line is lost or doubled."""
    found = measure(count, rate_hz, seconds, hubs, upset)
    print(json.dumps({"tables": count, "upset": upset, **found}, indent=1, default=float))
    return int(bool(found["lost"] or found["doubled"]))
