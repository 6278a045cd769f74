"""Picture files: read whole, or refused with a sentence that says what to do."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.cameras.replay import Film, Folder
from vision.errors import SourceError
from vision.pictures import Album, picture_files, read_picture, read_within_reach, within_reach


def photograph() -> NDArray[np.uint8]:
    """(240, 320, 3) BGR: a plain cloth as a sensor sees it."""
    noise = np.random.default_rng(1).normal(0.0, 4.0, (240, 320, 3))
    return np.clip(np.full((240, 320, 3), 90.0) + noise, 0, 255).astype(np.uint8)


def jpeg(*options: int) -> bytes:
    return bytes(cv2.imencode(".jpg", photograph(), options)[1])


def test_a_whole_picture_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(jpeg())
    (tmp_path / "b.jpg").write_bytes(jpeg() + b"a phone's few words behind the picture")
    (tmp_path / "c.png").write_bytes(bytes(cv2.imencode(".png", photograph())[1]))
    for file in sorted(tmp_path.iterdir()):
        assert read_picture(file).shape == (240, 320, 3)


@pytest.mark.parametrize("kept", [0.4, 0.7, 0.9])
def test_a_jpeg_that_breaks_off_is_refused(tmp_path: Path, kept: float) -> None:
    file, data = tmp_path / "card.jpg", jpeg()
    file.write_bytes(data[: int(len(data) * kept)])
    with pytest.raises(SourceError, match=r"card\.jpg: the picture breaks off"):
        read_picture(file)


@pytest.mark.parametrize("kept", [0.3, 0.7, 0.99])
def test_a_jpeg_that_comes_in_passes_and_breaks_off_is_refused(tmp_path: Path, kept: float) -> None:
    """It decodes to the whole picture, only softer: a card's small letters are gone."""
    file, data = tmp_path / "card.jpg", jpeg(cv2.IMWRITE_JPEG_PROGRESSIVE, 1)
    file.write_bytes(data)
    assert read_picture(file).shape == (240, 320, 3)
    file.write_bytes(data[: int(len(data) * kept)])
    with pytest.raises(SourceError, match=r"card\.jpg: the picture breaks off"):
        read_picture(file)


@pytest.mark.parametrize("size", [(1, 1), (2, 2), (15, 400), (400, 4)])
def test_a_speck_of_a_picture_is_refused(tmp_path: Path, size: tuple[int, int]) -> None:
    speck = np.full((*size, 3), 200, np.uint8)
    cv2.imwrite(str(tmp_path / "a.png"), speck)
    with pytest.raises(SourceError, match=rf"only {size[1]} x {size[0]} pixels; give the picture as"):
        read_picture(tmp_path / "a.png")
    for looked_at in ("thin", "small", "picture"):
        with pytest.raises(SourceError, match=r"a\.png: cannot be read as a picture"):
            getattr(Folder(tmp_path).read_frame()[0], looked_at)  # type: ignore[index]


def test_a_narrow_picture_is_not_judged_by_its_half(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.full((20, 400, 3), 200, np.uint8))
    assert read_within_reach(tmp_path / "a.png", 100)[0].shape == (5, 100, 3)


def test_a_speck_of_a_film_is_refused(tmp_path: Path) -> None:
    film = cv2.VideoWriter(str(tmp_path / "a.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 10, (8, 8))
    for _ in range(3):
        film.write(np.full((8, 8, 3), 200, np.uint8))
    film.release()
    with pytest.raises(SourceError, match=r"a\.avi: the picture is only 8 x 8 pixels"):
        Film(tmp_path / "a.avi").read()


def test_a_telephones_picture_that_cannot_be_read_says_what_to_set_there(tmp_path: Path) -> None:
    file = tmp_path / "CA.heic"
    file.write_bytes(b"\0\0\0\x18ftypheic")
    with pytest.raises(SourceError, match=r"CA\.heic: .* set the phone to JPEG"):
        read_picture(file)


def test_pictures_of_a_folder_have_the_endings_that_programs_write(tmp_path: Path) -> None:
    for name in ("a.jfif", "b.JPE", "c.gif", "d.avif", "e.heic", "f.txt", "._g.jpg"):
        (tmp_path / name).touch()
    (tmp_path / "h.jpg").mkdir()
    assert [file.name for file in picture_files(tmp_path)] == ["a.jfif", "b.JPE", "c.gif", "d.avif", "e.heic"]


def test_a_picture_without_its_end_mark_but_with_all_its_rows_is_read(tmp_path: Path) -> None:
    """Some webcams omit the marker."""
    file = tmp_path / "a.jpg"
    file.write_bytes(jpeg()[:-2])
    assert read_picture(file).shape == (240, 320, 3)


@pytest.mark.parametrize(
    ("most_px", "size"), [(100, (75, 100, 3)), (200, (150, 200, 3)), (400, (240, 320, 3))]
)
def test_a_photograph_is_read_no_larger_than_it_is_looked_at(
    tmp_path: Path, most_px: int, size: tuple[int, int, int]
) -> None:
    """Half its size is decoded where that is enough; things lie at the same places as in the whole one."""
    drawn = photograph()
    cv2.circle(drawn, (200, 150), 30, (20, 20, 200), -1)
    for name in ("a.jpg", "a.png"):
        cv2.imwrite(str(tmp_path / name), drawn)
        picture, by = read_within_reach(tmp_path / name, most_px)
        whole, whole_by = within_reach(read_picture(tmp_path / name), most_px)
        assert (picture.shape, by) == (whole.shape, whole_by) == (size, by)
        red = np.argwhere(picture[..., 2] > picture[..., 1].astype(int) + 90)
        assert np.abs((red.mean(axis=0)[::-1] + 0.5) * by - 0.5 - (200, 150)).max() < 1.0


def test_a_photograph_that_breaks_off_is_refused_at_half_its_size_too(tmp_path: Path) -> None:
    file, data = tmp_path / "card.jpg", jpeg()
    file.write_bytes(data[: int(len(data) * 0.7)])
    with pytest.raises(SourceError, match=r"card\.jpg: the picture breaks off"):
        read_within_reach(file, 100)


def test_an_album_holds_few_pictures_and_reads_the_others_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A deck of 110 stills of 1280 x 720 would take 300 MB."""
    files = [tmp_path / f"{number}.png" for number in range(3)]
    for file in files:
        cv2.imwrite(str(file), photograph())
    monkeypatch.setattr("vision.pictures.AT_HAND_BYTES", 2 * photograph().nbytes)
    album = Album()
    first, again = ([album.read(file) for file in files] for _ in range(2))
    assert [one is two for one, two in zip(first, again, strict=True)] == [True, True, False]
    assert np.array_equal(first[2], again[2])


def test_what_is_no_picture_or_not_there_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"broken")
    (tmp_path / "empty.jpg").write_bytes(b"")
    for name in ("a.jpg", "empty.jpg"):
        with pytest.raises(SourceError, match="cannot be read as a picture"):
            read_picture(tmp_path / name)
    with pytest.raises(SourceError, match="no such file"):
        read_picture(tmp_path / "nowhere.jpg")
