"""A result told in words: a ledger to follow trick by trick, and findings with their proof."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from table.rules.events import Event
from table.rules.words import Language, card, character, colour, finding, signed

_TEXT: dict[str, tuple[str, str]] = {
    "round": ("Runde {n}", "Round {n}"),
    "dealer": ("Geber {who}", "dealt by {who}"),
    "trump": ("Trumpf {colour}", "trump {colour}"),
    "no trump": ("kein Trumpf", "no trump"),
    "broken": ("(abgebrochen)", "(broken off)"),
    "running": ("(läuft noch)", "(still going)"),
    "settlement": ("Abrechnung", "Settlement"),
    "black": ("Schwarzer Würfel", "Black die"),
    "round points": ("Runde bringt", "Round brings"),
    "audit": (
        "Die Prüfung am Rundenende findet anderes als der Schiedsrichter: bitte als Fehler melden",
        "the audit at the end finds other things than the referee: please report this as a bug",
    ),
    "points": ("Punkte", "Points"),
    "winners": ("Gewonnen", "Winner"),
    "findings": ("Befunde", "Findings"),
    "none": ("keine", "none"),
    "open": ("Offen, Punkte vorläufig", "Open, points provisional"),
    "line": ("Zeile {n}", "line {n}"),
    "offence": ("{card} in Runde {round}, Stich {trick}", "{card} in round {round}, trick {trick}"),
    "proof": ("bewiesen durch {card}", "proven by {card}"),
    "touch": ("fasst an: schwarzer Würfel", "touches: black die"),
    "die_saturated": ("Würfel steht schon auf 6", "the die is at 6 already"),
    "taken_early": ("nimmt den Stich, bevor er voll ist", "takes the trick before it is complete"),
    "card_after_end": ("nach dem letzten Stich gefallen", "fell after the last trick"),
    "lying": ("liegt noch", "still lying"),
    "not_the_chooser": ("sagt Trumpf an, hat aber nicht zu bestimmen", "names trump, but is not the chooser"),
    "new": ("NEU {name} (Würfel {value}) zu {owner}", "NEW {name} (die {value}) to {owner}"),
    "books": (
        "{name}: {seat} bucht {points}; Würfel {value}, zu {owner}",
        "{name}: {seat} books {points}; die {value}, to {owner}",
    ),
    "stays": ("{name} bleibt bei {owner}, Würfel {value}", "{name} stays with {owner}, die {value}"),
    "jo": ("{name} geht zu {owner}, nichts gebucht", "{name} goes to {owner}, nothing booked"),
}
_WHY: dict[str, tuple[str, str]] = {
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
class Story:
    """Tells a result (`Referee.result`); `events` by id give the words for cards that no trick holds."""

    result: Mapping[str, Any]
    players: Mapping[str, str] = field(default_factory=dict)
    events: Mapping[int, Event] = field(default_factory=dict)
    language: Language = "de"
    explain: bool = False

    def lines(self) -> Iterator[str]:
        """Yield the whole story, line by line."""
        for entry in self.result["rounds"]:
            yield from self._round(entry)
            yield ""
        points = self.result["points"]
        yield f"{self._t('points')}: " + ", ".join(f"{self._who(s)} {signed(p)}" for s, p in points.items())
        if self.result["winners"]:
            yield f"{self._t('winners')}: " + ", ".join(self._who(seat) for seat in self.result["winners"])
        yield from self.findings()
        for number in self.result.get("open", ()):
            yield f"{self._t('open')}: {self._line(number)}, {self._doubt(number)}"

    def findings(self) -> Iterator[str]:
        """Yield what is proven, each with its offence, its proof and its rule."""
        found = self.result["findings"]
        yield f"{self._t('findings')}: " + ("" if found else self._t("none"))
        for one in found:
            text = f"  {self._who(one['seat'])}: {finding(one['finding'], self.language)}"
            about = one.get("about")
            if about is not None:
                text += f", {self._place(about)}; {self._t('proof', card=self._place(one['event']))}"
            else:
                text += f", {self._place(one['event'])}"
            yield f"{text} [{one['rule']}]"

    # Rounds -----------------------------------------------------------------------------------------------

    def _round(self, entry: Mapping[str, Any]) -> Iterator[str]:
        head = [self._t("round", n=entry["round"]), self._t("dealer", who=self._who(entry["dealer"]))]
        if "trump" in entry:
            shade = colour(entry["trump"], self.language)
            head.append(self._t("trump", colour=shade) if entry["trump"] else self._t("no trump"))
        state = "" if entry["complete"] else self._t("broken" if entry.get("broken_off") else "running")
        yield " · ".join(head) + (f" {state}" if state else "")
        width = max((len(self._cards(trick)) for trick in entry["tricks"]), default=0)
        for trick in entry["tricks"]:
            yield from self._trick(entry, trick, width)
        if entry["lying"]:
            yield f"      {self._falls(entry['lying'])} ({self._t('lying')})"
        if entry["settlement"]:
            yield f"  {self._t('settlement')}: " + ", ".join(
                f"{character(c['character'])} {self._who(c['seat'])} {signed(c['points'])}"
                for c in entry["settlement"]
            )
            yield from self._why(*dict.fromkeys(change["rule"] for change in entry["settlement"]))
        black = entry["black_die"]
        if black:
            yield f"  {self._t('black')}: {self._who(black['owner'])} {signed(-black['value'])}"
            yield from self._why("D-44")
        totals = ", ".join(f"{self._who(seat)} {signed(points)}" for seat, points in entry["points"].items())
        yield f"  {self._t('round points')}: {totals}"
        if entry.get("audit") is False:
            yield f"  {self._t('audit')}"

    def _cards(self, trick: Mapping[str, Any]) -> str:
        return f"{self._falls(trick['cards'])} → {self._who(trick['winner'])}"

    def _falls(self, plays: Sequence[Mapping[str, Any]]) -> str:
        return " · ".join(f"{self._who(p['seat'])} {card(p['card'], self.language)}" for p in plays)

    def _trick(self, entry: Mapping[str, Any], trick: Mapping[str, Any], width: int) -> Iterator[str]:
        told = [self._change(change) for change in trick["changes"]]
        told += [self._remark(what, whom) for at, what, whom in entry["remarks"] if at == trick["trick"]]
        told += [
            f"{self._who(touch['seat'])} {self._t('touch')}"
            for touch in entry["touches"]
            if touch["trick"] == trick["trick"]
        ]
        yield f"  {trick['trick']:2}. {self._cards(trick):{width}}   {'; '.join(told)}".rstrip()
        yield from self._why(*(change["rule"] for change in trick["changes"]))

    def _remark(self, what: str, whom: str) -> str:
        names = {"die_saturated": character(whom), "card_after_end": card(whom, self.language)}
        return f"{names.get(what, self._who(whom))}: {self._t(what)}"

    def _change(self, change: Mapping[str, Any]) -> str:
        key = {"D-22": "new", "D-24": "books", "D-23": "stays"}.get(change["rule"], "jo")
        if key == "jo" and change["seat"] == change["owner"]:
            key = "stays"
        words = {
            "name": character(change["character"]),
            "seat": self._who(change["seat"]),
            "owner": self._who(change["owner"]),
            "value": change["value"],
            "points": signed(change["points"]),
        }
        return self._t(key, **words)

    def _why(self, *rules: str) -> Iterator[str]:
        if self.explain:
            for rule in rules:
                yield f"        {_WHY[rule][0 if self.language == 'de' else 1]} [{rule}]"

    # Words ------------------------------------------------------------------------------------------------

    def _t(self, key: str, **words: Any) -> str:
        return _TEXT[key][0 if self.language == "de" else 1].format(**words)

    def _who(self, seat: str | None) -> str:
        return "?" if seat is None else self.players.get(seat, seat)

    def _line(self, number: int) -> str:
        return self._t("line", n=number)

    def _doubt(self, number: int) -> str:
        event = self.events.get(number)
        candidates = (
            [card(name, self.language) for name, _ in (event.get("candidates") or ())] if event else []
        )
        return f"{self._who(event.seat) if event else '?'}: " + (" / ".join(candidates) or "?")

    def _place(self, number: int) -> str:
        """Say which card an event was, and where it fell."""
        for entry in self.result["rounds"]:
            for trick in entry["tricks"]:
                for play in trick["cards"]:
                    if play["event"] == number:
                        name = card(play["card"], self.language)
                        where = self._t("offence", card=name, round=entry["round"], trick=trick["trick"])
                        return f"{where} ({self._line(number)})"
        event = self.events.get(number)
        if event is not None and event.kind == "card":
            return f"{card(event.card, self.language)} ({self._line(number)})"
        if event is not None and event.kind == "die":
            die = f"{colour(event.get('colour'), self.language)} {event.get('value')}"
            return (
                f"{die} auf {character(event.get('spot'))} ({self._line(number)})"
                if self.language == "de"
                else (f"{die} on {character(event.get('spot'))} ({self._line(number)})")
            )
        return self._line(number)
