"""The same log has the same hash on another Python: npm's `pyodide` is a CPython that runs in Node."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from table.rules import Referee
from table.rules.dice_evening import evening as throws
from table.rules.evening import evening
from tests.rules.folded import state_hash

ROOT = Path(__file__).parents[2]
EVENINGS = (
    ("dubbe", "dubbe", 4),
    ("dulle", "dulle", 4),
    ("doppelkopf", "ddv", 4),
    ("doppelkopf", "bundeswehr", 5),
    ("klapper-jas", "klapper-jas", 3),
)
SCRIPT = """
const { loadPyodide } = await import(process.argv[2]);
const python = await loadPyodide();
for (const [inside, outside] of [["/house", process.argv[3]], ["/logs", process.argv[4]]]) {
  python.FS.mkdir(inside);
  python.FS.mount(python.FS.filesystems.NODEFS, { root: outside }, inside);
}
python.runPython(`
import pathlib, sys
sys.dont_write_bytecode = True
sys.path.insert(0, "/house")
from table.rules import Referee, parse
from tests.rules.folded import state_hash
print(sys.version.split()[0])
for log in sorted(pathlib.Path("/logs").glob("*.jsonl")):
    referee = Referee()
    for event in parse(log.read_text("utf-8").splitlines()):
        referee.add(event)
    print(log.name, state_hash(referee))
`);
"""


def logs() -> dict[str, list[dict[str, object]]]:
    found = {}
    for game, preset, players in EVENINGS:
        opening = {"kind": "game", "game": game, "preset": preset}
        seats = [f"S{n}" for n in range(1, players + 1)]
        found[f"{preset}.jsonl"] = [
            event.to_dict() for event in evening(opening | {"seats": seats}, 7, rounds=3)
        ]
    box = {"kind": "game", "game": "doppelx", "players": ["blue", "red", "green"], "bets": ["A", "B"]}
    return found | {"doppelx.jsonl": [event.to_dict() for event in throws(box, 2)]}


@pytest.mark.soak
def test_another_python_has_the_same_hashes(tmp_path: Path) -> None:
    """Issue 4. Run `npm install pyodide` and set PYODIDE to the folder node_modules/pyodide."""
    node, pyodide = shutil.which("node"), os.environ.get("PYODIDE")
    if node is None or pyodide is None:
        pytest.skip("needs Node, and PYODIDE to name the folder of npm's pyodide")
    script = tmp_path / "hashes.mjs"
    script.write_text(SCRIPT)
    (tmp_path / "logs").mkdir()
    wanted = []
    for name, log in sorted(logs().items()):
        (tmp_path / "logs" / name).write_text("\n".join(map(json.dumps, log)))
        referee = Referee()
        for event in log:
            referee.add(event)
        wanted.append(f"{name} {state_hash(referee)}")
    module = str(Path(pyodide).resolve() / "pyodide.mjs")
    command = [node, str(script), module, str(ROOT), str(tmp_path / "logs")]
    version, *told = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    print(f"{len(told)} logs have the same hash on {version} and {sys.version.split()[0]}")
    assert told == wanted
