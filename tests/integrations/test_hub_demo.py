"""`stammtisch hub demo` ends with all that it started, however it is ended."""

import contextlib
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from table.hub.engines import free_port
from tests.integrations.engines import until


def _runs(words: str) -> bool:
    """Whether a process has these words in its command line."""
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if words.encode() in file.read_bytes():
                return True
    return False


def _pid_of(words: bytes, port: str) -> int:
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            line = file.read_bytes()
            if words in line and f"\0{port}\0".encode() in line:
                return int(file.parent.name)
    raise AssertionError(f"no process {words!r} at {port}")


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGHUP])
def test_the_hubs_demo_leaves_no_database_behind(end: signal.Signals, dsn: str) -> None:
    """SIGHUP: its terminal was closed. The signal comes while the tables are being started."""
    words = ("hub", "demo", "--tables", "1", "--port", str(free_port()))
    # Tests that run under nohup inherit that SIGHUP is ignored.
    command = ["env", "--default-signal=HUP", sys.executable, "-m", "table", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as demo:
        try:
            assert demo.stdout is not None
            said = ""
            while not (found := re.search(r"database: host=(\S+)", said)):
                said += (line := demo.stdout.readline())
                assert line, "the demo did not start"
            assert _runs(found[1])
            demo.send_signal(end)
            demo.communicate(timeout=60)
        finally:
            demo.kill()  # a demo that did not end is not left behind, and its watchdog ends the rest
    until(lambda: not _runs(str(Path(found[1]).parent)))  # its table, too, begun just when the signal came


def test_the_hubs_demo_that_is_killed_leaves_nothing_behind(dsn: str) -> None:
    """Its tables played on, and broker and database stayed, until somebody found them."""
    words = ("hub", "demo", "--tables", "1", "--port", str(free_port()))
    command = [sys.executable, "-m", "table", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as demo:
        assert demo.stdout is not None
        said = ""
        while "table window:" not in said:
            said += (line := demo.stdout.readline())
            assert line, "the demo did not start"
        found = re.search(r"database: host=(\S+)/database", said)
        assert found is not None
        assert _runs(f"{found[1]}/window.sqlite")
        demo.kill()
        demo.wait()
    until(lambda: not _runs(found[1]))
    assert not Path(found[1]).exists()


def test_ctrl_c_ends_the_hubs_demo_without_a_complaint(dsn: str) -> None:
    """The terminal sends it to all: the broker ended first, and everybody told that it was gone."""
    words = ("hub", "demo", "--tables", "1", "--port", str(free_port()))
    # Tests that run in the background of a shell inherit that SIGINT is ignored.
    command = ["env", "--default-signal=INT", sys.executable, "-m", "table", *words]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    ) as demo:
        try:
            assert demo.stdout is not None
            said = ""
            while said.count("http:") < 2:  # the table's page and the hub's
                said += (line := demo.stdout.readline())
                assert line, f"the demo did not start: {said}"
            os.killpg(demo.pid, signal.SIGINT)
            rest = demo.communicate(timeout=60)[0]
        finally:
            demo.kill()  # a demo that did not end is not left behind, and its watchdog ends the rest
    assert "broker" not in rest
    assert demo.returncode in (0, 130)


def test_the_hubs_demo_ends_when_its_hub_has_ended_without_an_error(dsn: str) -> None:
    """It waited on, for a hub that was gone."""
    words = ("hub", "demo", "--tables", "1", "--port", str(free_port()))
    command = [sys.executable, "-m", "table", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as demo:
        try:
            assert demo.stdout is not None
            said = ""
            while said.count("http:") < 2:  # the table's page and the hub's
                said += (line := demo.stdout.readline())
                assert line, f"the demo did not start: {said}"
            hub = _pid_of(b"\0hub\0serve\0", words[-1])
            os.kill(hub, signal.SIGTERM)
            rest = demo.communicate(timeout=60)[0]
        finally:
            demo.kill()
    assert "the hub has ended by itself (status 0)" in rest
    assert demo.returncode == 1
