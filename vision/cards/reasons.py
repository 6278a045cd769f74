"""Why nothing was learnt from a still: an English sentence, and the same as a code for other languages."""

from __future__ import annotations

from typing import Any, Self

from numpy.typing import NDArray


class Reason(str):
    """A reason as a sentence; `code` and `told` let a house say the same in words of its own."""

    code: str
    told: dict[str, str | float]

    def __new__(cls, code: str, sentence: str, **told: str | float) -> Self:
        """Make the reason: `sentence` with the values `told` in its placeholders (`{width:.0f}`)."""
        reason = super().__new__(cls, sentence.format(**told))
        reason.code, reason.told = code, told
        return reason

    @classmethod
    def of_size(cls, code: str, sentence: str, size: NDArray[Any]) -> Self:
        """As above, with a size (2,), width and height, in whole numbers: `{width:.0f} x {height:.0f}`."""
        return cls(code, sentence, width=round(float(size[0])), height=round(float(size[1])))


PLAIN = "take them again on a plain ground, or with an empty.jpg of the bare one"

NO_CARD = Reason(
    "none",
    "no card found in this picture; take it again with exactly one card lying flat, wholly in view, on "
    "a ground that differs from it",
)
"""Nothing there looks like a card."""
NOT_BARE = Reason(
    "bare", "shows a card, so it was left out; take it again with nothing on the ground, or take it away"
)
"""Why the picture of the bare ground was not used."""
FEW_LEARNT = Reason(
    "few",
    f"in most pictures like this one no card is certain, so what was found here may be none either; {PLAIN}",
)
"""Why the few finds of a camera are refused when most of its pictures were."""
FEW_NEARER = Reason(
    "few.distance",
    "in most pictures like this one no card is certain, and the camera was nearer in some than in others;"
    " take them again from the same distance each time, with the camera on a stand",
)
"""As above, when the camera did not stand still."""
