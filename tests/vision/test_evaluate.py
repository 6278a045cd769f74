"""Thresholds are listed, hashed and tried; answers are compared with labels."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import FrozenInstanceError, fields
from pathlib import Path

import pytest

from vision.cards.parameters import STILL_CARD
from vision.errors import VisionError
from vision.evaluate.film import tally_film
from vision.evaluate.labels import read_stills
from vision.evaluate.stages import STAGES, fingerprint, threshold_named, thresholds, trying
from vision.evaluate.tally import Prediction, Tally, tally_still
from vision.parameters import NOT_MEASURED, threshold


def test_every_threshold_has_a_unit_a_range_and_what_it_trades() -> None:
    listed = thresholds()
    assert len(listed) == sum(len(fields(stage)) for stage in STAGES.values()) > 40
    for each in listed:
        assert each.note.low <= each.value <= each.note.high, each.name
        assert each.note.unit, each.name
        assert each.note.trades, each.name
        assert each.note.measured == NOT_MEASURED or any(c.isdigit() for c in each.note.measured), each.name


def test_no_stage_can_be_written_to_by_accident() -> None:
    with pytest.raises(FrozenInstanceError):
        STILL_CARD.sure_likeness = 0.1  # type: ignore[misc]


def test_a_tried_value_holds_for_a_while_and_changes_the_hash() -> None:
    before = fingerprint()
    with trying("still-card.sure_likeness", 0.9):
        assert STILL_CARD.sure_likeness == 0.9
        assert fingerprint() != before
    assert STILL_CARD.sure_likeness == 0.72
    assert fingerprint() == before


def test_an_unknown_threshold_is_told_with_the_nearest_names() -> None:
    with pytest.raises(VisionError, match=r"still-card\.sure_likeness"):
        threshold_named("sure_likeness")


def test_a_value_out_of_its_range_is_refused() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        threshold(2.0, "share", (0, 1), "nothing")


def labelled(folder: Path, *things: dict[str, object], kind: str = "cards") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "labels.json").write_text(json.dumps([{"image": "a.jpg", kind: list(things)}]))
    return folder


def counted(folder: Path, *answers: Prediction) -> dict[str, Tally]:
    tallies: dict[str, Tally] = defaultdict(Tally)
    (still,) = read_stills(folder)
    tally_still(tallies, still.labels, answers)
    return tallies


def card(name: str | None, x: float, y: float = 0.0) -> Prediction:
    return Prediction(
        "card", {"card": name, "rank": name and name[-1]}, (x, y), (x - 30, y - 45, x + 30, y + 45)
    )


def at(x: float, y: float = 0.0) -> list[list[float]]:
    return [[x - 30, y - 45], [x + 30, y - 45], [x + 30, y + 45], [x - 30, y + 45]]


def test_a_card_is_right_wrong_unsure_missed_or_invented(tmp_path: Path) -> None:
    names = ("CQ", "CK", "SA", "S9")
    folder = labelled(tmp_path, *({"card": n, "corners": at(100.0 * i)} for i, n in enumerate(names)))
    tally = counted(folder, card("CQ", 2), card("CQ", 103), card(None, 200), card("HT", 700))["card"]
    assert (tally.right, tally.wrong, tally.unsure, tally.missed, tally.invented) == (1, 1, 1, 1, 1)
    assert tally.to_dict()["confusion"] == {"CK>CQ": 1}
    assert tally.labels == 4


def test_a_covered_card_may_stay_unseen_but_not_be_misnamed(tmp_path: Path) -> None:
    folder = labelled(tmp_path, {"card": "CQ", "corners": at(0), "covered": 0.5})
    assert counted(folder)["card"].missed == 0
    assert counted(folder, card("SQ", 0))["card"].wrong == 1


def test_of_a_label_that_knows_the_rank_only_the_rank_counts(tmp_path: Path) -> None:
    folder = labelled(tmp_path, {"rank": "Q", "box": [70, 55, 130, 145]})
    assert counted(folder, card("SQ", 100, 100))["card"].right == 1
    assert counted(folder, card("SQ", 140, 100))["card"].missed == 1, "boxes must agree"


def test_a_die_out_of_the_field_is_no_miss_and_not_invented(tmp_path: Path) -> None:
    folder = labelled(
        tmp_path, {"colour": "red", "face": "3", "center": [0, 0], "where": "outside"}, kind="dice"
    )
    told = Prediction("die", {"die": "red-3", "face": "3"}, (18.0, 0.0))
    tally = counted(folder, told)["die"]
    assert (tally.labels, tally.missed, tally.invented) == (0, 0, 0)


def test_a_misspelt_label_names_picture_and_field(tmp_path: Path) -> None:
    with pytest.raises(VisionError, match=r"a\.jpg.*rank"):
        read_stills(labelled(tmp_path, {"crad": "CQ", "corners": at(0)}))


def test_events_of_a_film_are_paired_by_name_before_time() -> None:
    truth = [{"kind": "card", "t": float(t), "card": name} for t, name in enumerate(("CQ", "CK", "SA", "S9"))]
    events = [
        {"kind": "card", "t": 1.2, "card": "CQ"},
        {"kind": "card", "t": 1.3, "card": "DK"},
        {"kind": "unsure", "t": 2.1, "candidates": []},
        {"kind": "card", "t": 30.0, "card": "HA"},
    ]
    told = tally_film(truth, events)
    tally = told.kinds["card"]
    assert (tally.right, tally.wrong, tally.unsure, tally.missed, tally.invented) == (1, 1, 1, 1, 1)
    assert told.late() == {"p50": 1.2, "p95": 1.2, "max": 1.2}


def test_of_a_throw_told_twice_the_last_telling_counts() -> None:
    def throw(t: float, *faces: str | None) -> dict[str, object]:
        dice = [
            {"colour": c, "face": f, "where": "field"} for c, f in zip(("red", "blue"), faces, strict=False)
        ]
        return {"kind": "throw", "t": t, "dice": dice}

    tally = tally_film([throw(1.0, "3", "2")], [throw(1.1, "1", "2"), throw(1.4, "3", None)])
    assert (tally.kinds["thrown die"].right, tally.kinds["thrown die"].unsure) == (1, 1)


def test_of_a_film_watched_in_part_its_last_seconds_do_not_count() -> None:
    truth = [{"kind": "card", "t": float(t), "card": name} for t, name in ((1, "CQ"), (2, "CK"), (8, "SA"))]
    events = [{"kind": "card", "t": 1.2, "card": "CQ"}, {"kind": "card", "t": 8.1, "card": "SA"}]
    tally = tally_film(truth, events, until=10.0).kinds["card"]
    assert (tally.labels, tally.right, tally.missed, tally.invented) == (2, 1, 1, 0)
