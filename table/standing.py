"""What holds in a log whose events were corrected, and whose corrections were corrected again (G-10)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from table.journal import Entry, Line
from table.rules.events import UNPLAYED, Event
from table.rules.view import View

UNDO_PASSES = frozenset({*UNPLAYED, "blind"})
"""Kinds that undo and lists of plays skip. A gap matters to the rules, which prove less after it, but nobody
played or said it: there is nothing to take back."""


def standing(entries: Sequence[Entry]) -> dict[int, Event | None]:
    """What holds in place of each corrected event, after all corrections of corrections (G-10), by id.

    None = it never happened. Uncorrected events are not included.
    """
    now: dict[int, Event | None] = {}
    for entry in reversed(entries):  # the latest correction wins, so it must come first
        if entry.wrong is not None:  # the rules skip it
            continue
        event = now.get(entry.id, entry.event)
        if event is None:
            continue
        if event.kind == "correction":
            now.setdefault(event.fields["of"], event.instead)
        elif entry.event.kind == "correction":  # corrected to a plain event, which takes the same place
            now.setdefault(entry.event.fields["of"], event)
    return now


def deeds(entries: Sequence[Entry]) -> Iterator[tuple[Entry, Event]]:
    """Yield what was played, entered or corrected and still holds, newest first, each with its current event.

    Silent events, events taken back, and the corrections that took them back are left out.
    """
    now = standing(entries)
    for entry in reversed(entries):
        event = now.get(entry.id, entry.event)
        if event is None or event.kind in UNDO_PASSES:
            continue
        if event.kind == "correction" and event.instead is None:
            continue
        yield entry, event


def last_word(entries: Sequence[Entry], of: int) -> int:
    """The id of the newest entry that concerns an event: its own, or that of its last correction.

    Corrections of its corrections concern it, too; if `of` is a correction, the event that it corrects is
    meant. A reader who has seen the returned entry is up to date.
    """
    while 1 <= of <= len(entries) and _corrects(entries[of - 1]):
        of = entries[of - 1].event.fields["of"]
    reached = {of}
    for entry in entries[of:]:
        if _corrects(entry):
            inner = entry.event.instead
            if entry.event.fields["of"] in reached or (inner is not None and inner.get("of") in reached):
                reached.add(entry.id)
    return max(reached)


def _corrects(entry: Entry) -> bool:
    return entry.event.kind == "correction" and entry.wrong is None


def pictured(entries: Sequence[Entry], number: int) -> int | None:
    """The id with which the picture of an event is stored: its own, or that of its last correction."""
    for entry in reversed(entries):
        if entry.crop and (entry.id == number or entry.event.get("of") == number):
            return entry.id
    return None


def last_hand(entries: Sequence[Entry], seat: str) -> int | None:
    """The id of this seat's last uncorrected touch or collecting of a trick."""
    now = standing(entries)
    for entry in reversed(entries):
        hand = entry.event.kind in ("touch", "collected") and entry.event.get("seat") == seat
        if hand and entry.id not in now:
            return entry.id
    return None


def same_again(entries: Sequence[Entry]) -> list[Event]:
    """The lines that open another game with the same people, house rules and agreed rounds."""
    now = standing(entries)
    stood = [event for entry in entries if (event := now.get(entry.id, entry.event)) is not None]
    games = [event for event in stood if event.kind == "game"][:1]
    # At the dice box nobody deals: the same player begins.
    first = next((e.fields["first"] for e in stood if e.kind == "round" and "first" in e.fields), None)
    return games if first is None else [*games, Event("round", {"first": first})]


def running(view: View) -> bool:
    """Whether a round is running that would be lost if another game began now."""
    return view.round > 0 and view.phase not in ("settled", "finished") and not view.over


def begun_by_hand(entries: Sequence[Entry]) -> bool:
    """Whether somebody began this game after another one, by a tap on the page or a button."""
    return bool(entries) and entries[0].event.get("source") == "touch"


def joined(before: Sequence[Line], after: Sequence[Line]) -> list[Line]:
    """The lines of a game and of the one that was begun after it by mistake, as one log.

    The lines that opened the second game are left out, and so are their corrections; all other ids are
    shifted. If the second was another game, or had other people or rules, none of it belongs to the first.
    """
    if not before or _played(before[0].event) != _played(after[0].event):
        return list(before)
    gone = {1}
    if len(after) > 1 and after[1].event.kind == "round" and "source" not in after[1].event.fields:
        gone.add(2)  # chosen together with the game
    moved: dict[int, int] = {}
    lines = list(before)
    for number, line in enumerate(after, 1):
        if number in gone or (line.event.kind == "correction" and line.event.fields["of"] in gone):
            gone.add(number)
            continue
        lines.append(line._replace(event=_moved(line.event, moved)))
        moved[number] = len(lines)
    return lines


def _played(game: Event) -> tuple[object, ...]:
    """What is played: which game, by which rules, by whom and where."""
    return tuple(game.get(key) or None for key in ("game", "preset", "options", "seats", "players"))


def _moved(event: Event, moved: dict[int, int]) -> Event:
    if isinstance(named := event.get("agreed"), list | tuple):
        known = [one for one in named if isinstance(one, list | tuple) and len(one) == 3 and one[2] in moved]
        event = event.having(agreed=[[*one[:2], moved[one[2]]] for one in known])
    if event.kind != "correction":
        return event
    inner = event.instead
    return event.having(of=moved[event.fields["of"]], event=inner if inner is None else _moved(inner, moved))
