"""What is not said aloud, in words: what hidden hands hold or lack, which plays are assumed legal (G-14)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from table.catalogue import Language, text
from table.rules.audience import Told
from table.rules.words import card


def asides(told: Sequence[Told], players: Mapping[str, str], language: Language) -> Iterator[str]:
    """Yield a line for everything in `told` that concerns hands, with the audience it is for."""

    def said(key: str, **values: object) -> str:
        return text(f"aside.{key}", language, **values)

    def who(seat: str | None) -> str:
        return players.get(seat or "", seat or "?")

    about_hands = [one for one in told if one.what in ("lacks", "holds", "assumed")]
    if not about_hands:
        yield said("nothing")
    for one in about_hands:
        audience = said(one.audience.role, who=who(one.audience.seat))
        cards = ", ".join(card(name, language) for name in one.cards)
        yield f"{audience}: " + said(one.what, who=who(one.seat), cards=cards, event=one.event)
