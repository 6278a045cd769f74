"""Tellings: the folds of a round along the courses that are followed, each grown from an earlier one.

A new course usually agrees with an earlier one up to the last few lines: its telling continues a copy of that
one's instead of beginning at the first line.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from table.rules.course import Edit
from table.rules.games import Round
from table.rules.readings import ReadingFold, Row

CourseKey = tuple[str | None, tuple[Edit, ...]]
"""A course: (dealer, edits)."""
RoundOpener = Callable[[str | None], Round]
"""Opens a round anew with a dealer; None: the dealer that its line names."""
Pack = Mapping[str, int]
"""Every card and its number of copies."""


class Tellings:
    """The tellings of one round, by course.

    Args:
        opener: opens the round anew with a dealer; None: the dealer that its line names.
        pack: every card and its number of copies.
        sceptic: see `ReadingFold`.
    """

    def __init__(self, opener: RoundOpener, pack: Pack, *, sceptic: bool = False) -> None:
        self._opener, self._pack, self._sceptic = opener, pack, sceptic
        self._kept: dict[CourseKey, ReadingFold] = {}

    def follow(self, courses: Mapping[CourseKey, Sequence[Row]], always: Collection[CourseKey] = ()) -> None:
        """Keep these courses, given their rows, and `always`; branch off the new ones, then drop all others.

        The tellings are not brought up to date: `tell` does that.
        """
        branched = {key: self._branch(key, rows) for key, rows in courses.items() if key not in self._kept}
        kept = {key: telling for key, telling in self._kept.items() if key in courses or key in always}
        self._kept = kept | {key: telling for key, telling in branched.items() if telling is not None}

    def _branch(self, key: CourseKey, rows: Sequence[Row]) -> ReadingFold | None:
        begun = [
            telling
            for (dealer, _), telling in self._kept.items()
            if dealer == key[0] and not telling.concluded and _begins(rows, telling.rows)
        ]
        longest = max(begun, key=lambda telling: len(telling.rows), default=None)
        return longest.copy() if longest is not None else None

    def tell(self, key: CourseKey, rows: Sequence[Row], *, concluded: bool) -> ReadingFold:
        """Return a course's telling, folded up to the last of its rows."""
        telling = self._kept.get(key)
        if telling is None or not _begins(rows, telling.rows):
            opener, dealer = self._opener, key[0]
            telling = ReadingFold(lambda: opener(dealer), self._pack, rows, sceptic=self._sceptic)
            self._kept[key] = telling
        for row in rows[len(telling.rows) :]:
            telling.add(*row)
        if concluded and not telling.concluded:
            telling.conclude()
        return telling


def _begins(rows: Sequence[Row], with_these: Sequence[Row]) -> bool:
    count = len(with_these)
    return (
        count <= len(rows) and (not count or rows[count - 1] == with_these[-1]) and rows[:count] == with_these
    )
