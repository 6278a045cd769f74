"""The resources of the table's processes are reported for Prometheus."""

from __future__ import annotations

import logging
import os
import pwd
import re
import subprocess
import sys
from pathlib import Path

from firmware_bridge.status import LinkStatus
from table.journal import Journal
from table.live import HearsNothing, Table
from table.processes import LogVolume, samples, text
from table.session import Session
from table.web.metrics import of_table
from tests.table.running_page import OPENING


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
    assert {"memory_bytes", "cpu_seconds_total", "handles", "threads", "written_bytes_total"} == set(
        re.findall(rf'stammtisch_process_(\w+){{process="[^"]+",pid="{child.pid}"}} [\d.]+', told)
    )
    assert told.count("# TYPE stammtisch_process_memory_bytes gauge") == 1
    assert re.search(r"^stammtisch_log_bytes_total \d+$", told, re.M)


def test_the_log_is_counted_in_bytes() -> None:
    volume = LogVolume()
    volume.handle(logging.makeLogRecord({"msg": "für %s", "args": ("Anna",)}))
    assert volume.bytes == len("für Anna\n".encode())


def test_the_processes_of_the_screen_s_user_count_too() -> None:
    """Our own user stands in for the screen's; another user's processes do not tell us their handles."""
    me = pwd.getpwuid(os.getuid()).pw_name
    pipe = subprocess.PIPE
    with subprocess.Popen(["cat"], stdin=pipe, stdout=pipe, start_new_session=True, bufsize=0) as cat:
        assert cat.stdin
        assert cat.stdout
        cat.stdin.write(b"here\n")
        assert cat.stdout.readline() == b"here\n", "it runs, and bears its own name"
        told = text(samples(beside=me))
        cat.communicate()
    assert told.count(f'stammtisch_process_memory_bytes{{process="cat",pid="{cat.pid}"}}') == 1
    alone = text(samples(beside="nobody of that name"))
    assert len(re.findall(rf'^stammtisch_process_memory_bytes.*pid="{os.getpid()}"', alone, re.M)) == 1


def test_the_table_tells_how_its_parts_are_and_what_its_journal_takes(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        table = Table(Session(journal), HearsNothing())
        table.session.begin(OPENING)
        status = LinkStatus(True, "/dev/ttyUSB0", None, 812, 3, 1, 2, 0, None, None)
        table.link = lambda: status
        table.frames_hz = lambda: 14.987
        table.frames_seen = lambda: 0.5
        told = text(of_table(table, 12.3))
    page = (Path(__file__).parents[2] / "docs" / "reference" / "http.md").read_text("utf-8")
    named = [name.replace("…", r"\w+") for name in re.findall(r"`(stammtisch_[\w…]+)", page)]
    for name in set(re.findall(r"^(stammtisch_\w+)", told + text(samples()), re.M)):
        assert any(re.fullmatch(each, name) for each in named), f"docs/reference/http.md lacks {name}"
    for line in (
        "stammtisch_up_seconds 12.3",
        "stammtisch_frames_per_second 14.99",
        "stammtisch_frames_seen_ratio 0.5",
        "stammtisch_game_lines 3",
        "stammtisch_board_pictures_total 812",
        "stammtisch_board_repeated_total 3",
        'stammtisch_part_well{part="journal"} 1',
        f'stammtisch_journal_bytes{{file="journal"}} {(tmp_path / "evening.sqlite").stat().st_size}',
    ):
        assert f"{line}\n" in told
