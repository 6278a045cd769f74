"""What Klapper-Jas's house rules mean, in German; the English words stand with the option."""

from __future__ import annotations

OPTIONS: dict[str, str] = {
    "dice": "ein Würfel für jeden, rauf und runter, oder zwei",
    "tie3": "zu dritt hat ein Gegner so viel wie der Spieler",
    "long_runs": "wie fünf und mehr in Folge gemeldet werden",
    "meld_needs_trick": "wessen Stich eine Meldung zu viert braucht",
    "no_trick_meld": "wer zählt, wenn die beste Meldung keinen Stich bekommt",
    "seven_swap": "in welchen Spielen die 7 getauscht werden darf",
    "undertrump": "wer nicht höher stechen kann, muss trotzdem stechen",
    "partner_exception": "wessen Partner den Stich hat, der muss nicht stechen",
    "first_announcer": "wer von zwei gleichen Meldungen die erste hat",
}
