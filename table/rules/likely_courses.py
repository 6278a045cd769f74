"""The likeliest ways in which a round may have gone, out of all that come up while its log is read."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from table.rules.course import Course

MOST = 48
"""Number of courses that are followed at once; the least likely are dropped."""


class LikelyCourses:
    """The likeliest courses of a round of `seats` seats; those that cost too much are not even computed."""

    def __init__(self, seats: int) -> None:
        self._margin = seats + 1.5
        self._ranks: list[tuple[float, int]] = []
        """(cost, edits) of the courses, the likeliest first; among equals the earlier ones first."""
        self._courses: list[Course] = []

    def none_at(self, cost: float) -> bool:
        """Return whether no further course of that cost, or more, will be kept."""
        ranks = self._ranks
        return bool(ranks) and (
            cost > ranks[0][0] + self._margin or (len(ranks) == MOST and cost > ranks[-1][0])
        )

    def take(self, courses: Iterable[Course]) -> None:
        """Keep those of these courses that are likely enough."""
        for course in courses:
            rank = (course.cost, len(course.edits))
            at = bisect_right(self._ranks, rank)
            if at < MOST:
                self._ranks.insert(at, rank)
                self._courses.insert(at, course)
                del self._ranks[MOST:], self._courses[MOST:]

    def courses(self) -> list[Course]:
        """Return the kept courses."""
        most = self._ranks[0][0] + self._margin
        return [course for course in self._courses if course.cost <= most]
