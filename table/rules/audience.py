"""Who may be told what the rules know (G-14): everybody, one seat about its own hand, or the operator.

`Referee.told(reader)` returns what that reader may hear; `View` holds only what everybody may know.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from table.rules.knowledge import known, legality
from table.rules.tricks import Play, TrickRound


class Audience(NamedTuple):
    """Whom an output is for, or who is reading."""

    role: Literal["all", "seat", "operator"]
    seat: str | None = None

    def may_hear(self, output: Audience) -> bool:
        """Return whether this reader may hear an output: the operator hears all, a seat only its own."""
        return output.role == "all" or self.role == "operator" or self == output


ALL = Audience("all")
OPERATOR = Audience("operator")


def only(seat: str) -> Audience:
    """Return the audience of one seat."""
    return Audience("seat", seat)


class Told(NamedTuple):
    """One thing that the rules can report.

    finding: `cards` is empty, `words` the irregularity, `event` its proof. doubt: `event` waits for a
    correction. prompt: `words` is what the rules wait for. lacks, holds: of the cards not yet played, those
    that `seat` cannot hold or alone can hold. assumed: the card of `event` was legal only if the hand really
    had none of what it owed.
    """

    audience: Audience
    what: Literal["finding", "doubt", "prompt", "lacks", "holds", "assumed"]
    seat: str | None
    cards: tuple[str, ...] = ()
    words: str = ""
    event: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain values for JSON: the audience as `all`, `operator` or the seat's name."""
        told = {"audience": self.audience.seat or self.audience.role, "what": self.what, "seat": self.seat}
        return (
            told
            | ({"cards": list(self.cards)} if self.cards else {})
            | {key: value for key in ("words", "event") if (value := getattr(self, key))}
        )


def concluded(readings: list[TrickRound], inference_shown: bool) -> Iterator[Told]:
    """Yield what follows about hidden hands, as far as every reading of the doubtful cards agrees.

    What a hand holds or lacks is for its seat only; with `show_inference` on, what it lacks is for everybody.
    Only the operator hears on which assumption a play was legal: to others it would be an accusation.
    """
    first = readings[0]
    minds = [known(reading) for reading in readings]
    out = [card for card in minds[0].may_hold if all(card in mind.may_hold for mind in minds)]
    for seat in first.seats:
        lacking = tuple(card for card in out if all(card in mind.lacks[seat] for mind in minds))
        holding = tuple(card for card in out if all(mind.may_hold[card] == {seat} for mind in minds))
        if lacking:
            yield Told(ALL if inference_shown else only(seat), "lacks", seat, lacking)
        if holding:
            yield Told(only(seat), "holds", seat, holding)
    plays = [_assumed(reading) for reading in readings]
    for play in plays[0]:
        if all(play in others for others in plays):
            yield Told(OPERATOR, "assumed", first.seats[play.seat], (play.name,), event=play.event)


def _assumed(opened: TrickRound) -> list[Play]:
    """Return the plays that were legal only if the hand had none of what it owed."""
    verdicts = legality(opened)
    plays = (*(play for trick in opened.tricks for play in trick.plays), *opened.trick)
    return [play for play in plays if verdicts[play.event] == "assumed"]
