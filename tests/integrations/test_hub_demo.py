"""`stammtisch hub demo` ends everything that it started, however it is ended."""

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
    """SIGHUP means that its terminal was closed. It comes while the tables are being started."""
    words = ("hub", "demo", "--tables", "1", "--port", str(free_port()))
    # Tests under nohup inherit an ignored SIGHUP.
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
            demo.kill()  # leave no demo behind that did not end; its watchdog ends the rest
    until(lambda: not _runs(str(Path(found[1]).parent)))  # also the table that had just begun


def test_the_hubs_demo_that_is_killed_leaves_nothing_behind(dsn: str) -> None:
    """Its tables once played on, and broker and database stayed until somebody found them."""
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
        # Linux shows no command line for a moment after the exec that ends `Popen`.
        until(lambda: _runs(f"{found[1]}/window.sqlite"))
        demo.kill()
        demo.wait()
    until(lambda: not _runs(found[1]))
    assert not Path(found[1]).exists()


def test_ctrl_c_ends_the_hubs_demo_without_a_complaint(dsn: str) -> None:
    """The terminal sends it to all: once the broker ended first, and everybody reported it lost."""
    words = ("hub", "demo", "--tables", "1", "--port", str(free_port()))
    # Tests in the background of a shell inherit an ignored SIGINT.
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
            demo.kill()  # leave no demo behind that did not end; its watchdog ends the rest
    assert "broker" not in rest
    assert demo.returncode in (0, 130)


def test_the_hubs_demo_ends_when_its_hub_has_ended_without_an_error(dsn: str) -> None:
    """It once went on waiting for a hub that was gone."""
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
