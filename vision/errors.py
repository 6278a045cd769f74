"""What can go wrong with seeing, each as a fact that a person can act on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


class VisionError(Exception):
    """Base of all errors of the eye; the text says what, where and what to do.

    `code` and `told` say the same to a house that has its own words for it (names, numbers, lists of them,
    what was not learnt, another error); None where it has none.
    """

    def __init__(self, text: str = "", code: str | None = None, **told: Any) -> None:
        super().__init__(text)
        self.code, self.told = code, told


@dataclass(frozen=True, slots=True)
class FirstOf:
    """The first few of many names or things, and how many more there are."""

    shown: Sequence[Any]
    more: int

    @classmethod
    def many(cls, all_of_them: Sequence[Any], most: int) -> FirstOf:
        """Return the first `most` of them."""
        return cls(all_of_them[:most], max(0, len(all_of_them) - most))


class SourceError(VisionError):
    """A film, folder or camera that cannot be opened or read."""


class SilentCameraError(SourceError):
    """A camera that gives no picture and is not known to be gone: it may hang in its driver."""


class DeckError(VisionError):
    """A deck or dice folder with a missing, unreadable or contradictory picture."""


class TagsNotFoundError(VisionError):
    """Too few of the table's tags are in the picture to know where the table lies."""


class BlurredError(VisionError):
    """The picture is much softer than pictures of this camera usually are."""


class LensError(VisionError):
    """A lens that was measured in pictures of another form or size than the present ones."""
