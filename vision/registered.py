"""A picture of a table, and where the table lies in it: what readers of stills are given together."""

from __future__ import annotations

from dataclasses import dataclass

from vision.geometry import Registration
from vision.layout import Layout
from vision.sightings import Picture


@dataclass(frozen=True, slots=True)
class RegisteredPicture:
    """A picture (h, w, 3) BGR of a table whose place in it is known, and what the house says of the table."""

    picture: Picture
    registration: Registration
    layout: Layout
