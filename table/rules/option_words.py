"""What every house rule means, in German; the English words stand with the option itself."""

from __future__ import annotations

from typing import Literal

from table.rules.setup import Option

Language = Literal["de", "en"]

_EVERYWHERE: dict[str, str] = {"show_inference": "zeigen, wer sich als frei von einer Farbe gezeigt hat"}
_GERMAN: dict[str, dict[str, str]] = {
    "dubbe": {
        "rounds": "verabredete Runden; ohne sie beendet die Gruppe das Spiel",
        "ten_as": "wie ein Stand von genau zehn gezeigt wird",
        "black_die": "mit dem schwarzen Würfel spielen",
        "die_max": "wo der Würfel eines Charakters stehen bleibt",
        "game_tie": "Gleichstand an der Spitze",
        "black_grace": "wer den Stich nehmen darf, mit dem Jammerlabbe weiterzieht",
        "black_confirm": "nachfragen, bevor eine Berührung jemandem angelastet wird",
    },
    "dulle": {
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
    },
    "doppelkopf": {
        "cards": "mit oder ohne Neunen",
        "second_beats_first": "von zwei gleichen Karten sticht hier die zweite",
        "withdraw": "ein Vorbehalt darf zurückgenommen werden, bis er benannt ist",
        "soli": "welche Soli gespielt werden",
        "solo_order": "welches Solo vorgeht; ohne Angabe entscheidet der Platz",
        "reservations": "welcher Vorbehalt vorgeht",
        "hochzeit": "welcher Stich den Partner finden darf",
        "hz_limit": "wann die Hochzeit allein spielt",
        "hz_wait": "ein eigener Stich der angesagten Art schiebt den Partner nur auf",
        "hz_shift": "ein später Partner schiebt die Fristen hinaus",
        "hz_calls": "bevor der Partner einer Hochzeit gefunden ist, wird nichts angesagt, kein Re oder alles",
        "ansage_cards": "Karten auf der Hand für Re und Kontra",
        "k90_cards": "Karten auf der Hand für keine 90",
        "k60_cards": "Karten auf der Hand für keine 60",
        "k30_cards": "Karten auf der Hand für keine 30",
        "schwarz_cards": "Karten auf der Hand für schwarz",
        "deadline_unit": "Fristen zählen eigene Karten oder eigenes Aufspielen",
        "reply": "Re und Kontra dürfen mit einer Karte weniger erwidert werden",
        "jump_late": "eine Absage darf niedrigere einschließen, für die allein es zu spät wäre",
        "specials": "welche Sonderpunkte zählen",
        "solo_specials": "Sonderpunkte zählen auch im Solo",
        "armut": "höchstens so viele Trümpfe hat eine Armut; 0: es gibt keine",
        "armut_fuchs": "der Fuchs muss gezeigt werden, oder nur als überzähliger Trumpf",
        "armut_return": "zurückgegebene Trümpfe müssen angesagt werden",
        "armut_twice": "zwei Armuten zugleich",
        "armut_hochzeit": "Armut neben einer Hochzeit: jeder darf sie nehmen, oder nur die beiden zusammen",
        "throw": "womit ein Blatt geschmissen werden darf",
        "schweinchen": "beide Karo Asse auf einer Hand stehen über der Herz Zehn",
        "swine_call": "wann Schweinchen angesagt werden",
        "spitze": "die Karo 7 anstelle einer Herz 9 ist der höchste Trumpf",
        "spitze_in_solo": "die Spitze ist auch im Trumpfsolo hoch",
        "solo_leads": "wer im Solo aufspielt",
        "deal_after_solo": "wer nach einem Solo gibt",
        "pflichtsolo": "Soli, die jeder spielen muss",
        "bock": "was Bockspiele bringt",
        "bock_overlap": "Bockspiele während Bockspielen",
        "kontra_alone": "ist nur Kontra angesagt, gewinnt Re mit 120",
        "tariff": "Ansagen bringen Punkte oder verdoppeln",
        "factors": "was verdoppelt",
        "factor_scope": "ob Sonderpunkte mit verdoppelt werden",
        "solo_is_re": "ein Solo gilt als angesagtes Re",
        "silent_kontra": "eine stille Hochzeit darf Kontra sagen",
    },
    "klapper-jas": {
        "dice": "ein Würfel für jeden, rauf und runter, oder zwei",
        "tie3": "zu dritt hat ein Gegner so viel wie der Spieler",
        "long_runs": "wie fünf und mehr in Folge gemeldet werden",
        "meld_needs_trick": "wessen Stich eine Meldung zu viert braucht",
        "no_trick_meld": "wer zählt, wenn die beste Meldung keinen Stich bekommt",
        "seven_swap": "in welchen Spielen die 7 getauscht werden darf",
        "undertrump": "wer nicht höher stechen kann, muss trotzdem stechen",
        "partner_exception": "wessen Partner den Stich hat, der muss nicht stechen",
        "first_announcer": "wer von zwei gleichen Meldungen die erste hat",
    },
    "doppelx": {
        "edge_penalty": "was eine Hand über dem Rand kostet",
        "opening_doppelx": "ein Doppel X zählt auch im ersten Wurf",
        "floor": "wo die Chips eines Spielers enden",
        "cocked": "bei einem schiefen Würfel nachfragen, oder ihn gelten lassen",
    },
}


def option_words(game: str, option: Option, language: Language = "en") -> str:
    """Return what an option means, for people."""
    if language == "en":
        return option.words
    return _GERMAN.get(game, {}).get(option.name) or _EVERYWHERE.get(option.name, option.words)
