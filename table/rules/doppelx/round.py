"""One game of DoppelX as people see it: what may be said, what is shown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from table.rules.doppelx import shown
from table.rules.doppelx.fold import DoppelXFold
from table.rules.sayings import THROW, Saying


class DoppelXRound(DoppelXFold):
    """A game of DoppelX, or the deciding game of those who tied in the one before (X-30)."""

    def may_say(self, seat: int) -> Iterable[Saying]:
        """Return what anybody may confirm: which die the spinner flung."""
        if any(prompt.what == "spinner?" for prompt in shown.prompts(self)):
            yield from (Saying(f"spinner:{colour}", THROW, seated=False) for colour in self.colours)

    def shown(self) -> dict[str, Any]:
        """Return the box, who throws next and what should be done, as fields of the View."""
        return shown.view_fields(self)

    def ledger(self) -> dict[str, Any]:
        """Return the game throw by throw: every die, what it scored and why, the totals after it."""
        return shown.ledger(self)
