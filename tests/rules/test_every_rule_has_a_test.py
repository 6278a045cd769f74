"""The list of rules and the tests hold each other to account: every id of a finished game has a test.

A test bears an id in its name (`test_d_15_…`, `test_g_i7_…`) or its docstring (`D-15`, `G-I7`). A game that
is finished is added to FINISHED; the others are only counted.
"""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

from tests.rules.coverage import ids_by_game, ids_with_tests, rule_ids

FINISHED = ("G", "D", "DA", "U", "UA", "X", "XA", "K", "KA", "J", "JA")


def test_every_id_of_a_finished_game_has_a_test() -> None:
    """How many there are is printed at the end of every run (tests/conftest.py)."""
    listed, tested = ids_by_game(), ids_with_tests()
    missing = [name for prefix in FINISHED for name in listed[prefix] if name not in tested]
    assert missing == []


def test_no_id_stands_twice_in_the_rules() -> None:
    listed = rule_ids()
    assert len(listed) == len(set(listed))


def test_every_id_that_the_code_names_is_a_rule() -> None:
    """Docstrings, comments and findings point only to rules that a reader can look up."""
    listed, unknown = set(rule_ids()), []
    for file in Path(str(files("table.rules"))).rglob("*.py"):
        for name in re.findall(r"\b([GDUXKJ]A?-I?\d+)\b", file.read_text("utf-8")):
            if name not in listed:
                unknown.append(f"{file.name}: {name}")
    assert unknown == []


def test_every_ambiguity_says_what_was_decided_or_which_option_decides() -> None:
    text = (files("table.rules") / "RULES.md").read_text("utf-8")
    lines = [line for line in text.splitlines() if re.match(r"- [DUXKJ]A-\d+ ", line)]
    assert len(lines) >= 60
    assert [line for line in lines if not re.search(r"\*(decided:|tariff:|[a-z0-9_]+ =).+\*", line)] == []
