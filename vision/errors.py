"""Errors of the eye, each a fact that a person can act on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


class VisionError(Exception):
    """Base of all errors of the eye; the text says what, where and what to do.

    `code` and `told` carry the same facts for a house that words the error itself: `told` holds names,
    numbers, refused pictures, other errors, and lists or `FirstOf` of these. `code` is None where the house
    has no wording.
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
        """Return the first `most` items and the number of the others."""
        return cls(all_of_them[:most], max(0, len(all_of_them) - most))


class SourceError(VisionError):
    """A film, folder or camera that cannot be opened or read."""


class SilentCameraError(SourceError):
    """A camera that delivers no picture and is not known to be gone: its driver may hang."""


class DeckError(VisionError):
    """A deck or dice folder with a missing, unreadable or contradictory picture."""


class TagsNotFoundError(VisionError):
    """Too few of the table's tags are in the picture to locate the table."""


class BlurredError(VisionError):
    """The picture is much softer than this camera's pictures usually are."""


class LensError(VisionError):
    """The lens was calibrated with pictures of another aspect ratio or size than the present ones."""
