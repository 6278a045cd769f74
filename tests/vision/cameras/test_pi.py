"""The Raspberry Pi's camera, with a stand-in for `rpicam-vid`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.cameras.drained import drain
from vision.cameras.pi import PiCamera
from vision.errors import SourceError


def stand_in(folder: Path, pictures: int) -> str:
    """A program that speaks like rpicam-vid: JPEG after JPEG on its standard output."""
    jpeg = folder / "one.jpg"
    cv2.imwrite(str(jpeg), np.full((48, 64, 3), 120, np.uint8))
    program = folder / "rpicam-vid"
    program.write_text(
        f"#!{sys.executable}\nimport sys, time\njpeg = open({str(jpeg)!r}, 'rb').read()\n"
        f"for _ in range({pictures}):\n    sys.stdout.buffer.write(jpeg)\n    sys.stdout.flush()\n"
        "    time.sleep(0.02)\n"
    )
    program.chmod(0o755)
    return str(program)


def test_the_pi_camera_gives_frames_and_says_when_it_is_gone(tmp_path: Path) -> None:
    camera = PiCamera(0, stand_in(tmp_path, 5))
    picture, t = camera.read()
    assert (picture.shape, t) == ((48, 64, 3), 0.0)
    with pytest.raises(SourceError, match="the camera is gone"):
        drain(camera)
    camera.close()


def test_what_rpicam_vid_complains_of_is_told(tmp_path: Path) -> None:
    program = Path(stand_in(tmp_path, 1))
    camera_in_use = "ERROR: *** failed to acquire camera /base/imx708 ***"
    program.write_text(
        program.read_text(encoding="utf-8") + f"print({camera_in_use!r}, file=sys.stderr)\nsys.exit(255)\n",
        encoding="utf-8",
    )
    camera = PiCamera(0, str(program))
    with pytest.raises(
        SourceError, match=r"pi:0: the camera failed \(failed to acquire camera /base/imx708\)"
    ):
        drain(camera)
    camera.close()


def test_what_comes_from_rpicam_vid_and_begins_no_picture_is_not_kept(tmp_path: Path) -> None:
    program = Path(stand_in(tmp_path, 5))
    program.write_text(
        program.read_text(encoding="utf-8").replace(
            "jpeg = open", "sys.stdout.buffer.write(bytes(99_999) + b'\\xff')\njpeg = open"
        ),
        encoding="utf-8",
    )
    camera = PiCamera(0, str(program))
    camera.read()
    with pytest.raises(SourceError, match="the camera is gone"):
        drain(camera)
    assert len(camera._rest) <= 1
    camera.close()


def test_the_pi_camera_focuses_once_and_does_not_hunt(tmp_path: Path) -> None:
    """`rpicam-vid` knows the option whether or not the lens can move."""
    program = Path(stand_in(tmp_path, 5))
    told = tmp_path / "told"
    program.write_text(
        program.read_text(encoding="utf-8").replace(
            "import sys, time", f"import sys, time\nopen({str(told)!r}, 'w').write(' '.join(sys.argv))"
        ),
        encoding="utf-8",
    )
    camera = PiCamera(0, str(program))
    camera.read()
    camera.close()
    assert "--autofocus-mode auto" in told.read_text()


def test_without_rpicam_vid_the_pi_camera_says_what_to_install() -> None:
    with pytest.raises(SourceError, match="rpicam-apps"):
        PiCamera(0, f"no-such-program-{os.getpid()}")
