"""[pins], [[button]], [[led]]: what hangs on the header of a Raspberry Pi."""

from __future__ import annotations

from table.settings.forms import ButtonForm, LedForm, PinsForm
from table.settings.reader import Reader, unknown
from table.settings.values import CHARACTERS, Button, Lamp, LampPlan, PinPlan


def read_pins(reader: Reader, seats: tuple[str, ...]) -> PinPlan:
    """The sections about pins, checked; raises `SettingsError`."""
    general = reader.one("pins", PinsForm) or PinsForm()
    buttons, leds = reader.many("button", ButtonForm), reader.many("led", LedForm)
    _each_pin_once(reader, general, buttons, leds)
    for at, button in enumerate(buttons):
        _known(reader, "button", at, "seat", button.seat, seats)
        if (button.does == "say") != (button.what is not None and button.seat is not None):
            raise reader.fail(
                f"[[button]] number {at + 1}",
                "a button that says something needs 'seat' and 'what', any other has no 'what'",
                reader.line("button", at, "does"),
            )
    for at, led in enumerate(leds):
        _known(reader, "led", at, "seat", led.seat, seats)
        _known(reader, "led", at, "character", led.character, CHARACTERS)
        if led.shows == "character" and (led.seat is None or led.character is None):
            raise reader.fail(
                f"[[led]] number {at + 1}",
                "a character's LED needs 'seat' and 'character'",
                reader.line("led", at, "shows"),
            )
    return PinPlan(
        tuple(Button(x.pin, x.does, x.seat, x.what) for x in buttons),
        tuple(x.pin for x in leds),
        LampPlan(tuple(Lamp(i, x.shows, x.seat, x.character) for i, x in enumerate(leds)), len(leds)),
        general.camera_light,
        general.brightness,
        general.board_reset,
    )


def _each_pin_once(reader: Reader, general: PinsForm, buttons: list[ButtonForm], leds: list[LedForm]) -> None:
    taken: set[int | None] = set()
    places = [
        ("pins", 0, "camera_light", general.camera_light),
        ("pins", 0, "board_reset", general.board_reset),
        *(("button", at, "pin", button.pin) for at, button in enumerate(buttons)),
        *(("led", at, "pin", led.pin) for at, led in enumerate(leds)),
    ]
    for section, at, key, pin in places:
        if pin is not None and pin in taken:
            raise reader.fail(
                f"[{section}] key {key!r}", f"pin {pin} is in use already", reader.line(section, at, key)
            )
        taken.add(pin)


def _known(
    reader: Reader, section: str, at: int, key: str, value: str | None, names: tuple[str, ...]
) -> None:
    if value is not None and value not in names:
        raise reader.fail(
            f"[[{section}]] number {at + 1} key {key!r}",
            f"{value!r} is " + unknown(value, list(names)),
            reader.line(section, at, key),
        )
