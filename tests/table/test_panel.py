"""Buttons and LEDs on a Pi's pins: a push takes effect, and the LEDs show what the lamps show."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from firmware_bridge.lamps import RGB
from firmware_bridge.transports.gpio_pins import Press
from table import cli, markers
from table.equipment import Equipment
from table.panel import Panel
from table.settings import Button, LampPlan, PinPlan, SettingsError, read_table
from tests.table.test_settings import GOOD, written

PINS = """
[pins]
camera_light = 18
brightness = 0.6
board_reset = 23
[[button]]
pin = 17
does = "undo"
[[button]]
pin = 5
does = "say"
seat = "S1"
what = "re"
[[led]]
pin = 6
shows = "turn"
seat = "S1"
[[led]]
pin = 13
shows = "doubt"
"""


class Told:
    """A table that records what it is asked to do."""

    def __init__(self) -> None:
        self.pushed: list[tuple[str, str | None, str | None]] = []
        self.colours: tuple[RGB, ...] = ()

    def push(self, does: str, seat: str | None = None, what: str | None = None) -> None:
        self.pushed.append((does, seat, what))

    def lamps(self, plan: LampPlan | None = None) -> tuple[RGB, ...]:
        assert plan is not None
        assert [lamp.shows for lamp in plan.lamps] == ["turn", "doubt"]
        return self.colours


class Header:
    """Pins that the test pushes and reads."""

    def __init__(self) -> None:
        self.pressed: list[int] = []
        self.lit: dict[int, bool] = {}
        self.brightness = 0.0
        self.closed = False

    def poll(self, now_s: float) -> list[Press]:
        presses, self.pressed = [Press(pin, now_s) for pin in self.pressed], []
        return presses

    def light(self, pin: int, on: bool) -> None:
        self.lit[pin] = on

    def dim(self, brightness: float) -> None:
        self.brightness = brightness

    def reset_board(self) -> None:
        raise AssertionError("this table has no board")

    def __enter__(self) -> Header:
        return self

    def __exit__(self, *_: object) -> None:
        self.closed = True


@pytest.fixture
def plan(tmp_path: Path) -> PinPlan:
    return read_table(written(tmp_path, GOOD + PINS)).pins


def test_the_table_file_tells_what_hangs_on_which_pin(plan: PinPlan) -> None:
    assert plan.buttons == (Button(17, "undo"), Button(5, "say", "S1", "re"))
    assert plan.leds == (6, 13)
    assert (plan.camera_light, plan.brightness, plan.board_reset) == (18, 0.6, 23)


def test_a_table_without_pins_has_none(tmp_path: Path) -> None:
    assert read_table(written(tmp_path, GOOD)).pins.empty


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ('[[button]]\npin = 17\ndoes = "say"\nseat = "S1"\n', "needs 'seat' and 'what'"),
        ('[[button]]\npin = 17\ndoes = "undo"\n[[led]]\npin = 17\nshows = "turn"\n', "pin 17 is in use"),
        ('[[led]]\npin = 17\nshows = "character"\n', "needs 'seat' and 'character'"),
        ('[[button]]\npin = 17\ndoes = "undo"\nseat = "S9"\n', "'S9' is"),
        ('[[button]]\ndoes = "undo"\n', "needs either 'pin'.*or 'board'"),
        ('[[button]]\npin = 4\nboard = "D2"\ndoes = "undo"\n', "one of the two"),
        ('[[button]]\nboard = "D6"\ndoes = "undo"\n', "D6"),
        (2 * '[[button]]\nboard = "D4"\ndoes = "undo"\n', "pin D4 is in use"),
        ('[[button]]\npin = 40\ndoes = "undo"\n', "pin"),
    ],
)
def test_what_cannot_be_wired_is_refused(tmp_path: Path, wrong: str, says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        read_table(written(tmp_path, GOOD + wrong))


def test_the_boards_own_buttons_do_what_the_table_file_says(tmp_path: Path) -> None:
    """Buttons that it does not name do the usual."""
    usual = read_table(written(tmp_path, GOOD)).board.buttons
    assert [button.does for button in usual] == ["undo", "go-on", "brightness"]
    say = '[[button]]\nboard = "D5"\ndoes = "say"\nseat = "S1"\nwhat = "re"\n'
    table_file = read_table(written(tmp_path, GOOD + say + '[[button]]\nboard = "D2"\ndoes = "go-on"\n'))
    assert table_file.board.buttons == (
        Button(0, "go-on"),
        Button(1, "go-on"),
        Button(2, "brightness"),
        Button(3, "say", "S1", "re"),
    )
    assert table_file.pins.empty, "nothing hangs on this computer's header"


def test_each_push_does_what_the_table_file_says(plan: PinPlan) -> None:
    table, header = Told(), Header()
    table.colours = (markers.OFF, markers.OFF)
    panel = Panel(table, plan, header, clock=lambda: 0.0)  # type: ignore[arg-type]
    header.pressed = [5, 17]
    panel.step()
    panel.step()
    assert table.pushed == [("say", "S1", "re"), ("undo", None, None)]
    assert header.brightness == 0.6


def test_an_led_is_on_when_its_lamp_would_be_bright(plan: PinPlan) -> None:
    table, header, now_s = Told(), Header(), 0.0
    panel = Panel(table, plan, header, clock=lambda: now_s)  # type: ignore[arg-type]
    for colours, lit in (
        ((markers.WHITE, markers.OFF), {6: True, 13: False}),
        ((markers.OFF, markers.DOUBT), {6: False, 13: True}),
    ):
        table.colours = colours
        panel.step()
        assert header.lit == lit
        now_s += markers.REDRAW_S


def test_the_panel_goes_dark_where_the_table_cannot_be_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The pins are released however the table ends; otherwise the next start finds them in use."""
    header = Header()
    monkeypatch.setattr("table.panel.open_pins", lambda _: header)
    monkeypatch.setattr("table.cli.seeing.eye_for", lambda *_: (None, Equipment()))
    no_journal = tmp_path / "none.sqlite"
    no_journal.mkdir()
    words = ["run", "--table", str(written(tmp_path, GOOD + PINS)), "--board", "none"]
    assert cli.main([*words, "--journal", str(no_journal), "--port", "0"]) == 1
    assert "none.sqlite" in capsys.readouterr().err
    assert header.closed


def test_the_panel_steps_until_the_table_ends(plan: PinPlan) -> None:
    table, header = Told(), Header()
    table.colours = (markers.WHITE, markers.OFF)

    async def evening() -> None:
        task = asyncio.ensure_future(Panel(table, plan, header).serve())  # type: ignore[arg-type]
        while not header.lit:
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(evening())
    assert header.lit == {6: True, 13: False}
