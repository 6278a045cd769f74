"""The house's only access to the lamps, against the board in Python: cables are pulled, boards reset."""

from __future__ import annotations

import threading

import pytest

from firmware_bridge.errors import (
    CapacityError,
    PictureError,
)
from firmware_bridge.lamps import RGB, current_ma, dark
from firmware_bridge.link import Link
from firmware_bridge.messages import Request
from tests.firmware_bridge.linked_board import BLUE, RED, Table, listen


@pytest.fixture
def table() -> Table:
    return Table()


def test_the_strip_shows_what_was_asked_for(table: Table) -> None:
    table.link.show([RED, BLUE])
    assert table.lamps == (RED, BLUE, *dark(2))
    assert table.link.status.shown == 1
    assert table.link.status.connected


def test_nothing_is_opened_before_it_is_needed(table: Table) -> None:
    assert table.dialled == 0
    assert not table.link.status.connected
    table.link.tend()
    assert table.dialled == 1


def test_one_picture_is_one_request(table: Table) -> None:
    table.link.show([RED] * 4)
    table.link.show([BLUE] * 4)
    table.link.show([BLUE] * 4)
    assert table.board.executed == {Request.HELLO: 1, Request.SET: 2, Request.PING: 1}
    assert len(table.board.shown) == 4, "an unchanged picture is written once more all the same"


def test_a_long_picture_appears_in_one_piece() -> None:
    table = Table(lamps=150)
    table.link.show([(9, 0, 0)] * 150)
    assert table.board.executed[Request.SET] == 4
    assert [picture for _, picture in table.board.shown][1:] == [((9, 0, 0),) * 150]


def test_a_picture_of_another_length_is_announced_first(table: Table) -> None:
    table.link.show([RED] * 4)
    table.link.show([BLUE])
    assert table.lamps == (BLUE, *dark(3))


def test_tending_keeps_the_board_awake_and_the_picture_untouched(table: Table) -> None:
    table.link.show([RED])
    written = len(table.board.shown)
    for _ in range(20):
        table.clock.now_s += 0.9
        table.link.tend()
    assert len(table.board.shown) == written
    assert table.link.status.pong is not None
    assert table.link.status.pong.uptime_s == pytest.approx(18.0, abs=0.01)


def test_presses_are_reported_once_even_when_short(table: Table) -> None:
    table.link.show([RED])
    table.board.press(2)
    table.board.release(2)
    table.board.press(0)
    listen(table)
    assert table.link.take_presses() == 0b101
    assert table.link.buttons_down == 0b001
    listen(table)
    assert table.link.take_presses() == 0


def test_two_presses_of_one_button_are_two(table: Table) -> None:
    table.link.show([RED])
    for _ in range(2):
        table.board.press(1)
        table.board.release(1)
    listen(table)
    told = [(event.kind.name, event.value) for event in table.link.take_events()]
    assert told == [("PRESSED", 1), ("RELEASED", 1)] * 2


def test_more_presses_than_the_board_keeps_are_told_as_missed(table: Table) -> None:
    table.link.show([RED])
    for _ in range(6):
        table.board.press(1)
        table.board.release(1)
    listen(table, 1.0)
    last = table.link.take_events()[-1]
    assert (last.kind.name, last.value) == ("MISSED", 4)


def test_a_strip_longer_than_the_board_drives_is_refused_in_words(table: Table) -> None:
    with pytest.raises(CapacityError, match=r"151 lamps.*drives only 150.*LAMPS_MAX"):
        table.link.show(dark(151))
    with pytest.raises(CapacityError, match=r"300 lamps.*drives only 150"):
        table.link.show(dark(300))


def test_only_what_has_changed_is_sent(table: Table) -> None:
    table.link.show([RED] * 4)
    said: list[bytes] = []
    write = table.port.write
    table.port.write = lambda data: (said.append(data), write(data))[1]  # type: ignore[method-assign]
    table.link.show([RED, RED, BLUE, RED])
    assert table.lamps == (RED, RED, BLUE, RED)
    assert [len(data) for data in said] == [14]


def test_a_stream_of_pictures_ends_with_the_last(table: Table) -> None:
    for value in range(100):
        table.link.stream([(value, 0, 0)] * 4)
    table.link.tend()
    assert table.lamps == ((99, 0, 0),) * 4
    assert [picture[0][0] for _, picture in table.board.shown][1:] == list(range(100))


def test_impossible_colours_never_reach_the_wire(table: Table) -> None:
    with pytest.raises(PictureError, match="lamp 1"):
        table.link.show([RED, (0, 300, 0)])
    assert table.dialled == 0


def test_the_power_budget_holds_on_the_strip() -> None:
    table = Table(lamps=60)
    table.link.show([(255, 255, 255)] * 60)
    assert 1800 < current_ma(table.lamps) <= 2000
    assert table.lamps == table.link.as_sent([(255, 255, 255)] * 60)


def test_two_threads_share_a_link(table: Table) -> None:
    wrong: list[BaseException] = []

    def work(colour: RGB) -> None:
        try:
            for _ in range(200):
                table.link.show([colour] * 4)
                table.link.tend()
        except BaseException as failed:
            wrong.append(failed)

    threads = [threading.Thread(target=work, args=(colour,)) for colour in (RED, BLUE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert table.link.status.shown == 400
    assert all(len(set(picture)) == 1 for _, picture in list(table.board.shown)[1:]), "no mixed pictures"


def test_the_loopback_port_needs_nothing() -> None:
    with Link.open("loopback") as link:
        link.show([RED])
        assert link.status.port == "loopback"
