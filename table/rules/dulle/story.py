"""A round of Dulle in words: who called what, what the tricks held, what the round is worth and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from table.rules.story import Entry, Story, Texts
from table.rules.words import card

_TEXT: Texts = {
    "ruf": ("{who} ruft {card}", "{who} calls {card}"),
    "solo": ("{who} spielt Solo", "{who} plays Solo"),
    "solodu": ("{who} spielt SoloDu", "{who} plays SoloDu"),
    "nothing": ("niemand hat gerufen", "nobody called"),
    "bock": ("Bockrunde", "Bock round"),
    "stoss": ("Stoß", "Stoß"),
    "schneider": ("Schneider angesagt", "announces Schneider"),
    "schwarz": ("Schwarz angesagt", "announces Schwarz"),
    "augen": ("{n} Augen", "{n} points"),
    "pair": ("{who} gegen {others}: {mine} zu {theirs} Augen", "{who} against {others}: {mine} to {theirs}"),
    "won": ("gewonnen", "won"),
    "lost": ("verloren", "lost"),
    "lost solodu": ("verloren: SoloDu braucht alle vier Stiche", "lost: SoloDu needs all four tricks"),
    "not settled": ("nicht abgerechnet, die Paare sind nicht bekannt", "not settled, nobody knows the pairs"),
    "item win": ("Spiel", "game"),
    "item schneider": ("Schneider", "Schneider"),
    "item schwarz": ("Schwarz", "Schwarz"),
    "item ansage:schneider": ("Schneider angesagt", "Schneider announced"),
    "item ansage:schwarz": ("Schwarz angesagt", "Schwarz announced"),
    "item stoss": ("Stoß", "Stoß"),
    "item solo": ("Solo", "Solo"),
    "item solodu": ("SoloDu", "SoloDu"),
    "item bock": ("Bock", "Bock"),
}
_WHY: Texts = {
    "U-08": (
        "Das Rufspielpaar oder der Solospieler braucht 53 der 104 Augen; bei 52 zu 52 verliert es.",
        "The callers or the soloist need 53 of 104; at 52 to 52 they lose.",
    ),
    "U-10": (
        "Schneider: das Rufspielpaar mit 27, die anderen mit 26 Augen.",
        "Schneider: the callers with 27, the others with 26.",
    ),
    "U-11": ("Schwarz: kein Stich, also kein Punkt.", "Schwarz: no trick, so not a point."),
    "U-22": ("Jeder Stoß verdoppelt, auch jedes Zurück.", "Every Stoß doubles, every return too."),
    "U-24": (
        "Eine Ansage zählt eins mehr; wer sie verfehlt, verliert.",
        "An announcement counts one more; who misses it has lost.",
    ),
    "U-25": (
        "Solo: einer gegen drei, er zahlt oder bekommt dreimal.",
        "Solo: one against three, paid three times.",
    ),
    "U-26": ("SoloDu: alle vier Stiche, sonst verloren.", "SoloDu: all four tricks, or it is lost."),
    "U-27": ("Nach einem Solo zählt alles doppelt.", "After a solo everything counts double."),
}


@dataclass(frozen=True)
class DulleStory(Story):
    """Tells Dulle: who called, the Augen of every trick, the value of the round line by line."""

    texts = _TEXT
    reasons = _WHY

    def head(self, entry: Entry) -> Iterator[str]:
        """Yield the dealer, the call or solo, and whether it counts double."""
        yield self.text("dealer", who=self.who(entry["dealer"]))
        word, _, called = str(entry["contract"]).partition(":")
        key = word if entry["contract"] else "nothing"
        yield self.text(key, who=self.who(entry["declarer"]), card=card(called, self.language))
        if entry["bock"]:
            yield self.text("bock")
        yield from (f"{self.who(said['seat'])}: {self.text(said['what'])}" for said in entry["said"])

    def notes(self, entry: Entry, trick: Entry) -> Iterator[str]:
        """Yield what the trick holds."""
        yield self.text("augen", n=trick["augen"])

    def after(self, entry: Entry) -> Iterator[str]:
        """Yield who had how many Augen, and how the value came about."""
        done = entry["settlement"]
        if done is None:
            if entry["complete"]:
                yield f"  {self.text('not settled')}"
            return
        side = next(name for name in done["augen"] if name != "others")
        mine, theirs = done["augen"][side], done["augen"]["others"]
        pair = "+".join(self.who(seat) for seat, on in entry["sides"].items() if on == side)
        others = "+".join(self.who(seat) for seat, on in entry["sides"].items() if on != side)
        lost = "lost solodu" if entry["contract"] == "solodu" else "lost"
        outcome = self.text("won" if done["winner"] == side else lost)
        yield f"  {self.text('pair', who=pair, others=others, mine=mine, theirs=theirs)}, {outcome}"
        items = [
            f"{self.text('item ' + item['what'])} {'×' if item['times'] else '+'}{item['amount']}"
            for item in done["items"]
        ]
        yield f"  {' '.join(items)} = {done['value']}"
        yield from self.why(*dict.fromkeys(item["rule"] for item in done["items"]))
