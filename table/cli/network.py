"""Addresses, the host's PIN and the MQTT service of `run` and `demo`."""

from __future__ import annotations

import socket
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from table.catalogue import fact
from table.cli.outside import say
from table.errors import StammtischError, UsageError, installing
from table.web.pin import HashedPin, is_pin, keep_pin, new_pin, pin_place, read_pin

if TYPE_CHECKING:
    from table.live import Table
    from table.runtime import Service
    from table.settings.broker import Broker

HERE = ("127.0.0.1", "::1", "localhost")
"""Listening addresses that no other machine can reach."""


def phones_find(listen: str, port: int) -> str:
    """The page's address for phones, after a comma; empty if only this machine can reach it."""
    if listen in HERE:
        return ""
    host = listen
    if listen in ("0.0.0.0", "::"):
        host = _used_address(listen) or f"{socket.gethostname()}.local"
    return f", for phones http://{f'[{host}]' if ':' in host else host}:{port}"


def _used_address(listen: str) -> str | None:
    """Our address on the network: IPv4, with `::` else IPv6; None if there is no network."""
    ways = [(socket.AF_INET, "192.0.2.1")]  # addresses for documentation (RFC 5737, RFC 3849)
    if listen == "::":
        ways.append((socket.AF_INET6, "2001:db8::1"))
    for family, far in ways:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as way:
            way.connect((far, 9))  # sends nothing: it only selects a route
            return str(way.getsockname()[0])
    return None


def host_pin(wanted: str | None, listen: str, journal: Path) -> tuple[str, HashedPin | None]:
    """What `run` prints about the host's PIN, and the PIN; None if only this machine can reach the page.

    Args:
        wanted: six digits, `none`, or None for the kept PIN, or a new one if none was kept.
        listen: the address the page listens at.
        journal: the journal; the PIN is kept beside it.

    Raises:
        UsageError: `wanted` is not a PIN.
        StammtischError: the PIN cannot be kept.
    """
    if wanted not in (None, "none") and not is_pin(str(wanted)):
        raise UsageError(fact("config.pin"))
    if listen in HERE:
        return "", None
    if wanted == "none":
        return "none; whoever opens the page may begin and end games", None
    file = pin_place(journal)
    kept = read_pin(file)
    if wanted is not None:
        same = kept is not None and kept.matches(wanted)  # its salt stays, and with it the admitted phones
        return "as given", kept if same else keep_pin(file, wanted)
    if kept is not None:
        return "as before (--pin NNNNNN sets another, --no-pin asks for none)", kept
    made = new_pin()
    return f"{made}   (is shown only now; the page asks phones for it)", keep_pin(file, made)


def told_over_mqtt(table: Table, broker: Broker | None, journal: Path) -> list[Service]:
    """The service that publishes the game to a broker; an empty list without `[mqtt]`.

    Raises:
        StammtischError: aiomqtt is not installed.
    """
    if broker is None:
        return []
    try:
        from table.integrations.mqtt.uplink import Uplink
    except ImportError:
        raise StammtischError(f"[mqtt] needs aiomqtt; install it with: {installing('aiomqtt')}") from None
    say(f"mqtt: {broker.host}:{broker.at_port} as table {broker.table}")
    return [Uplink(table, broker, journal).serve]


def broker_at(place: str) -> Broker:
    """The broker of `HOST:PORT/TABLE`.

    Raises:
        UsageError: it does not have this form.
    """
    import msgspec

    from table.settings.broker import Broker

    address, _, name = place.partition("/")
    host, _, port = address.rpartition(":")
    try:
        return msgspec.convert({"host": host, "port": port, "table": name}, Broker, strict=False)
    except msgspec.ValidationError:
        raise UsageError(f"--mqtt {place}: write HOST:PORT/TABLE, as in 127.0.0.1:1883/window") from None
