"""NumPy array types for annotations; whoever uses one states its axes and units."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Float32 = NDArray[np.float32]
"""Values computed from a picture's pixels."""
Float64 = NDArray[np.float64]
"""Places, lengths and angles: in millimetres of the table or pixels of a picture."""
Mask = NDArray[np.bool_]
"""A mask (h, w) of pixels or cells."""
