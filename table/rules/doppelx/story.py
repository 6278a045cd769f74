"""A game of DoppelX in words, throw by throw: every die, what it brought and why, the totals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from table.rules.doppelx.terms import ALL, read_die
from table.rules.events import Event
from table.rules.story import Entry, Story, Texts
from table.rules.words import colour

_TEXT: Texts = {
    "deciding": ("Entscheidungsspiel: {who}", "deciding game: {who}"),
    "tied": (
        "Gleichstand: {who} spielen ein Entscheidungsspiel",
        "A tie: {who} play a deciding game",
    ),
    "and": ("und", "and"),
    "throw": ("Wurf {throw} in Runde {round}", "throw {throw} in round {round}"),
    "doubt throw": ("Wurf von {who}, {dice}", "thrown by {who}: {dice}"),
    "shows": ("{die} zeigt {face}", "{die} shows {face}"),
    "lies": ("{die} liegt auf {where}", "{die} lies on {where}"),
    "limit": ("bis {limit} Chips", "to {limit} chips"),
    "all": ("alle", "all"),
    "all of them": ("allen", "all"),
    "whoever": ("wer auch immer", "whoever it was"),
    "unseen": ("ungesehen", "unseen"),
    "broken books": (
        "Abgebrochen: die Chips bleiben, niemand hat gewonnen",
        "Broken off: the chips stay, nobody has won",
    ),
    "hole": ("im Loch", "in a hole"),
    "outside": ("neben der Schachtel", "out of the box"),
    "bet": ("Wette", "bet"),
    "nothing": ("nichts", "nothing"),
    "edge": ("{who} griff über den Rand", "{who} reached over the edge"),
    "total": ("gesamt", "totals"),
}
_WHY: Texts = {
    "X-12": (
        "Augen mal Feld: blau einfach, rot doppelt, gelb dreifach.",
        "Pips times field: blue once, red twice, yellow three times.",
    ),
    "X-13": ("Auf -1 zahlt man einen Chip, was auch immer der Würfel zeigt.", "On -1 a die costs one chip."),
    "X-14": ("X-Feld, Loch und daneben bringen nichts.", "An X field, a hole and outside bring nothing."),
    "X-16": ("Der Würfel ist noch nicht gelesen.", "The die has not been read yet."),
    "X-17": (
        "„Ein X bringt nix“, auf -1 kostet es trotzdem.",
        "An X brings nothing; on -1 it still costs one.",
    ),
    "X-19": (
        "Doppel X: wem ein X gehört, der bekommt zehn, jeder nur einmal.",
        "Doppel X: whoever owns an X gets ten, once each.",
    ),
    "X-20": ("Beim Doppel X kriegen alle anderen nix.", "Beside a Doppel X everybody else gets nothing."),
    "X-23": ("Gewettet wird nur vor dem Wurf eines anderen.", "Bets are on somebody else's throw."),
    "X-24": ("Die Wette zahlt, was auf ihr steht.", "The bet pays what is printed on it."),
    "X-25": ("Beide Würfel treffen: die Wette zahlt doppelt.", "Both dice qualify: the bet pays double."),
    "X-27": ("Beim Doppel X zahlen nur A und H.", "Beside a Doppel X only A and H pay."),
}


@dataclass(frozen=True)
class DoppelXStory(Story):
    """Tells DoppelX: `Blau 3 × 2x = 6`, `Rot X im Loch`, `Grün Wette C = 3`."""

    texts = _TEXT
    reasons = _WHY

    def who(self, seat: str | None) -> str:
        """Return a player's name; one who goes by his die has the colour's name."""
        return colour(super().who(seat), self.language)

    def head(self, entry: Entry) -> Iterator[str]:
        """Yield how far the game goes, and who plays a deciding game (X-30)."""
        yield self.text("limit", limit=entry["limit"])
        if len(entry["contenders"]) < len(entry["points"]):
            yield self.text("deciding", who=self._all(entry["contenders"]))

    def _all(self, seats: Sequence[str]) -> str:
        return f" {self.text('and')} ".join(map(self.who, seats))

    def after(self, entry: Entry) -> Iterator[str]:
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
        if entry["tied"]:
            yield f"  {self.text('tied', who=self._all(entry['tied']))}"

    def _event(self, event: Event, accused: str | None) -> str | None:
        """Return which throw of its game it was."""
        for entry in self.result["rounds"]:
            for throw in entry["throws"]:
                if throw["event"] == event.id:
                    return self.text("throw", throw=throw["throw"], round=entry["round"])
        return super()._event(event, accused)

    def _doubt(self, number: int) -> str:
        """Say which dice of a throw are not read, with a "?" for what is missing."""
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
            self.text("all of them" if player == ALL else "somebody")
            if player in (None, ALL)
            else self.who(player)
        )
        return self.text("doubt throw", who=whose, dice=", ".join(told) or "?")

    def _thrower(self, throw: Entry) -> str:
        match throw["player"]:
            case None:
                return self.text("whoever")
            case "all":
                return self.text("all")
            case seat:
                return self.who(seat)

    def _die(self, die: Entry) -> str:
        name, why, face = colour(die["die"], self.language), str(die["why"]), die["face"] or "?"
        if why in ("hole", "outside"):
            return f"{name} {face} {self.text(why)}"
        if why.startswith("bet "):
            lost = "" if die["points"] else f": {self.text('nothing')}"
            return f"{name} {self.text('bet')} {why[4:]}{lost}"
        if why == "Doppel X" and not die["points"]:  # all others, and a second X of the same player
            return f"{name} {face}: {self.text('nothing')}"
        return f"{name} {why}" if "=" in why else f"{name} {face} × {die['zone'] or '?'} = {die['points']}"


def _rule(die: Entry) -> str:
    """The rule behind a die's points; a bet that was lost needs none."""
    return "" if die["rule"] == "X-24" and not die["points"] else str(die["rule"])
