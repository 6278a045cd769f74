"""A round of Klapper-Jas in words: who plays what, whose melds count, who had how much, what it brings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from table.rules.story import Entry, Story, Texts
from table.rules.words import card, colour

_TEXT: Texts = {
    "orgi": ("{who} spielt den Orgi", "{who} plays the Orgi"),
    "kleines": ("{who} spielt ein Kleines", "{who} plays a Kleines"),
    "trump": ("Trumpf {suit}", "trump {suit}"),
    "nobody": ("niemand spielt, derselbe gibt noch einmal", "nobody plays, the same dealer deals again"),
    "turned": ("aufgedeckt {card}", "turned {card}"),
    "augen": ("{n} Augen", "{n} points"),
    "says": ("{who} sagt {what}", "{who} says {what}"),
    "terz": ("Terz bis {card}", "Terz up to {card}"),
    "halber": ("Halber bis {card}", "Halber up to {card}"),
    "kontra": ("Kontra", "Kontra"),
    "re": ("Re", "Re"),
    "belle": ("Belle", "Belle"),
    "tausch": ("{who} tauscht die 7", "{who} swaps the 7"),
    "meld": ("{who}: {what} {counts}", "{who}: {what} {counts}"),
    "counts": ("zählt {n}", "counts {n}"),
    "not": ("zählt nicht", "does not count"),
    "false": ("falsch", "false"),
    "has": ("{who} {n}", "{who} {n}"),
    "counted": ("Ausgezählt", "Counted"),
    "won": (
        "{who} hat {mine}, mehr als {other}: gewonnen, {value}",
        "{who} has {mine}, more than {other}: won, {value}",
    ),
    "lost": (
        "{who} hat {mine}, nicht mehr als {other}: verloren, {value} für die Gegner",
        "{who} has {mine}, not more than {other}: lost, {value} for the others",
    ),
    "not settled": ("nicht abgerechnet, niemand hat ein Spiel angesagt", "not settled, nobody has declared"),
    "bid_void": ("Ansage gilt nicht", "the bid is void"),
    "re_without_kontra": ("Re ohne Kontra gilt nicht", "Re without Kontra is void"),
    "belle_without_trump": ("Belle ohne Trumpf gilt nicht", "Belle without a trump is void"),
    "swap_of_nothing": ("es liegt keine Karte zum Tauschen", "there is no card to swap for"),
    "kleines_in_turned_suit": ("Kleines in der Farbe des Orgi", "a Kleines in the suit of the Orgi"),
    "meld_not_all_shown": ("hat nicht alles Gemeldete gezeigt", "has not shown all that was melded"),
}
_WHY: Texts = {
    "J-16": (
        "Die beste Meldung bringt ihrem Besitzer alle seine Meldungen, wenn er einen Stich hat.",
        "The best meld brings its holder all his melds if he has a trick.",
    ),
    "J-18": ("Belle zählt immer 20.", "Belle always counts 20."),
    "J-19": ("Der letzte Stich zählt 10.", "The last trick counts 10."),
    "J-36": (
        "Zu dritt zählt jeder Gegner für sich: der Spieler muss mehr haben als jeder von beiden.",
        "With three each opponent counts alone: the declarer must have more than either of them.",
    ),
    "J-37": ("Zu viert zählen die Augen der Partner zusammen.", "With four, partners add up."),
    "J-40": ("Gleich viel ist verloren.", "Equal is lost."),
    "J-41": ("Ein Kleines zählt 1, ein Orgi 2.", "A Kleines counts 1, an Orgi 2."),
    "J-42": ("Verloren: die Gegner bekommen das Doppelte.", "Lost: the others get twice that."),
    "J-43": ("Kontra verdoppelt, Re noch einmal.", "Kontra doubles, Re again."),
    "J-44": ("Zu dritt teilen sich die Gegner die Punkte.", "With three the opponents share them."),
}


@dataclass(frozen=True)
class KlapperStory(Story):
    """Tells a game of Klapper-Jas."""

    texts = _TEXT
    reasons = _WHY

    def head(self, entry: Entry) -> Iterator[str]:
        """Yield dealer, turned card, and who plays what."""
        yield self.text("dealer", who=self.who(entry["dealer"]))
        if entry["turned"]:
            yield self.text("turned", card=card(entry["turned"][0], self.language))
        if entry["contract"]:
            yield self.text(entry["contract"], who=self.who(entry["declarer"]))
        elif entry["passed_out"]:
            yield self.text("nobody")
        if entry["trump"]:
            yield self.text("trump", suit=colour(entry["trump"], self.language))

    def notes(self, entry: Entry, trick: Entry) -> Iterator[str]:
        """Yield what a trick counted, and what was said in it."""
        yield self.text("augen", n=trick["augen"])
        last = max(play["event"] for play in trick["cards"])
        before = max(
            (play["event"] for t in entry["tricks"] if t["trick"] < trick["trick"] for play in t["cards"]),
            default=0,
        )
        for one in entry["said"]:
            word, _, top = one["what"].partition(":")
            if not before < one["event"] < last:
                continue
            if word == "tausch":
                yield self.text("tausch", who=self.who(one["seat"]))
            elif word in ("kontra", "re", "belle", "terz", "halber"):
                yield self.text("says", who=self.who(one["seat"]), what=self._named(word, top))

    def _named(self, word: str, top: str) -> str:
        return self.text(word, card=card(top, self.language))

    def after(self, entry: Entry) -> Iterator[str]:
        """Yield melds, Augen and the settlement."""
        done = entry["settlement"]
        if not entry["complete"] or entry["passed_out"]:
            return
        for meld in entry["melds"]:
            counts = "counts" if meld["counts"] else "not" if meld["true"] else "false"
            told = self.text(counts, n=meld["counts"])
            what = self._named(*meld["what"].split(":"))
            yield f"  {self.text('meld', who=self.who(meld['seat']), what=what, counts=told)}"
        for belle in entry["belle"]:
            told = self.text("counts", n=belle["counts"])
            yield f"  {self.text('meld', who=self.who(belle['seat']), what=self.text('belle'), counts=told)}"
        yield from self.why(*(("J-16",) if entry["melds"] else ()), *(("J-18",) if entry["belle"] else ()))
        if done is None:
            yield f"  {self.text('not settled')}"
            return
        each = ", ".join(self.text("has", who=self.who(s), n=n) for s, n in done["augen"].items())
        yield f"  {self.text('counted')}: {each}"
        yield "  " + self.text(
            "won" if done["won"] else "lost",
            who=self.who(entry["declarer"]),
            mine=done["declarer"],
            other=done["needed"],
            value=done["value"],
        )
        yield from self.why(*self._reasons(entry))

    def _reasons(self, entry: Entry) -> Iterator[str]:
        done, players = entry["settlement"], len(entry["players"])
        yield "J-19"
        yield from {3: ("J-36",), 4: ("J-37",)}.get(players, ())
        if done["declarer"] == done["needed"] and not done["won"]:
            yield "J-40"
        yield "J-41"
        if not done["won"]:
            yield "J-42"
        if done["doublings"]:
            yield "J-43"
        if players == 3 and not done["won"]:
            yield "J-44"
