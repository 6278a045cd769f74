"""How a sighting is drawn and described in a trace: outlines over the picture, dice in words."""

from __future__ import annotations

import numpy as np

from table.cli.look_overlay import die_mark
from vision.box.pipeline import BoxEye
from vision.mat.pipeline import Eye
from vision.overlay import REFUSED, SURE, UNSURE, OverlayMark, marks_of
from vision.sightings import CardDown, Sighting, ThrowSeen


def dice_in_words(sighting: ThrowSeen) -> str:
    """One line for each die: where it lies, how near to a zone's line, what is in doubt."""
    lines = []
    for die in sighting.dice:
        words = f"{die.colour or '?'} {die.face or '?'}, {die.where}"
        words += f", touches {' '.join(die.touches)}" if die.touches else ""
        words += f", counts as {die.counts_as}" if die.counts_as else ""
        words += "" if die.margin_mm is None else f", margin {die.margin_mm:.1f} mm"
        words += f"; not sure: {', '.join(die.doubt)}" if die.doubt else ""
        likely = ", ".join(f"{guess.name} {guess.confidence:.2f}" for guess in die.candidates)
        lines.append(words + (f" ({likely})" if likely else ""))
    return "\n".join(lines)


def eye_marks(sighting: Sighting | None, eye: object) -> list[OverlayMark]:
    """Marks of the eye's present state, and of this sighting."""
    if isinstance(eye, Eye):
        marks = marks_of(eye)
        if isinstance(sighting, CardDown) and eye.registration is not None:
            corners = eye.registration.to_px(sighting.corners_mm)
            marks.append(OverlayMark(corners, "", SURE if sighting.sure else UNSURE))
        return marks
    registration = eye.registration if isinstance(eye, BoxEye) else None
    if isinstance(sighting, CardDown):
        name = sighting.guesses[0].name if sighting.guesses else "?"
        return [OverlayMark(np.array(sighting.corners_mm), name, SURE if sighting.sure else UNSURE)]
    if not isinstance(sighting, ThrowSeen):
        return []
    marks = [die_mark(die, registration) for die in sighting.dice]
    if registration is not None:
        for x0, y0, x1, y1 in sighting.hiding_mm:
            hidden = registration.to_px([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
            marks.append(OverlayMark(hidden, "a die may lie here unseen", REFUSED, fine=True))
    return marks
