"""A round of Dulle in words: who called what, what the tricks held, what the round is worth and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from table.rules.story import LedgerEntry, Story
from table.rules.words import card


@dataclass(frozen=True)
class DulleStory(Story):
    """Dulle's ledger: who called, the Augen of every trick, the value of the round line by line."""

    room = "dulle"

    def head(self, entry: LedgerEntry) -> Iterator[str]:
        """Yield the dealer, the call or solo, and whether it counts double."""
        yield self.text("dealer", who=self.who(entry["dealer"]))
        word, _, called = str(entry["contract"]).partition(":")
        key = word if entry["contract"] else "nothing"
        yield self.text(key, who=self.who(entry["declarer"]), card=card(called, self.language))
        if entry["bock"]:
            yield self.text("bock")
        yield from (f"{self.who(said['seat'])}: {self.text(said['what'])}" for said in entry["said"])

    def notes(self, entry: LedgerEntry, trick: LedgerEntry) -> Iterator[str]:
        """Yield the trick's Augen."""
        yield self.text("augen", n=trick["augen"])

    def after(self, entry: LedgerEntry) -> Iterator[str]:
        """Yield each side's Augen, and how the value came about."""
        done = entry["settlement"]
        if done is None:
            if entry["complete"]:
                yield f"  {self.text('not-settled')}"
            return
        side = next(name for name in done["augen"] if name != "others")
        mine, theirs = done["augen"][side], done["augen"]["others"]
        pair = "+".join(self.who(seat) for seat, on in entry["sides"].items() if on == side)
        others = "+".join(self.who(seat) for seat, on in entry["sides"].items() if on != side)
        lost = "lost-solodu" if entry["contract"] == "solodu" else "lost"
        outcome = self.text("won" if done["winner"] == side else lost)
        yield f"  {self.text('pair', who=pair, others=others, mine=mine, theirs=theirs)}, {outcome}"
        items = [
            f"{self.text('item-' + item['what'])} {'×' if item['times'] else '+'}{item['amount']}"
            for item in done["items"]
        ]
        yield f"  {' '.join(items)} = {done['value']}"
        yield from self.why(*dict.fromkeys(item["rule"] for item in done["items"]))
