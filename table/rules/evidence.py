"""What the cards prove: claims that plays make, the first card that refutes them, findings (G-01 to G-06).

The table sees no hands. A seat that does not do its duty *claims* that it cannot. A later card of its own may
refute the claim; then, never earlier, there is a finding that names the offending and the proving event.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from table.rules.view import Finding

_STRANGE = ("foreign_card", "duplicate_card")


@dataclass(frozen=True, slots=True)
class Duty:
    """One rung of what a seat must play: a card of `cards` (a bit mask) if it holds one.

    `finding` and `rule` name the offence when it turns out that the seat held one.
    """

    finding: str
    rule: str
    cards: int


class Claim(NamedTuple):
    """ "I hold none of these": made by the play `event` of a seat, true until a later card refutes it."""

    duty: Duty
    event: int


def broken(duties: tuple[Duty, ...], card: int) -> tuple[Duty, ...]:
    """Return the duties that playing `card` breaks: all rungs above the first that it satisfies.

    This one definition is used by the engine (what is legal), the referee (claims) and the audit.
    """
    if card >= 0:
        for rung, duty in enumerate(duties):
            if duty.cards >> card & 1:
                return duties[:rung]
    return duties


def owed(duties: tuple[Duty, ...], held: int) -> int:
    """Return which of the `held` cards (a bit mask) may be played under these duties."""
    for duty in duties:
        if held & duty.cards:
            return held & duty.cards
    return held


class Evidence:
    """Claims and findings of one round; seats are numbers in playing order."""

    def __init__(self, seats: tuple[str, ...]) -> None:
        self.seats = seats
        self.claims: dict[int, tuple[Claim, ...]] = {}
        self.void: dict[int, int] = {}
        """Per seat the cards it has claimed not to hold (G-01); private, see G-14."""
        self.offended: set[int] = set()
        """Cards that are an offence in themselves, by their events: one finding per card."""
        self.accused: set[tuple[str, int, int]] = set()
        """(rule, seat, offending event) of every accusation."""
        self.findings: list[Finding] = []

    def copy(self) -> Evidence:
        """Return an independent copy."""
        twin = object.__new__(Evidence)
        twin.seats, twin.claims, twin.void = self.seats, self.claims.copy(), self.void.copy()
        twin.offended, twin.accused = self.offended.copy(), self.accused.copy()
        twin.findings = self.findings.copy()
        return twin

    def report(self, finding: str, rule: str, seat: int | None, event: int, about: int | None = None) -> None:
        """Report an irregularity that no single card of that seat committed."""
        name = None if seat is None else self.seats[seat]
        self.findings.append(Finding(finding, rule, name, event, about))

    def strangers(self) -> list[Finding]:
        """Return the findings of cards that do not belong here; the seat's real card stays unseen (G-09)."""
        return [found for found in self.findings if found.finding in _STRANGE]

    def one_stranger(self) -> int | None:
        """Return whose foreign card replaces the one card of the pack that never fell, if sure (G-12)."""
        odd = self.strangers()
        if len(odd) != 1 or odd[0].finding != "foreign_card" or odd[0].seat not in self.seats:
            return None
        return self.seats.index(odd[0].seat)

    def accuse(self, finding: str, rule: str, seat: int, event: int, about: int | None = None) -> None:
        """Report a seat's offence against a rule (`about`, or the event itself) once, with its first proof.

        Another rule, or another seat, in the same event makes another finding.
        """
        key = (rule, seat, event if about is None else about)
        if key not in self.accused:
            self.accused.add(key)
            self.report(finding, rule, seat, event, about)

    def accuse_card(self, finding: str, rule: str, seat: int, event: int, about: int | None = None) -> None:
        """Report a card that should not have been played: one finding, whatever else was wrong with it."""
        offence = event if about is None else about
        if offence not in self.offended:
            self.offended.add(offence)
            self.accuse(finding, rule, seat, event, about)

    def stands(self, rule: str, seat: int, event: int) -> bool:
        """Return whether nothing has refuted what a seat said in this event, under that rule."""
        return (rule, seat, event) not in self.accused

    def claim(self, seat: int, passed: tuple[Duty, ...], event: int) -> None:
        """Note the claim of a play that broke these duties, unless that card is already an offence."""
        if event in self.offended:
            return
        claims, void = self.claims.get(seat, ()), self.void.get(seat, 0)
        for duty in passed:
            claims += (Claim(duty, event),)
            void |= duty.cards
        self.claims[seat], self.void[seat] = claims, void

    def show(self, seat: int, card: int, event: int) -> None:
        """Check a card that a seat surely held against everything it claimed (G-03)."""
        if not self.void.get(seat, 0) >> card & 1:
            return
        claims = self.claims[seat]
        refuted = [claim for claim in claims if claim.duty.cards >> card & 1]
        # Of one play's claims the plainest duty, its last rung, names the offence.
        for claim in {claim.event: claim for claim in refuted}.values():
            self.accuse_card(claim.duty.finding, claim.duty.rule, seat, event, claim.event)
        kept = tuple(claim for claim in claims if claim.event not in self.offended)
        self.claims[seat] = kept
        self.void[seat] = 0
        for claim in kept:
            self.void[seat] |= claim.duty.cards
