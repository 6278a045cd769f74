"""A computer that runs a table, in a folder: real releases on a real shelf, a clock that the test moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from table.errors import StammtischError
from table.releases.changeover import Changeover
from table.releases.machine import Machine, TableAnswer
from table.releases.shelf import WHOLE, Shelf

Fault = Callable[[TableAnswer, float], TableAnswer | None]
"""Turns a good release's answer into a faulty one, given the seconds since its start."""

FINE = {"camera": "fine", "board": "fine", "journal": "fine"}


class PowerCutError(BaseException):
    """The plug is pulled at this very moment."""


class Pub(Machine):
    """A machine whose service answers like the release that `current` named when it started."""

    def __init__(self, root: Path) -> None:
        super().__init__(Shelf(root))
        self.said: list[str] = []
        self.faults: dict[str, Fault] = {}
        self.playing = False
        self.camera = "fine"
        self.lines = 41
        self.form = 2
        self.forms: dict[str, int] = {}
        self.power_cut_at: Callable[[], bool] = lambda: False
        self._time = 1000.0
        self._running: tuple[str, float] | None = None
        self._process = 100

    # --- what a test says and asks -------------------------------------------------------------------

    def has(self, name: str, fault: Fault | None = None, form: int = 2) -> str:
        """Put a release on the shelf."""
        place = self.shelf.path(name)
        (place / "deploy").mkdir(parents=True)
        (place / "deploy" / "stammtisch.service").write_text(f"# of {name}\n")
        (place / WHOLE).write_text(name)
        self.forms[name] = form
        if fault is not None:
            self.faults[name] = fault
        return name

    def change(self) -> Changeover:
        return Changeover(self, self.said.append)

    def unit(self) -> str:
        return (self.shelf.root / "etc/systemd/system/stammtisch.service").read_text()

    def boots(self) -> None:
        """Start again after the plug was pulled."""
        self.power_cut_at = lambda: False
        self._running = None
        self.start()

    def furnish(self, name: str) -> None:
        self._cut()
        super().furnish(name)

    # --- the machine ---------------------------------------------------------------------------------

    def runs(self) -> bool:
        return True

    def is_active(self) -> bool:
        return self._running is not None

    def stop(self) -> None:
        self._cut()
        self._running = None

    def start(self) -> None:
        self._cut()
        name = self.shelf.named("current")
        assert name is not None
        self._process += 1
        self._running = (name, self._time)
        if self.form < self.forms[name]:
            self.form = self.forms[name]  # a newer program rewrites the journal

    def answer(self) -> TableAnswer | None:
        self._cut()
        if self._running is None:
            return None
        name, began = self._running
        if self.form > self.forms[name]:
            return None  # it exits with an error and is restarted again and again
        good = TableAnswer(
            self._process, name, self.playing, (3, self.lines), {**FINE, "camera": self.camera}
        )
        return self.faults.get(name, lambda answer, _up_s: answer)(good, self._time - began)

    def now(self) -> float:
        return self._time

    def wait(self, seconds: float) -> None:
        self._time += seconds

    def copy_journal(self, name: str) -> Path | None:
        copy = self.shelf.base / "copy"
        copy.write_text(str(self.form))
        return copy

    def outgrown(self, copy: Path) -> bool:
        return self.form > int(copy.read_text(encoding="utf-8"))

    def restore_journal(self, name: str, copy: Path) -> None:
        self._cut()
        self.form = int(copy.read_text(encoding="utf-8"))

    def _call(self, *command: str, quiet: bool = False) -> bool:
        return True

    def _cut(self) -> None:
        if self.power_cut_at():
            raise PowerCutError


def dead(_answer: TableAnswer, _up_s: float) -> None:
    """The page never comes up."""


def without_camera(answer: TableAnswer, _up_s: float) -> TableAnswer:
    return replace(answer, parts={**answer.parts, "camera": "lost"})


def forgetful(answer: TableAnswer, _up_s: float) -> TableAnswer:
    return replace(answer, newest=(3, answer.newest[1] - 1))


def ends_after_half_a_minute(answer: TableAnswer, up_s: float) -> TableAnswer:
    return replace(answer, process=answer.process + (up_s > 30))


def no_journal_copy(_name: str) -> Path:
    raise StammtischError("no room for a copy")
