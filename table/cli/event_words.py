"""Table events as lines for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from table.rules.events import Event


def in_words(event: Event) -> str:
    """One event as a line for people."""
    return f"{when(event):10}  {what(event)}"


def when(event: Event) -> str:
    """The time of an event, right-aligned to ten letters; empty if it is unknown."""
    return f"{event.get('t'):8.2f} s" if isinstance(event.get("t"), int | float) else ""


def what(event: Event) -> str:
    """An event in words, without its time."""
    kind = event.kind
    who = event.get("seat") or ""
    match kind:
        case "card":
            doubt = f"  ({event.get('reason')})" if event.get("reason") else ""
            return f"{who} plays {event.get('card')}{doubt}"
        case "unsure":
            if event.get("reason") == "missed":
                return f"{who} played a card that was not seen"
            options = ", ".join(f"{name} {belief:.0%}" for name, belief in event.get("candidates", []))
            return f"{who} plays a card I cannot name{': ' * bool(options)}{options}"
        case "collected":
            return f"{who} takes the trick"
        case "touch":
            return f"{who} touches the trick"
        case "die":
            return f"the {event.get('colour')} die shows {event.get('value')} on {event.get('spot')}"
        case "hand":
            return f"a hand of {who or 'somebody'} until {event.get('until', 0):.2f} s"
        case "throw":
            return _throw(event)
        case "game":
            people = event.get("players") or event.get("seats") or []
            return f"{event.get('game')}: {', '.join(people)}"
        case "round":
            deals = f": {event.get('dealer')} deals" if event.get("dealer") else ""
            return f"the next round begins{deals}"
        case "say":
            return f"{who or 'somebody'} says {event.get('what')}"
        case "correction":
            right = event.instead
            told = "nothing" if right is None else what(right)
            return f"no. {event.get('of')} was {told}"
        case "too-dark":
            return f"{event.get('why') or 'too dark'}"
        case "blind":
            since, until = event.get("t"), event.get("until")
            for_s = "" if until is None or since is None else f" for {until - since:.1f} s"
            return f"nothing could be seen{for_s}: {event.get('why') or 'unknown'}"
        case _:
            rest = ", ".join(f"{k} {v}" for k, v in event.fields.items() if k != "t")
            return f"{kind} {rest}"


def sums_in_words(sums: Mapping[str, Any]) -> str:
    """A result or statistics, which are not events, as a line for people."""
    return "; ".join(f"{name}: {_plain(value)}" for name, value in sums.items())


def _plain(value: Any) -> str:
    """A value of a line that is not an event: points by name, or a list of names."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {each}" for name, each in value.items())
    return (", ".join(map(str, value)) or "none") if isinstance(value, list | tuple) else str(value)


def at_rest(event: Event) -> str:
    """How the dice of a throw lie, for dice that were not reported as thrown."""
    return f"dice at rest: {_dice(event)}"


def _throw(event: Event) -> str:
    """Who threw, how every die lies, and the points after it if rules keep them."""
    who = event.get("player")
    said = "all throw" if who == "all" else f"{who} throws" if who else "thrown"
    points = ", ".join(f"{name} {value}" for name, value in event.get("points", {}).items())
    return f"{said}: {_dice(event)}" + (f"; points: {points}" if points else "")


def _dice(event: Event) -> str:
    """How every die of a throw lies."""

    def die(told: Mapping[str, Any]) -> str:
        name = f"{told.get('colour') or 'some die'} {told.get('face') or '?'}"
        place = told.get("counts_as") if told.get("where") == "field" else told.get("where")
        unsure = f" ({' and '.join(told['doubt'])} in doubt)" if told.get("doubt") else ""
        if told.get("counts_as"):
            return f"{name} on {place}{unsure}"
        return f"{name} {place}{unsure}" if place else name + unsure  # in plain pixels there are no places

    return ", ".join(die(told) for told in event.get("dice", [])) or "nothing in view"
