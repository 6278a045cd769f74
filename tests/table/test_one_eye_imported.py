"""A start imports only the eye that its table needs: both would delay the first frame by a tenth."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.shared import shared

READ_IN = """
import argparse, sys
from table.cli.seeing import eye_for
from table.settings import read_table
from vision.errors import DeckError
options = argparse.Namespace(deck="nowhere", dice="nowhere", partial=None)
try:
    eye_for(options, read_table(sys.argv[1]), lambda: None)
except DeckError:
    print(*sorted({name.rpartition(".")[0] for name in sys.modules if name.endswith(".pipeline")}))
"""


@pytest.mark.parametrize(("film", "eye"), [("dev-dubbe4", "vision.mat"), ("dev-doppelx6", "vision.box")])
def test_a_table_reads_in_its_own_eye_alone(film: str, eye: str) -> None:
    command = [sys.executable, "-c", READ_IN, str(shared(f"footage/{film}/table.toml"))]
    said = subprocess.run(command, capture_output=True, text=True, check=True)
    assert said.stdout.splitlines()[-1].split() == [eye]
