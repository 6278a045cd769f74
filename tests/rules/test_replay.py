"""`stammtisch replay`: the ledger for people, the result for programs, one clear sentence on bad input."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from table.cli import main
from table.rules import write
from table.rules.evening import evening
from table.rules.events import Event
from tests.rules.evening import one_sided

GAME = {"kind": "game", "game": "dubbe", "seats": ["S1", "S2", "S3"], "players": ["Anna", "Bernd", "Carla"]}


def log_file(folder: Path, *events: dict[str, Any]) -> Path:
    file = folder / "evening.jsonl"
    file.write_text("\n".join(write(Event.from_dict(event)) for event in events), "utf-8")
    return file


def revoke() -> list[dict[str, Any]]:
    cards = ["S2 blue-5", "S3 green-1", "S1 blue-1", "S2 yellow-1", "S3 blue-3"]
    played = [{"kind": "card", "seat": c.split()[0], "card": c.split()[1]} for c in cards]
    die = {"kind": "die", "colour": "red", "value": 1, "spot": "aagewwer"}
    return [GAME, {"kind": "round", "dealer": "S3"}, die, *played]


def test_the_ledger_can_be_followed_trick_by_trick(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(log_file(tmp_path, *revoke()))]) == 0
    out = capsys.readouterr().out
    assert "Runde 1 · Geber Carla · Trumpf Rot (läuft noch)" in out
    assert (
        "1. Bernd Blau 5 · Carla Grün 1 · Anna Blau 1 → Bernd   NEU Weschwieschmännchen (Würfel 1) zu Bernd"
        in out
    )
    assert "Bernd Gelb 1 · Carla Blau 3 (liegt noch)" in out
    assert (
        "Carla: nicht bedient, Grün 1 in Runde 1, Stich 1 (Zeile 5); bewiesen durch Blau 3 (Zeile 8) [G-03]"
        in out
    )


def test_it_speaks_english_too_and_explains(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(log_file(tmp_path, *revoke())), "--lang", "en", "--explain"]) == 0
    out = capsys.readouterr().out
    assert "1. Bernd blue 5 · Carla green 1 · Anna blue 1 → Bernd" in out
    assert "The colour led had no character yet: the next in order comes with the trick. [D-22]" in out
    assert "Carla: did not follow" in out


def test_g_14_hidden_hands_are_spoken_of_only_to_whom_it_concerns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = str(log_file(tmp_path, *revoke()[:-1]))

    def said(*options: str) -> str:
        assert main(["replay", log, *options]) == 0
        return capsys.readouterr().out

    assert "hat nicht" not in said() + said("--for", "all") + said("--for", "S1")
    assert "Nur für Carla: Carla hat nicht: Blau 2, Blau 3" in said("--for", "S3")
    assert "Nur für die Leitung: Grün 1 von Carla (Zeile 5)" in said("--for", "operator")
    assert "For the operator only: green 1 by Carla" in said("--for", "operator", "--lang", "en")
    told = json.loads(said("--for", "S3", "--json"))["told"]
    assert [(one["audience"], one["what"]) for one in told] == [("S3", "lacks")]
    assert said("--for", "Carla") == said("--for", "S3")
    assert main(["replay", log, "--for", "S9"]) == 2
    assert "known: all, operator, S1, S2, S3" in capsys.readouterr().err


def test_json_is_one_line_with_what_the_contract_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(log_file(tmp_path, *revoke())), "--json"]) == 0
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    result = json.loads(out)
    assert set(result) == {"game", "finished", "points", "rounds", "findings", "winners"}
    assert result["findings"] == [{"finding": "revoke", "rule": "G-03", "seat": "S3", "event": 8, "about": 5}]
    assert result["winners"] == []


def test_a_whole_evening_ends_with_winners(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    events = [
        event.to_dict() for event in evening({**GAME, "options": {"rounds": 3, "black_die": True}}, seed=4)
    ]
    assert main(["replay", str(log_file(tmp_path, *events)), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    best = max(result["points"].values())
    assert result["finished"] is True
    assert result["winners"] == [seat for seat, points in result["points"].items() if points == best]
    assert [entry["complete"] for entry in result["rounds"]] == [True] * 3


def test_standard_input_and_what_watch_prints_at_its_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [write(Event.from_dict(event)) for event in revoke()] + [
        '{"points": {"S1": 0}, "game": "dubbe"}',
        '{"frames": 3}',
    ]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines)))
    assert main(["replay", "-", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["points"] == {"S1": 0, "S2": 0, "S3": 0}


def test_doubts_are_settled_by_the_cards_and_the_others_stay_open(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    doubt = {"kind": "unsure", "seat": "S2", "candidates": [["yellow-1", 0.5], ["yellow-8", 0.4]]}
    still = {"kind": "unsure", "seat": "S3", "candidates": [["green-8", 0.5], ["green-9", 0.4]]}
    file = log_file(tmp_path, *revoke(), {"kind": "card", "seat": "S1", "card": "blue-9"}, doubt, still)
    assert main(["replay", str(file), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["open"] == [11]
    assert result["finished"] is False
    assert main(["replay", str(file)]) == 0
    assert "Offen, Punkte vorläufig: Zeile 11, Carla spielt Grün 8 oder Grün 9" in capsys.readouterr().out


def test_findings_and_doubts_do_not_change_the_exit_status(tmp_path: Path) -> None:
    assert main(["replay", str(log_file(tmp_path, *revoke()))]) == 0


def test_a_die_that_lies_wrong_is_told_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = {"kind": "die", "colour": "blue", "value": 4, "spot": "weschwieschmaennchen"}
    assert main(["replay", str(log_file(tmp_path, *revoke()[:6], wrong))]) == 0
    assert "Würfel liegt falsch, Blau 4 auf Weschwieschmännchen (Zeile 7) [D-3" not in capsys.readouterr().out
    assert main(["replay", str(log_file(tmp_path, *revoke()[:7], wrong)), "--lang", "en"]) == 0
    assert "a die is wrong, blue 4 on Weschwieschmännchen (line 8) [D-I3]" in capsys.readouterr().out


def test_the_settlement_and_the_black_die_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hands = one_sided()
    events: list[dict[str, Any]] = revoke()[1:3]
    for trick in range(15):
        led = hands["S2"][trick].split("-")[0]
        for seat in ("S2", "S3", "S1"):
            if seat == "S2":
                card = hands[seat][trick]
            else:
                card = next((c for c in hands[seat] if c.startswith(led)), hands[seat][0])
                hands[seat].remove(card)
            events.append({"kind": "card", "seat": seat, "card": card})
    file = log_file(tmp_path, {**GAME, "options": {"rounds": 1}}, *events)
    assert main(["replay", str(file), "--explain"]) == 0
    out = capsys.readouterr().out
    assert "Abrechnung: Aagewwer Bernd −6, Weschwieschmännchen Bernd +6" in out
    assert "Am Ende zählt jeder Würfel noch einmal. [D-33]" in out
    assert "Punkte: Anna −1, Bernd 0, Carla 0\nGewonnen: Bernd, Carla\nBefunde: keine" in out


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            '{"kind": "game", "game": "dubbe", "seats": ["S1", "S2"]}\n\n{"kind": "crad"}',
            "line 3: there is no event kind",
        ),
        ("", "there is no game in it"),
        ("\x00\x01", "line 1: this is not JSON"),
        ("[" * 100_000, "line 1: brackets are nested"),
        (
            '{"kind": "card", "card": "red-1"}',
            'line 1: a "card" before the game has begun; put a "game" line first',
        ),
        (
            '{"kind": "game", "game": "dubbe", "seats": ["S1", "S2"]}\n{"kind": "card", "card": "red-1"}',
            'line 2: a "card" before any round; put a "round" line first',
        ),
        (
            '{"kind": "game", "game": "dubbe", "seats": ["S1", "S2"]}\n\n\n{"kind": "round", "dealer": "S3"}',
            'line 4: nobody sits at "S3"; seats are S1, S2',
        ),
    ],
)
def test_bad_logs_are_told_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, told: str
) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text(text)
    assert main(["replay", str(file)]) == 1
    streams = capsys.readouterr()
    assert streams.out == ""
    assert streams.err.startswith(f"stammtisch replay: {file}: ")
    assert told in streams.err
    assert streams.err.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [("--json", "--text"), ("--json", "--explain"), ("--text", "--explain"), ("--text", "--for", "S1")],
)
def test_options_of_which_one_would_be_passed_over_are_refused(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status: object = main(["replay", "nowhere.jsonl", *words])
    except SystemExit as ended:
        status = ended.code
    streams = capsys.readouterr()
    assert (status, streams.out) == (2, "")
    assert words[0] in streams.err
    assert words[1] in streams.err


def test_files_that_cannot_be_read_are_told_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "picture.jpg").write_bytes(b"\xff\xd8\xff\xe0")
    for name in ("nowhere.jsonl", "picture.jpg", "."):
        assert main(["replay", str(tmp_path / name)]) == 1
        err = capsys.readouterr().err
        assert err.count("\n") == 1
        assert "give" in err


def test_a_name_may_hold_what_unicode_calls_an_end_of_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = {"kind": "game", "game": "dubbe", "seats": ["S1", "S2"], "players": ["A\u2028B", "C"]}
    file = tmp_path / "log.jsonl"
    file.write_text(json.dumps(game, ensure_ascii=False) + "\r\n", "utf-8", newline="")
    assert main(["replay", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["game"] == "dubbe"
