"""Doppelkopf's words, German and English: games, announcements, settlement lines and their reasons."""

from __future__ import annotations

from table.rules.story import Texts

GAMES: Texts = {
    "normal": ("Normalspiel", "normal game"),
    "hochzeit": ("Hochzeit", "Hochzeit"),
    "armut": ("Armut", "Armut"),
    "thrown": ("zusammengeworfen", "thrown in"),
    "schmeissen": ("will zusammenwerfen", "wants to throw in"),
    "solo:damen": ("Damensolo", "solo of queens"),
    "solo:buben": ("Bubensolo", "solo of jacks"),
    "solo:as": ("Fleischloser", "solo without trumps"),
    "solo:trumpf": ("Trumpfsolo", "trump solo"),
    "solo:C": ("Kreuzsolo", "solo in clubs"),
    "solo:S": ("Piksolo", "solo in spades"),
    "solo:H": ("Herzsolo", "solo in hearts"),
    "solo:D": ("Karosolo", "solo in diamonds"),
}
SAID: Texts = {
    "re": ("Re", "Re"),
    "kontra": ("Kontra", "Kontra"),
    "k90": ("keine 90", "no 90"),
    "k60": ("keine 60", "no 60"),
    "k30": ("keine 30", "no 30"),
    "schwarz": ("schwarz", "schwarz"),
}
LINES: Texts = {
    "gewonnen": ("gewonnen", "won"),
    "re": ("Re angesagt", "Re announced"),
    "kontra": ("Kontra angesagt", "Kontra announced"),
    "unter_90": ("unter 90", "under 90"),
    "unter_60": ("unter 60", "under 60"),
    "unter_30": ("unter 30", "under 30"),
    "schwarz": ("kein Stich", "no trick"),
    "k90_abgesagt": ("keine 90 abgesagt", "no 90 announced"),
    "k60_abgesagt": ("keine 60 abgesagt", "no 60 announced"),
    "k30_abgesagt": ("keine 30 abgesagt", "no 30 announced"),
    "schwarz_abgesagt": ("schwarz abgesagt", "schwarz announced"),
    "120_gegen_k90": ("120 gegen keine 90", "120 against no 90"),
    "90_gegen_k60": ("90 gegen keine 60", "90 against no 60"),
    "60_gegen_k30": ("60 gegen keine 30", "60 against no 30"),
    "30_gegen_schwarz": ("30 gegen schwarz", "30 against schwarz"),
    "gegen_die_alten": ("gegen die Re-Damen", "against the Kreuz Damen"),
    "doppelkopf": ("Doppelkopf", "Doppelkopf"),
    "fuchs_gefangen": ("Fuchs gefangen", "Fuchs caught"),
    "karlchen": ("Karlchen", "Karlchen"),
    "karlchen_gefangen": ("Karlchen gefangen", "Karlchen caught"),
    "doppel_karlchen": ("Doppel-Karlchen", "double Karlchen"),
    "fuchs_letzter_stich": ("Fuchs macht den letzten Stich", "Fuchs wins the last trick"),
    "dulle_mit_spitze": ("Dulle mit Spitze gefangen", "Herz 10 caught by the Spitze"),
    "dulle_mit_schweinchen": ("Dulle mit Schweinchen gefangen", "Herz 10 caught by a Schweinchen"),
    "dulle_mit_dulle": ("Dulle mit Dulle gefangen", "Herz 10 caught by the other one"),
    "zweiter_fuchs": ("zweiter Fuchs fängt den ersten", "second Fuchs catches the first"),
    "solo": ("Solo", "solo"),
    "lost_solo": ("verlorenes Solo", "solo lost"),
    "bock": ("Bockspiel", "Bock game"),
}
WHY: Texts = {
    "K-24": ("Re gewinnt mit 121 Augen, Kontra mit 120.", "Re wins with 121, Kontra with 120."),
    "K-25": (
        "Nur Kontra ist angesagt: Re genügen 120 Augen, Kontra braucht 121.",
        "Only Kontra was announced: 120 are enough for Re, Kontra needs 121.",
    ),
    "K-27": (
        "Wer absagt, braucht 151 Augen (keine 60: 181, keine 30: 211, schwarz: alle Stiche).",
        "An Absage needs 151 (no 60: 181, no 30: 211, schwarz: every trick).",
    ),
    "K-28": (
        "Die Absage ist verfehlt: dagegen genügen 90 Augen (keine 60: 60, keine 30: 30, schwarz: ein Stich).",
        "The Absage was missed: against it 90 are enough (no 60: 60, no 30: 30, schwarz: one trick).",
    ),
    "K-29": ("Beide haben ihre Absage verfehlt.", "Both have missed their Absage."),
    "K-30": ("Ein Punkt für das gewonnene Spiel.", "One point for the game that was won."),
    "K-31": (
        "Jede Ansage bringt dem Sieger zwei Punkte, wer immer sie gemacht hat.",
        "Every Ansage brings the winner two points, whoever made it.",
    ),
    "K-32": (
        "Ein Punkt für jede Stufe, unter der die Gegenpartei geblieben ist.",
        "One point for every step that the other side stayed under.",
    ),
    "K-33": (
        "Jede Absage bringt dem Sieger einen Punkt, auch eine übersprungene.",
        "Every Absage brings the winner a point, one that was jumped over too.",
    ),
    "K-34": (
        "Ein Punkt dafür, so viele Augen gegen die Absage erreicht zu haben.",
        "One point for having reached so much against the Absage.",
    ),
    "K-35": ("Kontra hat gegen die Kreuz Damen gewonnen.", "Kontra has won against the Kreuz Damen."),
    "K-36": ("Ein Stich mit 40 oder mehr Augen.", "A trick of 40 or more."),
    "K-37": ("Ein Karo Ass der Gegenpartei im eigenen Stich.", "A Karo Ass of the other side taken."),
    "K-38": ("Der Kreuz Bube macht den letzten Stich.", "The Kreuz Bube wins the last trick."),
    "K-40": (
        "Im Solo zählen keine Sonderpunkte, und der Solist bekommt oder zahlt für drei.",
        "In a solo no Sonderpunkte count, and the soloist is paid or pays for three.",
    ),
    "K-59": ("Ein Sonderpunkt nach den Hausregeln.", "A Sonderpunkt of the house."),
    "K-70": (
        "Nach verlorenem Re oder Kontra zählen Spiele doppelt.",
        "After a lost Re or Kontra games count double.",
    ),
    "K-72": ("Das verdoppelt nach den Hausregeln.", "This doubles by the rules of the house."),
}
