"""The house's one door to the lamps, against the board in Python: cables are pulled, boards reset."""

from __future__ import annotations

import random
import threading

import pytest

from firmware_bridge.errors import (
    BoardLostError,
    BridgeError,
    CapacityError,
    NoAnswerError,
    PictureError,
    ProtocolError,
    RefusedError,
)
from firmware_bridge.lamps import RGB, current_ma, dark
from firmware_bridge.link import Link
from firmware_bridge.measure import random_picture
from firmware_bridge.messages import Hello, Request, ResetCause, Set
from firmware_bridge.patience import Patience
from firmware_bridge.session import WireSession
from firmware_bridge.transports import dial, loopback
from firmware_bridge.transports.loopback import ASLEEP, Loopback, VirtualBoard
from firmware_bridge.transports.noisy import Noisy

RED: RGB = (255, 0, 0)
BLUE: RGB = (0, 0, 255)
HASTY = Patience(again_s=0.002, growth=1.0, give_up_s=2.0)


class Clock:
    """Time that the test moves."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


class Table:
    """A board in Python on a cable that can be pulled, and a link to it."""

    def __init__(self, lamps: int = 4) -> None:
        self.clock = Clock()
        self.board = VirtualBoard(lamps, self.clock.now_s)
        self.port = Loopback(self.board, self.clock)
        self.dialled = 0
        self.link = Link(self._dial, clock=self.clock)

    def _dial(self) -> Loopback:
        self.dialled += 1
        if not self.port.plugged:
            raise BoardLostError("no board")
        return self.port

    @property
    def lamps(self) -> tuple[RGB, ...]:
        return self.board.shown[-1][1]


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
    table.link.show([RED])
    table.port.plugged = False
    plug = table._dial

    def plug_in_again() -> Loopback:
        table.port.plugged = True
        return plug()

    table.link._contact._dial = plug_in_again
    table.link.show([BLUE])
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


def test_tending_keeps_the_board_awake_and_the_picture_untouched(table: Table) -> None:
    table.link.show([RED])
    written = len(table.board.shown)
    for _ in range(20):
        table.clock.now_s += 0.9
        table.link.tend()
    assert len(table.board.shown) == written
    assert table.link.status.pong is not None
    assert table.link.status.pong.uptime_s == pytest.approx(18.0, abs=0.01)


def listen(table: Table, seconds: float = 0.5) -> None:
    for _ in range(int(seconds / 0.06)):
        table.clock.now_s += 0.06
        table.link.tend()


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


def test_a_press_while_the_cable_is_out_is_told_when_it_is_back(table: Table) -> None:
    table.link.show([RED])
    table.port.plugged = False
    table.board.press(3)
    with pytest.raises(BoardLostError):
        table.link.show([RED])
    table.port.plugged = True
    listen(table)
    assert table.link.take_presses() == 0b1000


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


def test_a_board_whose_picture_went_wrong_gets_it_whole_again(table: Table) -> None:
    """The board tells a checksum of the picture that it has: it need not be believed."""
    table.link.show([RED] * 4)
    table.board.spoil(2, BLUE)
    table.link.tend()
    assert table.lamps == (RED,) * 4
    assert table.link.status.repaints == 1


def test_a_stream_of_pictures_ends_with_the_last(table: Table) -> None:
    for value in range(100):
        table.link.stream([(value, 0, 0)] * 4)
    table.link.tend()
    assert table.lamps == ((99, 0, 0),) * 4
    assert [picture[0][0] for _, picture in table.board.shown][1:] == list(range(100))


def test_a_board_refuses_what_its_supply_cannot_give(table: Table) -> None:
    """The host dims to the budget; the board checks it, should the host be wrong."""
    table.link.show([RED] * 4)
    table.link._do([Hello(4, 100)])
    with pytest.raises(RefusedError, match="refused SET: over_budget"):
        table.link._do([Set(0, ((255, 255, 255),) * 4, latch=True)])
    assert table.lamps == (RED,) * 4
    table.link.tend()
    assert table.lamps == (RED,) * 4


def test_impossible_colours_never_reach_the_wire(table: Table) -> None:
    with pytest.raises(PictureError, match="lamp 1"):
        table.link.show([RED, (0, 300, 0)])
    assert table.dialled == 0


def test_the_power_budget_holds_on_the_strip() -> None:
    table = Table(lamps=60)
    table.link.show([(255, 255, 255)] * 60)
    assert 1800 < current_ma(table.lamps) <= 2000
    assert table.lamps == table.link.as_sent([(255, 255, 255)] * 60)


def test_another_protocol_is_named_with_its_remedy(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loopback, "PROTOCOL_VERSION", 3)
    with pytest.raises(ProtocolError, match=r"protocol 3.*flash"):
        table.link.tend()


class Deaf:
    """A port behind which nobody lives."""

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
    """Somebody has pulled the reset pin of a Pi's header to the board's."""
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

    with pytest.raises(NoAnswerError, match=r"again and again \(.*\): check its 5 V supply"):
        Link(lambda: Dying(table.board, table.clock), clock=table.clock).show([RED])


def test_pictures_survive_a_bad_cable() -> None:
    """Every confirmed picture stands on the strip, and no request is executed twice."""
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


def test_a_port_that_is_not_there_is_named_with_its_remedy() -> None:
    with pytest.raises(BridgeError, match=r"no port /dev/not-there: plug the board in"):
        dial("/dev/not-there")
