"""[pins], [[button]], [[led]]: what is connected to a Raspberry Pi's header, and the lamp board's buttons."""

from __future__ import annotations

from table.catalogue import Fact, fact, shown
from table.settings.forms import ButtonForm, LedForm, PinsForm
from table.settings.reader import Reader, place, unknown_value
from table.settings.values import BOARD_BUTTONS, CHARACTERS, Button, Lamp, LampPlan, PinPlan


def read_pins(reader: Reader, seats: tuple[str, ...]) -> PinPlan:
    """Read and check the sections about pins. Raises `SettingsError`."""
    general = reader.one("pins", PinsForm) or PinsForm()
    buttons, leds = reader.many("button", ButtonForm), reader.many("led", LedForm)
    _each_pin_once(reader, general, buttons, leds)
    for at, button in enumerate(buttons):
        if (button.pin is None) == (button.board is None):
            named = place("button", at, None)
            raise reader.fail(named, fact("tablefile.pin.one"), reader.line("button", at, "does"))
        _known(reader, ("button", at, "seat"), button.seat, seats)
        says = button.does == "say"
        if (says and (button.what is None or button.seat is None)) or (not says and button.what is not None):
            named = place("button", at, None)
            raise reader.fail(named, fact("tablefile.pin.says"), reader.line("button", at, "does"))
        if button.what is not None:
            _said_somewhere(reader, at, button.what)
    for at, led in enumerate(leds):
        _known(reader, ("led", at, "seat"), led.seat, seats)
        _known(reader, ("led", at, "character"), led.character, CHARACTERS)
        if led.shows == "character" and (led.seat is None or led.character is None):
            named = place("led", at, None)
            raise reader.fail(named, fact("tablefile.pin.led"), reader.line("led", at, "shows"))
    return PinPlan(
        tuple(Button(x.pin, x.does, x.seat, x.what) for x in buttons if x.pin is not None),
        tuple(x.pin for x in leds),
        LampPlan(tuple(Lamp(i, x.shows, x.seat, x.character) for i, x in enumerate(leds)), len(leds)),
        general.camera_light,
        general.brightness,
        general.board_reset,
    )


def read_board_buttons(reader: Reader) -> tuple[Button, ...]:
    """What D2 to D5 of the lamp board do: as in the file, otherwise by default. Call `read_pins` first."""
    named = {
        int(x.board[1:]) - 2: Button(int(x.board[1:]) - 2, x.does, x.seat, x.what)
        for x in reader.many("button", ButtonForm)
        if x.board is not None
    }
    usual = {button.pin: button for button in BOARD_BUTTONS}
    return tuple(button for _, button in sorted((usual | named).items()))


def _each_pin_once(reader: Reader, general: PinsForm, buttons: list[ButtonForm], leds: list[LedForm]) -> None:
    taken: set[int | str | None] = set()
    places: list[tuple[str, int, str, int | str | None]] = [
        ("pins", 0, "camera_light", general.camera_light),
        ("pins", 0, "board_reset", general.board_reset),
        *(("button", at, "pin", button.pin) for at, button in enumerate(buttons)),
        *(("button", at, "board", button.board) for at, button in enumerate(buttons)),
        *(("led", at, "pin", led.pin) for at, led in enumerate(leds)),
    ]
    for section, at, key, pin in places:
        if pin is not None and pin in taken:
            what = fact("tablefile.pin.taken", pin=pin)
            raise reader.fail(place(section, None, key), what, reader.line(section, at, key))
        taken.add(pin)


def _said_somewhere(reader: Reader, at: int, what: str) -> None:
    """Refuse a word that is said in no card game (at a dice box nothing is said)."""
    # Imported only if a button says something: otherwise reading a table file needs no rules.
    from table.rules.events import Event, EventError
    from table.rules.games import TRICK_GAMES
    from table.rules.opening import open_game

    near = []
    for game in TRICK_GAMES.values():
        seats = [f"S{number + 1}" for number in range(max(game.players))]
        setup = open_game(Event("game", {"game": game.name, "seats": seats}))
        try:
            game.check_event(Event("say", {"seat": "S1", "what": what}), setup)
            return
        except EventError as wrong:
            remedy = wrong.fact.args.get("remedy")
            near += [remedy.args["word"]] if isinstance(remedy, Fact) and "word" in remedy.args else []
    words = "/".join(map(repr, dict.fromkeys(near)))
    meant = fact("tablefile.say.near", words=words) if near else fact("tablefile.say.listed")
    raise reader.wrong("button", at, "what", fact("tablefile.say", value=shown(what), meant=meant))


def _known(reader: Reader, where: tuple[str, int, str], value: str | None, names: tuple[str, ...]) -> None:
    """Refuse a value that is none of the names; `where`: section, number from 0, key."""
    if value is not None and not names:
        raise reader.wrong(*where, fact("tablefile.seatless"))
    if value is not None and value not in names:
        raise reader.wrong(*where, unknown_value(value, list(names)))
