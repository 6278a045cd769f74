"""A round of Dubbe in words: which character came, grew or moved, who booked what, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from table.rules.story import LedgerEntry, Story
from table.rules.words import character, colour, signed


@dataclass(frozen=True)
class DubbeStory(Story):
    """Dubbe's ledger: characters, dice, bookings."""

    room = "dubbe"

    def head(self, entry: LedgerEntry) -> Iterator[str]:
        """Yield the dealer and trump."""
        yield from super().head(entry)
        shade = colour(entry["trump"], self.language)
        yield self.text("trump", colour=shade) if entry["trump"] else self.text("no-trump")

    def notes(self, entry: LedgerEntry, trick: LedgerEntry) -> Iterator[str]:
        """Yield what became of the led colour's character, and whose hand was where it should not be."""
        for change in trick["changes"]:
            stays = change["rule"] == "D-28" and change["seat"] == change["owner"]
            yield self.text(
                "D-23" if stays else change["rule"],
                name=character(change["character"]),
                seat=self.who(change["seat"]),
                owner=self.who(change["owner"]),
                value=change["value"],
                points=signed(change["points"]),
            )
        for touch in entry["touches"]:
            if touch["trick"] == trick["trick"]:
                yield f"{self.who(touch['seat'])} {self.text('touch')}"

    def after(self, entry: LedgerEntry) -> Iterator[str]:
        """Yield the settlement and the black die."""
        if entry["settlement"]:
            yield f"  {self.text('settlement')}: " + ", ".join(
                f"{character(c['character'])} {self.who(c['seat'])} {signed(c['points'])}"
                for c in entry["settlement"]
            )
            yield from self.why(*dict.fromkeys(change["rule"] for change in entry["settlement"]))
        black = entry["black_die"]
        if black and entry["complete"]:
            yield f"  {self.text('black')}: {self.who(black['owner'])} {signed(-black['value'])}"
            yield from self.why("D-44")
        elif black:
            yield f"  {self.text('black-lies', who=self.who(black['owner']), value=black['value'])}"
