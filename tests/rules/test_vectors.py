"""Worked examples: the round of three players computed by hand, and its variations (D-V1 to D-V5)."""

from __future__ import annotations

import json

import pytest

from table.rules import parse
from table.rules.dubbe.round import DubbeRound
from tests.rules.evening import Evening
from tests.rules.folded import fold
from tests.shared import SHARED, needs

VECTOR = SHARED / "vectors" / "games" / "dubbe-3-players.jsonl"
needs_shared = needs("vectors/games/dubbe-3-players.jsonl")


@needs_shared
def test_the_hand_computed_round_of_three_players() -> None:
    """D-V1: 45 cards, 15 tricks, all five characters."""
    result = fold(list(parse(VECTOR.read_text().splitlines()))).result()
    want = json.loads(VECTOR.with_suffix(".result.json").read_text())
    assert result["points"] == want["points"]
    assert result["findings"] == want["findings"]
    assert result["rounds"][0]["audit"] is True
    booked = sum(result["points"].values())
    assert booked == 7  # the sum of all scores, worked out by hand


@needs_shared
def test_d_v2_without_jo_lossens_exemption_the_same_round_has_a_revoke(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """S1 does not follow green in trick 8 and shows green-6 in trick 13; S1 owns Jo Lossen (D-30)."""
    monkeypatch.setattr(DubbeRound, "exempt", lambda self, seat: False)
    findings = fold(list(parse(VECTOR.read_text().splitlines()))).findings()
    events = {event.id: event for event in parse(VECTOR.read_text().splitlines())}
    mine = [f for f in findings if f.seat == "S1"]
    assert [(f.finding, events[f.about or 0].card, events[f.event].card) for f in mine] == [
        ("revoke", "red-9", "green-6")
    ]


def test_d_v5_two_players_leave_fifteen_cards_unseen_and_that_is_no_error() -> None:
    """D-08: thirty plays, and nothing is missing."""
    t = Evening(2, dealer="S1")
    t.trump("red")
    assert t.view.turn == "S1"
    cards = list(t.view.pack)
    hands = {"S1": cards[0:30:2], "S2": cards[1:30:2]}
    t.play_out(hands)
    assert t.view.phase == "settled"
    assert len(t.view.seen) == 30
    assert t.proofs == []


@needs_shared
@pytest.mark.parametrize("clip", ["dev-dubbe4"])
def test_what_really_happened_in_a_clip_gives_its_points(clip: str) -> None:
    folder = SHARED / "footage" / clip
    lines = [
        line for name in ("game.jsonl", "truth.jsonl") for line in (folder / name).read_text().splitlines()
    ]
    result = fold(list(parse(lines, lenient=True))).result()
    want = json.loads((folder / "result.json").read_text())
    assert result["points"] == want["points"]
    assert result["findings"] == []
    assert result["rounds"][0]["characters"] == want["characters"]
    assert result["rounds"][0]["black_die"] == want["black_die"]
