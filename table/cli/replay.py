"""`stammtisch replay LOG`: fold a log of table events into points, ledger and findings."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from table.catalogue import LANGUAGES, fact
from table.errors import StammtischError, UsageError
from table.rules import Event, EventError, Referee
from table.rules.asides import asides
from table.rules.audience import ALL, OPERATOR, Audience, only
from table.rules.events import lines_of, parse_lines
from table.rules.notation import read_text_lines, write_text
from table.rules.round_lines import Misplaced, in_place
from table.rules.stories import story
from table.rules.words import names


def register(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    parser.add_argument(
        "log",
        metavar="LOG",
        help="table events, one JSON object a line, or a game as --text prints it; - reads standard input",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print the result as one line of JSON")
    form.add_argument("--text", action="store_true", help="print the game as short text for a bug report")
    parser.add_argument(
        "--lenient", action="store_true", help="ignore events and fields that only labels of footage have"
    )
    parser.add_argument(
        "--explain",
        action="store_true",
        help="explain in the ledger why each point was counted, with the rule's id",
    )
    parser.add_argument(
        "--for",
        dest="reader",
        metavar="WHO",
        help="also print what follows about hidden hands: for all, for the operator, or for a seat or name "
        "(only its own hand)",
    )
    parser.add_argument(
        "--lang", choices=LANGUAGES, default="de", help="language of the ledger (default: de)"
    )


def run(options: argparse.Namespace) -> int:
    """Fold the log and print its result. Raises StammtischError for a log that makes no sense."""
    if options.explain and (options.json or options.text):
        raise UsageError("--explain is for the ledger for people; leave out --json and --text")
    if options.reader is not None and options.text:
        raise UsageError("--for: a game as --text is the same for everybody; leave one of them out")
    where = "standard input" if options.log == "-" else options.log
    referee, events, lines = _read(options, where)
    if referee.setup is None:
        raise StammtischError(f'{where}: there is no game in it; the first line is a "game" event')
    if options.text:
        print(write_text(events.values()), end="")
        return 0
    reader = _reader(options.reader, dict(zip(referee.setup.seats, referee.setup.players, strict=True)))
    referee = _opened(referee, events, lines, where)
    assert referee.setup is not None
    while corrections := referee.settle_by_rules():
        for correction in corrections:
            referee.add(correction)
    referee.conclude()
    result = referee.result()
    told = [] if reader is None else referee.told(reader)
    if options.json:
        heard = {} if reader is None else {"told": [one.as_dict() for one in told]}
        print(json.dumps(result | heard, ensure_ascii=False))
        return 0
    setup = referee.setup
    players = names(dict(zip(setup.seats, setup.players, strict=True)))
    print("\n".join(story(result, players, events, options.lang, options.explain).lines()))
    if reader is not None:
        print("\n".join(asides(told, players, options.lang)))
    return 0


def _read(options: argparse.Namespace, where: str) -> tuple[Referee, dict[int, Event], dict[int, int]]:
    """Fold a log; return the referee, its events and their line numbers, by id. Raises StammtischError."""
    events: dict[int, Event] = {}
    lines: dict[int, int] = {}
    referee = Referee()
    line = 0

    def told() -> Iterator[Event]:
        nonlocal line
        for line, event in _events(options):
            if event.kind in ("card", "unsure", "throw") and referee.setup and not referee.in_round:
                raise EventError(fact("rules.before-round", kind=event.kind), line)
            assert event.id is not None
            events[event.id], lines[event.id] = event, line
            yield event

    try:
        referee.read(told())
    except EventError as wrong:
        here = wrong if wrong.line is not None else wrong.at(line)
        raise StammtischError(f"{where}: {here}") from None
    return referee, events, lines


def _opened(referee: Referee, events: dict[int, Event], lines: Mapping[int, int], where: str) -> Referee:
    """Put `round` lines where the cards show that they belong; report each change on standard error."""
    log = [*events.values()]
    for _ in lines:
        found = referee.misplaced()
        if found is None or not {found.line, found.before} <= {None, *lines}:
            break
        log = in_place(log, found)
        events |= {event.id: event for event in log if event.id is not None}
        print(f"stammtisch replay: {where}: {_told(found, lines)}", file=sys.stderr)
        referee = Referee()
        referee.read(log)
    return referee


def _told(found: Misplaced, lines: Mapping[int, int]) -> str:
    here, there = (None if number is None else lines[number] for number in (found.line, found.before))
    if here is None:
        return f"no line opens round {found.number}; it is opened before line {there}"
    if there is None:
        return f"line {here} opens a round in the middle of a deal; it is ignored"
    return f"line {here} opens its round in the middle of a deal; it belongs before line {there}"


def _reader(name: str | None, players: Mapping[str, str]) -> Audience | None:
    """Return the audience of that name; `players` by seat. Raises UsageError for an unknown name."""
    if name is None or name in ("all", "operator"):
        return {None: None, "all": ALL, "operator": OPERATOR}[name]
    seats = [seat for seat, player in players.items() if name in (seat, player)]
    if len(seats) != 1:
        known = ", ".join(dict.fromkeys(("all", "operator", *players, *players.values())))
        raise UsageError(f'--for: nobody sits at "{name}"; known: {known}')
    return only(seats[0])


def _events(options: argparse.Namespace) -> Iterable[tuple[int, Event]]:
    lines = _lines(options.log)
    begun = [line.lstrip() for line in lines if line.strip()][:2]
    if any(line[0].isalpha() for line in begun):  # a text may have its game line as JSON
        return read_text_lines("\n".join(lines))
    return parse_lines(lines, lenient=options.lenient)


def _lines(log: str) -> list[str]:
    if log == "-":
        return lines_of(sys.stdin.read().removeprefix("\ufeff"))
    try:
        return lines_of(Path(log).read_text("utf-8-sig"))
    except UnicodeDecodeError:
        raise StammtischError(f"{log}: this is not text in UTF-8; give a log of JSON Lines") from None
    except OSError as wrong:
        reason = (wrong.strerror or "it cannot be read").lower()
        raise StammtischError(f"{log}: {reason}; give the path of a log, or - for standard input") from None
