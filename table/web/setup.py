"""Setting up by touch, for the table's host: five steps, each of which can be repeated alone later.

    GET  /api/setup            the progress of each step: lamps, games, the deck and the lens being learnt
    GET  /api/setup/place      the quality of the camera's picture, and where the table lies in it
    GET  /api/setup/face/CARD.jpg   a face as it was learnt just now
    POST /api/setup/do         {"do": "deck", "game": "dubbe"}, {"do": "lamp", "index": 3}, …

All of it is behind the host's PIN. `table.setup` does the work.
"""

from __future__ import annotations

import asyncio
from typing import Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from table.catalogue import fact
from table.errors import StammtischError
from table.live import Table
from table.setup.desk import SetupDesk
from table.setup.enrolment import EnrolmentState
from table.setup.lens import LensState
from table.web import setup_answers as answers
from table.web.answers import CheckupTold, refused
from table.web.host import HostDesk
from table.web.replies import nothing, reply, spoken, wished


class SetupWish(msgspec.Struct, forbid_unknown_fields=True):
    """The body of `POST /api/setup/do`: what to do, and with which lamp, game, card or corners."""

    do: Literal[
        "leave", "lamp", "corners", "lens", "lens-measure", "lens-keep",
        "deck", "deck-skip", "deck-insist", "deck-again", "deck-learn", "deck-keep",
    ]  # fmt: skip
    index: int | None = None
    game: str | None = None
    card: str | None = None
    corners: list[tuple[float, float]] | None = None


def routes(table: Table, host: HostDesk, desk: SetupDesk) -> list[BaseRoute]:
    """The addresses above."""
    one_at_a_time, changing = asyncio.Lock(), asyncio.Lock()

    async def answer(request: Request) -> Response:
        if refusal := host.refusal(request, table.session):
            return refusal
        desk.stay()
        return reply(_answer(table, desk))

    async def place(request: Request) -> Response:
        if refusal := host.refusal(request, table.session):
            return refusal
        desk.stay()
        picture, language = table.frame(), spoken(request)
        if picture is None:
            return reply(refused(fact("setup.picture")), 409)
        async with one_at_a_time:
            found = await asyncio.to_thread(desk.examine, picture)
        checks = [CheckupTold(**check.told(language)) for check in found.checks]
        return reply(
            answers.SetupPlace(
                checks, [*found.corners], [*found.tags], desk.tags, found.error_mm, found.by_hand
            )
        )

    async def face(request: Request) -> Response:
        if refusal := host.refusal(request, table.session):
            return refusal
        picture = desk.face(request.path_params["card"])
        if picture is None:
            return nothing()
        return Response(picture, media_type="image/jpeg", headers={"cache-control": "no-store"})

    async def change(request: Request) -> Response:
        wish = await wished(request, SetupWish)
        if isinstance(wish, Response):
            return wish
        if refusal := host.refusal(request, table.session):
            return refusal
        desk.stay()
        try:
            async with changing:
                kept = await _do(wish, table, desk)
        except StammtischError as wrong:
            return reply(refused(wrong.fact), 409)
        return reply(answers.SetupDone(_answer(table, desk), kept))

    return [
        Route("/api/setup", answer),
        Route("/api/setup/place", place),
        Route("/api/setup/face/{card}.jpg", face),
        Route("/api/setup/do", change, methods=["POST"]),
    ]


async def _do(wish: SetupWish, table: Table, desk: SetupDesk) -> str | None:
    """Do a wish; return the name of the file that was written, if any. Raises StammtischError."""
    match wish.do:
        case "leave":
            desk.leave()
        case "lamp":
            count = table.plan.count if table.plan else 0
            if wish.index is not None and not 0 <= wish.index < count:
                raise StammtischError(fact("setup.lamp", n=wish.index, count=count))
            table.try_lamp(wish.index)
        case "corners":
            desk.show_corners(wish.corners or [])
        case "lens":
            desk.measure_lens(await asyncio.to_thread(desk.distance_mm, table.frame()))
        case "lens-keep":
            desk.keep_lens()
        case "lens-measure":
            if desk.lens is None:
                raise StammtischError(fact("setup.lens.nothing"))
            await asyncio.to_thread(desk.lens.measure)
        case "deck":
            desk.learn_deck(wish.game or "")
        case _:
            return await _do_with_deck(wish, desk)
    return None


async def _do_with_deck(wish: SetupWish, desk: SetupDesk) -> str | None:
    if desk.deck is None:
        raise StammtischError(fact("setup.deck.first"))
    match wish.do:
        case "deck-skip":
            desk.deck.skip()
        case "deck-insist":
            desk.deck.insist()
        case "deck-again":
            desk.deck.again(wish.card or "")
        case "deck-learn":
            await asyncio.to_thread(desk.deck.learn)
        case "deck-keep":
            kept = await asyncio.to_thread(desk.write_deck)
            desk.adopt_deck(kept)
            return kept.name
    return None


def _answer(table: Table, desk: SetupDesk) -> answers.SetupAnswer:
    plan = table.plan
    here = {lamp.index: lamp for lamp in plan.lamps} if plan else {}
    lamps = [
        answers.SetupLamp(n, lamp.shows if (lamp := here.get(n)) else "none", lamp.seat if lamp else None,
                          lamp.character if lamp else None)
        for n in range(plan.count if plan else 0)
    ]  # fmt: skip
    return answers.SetupAnswer(
        keeps=desk.keeps,
        measures=desk.table_path is not None,
        camera=table.frame() is not None,
        board=table.health.board.what,
        lamps=lamps,
        games=[answers.SetupGame(*game) for game in desk.games()],
        lens=_lens(desk.lens.state()) if desk.lens else None,
        deck=_deck(desk.deck.state()) if desk.deck else None,
    )


def _lens(now: LensState) -> answers.SetupLens:
    return answers.SetupLens(now.views, now.wanted, now.seen, now.error_px, now.error_mm, now.reached)


def _deck(now: EnrolmentState) -> answers.SetupDeck:
    return answers.SetupDeck(
        now.game,
        now.phase,
        now.asked,
        [*now.learnt],
        now.missing,
        answers.SetupShown(now.last.name, now.last.again) if now.last else None,
        [*now.alike],
        [answers.SetupRefused(card, {"code": why.code, "args": dict(why.args)}) for card, why in now.refused],
        [*now.doubted],
        now.unchecked,
    )
