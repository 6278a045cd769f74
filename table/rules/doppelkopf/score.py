"""The value of a deal of Doppelkopf: who has won, every point with its rule (K-24 to K-43, K-71)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from table.rules.doppelkopf.terms import CARD_POINTS, CJ, D7, DA, HT, KONTRA, RE

_STEPS = ((90, "unter_90"), (60, "unter_60"), (30, "unter_30"))
_NEEDED = (0, 151, 181, 211)
"""Augen that a side needs for its own Absage, by level; schwarz needs all tricks (K-27)."""
_ENOUGH = (0, 90, 60, 30)
"""Augen that suffice against the other side's Absage, by level; against schwarz one trick (K-28)."""
_SAID = ("", "k90", "k60", "k30", "schwarz")
_AGAINST = (0, 120, 90, 60, 30)
"""Augen that bring an extra point against each Absage (K-34)."""


class Deal(NamedTuple):
    """A played deal as the settlement needs it; levels: -1 nothing said, 0 Ansage, 1 k90 … 4 schwarz."""

    re_card_points: int
    kontra_card_points: int
    re_level: int = -1
    kontra_level: int = -1
    re_no_trick: bool = False
    kontra_no_trick: bool = False
    solo: bool = False
    specials: tuple[tuple[str, int], ...] = ()
    """(which, whose side) of every Sonderpunkt that counts."""

    def card_points(self, side: int) -> int:
        """Return a side's Augen."""
        return self.re_card_points if side == RE else self.kontra_card_points

    def level(self, side: int) -> int:
        """Return the highest level that a side announced."""
        return self.re_level if side == RE else self.kontra_level

    def no_trick(self, side: int) -> bool:
        """Return whether a side took no trick (K-43)."""
        return self.re_no_trick if side == RE else self.kontra_no_trick


class Tariff(NamedTuple):
    """How a rule set counts; the plain one is the DDV's."""

    kontra_alone: bool = True
    """Whether Re wins with 120 if only Kontra was said (K-25)."""
    alten: bool = True
    """Whether winning against the Kreuz Damen brings a point (K-35)."""
    factors: tuple[str, ...] | None = None
    """What doubles (`solo`, `lost_solo`, `re`, `kontra`); None: Ansagen add points (K-31, K-72, KA-10)."""
    specials_too: bool = False
    """Whether the factors double the Sonderpunkte as well (KA-10)."""


def decided_by(winner: int, levels: tuple[int, int], tariff: Tariff) -> str:
    """Return the rule by which a side has won (`winner` RE or KONTRA), or by which nobody has (0)."""
    if not winner and max(levels) > 0:
        return "K-29"
    own, other = levels if winner == RE else levels[::-1]
    if own > 0 or other > 0:
        return "K-27" if own > 0 else "K-28"
    return "K-25" if tariff.kontra_alone and levels == (-1, 0) else "K-24"


class ScoreLine(NamedTuple):
    """One entry of the settlement: the side it counts for, its points, the rule."""

    what: str
    side: int
    points: int
    rule: str


class DoppelkopfSettlement(NamedTuple):
    """The winner (0: nobody), the lines, what doubled them, and the value for Re."""

    winner: int
    lines: tuple[ScoreLine, ...]
    doubled: tuple[str, ...]
    value: int


DDV = Tariff()


def reaches(deal: Deal, side: int, tariff: Tariff = DDV) -> bool:
    """Return whether a side has reached what it needs to win (K-24 to K-28, K-71)."""
    other = RE + KONTRA - side
    own, theirs = deal.level(side), deal.level(other)
    if own == 4:
        return deal.no_trick(other)
    if own >= 1:
        return deal.card_points(side) >= _NEEDED[own]
    if theirs == 4:
        return not deal.no_trick(side)
    if theirs >= 1:
        return deal.card_points(side) >= _ENOUGH[theirs]
    only_kontra = tariff.kontra_alone and deal.kontra_level == 0 and deal.re_level < 0
    return deal.card_points(side) >= (120 if only_kontra == (side == RE) else 121)


def winner(deal: Deal, tariff: Tariff = DDV) -> int:
    """Return the side that has won, 0 if both missed their Absagen (K-29)."""
    return next((side for side in (RE, KONTRA) if reaches(deal, side, tariff)), 0)


def _base(deal: Deal, won: int, tariff: Tariff) -> list[ScoreLine]:
    lines = [ScoreLine("gewonnen", won, 1, "K-30")] if won else []
    additive = tariff.factors is None
    if additive and won:
        said = (("re", deal.re_level), ("kontra", deal.kontra_level))
        lines += [ScoreLine(what, won, 2, "K-31") for what, level in said if level >= 0]
    for side in (won,) if won else (RE, KONTRA):
        under = RE + KONTRA - side
        lines += [
            ScoreLine(what, side, 1, "K-32") for limit, what in _STEPS if deal.card_points(under) < limit
        ]
        if deal.no_trick(under):
            lines.append(ScoreLine("schwarz", side, 1, "K-32"))
    if won:
        for level in (deal.re_level, deal.kontra_level):
            lines += [ScoreLine(f"{_SAID[n]}_abgesagt", won, 1, "K-33") for n in range(1, level + 1)]
    for side in (RE, KONTRA) if additive else ():
        missed = range(1, deal.level(RE + KONTRA - side) + 1)
        lines += [
            ScoreLine(f"{_AGAINST[n]}_gegen_{_SAID[n]}", side, 1, "K-34")
            for n in missed
            if deal.card_points(side) >= _AGAINST[n]
        ]
    return lines


def settle(deal: Deal, tariff: Tariff = DDV) -> DoppelkopfSettlement:
    """Return winner, lines and the value for Re; in a solo that is a third of what the soloist gets."""
    won = winner(deal, tariff)
    base = _base(deal, won, tariff)
    extra = [ScoreLine(what, side, 1, _SPECIAL_RULES.get(what, "K-59")) for what, side in deal.specials]
    if won == KONTRA and not deal.solo and tariff.alten:
        extra.append(ScoreLine("gegen_die_alten", KONTRA, 1, "K-35"))
    doubled: list[str] = []
    if tariff.factors is not None:
        happened = {
            "solo": deal.solo,
            "lost_solo": deal.solo and won == KONTRA,
            "re": deal.re_level >= 0,
            "kontra": deal.kontra_level >= 0,
        }
        doubled = [what for what in tariff.factors if happened[what]]
    factor = 2 ** len(doubled)
    value = factor * _sum(base) + (factor if tariff.specials_too else 1) * _sum(extra)
    return DoppelkopfSettlement(won, (*base, *extra), tuple(doubled), value)


def _sum(lines: Sequence[ScoreLine]) -> int:
    return sum([line.points if line.side == RE else -line.points for line in lines])


_SPECIAL_RULES = {"doppelkopf": "K-36", "fuchs_gefangen": "K-37", "karlchen": "K-38"}
SPECIALS: tuple[str, ...] = (
    "doppelkopf",
    "fuchs_gefangen",
    "karlchen",
    "karlchen_gefangen",
    "doppel_karlchen",
    "fuchs_letzter_stich",
    "dulle_mit_spitze",
    "dulle_mit_schweinchen",
    "dulle_mit_dulle",
    "zweiter_fuchs",
    "gegen_die_alten",
)
"""All Sonderpunkte that a rule set may count (K-35 to K-38, K-59)."""


_card_points = CARD_POINTS.__getitem__
FinishedTrick = tuple[int, tuple[int, ...]]
"""A finished trick in numbers: who won it, and every seat's card (-1: none, or an unknown one)."""


def specials(
    fallen: Sequence[FinishedTrick], sides: Sequence[int], top: int | None = None
) -> list[tuple[str, int, int]]:
    """Return (which, side that made it, trick from 1) of every Sonderpunkt (K-36 to K-39, K-59).

    `top` is the card above the Herz 10: a Schweinchen is not a Fuchs (KA-10). `gegen_die_alten` is not among
    them, since it depends on who has won.
    """
    found: list[tuple[str, int, int]] = []
    last = len(fallen)
    for number, (winner, cards) in enumerate(fallen, 1):
        names = ["doppelkopf"] if sum(map(_card_points, cards)) >= 40 else []
        if DA in cards or HT in cards or number == last:
            side = sides[winner]
            theirs = [card for card, its in zip(cards, sides, strict=True) if its != side]
            names += _caught(cards[winner], theirs, top)
            if number == last:
                names += _last(cards[winner], cards, theirs, top)
        if names:
            found += [(name, sides[winner], number) for name in names]
    return found


def _caught(best: int, theirs: list[int], top: int | None) -> list[str]:
    """Return the Sonderpunkte for what was caught of the other side (K-37, K-59)."""
    names: list[str] = []
    if top != DA and DA in theirs:
        names += ["fuchs_gefangen"] * theirs.count(DA)
        if best == DA:
            names.append("zweiter_fuchs")
    if HT in theirs and best in (HT, top):
        caught = {HT: "dulle_mit_dulle", D7: "dulle_mit_spitze", DA: "dulle_mit_schweinchen"}[best]
        names += [caught] * theirs.count(HT)
    return names


def _last(best: int, cards: Sequence[int], theirs: list[int], top: int | None) -> list[str]:
    """Return the Sonderpunkte of the last trick (KA-11, KA-12)."""
    names = ["karlchen_gefangen"] * theirs.count(CJ)
    if best == CJ:
        names.append("karlchen")
        if cards.count(CJ) == 2 and CJ not in theirs:
            names.append("doppel_karlchen")
    if best == DA and top != DA:
        names.append("fuchs_letzter_stich")
    return names


class Count(NamedTuple):
    """A whole round counted: Augen by seat, the Sonderpunkte that count, the settlement."""

    card_points: tuple[int, ...]
    bonus: tuple[tuple[str, int, int], ...]
    settlement: DoppelkopfSettlement


class CountRules(NamedTuple):
    """How a round is counted: the Sonderpunkte that count, the card above the Herz 10, the tariff."""

    wanted: Sequence[str]
    top: int | None = None
    tariff: Tariff = DDV


def count(
    fallen: Sequence[FinishedTrick], sides: Sequence[int], levels: tuple[int, int], rules: CountRules
) -> Count:
    """Settle the tricks of a round; engine, referee and bench all count here.

    `sides` is by seat; `levels` are what Re and Kontra announced.
    """
    wanted, top, tariff = rules
    won, takers = [0] * len(sides), set()
    for winner, cards in fallen:
        takers.add(sides[winner])
        won[winner] += sum(map(_card_points, cards))
    re = sum(sum_ for sum_, side in zip(won, sides, strict=True) if side == RE)
    bonus = tuple(one for one in specials(fallen, sides, top) if one[0] in wanted) if wanted else ()
    deal = Deal(
        re,
        sum(won) - re,
        *levels,
        RE not in takers,
        KONTRA not in takers,
        tuple(sides).count(RE) == 1,
        tuple((what, side) for what, side, _ in bonus),
    )
    return Count(tuple(won), bonus, settle(deal, tariff))


def share(value: int, sides: Sequence[int]) -> tuple[int, ...]:
    """Return every seat's points: a lone player carries three times the value (K-40, K-41)."""
    own = 3 * value if tuple(sides).count(RE) == 1 else value
    return tuple(own if side == RE else -value for side in sides)
