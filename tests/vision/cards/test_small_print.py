"""Cards with nothing but a small sign in their corners: enrolment says why it cannot learn them."""

from __future__ import annotations

import cv2
import numpy as np

from vision.cards.deck import learn
from vision.cards.still import Still


def test_a_deck_with_nothing_but_small_signs_is_refused_with_its_cause_and_remedy() -> None:
    chance = np.random.default_rng(4)
    cloth = np.full((480, 640, 3), 80, np.uint8)
    stills = []
    for number in range(8):
        picture = cloth.copy()
        x, y = (int(v) for v in chance.integers((150, 120), (420, 240)))
        cv2.rectangle(picture, (x, y), (x + 90, y + 135), (238, 236, 235), -1)
        for at in ((x + 4, y + 10), (x + 80, y + 131)):
            cv2.putText(picture, str(number), at, cv2.FONT_HERSHEY_SIMPLEX, 0.3, (50, 50, 50), 1, cv2.LINE_AA)
        loud = np.clip(picture + chance.normal(0, 2, picture.shape), 0, 255).astype(np.uint8)
        stills.append(Still(f"black-{number}", f"black-{number}.jpg", loud))
    deck = learn(stills)
    assert deck.names == ()
    for refusal in deck.refused:
        assert refusal.reason.code == "blank"
        assert "too little to know a card by" in refusal.reason
        assert "a deck with larger print" in refusal.reason
