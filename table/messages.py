"""What a table tells over the network (docs/reference/mqtt.md): topics and forms, known to table and hub.

A message is read at least once by MQTT's own promise; (table, boot, sequence) makes it exactly once: whoever
has kept that key knows the message already.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

ROOT = "stammtisch/v1"

Name = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,47}$")]
"""A table's name, which is also its user name at the broker and part of every topic."""


def topic(table: str, what: str) -> str:
    """The topic of one table; `+` for all of them."""
    return f"{ROOT}/{table}/{what}"


class JournalLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of a table's journal, as everybody may see it.

    `sequence` grows within a `boot`, not by ones: `after` is the sequence told before it, 0 for the first.
    """

    table: Name
    boot: Annotated[int, msgspec.Meta(ge=1, description="which life of the journal: seconds since 1970")]
    sequence: Annotated[int, msgspec.Meta(ge=1, description="game * 2^32 + id")]
    after: Annotated[int, msgspec.Meta(ge=0, description="the sequence told before this one, 0 = none")]
    game: Annotated[int, msgspec.Meta(ge=1, description="number of the game in the table's journal")]
    id: Annotated[int, msgspec.Meta(ge=1, description="number of the line in its game")]
    wall: Annotated[float, msgspec.Meta(description="seconds since 1970 by the table's clock")]
    event: Annotated[dict[str, Any], msgspec.Meta(description="a table event, see events.md")]


class TableState(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How it stands at a table: the newest is kept by the broker."""

    table: Name
    game: str | None = None
    number: Annotated[int | None, msgspec.Meta(description="of the game in the table's journal")] = None
    round: int = 0
    phase: str = "idle"
    seats: list[str] = []
    players: Annotated[list[str], msgspec.Meta(description="as seats; empty where names stay there")] = []
    points: dict[str, int] = {}
    turn: Annotated[str | None, msgspec.Meta(description="the seat whose card is awaited")] = None
    trump: str | None = None
    over: bool = False
    winners: list[str] = []
    doubts: Annotated[int, msgspec.Meta(description="questions that nobody has answered")] = 0
    score: Annotated[str, msgspec.Meta(description="the points in one line, for people")] = ""
    camera: str = "starting"
    sight: str = "fine"
    board: str = "none"
    journal: str = "fine"


class Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A hub has everything of this boot up to `sequence` on its disk, without a gap."""

    boot: int
    sequence: int


ONLINE, OFFLINE = "online", "offline"
"""Payloads of the topic `online`; the second is a table's last will."""

AGAIN = "again"
"""Payload of the topic `do`: the same people play another game. It is refused while a round is running."""

encode = msgspec.json.Encoder().encode
read_line = msgspec.json.Decoder(JournalLine).decode
read_state = msgspec.json.Decoder(TableState).decode
read_kept = msgspec.json.Decoder(Kept).decode
