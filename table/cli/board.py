"""`stammtisch board find | info | monitor | test | torture | measure | lamps | simulate | flash`."""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path

from firmware_bridge.answers import Welcome
from firmware_bridge.errors import BridgeError, NoBoardError
from firmware_bridge.lamps import RGB, dark
from firmware_bridge.link import Link
from firmware_bridge.measure import measure, random_picture
from firmware_bridge.patterns import chase
from firmware_bridge.transports import dialler
from firmware_bridge.transports.finding import ports, serial_of
from firmware_bridge.transports.noisy import Noisy
from table.cli import numbers
from table.cli.actions import add_action
from table.cli.board_camera import run_camera_test
from table.cli.board_faults import run_faults
from table.cli.board_flash import run_flash
from table.cli.board_lamps import run_lamps
from table.cli.board_measure import run_measure
from table.cli.board_monitor import run_monitor
from table.cli.board_replugs import run_replugs
from table.cli.board_simulate import run_simulate
from table.errors import UsageError
from vision.cameras import is_live

PORT_HELP = (
    "device path, `auto` (look for it), `serial:5eed0001` (the board with that number), "
    "`emulated` (the firmware in simavr) or `loopback` (default: auto)"
)


def register(parser: argparse.ArgumentParser) -> None:
    """Add the subcommands and their options."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    add_action(actions, "find", "list the serial ports and say which one is the lamp board")
    info = add_action(actions, "info", "print the board's version, serial number and state")
    monitor = add_action(actions, "monitor", "print buttons, faults and resets as they happen")
    test = add_action(
        actions, "test", "light every lamp in every colour, measure the wire, watch the buttons"
    )
    torture = add_action(actions, "torture", "send random pictures over a cable that damages bytes")
    figures = add_action(actions, "measure", "measure the wire, on the firmware in the emulator")
    figures.add_argument(
        "--frames", type=numbers.from_one, default=1000, help="frames sent over a bad cable (default: 1000)"
    )
    lamps = add_action(actions, "lamps", "list the lamps of a table file by name")
    lamps.add_argument("--table", metavar="FILE", required=True, help="the table file that came with the mat")
    lamps.add_argument("--svg", metavar="FILE", help="draw them where the camera found them")
    simulate = add_action(actions, "simulate", "run the firmware in the emulator, show its lamps here")
    flash = add_action(actions, "flash", "build the firmware and write it to the board with avrdude")
    for action in (info, monitor, test, torture):
        action.add_argument("--port", default="auto", help=PORT_HELP)
    flash.add_argument("--port", default="/dev/ttyUSB0", help="device path (default: /dev/ttyUSB0)")
    flash.add_argument("--baud", type=int, default=115200, help="speed of the bootloader; old Nanos: 57600")
    flash.add_argument(
        "--serial", help="serial number to give the board, as 5eed0001 (default: its own, or a random one)"
    )
    flash.add_argument(
        "--hex",
        type=Path,
        metavar="FILE",
        help="a firmware built elsewhere (board.hex): needs neither a checkout nor a compiler",
    )
    for action in (test, torture, simulate):
        action.add_argument("--lamps", type=_lamps, default=60, help="length of the strip (default: 60)")
    for action in (monitor, simulate):
        action.add_argument(
            "--seconds",
            type=numbers.positive,
            default=None,
            help="stop after this many seconds (default: run until Ctrl-C)",
        )
    test.add_argument(
        "--camera", metavar="SOURCE", help="usb:0 or pi:0: watch each lamp, write what was seen into --table"
    )
    test.add_argument("--table", metavar="FILE", help="the table file whose lamps the camera watches")
    test.add_argument(
        "--pause", type=numbers.positive, default=0.7, help="seconds for each colour (default: 0.7)"
    )
    torture.add_argument(
        "--seconds", type=numbers.positive, default=10.0, help="how many seconds (default: 10)"
    )
    torture.add_argument(
        "--noise", type=_share, default=0.001, help="share of bytes damaged (default: 0.001)"
    )
    torture.add_argument(
        "--faults",
        metavar="N",
        type=numbers.from_one,
        help="instead make each of twelve faults N times, in the emulator",
    )
    torture.add_argument(
        "--replugs",
        metavar="N",
        type=numbers.from_one,
        help="instead plug in a board with each bootloader N times, in the emulator on its own clock",
    )
    for action in (torture, figures):
        action.add_argument("--seed", type=int, default=1, help="seed of the random damage")


def run(args: argparse.Namespace) -> int:
    """Run the subcommand. Raises BridgeError for errors of the wire."""
    match args.action:
        case "find":
            return _find()
        case "info":
            return _info(args.port)
        case "lamps":
            return run_lamps(args.table, args.svg)
        case "measure":
            return run_measure(args.frames, args.seed)
        case "monitor":
            return run_monitor(args.port, args.seconds)
        case "test" if args.camera is not None:
            if args.table is None:
                raise UsageError(
                    "--camera needs --table: the file that says which lamps there are and where the tags lie"
                )
            if not is_live(args.camera):
                raise UsageError(
                    f"--camera {args.camera}: only a live camera sees the lamps; give usb:0 or pi:0"
                )
            return run_camera_test(None if args.port == "auto" else args.port, args.camera, args.table)
        case "test":
            return _test(args.port, args.lamps, args.pause)
        case "torture":
            if args.faults is not None:
                return run_faults(args.lamps, args.faults, args.seed)
            if args.replugs is not None:
                return run_replugs(args.lamps, args.replugs, args.seed)
            return _torture(args.port, args.lamps, args.seconds, args.noise, args.seed)
        case "simulate":
            return run_simulate(args.lamps, args.seconds)
        case _:
            serial = None if args.serial is None else serial_of(args.serial)
            return run_flash(args.port, args.baud, serial, args.hex)


def _lamps(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 255:
        raise argparse.ArgumentTypeError(f"{text!r}: a strip has 1 to 255 lamps")
    return int(text)


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 0.1:
        raise argparse.ArgumentTypeError(
            f"{text!r}: give a share of 0 to 0.1; beyond that no frame comes through"
        )
    return share


def _describe(board: Welcome) -> str:
    name = f"serial number {board.serial:08x}" if board.serial else "no serial number"
    return (
        f"{name}, protocol {board.protocol}, firmware {board.build:08x}, "
        f"drives up to {board.capacity} lamps, awake for {board.uptime_s:.0f} s, "
        f"last reset: {board.started}; starts through {board.bootloader}"
    )


def _find() -> int:
    found = 0
    seen = ports()
    for port in seen:
        if port.chip is None:
            print(f"{port.path}  {port.description}: not asked, no known USB chip")
            continue
        try:
            with Link.open(port.path) as link:
                welcome = link.status.welcome
                assert welcome is not None
                print(f"{port.path}  {port.chip}: lamp board, {_describe(welcome)}")
                found += 1
        except BridgeError as wrong:
            print(f"{port.path}  {port.chip}: {wrong}")
    if found:
        return 0
    raise NoBoardError(
        "no lamp board found; plug it in (a new one: `stammtisch board flash --port …` first), "
        "or try without one: `stammtisch board simulate`"
    )


def _info(port: str) -> int:
    with Link.open(port) as link:
        link.tend()
        status = link.status
        assert status.welcome is not None
        assert status.pong is not None
        print(f"{status.port}: {_describe(status.welcome)}")
        print(
            f"damaged frames {status.pong.bad_frames}, overruns {status.pong.overruns}, "
            f"repeated {status.repeated}"
        )
    return 0


def _test(port: str, lamps: int, pause_s: float) -> int:
    colours: dict[str, RGB] = {
        "red": (80, 0, 0),
        "green": (0, 80, 0),
        "blue": (0, 0, 80),
        "white": (40, 40, 40),
    }
    with Link.open(port) as link:
        for name, colour in colours.items():
            print(f"all {lamps} lamps {name}")
            link.show((colour,) * lamps)
            _linger(link, pause_s)
        print("one white lamp runs from the board to the end of the strip")
        step_s = max(1e-3, min(pause_s, 0.3 * lamps) / lamps)
        for at in range(lamps):
            link.show(chase((80, 80, 80), (at + 0.5) * step_s, lamps, step_s))
            time.sleep(step_s)
        speed = measure(link, lamps, max(0.5, pause_s))
        link.show(dark(lamps))
        print(
            f"{speed.pictures_per_s:.0f} pictures a second, {1000 / speed.pictures_per_s:.2f} ms each; "
            f"the bits alone take {1000 * speed.floor_s:.2f} ms (ratio {speed.ratio:.2f}); "
            f"{speed.repeated} repeated"
        )
        pressed = link.take_presses()
        print(f"buttons pressed meanwhile: {[n for n in range(4) if pressed >> n & 1] or 'none'}")
    return 0


def _linger(link: Link, seconds: float) -> None:
    """Wait, but keep the board awake and listen to its buttons."""
    end_s = time.monotonic() + seconds
    while (left_s := end_s - time.monotonic()) > 0:
        time.sleep(min(left_s, 0.2))
        link.tend()


def _torture(port: str, lamps: int, seconds: float, noise: float, seed: int) -> int:
    chance = random.Random(seed)
    cable = Noisy(dialler(port), chance, per_byte=noise, per_write=noise * 10)
    failed = 0
    with Link(cable.dial) as link:
        end_s, pictures = time.monotonic() + seconds, 0
        while time.monotonic() < end_s:
            picture = random_picture(lamps, chance)
            pictures += 1
            try:
                link.show(picture)
            except NoBoardError:
                raise  # it is gone, not merely disturbed
            except BridgeError as wrong:
                failed += 1
                print(f"picture {pictures}: {wrong}", file=sys.stderr)
        status = link.status
    print(
        f"{pictures} pictures, {pictures - failed} confirmed, {failed} given up; {cable.suffered} injuries, "
        f"{status.repeated} repetitions, {status.broken} answers damaged, {status.greetings} greetings"
    )
    return 0 if not failed else 1
