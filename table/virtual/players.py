"""Players who play by themselves: a round is decided by its seed alone, so it can be taken up anywhere.

After a power cut the deal comes back from the seed that stands in the journal's `round` event, the game
so far is played again in thought, and the hands go on from where the cards lie.
"""

from __future__ import annotations

import queue
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from table.rules import bots, engine
from table.rules.setup import Setup
from table.virtual.choreography import ClearTable, Deed, LayCard, LayDie, TakeTrick, Wait

Event = Mapping[str, Any]

SEED = "seed"
"""Field of a `round` event from which its deal comes."""


@dataclass(frozen=True, slots=True)
class Lying:
    """What lies on the table: dice (colour, value) by spot, open trick (seat, card), pile in cards."""

    dice: dict[str, tuple[str, int]] = field(default_factory=dict)
    cards: tuple[tuple[str, str], ...] = ()
    pile: int = 0


class VirtualRound:
    """One round as its players play it: `deeds` gives what they do next, until nothing is left to do.

    Args:
        setup: the game, as the referee has it.
        round_event: the journal's `round` line with `dealer` and `seed`.
        so_far: what the journal holds of this round after all corrections.
    """

    def __init__(self, setup: Setup, round_event: Event, so_far: Sequence[Event] = ()) -> None:
        self.position = engine.deal(setup, int(round_event[SEED]), dealer=round_event["dealer"])
        self.dealer = str(round_event["dealer"])
        self.played: list[tuple[str, str]] = []
        """Every card that has left a hand, (seat, card): the truth that the eye is compared with."""
        self._pending: deque[Deed] = deque()
        self.lying = self._take_up(so_far)

    @property
    def over(self) -> bool:
        """Whether all cards are played and the last trick is taken."""
        return not self._pending and engine.turn(self.position) is None

    def deeds(self) -> list[Deed]:
        """The next thing that is done; empty when the round is over."""
        if not self._pending:
            self._pending.extend(self._move())
        return [self._pending.popleft()] if self._pending else []

    def _move(self) -> list[Deed]:
        """The next move and, after a trick, what the winner has to do."""
        seat = engine.turn(self.position)
        if seat is None:
            return []
        move = bots.choose(self.position, seat)
        self.position = engine.apply(self.position, move)
        if move.kind == "card":
            self.played.append((seat, move.card))
            first: Deed = LayCard(seat, move.card)
        else:
            first = LayDie(seat, str(move.get("colour")), int(move.get("value")), str(move.get("spot")))
        chores = self.position.round.chores()
        taker = next((chore["seat"] for chore in chores if chore["kind"] == "collected"), seat)
        after = [_chore(chore, taker) for chore in chores]
        return [first, Wait(0.8), *after] if after else [first]

    def _take_up(self, so_far: Sequence[Event]) -> Lying:
        """Play in thought what has been played, and say what lies on the table."""
        cards = sum(event["kind"] in ("card", "unsure") for event in so_far)
        seen = {
            event["spot"]: (str(event["colour"]), int(event["value"]))
            for event in so_far
            if event["kind"] == "die" and event.get("spot") and event.get("colour") and event.get("value")
        }
        last_card = max(
            (i for i, event in enumerate(so_far) if event["kind"] in ("card", "unsure")), default=-1
        )
        collected = any(event["kind"] == "collected" for event in so_far[last_card + 1 :])
        dice: dict[str, tuple[str, int]] = {}
        deeds: list[Deed] = []
        while len(self.played) < cards or (
            not self.played and seen and engine.legal(self.position)[0].kind == "die"
        ):
            for deed in deeds:
                if isinstance(deed, LayDie):
                    dice[deed.spot] = (deed.colour, deed.value)
            deeds = self._move()
            if not deeds:
                break
        at_trick_end = len(deeds) > 1
        for deed in deeds:
            # A die that the eye has seen lies there, whatever was written down after it or not.
            if isinstance(deed, LayDie) and (collected or seen.get(deed.spot) == (deed.colour, deed.value)):
                dice[deed.spot] = (deed.colour, deed.value)
            elif not (collected or isinstance(deed, LayCard)):
                self._pending.append(deed)
        seats = len(self.position.round.seats)
        open_cards = 0 if collected else (seats if at_trick_end else len(self.played) % seats)
        lying = tuple(self.played[len(self.played) - open_cards :])
        return Lying(dice, lying, len(self.played) - open_cards)


class Players:
    """The virtual table's company: plays the rounds it is given, one after the other.

    `sit` may be called from any thread; `next` belongs to the camera's.
    """

    def __init__(self) -> None:
        self._rounds: queue.SimpleQueue[VirtualRound] = queue.SimpleQueue()
        self._round: VirtualRound | None = None
        self._wanted = True

    @property
    def waiting(self) -> bool:
        """Whether everything is played and the next round may begin."""
        return self._wanted

    def sit(self, round_: VirtualRound) -> None:
        """Play this round."""
        self._wanted = False
        self._rounds.put(round_)

    def next(self) -> list[Deed]:
        """What is done next; a wait while there is no round."""
        if self._round is None:
            try:
                self._round = self._rounds.get_nowait()
            except queue.Empty:
                return [Wait(0.3)]
            return [Wait(1.0)]
        deeds = self._round.deeds()
        if deeds:
            return deeds
        # A look at the table before it is cleared: the settlement is on the page by then.
        dealer, self._round, self._wanted = self._round.dealer, None, True
        return [Wait(2.5), ClearTable(dealer)]


def _chore(chore: Event, taker: str) -> Deed:
    if chore["kind"] == "die":
        return LayDie(taker, chore["colour"], chore["value"], chore["spot"])
    return TakeTrick(taker)
