"""DoppelX from the box's booklet: a random game of dice and bets, and what each throw pays."""

from __future__ import annotations

import random
from typing import Any

from tests.rules.second_opinion.opinion import Opinion

COLOURS = ["blue", "green", "yellow", "red", "purple", "orange", "black", "pink", "brown"]
BEST_FIRST = ["3x", "2x", "1x", "X", "-1"]
FACES = ["1", "2", "3", "X"]
HITS = {"C": ("2x", 3), "D": ("3x", 4), "E": ("X", 2), "F": ("1x", 1)}
DOPPEL_X_BETS = ("A", "H")
Die = dict[str, Any]


def game(seed: int) -> Opinion:
    """A game of three to eight players, to its end or to a tie at the top, which is played off (X-30)."""
    return BoxGame(seed).play()


def place(die: Die) -> str:
    """The best field that the die touches (X-15)."""
    return next(field for field in BEST_FIRST if field in die["touches"])


class BoxGame:
    """Throws at random and pays chips as the booklet says."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        count = self.chance.randint(3, 8)
        self.players = self.chance.sample(COLOURS, count)
        self.limit = 50 if count <= 5 else 70
        self.board = self.chance.choice(("I", "II", "III", "IV"))
        self.bets = self.chance.sample("ABCDEFGH", 4)
        opening = {"kind": "game", "game": "doppelx", "players": self.players}
        self.opinion = Opinion(
            [{**opening, "field": self.board, "bets": self.bets}], dict.fromkeys(self.players, 0)
        )
        self.throws: list[dict[str, Any]] = []

    def play(self) -> Opinion:
        thrower = self.chance.choice(self.players)
        self.opinion.write("round", first=thrower)
        lying = {player: self.drop(player) for player in self.players}
        doppel_x = self.throw("all", lying)
        while not self.at_the_limit():
            self.prepare(thrower, lying, doppel_x)
            doppel_x = self.throw(thrower, lying)
            self.spin(thrower, lying, doppel_x)
            thrower = self.players[(self.players.index(thrower) + 1) % len(self.players)]
        leaders = self.at_the_limit()
        tied = leaders if len(leaders) > 1 else []
        if not tied:
            self.opinion.end()
        self.opinion.ledger = [{"limit": self.limit, "tied": tied, "throws": self.throws}]
        return self.opinion

    def at_the_limit(self) -> list[str]:
        """Players with the most chips, once these are enough (X-29)."""
        chips = self.opinion.points
        most = max(chips.values())
        return [player for player in self.players if chips[player] == most] if most >= self.limit else []

    def drop(self, colour: str) -> Die:
        """Put a thrown die somewhere."""
        die = {"colour": colour, "face": self.chance.choice(FACES)}
        if self.chance.random() < 0.15:
            return {**die, "where": self.chance.choice(("hole", "outside")), "touches": []}
        touches = self.chance.sample(BEST_FIRST, self.chance.choice((1, 1, 1, 2, 2, 3)))
        if self.chance.random() < 0.1:
            touches.append("hole")  # over the hole's edge and still on the field
        self.chance.shuffle(touches)
        spot = [self.chance.uniform(0, 300), self.chance.uniform(0, 300)]
        return {
            **die,
            "where": "field",
            "touches": touches,
            "center": spot,
            "yaw": self.chance.uniform(0, 90),
        }

    def prepare(self, thrower: str, lying: dict[str, Die], doppel_x: bool) -> None:
        """Dice go home (X-21, X-22), others are knocked about; who has none on the field bets (X-23)."""
        for colour, die in list(lying.items()):
            goes_home = die["where"] != "field" or (doppel_x and die["face"] == "X")
            if goes_home or colour in (thrower, "white"):
                del lying[colour]
        stayed = set(lying)
        for colour in stayed:
            if self.chance.random() < 0.2:
                lying[colour] = self.drop(colour)
        for colour in self.players:
            if colour != thrower and colour not in stayed and self.chance.random() < 0.6:
                where = f"bet:{self.chance.choice(self.bets)}"
                face = self.chance.choice(FACES)
                lying[colour] = {"colour": colour, "face": face, "where": where, "touches": []}
        for colour in (thrower, "white"):
            lying[colour] = self.drop(colour)

    def throw(self, thrower: str, lying: dict[str, Die]) -> bool:
        """The dice lie still and pay; return whether it was a Doppel X."""
        dice = [dict(die) for die in lying.values()]
        self.chance.shuffle(dice)
        self.opinion.write("throw", player=thrower, dice=dice)
        on_field = [(die, thrower if die["colour"] == "white" else die["colour"]) for die in dice]
        on_field = [one for one in on_field if one[0]["where"] == "field"]
        crosses = [owner for die, owner in on_field if die["face"] == "X"]
        doppel_x = len(crosses) >= 2
        gains = dict.fromkeys(self.players, 0)
        if doppel_x:
            for owner in set(crosses):
                gains[owner] += 10
        else:
            for die, owner in on_field:
                gains[owner] += self.worth(die)
        thrown = [lying[colour] for colour in (thrower, "white") if colour in lying]
        for die in dice:
            if die["where"].startswith("bet:"):
                gains[die["colour"]] += self.bet(die["where"][-1], thrown, doppel_x)
        for player, gain in gains.items():  # nobody owes chips (XA-2)
            self.opinion.points[player] = max(0, self.opinion.points[player] + gain)
        self.opinion.stand()
        self.throws.append({"player": thrower, "doppel_x": doppel_x})
        return doppel_x

    def worth(self, die: Die) -> int:
        """What a die on the field pays its owner without a Doppel X (X-12 to X-17)."""
        field = place(die)
        if field == "-1":
            return -1
        return 0 if "X" in (field, die["face"]) else int(die["face"]) * int(field[0])

    def bet(self, letter: str, thrown: list[Die], doppel_x: bool) -> int:
        """What a bet pays for the thrower's two dice (X-24 to X-27); `spin` pays for G."""
        if letter in DOPPEL_X_BETS:
            return 5 if doppel_x else 0
        if doppel_x or letter == "G":
            return 0
        if letter == "B":
            return 2 * sum(die["where"] in ("hole", "outside") for die in thrown)
        field, chips = HITS[letter]
        return chips * sum(die["where"] == "field" and place(die) == field for die in thrown)

    def spin(self, thrower: str, lying: dict[str, Die], doppel_x: bool) -> None:
        """Now and then the spinner flings somebody's die to where bet G pays (X-05, X-24, XA-10)."""
        if self.board not in ("III", "IV") or self.chance.random() >= 0.3:
            return
        flung = [
            colour
            for colour, die in lying.items()
            if colour not in (thrower, "white")
            and (die["where"] == "hole" or (die["where"] == "field" and place(die) in ("X", "-1")))
        ]
        if not flung:
            return
        self.opinion.write("say", what=f"spinner:{self.chance.choice(flung)}")
        for die in lying.values():
            if die["where"] == "bet:G" and not doppel_x:
                self.opinion.points[die["colour"]] += 5
        self.opinion.stand()
