"""The values next to a threshold's own, and the record of the eye's results there."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import vision
from vision.box.frame_diff import changed
from vision.box.motion_parameters import BOX_MOTION
from vision.cards import enrolment, series
from vision.errors import VisionError
from vision.evaluate import stages
from vision.evaluate.constants import constants, trying_constant
from vision.evaluate.stages import STAGES, Threshold, threshold_named, thresholds, trying
from vision.evaluate.swept import Swept, evidence, keep_swept, neighbours, read_swept
from vision.imgproc import flicker
from vision.parameters import Note

NOW = {"right": 17, "wrong": 0, "unsure": 1, "missed": 0, "invented": 0}
WORSE = NOW | {"right": 15, "missed": 2}
SWEPT = Swept("die.round_off", 0.3, ("two-dice",), "2026-11-28", NOW, {"0.24": None, "0.375": WORSE})


def a_threshold(value: float, low: float = 0.0, high: float = 10.0) -> Threshold:
    return Threshold("die.round_off", value, Note("px", low, high, "one against the other"))


@pytest.mark.parametrize(
    ("value", "low", "high", "beside"),
    [
        (2.0, 0.0, 10.0, [1.6, 2.5]),
        (2.0, 1.9, 2.2, [1.9, 2.2]),  # no further than its range
        (1.0, 0.0, 1.0, [0.8]),  # nothing lies above the end of its range
        (-2.0, -5.0, 5.0, [-2.5, -1.6]),
        (0.0, 0.0, 10.0, [1.0]),
        (3, 0, 10, [2, 4]),  # whole numbers stay whole
        (60, 0, 100, [48, 75]),
    ],
)
def test_a_value_is_tried_a_fifth_lower_and_a_quarter_higher(
    value: float, low: float, high: float, beside: list[float]
) -> None:
    tried = neighbours(a_threshold(value, low, high))
    assert tried == pytest.approx(beside)
    assert all(isinstance(each, type(value)) for each in tried)


def test_every_threshold_has_a_value_beside_it_that_can_be_tried() -> None:
    assert [each.name for each in thresholds() if not neighbours(each)] == []


def test_a_result_says_what_another_value_costs() -> None:
    assert SWEPT.costs("0.375") == {"right": -2, "missed": 2}
    assert SWEPT.costs("0.24") == {}
    assert SWEPT.sentence() == "two-dice, 17 right, 2026-11-28: 0.24 the same, 0.375 right -2, missed +2"


def test_the_same_counts_told_otherwise_are_as_good_and_not_the_same() -> None:
    other = Swept(
        "die.round_off", 0.3, ("two-dice",), "2026-11-28", NOW, {"0.24": dict(NOW), "0.4": "KeyError: 3"}
    )
    assert other.sentence().endswith("0.24 as good, 0.4 fails (KeyError: 3)")


def test_a_newer_result_of_the_same_sets_takes_the_place_of_the_older(tmp_path: Path) -> None:
    record = tmp_path / "swept.json"
    elsewhere = Swept("die.round_off", 0.3, ("photos",), "2026-11-28", NOW, {"0.24": WORSE})
    keep_swept(record, [SWEPT, elsewhere])
    newer = Swept("die.round_off", 0.4, ("two-dice",), "2026-11-29", NOW, {"0.32": None})
    keep_swept(record, [newer])
    assert read_swept(record) == [elsewhere, newer]


def test_of_a_threshold_with_another_value_by_now_the_old_result_is_no_evidence() -> None:
    assert evidence(a_threshold(0.3), [SWEPT]) == [SWEPT.sentence()]
    assert evidence(a_threshold(0.5), [SWEPT]) == ["it was 0.3 on 2026-11-28, when it was swept"]
    assert evidence(threshold_named("die.round_off"), []) == []


def test_the_houses_own_record_names_thresholds_that_exist() -> None:
    known = {each.name for each in thresholds()}
    assert {each.name for each in read_swept()} <= known


def test_named_constants_beside_their_code_are_listed_with_what_is_said_of_them() -> None:
    listed = {each.name: each for each in constants("vision.imgproc.flicker")}
    rows = listed["vision.imgproc.flicker:_ROWS"]
    assert (rows.value, bool(rows.note.trades)) == (flicker._ROWS, True)
    assert "vision.imgproc.flicker:_SEEN" in listed, "two may be named in one line"
    assert neighbours(replace(rows, value=0.0)) == [], "nobody says how far it may go"


def test_a_constant_has_another_value_for_a_while_wherever_it_was_imported() -> None:
    least = series.LEAST
    with trying_constant("vision.cards.series:LEAST", 9):
        assert [vars(module)["LEAST"] for module in (series, enrolment)] == [9, 9]
    assert [vars(module)["LEAST"] for module in (series, enrolment)] == [least, least]


@pytest.mark.parametrize("name", ["vision.mat.scene:_NO_SUCH", "vision.no_such:_ROWS", "json:ROWS"])
def test_an_unknown_constant_is_told(name: str) -> None:
    with pytest.raises(VisionError, match="no"), trying_constant(name, 1.0):
        pass


def test_a_threshold_that_is_tried_holds_also_where_nobody_passes_it_on() -> None:
    before = np.full((40, 60, 3), 90, np.uint8)
    after = before.copy()
    after[10:14, 20:24] += 60
    assert changed(before, after).sum() == 16
    with trying("box-motion.jump", 100):
        assert not changed(before, after).any()


COPIES = """
KEPT = np.float32(MOTION.jump)
OF_EACH = [each * MOTION.jump for each in (1, 2)]
class Jump:
    by = MOTION.jump
    def over(self, jump=MOTION.jump, *, least=MOTION.jump): return jump
@lru_cache(maxsize=8)
def lines(): return MOTION.jump
@cache
def seams(): return MOTION.jump
"""
READ_EACH_TIME = """
OVER = lambda news: news > MOTION.jump
def over(news, jump=None):
    return news > (MOTION.jump if jump is None else jump)
class Jump:
    @property
    def by(self): return MOTION.jump
"""


def test_a_threshold_is_read_where_it_is_used_and_copied_nowhere_when_a_module_is_imported() -> None:
    assert sorted(line for line, _ in copied(COPIES, {"MOTION"})) == [2, 3, 5, 6, 6, 8, 10]
    assert list(copied(READ_EACH_TIME, {"MOTION"})) == []
    named = {name for name, value in vars(stages).items() if any(value is each for each in STAGES.values())}
    assert len(named) == len(STAGES), "every stage stands by its name in stages.py"
    root = Path(vision.__file__).parent
    found = [
        f"{path.relative_to(root)}:{line} {words}"
        for path in sorted(root.rglob("*.py"))
        for line, words in copied(path.read_text(encoding="utf-8"), named)
    ]
    assert found == [], "a sweep would try nothing there: read the threshold inside the function"
    assert BOX_MOTION in STAGES.values()


def copied(source: str, stages_named: set[str]) -> Iterator[tuple[int, str]]:
    """Where a module reads a stage only once: at its top level, in a class, a default or a cache."""
    waiting: list[tuple[ast.AST, bool]] = [(ast.parse(source), True)]
    while waiting:
        node, at_once = waiting.pop(0)
        if at_once and isinstance(node, ast.Attribute) and ast.unparse(node.value) in stages_named:
            yield node.lineno, ast.unparse(node)
        later: list[ast.AST] = []
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            later = list(node.body)
            cached = any({"cache", "lru_cache"} & names_in(each) for each in node.decorator_list)
        elif isinstance(node, ast.Lambda):
            later, cached = [node.body], False
        waiting += [(each, cached) for each in later]
        waiting += [(each, at_once) for each in ast.iter_child_nodes(node) if each not in later]


def names_in(node: ast.AST) -> set[str]:
    """The names in an expression; `functools.cache` also counts as `cache`."""
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)} | {
        each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)
    }
