"""`firmware_bridge/README.md`: its example runs as it is, on the board in Python and on the firmware."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.firmware_bridge.tools import tools_missing

FOLDER = Path(__file__).parents[2] / "firmware_bridge"
(EXAMPLE,) = re.findall(r"```python\n(.*?)```", (FOLDER / "README.md").read_text(), re.S)


@pytest.mark.parametrize("port", ["loopback", "emulated"])
def test_the_example_runs_and_needs_nothing_of_the_table(port: str) -> None:
    if port == "emulated" and (missing := tools_missing()):
        pytest.skip(f"no emulated board without: apt install {' '.join(missing)}")
    assert len(EXAMPLE.splitlines()) == 10
    strangers = "import sys; print([n for n in ('table', 'vision', 'numpy', 'cv2') if n in sys.modules])"
    ran = subprocess.run(
        [sys.executable, "-c", EXAMPLE.replace('"auto"', f'"{port}"') + strangers],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert ran.returncode == 0, ran.stderr
    *_, status, imported = ran.stdout.splitlines()
    assert f"LinkStatus(connected=True, port='{port}'" in status
    assert "shown=30, " in status
    assert imported == "[]"
