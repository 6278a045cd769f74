"""Players who play by themselves: a round is decided by its seed alone, so it can be resumed anywhere.

After a power cut the deal is made again from the seed in the journal's `round` event, the game
so far is replayed in memory, and the hands go on from where the cards lie.
"""

from __future__ import annotations

import queue
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from table.rules import bots, engine
from table.rules.events import Event
from table.rules.setup import Setup
from table.virtual.deeds import ClearTable, Deed, LayCard, LayDie, Lying, TakeTrick, Tell, Wait

SEED = "seed"
"""Field of a `round` event from which its deal comes."""

SPOKEN = ("say", "turned", "shown")
"""Moves that no camera sees: the players tell them to the page, as guests do in a pub."""


class VirtualRound:
    """One round as its players play it: `deeds` gives what they do next, until nothing is left to do.

    Args:
        setup: the game, as the referee has it.
        round_event: the journal's `round` line with `dealer` and `seed`.
        so_far: what the journal holds of this round after all corrections.
        number: its number in the game, from 1.
        before: what the round before it passed on (`handed_on`); None before the first.
    """

    def __init__(
        self,
        setup: Setup,
        round_event: Event,
        so_far: Sequence[Event] = (),
        number: int = 1,
        before: Any = None,
    ) -> None:
        self.dealer = str(round_event.fields["dealer"])
        self.position = engine.deal(
            setup, int(round_event.fields[SEED]), number=number, dealer=self.dealer, before=before
        )
        self.played: list[tuple[str, str]] = []
        """Every card that has left a hand, (seat, card): the truth that the eye is compared with."""
        self._pending: deque[Deed] = deque()
        self.lying = self._take_up(so_far)

    @property
    def over(self) -> bool:
        """Whether all cards are played and the last trick is taken."""
        return not self._pending and engine.turn(self.position) is None

    @property
    def handed_on(self) -> Any:
        """What the next round must know of this one."""
        return self.position.round.handed_on()

    def play_out(self) -> None:
        """Play the rest in memory: a round of the past, of which only the outcome counts."""
        while self._move():
            pass

    def break_off(self) -> None:
        """End it early, and pass on what the referee passes on of a round that was ended early."""
        if self.position.round.over:
            return
        self._pending.clear()
        ended = self.position.round.copy()
        ended.add(self.position.moves + 1, Event("end", {}, self.position.moves + 1))
        self.position = replace(self.position, round=ended)

    def deeds(self) -> list[Deed]:
        """The next thing that is done; empty when the round is over."""
        if not self._pending:
            self._pending.extend(self._move())
        return [self._pending.popleft()] if self._pending else []

    def _next(self) -> Event | None:
        """What the players will do next; None when the round is over."""
        seat = engine.turn(self.position)
        return None if seat is None else bots.choose(self.position, seat)

    def _move(self) -> list[Deed]:
        """The next move and, after a trick, what the winner must do."""
        seat, move = engine.turn(self.position), self._next()
        if seat is None or move is None:
            return []
        tricks = len(self.position.round.tricks)
        self.position = engine.apply(self.position, move)
        if move.kind in SPOKEN:
            return [Tell(move)]
        if move.kind == "die":
            return [LayDie(seat, str(move.get("colour")), int(move.get("value")), str(move.get("spot")))]
        self.played.append((seat, move.card))
        opened = self.position.round
        if len(opened.tricks) == tricks:
            return [LayCard(seat, move.card)]
        chores = opened.chores()
        winner = opened.seats[opened.tricks[-1].winner]
        taker = next((str(chore.seat) for chore in chores if chore.kind == "collected"), winner)
        after = [_chore(chore, taker) for chore in chores if chore.kind != "collected"]
        return [LayCard(seat, move.card), Wait(0.8), *after, TakeTrick(taker)]

    def _take_up(self, so_far: Sequence[Event]) -> Lying:
        """Replay in memory what has been played, and return what lies on the table."""
        cards = sum(event.kind in ("card", "unsure") for event in so_far)
        told = sum(event.kind in SPOKEN for event in so_far)
        seen = {
            event.fields["spot"]: (str(event.fields["colour"]), int(event.fields["value"]))
            for event in so_far
            if event.kind == "die" and event.get("spot") and event.get("colour") and event.get("value")
        }
        last_card = max((i for i, event in enumerate(so_far) if event.kind in ("card", "unsure")), default=-1)
        collected = any(event.kind == "collected" for event in so_far[last_card + 1 :])
        dice: dict[str, tuple[str, int]] = {}
        deeds: list[Deed] = []
        while self._was_done(cards, told, bool(seen)):
            for deed in deeds:
                if isinstance(deed, LayDie):
                    dice[deed.spot] = (deed.colour, deed.value)
            deeds = self._move()
            told -= sum(isinstance(deed, Tell) for deed in deeds)
        at_trick_end = any(isinstance(deed, TakeTrick) for deed in deeds)
        for deed in deeds:
            # A die that the eye has seen lies there, whether anything was written after it or not.
            if isinstance(deed, LayDie) and (collected or seen.get(deed.spot) == (deed.colour, deed.value)):
                dice[deed.spot] = (deed.colour, deed.value)
            elif not (collected or isinstance(deed, LayCard | Tell)):
                self._pending.append(deed)
        seats = len(self.position.round.seats)
        open_cards = 0 if collected else (seats if at_trick_end else len(self.played) % seats)
        lying = tuple(self.played[len(self.played) - open_cards :])
        return Lying(dice, lying, len(self.played) - open_cards)

    def _was_done(self, cards: int, told: int, dice: bool) -> bool:
        """Whether the journal knows of the next move, given its cards, the told words left, and dice."""
        if len(self.played) < cards:
            return True
        move = self._next()
        if move is None:
            return False
        return told > 0 if move.kind in SPOKEN else move.kind == "die" and dice


class Players:
    """The virtual table's company: plays the rounds it is given, one after the other.

    `sit`, `rise`, `said` and `heard` may be called from any thread; `next` belongs to the camera's.
    """

    def __init__(self) -> None:
        self._ended: VirtualRound | None = None
        self._rounds: queue.SimpleQueue[VirtualRound] = queue.SimpleQueue()
        self._round: VirtualRound | None = None
        self._word: Tell | None = None
        self._wanted = True

    @property
    def waiting(self) -> bool:
        """Whether everything is played and the next round may begin."""
        return self._wanted

    @property
    def said(self) -> Event | None:
        """What somebody says and nobody has noted yet; all hands rest until `heard`."""
        return None if self._word is None else self._word.event

    def heard(self) -> None:
        """Note that the house has taken down what was said."""
        self._word = None

    def sit(self, round_: VirtualRound) -> None:
        """Play this round."""
        self._wanted = False
        self._rounds.put(round_)

    def rise(self, round_: VirtualRound) -> None:
        """Stop playing this round: somebody has broken it off. The cards are taken away."""
        self._ended = round_

    def next(self) -> list[Deed]:
        """What is done next; a wait while there is no round, and while a word waits to be heard."""
        if self._round is not None and self._round is self._ended:
            self._round.break_off()
            self._word = None
        if self._word is not None:
            return [Wait(0.2)]
        if self._round is None:
            try:
                self._round = self._rounds.get_nowait()
            except queue.Empty:
                return [Wait(0.3)]
            return [Wait(1.0)]
        deeds = self._round.deeds()
        if deeds and isinstance(deeds[0], Tell):
            self._word = deeds[0]
            return [Wait(0.4)]
        if deeds:
            return deeds
        # A look at the table before it is cleared: by then the page shows the settlement.
        dealer, self._round, self._wanted = self._round.dealer, None, True
        return [Wait(2.5), ClearTable(dealer)]


def _chore(chore: Event, taker: str) -> Deed:
    if chore.kind == "die":
        return LayDie(taker, chore.fields["colour"], chore.fields["value"], chore.fields["spot"])
    return Tell(chore)
