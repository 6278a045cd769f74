"""What is not said aloud, in words: what hidden hands hold or lack, which plays are assumed legal (G-14)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from table.rules.audience import Told
from table.rules.words import Language, card

_TEXT: dict[str, tuple[str, str]] = {
    "all": ("Darf jeder wissen", "Everybody may know"),
    "seat": ("Nur für {who}", "For {who} only"),
    "operator": ("Nur für die Leitung", "For the operator only"),
    "lacks": ("{who} hat nicht: {cards}", "{who} does not hold {cards}"),
    "holds": ("{who} hat noch: {cards}", "{who} still holds {cards}"),
    "assumed": (
        "{cards} von {who} (Zeile {event}) war nur erlaubt, wenn er nicht anders konnte",
        "{cards} by {who} (line {event}) was legal only if nothing else was left to do",
    ),
    "nothing": ("Über verdeckte Hände ist nichts zu sagen", "There is nothing to say about hidden hands"),
}


def asides(told: Sequence[Told], players: Mapping[str, str], language: Language) -> Iterator[str]:
    """Yield a line for everything that is said about hands, each with the audience it is for."""

    def text(key: str, **values: object) -> str:
        return _TEXT[key][0 if language == "de" else 1].format(**values)

    def who(seat: str | None) -> str:
        return players.get(seat or "", seat or "?")

    about_hands = [one for one in told if one.what in ("lacks", "holds", "assumed")]
    if not about_hands:
        yield text("nothing")
    for one in about_hands:
        audience = text(one.audience.role, who=who(one.audience.seat))
        cards = ", ".join(card(name, language) for name in one.cards)
        yield f"{audience}: " + text(one.what, who=who(one.seat), cards=cards, event=one.event)
