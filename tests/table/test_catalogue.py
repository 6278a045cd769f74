"""The catalogue: every code has a sentence in every language, all are used, and no sentence is elsewhere."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import table
from table import catalogue, rules
from table.catalogue import LANGUAGES, PARTS, Fact, fact, filled, known, sentences, shown, tell, text
from table.journal import Journal
from table.lamp_meanings import MEANINGS
from table.rules.events import Event
from table.rules.finding_words import finding, remark
from table.rules.games import GAMES
from table.rules.words import card_fact
from table.session import Session, SessionError
from table.web.wishes import Telling
from tests.table.catalogue_files import SCRIPTS, error_codes, errors_of_the_eye, reason_codes
from tests.table.test_board_words import codes

ROOT = Path(table.__file__).parent


WORDS = Path(catalogue.__file__).parent


RULES = Path(rules.__file__).parent


def part(language: str, name: str) -> dict[str, str]:
    return dict(json.loads((WORDS / language / f"{name}.json").read_text(encoding="utf-8")))


def places(sentence: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", sentence))


class Call:
    """One `fact("code", place=…)` in the program."""

    def __init__(self, file: Path, node: ast.Call) -> None:
        self.where = f"{file.relative_to(ROOT)}:{node.lineno}"
        code = node.args[0]
        self.code = str(code.value) if isinstance(code, ast.Constant) else None
        self.places = {keyword.arg for keyword in node.keywords}
        self.beginning = (
            str(code.values[0].value)
            if isinstance(code, ast.JoinedStr) and isinstance(code.values[0], ast.Constant)
            else self.code
        )


def calls() -> Iterator[Call]:
    for file in ROOT.rglob("*.py"):
        if "fact(" not in (source := file.read_text("utf-8")) or file.parent == WORDS:
            continue
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "fact":
                yield Call(file, node)


CALLS = [*calls()]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_sentence(language: str) -> None:
    for name in PARTS:
        assert part(language, name).keys() == part("en", name).keys(), name


def test_every_language_knows_what_guests_without_a_name_are_called_in_the_others() -> None:
    """The page has the words of one language, but the name may have been given in another."""
    called = "|".join(sentences(language)["begin.guest"] for language in LANGUAGES)
    assert {sentences(language)["begin.guests"] for language in LANGUAGES} == {called}


def test_no_key_stands_in_two_parts() -> None:
    assert sum(len(part("en", name)) for name in PARTS) == len(sentences("en"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_language_has_a_place_that_is_not_filled(language: Any) -> None:
    for key, english in sentences("en").items():
        assert places(sentences(language)[key]) <= places(english), key


@pytest.mark.parametrize("language", ["de", "pfl"])
def test_no_sentence_is_left_in_english(language: Any) -> None:
    """A sentence of four words or more differs between languages; the games' own words need not."""
    english, other = sentences("en"), sentences(language)
    same = [key for key, said in english.items() if said.count(" ") > 2 and other[key] == said]
    assert same == ["begin.guests"], "what all languages call guests stands in each"


def test_a_value_of_a_megabyte_is_shown_by_its_beginning() -> None:
    long = "x" * 1_000_000
    assert str(fact("event.word", word=long)) == str(fact("event.word", word="x" * 59 + "…"))
    path = "/a/folder" * 12
    assert fact("journal.at", path=path, why="w").args["path"] == path, "a path is told whole"
    assert shown(long) == f"'{'x' * 59}…'"


def test_pfaelzisch_is_no_german() -> None:
    german, dialect = sentences("de"), sentences("pfl")
    same = [key for key, said in german.items() if said.count(" ") > 2 and dialect[key] == said]
    assert len(same) < 0.02 * len(german), same


def test_every_error_of_the_eye_fills_the_places_of_its_sentence() -> None:
    raised = [*errors_of_the_eye()]
    assert len({code for _, code, _ in raised}) > 25
    for where, code, filled_by in raised:
        for language in LANGUAGES:
            assert places(sentences(language)[f"eye.{code}"]) == filled_by, (where, language, code)


def test_every_code_that_is_told_has_a_sentence_with_its_places() -> None:
    assert len(CALLS) > 100
    for call in CALLS:
        if call.code is not None:
            assert known(call.code), (call.where, call.code)
            if None not in call.places:  # **damage
                assert call.places == places(sentences("en")[call.code]), (call.where, call.code)
        else:
            assert call.beginning, (call.where, "a code begins with words that stand there")
            assert any(key.startswith(call.beginning) for key in sentences("en")), (
                call.where,
                call.beginning,
            )


def test_every_refusal_is_told_by_somebody() -> None:
    """Through a fact, or a code in an error of the wire or a reason of the eye."""
    told = {call.code for call in CALLS} | {f"board.{code}" for code, _ in codes()}
    told |= {f"eye.enrol.{code}" for code in reason_codes()}
    wrong = {f"eye.{code}" for code in error_codes()}
    assert len(wrong) > 25
    assert {code for code in wrong if not known(code)} == set()
    told |= wrong
    assert part("en", "refusals").keys() - told - {"foreign"} == set()


def test_every_word_of_the_page_is_asked_for() -> None:
    """By its whole name, or by a prefix that a script completes: say(`finding.${…}`)."""
    source = "\n".join(SCRIPTS.values())
    whole = set(re.findall(r"""["'`]([a-z][\w.?:-]*)["'`]""", source))
    begun = set(re.findall(r"""["'`]([a-z][\w.]*\.)\$\{""", source))
    python = {call.code for call in CALLS} | {call.beginning for call in CALLS}
    left = [
        key
        for key in part("en", "page")
        if key not in whole | python
        and not any(key.startswith(begin) for begin in begun)
        and key.removesuffix(".1") not in whole
    ]
    assert left == []


def test_every_word_the_page_asks_for_is_there() -> None:
    asked = {key for source in SCRIPTS.values() for key in re.findall(r"""\bsay\("([^"]+)\"""", source)}
    assert len(asked) > 100
    assert asked - sentences("de").keys() == set()


def test_a_fact_is_told_in_each_language_with_the_facts_in_it() -> None:
    told = fact("opening.preset", game="Dulle", name="x", remedy=fact("nearest.all", known=["a", "b"]))
    assert str(told) == 'Dulle has no preset "x"; known: a, b'
    assert tell(told, "de") == "Dulle hat kein Regelwerk „x“; bekannt sind a, b"
    assert tell(told, "pfl") == "Dulle hot kä Regelwerk „x“; bekannt sin a, b"


def test_what_has_no_sentence_is_said_as_it_is() -> None:
    assert text("no.such.key") == "no.such.key"
    assert tell(Fact("rules.seat", {}), "en") == 'nobody sits at "?"; seats are ?'
    assert filled('write {"kind": …}', "de", {}) == 'write {"kind": …}', "braces of JSON are no place"


def test_a_name_with_braces_fills_no_other_place() -> None:
    """Guests may choose any name."""
    told = fact("opening.dealer", who="{known}", known=["Anna"])
    assert tell(told, "de") == "{known} sitzt hier nicht; bekannt sind Anna."


REFUSED = [
    ("dubbe", {"kind": "card", "seat": "S9", "card": "red-7"}, "rules.seat"),
    ("dubbe", {"kind": "card", "seat": "S1", "card": "red-99"}, "session.card"),
    ("dubbe", {"kind": "throw", "dice": []}, "session.kind"),
    ("dubbe", {"kind": "hand"}, "session.told"),
    ("dubbe", {"kind": "bogus"}, "rules.kind"),
    ("dubbe", {"kind": "die", "colour": "red", "value": 0, "spot": "aagewwer"}, "rules.is"),
    ("dubbe", {"kind": "card", "seat": "S1"}, "rules.needs"),
    ("dulle", {"kind": "say", "seat": "S1", "what": "ruf:ZZ"}, "rules.says"),
    ("doppelkopf", {"kind": "say", "seat": "S1", "what": "solo:foo"}, "rules.says"),
    ("klapper-jas", {"kind": "say", "seat": "S1", "what": "foo"}, "rules.says"),
    ("klapper-jas", {"kind": "shown", "seat": "S1", "cards": ["C5"]}, "rules.card"),
    ("doppelx", {"kind": "say", "what": "spinner:mauve"}, "rules.says"),
    ("doppelx", {"kind": "throw", "player": "blue", "dice": [{"colour": "mauve"}]}, "rules.die"),
]


@pytest.mark.parametrize(("game", "event", "code"), REFUSED)
def test_a_refusal_is_a_code_with_arguments(
    tmp_path: Path, game: str, event: dict[str, Any], code: str
) -> None:
    seats = (
        {"players": ["blue", "green", "red"]} if game == "doppelx" else {"seats": ["S1", "S2", "S3", "S4"]}
    )
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        session = Session(journal)
        session.begin([Event("game", {"game": game, **seats})])
        with pytest.raises(SessionError) as refused:
            Telling(event=event).do(session)
        assert refused.value.fact.code == code
        assert len({tell(refused.value.fact, language) for language in LANGUAGES}) == len(LANGUAGES)
        assert "?" not in tell(refused.value.fact, "de").replace("“?", ""), "every place is filled"


def named_in_rules(pattern: str) -> set[str]:
    """Names in the rules' own source that match a pattern with one group."""
    return {name for file in RULES.rglob("*.py") for name in re.findall(pattern, file.read_text("utf-8"))}


def test_everything_the_rules_ask_find_or_remark_has_words() -> None:
    """G-14: prompts, findings, remarks of every game, in every language."""
    asked = named_in_rules(r'Prompt\("([^"]+)"') | {"besser?", "kleines?", "orgi?"}
    found = named_in_rules(r'(?:report|accuse\w*)\(\s*"(\w+)"')
    noted = (
        {"rounds_were_played", "game_was_over", "throw_after_end", "throw_after_tie"}
        | named_in_rules(r'remarks\.append\(\([^"]+, "(\w+)"')
        | named_in_rules(r'_void\("(\w+)"')
    )
    assert len(asked) > 15
    assert len(found) > 12
    assert len(noted) > 10
    words = sentences("de").keys()
    assert {f"prompt.{name}" for name in asked} <= words
    assert {f"finding.{name}" for name in found} <= words
    assert {f"remark.{name}" for name in noted} <= words
    for language in LANGUAGES:
        assert [name for name in found if finding(name, language) == name] == []
        assert [name for name in noted if name in remark(name, "S1", "Anna", language)] == []


def test_every_word_of_the_ledger_is_told() -> None:
    """Its name occurs in a story, or as a finding, a remark, a saying or a line of a settlement."""
    files = (file for room in (RULES, ROOT / "cli", ROOT / "web") for file in room.rglob("*.py"))
    source = "\n".join(file.read_text("utf-8") for file in files)
    left = []
    for key in part("en", "ledger"):
        family, *names = key.split(".")
        word = names[1] if family == "ledger" else names[-1]
        begun = word.removeprefix("item-").partition(":")[0]
        if not re.search(rf"""["'\[]{re.escape(begun)}""", source):
            left.append(key)
    by_number = re.compile(r"story\.doppelkopf\.line\.\w*(\d|abgesagt)\w*")  # the rules number such names
    assert [key for key in left if not by_number.fullmatch(key)] == []


def test_every_word_of_the_house_is_told() -> None:
    """The doctor's verdicts and the meanings of the lamps."""
    told = {call.code for call in CALLS} | {f"lamp.{meaning.says}" for meaning in MEANINGS}
    begun = ("checkup.state.", "checkup.do.")  # which part is unwell, and what to do about it
    assert [key for key in part("en", "house") if key not in told and not key.startswith(begun)] == []


def test_every_word_for_paper_is_printed() -> None:
    """Parts and quick rules carry the names of the printed games and parts."""
    source = "".join(
        (ROOT / "printables" / f"{name}.py").read_text("utf-8")
        for name in ("booklet", "mat", "plan", "fields", "pieces", "seat_cards")
    )
    parts = set(re.findall(r'Part\(\s*"(\w+)"', source))
    parts |= {piece for game in GAMES.values() for piece in game.pieces}
    left = []
    for key in part("en", "paper"):
        family, name, *_ = key.split(".")
        if family == "quick":
            left += [key] * (name not in GAMES)
        elif name in ("side", "bet"):
            left += [key] * (f'"{key.split(".")[2]}"' not in source)
        elif name in ("part", "do"):
            left += [key] * (key.split(".")[2] not in parts)
        else:
            left += [key] * (key not in source)
    assert left == []


def test_every_option_and_choice_that_has_words_is_one() -> None:
    options = [(game.name, option) for game in GAMES.values() for option in game.options]
    names = {f"option.{game}.{option.name}" for game, option in options} | {"option.marked", "option.else"}
    values = {
        str(value)
        for _, option in options
        for value in (*(option.choices or ()), *(option.default if isinstance(option.default, dict) else ()))
    }
    assert {key for key in part("en", "options") if key.startswith("option.")} == names
    choices = [key for key in part("en", "options") if key.startswith("choice.")]
    assert [key for key in choices if key.removeprefix("choice.").split(":")[-1] not in values] == []


def test_english_names_a_suit_in_one_spelling() -> None:
    """A card is the "10 of hearts", on its button and in a sentence."""
    large = re.compile(r" (Clubs|Spades|Hearts|Diamonds)\b")
    assert [text for name in PARTS for text in part("en", name).values() if large.search(text)] == []
    assert tell(card_fact("HT"), "en") == "10 of hearts"


def test_paelzisch_has_one_word_for_what_is_announced() -> None:
    assert [text for name in PARTS for text in part("pfl", name).values() if "Ansage" in text] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_stands_twice_in_a_file(language: str) -> None:
    """JSON keeps the last one in silence, and somebody then edits the other."""
    for file in sorted((Path(catalogue.__file__).parent / language).glob("*.json")):
        names = [key for key, _ in json.loads(file.read_text("utf-8"), object_pairs_hook=list)]
        assert sorted({name for name in names if names.count(name) > 1}) == [], file.name
