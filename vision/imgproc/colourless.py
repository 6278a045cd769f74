"""Pictures without colours: a camera in night mode delivers the same plane three times."""

from __future__ import annotations

import numpy as np

from vision.sightings import Picture

_STEP = 8
"""Stride, each way, of the pixels that are examined."""
_LEVELS = 4
"""Most levels of 255 by which the channels of a grey pixel differ: decoding a grey JPEG or film leaves 2."""
_SHARE = 0.995
"""Share of grey pixels from which on a picture has no colours. Colour cameras stay far below: in ten films
.87 to .99 of the pixels were not grey."""


def is_colourless(picture: Picture) -> bool:
    """Whether a picture (h, w, 3) BGR uint8 was taken without colours.

    A colour camera shows some colour even on white paper: lamps are warm, white balance is never exact, and
    noise is coloured.
    """
    blue, green, red = np.moveaxis(picture[_STEP // 2 :: _STEP, _STEP // 2 :: _STEP].astype(np.int16), -1, 0)
    if not green.size:
        return False
    grey = np.maximum(abs(blue - green), abs(red - green)) <= _LEVELS
    return bool(grey.mean() >= _SHARE)


def without_colours(picture: Picture) -> Picture:
    """The picture as a camera without colours delivers it: (h, w, 3) uint8, three equal planes."""
    grey = (picture @ _LUMA).round().astype(np.uint8)
    return np.ascontiguousarray(np.repeat(grey[..., None], 3, axis=2))


_LUMA = np.array([0.114, 0.587, 0.299], np.float32)
"""Luma weights of blue, green and red (ITU-R BT.601)."""
