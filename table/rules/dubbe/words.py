"""What Dubbe's house rules mean, in German; the English words stand with the option."""

from __future__ import annotations

OPTIONS: dict[str, str] = {
    "rounds": "verabredete Runden; ohne sie beendet die Gruppe das Spiel",
    "ten_as": "wie ein Stand von genau zehn gezeigt wird",
    "black_die": "mit dem schwarzen Würfel spielen",
    "die_max": "wo der Würfel eines Charakters stehen bleibt",
    "game_tie": "Gleichstand an der Spitze",
    "black_grace": "wer den Stich nehmen darf, mit dem Jammerlabbe weiterzieht",
    "black_confirm": "nachfragen, bevor eine Berührung jemandem angelastet wird",
}
