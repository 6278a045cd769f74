"""A round of Dubbe in words: which character came, grew or moved, who booked what, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from table.rules.story import Entry, Story, Texts
from table.rules.words import character, colour, signed

_TEXT: Texts = {
    "trump": ("Trumpf {colour}", "trump {colour}"),
    "no trump": ("kein Trumpf", "no trump"),
    "settlement": ("Abrechnung", "Settlement"),
    "black": ("Schwarzer Würfel", "Black die"),
    "black lies": ("Schwarzer Würfel bei {who}, zeigt {value}", "Black die with {who}, showing {value}"),
    "touch": ("fasst an: schwarzer Würfel", "touches: black die"),
    "D-22": ("NEU {name} (Würfel {value}) zu {owner}", "NEW {name} (die {value}) to {owner}"),
    "D-23": ("{name} bleibt bei {owner}, Würfel {value}", "{name} stays with {owner}, die {value}"),
    "D-24": (
        "{name}: {seat} bucht {points}; Würfel {value}, zu {owner}",
        "{name}: {seat} books {points}; die {value}, to {owner}",
    ),
    "D-28": ("{name} geht zu {owner}, nichts gebucht", "{name} goes to {owner}, nothing booked"),
}
_WHY: Texts = {
    "D-22": (
        "Die angespielte Farbe hatte noch keinen Charakter: der nächste in der Reihe kommt mit dem Stich.",
        "The led colour had no character yet: the next in order comes with the trick.",
    ),
    "D-23": (
        "Der Besitzer gewinnt den Stich in der Farbe seines Charakters: nur der Würfel steigt.",
        "The owner wins the trick in his character's colour: only the die goes up.",
    ),
    "D-24": (
        "Ein anderer gewinnt den Stich dieser Farbe: der alte Besitzer bucht, dann steigt der Würfel.",
        "Somebody else wins the trick in this colour: the old owner books, then the die goes up.",
    ),
    "D-28": (
        "Jo Lossen wechselt nur den Besitzer; sein Würfel bleibt auf 3.",
        "Jo Lossen only changes hands; his die stays at 3.",
    ),
    "D-29": ("Jo Lossen zählt am Ende einmal 3.", "Jo Lossen counts 3 once, at the end."),
    "D-33": ("Am Ende zählt jeder Würfel noch einmal.", "At the end every die counts once more."),
    "D-44": ("Der schwarze Würfel zählt am Ende einmal.", "The black die counts once, at the end."),
}


@dataclass(frozen=True)
class DubbeStory(Story):
    """Dubbe's ledger: characters, dice, bookings."""

    texts = _TEXT
    reasons = _WHY

    def head(self, entry: Entry) -> Iterator[str]:
        """Yield the dealer and trump."""
        yield from super().head(entry)
        shade = colour(entry["trump"], self.language)
        yield self.text("trump", colour=shade) if entry["trump"] else self.text("no trump")

    def notes(self, entry: Entry, trick: Entry) -> Iterator[str]:
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

    def after(self, entry: Entry) -> Iterator[str]:
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
            yield f"  {self.text('black lies', who=self.who(black['owner']), value=black['value'])}"
