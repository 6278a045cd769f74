"""The tone curve of pictures (sRGB, IEC 61966-2-1): grey levels to linear light and back."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_LEVEL = np.arange(256) / 255
LIGHT = np.where(_LEVEL <= 0.04045, _LEVEL / 12.92, ((_LEVEL + 0.055) / 1.055) ** 2.4).astype(np.float32)
"""Linear light (256,), 0 to 1, for each grey level 0 to 255."""


def from_light(light: NDArray[np.floating]) -> NDArray[np.uint8]:
    """Grey levels 0 to 255 for linear light of any shape; values outside 0 to 1 are clipped."""
    held = np.clip(light, 0.0, 1.0)
    level = np.where(held < 0.0031308, held * 12.92, 1.055 * held ** (1 / 2.4) - 0.055)
    return np.asarray(level * 255 + 0.5).astype(np.uint8)
