"""What the outbox sends of a journal: each line under its own key, whatever happens to file, mark, clock."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

from table.integrations.mqtt.outbox import Outbox
from table.journal import Journal
from table.rules.events import Event
from tests.table.running_page import OPENING


def test_what_is_told_has_no_text_that_a_hub_cannot_keep(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "a.sqlite") as journal:
        journal.new_game(1.0, (*OPENING, Event("say", {"seat": "S1", "what": "\\u0000 \0"})))
    with contextlib.closing(Outbox(tmp_path / "a.sqlite", "window")) as outbox:
        assert outbox.batch()[-1].event["what"] == "\\u0000 \ufffd"


def test_a_journal_that_does_not_go_on_as_it_was_told_begins_a_new_boot(tmp_path: Path) -> None:
    def table(file: Path, *cards: str) -> None:
        with Journal.open(file) as journal:
            game = journal.games()[-1] if journal.games() else journal.new_game(1.0, OPENING)
            for card in cards:
                journal.append(game, Event("card", {"seat": "S1", "card": card}))

    def told(file: Path) -> list[tuple[int, int, Any]]:
        outbox = Outbox(file, "window", wall=lambda: 1000.0)
        with contextlib.closing(outbox):
            lines = outbox.batch()
            outbox.confirm_batch()
        return [(line.boot, line.id, line.event.get("card")) for line in lines]

    file = tmp_path / "a.sqlite"
    table(file, "red-1")
    assert [line[:2] for line in told(file)] == [(1000, 1), (1000, 2), (1000, 3), (1000, 4)]
    copy = file.read_bytes()
    table(file, "red-2")
    assert told(file) == [(1000, 5, "red-2")]
    file.write_bytes(copy)  # somebody has restored yesterday's copy
    assert told(file) == []
    table(file, "red-9")
    assert told(file) == [(1001, 5, "red-9")]


def test_a_table_that_is_renamed_tells_nothing_a_second_time(tmp_path: Path) -> None:
    file = tmp_path / "a.sqlite"

    def told(name: str, *heard: int) -> list[tuple[str, int, int, int]]:
        with contextlib.closing(Outbox(file, name, wall=lambda: 1000.0)) as outbox:
            for boot in heard:
                outbox.back_to(boot, 0)
            lines = outbox.batch()
            outbox.confirm_batch()
        return [(line.table, line.boot, line.game, line.after) for line in lines]

    with Journal.open(file) as journal:
        journal.new_game(1.0, OPENING)
        assert {line[:3] for line in told("window")} == {("window", 1000, 1)}
        assert told("lounge") == []
        journal.new_game(2.0, OPENING)
        first, *more = told("lounge", 1000)
        assert first == ("lounge", 1001, 2, 0), "nothing of what was told before"
        assert {line[:3] for line in more} == {("lounge", 1001, 2)}
        assert {line[2] for line in told("lounge", 1001, 1000)} == {2}, "nor when a hub has nothing of it yet"
        assert told("window", 1000) == [], "the old name again: what it told is there"


def test_a_game_that_goes_on_under_a_new_name_is_told_whole(tmp_path: Path) -> None:
    file = tmp_path / "a.sqlite"

    def told(name: str) -> list[tuple[str, int, int, int]]:
        with contextlib.closing(Outbox(file, name, wall=lambda: 1000.0)) as outbox:
            lines = outbox.batch()
            outbox.confirm_batch()
        return [(line.table, line.boot, line.game, line.id) for line in lines]

    with Journal.open(file) as journal:
        journal.new_game(1.0, OPENING)
        assert told("window") == [("window", 1000, 1, number) for number in (1, 2, 3)]
        assert told("lounge") == []
        assert told("corner") == [], "renamed once more before anything was played"
        journal.append(1, Event("card", {"seat": "S1", "card": "red-1"}))
        assert told("corner") == [("corner", 1002, 1, number) for number in (1, 2, 3, 4)]
        journal.append(1, Event("card", {"seat": "S2", "card": "red-2"}))
        assert told("corner") == [("corner", 1002, 1, 5)]


def test_a_new_journal_under_a_clock_that_is_behind_is_told_as_of_a_later_boot(tmp_path: Path) -> None:
    file = tmp_path / "a.sqlite"
    with Journal.open(file) as journal:
        journal.new_game(1.0, OPENING)
    with contextlib.closing(Outbox(file, "window", wall=lambda: 50.0)) as outbox:
        assert [line.boot for line in outbox.batch()] == [50, 50, 50]
        outbox.confirm_batch()
        assert outbox.back_to(2000, 9), "a hub has the boots of the old card"
        assert {line.boot for line in outbox.batch()} == {2001}
        assert outbox.batch()[0].after == 0
        outbox.confirm_batch()
        assert not outbox.back_to(2001, outbox.mark.told)
        assert not outbox.back_to(3000, outbox.mark.told) or outbox.mark.boot == 2001, (
            "two tables of one name must not drive each other up"
        )


def test_a_disk_that_was_put_back_with_its_mark_tells_no_other_lines_under_the_same_keys(
    tmp_path: Path,
) -> None:
    file, mark = tmp_path / "a.sqlite", tmp_path / "a.sqlite.told"

    def told(*kept: int) -> list[tuple[int, int]]:
        with contextlib.closing(Outbox(file, "window", wall=lambda: 1000.0)) as outbox:
            for sequence in kept:
                outbox.back_to(1000, sequence)
            lines = outbox.batch()
            outbox.confirm_batch()
        return [(line.boot, line.id) for line in lines]

    with Journal.open(file) as journal:
        journal.new_game(1.0, OPENING)
    assert told() == [(1000, 1), (1000, 2), (1000, 3)]
    image = file.read_bytes(), mark.read_bytes()
    with Journal.open(file) as journal:
        for card in ("red-1", "red-2"):
            journal.append(1, Event("card", {"seat": "S1", "card": card}))
    assert told() == [(1000, 4), (1000, 5)]
    file.write_bytes(image[0])
    mark.write_bytes(image[1])
    Path(f"{file}.lock").unlink()
    with Journal.open(file) as journal:
        journal.append(1, Event("card", {"seat": "S1", "card": "red-9"}))
    assert told((1 << 32) + 5) == [(1001, 4)]
    assert told() == []


def test_a_mark_of_an_earlier_release_goes_on_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "a.sqlite"
    with Journal.open(file) as journal:
        journal.new_game(1.0, OPENING)
        with contextlib.closing(Outbox(file, "window", wall=lambda: 1000.0)) as outbox:
            outbox.batch()
            outbox.confirm_batch()
        mark = Path(f"{file}.told")
        mark.write_text(
            json.dumps(
                {k: v for k, v in json.loads(mark.read_text(encoding="utf-8")).items() if k != "table"}
            ),
            encoding="utf-8",
        )
        journal.append(1, Event("card", {"seat": "S1", "card": "red-1"}))
    with contextlib.closing(Outbox(file, "window", wall=lambda: 2000.0)) as outbox:
        assert [(line.boot, line.event.get("card")) for line in outbox.batch()] == [(1000, "red-1")]


def test_a_hub_that_has_nothing_of_this_boot_is_told_all_of_it_again(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "a.sqlite") as journal:
        journal.new_game(1.0, (Event("game", {"game": "dubbe"}),))
        journal.new_game(2.0, OPENING)
    with contextlib.closing(Outbox(tmp_path / "a.sqlite", "window", wall=lambda: 1000.0)) as outbox:
        told = outbox.batch()
        outbox.confirm_batch()
        assert told
        assert not outbox.back_to(1000, told[-1].sequence)
        for boot in (1000, 3):
            assert outbox.back_to(boot, 0), "it lacks the first line"
            assert outbox.batch() == told
            outbox.confirm_batch()
