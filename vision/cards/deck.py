"""Decks: one picture per card, from a folder or a saved file; what each face looks like, flattened."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from vision.cards.enrolment import Still, learn_stills
from vision.cards.naming import FACE_PX, Faces
from vision.cards.prints import Prints
from vision.errors import DeckError
from vision.layout import Layout, Point
from vision.pictures import read_picture
from vision.sightings import Picture

FORM = 1
"""Version of the saved form."""

_PICTURES = (".jpg", ".jpeg", ".png")
_LEAST_DECK = 8
_STRANGE = 0.8
_FAR = 1.4
"""A stranger leaves this share of its ink to no other card, and so much more than nine in ten of the rest.

In four decks of real cards none is farther than 0.7 from its nearest; cards of another kind leave 0.9 to 5.
"""


@dataclass(frozen=True, slots=True)
class LookAlike:
    """Two cards that this camera hardly tells apart; `apart` 0..1 is the share of ink that differs."""

    first: str
    second: str
    apart: float


@dataclass(frozen=True)
class Deck:
    """Enrolled faces. `pictures` are (120, 80, 3) BGR uint8 each, `size_mm` None where nobody measured."""

    names: tuple[str, ...]
    pictures: tuple[Picture, ...]
    size_mm: Point | None = None
    ratio: float = 1.5
    """Long side by short side."""
    odd: tuple[str, ...] = ()
    """Just learnt: cards whose picture showed something of another shape than most. Not saved."""

    @cached_property
    def faces(self) -> Faces:
        """The faces prepared for comparing (computed once)."""
        return Faces(self.names, self.pictures)

    @cached_property
    def prints(self) -> Prints:
        """The points of the faces by which they are found in photographs (computed once)."""
        return Prints(self.pictures)

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """Every different name, sorted."""
        return tuple(sorted(set(self.names)))

    def with_pictures(self, names: Sequence[str], pictures: Sequence[Picture]) -> Deck:
        """The deck with further pictures of known or new cards."""
        return Deck((*self.names, *names), (*self.pictures, *pictures), self.size_mm, self.ratio)

    def rather(self, name: str, seen: Picture, than: Picture) -> float:
        """How much rather a flattened card `seen` is the one of that name than what another shows.

        1 = exactly so, 0 = in the middle between the two, below that it rather is the other one. Pictures
        (120, 80, 3) BGR; each is shifted into place and lit for itself.
        """
        faces = [picture for known, picture in zip(self.names, self.pictures, strict=True) if known == name]
        reading = Faces([name] * len(faces) + [""], [*faces, than]).read(seen, fairly=True)
        return reading.margin if reading.name == name else -reading.margin

    def look_alikes(self, closer_than: float = 0.08) -> list[LookAlike]:
        """Pairs of cards that differ in little, the nearest pair first."""
        return [pair for pair in self.nearest_pairs if pair.apart < closer_than]

    @cached_property
    def nearest_pairs(self) -> list[LookAlike]:
        """Every card with those that look most like it, the nearest pair first (computed once)."""
        return [LookAlike(*pair) for pair in self.faces.nearest_pairs()]

    @cached_property
    def strangers(self) -> tuple[str, ...]:
        """Cards that have no print in common with others, as the rest has: a back, another deck's card."""
        nearest: dict[str, float] = {}
        for pair in self.nearest_pairs:
            for name in (pair.first, pair.second):
                nearest[name] = min(pair.apart, nearest.get(name, pair.apart))
        if len(nearest) < _LEAST_DECK:
            return ()
        least = max(_STRANGE, _FAR * float(np.percentile(list(nearest.values()), 90)))
        return tuple(sorted(name for name, apart in nearest.items() if apart > least))

    def save(self, path: Path) -> None:
        """Write the deck into one file (numpy's .npz, no pickles)."""
        with path.open("wb") as out:
            np.savez_compressed(
                out,
                form=np.array(FORM),
                names=np.array(self.names),
                pictures=np.stack(self.pictures),
                size_mm=np.array(self.size_mm or (0.0, 0.0)),
                ratio=np.array(self.ratio),
            )


def load_deck(path: Path, layout: Layout | None = None) -> Deck:
    """A deck from a folder of pictures `<card>.jpg|png` or from a file that `Deck.save` wrote.

    With a `layout` full-frame stills are measured in millimetres. Raises VisionError.
    """
    if path.is_dir():
        return learn_folder(path, layout)
    if not path.exists():
        raise DeckError(f"{path}: there is no such deck; give a folder of pictures or a saved deck")
    try:
        with np.load(path, allow_pickle=False) as saved:
            form = int(saved["form"])
            if form != FORM:
                raise DeckError(
                    f"{path}: deck of form {form}, this program reads form {FORM}; enrol the deck again"
                )
            names, pictures = [str(n) for n in saved["names"]], np.asarray(saved["pictures"], np.uint8)
            size, ratio = saved["size_mm"], float(saved["ratio"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as wrong:
        raise DeckError(
            f"{path}: not a saved deck; give a folder of pictures or what `stammtisch enrol --out` wrote"
        ) from wrong
    width, height = FACE_PX
    if pictures.shape != (len(names), height, width, 3) or not names:
        raise DeckError(f"{path}: the saved deck is damaged; enrol the deck again")
    return Deck(
        tuple(names), tuple(pictures), (float(size[0]), float(size[1])) if size[0] > 0 else None, ratio
    )


def learn_folder(folder: Path, layout: Layout | None = None) -> Deck:
    """Enrol every picture of a folder. Raises VisionError with the file that cannot be used."""
    files = sorted(p for p in folder.iterdir() if p.suffix.lower() in _PICTURES)
    if not files:
        raise DeckError(f"{folder}: no pictures; a deck folder holds one <card>.jpg or .png per card")
    stills = [Still(card_name(file), str(file), read_picture(file)) for file in files]
    return learn(stills, layout)


def learn(stills: Iterable[Still], layout: Layout | None = None) -> Deck:
    """Enrol pictures that each show exactly one card. Raises DeckError."""
    learnt = learn_stills(list(stills), layout)
    return Deck(learnt.names, learnt.pictures, learnt.size_mm, learnt.ratio, learnt.odd)


def card_name(file: Path) -> str:
    """`green-11.jpg` and `green-11.2.jpg` are both green-11."""
    stem = file.stem
    head, dot, tail = stem.rpartition(".")
    return head if dot and tail.isdigit() else stem
