"""Names of sources, and the errors for those that do not exist."""

from __future__ import annotations

from pathlib import Path

import pytest

from vision.cameras import is_live, open_camera
from vision.errors import SourceError


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("nowhere.mp4", "no such film or folder"),
        ("usb:x", "a camera is called usb:0"),
        ("usb:97", "there is no such camera"),
    ],
)
def test_a_source_that_is_not_there_is_refused(source: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=says):
        open_camera(source if ":" in source else str(tmp_path / source))


def test_only_a_kind_of_device_with_its_number_is_a_live_camera() -> None:
    """A folder may be called like a device, or have a colon in its name."""
    names = ("usb:0", "pi:1", "usb", "usb:x", "usb:", "C:0", "usb:0/film.mp4")
    assert [name for name in names if is_live(name)] == ["usb:0", "pi:1"]
