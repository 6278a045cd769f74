"""References in code and docs resolve: pages and their sections, files, and rule ids."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

from tests.rules.coverage import rule_ids

HOUSE = Path(__file__).parents[1]
PAGES = HOUSE / "docs" / "reference"
ROOMS = ("table", "vision", "firmware_bridge", "hardware", "tests", "docs")
_CODE = {".py", ".js", ".toml", ".c", ".h", ".css", ".html"}
_LETTERS = "|".join(sorted({name.partition("-")[0] for name in rule_ids()}))
_RULE = re.compile(rf"(?<![\w-])((?:{_LETTERS})-I?\d+)(?![\w-])")
_ELSEWHERE = {"CONTRACTS.md", "DESIGN.md", "FINDINGS.md"}
"""Pages that do not belong to the project, so nothing here may refer to them."""


@cache
def ours() -> tuple[Path, ...]:
    """Every text file of the project: those that git tracks, or all where there is no git."""
    try:
        told = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
            cwd=HOUSE,
            capture_output=True,
            text=True,
            check=True,
        )
        files = [HOUSE / name for name in told.stdout.splitlines()]
    except (OSError, subprocess.CalledProcessError):
        files = [path for room in ROOMS for path in (HOUSE / room).rglob("*")] + [*HOUSE.glob("*.md")]
    return tuple(p for p in files if p.is_file() and p.suffix in _CODE | {".md"} and p != Path(__file__))


@cache
def anchors(page: Path) -> frozenset[str]:
    """The anchors of a page's sections."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.M)
    return frozenset(
        re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings
    )


def where(path: Path, text: str, at: int) -> str:
    return f"{path.relative_to(HOUSE)}:{text.count(chr(10), 0, at) + 1}"


def test_every_page_and_section_that_code_cites_is_there() -> None:
    wrong = []
    for path in ours():
        text = path.read_text("utf-8")
        for found in re.finditer(r"(?<![\w/.-])(?:docs/reference/)?([a-z][a-z-]*\.md)(#[\w-]+)?", text):
            name, anchor = found[1], (found[2] or "")[1:]
            known = (PAGES / name).exists() and (not anchor or anchor in anchors(PAGES / name))
            if not known and (path.suffix != ".md" or found[2]):
                wrong.append(f"{where(path, text, found.start())}: {found[0]}")
    assert not wrong


def test_every_link_of_a_page_leads_somewhere() -> None:
    wrong = []
    for path in (p for p in ours() if p.suffix == ".md"):
        text = path.read_text("utf-8")
        for found in re.finditer(r"\]\(([^)\s]+)\)", text):
            target, _, anchor = found[1].partition("#")
            if "://" in target:
                continue
            file = (path.parent / target).resolve() if target else path
            if not file.exists() or (anchor and anchor not in anchors(file)):
                wrong.append(f"{where(path, text, found.start())}: {found[1]}")
    assert not wrong


def test_every_rule_that_is_named_is_in_the_rules() -> None:
    known = set(rule_ids())
    wrong = []
    for path in ours():
        text = path.read_text("utf-8")
        for found in _RULE.finditer(text):
            prefix, _, number = found[1].partition("-")
            two_digits = f"{prefix}-{number:0>2}" if number.isdigit() and len(prefix) == 1 else found[1]
            if two_digits not in known:
                wrong.append(f"{where(path, text, found.start())}: {found[0]}")
    assert not wrong


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"])
def test_every_file_that_a_page_names_is_there(page: str) -> None:
    text = (HOUSE / page).read_text("utf-8")
    named = re.findall(rf"`((?:{'|'.join(ROOMS)})/[\w/.*-]+)`", text)
    assert [name for name in named if not _is_there(name)] == []


def _is_there(name: str) -> bool:
    """Whether a file, folder, pattern, module, or name defined in a module (`table/live.Table`) exists."""
    if any(HOUSE.glob(name.rstrip("/"))) or any(HOUSE.glob(f"{name}.py")):
        return True
    module, _, inside = name.rpartition("/")
    file, *names = inside.split(".")
    code = HOUSE / module / f"{file}.py"
    return code.exists() and all(re.search(rf"\b{each}\b", code.read_text("utf-8")) for each in names)


def test_nothing_points_to_pages_outside_the_project() -> None:
    wrong = []
    for path in ours():
        text = path.read_text("utf-8")
        for found in re.finditer(r"CONTRACTS \d|\b[A-Z]+\.md\b", text):
            if found[0] in _ELSEWHERE or found[0].startswith("CONTRACTS"):
                wrong.append(f"{where(path, text, found.start())}: {found[0]}")
    assert not wrong
