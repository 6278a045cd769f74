"""`stammtisch rules`: what a newcomer reads, and how it reports files that cannot be used."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from table.catalogue import LANGUAGES
from table.cli import main
from table.rules.games import GAMES
from table.rules.option_words import option_words
from table.rules.presets import complete, preset, preset_names, read_preset

Told = tuple[int, str, str]
Ask = Callable[..., Told]


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Ask:
    """Run the command; returns its exit status, output and errors."""

    def asked(*words: str) -> Told:
        status = main(["rules", *words])
        said = capsys.readouterr()
        return status, said.out, said.err

    return asked


def test_list_names_every_game_and_preset_and_says_how_to_go_on(ask: Ask) -> None:
    status, told, _ = ask("list")
    assert status == 0
    assert all(f"  {name} " in told and preset(name).title in told for name in preset_names())
    assert "stammtisch rules check ours.toml" in told
    assert set(json.loads(ask("list", "--json")[1])) == set(GAMES)


@pytest.mark.parametrize("name", preset_names())
def test_show_tells_every_option_with_its_rule_in_lines_that_fit(ask: Ask, name: str) -> None:
    status, told, _ = ask("show", name)
    assert status == 0
    for option in GAMES[preset(name).game].options:
        assert f" {option.name} " in told
        assert f"[{option.rule}]" in told
    assert max(map(len, told.splitlines())) <= 120


def test_show_marks_what_is_not_the_default(ask: Ask) -> None:
    lines = ask("show", "bundeswehr")[1].splitlines()
    marked = {line.split()[1] for line in lines if line.startswith("* ") and "differs from" not in line}
    rules = preset("bundeswehr")
    defaults = {option.name: option.default for option in GAMES["doppelkopf"].options}
    assert marked == {name for name, value in complete(rules).items() if value != defaults[name]}


@pytest.mark.parametrize("name", preset_names())
def test_a_preset_written_as_a_file_says_the_same(ask: Ask, name: str, tmp_path: Path) -> None:
    text = ask("show", name, "--toml")[1]
    ours = read_preset(text, "ours.toml", "ours")
    assert complete(ours) == complete(preset(name))
    file = tmp_path / "ours.toml"
    file.write_text(text, "utf-8")
    status, told, _ = ask("check", str(file))
    assert status == 0
    assert f'it changes nothing in "{name}"' in told


def test_a_file_of_ones_own_is_checked_shown_compared_and_recorded(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "loewen.toml"
    file.write_text('extends = "ddv"\ntitle = "Löwen"\n[options]\nschweinchen = true\n', "utf-8")
    status, told, _ = ask("check", str(file))
    assert status == 0
    assert 'good; Löwen, rules that extend "ddv" of doppelkopf' in told
    assert "schweinchen" in told
    assert "pflichtsolo" not in told
    assert "Löwen" in ask("show", str(file))[1]
    rows = ask("diff", "ddv", str(file))[1].splitlines()
    assert [row.split()[:3] for row in rows if not row.startswith(" ")] == [
        ["option", "ddv", "loewen"],
        ["schweinchen", "off", "on"],
    ]
    line = json.loads(ask("show", str(file), "--json")[1])
    assert (line["preset"], line["options"]) == ("ddv", {"schweinchen": True})


def test_diff_shows_long_values_one_below_the_other(ask: Ask) -> None:
    told = ask("diff", "ddv", "club")[1]
    assert "ddv   doppelkopf, fuchs_gefangen, karlchen, gegen_die_alten" in told
    assert "are the same rules" in ask("diff", "ddv", "ddv")[1]


def test_check_holds_a_log_against_the_hash_it_records(ask: Ask, tmp_path: Path) -> None:
    line = json.loads(ask("show", "klapper-jas", "--json")[1]) | {"seats": ["S1", "S2"]}
    log = tmp_path / "evening.jsonl"
    log.write_text(json.dumps(line) + "\n", "utf-8")
    status, told, _ = ask("check", str(log))
    assert (status, "as recorded" in told) == (0, True)
    log.write_text(json.dumps(line | {"options": {"undertrump": "free"}}) + "\n", "utf-8")
    status, _, complaint = ask("check", str(log))
    assert status == 1
    assert "evening.jsonl, line 1: it was recorded under other rules (hash" in complaint
    del line["rules_hash"]
    log.write_text(json.dumps(line | {"options": {"undertrump": "free"}}) + "\n", "utf-8")
    status, told, _ = ask("check", str(log))
    assert (status, "no hash" in told, "undertrump = free" in told) == (0, True, True)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            'extends = "ddv"\n[options]\nschweinhen = true',
            'line 3: options.schweinhen: there is no option "schweinhen"; did you mean "schweinchen"?',
        ),
        ('extends = "ddv"\n[options]\ncards = 49', 'line 3: options.cards: .* is 49; give 48 or 40'),
        ('extends = "ddv"\n[options]\nwithdraw = 1', "line 3: options.withdraw: .*give true or false"),
        ('extends = "ddw"', 'line 1: extends: there is no preset "ddw"; did you mean "ddv"?'),
        ('extends = "ddv"\n[option]', 'line 2: option: there is no such key; did you mean "options"?'),
        ('extends = "dulle"\ngame = "dubbe"', 'line 1: extends: "dulle" is a preset of dulle; extend one of'),
        ('extends = "club"\n[options]\nspitze = true', 'options.spitze: the Spitze needs a Herz 9'),
        ("extends = ", "this is not TOML"),
    ],
)  # fmt: skip
def test_a_bad_file_is_told_in_one_sentence(ask: Ask, text: str, complaint: str, tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_text(text, "utf-8")
    status, told, said = ask("check", str(file))
    assert (status, told) == (1, "")
    assert said.count("\n") == 1
    assert re.search(complaint.replace("?", r"\?"), said), said


def test_wrong_use_and_missing_files(ask: Ask, tmp_path: Path) -> None:
    status, _, said = ask("show", "ddvv")
    assert (status, 'there is no preset "ddvv"; did you mean "ddv"?' in said) == (2, True)
    status, _, said = ask("diff", "ddv", "dubbe")
    assert (status, "compare two of one game" in said) == (2, True)
    status, _, said = ask("check", str(tmp_path / "nowhere.toml"))
    assert (status, "no such file" in said) == (1, True)
    empty = tmp_path / "empty.jsonl"
    empty.write_text("", "utf-8")
    status, _, said = ask("check", str(empty))
    assert (status, 'there is no "game" line in it' in said) == (1, True)
    empty.write_bytes(b"\xff\xfe\x00")
    assert "not text in UTF-8" in ask("check", str(empty))[2]
    empty.write_text('{"kind": "game", "game": "dube"}', "utf-8")
    assert 'there is no game "dube"' in ask("check", str(empty))[2]


@pytest.mark.parametrize("game", GAMES)
def test_every_option_is_told_in_every_language(ask: Ask, game: str) -> None:
    for language in LANGUAGES:
        told = " ".join(ask("show", GAMES[game].presets[0], "--lang", language)[1].split())
        for option in GAMES[game].options:
            assert option_words(game, option, language) != option.name
            assert option_words(game, option, language) in told
