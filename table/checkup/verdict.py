"""One line of the doctor's: what was looked at, whether it is well, what was found, and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple


class Words(NamedTuple):
    """The same in both languages; empty where there is nothing to say."""

    en: str = ""
    de: str = ""


NOTHING = Words()


@dataclass(frozen=True, slots=True)
class CheckupLine:
    """`well` is None where there was nothing to look at, or nothing is known."""

    part: str
    well: bool | None
    said: Words
    remedy: Words = NOTHING

    def line(self, language: str = "en") -> str:
        """What was found and what to do, as one sentence for people."""
        index = language == "de"
        said, remedy = self.said[index] or self.said.en, self.remedy[index] or self.remedy.en
        return f"{said}; {remedy}" if remedy else said

    def told(self, language: str = "en") -> dict[str, Any]:
        """As `/api/doctor` gives it."""
        index = language == "de"
        said, remedy = self.said[index] or self.said.en, self.remedy[index] or self.remedy.en
        return {"part": self.part, "well": self.well, "said": said, "remedy": remedy}
