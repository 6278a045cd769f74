"""What the table's processes use is counted for Prometheus."""

from __future__ import annotations

import logging
import re
import subprocess
import sys

from table.processes import LogVolume, samples, text


def test_each_process_says_what_it_uses() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", "print('up', flush=True); input()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        told = text(samples())
        child.communicate(b"\n")
    assert {"memory_bytes", "cpu_seconds_total", "handles", "written_bytes_total"} == set(
        re.findall(rf'stammtisch_process_(\w+){{process="[^"]+",pid="{child.pid}"}} [\d.]+', told)
    )
    assert told.count("# TYPE stammtisch_process_memory_bytes gauge") == 1
    assert re.search(r"^stammtisch_log_bytes_total \d+$", told, re.M)


def test_the_log_is_counted_in_bytes() -> None:
    volume = LogVolume()
    volume.handle(logging.makeLogRecord({"msg": "für %s", "args": ("Anna",)}))
    assert volume.bytes == len("für Anna\n".encode())
