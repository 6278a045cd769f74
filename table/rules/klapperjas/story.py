"""A round of Klapper-Jas in words: who plays what, whose melds count, the Augen, the points."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from table.rules.story import LedgerEntry, Story
from table.rules.words import card, colour


@dataclass(frozen=True)
class KlapperStory(Story):
    """Klapper-Jas's ledger: bids, melds, Augen, the settlement."""

    room = "klapper-jas"

    def head(self, entry: LedgerEntry) -> Iterator[str]:
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

    def notes(self, entry: LedgerEntry, trick: LedgerEntry) -> Iterator[str]:
        """Yield a trick's Augen, and what was said in it."""
        yield self.text("augen", n=trick["augen"])
        said = self._said_by(entry["tricks"], trick["trick"] - 1)
        until = self._said_by(entry["tricks"], trick["trick"])
        for one in entry["said"]:
            word, _, top = one["what"].partition(":")
            if not said < one["event"] < until:
                continue
            if word == "tausch":
                yield self.text("tausch", who=self.who(one["seat"]))
            elif word in ("kontra", "re", "belle", "terz", "halber"):
                yield self.text("says", who=self.who(one["seat"]), what=self._named(word, top))

    def _said_by(self, tricks: list[LedgerEntry], number: int) -> float:
        """Return the event up to which what was said belongs to the first `number` tricks.

        A card that nobody reported has no event: then all later words belong to its trick.
        """
        plays = [play["event"] for trick in tricks if trick["trick"] <= number for play in trick["cards"]]
        if any(event is None for event in plays):
            return math.inf
        return max(plays, default=0)

    def _named(self, word: str, top: str) -> str:
        return self.text(word, card=card(top, self.language))

    def after(self, entry: LedgerEntry) -> Iterator[str]:
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
        melds = "J-14" if len(entry["players"]) == 4 else "J-16"
        yield from self.why(*((melds,) if entry["melds"] else ()), *(("J-18",) if entry["belle"] else ()))
        if done is None:
            yield f"  {self.text('not-settled')}"
            return
        each = ", ".join(self.text("has", who=self.who(s), n=n) for s, n in done["augen"].items())
        yield f"  {self.text('counted')}: {each}"
        side = self._side(entry)
        if self._tied(entry):
            outcome = "won-tie"
        elif len(side) == 1:
            outcome = "won" if done["won"] else "lost"
        else:
            outcome = "won-pair" if done["won"] else "lost-pair"
        yield "  " + self.text(
            outcome,
            who="+".join(map(self.who, side)),
            mine=done["declarer"],
            other=done["needed"],
            value=done["value"],
        )
        yield from self.why(*self._reasons(entry))

    def _side(self, entry: LedgerEntry) -> Sequence[str]:
        """Return the seats of the declarer's side: with four, the partner too (J-37)."""
        players, declarer = entry["players"], entry["declarer"]
        return players[players.index(declarer) % 2 :: 2] if len(players) == 4 else (declarer,)

    def _tied(self, entry: LedgerEntry) -> bool:
        """Return whether the declarer has won although another had as many Augen (JA-2)."""
        done = entry["settlement"]
        return bool(done["won"]) and done["declarer"] == done["needed"]

    def _reasons(self, entry: LedgerEntry) -> Iterator[str]:
        done, players = entry["settlement"], len(entry["players"])
        yield "J-19"
        if not self._tied(entry):
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
