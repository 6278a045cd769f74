"""What happened: each round with its deciding reasons in words and the points after it; the evening as files.

    GET /api/sheet?lang=de       {"game": 3, "newest": 41, "points": {"S1": -4, …}, "winners": ["S3"],
                                  "rounds": [
                                   {"round": 1, "head": ["Geber Dirk", "Trumpf Rot"], "broken_off": false,
                                    "brought": {"S1": -4, …}, "points": {"S1": -4, …},
                                    "steps": [{"S1": 2, …}, …],     of throws: the points after each
                                    "reasons": [
                                     {"text": "Spiel +1 Stoß ×2 = 2",
                                      "why": [{"text": "Jeder Stoß verdoppelt.", "rule": "U-22"}]}, …]}, …]}
    GET /api/sheet.csv?lang=de   a line a round, for a spreadsheet
    GET /api/sheet.txt           the log in the text notation, which `replay` reads

Only rounds that are over are told. The words are those of `table.rules.stories`: every game tells itself.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from table.lamp_meanings import svg
from table.live import Table
from table.public import public
from table.rules.events import Event
from table.rules.notation import write_text
from table.rules.stories import story
from table.rules.story import Story
from table.rules.view import View
from table.rules.words import Language, colour, names
from table.web.state import encode

_WHY = re.compile(r"(?P<text>.*) \[(?P<rule>[A-Z]+-\w+)\]")
"""How a story says why a booking is what it is."""

_ROUND = {"de": "Runde", "en": "Round"}
_TOTAL = {"de": "Gesamt", "en": "Total"}
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A cell that begins so is computed by a spreadsheet."""


def routes(table: Table) -> list[BaseRoute]:
    """The three addresses above, and what the lamps say, as a picture."""

    async def told(request: Request) -> Response:
        return Response(encode(sheet(table, _language(request))), media_type="application/json")

    async def as_csv(request: Request) -> Response:
        return _file(csv_sheet(table, _language(request)), "csv")

    async def as_text(_request: Request) -> Response:
        return _file(text_log(table), "txt")

    async def lamps(request: Request) -> Response:
        return Response(svg(_language(request)), media_type="image/svg+xml")

    return [
        Route("/lamps.svg", lamps),
        Route("/api/sheet", told),
        Route("/api/sheet.csv", as_csv),
        Route("/api/sheet.txt", as_text),
    ]


def sheet(table: Table, language: Language) -> dict[str, Any]:
    """The evening so far; see above."""
    session = table.session
    result = session.result()
    teller = story(result, _players(session.view), {}, language, explain=True)
    return {
        "game": session.game,
        "newest": len(session.entries),
        "points": result["points"],
        "winners": result["winners"],
        "rounds": list(_rounds(result["rounds"], teller)),
    }


def csv_sheet(table: Table, language: Language) -> str:
    """The points of every round and their sum, with semicolons where numbers have commas (German)."""
    view, result = table.session.view, table.session.result()
    called = names(_players(view))
    table_ = io.StringIO()
    writer = csv.writer(table_, delimiter=";" if language == "de" else ",", lineterminator="\r\n")
    writer.writerow(
        [_ROUND[language], *(_harmless(_named(view, called[seat], language)) for seat in view.seats)]
    )
    for entry in _over(result["rounds"]):
        writer.writerow([entry["round"], *(entry["points"].get(seat, 0) for seat in view.seats)])
    writer.writerow([_TOTAL[language], *(result["points"].get(seat, 0) for seat in view.seats)])
    return table_.getvalue()


def text_log(table: Table) -> str:
    """The log in the text notation, without what a guest may not see."""
    entries = table.session.entries
    return write_text(Event.from_dict({**public(entry.event), "id": entry.id}) for entry in entries)


def _over(rounds: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    return (entry for entry in rounds if entry["complete"] or entry.get("broken_off"))


def _rounds(rounds: Iterable[Mapping[str, Any]], teller: Story) -> Iterator[dict[str, Any]]:
    total: dict[str, int] = {}
    for entry in _over(rounds):
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
    """What decided the round: tricks in which somebody booked, then the settlement; of throws the last."""
    booked = [
        trick
        for trick in entry.get("tricks", ())
        if any(change["points"] for change in trick.get("changes", ()))
    ]
    notes = (note for trick in booked for note in teller.notes(entry, trick))
    after = teller.after({**entry, "throws": entry["throws"][-1:]} if entry.get("throws") else entry)
    reasons: list[dict[str, Any]] = []
    for line in (" ".join(told.split()) for told in (*notes, *after)):
        why = _WHY.fullmatch(line)
        if why and reasons:
            reasons[-1]["why"].append(why.groupdict())
        else:
            reasons.append({"text": line, "why": []})
    return reasons


def _players(view: View) -> dict[str, str]:
    return dict(zip(view.seats, view.players, strict=True))


def _named(view: View, name: str, language: Language) -> str:
    return (
        colour(name, language) if view.box is not None else name
    )  # there people are called after their dice


def _harmless(cell: str) -> str:
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def _language(request: Request) -> Language:
    return "en" if request.query_params.get("lang") == "en" else "de"


def _file(text: str, ending: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="stammtisch.{ending}"'}
    data = text.encode("utf-8-sig" if ending == "csv" else "utf-8")
    media = "text/csv" if ending == "csv" else "text/plain"
    return Response(data, media_type=f"{media}; charset=utf-8", headers=headers)
