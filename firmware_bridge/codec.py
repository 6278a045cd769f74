"""Frames: COBS around type, sequence number, payload and CRC. Pure functions and one small collector.

On the wire: `00  COBS( type seq length payload… crc_high crc_low )  00`. COBS after Cheshire & Baker
(1999); CRC-16/CCITT-FALSE (polynomial 0x1021, start 0xFFFF) over type…payload. The leading zero ends
any noise that the other side has collected. The length is needed because this CRC does not notice a zero
lost at the end: a frame whose checksum ends in 00 could lose its last byte undetected.
"""

from __future__ import annotations

from binascii import crc_hqx
from collections.abc import Iterator
from dataclasses import dataclass

from firmware_bridge.errors import FrameError
from firmware_bridge.messages import FRAME_MAX, FRAME_OVERHEAD

CRC_START = 0xFFFF


@dataclass(frozen=True, slots=True)
class WireFrame:
    """The frame between two delimiters: `type` and `seq` 0..255."""

    type: int
    seq: int
    payload: bytes


def cobs_encode(raw: bytes) -> bytes:
    """Encode bytes so that none is zero, without adding a delimiter."""
    out = bytearray()
    block = bytearray()
    for at, byte in enumerate(raw):
        if byte:
            block.append(byte)
        if not byte or (len(block) == 254 and at + 1 < len(raw)):
            out.append(len(block) + 1)
            out += block
            block.clear()
    out.append(len(block) + 1)
    return bytes(out + block)


def cobs_decode(encoded: bytes) -> bytes:
    """Undo `cobs_encode`; raises `FrameError` for a zero byte or a truncated block."""
    if 0 in encoded:
        raise FrameError(f"no COBS: a zero at byte {encoded.index(0)} of {encoded.hex()}")
    blocks = []
    at, end = 0, len(encoded)
    while at < end:
        code = encoded[at]
        after = at + code
        if after > end:
            raise FrameError(f"no COBS at byte {at} of {encoded.hex()}")
        blocks.append(encoded[at + 1 : after])
        if code != 0xFF and after < end:
            blocks.append(b"\0")
        at = after
    return b"".join(blocks)


def encode(frame: WireFrame) -> bytes:
    """The frame's bytes on the wire, delimiters included; raises `FrameError` if it is too long."""
    if len(frame.payload) + FRAME_OVERHEAD > FRAME_MAX:
        raise FrameError(
            f"a frame of {len(frame.payload)} bytes of payload is longer than the board can take"
        )
    body = bytes((frame.type, frame.seq, len(frame.payload))) + frame.payload
    return b"\0" + cobs_encode(body + crc_hqx(body, CRC_START).to_bytes(2)) + b"\0"


def decode(encoded: bytes, frame_max: int = FRAME_MAX) -> WireFrame:
    """Decode the bytes between two delimiters.

    Raises:
        FrameError: COBS, length or CRC is wrong, or the frame has more than `frame_max` bytes before COBS.
    """
    raw = cobs_decode(encoded)
    if not FRAME_OVERHEAD <= len(raw) <= frame_max:
        raise FrameError(f"a frame of {len(raw)} bytes")
    if crc_hqx(raw, CRC_START):  # the CRC of a frame including its own checksum is zero
        raise FrameError(f"wrong checksum in {raw.hex()}")
    if raw[2] != len(raw) - FRAME_OVERHEAD:
        raise FrameError(f"a frame of {raw[2]} bytes of payload has {len(raw) - FRAME_OVERHEAD}")
    return WireFrame(raw[0], raw[1], raw[3:-2])


class Collector:
    """Splits a byte stream into frames, however it arrives; pieces that are no frame are only counted."""

    def __init__(self, frame_max: int = FRAME_MAX) -> None:
        self.bad = 0
        """Number of pieces between two delimiters that were no frame."""
        self._piece = b""
        self._frame_max = frame_max

    def feed(self, data: bytes) -> Iterator[WireFrame | None]:
        """Yield each frame that `data` completes, None for each broken one."""
        first, *others = data.split(b"\0")
        for next_piece in others:
            piece, self._piece = self._piece + first, b""
            first = next_piece
            if not piece:
                continue
            try:
                yield decode(piece, self._frame_max)
            except FrameError:
                self.bad += 1
                yield None
        # A piece longer than a frame is broken anyway, so its excess is not kept.
        self._piece = (self._piece + first)[: FRAME_MAX + 3]
