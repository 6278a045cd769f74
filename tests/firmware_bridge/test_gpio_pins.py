"""Pins of a Pi without a Pi: a stand-in for RPi.GPIO, and the message when it is missing."""

from __future__ import annotations

import importlib
import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from firmware_bridge.errors import PinsError
from firmware_bridge.transports import gpio_pins
from firmware_bridge.transports.gpio_pins import Debounce, Pins, Press


class FakePwm:
    """Records the calls it receives."""

    def __init__(self, gpio: FakeGpio, pin: int, hz: float) -> None:
        self.gpio, self.pin, self.hz = gpio, pin, hz

    def start(self, percent: float) -> None:
        self.gpio.done.append(("pwm", self.pin, self.hz, percent))

    def stop(self) -> None:
        self.gpio.done.append(("stop", self.pin))


class FakeGpio(ModuleType):
    """Records what happened to its pins."""

    BCM, IN, OUT, PUD_UP, LOW, HIGH = "BCM", "in", "out", "up", 0, 1

    def __init__(self) -> None:
        super().__init__("RPi.GPIO")
        self.level: dict[int, int] = {}
        self.done: list[tuple[object, ...]] = []

    def setmode(self, mode: str) -> None:
        self.done.append(("setmode", mode))

    def setup(self, pin: int, way: str, pull_up_down: str | None = None, initial: int = 0) -> None:
        self.done.append(("setup", pin, way, pull_up_down))
        self.level[pin] = 1 if pull_up_down == self.PUD_UP else initial

    def input(self, pin: int) -> int:
        return self.level[pin]

    def output(self, pin: int, level: int) -> None:
        self.level[pin] = level

    def PWM(self, pin: int, hz: float) -> FakePwm:
        return FakePwm(self, pin, hz)

    def cleanup(self, pins: list[int]) -> None:
        self.done.append(("cleanup", tuple(pins)))


@pytest.fixture
def gpio(monkeypatch: pytest.MonkeyPatch) -> FakeGpio:
    fake, package = FakeGpio(), ModuleType("RPi")
    monkeypatch.setitem(sys.modules, "RPi", package)
    monkeypatch.setitem(sys.modules, "RPi.GPIO", fake)
    return fake


def test_a_press_counts_once_and_after_it_has_settled(gpio: FakeGpio) -> None:
    with Pins(buttons=(17, 27)) as pins:
        presses: list[Press] = []
        for step in range(100):
            bounces = 10 <= step < 13
            gpio.level[17] = step % 2 if bounces else int(not 13 <= step < 60)
            presses += pins.poll(step * 0.005)
        assert [press.pin for press in presses] == [17]
        assert 13 * 0.005 + 0.01 <= presses[0].t_s <= 13 * 0.005 + 0.02
    assert gpio.done[-1] == ("cleanup", (17, 27))


def test_a_lamp_pin_is_switched(gpio: FakeGpio) -> None:
    with Pins(lamps=(22,)) as pins:
        pins.light(22, True)
        assert gpio.level[22] == 1
        pins.light(22, False)
        assert gpio.level[22] == 0
        with pytest.raises(PinsError, match="pin 5 is not a lamp pin"):
            pins.light(5, True)


def test_the_camera_light_is_dimmed_and_at_full_it_does_not_flicker(gpio: FakeGpio) -> None:
    with Pins(light=18) as pins:
        pins.dim(0.3)
        assert gpio.done[-1] == ("pwm", 18, 1000, 30.0)
        pins.dim(1.0)
        assert gpio.done[-1] == ("stop", 18)
        assert gpio.level[18] == 1
        pins.dim(0.0)
        assert gpio.level[18] == 0
    with Pins() as pins, pytest.raises(PinsError, match="no light on a pin"):
        pins.dim(0.5)


def test_the_reset_line_is_pulled_low_and_let_go_never_driven_high(gpio: FakeGpio) -> None:
    with Pins(reset=22) as pins:
        held: list[object] = []
        pins.reset_board(sleep=lambda _: held.append((gpio.done[-1], gpio.level[22])))
        assert held == [(("setup", 22, "out", None), 0)]
        assert [done[2] for done in gpio.done if done[0] == "setup"] == ["in", "out", "in"]
    with Pins() as pins:
        pins.reset_board()


def test_a_contact_that_never_holds_is_never_pressed() -> None:
    contact = Debounce(0.015)
    assert not any(contact.see(step % 2 == 0, step * 0.01) for step in range(100))


def test_without_the_library_the_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "RPi", None)
    with pytest.raises(PinsError, match=r"-m pip install RPi.GPIO"):
        Pins(buttons=(17,))


def test_the_library_that_debian_installed_is_found_and_nothing_else_of_debian(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "RPi").mkdir()
    (tmp_path / "RPi" / "GPIO.py").write_text("BCM = IN = PUD_UP = 0\ndef setmode(mode): pass\n")
    monkeypatch.setattr(gpio_pins, "DEBIAN", str(tmp_path))
    for name in ("RPi", "RPi.GPIO"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setattr(sys, "path", [each for each in sys.path if not (Path(each) / "RPi").exists()])
    before = list(sys.path)
    with Pins():
        pass
    assert sys.path == before
    for name in ("RPi", "RPi.GPIO"):
        sys.modules.pop(name, None)


def test_off_a_pi_the_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def off_a_pi(name: str) -> ModuleType:
        raise RuntimeError("This module can only be run on a Raspberry Pi!")

    monkeypatch.setattr(importlib, "import_module", off_a_pi)
    with pytest.raises(PinsError, match="no Raspberry Pi pins"):
        Pins(buttons=(17,))


FAKE_PI = r"""
set -e
mount -t tmpfs tmpfs /mnt
printf 'Hardware\t: BCM2835\nRevision\t: a02082\n' > /mnt/cpuinfo
head -c 4096 /dev/zero > /mnt/gpiomem
mount --bind /mnt/cpuinfo /proc/cpuinfo
mount -t tmpfs tmpfs /dev
cp /mnt/gpiomem /dev/gpiomem
exec "$0" -c "$1"
"""

ON_THE_FAKE_PI = """
import mmap
from firmware_bridge.transports.gpio_pins import Pins

LEVELS, SET, CLEAR = 0x34, 0x1C, 0x28  # BCM2835 ARM Peripherals, chapter 6: GPLEV0, GPSET0, GPCLR0
with open("/dev/gpiomem", "r+b") as file, mmap.mmap(file.fileno(), 4096) as chip:
    def word(at): return int.from_bytes(chip[at:at + 4], "little")
    def level(high): chip[LEVELS:LEVELS + 4] = (high << 17).to_bytes(4, "little")
    level(1)
    with Pins(buttons=(17,), lamps=(22,), light=18, reset=23) as pins:
        pins.dim(1.0)
        assert word(SET) == 1 << 18
        pins.reset_board()
        assert word(CLEAR) == 1 << 23
        presses = []
        for step in range(100):
            level(0 if 20 <= step < 60 else 1)
            presses += pins.poll(step * 0.005)
        assert [press.pin for press in presses] == [17], presses
        pins.light(22, True)
        assert word(SET) == 1 << 22
        pins.light(22, False)
        assert word(CLEAR) == 1 << 22
print("fine")
"""


def test_the_unmodified_library_reads_and_writes_a_fake_pis_pins() -> None:
    """RPi.GPIO in a private mount namespace with a Pi's /proc/cpuinfo and a file for /dev/gpiomem."""
    if importlib.util.find_spec("RPi") is None:
        pytest.skip("RPi.GPIO is not installed: pip install RPi.GPIO")
    if os.geteuid() != 0 or subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode:
        pytest.skip("needs root and mount namespaces")
    done = subprocess.run(
        ["unshare", "-m", "bash", "-c", FAKE_PI, sys.executable, ON_THE_FAKE_PI],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert done.stdout == "fine\n", done.stderr
