"""What people call things: cards, colours, characters, findings, in German and English.

Unknown names come back as they are: decks of other games have names of their own.
"""

from __future__ import annotations

from typing import Literal

Language = Literal["de", "en"]

_COLOURS: dict[Language, dict[str, str]] = {
    "de": {
        "blue": "Blau",
        "brown": "Braun",
        "yellow": "Gelb",
        "green": "Grün",
        "red": "Rot",
        "black": "Schwarz",
        "white": "Weiß",
        "purple": "Lila",
        "orange": "Orange",
        "pink": "Rosa",
    },
    "en": {},
}
_SUITS: dict[Language, dict[str, str]] = {
    "de": {"C": "Kreuz", "S": "Pik", "H": "Herz", "D": "Karo"},
    "en": {"C": "clubs", "S": "spades", "H": "hearts", "D": "diamonds"},
}
_RANKS: dict[Language, dict[str, str]] = {
    "de": {"T": "10", "J": "Bube", "Q": "Dame", "K": "König", "A": "Ass"},
    "en": {"T": "10", "J": "jack", "Q": "queen", "K": "king", "A": "ace"},
}
_CHARACTERS: dict[str, str] = {
    "aagewwer": "Aagewwer",
    "weschwieschmaennchen": "Weschwieschmännchen",
    "jammerlabbe": "Jammerlabbe",
    "jo-lossen": "Jo Lossen",
    "gliggsridder": "Gliggsridder",
}
_FINDINGS: dict[str, tuple[str, str]] = {
    "revoke": ("nicht bedient", "did not follow"),
    "trump_duty": ("nicht getrumpft", "did not trump"),
    "overtrump_duty": ("nicht übertrumpft", "did not go over"),
    "partner_duty": ("nicht bekannt", "kept the partner card"),
    "out_of_turn": ("war nicht an der Reihe", "played out of turn"),
    "wrong_lead": ("hat den Stich zuvor nicht gewonnen", "led without having won the trick before"),
    "two_cards": ("zwei Karten in einem Stich", "played two cards to one trick"),
    "duplicate_card": ("Karte war schon da", "card was seen before"),
    "foreign_card": ("Karte gehört nicht ins Spiel", "card is not in this pack"),
    "pile_card": ("Karte lag im Rest", "card lay in the rest pile"),
    "missing_card": ("eine Karte fehlt", "a card is missing"),
    "missing_declaration": ("nichts angesagt", "did not declare"),
    "late_declaration": ("zu spät angesagt", "declared too late"),
    "early_declaration": ("zu früh angesagt", "declared too early"),
    "absage_without_ansage": ("Absage ohne Ansage", "Absage without Ansage"),
    "wrong_side": ("für die falsche Partei angesagt", "declared for the wrong side"),
    "false_caller": ("hat zu Unrecht gerufen", "called without the right to"),
    "missed_stoss": ("Pflichtstoß versäumt", "missed the Stoß he had to give"),
    "false_meld": ("falsch gemeldet", "melded what he did not hold"),
    "false_belle": ("falsche Belle", "called Belle without holding it"),
    "false_swap": ("falsch getauscht", "swapped without the right to"),
    "false_hochzeit": ("falsche Hochzeit", "declared Hochzeit without holding it"),
    "marker_mismatch": ("Würfel liegt falsch", "a die lies wrong"),
    "unauthorised_touch": ("Stich unerlaubt angefasst", "touched a trick that was not his to take"),
    "bad_bet": ("ungültige Wette", "bet that does not count"),
    "duplicate_die": ("zwei Würfel einer Farbe", "two dice of one colour"),
    "one_die": ("nur einen Würfel geworfen", "threw only one die"),
}


def colour(name: str | None, language: Language = "de") -> str:
    """Return a colour's or suit's name; none is "–"."""
    return "–" if name is None else _COLOURS[language].get(name) or _SUITS[language].get(name, name)


def card(name: str | None, language: Language = "de") -> str:
    """Return a card's name: "Grün 11", "Kreuz Dame"; an unknown card is "?"."""
    if name is None:
        return "?"
    shade, dash, value = name.partition("-")
    if dash and value.isdigit():
        return f"{colour(shade, language)} {value}"
    if (
        len(name) == 2
        and name[0] in _SUITS[language]
        and (name[1] in "23456789" or name[1] in _RANKS[language])
    ):
        suit, rank = _SUITS[language][name[0]], _RANKS[language].get(name[1], name[1])
        return f"{suit} {rank}" if language == "de" else f"{rank} of {suit}"
    return name


def character(name: str) -> str:
    """Return a Dubbe character's name; it is the same in every language."""
    return _CHARACTERS.get(name, name)


def finding(name: str, language: Language = "de") -> str:
    """Return what an irregularity is called."""
    return _FINDINGS.get(name, (name, name))[0 if language == "de" else 1]


def signed(points: int) -> str:
    """Return points as people write them on a slate: +3, −2, 0."""
    return f"+{points}" if points > 0 else f"−{-points}" if points < 0 else "0"
