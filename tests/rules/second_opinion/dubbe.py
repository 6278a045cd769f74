"""Dubbe from the box's booklet: a random evening, careless players included, and what it is worth."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.rules.second_opinion.opinion import Opinion

COLOURS = ("blue", "brown", "yellow", "green", "red")
CHARACTERS = (AAGEWWER, WESCHWIE, JAMMERLABBE, JO_LOSSEN, GLIGGSRIDDER) = (
    "aagewwer",
    "weschwieschmaennchen",
    "jammerlabbe",
    "jo-lossen",
    "gliggsridder",
)
BRINGS = {AAGEWWER: -1, WESCHWIE: 1, JAMMERLABBE: -1, JO_LOSSEN: 1, GLIGGSRIDDER: 1}
HIGHEST = {2: 9, 3: 9, 4: 12, 5: 15}
TRICKS = 15
Coloured = tuple[str, int]
"""Colour and value of a card."""


@dataclass
class Portrayed:
    """A character in play: the colour led for it, its die's value, its owner."""

    colour: str
    die: int
    owner: str


def evening(seed: int, rounds: int = 2) -> Opinion:
    """A whole evening of two to five players."""
    return DubbeEvening(seed, rounds).play()


class DubbeEvening:
    """Plays at random and keeps score as the booklet says."""

    def __init__(self, seed: int, rounds: int) -> None:
        self.chance = random.Random(seed)
        self.seats = [f"S{n}" for n in range(1, 3 + seed % 4)]
        self.rounds = rounds
        self.black = self.chance.random() < 0.5
        self.die_max = self.chance.choice((6, "unbounded"))
        self.grace = self.chance.choice(("both", "new_only"))
        self.careless = self.chance.random() < 0.5
        options = {"black_die": self.black, "die_max": self.die_max, "black_grace": self.grace}
        opening = {
            "kind": "game",
            "game": "dubbe",
            "seats": self.seats,
            "options": {**options, "rounds": rounds},
        }
        self.opinion = Opinion([opening], dict.fromkeys(self.seats, 0))

    def play(self) -> Opinion:
        dealer = self.chance.choice(self.seats)
        for _ in range(self.rounds):
            self.round(dealer)
            dealer = self.left_of(dealer)
        self.opinion.end()
        return self.opinion

    def left_of(self, seat: str) -> str:
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    def round(self, dealer: str) -> None:
        """Fifteen tricks; left of the dealer chooses trump, left of him leads (D-10, D-13, D-14)."""
        before = dict(self.opinion.points)
        self.opinion.write("round", dealer=dealer)
        self.deal()
        chooser = self.left_of(dealer)
        self.trump = self.chance.choice(COLOURS)
        if self.chance.random() < 0.5:
            self.opinion.write("die", colour=self.trump, value=1, spot=AAGEWWER)
        else:
            self.opinion.say(chooser, f"trump:{self.trump}")
        self.in_play = {AAGEWWER: Portrayed(self.trump, 1, chooser)}
        self.black_holder: str | None = None
        self.black_value = 0
        # One colour is led more often than a die has sides; otherwise DA-1 would never matter.
        self.fond_of = self.chance.choice(COLOURS)
        leader, tricks = self.left_of(chooser), []
        for _ in range(TRICKS):
            jammerlabbe = self.in_play.get(JAMMERLABBE)
            collector = jammerlabbe.owner if jammerlabbe else None
            leader = self.trick(leader)
            tricks.append(leader)
            self.touch(collector)
        self.settle(before, dealer, tricks)

    def deal(self) -> None:
        """Fifteen cards each; with two players the third packet stays face down (D-07, D-08)."""
        pack = [(colour, n) for colour in COLOURS for n in range(1, HIGHEST[len(self.seats)] + 1)]
        self.chance.shuffle(pack)
        self.hands: dict[str, list[Coloured]] = {
            seat: pack[TRICKS * at : TRICKS * (at + 1)] for at, seat in enumerate(self.seats)
        }

    def trick(self, leader: str) -> str:
        """Everybody plays a card; return the winner."""
        at = self.seats.index(leader)
        fallen: list[tuple[Coloured, str]] = []
        for seat in self.seats[at:] + self.seats[:at]:
            fallen.append((self.play_card(seat, fallen[0][0][0] if fallen else None), seat))
        led = fallen[0][0][0]
        strong = [one for one in fallen if one[0][0] == self.trump] or [
            one for one in fallen if one[0][0] == led
        ]
        winner = max(strong, key=lambda one: one[0][1])[1]
        self.move(led, winner)
        return winner

    def play_card(self, seat: str, led: str | None) -> Coloured:
        """Play a card; a player who illegally keeps the led colour back thereby denies holding it."""
        hand = self.hands[seat]
        wanted = [card for card in hand if card[0] == (led or self.fond_of)]
        must = led is not None and not self.is_free(seat, led)
        heed = 0.6 if led is None else 0.0 if not must else 0.9 if self.careless else 1.0
        card = self.chance.choice(wanted if wanted and self.chance.random() < heed else hand)
        hand.remove(card)
        line = self.opinion.card(seat, f"{card[0]}-{card[1]}")
        if must and card[0] != led:
            held_back = frozenset(f"{led}-{n}" for n in range(1, HIGHEST[len(self.seats)] + 1))
            self.opinion.deny(seat, line, revoke=held_back)
        return card

    def is_free(self, seat: str, led: str) -> bool:
        """Jo Lossen's owner need not follow suit, except in Jo Lossen's own colour (D-30, D-31)."""
        jo = self.in_play.get(JO_LOSSEN)
        return jo is not None and jo.owner == seat and jo.colour != led

    def move(self, led: str, winner: str) -> None:
        """The led colour's character enters, counts up or changes its owner (D-22 to D-28)."""
        name = next((name for name, one in self.in_play.items() if one.colour == led), None)
        if name is None:
            name = CHARACTERS[len(self.in_play)]
            self.in_play[name] = Portrayed(led, 3 if name == JO_LOSSEN else 1, winner)
            return
        character = self.in_play[name]
        if name != JO_LOSSEN:
            if character.owner != winner:
                self.opinion.points[character.owner] += BRINGS[name] * character.die
            character.die = self.one_more(character.die)
        character.owner = winner

    def one_more(self, value: int) -> int:
        return value + 1 if self.die_max == "unbounded" else min(value + 1, 6)

    def touch(self, collector: str | None) -> None:
        """Hands touch the complete trick, which only Jammerlabbe's owner may (D-41 to D-43, DA-4, DA-5)."""
        jammerlabbe = self.in_play.get(JAMMERLABBE)
        may = {jammerlabbe.owner} if jammerlabbe else set(self.seats)
        if self.grace == "both" and collector is not None:
            may.add(collector)
        for _ in range(self.chance.randrange(3) if self.chance.random() < 0.5 else 0):
            seat = self.chance.choice(self.seats)
            line = self.opinion.write("touch", seat=seat)
            if self.black and seat not in may:
                may.add(seat)  # one offence per seat and trick
                self.black_holder, self.black_value = seat, self.one_more(self.black_value)
                self.opinion.faults["unauthorised_touch", seat, line] = line

    def settle(self, before: dict[str, int], dealer: str, tricks: list[str]) -> None:
        """Every character in play scores once more, the black die once (D-29, D-33, D-44)."""
        points = self.opinion.points
        for name, character in self.in_play.items():
            points[character.owner] += BRINGS[name] * character.die
        black = None
        if self.black_holder is not None:
            points[self.black_holder] -= self.black_value
            black = {"owner": self.black_holder, "value": self.black_value}
        self.opinion.close(
            tricks,
            dealer=dealer,
            trump=self.trump,
            points={seat: points[seat] - before[seat] for seat in self.seats},
            characters={name: vars(one) for name, one in self.in_play.items()},
            black_die=black,
        )
