"""The change to another release: never during a game, watched, and rolled back if the release does not work.

    install beside ─> wait for a pause ─> copy the journal ─> switch ─> watch ─> proven
                                                                └───────> roll back, and say why

What worked before has to work afterwards: the page answers from the new release, no line of the journal is
missing, and each part (camera, lamp board, …) that was fine is fine again, for a whole minute and in one
process. The state before the switch is stored in a file, so that after a power cut in the middle the next
`settle`, which the proven release runs every few minutes, can go on from it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from table.errors import StammtischError
from table.releases.machine import Machine, TableAnswer
from table.whole_file import replace_whole

START_S = 120.0
"""How long a release may take until all is well: its first start learns the deck again."""

STEADY_S = 60.0
"""How long a release has to stay well: twice the watchdog's timeout."""

LOOK_S = 2.0

TRIAL = "trial.json"

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Trial:
    """The state before a switch: which release is tried, what the table reported, the copy of its journal."""

    name: str
    before: TableAnswer | None
    journal: Path | None

    def keep(self, file: Path) -> None:
        """Write the trial so that a power cut leaves all of it or nothing."""
        journal = None if self.journal is None else str(self.journal)
        plain = {"name": self.name, "before": self.before and self.before.plain(), "journal": journal}
        replace_whole(file, json.dumps(plain).encode())

    @classmethod
    def kept(cls, file: Path) -> Trial | None:
        """The trial in progress; None if there is none."""
        try:
            said = json.loads(file.read_text("utf-8"))
            before = None if said["before"] is None else TableAnswer.read(said["before"])
            return cls(said["name"], before, None if said["journal"] is None else Path(said["journal"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None


class Changeover:
    """Moves a machine from one release to another. `say` is called with one sentence for each step."""

    def __init__(self, machine: Machine, say: Say = print) -> None:
        self._machine = machine
        self._shelf = machine.shelf
        self._file = self._shelf.base / TRIAL
        self._say = say

    def settle(self) -> bool:
        """Do what is due: judge the release on trial, or change to the one that waits, if nobody plays.

        Return False if a release had to be rolled back.
        """
        if (tried := self._shelf.on_trial) is not None and self._shelf.named("proven") is not None:
            self._machine.furnish(tried)  # a power cut may have come before its files were in place
            return self._judge()
        current, trial = self._shelf.named("current"), Trial.kept(self._file)
        if current is not None and trial is not None:
            if trial.name == current:
                self._end()  # a power cut came just after the release had been proven
            else:
                self._come_back(current, trial)  # a power cut came during the rollback
        waiting = self._shelf.named("next")
        if waiting is None:
            return True
        if (why := self.why_not_now()) is not None:
            self._say(f"{waiting} waits: {why}")
            return True
        return self.change_to(waiting)

    def why_not_now(self) -> str | None:
        """The reason against a change at this moment, in words; None if there is none."""
        if not self._machine.runs() or not self._machine.is_active():
            return None
        answer = self._machine.answer()
        if answer is None:
            return "the table is running and does not say whether a game is being played"
        return "a game is being played" if answer.playing else None

    def change_to(self, name: str) -> bool:
        """Switch to a release and watch it; return False if it was rolled back.

        Raises:
            StammtischError: the change failed; the text says why and, if the release stays, what to look at.
        """
        self._shelf.look_for(name)
        old = self._shelf.named("current")
        if name == old == self._shelf.named("proven"):
            return self._runs_already(name)
        if name == self._shelf.on_trial and self._shelf.named("proven") is not None:
            return self._judge()
        before = self._machine.answer() if self._machine.runs() else None
        copied = None if old is None else self._machine.copy_journal(old)
        Trial(name, before, copied).keep(self._file)
        if self._shelf.named("next") not in (None, name):
            self._shelf.drop("next")  # the waiting release was chosen earlier and would undo this choice
        self._switch(name)
        if old is None or not self._machine.runs():
            if old is None or self._shelf.named("proven") is None:
                self._shelf.point("proven", name)  # the first release: there is nothing to roll back to
                self._end()
            if not self._machine.runs():
                self._say(f"{name}: is installed; it starts with the computer")
                return True
        if old is None:
            return self._first(name)
        return self._judge()

    def _runs_already(self, name: str) -> bool:
        if self._shelf.named("next") == name:
            self._shelf.drop("next")
        self._machine.start()
        self._say(f"{name}: is already running")
        return True

    def _first(self, name: str) -> bool:
        if (wrong := self._watch(Trial(name, None, None))) is not None:
            raise StammtischError(
                f"{name} is installed but does not run well: {wrong}; see: journalctl -u stammtisch"
            )
        self._say(f"{name}: is installed and runs; its page: {self._machine.page}")
        self._say("what it still lacks: sudo stammtisch doctor")
        return True

    def _judge(self) -> bool:
        """Wait until the release on trial is well, then mark it as proven; otherwise roll back."""
        name, proven = self._shelf.named("current"), self._shelf.named("proven")
        assert name is not None
        assert proven is not None
        trial = Trial.kept(self._file)
        if trial is None or trial.name != name:
            trial = Trial(name, None, None)
        wrong = self._watch(trial)
        if wrong is None:
            self._shelf.point("proven", name)
            self._end()
            self._say(f"{name}: runs and is well; it replaced {proven}")
            return True
        self._shelf.fail(name, wrong)
        self._say(f"{name}: {wrong}; going back to {proven}")
        self._go_back(proven, trial)
        return False

    def _watch(self, trial: Trial) -> str | None:
        """What is wrong with a release, in words; None if it got well and stayed so."""
        began = self._machine.now()
        well_since, process = 0.0, None
        while True:
            now, answer = self._machine.now(), self._machine.answer()
            wrong = _compare(trial, answer)
            if wrong is None and answer is not None and process in (None, answer.process):
                well_since, process = well_since if process else now, answer.process
                if now - well_since >= STEADY_S:
                    return None
            elif process is not None:
                return f"{wrong or 'it was restarted'}, {now - well_since:.0f} s after all was well"
            elif now - began > START_S:
                return f"{wrong} after {START_S:.0f} s"
            self._machine.wait(LOOK_S)

    def _go_back(self, proven: str, trial: Trial) -> None:
        self._machine.stop()
        self._shelf.point("current", proven)
        self._come_back(proven, trial)

    def _come_back(self, proven: str, trial: Trial) -> None:
        """Make the proven release run as before the trial; repeated after a power cut in the middle.

        Raises:
            StammtischError: the proven release does not answer either.
        """
        self._machine.furnish(proven)
        if trial.journal is not None and trial.journal.exists() and self._machine.outgrown(trial.journal):
            # The copy helps in no other case: lines that came after it would be lost for nothing.
            self._say(
                f"{proven}: cannot read what {trial.name} wrote; its earlier journal is restored, the "
                "newer one is kept beside it"
            )
            self._machine.stop()
            try:
                self._machine.restore_journal(proven, trial.journal)
            finally:
                self._machine.start()
        else:
            self._machine.start()
        answers = self._answers(proven)
        self._end()
        if not answers:
            raise StammtischError(f"{proven} does not answer either; see: journalctl -u stammtisch")

    def _answers(self, name: str) -> bool:
        began = self._machine.now()
        while self._machine.now() - began <= START_S:
            answer = self._machine.answer()
            if answer is not None and answer.release == name:
                return True
            self._machine.wait(LOOK_S)
        return False

    def _switch(self, name: str) -> None:
        self._machine.stop()
        self._shelf.point("current", name)
        self._machine.furnish(name)
        if self._shelf.named("next") == name:
            self._shelf.drop("next")
        self._machine.start()

    def _end(self) -> None:
        trial = Trial.kept(self._file)
        if trial is not None and trial.journal is not None and self._shelf.on_trial is None:
            trial.journal.unlink(missing_ok=True)
        self._file.unlink(missing_ok=True)


def _compare(trial: Trial, answer: TableAnswer | None) -> str | None:
    """What is worse than before, in words; None if all is well."""
    if answer is None:
        return "the page does not answer"
    if answer.release != trial.name:
        return f"the page answers from {answer.release or 'a program that was not installed'}"
    if trial.before is None:
        return None
    if answer.newest < trial.before.newest:
        return "lines of the journal are missing"
    worse = [
        part
        for part, what in trial.before.parts.items()
        if what == "fine" and answer.parts.get(part) != "fine"
    ]
    return f"{', '.join(worse)} worked before but not now" if worse else None
