"""A round of Doppelkopf in words: the game, what was said, Augen, and every point with its reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from table.catalogue import known, text
from table.rules.finding_words import finding
from table.rules.story import LedgerEntry, Story
from table.rules.words import signed

_BASE = frozenset({"K-30", "K-31", "K-32", "K-33", "K-34"})
"""Rules of the lines that factors double; Sonderpunkte may be exempt (KA-10)."""


@dataclass(frozen=True)
class DoppelkopfStory(Story):
    """Doppelkopf's ledger: game, announcements, Augen and Sonderpunkte of every trick, the settlement."""

    room = "doppelkopf"

    def _word(self, of: str, key: str) -> str:
        whole = f"story.doppelkopf.{of}.{key}"
        return text(whole, self.language) if known(whole) else key

    def head(self, entry: LedgerEntry) -> Iterator[str]:
        """Yield the dealer, the game and whose it is, and what was announced."""
        yield self.text("dealer", who=self.who(entry["dealer"]))
        alone = entry["declarer"] or self._silent(entry)
        game = self._word("game", "stille-hochzeit" if self._silent(entry) else entry["contract"])
        yield game if alone is None else f"{game} ({self.who(alone)})"
        if entry["taker"]:
            yield self.text("takes", who=self.who(entry["taker"]))
        if entry["schweinchen"]:
            yield self.text("swine", who=self.who(entry["schweinchen"]))
        for call in entry["said"]:
            yield self.text("said", who=self.who(call["seat"]), what=self._word("said", call["what"]))

    def _silent(self, entry: LedgerEntry) -> str | None:
        """Return who has played a stille Hochzeit; public once the round is settled (K-18, K-I5)."""
        if entry["contract"] != "normal" or not entry["solo"]:
            return None
        sides: Mapping[str, str] = entry["sides"]
        return next(seat for seat, side in sides.items() if side == "re")

    def finding(self, found: LedgerEntry) -> str:
        """Return the name of an irregularity; every card exists twice (K-01, K-I7)."""
        twice = found["finding"] == "duplicate_card"
        return finding("duplicate_card", self.language, "twice") if twice else super().finding(found)

    def notes(self, entry: LedgerEntry, trick: LedgerEntry) -> Iterator[str]:
        """Yield the trick's Augen and Sonderpunkte."""
        yield self.text("eyes", n=trick["eyes"])
        yield from (self._word("line", what) for what, _ in trick["specials"])

    def after(self, entry: LedgerEntry) -> Iterator[str]:
        """Yield the sides with their Augen, then the settlement line by line."""
        if entry["eyes"] is None:
            if entry["complete"] and entry["tricks"]:
                yield f"  {self.text('not-settled')}"
            return
        names = {
            side: "+".join(self.who(seat) for seat, its in entry["sides"].items() if its == side)
            for side in ("re", "kontra")
        }
        eyes = entry["eyes"]
        sides = self.text(
            "sides", re=names["re"], kontra=names["kontra"], mine=eyes["re"], theirs=eyes["kontra"]
        )
        yield f"  {sides}, {self.text(entry['winner'] or 'nobody')}"
        yield from self.why(entry["decided_by"])
        yield from self._value(entry)
        side = "re" if entry["value"] >= 0 else "kontra"
        total = self.text("value", value=abs(entry["value"]), side=side.capitalize())
        yield f"    = {total}" + (f"; {self.text('solo')}" if entry["solo"] else "")
        if entry["solo"]:
            hochzeit = entry["contract"] in ("normal", "hochzeit")  # a stille one, or no partner was found
            yield from self.why(*(("K-18",) if hochzeit else ()), "K-40")

    def _value(self, entry: LedgerEntry) -> Iterator[str]:
        """Yield what adds up and what doubles, in the order of the sum; each rule is explained once."""
        lines, told = entry["settlement"], set[str]()
        wide = max((len(f"{line['side']} {signed(line['points'])}:") for line in lines), default=0)

        def line(head: str, what: str, rule: str) -> Iterator[str]:
            yield f"    {head} {self._word('line', what)}"
            if rule not in told:
                told.add(rule)
                yield from self.why(rule)

        for bonus in (False, True):
            for one in lines:
                if (one["rule"] not in _BASE) == bonus:
                    head = f"{one['side'].capitalize()} {signed(one['points'])}:"
                    yield from line(f"{head:{wide}}", one["what"], one["rule"])
            for factor in entry["doubled"]:
                if bonus == (entry["specials_doubled"] or factor == "bock"):
                    yield from line(f"{'×2:':{wide}}", factor, "K-70" if factor == "bock" else "K-72")
