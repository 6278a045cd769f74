"""Resources used by this process and its children, for Prometheus.

Format: https://prometheus.io/docs/instrumenting/exposition_formats/. Linux only: read from /proc (proc(5)).
"""

from __future__ import annotations

import logging
import os
import pwd
import resource
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple


class Sample(NamedTuple):
    """One value: `kind` is counter or gauge, `labels` include their braces."""

    name: str
    kind: str
    value: float
    labels: str = ""


class LogVolume(logging.Handler):
    """Counts the bytes of the log."""

    def __init__(self) -> None:
        super().__init__()
        self.bytes = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Count the bytes of one line."""
        self.bytes += len(self.format(record).encode("utf-8", "replace")) + 1


_VOLUME = LogVolume()


def count_log() -> None:
    """Count the bytes of every log line from now on."""
    if _VOLUME not in logging.getLogger().handlers:
        logging.getLogger().addHandler(_VOLUME)


def text(samples: Iterable[Sample]) -> str:
    """The samples in Prometheus' text format; those of one name must follow each other."""
    lines: list[str] = []
    name = ""
    for sample in samples:
        if sample.name != name:
            name = sample.name
            lines.append(f"# TYPE {name} {sample.kind}")
        lines.append(f"{name}{sample.labels} {sample.value}")
    return "\n".join(lines) + "\n"


def samples(beside: str | None = None) -> list[Sample]:
    """Memory, CPU time, threads, handles and bytes written of each process, and the volume of our log.

    `beside` is another user whose processes belong to the table, too; only root can read their handles
    and bytes written.
    """
    ours = dict.fromkeys((os.getpid(), *_children(os.getpid()), *_of_user(beside)))
    found = [sample for pid in ours for sample in _process(pid)]
    ended = os.times()
    gone_s = ended.children_user + ended.children_system
    found.append(Sample("stammtisch_ended_processes_cpu_seconds_total", "counter", round(gone_s, 2)))
    found.append(Sample("stammtisch_log_bytes_total", "counter", _VOLUME.bytes))
    return sorted(found, key=lambda sample: sample.name)


def cpu_s(pid: int) -> float:
    """CPU seconds of a process and all its descendants, ended ones included; 0 if it is gone."""
    total = 0.0
    for each in (pid, *_children(pid)):
        with suppress(OSError):
            used = Path(f"/proc/{each}/stat").read_text("utf-8").rpartition(")")[2].split()
            total += sum(int(ticks) for ticks in used[11:15]) / os.sysconf("SC_CLK_TCK")
    return total


def _children(pid: int) -> Iterator[int]:
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text("utf-8").split():
                yield int(child)
                yield from _children(int(child))


def _of_user(name: str | None) -> Iterator[int]:
    try:
        user = -1 if name is None else pwd.getpwnam(name).pw_uid
    except KeyError:  # this computer has no such user
        return
    if user < 0:
        return
    for place in Path("/proc").iterdir():
        with suppress(OSError):
            if place.name.isdigit() and place.stat().st_uid == user:
                yield int(place.name)


def _process(pid: int) -> Iterator[Sample]:
    own = Path(f"/proc/{pid}")
    with suppress(OSError, KeyError, IndexError):  # the process has just ended, or is another user's
        name = (own / "comm").read_text("utf-8").strip().replace('"', "'").replace("\\", "/")
        labels = f'{{process="{name}",pid="{pid}"}}'
        used = (own / "stat").read_text("utf-8").rpartition(")")[2].split()
        seconds = (int(used[11]) + int(used[12])) / os.sysconf("SC_CLK_TCK")
        yield Sample("stammtisch_process_cpu_seconds_total", "counter", seconds, labels)
        pages = int((own / "statm").read_text("utf-8").split()[1])
        yield Sample("stammtisch_process_memory_bytes", "gauge", pages * resource.getpagesize(), labels)
        yield Sample("stammtisch_process_threads", "gauge", int(used[17]), labels)
        yield Sample("stammtisch_process_handles", "gauge", len([*(own / "fd").iterdir()]), labels)
        told = dict(line.split(": ") for line in (own / "io").read_text("utf-8").splitlines())
        yield Sample("stammtisch_process_written_bytes_total", "counter", int(told["write_bytes"]), labels)
