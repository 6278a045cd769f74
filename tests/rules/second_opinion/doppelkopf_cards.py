"""Trumps, Augen and tricks of Doppelkopf, and the points on which the four texts differ."""

from __future__ import annotations

from dataclasses import dataclass

EYES = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
SUITS = "CSHD"
DAMEN = [suit + "Q" for suit in SUITS]
BUBEN = [suit + "J" for suit in SUITS]
RANKS = "ATKQJ97"
FUCHS, DULLE, KARLCHEN, SPITZE, ALTE = "DA", "HT", "CJ", "D7", "CQ"
Fallen = list[tuple[str, str]]
"""Seat and card, in the order of play."""


@dataclass(frozen=True)
class Wording:
    """One text's answers where the four differ."""

    hand: int
    """Cards per hand (K-50)."""
    soli: tuple[str, ...]
    """Soli in order of priority; empty where the seat decides (K-53)."""
    leading_solo: tuple[str, ...]
    """Soli in which the soloist leads (K-67)."""
    specials: frozenset[str]
    """The special points of K-59, without the one for winning against the Damen."""
    second_wins: frozenset[str] = frozenset()
    """Cards of which the second of two equal ones takes the trick (KA-7)."""
    own_tricks: bool = True
    """A Hochzeit waits for its first three own tricks; False: for the first three of the deal (K-55)."""
    doubles: frozenset[str] = frozenset()
    """Words and events that double (K-72); empty where points are added."""
    same_dealer: bool = False
    """After a solo the same player deals again (K-68)."""
    solo_is_re: bool = False
    bock: bool = False
    """A lost Re or Kontra brings Bock deals (K-70)."""
    spitze: bool = False

    @property
    def adds(self) -> bool:
        return not self.doubles


USUAL = {"karlchen", "fuchs_gefangen", "doppelkopf"}
MANY = USUAL | {
    "karlchen_gefangen",
    "doppel_karlchen",
    "fuchs_letzter_stich",
    "dulle_mit_dulle",
    "zweiter_fuchs",
}
TEXTS = {
    "ddv": Wording(
        hand=12,
        soli=(),
        leading_solo=("pflichtsolo",),
        specials=frozenset(USUAL),
        own_tricks=False,
    ),
    "bundeswehr": Wording(
        hand=12,
        soli=("as", "farbe", "buben", "damen", "trumpf"),
        leading_solo=("solo", "pflichtsolo"),
        specials=frozenset(MANY | {"dulle_mit_spitze"}),
        second_wins=frozenset({DULLE, FUCHS}),
        doubles=frozenset({"solo", "lost_solo", "re", "kontra"}),
        same_dealer=True,
        spitze=True,
    ),
    "dieblich": Wording(
        hand=10,
        soli=("as", "buben", "damen", "trumpf"),
        leading_solo=("solo", "pflichtsolo"),
        specials=frozenset(MANY | {"dulle_mit_schweinchen"}),
        second_wins=frozenset({DULLE, FUCHS}),
        doubles=frozenset({"solo", "lost_solo", "re", "kontra"}),
        same_dealer=True,
        bock=True,
    ),
    "club": Wording(
        hand=10,
        soli=("as", "buben", "damen", "farbe", "trumpf"),
        leading_solo=(),
        specials=frozenset(USUAL | {"karlchen_gefangen"}),
        doubles=frozenset({"re", "kontra"}),
        solo_is_re=True,
    ),
}


def eyes(fallen: Fallen) -> int:
    return sum(EYES.get(card[1], 0) for _, card in fallen)


@dataclass(frozen=True)
class Ranking:
    """The cards of a contract from the top: normal, a Farbsolo, or a solo with other trumps."""

    kind: str
    """`normal`, `trumpf`, `damen`, `buben`, `as`, or a suit."""
    highest: str = ""
    """The Fuchs as Schweinchen, or the Spitze; empty without one."""
    second_wins: frozenset[str] = frozenset()

    @property
    def trumps(self) -> list[str]:
        if self.kind in ("damen", "buben", "as"):
            return {"damen": DAMEN, "buben": BUBEN, "as": []}[self.kind]
        suit = self.kind if self.kind in SUITS else "D"
        rest = [suit + rank for rank in "ATK97" if suit + rank != DULLE]
        usual = [DULLE, *DAMEN, *BUBEN, *rest]
        return sorted(usual, key=lambda card: card != self.highest)

    def real(self, card: str) -> str:
        """A Spitze that is not the highest trump ranks as the Herz 9 that it replaces, only lower (KA-8)."""
        return "H7" if card == SPITZE != self.highest else card

    def winner(self, fallen: Fallen) -> str:
        """The highest trump, else the highest of the led suit; the first of two equal ones (K-07, KA-7)."""
        trumps, led = self.trumps, self.real(fallen[0][1])

        def strength(card: str) -> int:
            if card in trumps:
                return 100 - trumps.index(card)
            follows = led not in trumps and card[0] == led[0]
            return len(RANKS) - RANKS.index(card[1]) if follows else 0

        def better(card: str, than: str) -> bool:
            if card == than:
                return card in self.second_wins and card in trumps
            return strength(card) > strength(than)

        best, *others = [(seat, self.real(card)) for seat, card in fallen]
        for seat, card in others:
            if better(card, best[1]):
                best = seat, card
        return best[0]
