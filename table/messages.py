"""What a table publishes over the network (docs/reference/mqtt.md): topics and messages of table and hub.

MQTT delivers a message at least once; the key (table, boot, sequence) makes that exactly once: a reader that
has stored the key already knows the message.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

import msgspec

T = TypeVar("T")

ROOT = "stammtisch/v1"

TableName = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,47}$")]
"""A table's name, which is also its user name at the broker and part of its topics."""


Number = Annotated[int, msgspec.Meta(le=2**31 - 1)]
"""Number of a game or of one of its lines, or a count of points. A `sequence` combines two."""

JournalPlace = Annotated[int, msgspec.Meta(le=2**63 - 1)]
"""A boot or a sequence: up to the largest integer that databases hold."""

_LAST_SECOND = 253402300799
"""31 December 9999: the last day that a date can have."""

CLOCK_SET_S = 1767225600.0
"""1 January 2026, before the first release: a clock that shows an earlier time was never set."""


def topic(table: str, what: str) -> str:
    """The topic of one table; `+` as `table` matches all tables."""
    return f"{ROOT}/{table}/{what}"


class JournalLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of a table's journal, as everybody may see it.

    `sequence` grows within a `boot`, not by ones: `after` is the sequence sent before it, 0 for the first.
    """

    table: TableName
    boot: Annotated[
        JournalPlace, msgspec.Meta(ge=1, description="which life of the journal: seconds since 1970")
    ]
    sequence: Annotated[JournalPlace, msgspec.Meta(ge=1, description="game * 2^32 + id")]
    after: Annotated[
        JournalPlace, msgspec.Meta(ge=0, description="the sequence told before this one, 0 = none")
    ]
    game: Annotated[Number, msgspec.Meta(ge=1, description="number of the game in the table's journal")]
    id: Annotated[Number, msgspec.Meta(ge=1, description="number of the line in its game")]
    wall: Annotated[
        float, msgspec.Meta(ge=0, le=_LAST_SECOND, description="seconds since 1970 by the table's clock")
    ]
    event: Annotated[dict[str, Any], msgspec.Meta(description="a table event, see events.md")]


class TableState(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The state of a table; the broker retains the newest one."""

    table: TableName
    game: str | None = None
    number: Annotated[
        Annotated[Number, msgspec.Meta(ge=0)] | None,
        msgspec.Meta(description="of the game in the table's journal"),
    ] = None
    round: Annotated[Number, msgspec.Meta(ge=0)] = 0
    phase: str = "idle"
    seats: list[str] = []
    players: Annotated[list[str], msgspec.Meta(description="as seats; empty where names stay there")] = []
    points: dict[str, Annotated[Number, msgspec.Meta(ge=-(2**31))]] = {}
    turn: Annotated[str | None, msgspec.Meta(description="the seat whose card is awaited")] = None
    trump: str | None = None
    over: bool = False
    winners: list[str] = []
    doubts: Annotated[Number, msgspec.Meta(ge=0, description="questions that nobody has answered")] = 0
    score: Annotated[str, msgspec.Meta(description="the points in one line, for people")] = ""
    camera: str = "starting"
    sight: str = "fine"
    board: str = "none"
    journal: str = "fine"


class Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Confirms that a hub has everything of this boot up to `sequence` on its disk, without a gap."""

    boot: Annotated[JournalPlace, msgspec.Meta(ge=0)]
    sequence: Annotated[JournalPlace, msgspec.Meta(ge=0)]


ONLINE, OFFLINE = "online", "offline"
"""Payloads of the topic `online`; the second is a table's last will."""

AGAIN = "again"
"""Payload of the topic `do`: the same people play another game. Refused while a round is running."""

encode = msgspec.json.Encoder().encode
read_kept = msgspec.json.Decoder(Kept).decode

_LINE, _STATE = msgspec.json.Decoder(JournalLine), msgspec.json.Decoder(TableState)


def read_line(payload: bytes | bytearray) -> JournalLine:
    """Read an `event` message.

    Raises:
        msgspec.MsgspecError: the payload is no such message.
    """
    line = _plain(payload, _LINE)
    if line.sequence != (line.game << 32) + line.id:
        raise msgspec.ValidationError("the sequence is not that of this game and line")
    if line.after >= line.sequence:
        raise msgspec.ValidationError("a line follows one that was told before it")
    return line


def read_state(payload: bytes | bytearray) -> TableState:
    """Read a `state` message.

    Raises:
        msgspec.MsgspecError: the payload is no such message.
    """
    return _plain(payload, _STATE)


def read_name(word: str) -> str:
    """Check and return a table's name taken from a topic.

    Raises:
        msgspec.MsgspecError: no table can have that name.
    """
    return msgspec.convert(word, TableName)


def _plain(payload: bytes | bytearray, form: msgspec.json.Decoder[T]) -> T:
    """Decode a message and refuse NUL in its texts: JSON allows it, PostgreSQL does not."""
    try:
        decoded = form.decode(payload)
        if b"\\u0000" in payload and _has_nul(msgspec.json.decode(payload)):
            raise msgspec.ValidationError("no text has a NUL")
    except RecursionError:
        raise msgspec.ValidationError("too many brackets inside each other") from None
    return decoded


def _has_nul(value: Any) -> bool:
    if isinstance(value, dict):
        return any("\0" in key or _has_nul(inner) for key, inner in value.items())
    if isinstance(value, list):
        return any(map(_has_nul, value))
    return isinstance(value, str) and "\0" in value
