"""What Dulle's house rules mean, in German; the English words stand with the option."""

from __future__ import annotations

OPTIONS: dict[str, str] = {
    "karo10": "wo die Karo Zehn steht",
    "pflichtstoss": "ein Gegner mit der Dulle muss Stoß geben",
    "pflichtstoss_card": "welche Dulle das ist",
    "ansagen": "Schneider und Schwarz dürfen angesagt werden",
    "bock": "nach einem Solo zählt alles doppelt",
    "bock_deals": "für so viele Spiele",
    "schneider": "27 und 26: Schneider, oder gerade frei",
    "partner_duty": "zu welchen Karten der Partner bekannt werden muss",
    "tariff": "was ein gewonnenes Spiel zählt",
    "stoss_until": "bis wann Stoß und Ansage gelten",
}
