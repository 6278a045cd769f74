"""Frames survive the wire or are refused; C and Python agree on every byte."""

from __future__ import annotations

import ctypes
import random
import shutil
import subprocess
from binascii import crc_hqx
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.codec import Collector, WireFrame, cobs_decode, cobs_encode, decode, encode
from firmware_bridge.errors import FrameError
from firmware_bridge.messages import FRAME_MAX

C_SOURCES = Path(__file__).parents[2] / "hardware" / "core"

payloads = st.one_of(
    st.binary(max_size=FRAME_MAX - 5),
    st.integers(0, FRAME_MAX - 5).map(lambda n: b"\1" * n),  # COBS' corner: long runs without a zero
    st.integers(0, FRAME_MAX - 5).map(bytes),
)
frames = st.builds(WireFrame, st.integers(0, 255), st.integers(0, 255), payloads)


@given(frames)
def test_a_frame_comes_out_as_it_went_in(frame: WireFrame) -> None:
    wire = encode(frame)
    assert wire[0] == wire[-1] == 0
    assert 0 not in wire[1:-1]
    assert decode(wire[1:-1]) == frame


@given(st.binary(max_size=600))
def test_cobs_round_trip_of_any_length(raw: bytes) -> None:
    assert cobs_decode(cobs_encode(raw)) == raw


def test_cobs_examples_of_the_paper() -> None:
    """Cheshire & Baker 1999, and the 254-byte boundary."""
    assert cobs_encode(b"\0") == b"\1\1"
    assert cobs_encode(b"\0\0") == b"\1\1\1"
    assert cobs_encode(b"\x11\x22\0\x33") == b"\3\x11\x22\2\x33"
    run = bytes(range(1, 255))
    assert cobs_encode(run) == b"\xff" + run
    assert cobs_encode(run + b"\xff") == b"\xff" + run + b"\2\xff"


def test_the_checksum_is_ccitt_false() -> None:
    """The catalogue's check value for "123456789" is 0x29B1."""
    assert crc_hqx(b"123456789", 0xFFFF) == 0x29B1


@given(st.lists(frames, max_size=5), st.data())
def test_frames_are_found_however_the_stream_is_chopped(sent: list[WireFrame], data: st.DataObject) -> None:
    stream = b"".join(map(encode, sent))
    collector, heard = Collector(), []
    while stream:
        cut = data.draw(st.integers(1, len(stream)))
        heard += collector.feed(stream[:cut])
        stream = stream[cut:]
    assert heard == sent
    assert collector.bad == 0


@given(frames, st.binary(min_size=1, max_size=40))
def test_a_frame_after_noise_is_heard(frame: WireFrame, noise: bytes) -> None:
    assert list(Collector().feed(noise + encode(frame)))[-1] == frame


@given(frames, st.data())
def test_up_to_three_flipped_bits_in_a_frame_are_always_noticed(
    frame: WireFrame, data: st.DataObject
) -> None:
    """Polynomial 0x1021 has Hamming distance 4 up to 4095 bytes."""
    body = bytearray(cobs_decode(encode(frame)[1:-1]))
    bits = data.draw(st.sets(st.integers(0, len(body) * 8 - 1), min_size=1, max_size=3))
    for bit in bits:
        body[bit // 8] ^= 1 << bit % 8
    with pytest.raises(FrameError):
        decode(cobs_encode(bytes(body)))


def test_a_zero_lost_at_the_end_is_noticed() -> None:
    """CCITT-FALSE alone sums to zero with and without it."""
    seen = 0
    for number in range(3000):
        raw = cobs_decode(encode(WireFrame(2, 7, number.to_bytes(2)))[1:-1])
        if raw[-1] == 0:
            seen += 1
            assert crc_hqx(raw[:-1], 0xFFFF) == 0
            with pytest.raises(FrameError):
                decode(cobs_encode(raw[:-1]))
    assert seen


def test_damage_on_the_wire_never_becomes_another_frame() -> None:
    """20 000 frames with bytes flipped, lost and inserted, also among the COBS codes."""
    chance = random.Random(7)
    undamaged = 0
    for _ in range(20_000):
        frame = WireFrame(
            chance.randrange(256), chance.randrange(256), chance.randbytes(chance.randrange(60))
        )
        wire = bytearray(encode(frame)[1:-1])
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(len(wire))
            match chance.randrange(3):
                case 0:
                    wire[at] ^= 1 << chance.randrange(8)
                case 1:
                    del wire[at]
                case _:
                    wire.insert(at, chance.randrange(256))
            if not wire:
                break
        heard = [f for f in Collector().feed(bytes(wire) + b"\0") if f is not None]
        if heard == [frame]:  # two errors can cancel each other
            undamaged += 1
            continue
        assert heard == []
    assert undamaged < 40


@pytest.mark.parametrize("broken", [b"", b"\5\1", b"\2\0", b"\1", b"\3\1\1", b"\0"])
def test_what_is_no_frame_is_refused(broken: bytes) -> None:
    with pytest.raises(FrameError):
        decode(broken)


def test_a_frame_longer_than_the_board_can_take_is_never_sent() -> None:
    encode(WireFrame(1, 1, bytes(FRAME_MAX - 5)))
    with pytest.raises(FrameError):
        encode(WireFrame(1, 1, bytes(FRAME_MAX - 4)))


@pytest.fixture(scope="module")
def firmware_codec(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """cobs.c, cobs.h and crc.h of the firmware, compiled for this computer."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler: apt install gcc")
    folder = tmp_path_factory.mktemp("c")
    shim, library = folder / "shim.c", folder / "codec.so"
    shim.write_text(
        '#include "cobs.h"\n#include "crc.h"\n'
        "uint16_t sum(uint16_t crc, uint8_t byte) { return crc16(crc, byte); }\n"
        "int take(struct cobs *r, uint8_t byte, uint8_t *out) { return cobs_take(r, byte, out); }\n"
        "int complete(const struct cobs *r) { return cobs_complete(r); }\n"
    )
    options = ["-shared", "-fPIC", "-Wall", "-Werror", f"-I{C_SOURCES}"]
    subprocess.run([compiler, *options, "-o", library, shim, C_SOURCES / "cobs.c"], check=True)
    loaded = ctypes.CDLL(str(library))
    loaded.sum.restype = ctypes.c_uint16
    return loaded


class Reader(ctypes.Structure):
    """`struct cobs`."""

    _fields_ = (("left", ctypes.c_uint8), ("zero_due", ctypes.c_uint8))


def test_the_firmware_encodes_decodes_and_sums_up_like_python(firmware_codec: ctypes.CDLL) -> None:
    @given(st.one_of(st.binary(min_size=1, max_size=254), st.integers(1, 254).map(lambda n: b"\7" * n)))
    def agree(raw: bytes) -> None:
        out = (ctypes.c_uint8 * 258)()
        length = firmware_codec.cobs_encode(raw, len(raw), out)
        assert bytes(out[:length]) == cobs_encode(raw)

        reader, byte, decoded, total = Reader(), ctypes.c_uint8(), bytearray(), 0xFFFF
        for encoded in cobs_encode(raw):
            if firmware_codec.take(ctypes.byref(reader), encoded, ctypes.byref(byte)):
                decoded.append(byte.value)
                total = firmware_codec.sum(total, byte)
        assert firmware_codec.complete(ctypes.byref(reader))
        assert bytes(decoded) == raw
        assert total == crc_hqx(raw, 0xFFFF)

    agree()
