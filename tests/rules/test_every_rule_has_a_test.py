"""RULES.md and the tests must agree: every id has a test.

A test carries an id in its name (`test_d_15_…`, `test_g_i7_…`) or its docstring (`D-15`, `G-I7`).
"""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

from tests.rules.coverage import ids_proven, ids_with_tests, rule_ids


def test_every_id_has_a_test() -> None:
    """The counts are printed at the end of every run (tests/conftest.py)."""
    listed, tested = rule_ids(), ids_with_tests()
    assert len(listed) > 300, "the list was read"
    without = [name for name in listed if name not in tested]
    assert without == [], "a test in tests/rules bears each: test_d_15_…, or D-15 in its docstring"


def test_no_id_stands_twice_in_the_rules() -> None:
    listed = rule_ids()
    assert len(listed) == len(set(listed))


def test_every_id_that_the_code_names_is_a_rule() -> None:
    """Docstrings, comments and findings name only rules that a reader can look up."""
    listed, unknown = set(rule_ids()), []
    letters = "".join({name[0] for name in listed})
    for file in Path(str(files("table.rules"))).rglob("*.py"):
        for name in re.findall(rf"\b([{letters}]A?-I?\d+)\b", file.read_text("utf-8")):
            if name not in listed:
                unknown.append(f"{file.name}: {name}")
    assert unknown == []


def test_every_ambiguity_says_what_was_decided_or_which_option_decides() -> None:
    text = (files("table.rules") / "RULES.md").read_text("utf-8")
    lines = [line for line in text.splitlines() if re.match(r"- [A-Z]A-\d+ ", line)]
    assert len(lines) >= 60
    assert [line for line in lines if not re.search(r"\*(decided:|tariff:|[a-z0-9_]+ =).+\*", line)] == []


TESTS = """
def test_d_01_nothing_is_looked_at(): played()
def test_d_02_it_asserts(): assert played()
def test_d_03_it_expects_an_error():
    with pytest.raises(EventError): played()
def test_d_04_its_helper_asserts(): told()
def test_by_a_helper_of_a_helper(): 'D-05: told.'; retold()
def told(): assert played()
def retold(): told()
"""


def test_a_test_that_asserts_nothing_proves_no_rule() -> None:
    assert ids_proven([TESTS]) == {"D-02", "D-03", "D-04", "D-05"}
