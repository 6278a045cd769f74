"""Evenings in which one card is dropped, lifted, pushed or looked at, compared with those without.

    python -m tests.table.lifted_cards 5                 # seed; a line for each game and mishap
    python -m tests.table.lifted_cards 5 dulle            # only that game

Each mishap is tried at every card of the first round. Afterwards the points must be those of the true
evening, or a question must be open, and nobody may be accused who is not accused in the true one.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from table.interpret import Interpreter
from table.journal import Journal
from table.live import Table
from table.rules import Referee
from table.rules.evening import evening
from table.rules.events import Event
from table.session import Session
from table.settings import read_table
from vision.sightings import CardDown, CardsGone, CardWithdrawn, DieDown, Guess, HandSeen, Sighting

TABLES = Path(__file__).parents[2] / "hardware" / "tables"
GAMES: dict[str, tuple[int, int, dict[str, Any]]] = {
    "dubbe": (3, 2, {"rounds": 2}),
    "dulle": (4, 2, {}),
    "doppelkopf": (4, 2, {}),
    "klapper-jas": (3, 2, {}),
}
"""Number of players and of rounds, and the options."""
AT_ONCE_S, LATE_S = 1.0, 4.0
"""A card is taken back within the time in which the eye withdraws it, or after that time."""

Names = tuple[tuple[str, float], ...]


@dataclass
class Sitting:
    """People at a table whose play is seen, interpreted, written and folded as in a house."""

    folder: Path
    opening: Event
    lying: list[int] = field(default_factory=list)
    now: float = 1000.0

    def __post_init__(self) -> None:
        seats = len(self.opening.fields["seats"])
        self.layout = read_table(TABLES / f"mat-{seats}-A2.toml").layout
        self.journal = Journal.open(self.folder / "evening.sqlite")
        self.session = Session(self.journal, clock=lambda: self.now)
        self.table = Table(self.session, Interpreter(self.layout), clock=lambda: self.now)
        self.session.begin([self.opening])
        self._keys = count(1)

    def see(self, sighting: Sighting, wait_s: float = 1.0) -> None:
        """Hear a sighting; then nothing happens for a while."""
        self.table.hear(sighting)
        self.now += wait_s
        self.table.tick()

    def lay(self, card: str | Names, zone: str, hand: str | None = "its own", wait_s: float = 1.2) -> int:
        """Lay a card, sure or as one of several names; return its key."""
        guesses = ((card, 0.97),) if isinstance(card, str) else card
        place = next(seat for seat in self.layout.seats if seat.name == zone).zone_mm
        x, y = (sum(point[axis] for point in place) / len(place) for axis in (0, 1))
        corners = ((x - 29, y - 45), (x + 29, y - 45), (x + 29, y + 45), (x - 29, y + 45))
        key, names = next(self._keys), tuple(Guess(*guess) for guess in guesses)
        hand = zone if hand == "its own" else hand
        self.lying.append(key)
        self.see(CardDown(self.now, key, names, isinstance(card, str), corners, zone, hand), wait_s)
        return key

    def take(self, keys: Sequence[int], hand: str | None, wait_s: float = 1.0) -> None:
        """A hand takes cards away."""
        self.lying = [key for key in self.lying if key not in keys]
        self.see(CardsGone(self.now, tuple(keys), hand), wait_s)

    def take_back(self, key: int) -> None:
        """The hand that brought a card takes it away at once."""
        self.lying.remove(key)
        self.see(CardWithdrawn(self.now, key), 0.5)

    def collect(self) -> None:
        """The winner takes the trick if the whole trick is on the table."""
        self.take(list(self.lying), self.session.view.last_winner)

    def follow(self, lines: Sequence[Event], mishap: Mishap, at: int) -> None:
        """Play an evening as it was, with a mishap at one card if it can happen there."""
        cards, seats = 0, len(self.opening.fields["seats"])
        for number, line in enumerate(lines[1:], 1):
            match line.kind:
                case "card":
                    if len(self.lying) >= seats:
                        self.collect()
                    cards += 1
                    if cards - 1 != at or not mishap(self, Turn(lines[number:])):
                        self.lay(line.fields["card"], str(line.seat))
                    if number + 1 == len(lines) or lines[number + 1].kind == "round":
                        self.collect()
                case "round" if self.session.view.round:
                    self.now += 5.0
                case "round":
                    self.session.add(line)
                case "collected":
                    self.collect()
                case "die":
                    self._set_die(line)
                case _:
                    self.session.tell(line)

    def _set_die(self, line: Event) -> None:
        at = next((spot.center_mm for spot in self.layout.spots if spot.name == line.get("spot")), (0.0, 0.0))
        die = DieDown(self.now, line.get("colour"), line.get("value"), line.get("spot"), at, 0.99)
        self.see(die, 0.3)


@dataclass(frozen=True)
class Turn:
    """The next card, and what comes after it in the true evening."""

    rest: Sequence[Event]

    @property
    def seat(self) -> str:
        """The seat that plays the card."""
        return str(self.rest[0].seat)

    @property
    def card(self) -> str:
        """The name of the card."""
        return str(self.rest[0].fields["card"])

    def later_of(self, seat: str) -> str | None:
        """Another card that this seat plays later in the round; None if it has no other."""
        for line in self.rest[1:]:
            if line.kind == "round":
                return None
            if line.kind == "card" and line.seat == seat:
                return str(line.fields["card"])
        return None


Mishap = Callable[[Sitting, Turn], bool]
"""Plays a turn with a mishap; returns whether the turn's own card was played, too."""


def _after(sitting: Sitting, seat: str) -> str:
    seats = sitting.session.view.seats
    return seats[(seats.index(seat) + 1) % len(seats)]


def lays_another_and_takes_it_back_late(sitting: Sitting, turn: Turn) -> bool:
    """A wrong card lies for a while before its player takes it back."""
    if (other := turn.later_of(turn.seat)) is None:
        return False
    key = sitting.lay(other, turn.seat, wait_s=LATE_S)
    sitting.take([key], turn.seat)
    sitting.lay(turn.card, turn.seat)
    return True


def lays_another_that_an_unclear_hand_takes_back(sitting: Sitting, turn: Turn) -> bool:
    """The same, but the table does not see whose hand takes it back."""
    if (other := turn.later_of(turn.seat)) is None:
        return False
    key = sitting.lay(other, turn.seat, wait_s=LATE_S)
    sitting.take([key], None)
    sitting.lay(turn.card, turn.seat)
    return True


def lays_another_while_all_reach_over_the_table(sitting: Sitting, turn: Turn) -> bool:
    """The same, and every other player may have laid something unseen."""
    if (other := turn.later_of(turn.seat)) is None:
        return False
    key = sitting.lay(other, turn.seat, wait_s=LATE_S)
    for seat in {*sitting.session.view.seats} - {turn.seat}:
        sitting.see(HandSeen(sitting.now - 0.4, sitting.now, seat), 0.1)
    sitting.take([key], turn.seat)
    sitting.lay(turn.card, turn.seat)
    return True


def drops_a_second_card(sitting: Sitting, turn: Turn) -> bool:
    """Two cards fall from one hand; one is taken back at once."""
    if (other := turn.later_of(turn.seat)) is None:
        return False
    sitting.lay(turn.card, turn.seat, wait_s=0.1)
    sitting.take_back(sitting.lay(other, turn.seat, wait_s=AT_ONCE_S))
    return True


def drops_a_wrong_card_with_his_own(sitting: Sitting, turn: Turn) -> bool:
    """The wrong card fell first and is taken back in the same reach."""
    if (other := turn.later_of(turn.seat)) is None:
        return False
    wrong = sitting.lay(other, turn.seat, wait_s=0.6)
    sitting.lay(turn.card, turn.seat, wait_s=0.6)
    sitting.take_back(wrong)
    return True


def plays_out_of_turn_and_takes_it_back(sitting: Sitting, turn: Turn) -> bool:
    """The next player lays a card out of turn and takes it back before the right one is laid."""
    hasty = _after(sitting, turn.seat)
    if len(sitting.session.view.seats) == 2 or (card := turn.later_of(hasty)) is None:
        return False
    key = sitting.lay(card, hasty, wait_s=AT_ONCE_S)
    sitting.take([key], hasty)
    sitting.lay(turn.card, turn.seat)
    return True


def has_his_card_pushed(sitting: Sitting, turn: Turn) -> bool:
    """The next player's hand lifts the card and lays it down again: the eye reads it again and is sure."""
    key = sitting.lay(turn.card, turn.seat, wait_s=LATE_S)
    hand = _after(sitting, turn.seat)
    sitting.take([key], hand)
    sitting.lay(turn.card, turn.seat, hand)
    return True


def has_his_card_pushed_and_blurred(sitting: Sitting, turn: Turn) -> bool:
    """The same, and the eye is unsure between it and a card that is still in a hand."""
    key = sitting.lay(turn.card, turn.seat, wait_s=LATE_S)
    hand, other = _after(sitting, turn.seat), turn.later_of(turn.seat) or "none"
    sitting.take([key], hand)
    sitting.lay(((turn.card, 0.5), (other, 0.4)), turn.seat, hand)
    return True


def shows_a_won_card(sitting: Sitting, turn: Turn) -> bool:
    """The winner of the last trick turns a card of it up, and down again."""
    return _shows(sitting, lambda won: won)


def shows_a_won_card_that_is_blurred(sitting: Sitting, turn: Turn) -> bool:
    """The same, and the eye is unsure between it and a card that is still in a hand."""
    held = turn.later_of(_after(sitting, turn.seat)) or "none"
    return _shows(sitting, lambda won: ((won, 0.5), (held, 0.4)))


def _shows(sitting: Sitting, looks_like: Callable[[str], str | Names]) -> bool:
    view = sitting.session.view
    if view.trick or sitting.lying or view.last_winner is None or (won := view.last_trick[-1].card) is None:
        return False
    key = sitting.lay(looks_like(won), view.last_winner, wait_s=LATE_S)
    sitting.take([key], view.last_winner)
    return False


MISHAPS: tuple[Mishap, ...] = (
    lays_another_and_takes_it_back_late,
    lays_another_that_an_unclear_hand_takes_back,
    lays_another_while_all_reach_over_the_table,
    drops_a_second_card,
    drops_a_wrong_card_with_his_own,
    plays_out_of_turn_and_takes_it_back,
    has_his_card_pushed,
    has_his_card_pushed_and_blurred,
    shows_a_won_card,
    shows_a_won_card_that_is_blurred,
)


def true_evening(game: str, seed: int) -> list[Event]:
    """All events of an evening."""
    seats, rounds, options = GAMES[game]
    opening = {"kind": "game", "game": game, "seats": [f"S{number + 1}" for number in range(seats)]}
    game_line = Event.from_dict({**opening, **({"options": options} if options else {})})
    return list(evening(game_line, seed, rounds=rounds))


def cards_of_a_round(lines: Sequence[Event]) -> int:
    """The number of cards in the first round."""
    ends = [at for at, line in enumerate(lines) if line.kind == "round"][1:2] or [len(lines)]
    return sum(line.kind == "card" for line in lines[: ends[0]])


def faults(lines: Sequence[Event], mishap: Mishap, at: int, folder: Path) -> list[Any]:
    """Findings, points and questions that the mishap adds to those of the true evening."""
    truth = Referee()
    for line in lines:
        truth.add(line)
    sitting = Sitting(folder, lines[0])
    try:
        sitting.follow(lines, mishap, at)
        told = sitting.session.result()
        view = sitting.session.view
    finally:
        sitting.journal.close()
    right = truth.result()
    known = [(one["finding"], one["seat"]) for one in right["findings"]]
    wrong: list[Any] = [
        (one["finding"], one["seat"])
        for one in told["findings"]
        if (one["finding"], one["seat"]) not in known
    ]
    wrong += [("asked", one.finding, one.seat) for one in view.contested]
    if told["points"] != right["points"] and not told.get("open"):
        wrong.append((told["points"], right["points"]))
    if view.phase not in ("settled", "finished") and not told.get("open"):
        wrong.append(f"waits in round {view.round} for {view.turn}")
    return wrong


def main() -> None:
    """Print at how many cards of each game each mishap went wrong."""
    seed, only = int(sys.argv[1]), sys.argv[2:]
    for game in only or GAMES:
        lines = true_evening(game, seed)
        for mishap in MISHAPS:
            bad = {}
            for at in range(cards_of_a_round(lines)):
                with tempfile.TemporaryDirectory() as folder:
                    if wrong := faults(lines, mishap, at, Path(folder)):
                        bad[at] = wrong
            print(
                f"{game} {mishap.__name__}: {len(bad)} of {cards_of_a_round(lines)} {bad or ''}", flush=True
            )


if __name__ == "__main__":
    main()
