"""Decks: one picture per card, from a folder or a saved file; what each face looks like, flattened."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from vision.cards.deck_folder import EMPTY, card_name
from vision.cards.enrolment import learn_scans, learn_stills, shows_card
from vision.cards.face_similarity import are_apart
from vision.cards.lacking import FacesLacking
from vision.cards.prints import Prints
from vision.cards.reasons import NOT_BARE
from vision.cards.recognition import FACE_PX, Faces
from vision.cards.siblings import aloof
from vision.cards.still import Learnt, Refusal, Still, Taken, readable
from vision.errors import DeckError, FirstOf
from vision.layout import Layout, Point
from vision.learnt import LearntFile
from vision.pictures import Album, picture_files, read_picture
from vision.sightings import Picture

FORM = 1
"""Version of the saved form."""

_NO_DECK = (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError, BadZipFile, zlib.error)
"""What numpy raises for a file that is not ours; EOFError for an empty one."""
_POINTS = "points_"
"""Prefix of a deck's points among the stored arrays."""
_TOLD = 5
_ALL_ALIKE = 0.03
_MANY_ALIKE = 1 / 3
"""Share of the cards that may look alike. Real decks differ from card to card by .04 of the ink and more;
above this share something other than cards was learnt (one figure in the same ornament is little ink)."""
_LEAST_DECK = 8
_STRANGE = 0.8
_FAR = 1.4
"""Least share of a stranger's ink that no other card explains, and factor over that of nine in ten cards.

In four decks of real cards none is farther than 0.7 from its nearest; cards of another kind leave 0.9 to 5.
"""


@dataclass(frozen=True, slots=True)
class LookAlike:
    """Two cards that this camera can hardly distinguish; `apart` 0..1 is the share of ink that differs."""

    first: str
    second: str
    apart: float


@dataclass(frozen=True)
class Deck:
    """Enrolled faces. `pictures` are (120, 80, 3) BGR uint8 each; `size_mm` is None if not measured."""

    names: tuple[str, ...]
    pictures: tuple[Picture, ...]
    size_mm: Point | None = None
    ratio: float = 1.5
    """Long side by short side."""
    odd: tuple[str, ...] = ()
    """Cards whose picture showed something of an unusual shape; set on learning, not saved."""
    doubted: tuple[tuple[str, str], ...] = ()
    """Cards that look more like one of another rank or suit, and like which; set on learning, not saved."""
    unchecked: tuple[tuple[str, ...], ...] = ()
    """Suits or ranks whose cards may bear each other's name, unchecked; set on learning, not saved."""
    taken: tuple[Taken, ...] = ()
    """Where each face was found; set on learning, not saved."""
    refused: tuple[Refusal, ...] = ()
    """Pictures from which nothing was learnt; set on learning, not saved."""
    missing: tuple[str, ...] = ()
    """Cards of the deck that have no face here; a reading that may be one of them is never sure."""
    partial: bool = False
    """Whether the deck was requested although cards may be missing."""
    kept_prints: Prints | None = field(default=None, repr=False, compare=False)
    """The points of exactly these pictures, if they are known from an earlier start."""

    @cached_property
    def faces(self) -> Faces:
        """The faces prepared for comparing (computed once)."""
        if self.partial:
            return FacesLacking(self.names, self.pictures, self.missing)
        return Faces(self.names, self.pictures)

    @cached_property
    def prints(self) -> Prints:
        """The feature points of the faces, by which they are found in photographs (computed once)."""
        return self.kept_prints or Prints(self.pictures)

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """All different names, sorted."""
        return tuple(sorted(set(self.names)))

    def with_pictures(self, names: Sequence[str], pictures: Sequence[Picture]) -> Deck:
        """The deck with further pictures of known or new cards."""
        names, pictures = (*self.names, *names), (*self.pictures, *pictures)
        return replace(self, names=names, pictures=pictures, kept_prints=None)

    @property
    def lacking(self) -> tuple[str, ...]:
        """Cards that may be played and have no face here; empty unless the deck was declared partial."""
        return self.faces.missing if isinstance(self.faces, FacesLacking) else ()

    def expect(self, names: Iterable[str]) -> None:
        """Declare that cards of these names may be played too; one without a face is never taken for another.

        Only a `partial` deck can keep them apart; any other ignores this.
        """
        if isinstance(self.faces, FacesLacking):
            self.faces.expect(set(names) - set(self.cards))

    def rather(self, name: str, seen: Picture, than: Picture) -> float:
        """How much more a flattened card `seen` looks like the card of that name than like `than`.

        1 = exactly like it, 0 = half-way between the two, below 0 = nearer to `than`. Pictures are
        (120, 80, 3) BGR; each is aligned and lit by itself.
        """
        faces = [picture for known, picture in zip(self.names, self.pictures, strict=True) if known == name]
        reading = Faces([name] * len(faces) + [""], [*faces, than]).in_picture(seen).read(seen, fairly=True)
        return reading.margin if reading.name == name else -reading.margin

    def look_alikes(self, closer_than: float = 0.08) -> list[LookAlike]:
        """Pairs of cards that differ by little, the nearest pair first."""
        return [pair for pair in self.nearest_pairs if pair.apart < closer_than]

    @cached_property
    def nearest_pairs(self) -> list[LookAlike]:
        """Each card with those that look most like it, the nearest pair first (computed once)."""
        return [LookAlike(*pair) for pair in self.faces.nearest_pairs()]

    @property
    def all_alike(self) -> bool:
        """Whether too many faces hardly differ: something other than this deck's cards was learnt."""
        pictures = dict(zip(self.names, self.pictures, strict=True))
        alike = {name for pair in self.look_alikes(_ALL_ALIKE) for name in (pair.first, pair.second)}
        if len(alike) <= _MANY_ALIKE * len(self.cards):
            return False
        pairs = ((pair.first, pair.second) for pair in self.look_alikes(_ALL_ALIKE))
        same = {name for pair in pairs if not are_apart(*map(pictures.__getitem__, pair)) for name in pair}
        return len(same) > _MANY_ALIKE * len(self.cards)

    @cached_property
    def strangers(self) -> tuple[str, ...]:
        """Cards that share no print with the others, unlike the rest: a back, another deck's card."""
        nearest: dict[str, float] = {}
        for pair in self.nearest_pairs:
            for name in (pair.first, pair.second):
                nearest[name] = min(pair.apart, nearest.get(name, pair.apart))
        if len(nearest) < _LEAST_DECK:
            return ()
        least = max(_STRANGE, _FAR * float(np.percentile(list(nearest.values()), 90)))
        alone = aloof(self.names, self.pictures, [nearest.get(name, 0.0) for name in self.names], least)
        return tuple(sorted({name for name, is_aloof in zip(self.names, alone, strict=True) if is_aloof}))

    def save(self, path: Path) -> None:
        """Write the deck into one file (numpy's .npz, no pickles)."""
        with path.open("wb") as out:
            np.savez_compressed(out, **self._arrays())

    def _arrays(self) -> dict[str, Any]:
        return {
            "form": np.array(FORM),
            "names": np.array(self.names),
            "pictures": np.stack(self.pictures),
            "size_mm": np.array(self.size_mm or (0.0, 0.0)),
            "ratio": np.array(self.ratio),
            "missing": np.array(self.missing, dtype=np.str_),
        }


def load_deck(
    path: Path,
    layout: Layout | None = None,
    partial: bool = False,
    keep: bool = False,
    learning: Callable[[], None] = lambda: None,
) -> Deck:
    """A deck from a folder of pictures `<card>.jpg|png` or from a file that `Deck.save` wrote.

    With a `layout`, full-frame stills are measured in millimetres. `keep`: what a folder teaches is stored
    for the next start (see `vision.learnt`), if nothing in it was refused; `learning` is called before a
    folder is learnt anew. Raises VisionError, also if cards could not be learnt, unless the deck may be
    `partial`.
    """
    learnt = LearntFile(path, layout) if keep and path.is_dir() else None
    if learnt is not None and (kept := learnt.read()) is not None:
        points = {name[len(_POINTS) :]: kept[name] for name in kept if name.startswith(_POINTS)}
        return replace(_of(kept, path), partial=partial, kept_prints=Prints.of(points))
    if path.is_dir():
        learning()
    deck = learn_folder(path, layout) if path.is_dir() else _read(path)
    if not deck.names:
        raise DeckError(_not_learnt(deck), "deck.unlearnt", path=str(path), pictures=_first(deck.refused))
    if deck.missing and not partial:
        remedy = "with --partial the table plays on and asks for these cards"
        cards, place = _first(deck.missing), str(path)
        if deck.refused:
            why, refused = f"{_not_learnt(deck)}; {remedy}", _first(deck.refused)
            raise DeckError(why, "deck.refuses", path=place, pictures=refused, cards=cards)
        why = f"{path}: no face of {_listed(deck.missing)} was learnt; {remedy}"
        raise DeckError(why, "deck.lacks", path=place, cards=cards)
    if deck.all_alike:
        raise DeckError(
            f"{path}: nearly all faces of this deck look alike, so something other than its cards was "
            "learnt; enrol it again and check the contact sheet",
            "deck.alike",
            path=str(path),
        )
    if learnt is not None and not deck.refused:
        points = {f"{_POINTS}{name}": array for name, array in deck.prints.arrays().items()}
        learnt.keep(deck._arrays() | points)
    return replace(deck, partial=True) if partial else deck


def _first(many: Sequence[Any]) -> FirstOf:
    return FirstOf.many(many, _TOLD)


def _not_learnt(deck: Deck) -> str:
    first, *more = deck.refused
    names = _listed([Path(each.where).name for each in more])
    others = f"; refused, too: {names} (stammtisch enrol says why)" if more else ""
    return f"{first.where}: {first.reason}{others}"


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _TOLD} more" if len(names) > _TOLD else ""
    return ", ".join(names[:_TOLD]) + more


def _read(path: Path) -> Deck:
    if not path.exists():
        text = f"{path}: there is no such deck; give a folder of pictures or a saved deck"
        raise DeckError(text, "deck.none", path=str(path))
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as saved:
            form = int(saved["form"])
            if form != FORM:
                raise DeckError(
                    f"{path}: a deck of format {form}, this program reads format {FORM}; enrol the deck "
                    "again",
                    "deck.form",
                    path=str(path),
                )
            return _of(saved, path)
    except PermissionError:
        text = f"{path}: cannot be read; give whoever starts this the right to read it"
        raise DeckError(text, "deck.closed", path=str(path)) from None
    except _NO_DECK as wrong:
        raise DeckError(
            f"{path}: not a saved deck; give a folder of pictures or what `stammtisch enrol --out` wrote",
            "deck.file",
            path=str(path),
        ) from wrong


def _of(saved: Mapping[str, NDArray[Any]], path: Path) -> Deck:
    """The deck in these arrays. Raises DeckError where they do not fit together."""
    names, pictures = [str(n) for n in saved["names"]], np.asarray(saved["pictures"], np.uint8)
    size, ratio = saved["size_mm"], float(saved["ratio"])
    missing = [str(n) for n in saved["missing"]] if "missing" in saved else []
    width, height = FACE_PX
    if pictures.shape != (len(names), height, width, 3) or not names:
        text = f"{path}: the saved deck is damaged; enrol the deck again"
        raise DeckError(text, "deck.damaged", path=str(path))
    return Deck(
        tuple(names),
        tuple(pictures),
        (float(size[0]), float(size[1])) if size[0] > 0 else None,
        ratio,
        missing=tuple(missing),
    )


def learn_folder(folder: Path, layout: Layout | None = None, scans: bool = False) -> Deck:
    """Enrol every picture of a folder; `empty.jpg` shows the ground alone. Raises VisionError.

    A picture from which nothing can be learnt costs only its own card and is listed in `Deck.refused`.
    `scans`: each picture is a card from edge to edge.
    """
    files = picture_files(folder)
    bare = [file for file in files if card_name(file) == EMPTY]
    files = [file for file in files if card_name(file) != EMPTY]
    if not files:
        text = f"{folder}: no pictures; a deck folder needs one <card>.jpg or .png per card"
        raise DeckError(text, "deck.empty", path=str(folder))
    album = Album()
    stills, unread = readable([Still(card_name(f), str(f), partial(album.read, f)) for f in files])
    empty = read_picture(bare[0]) if bare and not scans else None
    if empty is not None and shows_card(empty, stills, layout):
        unread.append(Refusal(EMPTY, str(bare[0]), NOT_BARE))
        empty = None
    deck = _deck_of(learn_scans(stills, layout)) if scans else learn(stills, layout, empty)
    lost = {refusal.name for refusal in unread} - {EMPTY, *deck.names}
    return replace(deck, refused=(*unread, *deck.refused), missing=tuple(sorted({*deck.missing, *lost})))


def learn(stills: Iterable[Still], layout: Layout | None = None, empty: Picture | None = None) -> Deck:
    """Enrol pictures that each show exactly one card; `empty` shows their ground without one."""
    return _deck_of(learn_stills(list(stills), layout, empty))


def _deck_of(learnt: Learnt) -> Deck:
    """The deck; cards from which nothing was learnt are listed as missing."""
    missing = {refusal.name for refusal in learnt.refused} - set(learnt.names)
    return Deck(
        names=learnt.names,
        pictures=learnt.pictures,
        size_mm=learnt.size_mm,
        ratio=learnt.ratio,
        odd=learnt.odd,
        doubted=learnt.doubted,
        unchecked=learnt.unchecked,
        taken=learnt.taken,
        refused=learnt.refused,
        missing=tuple(sorted(missing)),
    )
