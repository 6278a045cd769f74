"""The real firmware, cycle by cycle in simavr, spoken to by pyserial; time is moved by the test.

Skipped, with the reason, only where avr-gcc or simavr are not installed.
"""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from conftest import StartBoard

from firmware_bridge.codec import Collector, Frame, encode
from firmware_bridge.errors import BridgeError, NoBoardError, RefusedError
from firmware_bridge.lamps import RGB, Picture, dark
from firmware_bridge.link import Link
from firmware_bridge.measure import floor_s, random_picture
from firmware_bridge.messages import (
    ANSWER,
    REFUSED,
    Hello,
    Message,
    Off,
    Ping,
    Refusal,
    Refused,
    Request,
    ResetCause,
    Set,
    Show,
    answer_of,
)
from firmware_bridge.session import Patience, Session
from firmware_bridge.transports.emulated import EmulatedBoard
from firmware_bridge.transports.loopback import ASLEEP, VirtualBoard
from firmware_bridge.transports.noisy import Noisy
from firmware_bridge.transports.serial_port import SerialPort, find_board

RED: RGB = (255, 0, 0)
GREEN: RGB = (0, 255, 0)
BLUE: RGB = (0, 0, 255)


class Wire:
    """The board's port without any manners: raw frames, no repetition."""

    def __init__(self, board: EmulatedBoard) -> None:
        self.port = SerialPort(board.port)
        self.collector = Collector()
        self.seq = 0

    def say(self, data: bytes, answers: int = 1) -> list[Frame]:
        """Send bytes and collect so many answers (fewer when no more come)."""
        self.port.write(data)
        heard: list[Frame] = []
        while len(heard) < answers and (got := self.port.read(0.3 if heard else 5.0)):
            heard += [frame for frame in self.collector.feed(got) if frame is not None]
        return heard

    def frame(self, message: Message) -> bytes:
        """The next frame with `message`."""
        self.seq = (self.seq + 1) & 0xFF
        return encode(Frame(message.type, self.seq, message.payload()))

    def ask(self, message: Message) -> Frame:
        (answer,) = self.say(self.frame(message))
        return answer


def _writes(board: EmulatedBoard) -> int:
    """How often the strip has been written; what the emulator still has to report is in."""
    board.counts()
    return len(board.written)


def _refused(frame: Frame) -> Refusal:
    answer = answer_of(frame.type, frame.payload)
    assert isinstance(answer, Refused)
    return answer.why


# --- colours -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("lamps", [1, 2, 20, 80, 81, 150])
def test_the_strip_shows_what_the_house_demands(start_board: StartBoard, lamps: int) -> None:
    board = start_board(lamps=lamps)
    chance = random.Random(lamps)
    with Link(lambda: SerialPort(board.port), budget_ma=1e6) as link:
        for _ in range(5):
            picture = random_picture(lamps, chance, brightest=255)
            link.show(picture)
            assert board.await_colours(picture)
    assert board.written[-1].bits == 24 * lamps


def test_every_value_of_every_channel_arrives(board: EmulatedBoard, link: Link) -> None:
    for first in range(0, 256, 20):
        picture = tuple((v % 256, (v * 7 + 3) % 256, 255 - v % 256) for v in range(first, first + 20))
        link.show(picture)
        assert board.await_colours(picture)


def test_a_shorter_picture_darkens_the_rest(board: EmulatedBoard, link: Link) -> None:
    link.show([RED] * 20)
    link.show([BLUE] * 3)
    assert board.await_colours((BLUE,) * 3 + dark(17))


def test_set_alone_shows_nothing_until_show(board: EmulatedBoard) -> None:
    wire = Wire(board)
    wire.ask(Hello(20))
    writes = _writes(board)
    wire.ask(Set(3, (RED, GREEN)))
    board.wait(0.01)
    assert _writes(board) == writes
    wire.ask(Show())
    assert board.await_colours((*dark(3), RED, GREEN, *dark(15)))
    wire.ask(Off())
    assert board.await_colours(dark(20))


# --- the strip's wire --------------------------------------------------------------------------------


def test_every_edge_keeps_to_the_data_sheet(board: EmulatedBoard, link: Link) -> None:
    """WS2812B: T0H 400, T1H 800, T0L 850, T1L 450 ns, each ±150; RES over 50 µs, newer ones over 280 µs."""
    chance = random.Random(5)
    for _ in range(20):
        link.show(random_picture(20, chance, brightest=255))
    board.counts()
    assert len(board.written) >= 20
    assert [written.violations for written in board.written] == [0] * len(board.written)
    assert all(later.started_s - earlier.ended_s > 280e-6 for earlier, later in pairwise(board.written))
    lamp_s = (board.written[-1].ended_s - board.written[-1].started_s) / 20
    assert lamp_s == pytest.approx(30e-6, rel=0.02)


def test_the_answer_comes_after_the_strips_last_bit(start_board: StartBoard) -> None:
    board = start_board(trace=True)
    wire = Wire(board)
    wire.ask(Hello(20))
    for _ in range(5):
        board.counts()  # the reports of what came before are in
        board.events.clear()
        wire.ask(Set(0, (RED,) * 20, latch=True))
        board.counts()
        answer_began_s = next(e["cycle"] for e in board.events if e["event"] == "tx") / 16e6
        question_ended_s = [e["cycle"] for e in board.events if e["event"] == "rx"][-1] / 16e6
        assert question_ended_s < board.written[-1].started_s
        assert board.written[-1].ended_s < answer_began_s < board.written[-1].ended_s + 0.001


def test_the_wire_is_near_the_speed_of_its_bits(start_board: StartBoard) -> None:
    """60 lamps: over 150 pictures a second in the board's own time, under 1.15 of the bits' time."""
    board = start_board(lamps=60)
    picture = random_picture(60, random.Random(1), brightest=255)
    with Link(lambda: SerialPort(board.port), budget_ma=1e6) as link:
        for _ in range(40):
            link.show(picture)
        assert link.status.repeated == 0
    board.counts()
    steps = sorted(later.ended_s - earlier.ended_s for earlier, later in list(pairwise(board.written))[-30:])
    median_s = steps[len(steps) // 2]
    assert 1 / median_s > 150
    assert 1.0 <= median_s / floor_s(picture) < 1.15


# --- the receive buffer ------------------------------------------------------------------------------


def test_who_talks_while_the_strip_is_written_is_not_heard(start_board: StartBoard) -> None:
    """The real UART holds two bytes and one in its shift register; simavr's own would have held 64."""
    board = start_board(lamps=150)
    wire = Wire(board)
    wire.ask(Hello(150))
    both = wire.frame(Show()) + wire.frame(Ping()) + encode(Frame(Request.PING, 77, b"")) * 20
    wire.say(both, answers=3)
    assert board.counts()["overrun"] > 50
    greeting = wire.say(encode(Frame(Request.HELLO, 9, bytes((1, 150)))), answers=99)[-1]
    assert greeting.type == Request.HELLO | ANSWER, "and afterwards all is well again"
    overruns = int.from_bytes(greeting.payload[-2:])
    assert overruns >= 1, "the board noticed"


def test_who_waits_for_the_answer_never_loses_a_byte(start_board: StartBoard) -> None:
    board = start_board(lamps=150)
    with Link(lambda: SerialPort(board.port)) as link:
        for _ in range(20):
            link.show([(9, 9, 9)] * 150)
        link.tend()
        assert link.status.pong is not None
        assert link.status.pong.overruns == 0
        assert link.status.repeated == 0
    assert board.counts()["overrun"] == 0


# --- frames: lost, repeated, broken ------------------------------------------------------------------


def test_a_repeated_request_is_answered_again_but_not_executed_again(board: EmulatedBoard) -> None:
    wire = Wire(board)
    wire.ask(Hello(20))
    frame = wire.frame(Set(0, (RED,), latch=True))
    (first,) = wire.say(frame)
    writes = _writes(board)
    for _ in range(3):
        assert wire.say(frame) == [first]
    board.wait(0.01)
    assert _writes(board) == writes


def test_a_button_press_is_not_lost_with_a_lost_answer(board: EmulatedBoard) -> None:
    wire = Wire(board)
    wire.ask(Hello(20))
    board.press(1)
    board.wait(0.05)
    frame = wire.frame(Ping())
    answers = wire.say(frame) + wire.say(frame)
    assert [answer.payload[0] for answer in answers] == [0x22, 0x22]
    assert wire.ask(Ping()).payload[0] == 0x02


def test_broken_frames_are_counted_and_named(board: EmulatedBoard) -> None:
    wire = Wire(board)
    wire.ask(Hello(20))
    good = wire.frame(Set(0, (RED,) * 20, latch=True))
    for at in range(1, len(good) - 1, 7):
        bad = bytearray(good)
        bad[at] ^= 0x10 if bad[at] != 0x10 else 0x20
        (answer,) = wire.say(bytes(bad))
        assert _refused(answer) is Refusal.BAD_FRAME
    board.counts()
    assert board.colours != (RED,) * 20
    (done,) = wire.say(good)
    assert done.type == Request.SET | ANSWER
    pong = answer_of(Request.PING | ANSWER, wire.ask(Ping()).payload)
    assert pong.bad_frames == len(range(1, len(good) - 1, 7))  # type: ignore[union-attr]


def test_what_cannot_be_done_is_refused_with_its_reason(board: EmulatedBoard) -> None:
    wire = Wire(board)
    assert _refused(wire.ask(Show())) is Refusal.NOT_GREETED
    wire.ask(Hello(20))
    assert _refused(wire.ask(Set(19, (RED, RED)))) is Refusal.OUT_OF_RANGE
    assert _refused(wire.ask(Set(255, (RED,)))) is Refusal.OUT_OF_RANGE
    wire.seq += 5
    assert _refused(wire.ask(Show())) is Refusal.OUT_OF_ORDER


@pytest.mark.parametrize("lamps", [20, 150])
def test_pictures_survive_a_bad_cable(start_board: StartBoard, lamps: int) -> None:
    board = start_board(lamps=lamps)
    chance = random.Random(11)
    hasty = Patience(again_s=0.02, growth=1.0, give_up_s=5.0)
    cable = Noisy(SerialPort(board.port), chance, per_byte=0.003, per_write=0.03)
    session = Session(chance.randrange(256), hasty, hasty)
    with Link(lambda: cable, session=lambda: session, budget_ma=1e6) as link:
        for _ in range(40):
            picture = random_picture(lamps, chance, brightest=255)
            link.show(picture)
            assert board.await_colours(picture)
        assert cable.suffered > 5
        assert link.status.repeated > 3
    assert all(written.violations == 0 for written in board.written)


def test_noise_of_any_length_leaves_the_board_able_to_listen(board: EmulatedBoard) -> None:
    wire = Wire(board)
    chance = random.Random(2)
    for length in (1, 255, 256, 700, 3000):
        wire.port.write(chance.randbytes(length))
        board.wait(0.2)
        while wire.port.read(0.01):
            pass
        wire.collector = Collector()
        answers = wire.say(encode(Frame(Request.HELLO, 1, bytes((1, 20)))), answers=99)
        assert answers[-1].type == Request.HELLO | ANSWER
        assert all(_refused(answer) is Refusal.BAD_FRAME for answer in answers[:-1]), "the end of the noise"


def test_the_board_in_python_answers_what_the_firmware_answers(board: EmulatedBoard) -> None:
    """Random frames, in order and not, sensible and senseless; only clock and build may differ."""
    wire, twin, chance = Wire(board), VirtualBoard(20), random.Random(4)
    seq = 0
    for _ in range(300):
        seq = (seq + chance.choice((0, 1, 1, 1, 1, 7))) & 0xFF
        type_ = chance.choice([*list(Request), Request.SET, Request.SET, 0x33])
        payload = {
            Request.HELLO: bytes((1, chance.choice((0, 5, 20)))),
            Request.SET: bytes((chance.randrange(2), chance.randrange(21))) + chance.randbytes(9),
            Request.FILL: bytes((chance.randrange(2),)) + chance.randbytes(3),
        }.get(Request(type_) if type_ != 0x33 else Request.SHOW, b"")
        if chance.random() < 0.1:
            payload = chance.randbytes(chance.randrange(12))
        data = encode(Frame(type_, seq, payload))
        (firmware,) = wire.say(data)
        (python,) = [frame for frame in Collector().feed(twin.hear(data, 0.0)) if frame is not None]
        assert (firmware.type, firmware.seq) == (python.type, python.seq), (type_, payload.hex())
        if firmware.type == REFUSED or firmware.type not in (Request.HELLO | ANSWER, Request.PING | ANSWER):
            assert firmware.payload == python.payload
    board.wait(0.01)
    assert board.colours == twin.shown[-1][1]


# --- silence, resets, cables -------------------------------------------------------------------------


def test_without_a_host_the_lamps_fade_and_one_glows(board: EmulatedBoard, link: Link) -> None:
    link.show([(200, 100, 50)] * 20)
    board.wait(4.9)
    assert board.colours == ((200, 100, 50),) * 20
    writes = _writes(board)
    board.wait(2.0)
    asleep: Picture = (ASLEEP, *dark(19))
    assert board.colours == asleep
    fading = [written.colours[5][0] for written in list(board.written)[writes:]]
    assert len(fading) > 10
    assert fading == sorted(fading, reverse=True), "darker step by step"
    board.wait(30.0)
    assert board.colours == asleep
    link.tend()
    assert board.await_colours(((200, 100, 50),) * 20), "the host is back, and so is the picture"


def test_a_tended_board_stays_awake(board: EmulatedBoard, link: Link) -> None:
    link.show([RED] * 20)
    writes = _writes(board)
    for _ in range(5):
        board.wait(4.0)
        link.tend()
    assert _writes(board) == writes
    assert link.status.pong is not None
    assert 20.0 < link.status.pong.uptime_s < 20.5, "the board's clock stays true while strips are written"


def test_a_hung_firmware_is_bitten_by_its_watchdog_and_gets_its_picture_back(
    board: EmulatedBoard, link: Link
) -> None:
    link.show([RED] * 20)
    board.hang()
    board.wait(1.0)
    assert board.events[-1]["event"] == "reset"
    assert board.events[-1]["why"] == "watchdog"
    assert board.colours == (ASLEEP, *dark(19)), "a reset board does not leave old colours standing"
    link.tend()
    assert board.await_colours((RED,) * 20)
    assert link.status.greeting is not None
    assert link.status.greeting.reset_cause == ResetCause.WATCHDOG


@pytest.mark.parametrize(
    ("why", "cause"),
    [("power", ResetCause.POWER), ("button", ResetCause.BUTTON), ("brown-out", ResetCause.BROWN_OUT)],
)
def test_a_reset_board_says_why_and_gets_its_picture_back(
    board: EmulatedBoard, link: Link, why: str, cause: ResetCause
) -> None:
    link.show([GREEN] * 20)
    board.reset(why)  # type: ignore[arg-type]
    board.wait(0.02)
    link.show([GREEN] * 20)
    assert board.await_colours((GREEN,) * 20)
    assert link.status.greeting is not None
    assert link.status.greeting.reset_cause == cause
    assert link.status.greetings >= 2


def test_resets_in_the_middle_of_pictures_lose_nothing(board: EmulatedBoard, link: Link) -> None:
    chance = random.Random(8)
    for _ in range(15):
        picture = random_picture(20, chance, brightest=255)
        link.show(picture)
        board.reset("brown-out")
        board.wait(chance.random() * 0.01)
        link.tend()
        assert board.await_colours(picture)


def test_unplugged_and_plugged_in_elsewhere(start_board: StartBoard) -> None:
    boards = [start_board()]
    with Link(lambda: SerialPort(boards[-1].port), budget_ma=1e6) as link:
        link.show([RED] * 20)
        boards[-1].close()
        with pytest.raises(BridgeError, match="plug"):
            link.show([BLUE] * 20)
        boards.append(start_board())
        link.tend()
        assert boards[-1].await_colours((BLUE,) * 20)


def test_a_bootloader_that_swallows_the_first_words_is_waited_for(start_board: StartBoard) -> None:
    """Opening the port resets a Nano; for a second its bootloader eats what is said. In real time."""
    board = start_board(pace="real", bootloader_s=1.0)
    with Link(lambda: SerialPort(board.port), budget_ma=1e6) as link:
        link.show([BLUE] * 20)
        assert board.await_colours((BLUE,) * 20)
        assert link.status.greeting is not None
        assert link.status.greeting.reset_cause == ResetCause.BUTTON
        assert link.status.repeated >= 1


def test_two_programs_cannot_have_the_same_port(board: EmulatedBoard) -> None:
    first = SerialPort(board.port)
    with pytest.raises(NoBoardError, match="used by another program"):
        SerialPort(board.port)
    first.close()


def test_the_board_is_found_among_ports(board: EmulatedBoard) -> None:
    port = find_board(["/dev/not-there", board.port])
    assert port.name == board.port
    port.close()


def test_a_refusal_reaches_the_house_in_words(board: EmulatedBoard, link: Link) -> None:
    link.show([RED])
    link._ask(Set(0, (RED,)))
    with pytest.raises(RefusedError, match="refused SET: out_of_range"):
        link._ask(Set(5, (RED,)))


# --- buttons -----------------------------------------------------------------------------------------


def test_buttons_are_debounced_and_presses_remembered(board: EmulatedBoard, link: Link) -> None:
    link.show([RED])
    board.press(3)
    board.wait(0.005)
    board.release(3)
    board.wait(0.05)
    link.tend()
    assert link.take_presses() == 0, "5 ms are a bounce"
    board.press(3)
    board.wait(0.05)
    board.release(3)
    board.wait(0.05)
    link.tend()
    assert link.take_presses() == 0b1000
    assert link.buttons_down == 0
    board.press(0)
    board.press(2)
    board.wait(0.05)
    link.show([BLUE])
    assert link.buttons_down == 0b0101, "every answer brings the buttons"
