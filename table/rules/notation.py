"""A game as a few lines of text, to paste into a bug report: `write_text` and `read_text_lines`.

    dubbe S1=Anna S2=Bernd S3=Carla black_die=true
    round S3
    die:red=1@aagewwer
    S2:red-5 S3:red-8 S1:red-3
    S3^ S1~ S2!trump:red S3?red-6/red-9 @touch #7=S3:red-9 #8= end

A card is `seat:card`, taking a trick `seat^`, touching it `seat~`, saying `seat!what`, a doubt `seat?a/b`, a
correction `#number=event` (nothing after the sign: it never happened), an open card `turned:HA`, cards laid
open `seat&a/b`, a throw of dice `player>die,die` (notation_dice.py). `@source` says who reported what follows
(`@camera`, `@touch`, `@rules`; `@file`: unknown), `@12.3` when the next event was reported, in seconds. Game
and round have a line of their own. Events are numbered by position. Places and confidences are left out. An
event without a short form is JSON on a line of its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from table.catalogue import fact
from table.rules.events import UNPLAYED, Event, EventError, lines_of
from table.rules.notation_dice import THROW, read_throw, write_throw

_FILE = "file"
"""Source of events that do not say who reported them."""
_SEEN = frozenset({"t", "confidence", "source", "corners", "frame", "center"})
"""Fields that describe how an event was seen, not what happened."""
_PLAIN = re.compile(r"[^\s:=!?^~#{}/]+")
_CARD = re.compile(r"(?P<seat>[^\s:!?^~#>]+):(?P<card>\S+)")
_HAND = re.compile(r"(?P<seat>[^\s:!?^~#]+)(?P<how>[\^~])")
_SAY = re.compile(r"(?P<seat>[^\s:!?^~#]*)!(?P<what>\S+)")
_SHOWN = re.compile(r"(?P<seat>[^\s:!?^~#&]+)&(?P<cards>\S*)")
_UNSURE = re.compile(r"(?P<seat>[^\s:!?^~#]+)\?(?P<cards>\S*)")
_DIE = re.compile(r"die:(?P<colour>[^\s=]+)=(?P<value>\d+)@(?P<spot>\S+)")
_SOURCE = re.compile(r"@(?P<source>[a-z]+)")
_TIME = re.compile(r"@(?P<t>-?\d+(\.\d+)?)")
_CORRECTION = re.compile(r"#(?P<of>\d+)=(?P<event>\S*)")


def write_text(events: Iterable[Event]) -> str:
    """Return numbered events as text, about one trick a line."""
    events = list(events)
    corrected = {event.get("of") for event in events if event.kind == "correction"}
    lines: list[str] = []
    words: list[str] = []
    numbers: dict[int, int] = {}
    source: str | None = None

    def finish() -> None:
        if words:
            lines.append(" ".join(words))
            words.clear()

    written = 0
    for event in events:
        if event.id is not None:
            numbers[event.id] = written + 1  # an event left out has the next one's number
        if event.kind in UNPLAYED and event.id not in corrected:
            continue
        written += 1
        if event.kind != "game":
            if (told := _source(event)) != source:
                words.append(f"@{told or _FILE}")
            source = told
            if (t := event.get("t")) is not None and _TIME.fullmatch(f"@{t}"):
                words.append(f"@{t}")
        plain = _renumbered(_bare(event), numbers)
        word = None if event.kind == "game" and written > 1 else _word(plain)
        if word is None or event.kind in ("game", "round"):
            finish()
            lines.append(word if word is not None else json.dumps(plain, ensure_ascii=False))
        else:
            words.append(word)
            if event.kind in ("collected", "die", "throw", "end") or len(words) >= 8:
                finish()
    finish()
    return "\n".join(lines) + "\n"


def _source(event: Event) -> str | None:
    """The source of an event, if it is a single word."""
    source = event.get("source")
    return source if isinstance(source, str) and _SOURCE.fullmatch(f"@{source}") else None


def _bare(event: Event) -> dict[str, Any]:
    plain = {name: value for name, value in event.to_dict().items() if name not in (*_SEEN, "id")}
    if event.kind == "correction" and event.instead is not None:
        plain["event"] = _bare(event.instead)
    return plain


def _renumbered(plain: dict[str, Any], numbers: Mapping[int, int]) -> dict[str, Any]:
    """Return the event with its references in the text's own numbering."""
    new = dict(plain)
    for name in ("of", "before"):
        if new.get(name) in numbers:
            new[name] = numbers[new[name]]
    agreed = new.get("agreed")
    if isinstance(agreed, list | tuple) and all(isinstance(one, list | tuple) for one in agreed):
        new["agreed"] = [[*one[:2], *(numbers.get(line, line) for line in one[2:])] for one in agreed]
    if isinstance(new.get("event"), dict):
        new["event"] = _renumbered(new["event"], numbers)
    return new


def _word(plain: Mapping[str, Any]) -> str | None:
    """Return the short form of a bare event, or None if it has none: a short form leaves out no field."""
    seat, names = plain.get("seat"), set(plain) - {"kind"}
    match plain["kind"]:
        case "game" if not {"field", "bets"} & names:
            return _header(plain)
        case "round" if names <= {"dealer"}:
            return f"round {plain['dealer']}" if "dealer" in plain else "round"
        case "round" if names == {"first"}:
            return f"round first={plain['first']}"
        case "turned" if names == {"card"}:
            return f"turned:{plain['card']}"
        case "shown" if seat and names == {"seat", "cards"}:
            return f"{seat}&{'/'.join(plain['cards'])}"
        case "throw":
            return write_throw(plain)
        case "card" if seat and names == {"seat", "card"}:
            return f"{seat}:{plain['card']}"
        case "say" if names - {"seat"} == {"what"}:
            return f"{seat or ''}!{plain['what']}"
        case "collected" | "touch" as kind if seat and names == {"seat"}:
            return f"{seat}{'^' if kind == 'collected' else '~'}"
        case "unsure" if seat and names <= {"seat", "candidates"}:
            return f"{seat}?" + "/".join(name for name, _ in plain.get("candidates", ()))
        case "die" if names == {"spot", "colour", "value"} and all(plain.values()):
            return f"die:{plain['colour']}={plain['value']}@{plain['spot']}"
        case "end" if not names:
            return "end"
        case "correction" if names == {"of", "event"}:
            word = "" if plain["event"] is None else _word(plain["event"])
            return None if word is None or " " in word else f"#{plain['of']}={word}"
    return None


def _header(fields: Mapping[str, Any]) -> str | None:
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


def read_text_lines(text: str) -> Iterator[tuple[int, Event]]:
    """Read text back into numbered events; yield (line number, event).

    Raises EventError with the line that cannot be understood.
    """
    events = 0
    said: dict[str, Any] = {}
    for number, line in enumerate(lines_of(text), 1):
        try:
            read = (
                [json.loads(line)] if line.lstrip().startswith("{") else _read_line(line.split(), events == 0)
            )
            for plain in read:
                if "kind" not in plain and plain.keys() <= {"source", "t"}:
                    said |= plain
                    continue
                told = {} if plain.get("kind") == "game" else {k: v for k, v in said.items() if v != _FILE}
                events += 1
                yield number, Event.from_dict({**told, **plain}).numbered(events)
                said.pop("t", None)
        except EventError as wrong:
            raise wrong.at(number) from None
        except (ValueError, RecursionError) as broken:
            raise EventError(fact("event.json", why=str(broken)), number) from None


def _read_line(words: list[str], first: bool) -> list[dict[str, Any]]:
    if words and first:
        return [_read_header(words)]
    if words and words[0] == "round":
        if words[2:]:  # a round has a line of its own
            raise EventError(fact("event.behind", word=words[2]))
        if words[1:] and words[1].startswith("first="):
            return [{"kind": "round", "first": words[1].removeprefix("first=")}]
        return [{"kind": "round"} | ({"dealer": words[1]} if len(words) > 1 else {})]
    return [_read_word(word) for word in words]


def _read_header(words: list[str]) -> dict[str, Any]:
    header: dict[str, Any] = {"kind": "game", "game": words[0], "seats": [], "players": [], "options": {}}
    for word in words[1:]:
        name, sign, value = word.partition("=")
        if name in header["options"] or (name == "preset" and (name in header or not value)):
            raise EventError(fact("event.again", word=word))
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
    if found := _SOURCE.fullmatch(word):
        return {"source": found["source"]}
    if found := _TIME.fullmatch(word):
        return {"t": float(found["t"])}
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
