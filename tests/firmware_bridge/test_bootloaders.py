"""The real bootloaders of an Uno and of an old Nano, in simavr on the board's own clock.

Opening a port for the first time resets such a board, and its bootloader listens before the firmware runs.
Skipped, with the reason, where Debian's arduino-core-avr (or simavr) is not installed.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from firmware_bridge.errors import EmulatorError
from firmware_bridge.link import Link
from firmware_bridge.messages import Feature
from firmware_bridge.patience import LET_GO
from firmware_bridge.transports.emulated import EmulatedBoard
from firmware_bridge.transports.firmware import Bootloader, bootloader
from firmware_bridge.transports.lockstep import LockstepPort
from firmware_bridge.transports.serial_port import SerialPort
from table.cli import main
from tests.firmware_bridge.wire import BLUE, RED, StartBoard

CAUSES = ["button", "brown-out", "button", "brown-out", "watchdog", "brown-out", "power"]

STK500 = frozenset(b"01@ABEPQRUVdtuv`")
"""The commands of both (their sources: `optiboot.c` 4.4, `ATmegaBOOT_168.c`)."""


def found(name: Bootloader) -> Path:
    try:
        return bootloader(name)
    except EmulatorError as wrong:
        pytest.skip(str(wrong))


@pytest.mark.parametrize(
    ("name", "feature", "causes"),
    [
        ("optiboot", Feature.OPTIBOOT, [*CAUSES, "unknown"]),
        ("atmegaboot", Feature.OLD_BOOTLOADER, [*CAUSES, "brown-out"]),
    ],
)
def test_a_board_is_back_within_a_second_whatever_befalls_it_and_says_what(
    start_board: StartBoard, name: Bootloader, feature: Feature, causes: list[str]
) -> None:
    """ATmegaBOOT never ends after a watchdog reset, so that case is left out.

    Optiboot 4.4 does not report what it saw: the firmware tells pin from brown-out by what Optiboot leaves in
    registers, once it has seen Optiboot leave it.
    """
    board, said = start_board(pace="lockstep", bootloader=found(name)), []
    board.wait(random.Random(1).random())
    picture = (BLUE,) * 20
    with Link(lambda: LockstepPort(board), budget_ma=1e6, clock=lambda: board.now_s) as link:
        for why in ("", "brown-out", "button", "brown-out", "watchdog", "brown-out", "power", "brown-out"):
            after_s = strike(board, why)
            board.wait(0.001 + after_s)
            back_s = board.now_s
            link.show(picture)
            board.counts()
            assert board.colours == picture
            assert board.written[-1].ended_s - back_s <= 1.0
            assert link.status.welcome is not None
            assert feature in link.status.welcome.features
            said.append(link.status.welcome.reset_cause.words)
            assert (link.status.repeated, link.status.broken) == (0, 0), "nothing was lost on the way"
    assert said == causes
    with Link(lambda: LockstepPort(board), budget_ma=1e6, clock=lambda: board.now_s) as link:
        link.show([RED] * 20)
        board.counts()
    assert board.colours == (RED,) * 20
    assert [event["why"] for event in board.events if event["event"] == "reset"].count("button") == 2, (
        "opened again, it is not reset"
    )


def strike(board: EmulatedBoard, why: str) -> float:
    """Reset the board; return how long that takes. An empty `why`: opening its port first resets it."""
    if why == "watchdog":
        board.hang()
        return 0.6
    if why:
        board.reset(why)  # type: ignore[arg-type]
    return 0.0


def test_a_board_with_optiboot_shows_that_it_lives_as_soon_as_it_has_power(start_board: StartBoard) -> None:
    """It waits for a program only after the reset pin; the chip's fuses account for 65 ms."""
    board = start_board(pace="lockstep", bootloader=found("optiboot"))
    board.wait(0.1)
    assert board.written
    assert board.written[-1].ended_s < 0.08


@pytest.mark.parametrize("cycles", [8 * 17, 16 * 17], ids=["115200 baud", "57600 baud"])
@pytest.mark.parametrize("off", [-0.01, -0.005, 0.0, 0.005, 0.01])
def test_what_lets_a_bootloader_go_is_no_command_to_it(cycles: int, off: float) -> None:
    """A receiver with bits of `cycles` of 16 MHz, rounded by the divider, samples our zeros at its own speed.

    `off` is the possible difference of two clocks (a Nano's resonator: 0.5 %).
    """
    bit_us, sample_us = 2.0, cycles / 16 * (1 + off)
    levels = [0 if bit < 9 else 1 for _ in LET_GO for bit in range(10)]
    taken, at = [], 0
    while at * bit_us + 9.5 * sample_us < len(levels) * bit_us:
        samples = [levels[int((at * bit_us + (1.5 + bit) * sample_us) / bit_us)] for bit in range(9)]
        taken.append(sum(sample << bit for bit, sample in enumerate(samples[:8])))
        behind = int((at * bit_us + 9.5 * sample_us) / bit_us)
        at = next(
            (bit for bit in range(behind + 1, len(levels)) if levels[bit - 1] > levels[bit]), len(levels)
        )
    assert len(taken) >= 5, "the fifth error ends ATmegaBOOT, the second one Optiboot"
    assert not STK500 & set(taken)
    assert ord(" ") not in taken, "what ends a command"


@pytest.mark.soak
def test_avrdude_flashes_a_board_with_the_old_bootloader(
    start_board: StartBoard, capfd: pytest.CaptureFixture[str]
) -> None:
    """The real avrdude and the real bootloader: written, read back, started, and given its number.

    On an otherwise busy computer the emulated board is too slow for avrdude's patience.
    """
    board = start_board(pace="real", lamps=4, bootloader=found("atmegaboot"))
    flash = ["board", "flash", "--port", board.port, "--baud", "57600", "--serial", "5eed0001"]
    assert main(flash) == 0
    said = capfd.readouterr()
    assert "bytes of flash verified" in said.err
    assert "lamp board 5eed0001" in said.out


@pytest.mark.soak
def test_avrdude_flashes_a_board_with_optiboot(
    start_board: StartBoard, capfd: pytest.CaptureFixture[str]
) -> None:
    """A pseudo terminal has no DTR line for avrdude to pull, so the reset button is pressed instead.

    That is done after the port was opened once (and DTR left high, as we do). Optiboot listens .44 to 1.44 s
    after that.
    """
    board = start_board(pace="real", lamps=4, bootloader=found("optiboot"))
    SerialPort(board.port).close()
    board.wait(0.1)
    board.reset("button")
    assert main(["board", "flash", "--port", board.port, "--serial", "5eed0001"]) == 0
    said = capfd.readouterr()
    assert "bytes of flash verified" in said.err
    assert "lamp board 5eed0001" in said.out
