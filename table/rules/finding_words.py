"""What the table says of a finding, of what somebody said, and without accusing anybody (remarks).

A finding's words follow a name and a colon: "Carla: hat nicht bedient". Where one finding stands for several
offences, the rule that was broken has words of its own.
"""

from __future__ import annotations

from table.rules.words import Language, card, character, colour

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
    "missing_declaration": (
        "nichts angesagt, bevor die erste Karte fiel",
        "declared nothing before the first card fell",
    ),
    "missing_declaration D-I1": (
        "keinen Trumpf bestimmt, bevor die erste Karte fiel",
        "chose no trump before the first card fell",
    ),
    "missing_declaration U-I5": (
        "nicht gerufen, bevor die erste Karte fiel",
        "did not call before the first card fell",
    ),
    "late_declaration": ("zu spät angesagt", "declared too late"),
    "late_declaration G-I10": (
        "erst nach der ersten Karte angesagt, das gilt nicht",
        "declared after the first card, which is void",
    ),
    "late_declaration K-51": (
        "hatte „gesund“ gesagt, das lässt sich nicht zurücknehmen",
        "had said “gesund”, which cannot be taken back",
    ),
    "late_declaration K-66": ("Schweinchen zu spät angesagt", "called Schweinchen too late"),
    "late_declaration K-I1": (
        "mit zu wenigen Karten auf der Hand angesagt",
        "announced with too few cards in hand",
    ),
    "late_declaration UA-4": (
        "nach der eigenen ersten Karte angesagt",
        "announced after the own first card",
    ),
    "late_declaration J-I2": ("nach der eigenen ersten Karte gemeldet", "melded after the own first card"),
    "late_declaration J-I5": ("Belle zu spät gesagt", "called Belle too late"),
    "late_declaration J-I6": ("nach der eigenen ersten Karte getauscht", "swapped after the own first card"),
    "early_declaration": ("zu früh angesagt", "declared too early"),
    "early_declaration K-19": (
        "angesagt, bevor das Spiel feststand",
        "announced before it was known what is played",
    ),
    "early_declaration K-21": (
        "angesagt, bevor der Partner der Hochzeit gefunden war",
        "announced before the Hochzeit had its partner",
    ),
    "early_declaration K-58": (
        "angesagt, bevor der Partner der Hochzeit gefunden war",
        "announced before the Hochzeit had its partner",
    ),
    "early_declaration U-22": ("angesagt, bevor gerufen war", "announced before anybody had called"),
    "absage_without_ansage": ("Absage ohne Ansage", "Absage without Ansage"),
    "wrong_side": ("für die falsche Partei angesagt", "announced for the wrong side"),
    "wrong_side U-I7": ("Stoß gegen die eigene Partei", "gave Stoß to the own side"),
    "false_caller": ("hat ohne die Kreuz Dame gerufen", "called without the queen of clubs"),
    "missed_stoss": ("Pflichtstoß versäumt", "missed the Stoß that was a duty"),
    "false_meld": ("gemeldet, was nicht auf der Hand war", "melded what was not held"),
    "false_meld K-I8": (
        "Armut angesagt, aber zu viele Trümpfe gehabt",
        "declared an Armut with too many trumps",
    ),
    "false_meld K-66": (
        "Schweinchen angesagt, ohne beide Karo-Asse zu haben",
        "called Schweinchen without both aces of diamonds",
    ),
    "false_belle": ("Belle ohne König und Dame der Trumpffarbe", "called Belle without holding it"),
    "false_swap": ("falsch getauscht", "swapped without the right to"),
    "false_hochzeit": ("Hochzeit ohne beide Kreuz Damen", "declared Hochzeit without both queens of clubs"),
    "marker_mismatch": ("Würfel liegt falsch", "a die lies wrong"),
    "unauthorised_touch": ("Stich unerlaubt angefasst", "touched a trick that was not his to take"),
    "bad_bet": ("ungültige Wette", "bet that does not count"),
    "duplicate_die": ("zwei Würfel einer Farbe", "two dice of one colour"),
    "one_die": ("nur einen Würfel geworfen", "threw only one die"),
}
_REMARKS: dict[str, tuple[str, str]] = {
    "armut_not_together": (
        "{who} kann die Armut nicht nehmen: neben einer Hochzeit müssen beide zusammenkommen",
        "{who} cannot take the Armut: beside a Hochzeit it is played only if the two come together",
    ),
    "belle_without_trump": ("Belle ohne Trumpf gilt nicht ({who})", "Belle without a trump is void ({who})"),
    "bid_void": ("Die Ansage von {who} gilt nicht", "The bid of {who} is void"),
    "card_after_end": ("{card} ist nach dem letzten Stich gefallen", "{card} fell after the last trick"),
    "die_saturated": ("{die}: Würfel steht schon auf 6", "{die}: the die is at 6 already"),
    "game_was_over": (
        "das Spiel war schon aus: zählt diese Runde noch?",
        "the game was over already: does this round still count?",
    ),
    "kleines_in_turned_suit": (
        "Ein Kleines in der Farbe des Orgi gilt nicht ({who})",
        "A Kleines in the suit of the Orgi is void ({who})",
    ),
    "meld_not_all_shown": ("{who} hat nicht alles Gemeldete gezeigt", "{who} has not shown all melds"),
    "no_fehlkarte": (
        "{card} ist keine Fehlkarte und kann nicht gerufen werden",
        "{card} is no plain card and cannot be called",
    ),
    "no_opening": ("der Eröffnungswurf fehlt", "the opening throw is missing"),
    "nobody_knows_who": ("wer sagte „{what}“?", "who said “{what}”?"),
    "not_played": ("„{what}“ wird hier nicht gespielt", "“{what}” is not played here"),
    "not_the_chooser": (
        "{who} sagt Trumpf an, hat ihn aber nicht zu bestimmen",
        "{who} names trump, but is not the chooser",
    ),
    "not_the_spinner": (
        "den Würfel {colour} kann der Kreisel nicht geschleudert haben",
        "the spinner cannot have flung the die {colour}",
    ),
    "opening_again": (
        "ein Eröffnungswurf mitten im Spiel: der weiße Würfel zählt für niemanden",
        "an opening throw in mid-game: the white die is nobody's",
    ),
    "re_without_kontra": ("Re ohne Kontra gilt nicht ({who})", "Re without Kontra is void ({who})"),
    "rounds_were_played": (
        "die vereinbarten Runden ({what}) sind gespielt: zählt diese noch?",
        "the agreed rounds ({what}) are played: does this one still count?",
    ),
    "said_for_the_others": (
        "die Ansage von {who} gilt nicht: sie war für die andere Partei, was noch niemand wissen konnte",
        "the announcement of {who} is void: it was for the other side, which nobody could know yet",
    ),
    "swap_of_nothing": ("es liegt keine Karte zum Tauschen ({who})", "there is no card to swap for ({who})"),
    "taken_early": (
        "{who} nimmt den Stich, bevor er voll ist",
        "{who} takes the trick before it is complete",
    ),
    "throw_after_end": ("ein Wurf nach dem Ende zählt nicht", "a throw after the end does not count"),
    "throw_after_tie": (
        "ein Wurf nach dem Gleichstand zählt erst, wenn das Entscheidungsspiel begonnen hat",
        "a throw after the tie counts only when the deciding game has begun",
    ),
    "throw_missed": (
        "vielleicht fehlt ein Wurf von {who}: der Tisch sah eine Zeit lang nichts",
        "a throw of {who} may be missing: the table could not see for a while",
    ),
    "thrower_unknown": (
        "niemand weiß, wer geworfen hat: der weiße Würfel zählt für niemanden",
        "nobody knows who threw: the white die is nobody's",
    ),
}
_SAID: dict[str, tuple[str, str]] = {
    "trump": ("Trumpf", "trump"),
    "ruf": ("ruft", "calls"),
    "farbe": ("Farbe", "suit"),
    "solo": ("Solo", "solo"),
    "solodu": ("SoloDu", "SoloDu"),
    "stoss": ("Stoß", "Stoß"),
    "k90": ("keine 90", "no 90"),
    "k60": ("keine 60", "no 60"),
    "k30": ("keine 30", "no 30"),
    "schmeissen": ("Schmeißen", "throws in"),
}


def finding(name: str, language: Language = "de", rule: str = "") -> str:
    """Return what an irregularity is called; `rule` tells apart what one finding stands for."""
    words = _FINDINGS.get(f"{name} {rule}") or _FINDINGS.get(name, (name, name))
    return words[0 if language == "de" else 1]


def remark(what: str, whom: str, who: str, language: Language = "de") -> str:
    """Return what the table says without accusing; `whom` is a seat (its name is `who`), a card or a word."""
    words = _REMARKS.get(what, ("{who}: " + what,) * 2)[0 if language == "de" else 1]
    named, shade = card(whom, language), colour(whom, language)
    die = {"black": colour("black", language)}.get(whom) or character(whom)
    return words.format(
        who=who,
        card=named,
        colour=shade,
        die=die,
        what=saying(whom, language),
    )


def saying(what: str, language: Language = "de") -> str:
    """Return what somebody said: "Trumpf Blau", "ruft Kreuz Ass", "keine 90"."""
    word, _, detail = what.partition(":")
    told = _SAID[word][0 if language == "de" else 1] if word in _SAID else word.capitalize()
    named = card(detail, language) if len(detail) == 2 else colour(detail, language)
    return f"{told} {named}" if detail else told
