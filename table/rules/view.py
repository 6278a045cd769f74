"""What everybody at the table may know: the referee's state as plain values, audience "all".

The page, the lamps and the eye's interpreter read only this. Nothing private is in it (G-14).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Played:
    """One card of the current trick; `card` is None while the table is unsure of it (`event` = the doubt)."""

    seat: str
    card: str | None
    event: int


@dataclass(frozen=True, slots=True)
class Character:
    """A Dubbe character (D-20): its colour, die value and owner once it is in play, otherwise None."""

    name: str
    colour: str | None = None
    value: int | None = None
    owner: str | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """A proven irregularity: `event` proves it, `about` is the offending event when that is another."""

    finding: str
    rule: str
    seat: str | None
    event: int
    about: int | None = None


@dataclass(frozen=True, slots=True)
class Doubt:
    """An event the table is not sure of, waiting for a correction of its id."""

    event: int
    seat: str | None
    candidates: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Prompt:
    """Something the rules wait for: `what` is the key of its text, `seat` who should act."""

    what: str
    seat: str | None = None
    words: tuple[str, ...] = field(default=(), compare=False)
    """What may be said to answer it (`say.what`); empty where it is answered otherwise."""


@dataclass(frozen=True, slots=True)
class BoxDie:
    """A die of DoppelX as it lies: whose points it scores, how many, and why ("3 × 2x = 6")."""

    colour: str | None
    face: str | None
    where: str | None
    zone: str | None
    seat: str | None
    points: int
    why: str
    rule: str | None
    doubt: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ThrowView:
    """DoppelX: the last throw, what it scored, and what should be done before the next one."""

    board: str | None = None
    bets: tuple[str, ...] = ()
    limit: int = 0
    """Number of chips at which the game ends (X-29)."""
    throw: int = 0
    """Number of the last throw, 0 before the opening."""
    event: int | None = None
    player: str | None = None
    """Who threw last; None: the opening throw."""
    due: tuple[str, ...] = ()
    """Who may throw next: several after a throw out of turn, until it is clear how the group goes on."""
    dice: tuple[BoxDie, ...] = ()
    gains: dict[str, int] = field(default_factory=dict)
    """What the last throw scored for each seat."""
    doppel_x: bool = False
    placed: dict[str, str] = field(default_factory=dict)
    """Dice on bet fields: colour → A..H."""
    may_bet: tuple[str, ...] = ()
    """Who may lay his die on a bet field now (X-23)."""
    take_back: dict[str, str] = field(default_factory=dict)
    """Dice to take out now, and whose hand they belong in (X-08, X-21, X-22)."""


@dataclass(frozen=True, slots=True)
class Lacking:
    """What may still be reported of a round that is over: cards that were played but that no line reports."""

    cards: dict[str, int]
    """For each card name the number of unreported cards."""
    seats: frozenset[str]
    """The seats that have played fewer cards than a hand holds, not counting cards whose seat was guessed."""
    until: float
    """Time (seconds, the events' own clock) up to which such a card belongs to this round, not the next."""
    few: bool
    """Whether at most one trick is missing: then a card without a time may also be one of them."""

    def admits(self, seat: str | None, card: str | None, t: float | None) -> bool:
        """Return whether a card that `seat` played at `t` may be one of those; `card` None: not read."""
        known = card is None or self.cards.get(card, 0) > 0
        return known and seat in self.seats and (self.few if t is None else t <= self.until)


@dataclass(frozen=True, slots=True)
class View:
    """The game as everybody may see it."""

    game: str | None = None
    preset: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    seats: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    round: int = 0
    """1-based number of the current (or last) round; 0 before the first."""
    rounds_agreed: int | None = None
    dealer: str | None = None
    phase: str = "idle"
    """idle, declare, play, settled (round over), finished (game over)."""
    trick_number: int = 0
    trick: tuple[Played, ...] = ()
    last_trick: tuple[Played, ...] = ()
    last_winner: str | None = None
    leader: str | None = None
    """The seat that must lead the open trick, whoever did; None while a doubt leaves it open."""
    turn: str | None = None
    """The seat whose card is awaited; None when nobody's is or while a doubt leaves it open."""
    trump: str | None = None
    contract: str | None = None
    """Which game is played, where players declare it: `normal`, `hochzeit`, `solo:damen`, …"""
    declared: tuple[tuple[str, str], ...] = ()
    """(seat, what) of everything that was said in this round and is valid."""
    sides: dict[str, str] = field(default_factory=dict)
    """Per seat its side, as far as the cards or a declaration have shown it to all (G-11, G-14)."""
    augen: dict[str, int] = field(default_factory=dict)
    """Card points in the tricks that each seat has taken in this round, in games that count them."""
    bock: bool = False
    """Whether this round counts double (U-27)."""
    turned: tuple[str, ...] = ()
    """Open cards beside the hands; the first names the Orgi (J-28 to J-30)."""
    score_dice: dict[str, tuple[bool, tuple[int, ...]]] = field(default_factory=dict)
    """How each player's or party's score dice should lie: (on the mat, faces) (J-48)."""
    points: dict[str, int] = field(default_factory=dict)
    """Cumulative points per seat (provisional while doubts are open)."""
    characters: tuple[Character, ...] = ()
    black_die: tuple[str, int] | None = None
    expected_dice: dict[str, tuple[str, int] | None] = field(default_factory=dict)
    """What should lie on each character's spot: (colour, value) of its die, or None for an empty spot."""
    dice_seen: dict[str, tuple[str, int]] = field(default_factory=dict)
    """The die last seen on a character's spot in this round."""
    discs: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Where each seat's disc should lie: (chip +10, -10 or 0, field of the track) (D-38)."""
    inference: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """For each seat what it has shown itself out of; empty unless the option show_inference is on (G-14)."""
    box: ThrowView | None = None
    """DoppelX: what lies in the box; None in card games."""
    pack: dict[str, int] = field(default_factory=dict)
    """Every card name of this game's pack and its number of copies."""
    seen: dict[str, int] = field(default_factory=dict)
    """How often each card has been played in this round."""
    lacking: Lacking | None = None
    """Which cards may still be reported: the round is over, or its last trick taken, but some are missing."""
    perhaps_over_t: float | None = None
    """Time (seconds, the events' own clock) from which the next round may be dealt, because all cards left in
    this one may have been played unseen. None where the round is certainly on, or certainly over."""
    findings: tuple[Finding, ...] = ()
    contested: tuple[Finding, ...] = ()
    """What only a tap proves, against what the camera saw: a question, held against nobody."""
    remarks: tuple[tuple[int, str, str], ...] = ()
    """(trick, what, of whom or what) in this round: what the table points out without accusing anybody."""
    doubts: tuple[Doubt, ...] = ()
    prompts: tuple[Prompt, ...] = ()
    winners: tuple[str, ...] = ()
    finished: bool = False
    over: bool = False
    """Whether nothing more is played: the game is won, or somebody ended it. Dulle and Doppelkopf are
    finished after every whole round and go on regardless."""
