"""One line of the doctor: what was examined, whether it is well, what was found, and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from table.catalogue import Fact, Language, tell


@dataclass(frozen=True, slots=True)
class CheckupLine:
    """`well` is None where there was nothing to examine, or nothing is known."""

    part: str
    well: bool | None
    said: Fact
    remedy: Fact | None = None

    def line(self, language: Language = "en") -> str:
        """What was found and what to do, as one sentence for people."""
        said = tell(self.said, language)
        return said if self.remedy is None else f"{said}; {tell(self.remedy, language)}"

    def told(self, language: Language = "en") -> dict[str, Any]:
        """As `/api/doctor` gives it."""
        remedy = "" if self.remedy is None else tell(self.remedy, language)
        return {"part": self.part, "well": self.well, "said": tell(self.said, language), "remedy": remedy}
