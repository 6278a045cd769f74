"""Corrections: new events in place of wrong ones; corrections may themselves be corrected (G-10)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from table.rules.events import Event


class Corrections:
    """All corrections of a log, and what is at an id after them."""

    def __init__(self) -> None:
        self._made: dict[int, Event] = {}

    def __contains__(self, number: object) -> bool:
        return number in self._made

    def copy(self) -> Corrections:
        """Return an independent copy."""
        twin = Corrections()
        twin._made = self._made.copy()
        return twin

    def add(self, correction: Event) -> set[int]:
        """Add a correction; return the ids of the ordinary events that may now be different."""
        assert correction.id is not None
        self._made[correction.id] = correction
        return self._reached(correction.id)

    def _reached(self, number: int) -> set[int]:
        if number not in self._made:
            return {number}
        correction = self._made[number]
        reached = self._reached(correction.fields["of"])
        instead = correction.instead
        if instead is not None and instead.kind == "correction":
            reached |= self._reached(instead.fields["of"])
        return reached

    def target(self, number: int) -> int:
        """Return the id of the ordinary event behind a chain of corrections."""
        while number in self._made:
            number = self._made[number].fields["of"]
        return number

    def targets(self) -> set[int]:
        """Return the ids of all ordinary events that a correction is about."""
        return {of for number in self._made for of in self._reached(number)}

    def by_rules(self, number: int) -> bool:
        """Return whether the rules, and nobody who saw it, put in what is at an id."""
        last = next((made for made in reversed(self._made.values()) if made.fields["of"] == number), None)
        return last is not None and last.get("source") == "rules"

    def holding(self) -> Iterator[Event]:
        """Yield the corrections that nobody withdrew; a withdrawal may itself be withdrawn."""
        taken_back: set[int] = set()
        for number, made in reversed(self._made.items()):
            if number not in taken_back and made.instead is None and made.fields["of"] in self._made:
                taken_back.add(made.fields["of"])
        return (made for number, made in self._made.items() if number not in taken_back)

    def standing(
        self, number: int, first: Event, but: Callable[[Event], bool] = lambda _: False
    ) -> Event | None:
        """Return what is at an ordinary event's id: its last correction that is still valid.

        `but`: corrections to skip.
        """
        standing = self.said(but).get(number, first)
        return standing if standing is None else standing.numbered(number)

    def said(self, but: Callable[[Event], bool]) -> dict[int, Event | None]:
        """Return what corrections put at each id that they concern, skipping those that `but` accepts."""
        said: dict[int, Event | None] = {}
        for correction in reversed(self._made.values()):
            assert correction.id is not None
            if but(correction):
                continue
            of, right = correction.fields["of"], correction.instead
            if correction.id in said:  # itself corrected, further down
                better = said[correction.id]
                if better is None:
                    continue
                if better.kind == "correction":
                    of, right = better.fields["of"], better.instead
                else:
                    right = better
            said.setdefault(of, right)
        return said
