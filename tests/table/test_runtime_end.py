"""A running table ends cleanly when somebody or the system ends it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ENDLESS = """
import sys, time
import numpy as np
from table.journal import Journal
from table.live import Table
from table.camera_watch import Watching
from table.runtime import Runtime
from table.session import Session

class Camera:
    def read(self):
        time.sleep(0.01)
        return np.zeros((4, 4, 3), np.uint8), 0.0
    def close(self):
        print("camera closed", flush=True)

class Eye:
    def see(self, picture, t):
        return []

class Ears:
    def hear(self, sighting, view):
        return []
    def close(self):
        return []

async def page():
    print("open", flush=True)
    import asyncio
    await asyncio.Event().wait()

with Journal.open(sys.argv[1]) as journal:
    session = Session(journal)
    Runtime(Table(session, Ears()), Watching(Camera, Eye())).run(page)
print("journal closed", flush=True)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_the_table_ends_cleanly_on_ctrl_c_and_when_the_system_shuts_down(tmp_path: Path, number: int) -> None:
    # Under nohup or behind a shell, tests inherit ignored signals.
    table = subprocess.Popen(
        ["env", "--default-signal=INT,HUP", sys.executable, "-c", ENDLESS, str(tmp_path / "e.sqlite")],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert table.stdout is not None
    assert table.stdout.readline() == "open\n"
    os.kill(table.pid, number)
    said, _ = table.communicate(timeout=60)
    assert said == "camera closed\njournal closed\n"
    assert table.returncode == 0


def test_a_table_that_was_started_with_nohup_outlives_its_terminal(tmp_path: Path) -> None:
    table = subprocess.Popen(
        ["nohup", sys.executable, "-c", ENDLESS, str(tmp_path / "e.sqlite")],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert table.stdout is not None
    assert table.stdout.readline() == "open\n"
    os.kill(table.pid, signal.SIGHUP)
    os.kill(table.pid, signal.SIGTERM)
    said, _ = table.communicate(timeout=60)
    assert said == "camera closed\njournal closed\n"
