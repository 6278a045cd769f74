"""`[mqtt]` of the settings file: which broker this table reports to, and what it reports."""

from __future__ import annotations

from typing import Annotated

import msgspec

from table.messages import TableName


class Broker(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Where the broker is and the table's name there; paths are relative to the settings file."""

    host: Annotated[str, msgspec.Meta(min_length=1)]
    table: TableName
    port: Annotated[int, msgspec.Meta(ge=1, le=65535)] | None = None
    user: str | None = None
    password_file: str | None = None
    tls: bool = False
    ca: str | None = None
    cert: str | None = None
    key: str | None = None
    names: bool = True
    discovery: str = "homeassistant"

    @property
    def at_port(self) -> int:
        """The given port, otherwise MQTT's default: 8883 with TLS, 1883 without."""
        return self.port or (8883 if self.tls else 1883)

    @property
    def idle(self) -> str | None:
        """A given key that has no effect without `tls`: its author believes the connection encrypted."""
        return None if self.tls else next((key for key in ("ca", "cert", "key") if getattr(self, key)), None)

    @property
    def who(self) -> str:
        """The user name; by default the table's."""
        return self.user or self.table


PATHS = ("password_file", "ca", "cert", "key")
