"""The table's settings by touch, for its host: their values, the choices, and changes.

    GET  /api/settings         {"file": "stammtisch.toml", "settings": {"camera": "usb:0", "deck": null, …},
                                "offers": {"table": ["tables/mat-4-A2.toml", …], …}}
    POST /api/set              {"set": {"camera": "pi:0", "deck": null}}

After a change the table restarts if something (systemd) would start it again; the game goes on. All of it is
behind the host's PIN.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from table.catalogue import fact
from table.errors import StammtischError
from table.live import Table
from table.settings.house import HouseFile
from table.web.answers import SettingsAnswer, SettingsDone, refused
from table.web.host import HostDesk
from table.web.replies import reply, wished


class SettingsWish(msgspec.Struct, forbid_unknown_fields=True):
    """The body of `POST /api/set`: the new values; null removes a setting."""

    set: dict[str, str | int | bool | None]


def routes(
    table: Table, desk: HostDesk, file: HouseFile | None, start_anew: Callable[[], bool]
) -> list[BaseRoute]:
    """The addresses above. `file` is None if the table was started without one.

    `start_anew` ends the table in a moment if something would start it again, and returns whether it does.
    """

    async def answer(request: Request) -> Response:
        if refusal := desk.refusal(request, table.session):
            return refusal
        if file is None:
            return reply(SettingsAnswer(None, {}, {}))
        try:
            found = SettingsAnswer(file.path.name, file.read(), file.offers())
        except StammtischError as wrong:
            return reply(refused(wrong.fact), 409)
        return reply(found)

    async def change(request: Request) -> Response:
        wish = await wished(request, SettingsWish)
        if isinstance(wish, Response):
            return wish
        if refusal := desk.refusal(request, table.session):
            return refusal
        if file is None:
            return reply(refused(fact("settings.none")), 404)
        try:
            changed = await asyncio.to_thread(file.change, wish.set)
        except StammtischError as wrong:
            return reply(refused(wrong.fact), 409)
        return reply(SettingsDone(changed, changed and start_anew()))

    return [
        Route("/api/settings", answer),
        Route("/api/set", change, methods=["POST"]),
    ]
