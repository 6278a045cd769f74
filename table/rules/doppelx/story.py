"""A game of DoppelX in words, throw by throw: every die, what it scored and why, the totals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from table.rules.doppelx.terms import ALL, read_die
from table.rules.events import Event
from table.rules.story import LedgerEntry, Story
from table.rules.words import colour


@dataclass(frozen=True)
class DoppelXStory(Story):
    """DoppelX' ledger: `Blau 3 auf 2× = 6`, `Rot X im Loch`, `Grün Wette C = 3`."""

    room = "doppelx"

    def who(self, seat: str | None) -> str:
        """Return a player's name; the colour's name for one who is named after his die."""
        return colour(super().who(seat), self.language)

    def head(self, entry: LedgerEntry) -> Iterator[str]:
        """Yield the limit of the game, and who plays a deciding game (X-30)."""
        yield self.text("limit", limit=entry["limit"])
        if len(entry["contenders"]) < len(entry["points"]):
            yield self.text("deciding", who=self._all(entry["contenders"]))

    def _all(self, seats: Sequence[str]) -> str:
        return f" {self.text('and')} ".join(map(self.who, seats))

    def after(self, entry: LedgerEntry) -> Iterator[str]:
        """Yield every throw, and who reached over the edge."""
        for throw in entry["throws"]:
            unseen = f" ({self.text('unseen')})" if throw.get("unseen") else ""
            doppel_x = ", Doppel X" if throw["doppel_x"] else ""
            head = f"  {throw['throw']:2}. {self._thrower(throw)}{unseen}{doppel_x}: "
            yield head + " · ".join(map(self._die, throw["dice"]))
            gains = {seat: chips for seat, chips in throw["gains"].items() if chips}
            totals = ", ".join(f"{self.who(seat)} {chips}" for seat, chips in throw["points"].items())
            yield f"      {self.totals(gains) or self.text('nothing')}; {self.text('total')}: {totals}"
            yield from self.why(*dict.fromkeys(map(_rule, throw["dice"])))
        for edge in entry["over_the_edge"]:
            yield f"  {self.text('edge', who=self.who(edge['player']))}"
        yield from self._tied(entry)

    def deciding(self, entry: LedgerEntry) -> Iterator[str]:
        """Yield the last throw, and who goes on; the totals are shown beside it."""
        for throw in entry["throws"][-1:]:
            dice = " · ".join(map(self._die, throw["dice"]))
            yield f"{self.text('last-throw', who=self._thrower(throw))}: {dice}"
            yield from self.why(*dict.fromkeys(map(_rule, throw["dice"])))
        yield from self._tied(entry)

    def _tied(self, entry: LedgerEntry) -> Iterator[str]:
        if entry["tied"]:
            yield f"  {self.text('tied', who=self._all(entry['tied']))}"

    def _event(self, event: Event, accused: str | None) -> str | None:
        """Return which throw of its game an event was."""
        for entry in self.result["rounds"]:
            for throw in entry["throws"]:
                if throw["event"] == event.id:
                    return self.text("throw", throw=throw["throw"], round=entry["round"])
        return super()._event(event, accused)

    def _doubt(self, number: int) -> str:
        """Describe the dice of a throw that were not read, with a "?" for what is missing."""
        event = self.events.get(number)
        if event is None or event.kind != "throw":
            return super()._doubt(number)
        dice = [read_die(plain) for plain in event.fields["dice"]]
        named = [
            (colour(die.colour, self.language) if die.colour else "?", die) for die in dice if die.unknown
        ]
        told = [
            self.text("lies", die=name, where="?")
            if die.where is None or (die.on_field and die.zone is None)
            else self.text("shows", die=name, face=die.face or "?")
            for name, die in named
        ]
        player = event.get("player")
        whose = (
            self.text("all-of-them" if player == ALL else "somebody")
            if player in (None, ALL)
            else self.who(player)
        )
        return self.text("doubt-throw", who=whose, dice=", ".join(told) or "?")

    def _thrower(self, throw: LedgerEntry) -> str:
        match throw["player"]:
            case None:
                return self.text("whoever")
            case "all":
                return self.text("all")
            case seat:
                return self.who(seat)

    def _die(self, die: LedgerEntry) -> str:
        name, why, face = colour(die["die"], self.language), str(die["why"]), die["face"] or "?"
        if why in ("hole", "outside"):
            return f"{name} {face} {self.text(why)}"
        if why.startswith("bet "):
            lost = "" if die["points"] else f": {self.text('nothing')}"
            return f"{name} {self.text('bet')} {why[4:]}{lost}"
        if why == "Doppel X" and not die["points"]:  # all others, and a second X of the same player
            return f"{name} {face}: {self.text('nothing')}"
        if why.startswith("Doppel X"):
            return f"{name} {why}"
        zone = str(die["zone"] or "?").replace("x", "×").replace("-", "−")
        return self.text(
            "counts", die=name, face=face, zone=zone, points=str(die["points"]).replace("-", "−")
        )


def _rule(die: LedgerEntry) -> str:
    """The rule behind a die's points; a bet that was lost needs none."""
    return "" if die["rule"] == "X-24" and not die["points"] else str(die["rule"])
