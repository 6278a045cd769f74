"""The page's words: both languages whole, a word for everything that the rules ask, and German refusals."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from table import rules, web
from table.journal import Journal
from table.rules.finding_words import finding, remark
from table.session import Session, SessionError

WORDS = Path(web.__file__).parent / "static" / "words"
RULES = Path(rules.__file__).parent


def words(language: str) -> dict[str, str]:
    return dict(json.loads((WORDS / f"{language}.json").read_text(encoding="utf-8")))


def named_in_rules(pattern: str) -> set[str]:
    """What the rules name in their own source, by a pattern with one group."""
    return {name for file in RULES.rglob("*.py") for name in re.findall(pattern, file.read_text("utf-8"))}


def test_both_languages_have_every_word_with_the_same_places() -> None:
    german, english = words("de"), words("en")
    assert german.keys() == english.keys()
    for key, text in english.items():
        assert set(re.findall(r"\{\w+\}", text)) >= set(re.findall(r"\{\w+\}", german[key])), key


def test_everything_the_rules_ask_find_or_remark_has_words() -> None:
    """G-14: prompts, findings, remarks of every game, in both languages."""
    asked = named_in_rules(r'Prompt\("([^"]+)"') | {"besser?", "kleines?", "orgi?"}
    found = named_in_rules(r'(?:report|accuse\w*)\(\s*"(\w+)"')
    noted = (
        {"rounds_were_played", "game_was_over"}
        | named_in_rules(r'remarks\.append\(\([^"]+"(\w+)"')
        | named_in_rules(r'_void\("(\w+)"')
    )
    assert len(asked) > 15
    assert len(found) > 12
    assert len(noted) > 10
    known = words("de").keys()
    assert {f"prompt.{name}" for name in asked} <= known
    assert {f"finding.{name}" for name in found} <= known
    assert {f"remark.{name}" for name in noted} <= known
    for language in ("de", "en"):
        assert [name for name in found if finding(name, language) == name] == []  # type: ignore[arg-type]
        assert [name for name in noted if name in remark(name, "S1", "Anna", language)] == []  # type: ignore[arg-type]


REFUSED = [
    ("dubbe", {"kind": "card", "seat": "S9", "card": "red-7"}),
    ("dubbe", {"kind": "card", "seat": "S1", "card": "red-99"}),
    ("dubbe", {"kind": "throw", "dice": []}),
    ("dubbe", {"kind": "hand"}),
    ("dubbe", {"kind": "bogus"}),
    ("dubbe", {"kind": "die", "colour": "red", "value": 0, "spot": "aagewwer"}),
    ("dubbe", {"kind": "card", "seat": "S1"}),
    ("dulle", {"kind": "say", "seat": "S1", "what": "ruf:ZZ"}),
    ("doppelkopf", {"kind": "say", "seat": "S1", "what": "solo:foo"}),
    ("klapper-jas", {"kind": "say", "seat": "S1", "what": "foo"}),
    ("klapper-jas", {"kind": "shown", "seat": "S1", "cards": ["C5"]}),
    ("doppelx", {"kind": "say", "what": "spinner:mauve"}),
    ("doppelx", {"kind": "throw", "player": "blue", "dice": [{"colour": "mauve"}]}),
]


@pytest.mark.parametrize(("game", "event"), REFUSED)
def test_every_refusal_is_told_in_german_by_the_page_s_own_words(
    tmp_path: Path, game: str, event: dict[str, Any]
) -> None:
    """The page finds the German sentence by the pattern of the English one."""
    patterns = [
        re.compile(re.sub(r"\\\{\w+\\\}", "(.*?)", re.escape(text)) + r"\.?", re.DOTALL)
        for key, text in words("en").items()
        if key.startswith("error.")
    ]
    seats = (
        {"players": ["blue", "green", "red"]} if game == "doppelx" else {"seats": ["S1", "S2", "S3", "S4"]}
    )
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        session = Session(journal)
        session.begin([{"kind": "game", "game": game, **seats}])
        with pytest.raises(SessionError) as refused:
            session.tell(event)
        assert any(pattern.fullmatch(str(refused.value)) for pattern in patterns), str(refused.value)
