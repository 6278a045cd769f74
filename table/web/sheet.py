"""The score sheet: each round with its deciding reasons in words and the points after it; also as files.

    GET /api/sheet?lang=de       {"game": 3, "newest": 41, "points": {"S1": -4, …}, "winners": ["S3"],
                                  "rounds": [
                                   {"round": 1, "head": ["Geber Dirk", "Trumpf Rot"], "broken_off": false,
                                    "brought": {"S1": -4, …}, "points": {"S1": -4, …},
                                    "steps": [{"S1": 2, …}, …],     for throws: the points after each
                                    "reasons": [
                                     {"text": "Spiel +1 Stoß ×2 = 2",
                                      "why": [{"text": "Jeder Stoß verdoppelt.", "rule": "U-22"}]}, …]}, …]}
    GET /api/sheet.csv?lang=de   one row for each round, for a spreadsheet
    GET /api/sheet.txt           the log in the text notation, which `replay` reads
    GET /api/sheet.svg?lang=de   the sheet as a picture (`sheet_picture`)

With `?game=2` the same for an older game (`history`).
Only rounds that are over are listed. `table.rules.stories` supplies the words: every game has its own.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from table.catalogue import Language, text
from table.journal import JournalError
from table.lamp_meanings import svg
from table.live import Table
from table.public import public
from table.rules.events import Event
from table.rules.notation import write_text
from table.rules.stories import story
from table.rules.story import Story
from table.rules.words import alone, guest
from table.spreadsheet import spreadsheet_safe
from table.web.answers import refused
from table.web.host import HostDesk
from table.web.kept_games import GameTold, KeptGames
from table.web.replies import nothing, number, reply, spoken
from table.web.sheet_picture import sheet_picture

_WHY = re.compile(r"(?P<text>.*) \[(?P<rule>[A-Z]+-\w+)\]")
"""A story's line that gives the rule behind the line before it."""

_MEDIA = {
    "csv": "text/csv; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
    "svg": "image/svg+xml",
}


def routes(table: Table, desk: HostDesk, kept: KeptGames) -> list[BaseRoute]:
    """The addresses above, and `/lamps.svg`, the meaning of the lamps as a picture."""

    def of(make: Callable[[GameTold | None, Language], Response]) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            if "game" not in request.query_params:
                return make(kept.now(), spoken(request))
            if not_his := desk.refusal(request, table.session):  # past evenings are for the host (`history`)
                return not_his
            asked = number(request.query_params["game"])
            try:
                told = None if asked is None else await kept.game(asked)
            except JournalError as wrong:
                return reply(refused(wrong.fact), 503)
            return nothing() if told is None else make(told, spoken(request))

        return answer

    async def lamps(request: Request) -> Response:
        return Response(svg(spoken(request)), media_type="image/svg+xml")

    return [
        Route("/lamps.svg", lamps),
        Route("/api/sheet", of(lambda told, language: reply(sheet(told, language)))),
        Route("/api/sheet.csv", of(lambda told, language: _file(csv_sheet(told, language), "csv"))),
        Route("/api/sheet.txt", of(lambda told, _language: _file(text_log(told), "txt"))),
        Route("/api/sheet.svg", of(lambda told, language: _file(sheet_picture(told, language), "svg"))),
    ]


def sheet(told: GameTold | None, language: Language) -> dict[str, Any]:
    """The evening so far, as the module docstring describes."""
    if told is None:
        return {"game": None, "newest": 0, "points": {}, "winners": [], "rounds": []}
    result = told.result
    teller = story(result, told.players, {}, language, explain=True)
    teller = replace(
        teller, players={seat: alone(guest(name, language)) for seat, name in teller.players.items()}
    )
    return {
        "game": told.game,
        "newest": len(told.entries),
        "points": result["points"],
        "winners": result["winners"],
        "rounds": list(_rounds(told.rounds_over, teller)),
    }


def csv_sheet(told: GameTold | None, language: Language) -> str:
    """The points of every round and their sum as CSV, with commas in English and otherwise semicolons."""
    table_ = io.StringIO()
    writer = csv.writer(table_, delimiter="," if language == "en" else ";", lineterminator="\r\n")
    columns = [] if told is None else list(told.called(language).items())
    writer.writerow([text("sheet.round", language), *(spreadsheet_safe(name) for _, name in columns)])
    for entry in () if told is None else told.rounds_over:
        writer.writerow([entry["round"], *(entry["points"].get(seat, 0) for seat, _ in columns)])
    points = {} if told is None else told.result["points"]
    writer.writerow([text("sheet.total", language), *(points.get(seat, 0) for seat, _ in columns)])
    return table_.getvalue()


def text_log(told: GameTold | None) -> str:
    """The public part of the log in the text notation."""
    entries = () if told is None else told.entries
    return write_text(Event.from_dict({**public(entry.event), "id": entry.id}) for entry in entries)


def _rounds(rounds: Iterable[Mapping[str, Any]], teller: Story) -> Iterator[dict[str, Any]]:
    total: dict[str, int] = {}
    for entry in rounds:
        steps = [throw["points"] for throw in entry.get("throws", ())]
        brought = entry["points"]
        total = {seat: total.get(seat, 0) + points for seat, points in brought.items()} | (
            steps[-1] if steps else {}
        )
        yield {
            "round": entry["round"],
            "head": list(teller.head(entry)),
            "broken_off": bool(entry.get("broken_off")),
            "brought": brought,
            "points": total,
            "steps": steps,
            "reasons": _reasons(entry, teller),
        }


def _reasons(entry: Mapping[str, Any], teller: Story) -> list[dict[str, Any]]:
    """The reasons that decided the round, each with the rules behind it."""
    reasons: list[dict[str, Any]] = []
    for line in (" ".join(told.split()) for told in teller.deciding(entry)):
        why = _WHY.fullmatch(line)
        if why and reasons:
            reasons[-1]["why"].append(why.groupdict())
        else:
            reasons.append({"text": line, "why": []})
    return reasons


def _file(text: str, ending: str) -> Response:
    kept = "inline" if ending == "svg" else "attachment"  # the browser shows a picture before it is saved
    headers = {"content-disposition": f'{kept}; filename="stammtisch.{ending}"'}
    data = text.encode("utf-8-sig" if ending == "csv" else "utf-8")
    return Response(data, media_type=_MEDIA[ending], headers=headers)
