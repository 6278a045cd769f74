"""The table's words for a finding, for what somebody said, and for a remark, which accuses nobody.

A finding's words follow a name and a colon: "Carla: hat nicht bedient". Where one finding stands for several
offences, the rule that was broken has words of its own. All of them are in the catalogue (`ledger.json`).
"""

from __future__ import annotations

from table.catalogue import Language, known, text
from table.rules.words import card, character, colour


def finding(name: str, language: Language = "de", rule: str = "") -> str:
    """Return the words for an irregularity; `rule` distinguishes offences that share a finding."""
    own, plain = f"ledger.finding.{name}.{rule}", f"ledger.finding.{name}"
    return text(own if known(own) else plain, language) if known(plain) else name


def remark(what: str, whom: str, who: str, language: Language = "de") -> str:
    """Return the words of a remark; `whom` is a seat (whose name is `who`), a card or a word."""
    if not known(f"ledger.remark.{what}"):
        return f"{who}: {what}"
    die = {"black": colour("black", language)}.get(whom) or character(whom)
    return text(
        f"ledger.remark.{what}",
        language,
        who=who,
        card=card(whom, language),
        colour=colour(whom, language),
        die=die,
        what=saying(whom, language),
    )


def saying(what: str, language: Language = "de") -> str:
    """Return what somebody said: "Trumpf Blau", "ruft Kreuz Ass", "keine 90"."""
    word, _, detail = what.partition(":")
    key = f"ledger.said.{word}"
    told = text(key, language) if known(key) else word.capitalize()
    named = card(detail, language) if len(detail) == 2 else colour(detail, language)
    return f"{told} {named}" if detail else told
