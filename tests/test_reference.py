"""`docs/reference` is binding: it states what the code does, no more and no less."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from starlette.routing import Mount, Route, WebSocketRoute

from table import telling
from table.catalogue import sentences
from table.cli import COMMANDS, program
from table.cli.config import Config
from table.hub.intake import Counts
from table.hub.metrics import metrics
from table.hub.page import application
from table.journal import Journal
from table.live import HearsNothing, Table
from table.rules import events
from table.rules.doppelkopf.terms import HOCHZEITEN, SAYINGS
from table.rules.games import GAMES, boxed
from table.rules.presets import preset_names
from table.session import Session
from table.settings import forms, read_table
from table.web import Page, PageAddress
from table.web.wishes import Again, Begin, Correction, Redo, Undo, Wish
from tests.house.pub_table import PubTable
from vision.sightings import DieSeen, Guess

HOUSE = Path(__file__).parents[1]
PAGES = HOUSE / "docs" / "reference"


def page(name: str) -> str:
    return (PAGES / name).read_text("utf-8")


def rows(text: str, after: str) -> list[list[str]]:
    """The cells of the first table after a text, without the table's head."""
    table = re.search(r"^\|.*?(?=^[^|]|\Z)", text[text.index(after) + len(after) :], re.M | re.S)
    assert table is not None, f"no table after {after!r}"
    lines = table[0].strip().splitlines()[2:]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def words(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


# --- events -------------------------------------------------------------------------------------------


def test_every_kind_of_event_stands_in_the_table_with_its_fields_and_no_other() -> None:
    written = {
        words(kind)[0]: (set(words(needs)), set(words(may)))
        for kind, needs, may, *_ in rows(page("events.md"), "## Kinds")
    }
    assert written == {kind: (set(needs), set(may)) for kind, (needs, may) in events._FORMS.items()}, (
        "docs/reference/events.md, Kinds"
    )


def test_every_field_of_an_event_is_explained() -> None:
    explained = {word for name, *_ in rows(page("events.md"), "## Fields") for word in words(name)}
    known = {name for needs, may in events._FORMS.values() for name in (*needs, *may)}
    assert explained == known | events._ALWAYS.keys() | {"kind", "id", "event"}


def test_the_kinds_that_only_truth_has_are_named() -> None:
    (line,) = re.findall(r"^Only the truth.*?\n\n", page("events.md"), re.M | re.S)
    assert set(words(line)) - {"replay --lenient"} == events.TRUTH_KINDS


def test_every_game_and_preset_is_named() -> None:
    meant = {words(name)[0]: words(says) for name, _, says in rows(page("events.md"), "## Fields")}
    assert sorted(meant["game"]) == sorted(GAMES)
    assert sorted(meant["preset"]) == list(preset_names())


def test_every_field_of_a_die_is_explained() -> None:
    guesses = (Guess("3", 0.5),)
    seen = DieSeen("blue", None, (1.0, 2.0), 3.0, "field", ("1x",), "1x", 0.4, True, ("face",), guesses)
    explained = {word for name, *_ in rows(page("events.md"), "## Throws") for word in words(name)}
    assert explained == telling.die(seen).keys() | telling.unseen_die("blue", "bet:C", {}).keys()


def test_every_finding_is_named_and_no_other() -> None:
    listed = re.search(r"^## Findings\n\n(.*?)\n\n", page("events.md"), re.M | re.S)
    assert listed is not None
    named = (key.split(".") for key in sentences("en") if key.startswith("ledger.finding."))
    assert set(words(listed[1])) == {name for _, _, name, *_ in named}


def test_what_is_said_in_doppelkopf_stands_there() -> None:
    (cell,) = [says for game, says in rows(page("events.md"), "## Sayings") if game == "Doppelkopf"]
    said, kinds = (words(part) for part in cell.split("KIND = "))
    written = {
        word.replace("KIND", kind).replace("N", number)
        for word in said
        for kind in kinds
        for number in (map(str, range(13)) if word.endswith(":N") else ("",))
    }
    assert {f"hochzeit:{kind}" for kind in HOCHZEITEN} <= written
    assert written == set(SAYINGS)


# --- the table file -----------------------------------------------------------------------------------


def test_every_key_of_the_table_file_is_explained_and_no_other() -> None:
    written: dict[str, set[str]] = {}
    section = ""
    for first, key, *_ in rows(page("table-file.md"), "## Sections"):
        section = first.strip("`[] ") or section
        written.setdefault(section, set()).update(words(key))
    known = {
        name: {field.name for field in msgspec.structs.fields(form)}
        for name, form in (forms.SINGLE | forms.REPEATED).items()
    }
    assert written == known


def test_every_default_of_the_table_file_is_named() -> None:
    section, named = "", set()
    for first, key, _, means in rows(page("table-file.md"), "## Sections"):
        section = first.strip("`[] ") or section
        named |= {(section, words(key)[0], told) for told in re.findall(r"\(default: `([^`]+)`", means)}
    known = {
        (name, field.name, json.dumps(msgspec.to_builtins(field.default)).strip('"'))
        for name, form in (forms.SINGLE | forms.REPEATED).items()
        for field in msgspec.structs.fields(form)
        if field.default not in (msgspec.NODEFAULT, None)
    }
    assert named - {("camera", "distortion", "[]")} == known


def test_the_table_file_shown_is_one(tmp_path: Path) -> None:
    (shown,) = re.findall(r"```toml\n(.*?)```", page("table-file.md"), re.S)
    (tmp_path / "table.toml").write_text(shown)
    assert [seat.name for seat in read_table(tmp_path / "table.toml").layout.seats] == ["S1", "S2"]


# --- commands -----------------------------------------------------------------------------------------


def _tree(parser: argparse.ArgumentParser, name: str) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    yield name, parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for word, sub in action.choices.items():
                yield from _tree(sub, f"{name} {word}")


def _arguments(parser: argparse.ArgumentParser) -> set[str]:
    return {
        name
        for action in parser._actions
        if not isinstance(action, argparse._HelpAction | argparse._SubParsersAction)
        for name in action.option_strings or [str(action.metavar or action.dest)]
    }


@pytest.mark.parametrize("command", COMMANDS)
def test_every_argument_of_a_command_is_explained_and_no_other(command: str) -> None:
    text = page("command-line.md")
    whole = program(command)
    (sub,) = (a.choices[command] for a in whole._actions if isinstance(a, argparse._SubParsersAction))
    tree = dict(_tree(sub, command))
    headings = {h for h in re.findall(r"^##+ (.+)$", text, re.M) if h.split()[0] == command}
    assert headings == set(tree)
    for name, parser in tree.items():
        part = re.search(rf"^##+ {name}\n(.*?)(?=^##|\Z)", text, re.M | re.S)
        assert part is not None
        cells = re.findall(r"^\| `([^`|]+)`", part[1], re.M)
        assert {cell.split()[0] for cell in cells} == _arguments(parser), name


def test_where_the_games_are_listed_none_is_missing() -> None:
    """`demo` lists all of them, `print mat` those without a box."""
    listed = re.findall(r"^\| `--game G` \| (dubbe,[^:(|]*)", page("command-line.md"), re.M)
    named = [{name.strip() for name in names.split(",")} for names in listed]
    assert named == [set(GAMES), {name for name in GAMES if not boxed(name)}]


def test_every_key_of_the_settings_file_is_explained_and_no_other() -> None:
    table = rows(page("command-line.md"), "### The settings file")
    explained = {word for names, _ in table for word in words(names)}
    assert explained == {field.name for field in msgspec.structs.fields(Config)}


# --- the page -----------------------------------------------------------------------------------------


def test_every_request_the_page_answers_is_explained_and_no_other(tmp_path: Path) -> None:
    written = {(method, words(path)[0]) for method, path, _ in rows(page("http.md"), "## Requests")}
    known: set[tuple[str, str]] = set()
    with Journal.open(tmp_path / "evening.sqlite") as journal:
        page_ = Page(Table(Session(journal), HearsNothing()), PageAddress(0))
        routes = page_.routes()
        page_.close()
    for route in routes:
        if isinstance(route, Route):
            known |= {(method, route.path) for method in (route.methods or ()) if method != "HEAD"}
        elif isinstance(route, WebSocketRoute):
            known.add(("WebSocket", route.path))
        else:
            assert isinstance(route, Mount)
            known.add(("GET", f"{route.path}/…"))
    assert written == known


@pytest.mark.parametrize("wish", [Correction, Undo, Redo, Again, Begin])
def test_every_field_of_a_request_is_shown(wish: type[Wish]) -> None:
    (cell,) = [
        gives
        for _, path, gives in rows(page("http.md"), "## Requests")
        if words(path) == [f"/api/{wish.__name__.lower()}"]
    ]
    fields = {field.name for field in msgspec.structs.fields(wish)}
    common = {field.name for field in msgspec.structs.fields(Wish)}
    assert set(re.findall(r'"(\w+)":', cell)) == fields - common
    for field in common:
        assert f'"{field}":' in page("http.md")


def test_every_field_of_the_state_is_explained_and_no_other(tmp_path: Path) -> None:
    table = PubTable(tmp_path, 4)
    explained = {word for name, *_ in rows(page("http.md"), "## The state") for word in words(name)}
    assert explained == table.page.keys()
    table.journal.close()


# --- the hub ------------------------------------------------------------------------------------------


def test_every_request_the_hub_answers_is_explained_and_no_other() -> None:
    written = {words(path)[0] for path, *_ in rows(page("hub.md"), "## Requests")}
    routes = application("", None).routes
    known = {route.path for route in routes if isinstance(route, Route)}
    assert written == known | {f"{route.path}/…" for route in routes if isinstance(route, Mount)}


def test_every_metric_of_the_hub_is_explained_and_no_other() -> None:
    written = {words(name)[0] for name, *_ in rows(page("hub.md"), "## Metrics")}
    shown = metrics(Counts(lags_s=[0.1]))
    assert written == set(re.findall(r"^(stammtisch_hub_\w+)", shown, re.M))
