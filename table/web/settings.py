"""The table's settings by touch, for its host: what they are, what may be chosen, and a change of them.

    GET  /api/settings         {"file": "stammtisch.toml", "settings": {"camera": "usb:0", "deck": null, …},
                                "offers": {"table": ["tables/mat-4-A2.toml", …], …}}
    POST /api/set              {"set": {"camera": "pi:0", "deck": null}}

After a change the table starts anew where somebody (systemd) starts it again; the game goes on. All of it is
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
    """The body of `POST /api/set`: what is to be set, null = as if it never was."""

    set: dict[str, str | int | bool | None]


def routes(
    table: Table, desk: HostDesk, file: HouseFile | None, start_anew: Callable[[], bool]
) -> list[BaseRoute]:
    """The addresses above. `file` is None where the table was started without one.

    `start_anew` ends the table in a moment where somebody starts it again, and tells whether it does.
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
