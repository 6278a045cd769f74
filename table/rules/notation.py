"""A game as a few lines of text, to paste into a bug report: `write_text` and `read_text`.

    dubbe S1=Anna S2=Bernd S3=Carla black_die=true
    round S3
    die:red=1@aagewwer
    S2:red-5 S3:red-8 S1:red-3
    S3^ S1~ S2!trump:red S3?red-6/red-9 #7=S3:red-9 #8= end

A card is `seat:card`, taking a trick `seat^`, touching it `seat~`, saying `seat!what`, a doubt `seat?a/b`, a
correction `#number=event` (nothing after the sign: it never happened), an open card `turned:HA`, cards laid
open `seat&a/b`, a throw of dice `player>die,die` (notation_dice.py). Events are numbered as they stand.
Times, places and confidences are left out; what has no short form stands as JSON on a line of its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from table.catalogue import fact
from table.rules.events import Event, EventError
from table.rules.notation_dice import THROW, read_throw, write_throw

_SILENT = frozenset({"hand", "too-dark"})
_SEEN = frozenset({"t", "confidence", "source", "corners", "frame", "center"})
"""Fields that say how an event was seen, not what happened."""
_PLAIN = re.compile(r"[^\s:=!?^~#{}/]+")
_CARD = re.compile(r"(?P<seat>[^\s:!?^~#>]+):(?P<card>\S+)")
_HAND = re.compile(r"(?P<seat>[^\s:!?^~#]+)(?P<how>[\^~])")
_SAY = re.compile(r"(?P<seat>[^\s:!?^~#]*)!(?P<what>\S+)")
_SHOWN = re.compile(r"(?P<seat>[^\s:!?^~#&]+)&(?P<cards>\S*)")
_UNSURE = re.compile(r"(?P<seat>[^\s:!?^~#]+)\?(?P<cards>\S*)")
_DIE = re.compile(r"die:(?P<colour>[^\s=]+)=(?P<value>\d+)@(?P<spot>\S+)")
_CORRECTION = re.compile(r"#(?P<of>\d+)=(?P<event>\S*)")


def write_text(events: Iterable[Event]) -> str:
    """Return numbered events as text; a trick or so stands on a line."""
    lines: list[str] = []
    words: list[str] = []
    numbers: dict[int, int] = {}

    def finish() -> None:
        if words:
            lines.append(" ".join(words))
            words.clear()

    for event in events:
        if event.kind in _SILENT:
            continue
        if event.id is not None:
            numbers[event.id] = len(numbers) + 1
        word = _word(event, numbers)
        if word is None or event.kind in ("game", "round"):
            finish()
            lines.append(word if word is not None else json.dumps(_bare(event), ensure_ascii=False))
        else:
            words.append(word)
            if event.kind in ("collected", "die", "throw", "end") or len(words) >= 8:
                finish()
    finish()
    return "\n".join(lines) + "\n"


def _bare(event: Event) -> dict[str, Any]:
    unsaid = {*_SEEN, "id"}
    return {name: value for name, value in event.to_dict().items() if name not in unsaid}


def _word(event: Event, numbers: dict[int, int]) -> str | None:
    """Return the short form of an event, or None if it has none."""
    fields = _bare(event)
    seat = fields.get("seat")
    match event.kind:
        case "game" if not {"field", "bets"} & fields.keys():
            return _header(fields)
        case "round" if set(fields) <= {"kind", "dealer"}:
            return f"round {fields['dealer']}" if "dealer" in fields else "round"
        case "round" if set(fields) == {"kind", "first"}:
            return f"round first={fields['first']}"
        case "turned" if set(fields) == {"kind", "card"}:
            return f"turned:{event.card}"
        case "shown" if seat and set(fields) == {"kind", "seat", "cards"}:
            return f"{seat}&{'/'.join(fields['cards'])}"
        case "throw":
            return write_throw(fields)
        case "card" if seat and set(fields) == {"kind", "seat", "card"}:
            return f"{seat}:{event.card}"
        case "say" if set(fields) - {"seat"} == {"kind", "what"}:
            return f"{seat or ''}!{fields['what']}"
        case "collected" | "touch" if seat:
            return f"{seat}{'^' if event.kind == 'collected' else '~'}"
        case "unsure" if seat:
            return f"{seat}?" + "/".join(name for name, _ in fields.get("candidates", ()))
        case "die" if fields.get("spot") and fields.get("colour") and fields.get("value"):
            return f"die:{fields['colour']}={fields['value']}@{fields['spot']}"
        case "end":
            return "end"
        case "correction" if fields["of"] in numbers:
            word = "" if event.instead is None else _word(event.instead, numbers)
            return None if word is None or " " in word else f"#{numbers[fields['of']]}={word}"
    return None


def _header(fields: dict[str, Any]) -> str | None:
    seats, players = fields.get("seats", ()), fields.get("players", fields.get("seats", ()))
    if not seats or not all(_PLAIN.fullmatch(str(word)) for word in (*seats, *players)):
        return None
    who = [
        seat if seat == player else f"{seat}={player}" for seat, player in zip(seats, players, strict=True)
    ]
    preset = [f"preset={fields['preset']}"] if fields.get("preset") else []
    given = (fields.get("options") or {}).items()
    options = [f"{name}={json.dumps(value, separators=(',', ':'))}" for name, value in given]
    return " ".join([fields["game"], *who, *preset, *options]) if all(" " not in o for o in options) else None


def read_text(text: str) -> list[Event]:
    """Read text back into numbered events. Raises EventError with the line that makes no sense."""
    events: list[Event] = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            read = (
                [json.loads(line)] if line.lstrip().startswith("{") else _read_line(line.split(), not events)
            )
            events += [Event.from_dict(plain).numbered(len(events) + n) for n, plain in enumerate(read, 1)]
        except EventError as wrong:
            raise wrong.at(number) from None
        except (ValueError, RecursionError) as broken:
            raise EventError(fact("event.json", why=str(broken)), number) from None
    return events


def _read_line(words: list[str], first: bool) -> list[dict[str, Any]]:
    if words and first:
        return [_read_header(words)]
    if words and words[0] == "round":
        if words[1:] and words[1].startswith("first="):
            return [{"kind": "round", "first": words[1].removeprefix("first=")}]
        return [{"kind": "round"} | ({"dealer": words[1]} if len(words) > 1 else {})]
    return [_read_word(word) for word in words]


def _read_header(words: list[str]) -> dict[str, Any]:
    header: dict[str, Any] = {"kind": "game", "game": words[0], "seats": [], "players": [], "options": {}}
    for word in words[1:]:
        name, sign, value = word.partition("=")
        if name == "preset":
            header["preset"] = value
        elif name.islower() and sign:
            try:
                header["options"][name] = json.loads(value)
            except ValueError:
                header["options"][name] = value
        else:
            header["seats"].append(name)
            header["players"].append(value or name)
    return header


def _read_word(word: str) -> dict[str, Any]:
    if word == "end":
        return {"kind": "end"}
    if found := _CORRECTION.fullmatch(word):
        inner = found["event"]
        return {"kind": "correction", "of": int(found["of"]), "event": _read_word(inner) if inner else None}
    if (found := THROW.fullmatch(word)) and (throw := read_throw(found["player"], found["dice"])):
        return throw
    if word.startswith("turned:"):
        return {"kind": "turned", "card": word.removeprefix("turned:")}
    if found := _SHOWN.fullmatch(word):
        return {
            "kind": "shown",
            "seat": found["seat"],
            "cards": [card for card in found["cards"].split("/") if card],
        }
    if found := _DIE.fullmatch(word):
        return {"kind": "die", "colour": found["colour"], "value": int(found["value"]), "spot": found["spot"]}
    if found := _HAND.fullmatch(word):
        return {"kind": "collected" if found["how"] == "^" else "touch", "seat": found["seat"]}
    if found := _SAY.fullmatch(word):
        return {"kind": "say", **({"seat": found["seat"]} if found["seat"] else {}), "what": found["what"]}
    if found := _UNSURE.fullmatch(word):
        cards = [card for card in found["cards"].split("/") if card]
        return {
            "kind": "unsure",
            "seat": found["seat"],
            "candidates": [[card, 1 / len(cards)] for card in cards],
        }
    if found := _CARD.fullmatch(word):
        return {"kind": "card", "seat": found["seat"], "card": found["card"]}
    raise EventError(fact("event.word", word=word))
