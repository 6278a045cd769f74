"""A small mat, a small deck and players' hands for the eye's tests, drawn by the house's own painter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import cv2
import numpy as np

from vision.cards.deck import Deck
from vision.cards.recognition import FACE_PX
from vision.layout import Layout, Point, SeatPlace, Tag
from vision.mat.pipeline import Eye
from vision.sightings import CardDown, CardsGone, Picture, Sighting
from vision.synthetic.scene import Arm, CardLying, Light, Scene, ViewPoint
from vision.synthetic.table import Flat, Painter

CARD_MM = (59.0, 91.0)
DAYLIGHT = Light()
INKS = {"blue": (160, 70, 20), "brown": (40, 70, 110), "green": (50, 130, 40), "red": (30, 25, 180)}
SEATS = {
    "S1": ((-55.0, -160.0, 55.0, -40.0), (0.0, -190.0)),
    "S2": ((-185.0, -60.0, -65.0, 50.0), (-340.0, -5.0)),
    "S3": ((-55.0, 12.0, 55.0, 132.0), (0.0, 190.0)),
    "S4": ((65.0, -60.0, 185.0, 50.0), (340.0, -5.0)),
}
LAYOUT = Layout(
    kind="mat",
    size_mm=(680, 380),
    tags=tuple(
        Tag(i, (x, y, 0.0), 36)
        for i, (x, y) in enumerate([(-315, 165), (315, 165), (315, -165), (-315, -165)])
    ),
    seats=tuple(
        SeatPlace(name, ((x0, y0), (x1, y0), (x1, y1), (x0, y1)), enters)
        for name, ((x0, y0, x1, y1), enters) in SEATS.items()
    ),
    card_size_mm=CARD_MM,
)


def draw_face(name: str) -> Picture:
    """A card with its value large in the middle and small in two corners, 4 pixels per millimetre."""
    colour, value = name.split("-")
    ink = INKS[colour]
    width, height = 236, 364
    face = np.full((height, width, 3), 244, np.uint8)
    cv2.rectangle(face, (50, 90), (186, 274), ink, 2)
    (w, h), _ = cv2.getTextSize(value, cv2.FONT_HERSHEY_DUPLEX, 4.0, 9)
    cv2.putText(face, value, ((width - w) // 2, (height + h) // 2), cv2.FONT_HERSHEY_DUPLEX, 4.0, ink, 9)
    cv2.putText(face, value, (12, 52), cv2.FONT_HERSHEY_DUPLEX, 1.5, ink, 3)
    corner = face[:60, :90].copy()
    face[-60:, -90:] = cv2.rotate(corner, cv2.ROTATE_180)
    return face


def draw_back() -> Picture:
    """The back of every card: a lattice."""
    back = np.full((364, 236, 3), 235, np.uint8)
    for shift in range(-364, 600, 18):
        cv2.line(back, (shift, 0), (shift + 364, 364), (150, 70, 60), 4)
        cv2.line(back, (shift, 364), (shift + 364, 0), (60, 60, 170), 4)
    rim = np.full_like(back, 240)
    rim[12:-12, 12:-12] = back[12:-12, 12:-12]
    return rim


NAMES = tuple(f"{colour}-{value}" for colour in INKS for value in range(1, 10))


def draw_beer_mat() -> Picture:
    """White cardboard with a brewery's rings, of a card's size since the painter has no other."""
    mat = np.full((364, 236, 3), 236, np.uint8)
    for radius, ink in (
        (108, (40, 40, 170)),
        (86, (230, 230, 230)),
        (74, (40, 120, 60)),
        (30, (60, 200, 230)),
    ):
        cv2.circle(mat, (118, 182), radius, ink, -1)
    return mat


FACES = {name: draw_face(name) for name in NAMES} | {"back": draw_back(), "beer mat": draw_beer_mat()}


def deck() -> Deck:
    """All faces, enrolled from their drawings."""
    pictures = tuple(cv2.resize(FACES[name], FACE_PX, interpolation=cv2.INTER_AREA) for name in NAMES)
    return Deck(NAMES, pictures, CARD_MM, CARD_MM[1] / CARD_MM[0])


def draw_mat(ground: tuple[int, int, int] = (70, 105, 45)) -> Picture:
    """The mat with its tags, 2 pixels per millimetre."""
    mat = np.full((760, 1360, 3), ground, np.uint8)
    board = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for tag in LAYOUT.tags:
        paper = cv2.copyMakeBorder(
            cv2.aruco.generateImageMarker(board, tag.id, 72), 12, 12, 12, 12, cv2.BORDER_CONSTANT, value=255
        )
        x, y = round((tag.center_mm[0] + 340) * 2), round((190 - tag.center_mm[1]) * 2)
        mat[y - 48 : y + 48, x - 48 : x + 48] = paper[..., None]
    return mat


class Evening:
    """A table that plays by itself, frame by frame at 15 a second, watched by an eye."""

    def __init__(
        self,
        ground: tuple[int, int, int] = (70, 105, 45),
        light: Light = DAYLIGHT,
        arms: Iterable[Arm] = (),
        watched: bool = True,
        lamps: Callable[[Picture, float], Picture] = lambda picture, t: picture,
    ) -> None:
        """`arms` are over the table at the start; the eye opens if `watched`; `lamps` relight each frame."""
        self._watched = watched
        self._mat = draw_mat(ground)
        self.painter = self.paint(ViewPoint())
        self.eye = Eye(LAYOUT, deck())
        self.light = light
        self.lamps = lamps
        self.cards: list[CardLying] = []
        self.frame = 0
        self.seen: list[Sighting] = []
        for _ in range(4):
            self.show(arms)

    def paint(self, view: ViewPoint) -> Painter:
        """A painter of this table for a camera."""
        return Painter(Flat(self._mat, LAYOUT.size_mm), FACES, view, CARD_MM)

    @property
    def t(self) -> float:
        """Time of the next frame."""
        return self.frame / 15

    def show(self, arms: Iterable[Arm] = (), carried: Iterable[CardLying] = ()) -> None:
        """Let the eye see one frame."""
        picture = self.picture(arms, carried)
        if self._watched:
            self.seen += self.eye.see(picture, self.t)
        self.frame += 1

    def picture(self, arms: Iterable[Arm] = (), carried: Iterable[CardLying] = ()) -> Picture:
        """The picture that the camera delivers."""
        scene = Scene(tuple(self.cards), (), tuple(arms), tuple(carried), (), self.light)
        return self.lamps(self.painter.render(scene, seed=self.frame), self.t)

    def wait(self, frames: int) -> None:
        """Nothing happens for some frames."""
        for _ in range(frames):
            self.show()

    def play(
        self,
        seat: str,
        name: str,
        at: Point | None = None,
        yaw: float = 5.0,
        pause: int = 2,
        beside: Iterable[Arm] = (),
    ) -> None:
        """A hand brings a card, rests on it for `pause` frames and withdraws; the arms `beside` it stay."""
        place = at or self.middle(seat)
        self.bring(seat, name, place, yaw, pause, beside)
        self.withdraw(seat, place, beside)

    def middle(self, seat: str) -> Point:
        """The middle of a seat's zone."""
        x0, y0, x1, y1 = SEATS[seat][0]
        return ((x0 + x1) / 2, (y0 + y1) / 2)

    def bring(
        self, seat: str, name: str, place: Point, yaw: float = 5.0, pause: int = 2, beside: Iterable[Arm] = ()
    ) -> None:
        """A hand brings a card and rests on it."""
        enters, others = SEATS[seat][1], tuple(beside)
        for share in _steps(5):
            tip = _between(enters, place, share)
            self.show([*others, Arm(_outside(enters), tip)], [CardLying(name, tip, yaw, 12.0)])
        self.cards.append(CardLying(name, place, yaw))
        for _ in range(pause):
            self.show([*others, Arm(_outside(enters), place)])

    def withdraw(self, seat: str, place: Point, beside: Iterable[Arm] = ()) -> None:
        """A hand withdraws from a place."""
        enters, others = SEATS[seat][1], tuple(beside)
        for share in reversed(list(_steps(5))):
            self.show([*others, Arm(_outside(enters), _between(enters, place, share))])
        for _ in range(4):
            self.show(others)

    def touch(self, seat: str, place: Point, turn: Callable[[CardLying], CardLying | None]) -> None:
        """A hand reaches to a place, changes the card there (None: takes it) and withdraws."""
        enters = SEATS[seat][1]
        for share in _steps(5):
            self.show([Arm(_outside(enters), _between(enters, place, share))])
        self.cards = [after for card in self.cards if (after := turn(card)) is not None]
        for _ in range(2):
            self.show([Arm(_outside(enters), place)])
        self.withdraw(seat, place)

    def reach(self, seat: str, place: Point, take: bool = False, frames: int = 4) -> None:
        """A hand reaches to a place and withdraws, with all the cards if `take`."""
        _, enters = SEATS[seat]
        for share in _steps(5):
            self.show([Arm(_outside(enters), _between(enters, place, share))])
        for _ in range(frames):
            self.show([Arm(_outside(enters), place)])
        if take:
            self.cards.clear()
        for share in reversed(list(_steps(5))):
            self.show([Arm(_outside(enters), _between(enters, place, share))])
        self.wait(10)


def downs(evening: Evening) -> list[CardDown]:
    """The cards that came to rest."""
    return [s for s in evening.seen if isinstance(s, CardDown)]


TRICK = [("red-8", True, "S1"), ("green-1", True, "S3")], [(2, "S2")]
"""Expected result of `play_and_take`: name, sureness and seat of each card; number of cards taken, and by
whom."""


def play_and_take(
    evening: Evening,
) -> tuple[list[tuple[str, bool, str | None]], list[tuple[int, str | None]]]:
    """Two cards are played and a third seat takes them; return the eye's reports, in the form of `TRICK`."""
    evening.play("S1", "red-8")
    evening.play("S3", "green-1", yaw=40.0)
    evening.wait(6)
    evening.reach("S2", (0.0, 0.0), take=True)
    played = [(card.guesses[0].name, card.sure, card.hand) for card in downs(evening)]
    return played, [(len(s.keys), s.hand) for s in evening.seen if isinstance(s, CardsGone)]


def names(evening: Evening) -> list[str]:
    """The names of the cards that came to rest, in order."""
    return [card.guesses[0].name for card in downs(evening)]


def _steps(count: int) -> Iterator[float]:
    return (i / count for i in range(1, count + 1))


def _between(start: Point, end: Point, share: float) -> Point:
    return (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)


def _outside(enters: Point) -> Point:
    return (enters[0] * 1.6, enters[1] * 1.6)
