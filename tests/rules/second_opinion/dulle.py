"""Dulle from the Lehrblatt: a random evening, careless players included, and what it is worth."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from tests.rules.second_opinion.opinion import Opinion

SEATS = ["S1", "S2", "S3", "S4"]
DAMEN_BUBEN = ["CQ", "SQ", "HQ", "DQ", "CJ", "SJ", "HJ", "DJ"]
TRUMPS = ["HT", "DT", *DAMEN_BUBEN, "DA"]
LOWEST_KARO_10 = ["HT", *DAMEN_BUBEN, "DA", "DT"]
FEHL = ["CA", "CT", "SA", "ST", "HA"]
PARTNER = {"CA": "CT", "CT": "CA", "SA": "ST", "ST": "SA"}
EYES = {"A": 11, "T": 10, "Q": 3, "J": 2}
SCHNEIDER = {"ruf": 27, "solo": 27, "others": 26}
Fallen = list[tuple[str, str]]
"""Seat and card, in the order of play."""


def evening(seed: int, rounds: int = 3) -> Opinion:
    """A few deals under options that a group may have chosen."""
    return DulleEvening(seed).play(rounds)


@dataclass
class Declared:
    """Who plays against whom, and what has been said about it."""

    declarer: str
    alone: str
    """`solo`, `solodu`, or empty where a card was called."""
    called: str
    sides: dict[str, str]
    stoesse: int = 0


class DulleEvening:
    """Plays at random and keeps score by the Lehrblatt and the house's tariff (UA-3)."""

    def __init__(self, seed: int) -> None:
        self.chance = pick = random.Random(seed)
        self.options: dict[str, Any] = {
            "karo10": pick.choice(("kleine_dulle", "lowest_trump")),
            "ansagen": pick.random() < 0.5,
            "pflichtstoss": pick.random() < 0.4,
            "partner_duty": pick.choice(("any_position", "led_only")),
            "stoss_until": pick.choice(("before_own_first_card", "any")),
            "bock": pick.random() < 0.6,
            "bock_deals": pick.choice((1, 4)),
            "schneider": pick.choice(("inclusive", "free_at")),
            "pflichtstoss_card": pick.choice(("HT", "DT")),
        }
        self.order = TRUMPS if self.options["karo10"] == "kleine_dulle" else LOWEST_KARO_10
        opening = {"kind": "game", "game": "dulle", "seats": SEATS, "options": self.options}
        self.opinion = Opinion([opening], dict.fromkeys(SEATS, 0))
        self.bock = 0

    def play(self, rounds: int) -> Opinion:
        at = self.chance.randrange(4)
        for _ in range(rounds):
            self.round(SEATS[at % 4], SEATS[(at + 1) % 4])
            at += 1
        self.opinion.end()
        return self.opinion

    def round(self, dealer: str, leader: str) -> None:
        before = dict(self.opinion.points)
        self.opinion.write("round", dealer=dealer)
        pack = TRUMPS + FEHL
        self.chance.shuffle(pack)
        self.hands = {seat: pack[4 * at : 4 * at + 4] for at, seat in enumerate(SEATS)}
        self.contract = self.declare()
        self.announced: dict[str, set[str]] = {side: set() for side in self.both_sides()}
        self.argue()
        self.fell: dict[str, tuple[str, int]] = {}
        eyes, tricks = dict.fromkeys(SEATS, 0), []
        for _ in range(4):
            fallen: Fallen = []
            at = SEATS.index(leader)
            for seat in SEATS[at:] + SEATS[:at]:
                self.play_card(seat, fallen)
            leader = self.winner(fallen)
            tricks.append(leader)
            eyes[leader] += sum(EYES[card[1]] for _, card in fallen)
        self.look_for_the_stoss()
        settlement = self.settle(eyes, tricks)
        points = {seat: self.opinion.points[seat] - before[seat] for seat in SEATS}
        self.opinion.close(
            tricks, dealer=dealer, points=points, sides=self.contract.sides, settlement=settlement
        )

    # --- words ----------------------------------------------------------------------------------------

    def declare(self) -> Declared:
        """Kreuz Dame calls a Fehl card, unless somebody plays alone, which goes first (U-19, U-25, U-29)."""
        queen = next(seat for seat in SEATS if "CQ" in self.hands[seat])
        if self.chance.random() < 0.3:
            soloist, alone = self.chance.choice(SEATS), self.chance.choice(("solo", "solodu"))
            if self.chance.random() < 0.3:
                self.opinion.say(queen, "ruf:HA")
            self.opinion.say(soloist, alone)
            sides = {seat: "solo" if seat == soloist else "others" for seat in SEATS}
            return Declared(soloist, alone, "", sides)
        called = self.chance.choice(FEHL)
        self.opinion.say(queen, f"ruf:{called}")
        sides = {seat: "ruf" if called in hand else "others" for seat, hand in self.hands.items()}
        return Declared(queen, "", called, {**sides, queen: "ruf"})

    def both_sides(self) -> tuple[str, str]:
        return self.contract.sides[self.contract.declarer], "others"

    def argue(self) -> None:
        """Stoß and its return alternate, the others first (U-22); then perhaps an announcement (U-24)."""
        sides, due = self.contract.sides, "others"
        for _ in range(self.chance.randrange(4)):
            if self.chance.random() < 0.7:
                self.opinion.say(self.chance.choice([seat for seat in SEATS if sides[seat] == due]), "stoss")
                self.contract.stoesse += 1
                due = next(side for side in self.both_sides() if side != due)
            elif self.options["ansagen"]:
                seat, what = self.chance.choice(SEATS), self.chance.choice(("schneider", "schwarz"))
                self.opinion.say(seat, what)
                self.announced[sides[seat]].add(what)
                return

    def look_for_the_stoss(self) -> None:
        """An opponent with the Dulle had to give Stoß (U-23); the called card and the Dulle prove it."""
        if self.contract.alone or not self.options["pflichtstoss"] or self.contract.stoesse:
            return
        seat, line = self.fell[self.options["pflichtstoss_card"]]
        if self.contract.sides[seat] != "others":
            return
        first = min(at for who, at in self.fell.values() if who == seat)
        proof = max(line, self.fell[self.contract.called][1])
        if self.options["stoss_until"] == "any":  # he may still give it until the last card is played
            first = proof = len(self.opinion.log)
        self.opinion.faults["missed_stoss", seat, first] = proof

    # --- cards ----------------------------------------------------------------------------------------

    def play_card(self, seat: str, fallen: Fallen) -> None:
        hand, duties = self.hands[seat], self.duties(fallen)
        allowed = next((kept for _, cards in duties if (kept := [c for c in hand if c in cards])), hand)
        card = self.chance.choice(allowed if self.chance.random() < 0.75 else hand)
        hand.remove(card)
        line = self.opinion.card(seat, card)
        undone = [(finding, cards) for finding, cards in duties if card not in cards]
        for finding, cards in undone[-1:]:  # "no trump" denies more than "no higher trump"
            self.opinion.deny(seat, line, **{finding: frozenset(cards)})
        self.fell[card] = seat, line
        fallen.append((seat, card))

    def duties(self, fallen: Fallen) -> list[tuple[str, list[str]]]:
        """Cards that must be played by whoever has them, stricter duty first, with the name of each fault."""
        if not fallen:
            return []
        if fallen[0][1] in TRUMPS:
            best = min(self.order.index(card) for _, card in fallen if card in TRUMPS)
            higher = self.order[:best]
            return [*([("overtrump_duty", higher)] if higher else []), ("trump_duty", TRUMPS)]
        shown = fallen if self.options["partner_duty"] == "any_position" else fallen[:1]
        partners = [PARTNER[card] for _, card in shown if card in PARTNER]
        return [("partner_duty", partners)] if partners else []

    def winner(self, fallen: Fallen) -> str:
        """The highest trump; among Fehl the led card, except that the Ass takes the 10 of its suit (U-05)."""
        trumps = [one for one in fallen if one[1] in TRUMPS]
        if trumps:
            return min(trumps, key=lambda one: self.order.index(one[1]))[0]
        leader, led = fallen[0]
        ass = led[0] + "A"
        return next((seat for seat, card in fallen if led[1] == "T" and card == ass), leader)

    # --- counting -------------------------------------------------------------------------------------

    def settle(self, eyes: dict[str, int], tricks: list[str]) -> dict[str, Any]:
        """Score the deal: winner, Schneider, Schwarz, announcements, Stöße, Bock (U-08 to U-11, UA-3)."""
        sides = self.contract.sides
        mine, others = self.both_sides()
        sums = {side: sum(eyes[seat] for seat in SEATS if sides[seat] == side) for side in (mine, others)}
        schneider = {side: sums[side] <= SCHNEIDER[side] for side in sums}
        if self.options["schneider"] == "free_at":
            schneider = {side: sums[side] < SCHNEIDER[side] for side in sums}
        schwarz = {side: all(sides[seat] != side for seat in tricks) for side in sums}
        reached = {"schneider": schneider, "schwarz": schwarz}
        kept = {
            side: all(reached[what][others if side == mine else mine] for what in self.announced[side])
            for side in sums
        }
        if self.contract.alone == "solodu":
            winner = mine if schwarz[others] else others
        elif kept[mine] != kept[others]:
            winner = mine if kept[mine] else others
        else:
            winner = mine if sums[mine] > 52 else others
        loser = others if winner == mine else mine
        value = 1 + schneider[loser] + schwarz[loser] + sum(map(len, self.announced.values()))
        value *= 2 ** (self.contract.stoesse + (self.contract.alone == "solodu") + (self.bock > 0))
        lone = list(sides.values()).count(mine) == 1
        for seat in SEATS:
            times = 3 if lone and sides[seat] == mine else 1
            self.opinion.points[seat] += times * (value if sides[seat] == winner else -value)
        self.bock = max(self.bock - 1, 0)
        if self.contract.alone and self.options["bock"]:
            self.bock = self.options["bock_deals"]
        return {"winner": winner, "augen": sums, "value": value}
