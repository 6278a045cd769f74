"""A link to a board that is unplugged, reset, deaf or badly wired."""

from __future__ import annotations

import random

import pytest

from firmware_bridge.errors import (
    BoardLostError,
    BridgeError,
    NoAnswerError,
    ProtocolError,
    RefusedError,
)
from firmware_bridge.link import Link
from firmware_bridge.measure import random_picture
from firmware_bridge.messages import Hello, Request, ResetCause, Set
from firmware_bridge.patience import Patience
from firmware_bridge.session import WireSession
from firmware_bridge.transports import dial, loopback
from firmware_bridge.transports.loopback import ASLEEP, Loopback, VirtualBoard
from firmware_bridge.transports.noisy import Noisy
from tests.firmware_bridge.linked_board import BLUE, RED, Clock, Table, listen

HASTY = Patience(again_s=0.002, growth=1.0, give_up_s=2.0)


@pytest.fixture
def table() -> Table:
    return Table()


def test_after_unplugging_and_plugging_in_the_next_picture_comes(table: Table) -> None:
    table.link.show([RED])
    table.port.plugged = False
    with pytest.raises(BoardLostError):
        table.link.show([BLUE])
    assert not table.link.status.connected
    assert table.link.status.trouble
    table.port.plugged = True
    table.board.reset(ResetCause.POWER, table.clock.now_s)
    table.link.tend()
    assert table.lamps[0] == BLUE, "the picture that could not be sent was kept"
    assert table.link.status.trouble is None


def test_a_short_disconnection_is_not_even_an_error(table: Table) -> None:
    def plug_in_again() -> Loopback:
        table.port.plugged = True
        return table.port

    link = Link(plug_in_again, clock=table.clock)
    link.show([RED])
    table.port.plugged = False
    link.show([BLUE])
    assert table.lamps[0] == BLUE


@pytest.mark.parametrize("cause", list(ResetCause))
def test_a_board_that_was_reset_gets_the_whole_picture_again(table: Table, cause: ResetCause) -> None:
    table.link.show([RED, BLUE])
    table.board.reset(cause, table.clock.now_s)
    assert table.lamps[0] == ASLEEP
    table.link.tend()
    assert table.lamps[:2] == (RED, BLUE)
    assert table.link.status.welcome is not None
    assert table.link.status.welcome.reset_cause == cause


def test_a_board_that_fell_asleep_is_woken_with_the_whole_picture(table: Table) -> None:
    table.link.show([RED])
    table.clock.now_s += loopback.SILENCE_S + 0.1
    table.link.tend()
    assert [picture[0] for _, picture in table.board.shown][-2:] == [ASLEEP, RED]


def test_a_press_while_the_cable_is_out_is_told_when_it_is_back(table: Table) -> None:
    table.link.show([RED])
    table.port.plugged = False
    table.board.press(3)
    with pytest.raises(BoardLostError):
        table.link.show([RED])
    table.port.plugged = True
    listen(table)
    assert table.link.take_presses() == 0b1000


def test_a_board_whose_picture_went_wrong_gets_it_whole_again(table: Table) -> None:
    """The board reports a checksum of the picture that it has, so nobody has to trust it."""
    table.link.show([RED] * 4)
    table.board.spoil(2, BLUE)
    table.link.tend()
    assert table.lamps == (RED,) * 4
    assert table.link.status.repaints == 1


def test_a_board_refuses_what_its_supply_cannot_give(table: Table) -> None:
    """The host dims to the budget; the board checks it in case the host is wrong."""
    table.link.show([RED] * 4)
    table.link._do([Hello(4, 100)])
    with pytest.raises(RefusedError, match="refused SET: over_budget"):
        table.link._do([Set(0, ((255, 255, 255),) * 4, latch=True)])
    assert table.lamps == (RED,) * 4
    table.link.tend()
    assert table.lamps == (RED,) * 4


def test_another_protocol_is_named_with_its_remedy(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loopback, "PROTOCOL_VERSION", 3)
    with pytest.raises(ProtocolError, match=r"protocol 3.*flash"):
        table.link.tend()


class Deaf:
    """A port that nothing answers."""

    name = "/dev/deaf"

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.closed = False

    def write(self, data: bytes) -> None:
        pass

    def read(self, patience_s: float) -> bytes:
        self.clock.now_s += patience_s
        return b""

    def close(self) -> None:
        self.closed = True


def test_a_port_without_a_board_is_given_up_and_closed() -> None:
    clock = Clock()
    port = Deaf(clock)
    with pytest.raises(NoAnswerError, match="/dev/deaf does not answer"):
        Link(lambda: port, clock=clock).tend()
    assert port.closed
    assert clock.now_s - 100.0 < 5.0


def test_a_silent_board_with_a_reset_line_is_reset_before_it_is_given_up(table: Table) -> None:
    """A wire connects a pin of the Pi's header to the board's reset pin."""
    ports: list[Deaf | Loopback] = [Deaf(table.clock), table.port]
    pulled: list[float] = []
    link = Link(lambda: ports.pop(0), clock=table.clock, reset=lambda: pulled.append(table.clock.now_s))
    link.show([RED])
    assert len(pulled) == 1
    assert table.lamps[0] == RED


def test_a_board_that_resets_all_the_time_has_a_power_problem(table: Table) -> None:
    class Dying(Loopback):
        def write(self, data: bytes) -> None:
            super().write(data)
            self.board.reset(ResetCause.BROWN_OUT, 0.0)

    with pytest.raises(NoAnswerError, match=r"keeps resetting \(.*\): check its 5 V supply"):
        Link(lambda: Dying(table.board, table.clock), clock=table.clock).show([RED])


def test_pictures_survive_a_bad_cable() -> None:
    """Every confirmed picture is on the strip, and no request is executed twice."""
    chance = random.Random(3)
    board = VirtualBoard(60)
    cable = Noisy(lambda: Loopback(board), chance, per_byte=0.002, per_write=0.05)
    link = Link(
        cable.dial,
        session=lambda known: WireSession(chance.randrange(256), HASTY, HASTY, known),
        budget_ma=1e6,
    )
    pictures = 150
    for _ in range(pictures):
        picture = random_picture(60, chance, brightest=255)
        link.show(picture)
        assert board.shown[-1][1] == picture
    assert cable.suffered > 50, "the cable was really bad"
    assert link.status.repeated > 20
    greetings = board.executed[Request.HELLO]
    assert board.executed[Request.SET] <= 2 * (pictures + greetings)
    assert board.executed[Request.SET] == 2 * (len(board.shown) - 1), (
        "a repeated request is not executed twice"
    )


def test_a_port_that_is_not_there_is_named_with_its_remedy() -> None:
    with pytest.raises(BridgeError, match=r"no port /dev/not-there: plug the board in"):
        dial("/dev/not-there")
