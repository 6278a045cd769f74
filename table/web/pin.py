"""The PIN of the host: kept as a hash beside the journal, and how often it may be tried.

Six digits are few. They are protected by the time that wrong tries cost, for one address and for all
together, and by the hash, which nobody outside the machine can read.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from pathlib import Path

from table.errors import StammtischError
from table.whole_file import replace_whole

DIGITS = 6

COST = {"n": 2**14, "r": 8, "p": 1}
"""Cost of scrypt: 16 MiB and some 50 ms a try."""

FREE = 5
"""Wrong tries of one address before it has to wait."""

FREE_TOGETHER = 20
"""The same for everybody together: taking another address for every try gains nothing."""

FIRST_WAIT_S = 30.0
"""First wait; each further wrong try doubles it."""

LONGEST_WAIT_S = 900.0

FORGET_S = 3600.0
"""Time without a wrong try after which all are forgotten."""


def is_pin(text: str) -> bool:
    """Whether this could be a PIN at all: six ASCII digits."""
    return len(text) == DIGITS and text.isascii() and text.isdigit()


def new_pin() -> str:
    """A random PIN."""
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"


@dataclass(frozen=True, slots=True)
class HashedPin:
    """A PIN as it is kept: nobody reads it back."""

    salt: bytes
    digest: bytes

    @classmethod
    def of(cls, pin: str) -> HashedPin:
        """Hash a new PIN with a salt of its own."""
        salt = secrets.token_bytes(16)
        return cls(salt, hashlib.scrypt(pin.encode(), salt=salt, **COST))

    def matches(self, pin: str) -> bool:
        """Whether this is the PIN; takes equally long for every wrong one."""
        return hmac.compare_digest(self.digest, hashlib.scrypt(pin.encode(), salt=self.salt, **COST))


def pin_place(journal: Path) -> Path:
    """The file beside a journal that keeps the PIN's hash."""
    return journal.with_suffix(".pin")


def read_pin(file: Path) -> HashedPin | None:
    """The kept PIN; None where there is none, or none that can be read."""
    try:
        name, salt, digest = file.read_text("ascii").split()
        kept = HashedPin(bytes.fromhex(salt), bytes.fromhex(digest))
    except (OSError, ValueError):
        return None
    return kept if name == "scrypt" and len(kept.digest) == 64 else None


def keep_pin(file: Path, pin: str) -> HashedPin:
    """Keep a PIN's hash in a file that only its owner reads, whole or not at all.

    Raises:
        StammtischError: it cannot be written.
    """
    hashed = HashedPin.of(pin)
    line = f"scrypt {hashed.salt.hex()} {hashed.digest.hex()}\n"
    try:
        replace_whole(file, line.encode(), 0o600)
    except OSError as wrong:
        raise StammtischError(f"{file}: the host PIN cannot be kept ({wrong.strerror}); mend that") from None
    return hashed


class Tries:
    """Wrong tries: of each address and of all together. `now` is seconds on a clock that never goes back."""

    def __init__(self) -> None:
        self._wrong: dict[str, tuple[int, float]] = {}

    def counted(self) -> dict[str, int]:
        """How many wrong tries each address has, and under "" all together."""
        return {key: count for key, (count, _) in self._wrong.items()}

    def go_on(self, counted: dict[str, int], now: float) -> None:
        """Take up the wrong tries of before a start as if the last of each were made now.

        No clock tells for sure how long the plug was out; so the wait begins anew.
        """
        self._wrong = {key: (count, now) for key, count in counted.items()}

    def wait_s(self, address: str, now: float) -> float:
        """How long this address must wait before it may try; 0 = it may."""
        return max(self._wait(_place(address), FREE, now), self._wait("", FREE_TOGETHER, now))

    def book(self, address: str, now: float) -> None:
        """Count a try as wrong before it is checked, so that many at once count as many."""
        self._wrong = {key: at for key, at in self._wrong.items() if now - at[1] < FORGET_S}
        for key in (_place(address), ""):
            self._wrong[key] = (self._wrong.get(key, (0, now))[0] + 1, now)

    def right(self, address: str) -> None:
        """Note that the try was right: the address begins anew, and this try was not a wrong one."""
        self._wrong.pop(_place(address), None)
        count, at = self._wrong.get("", (1, 0.0))
        self._wrong[""] = (count - 1, at)

    def _wait(self, key: str, free: int, now: float) -> float:
        count, at = self._wrong.get(key, (0, now))
        if count < free or now - at >= FORGET_S:
            return 0.0
        return max(0.0, at + min(FIRST_WAIT_S * 2.0 ** min(count - free, 16), LONGEST_WAIT_S) - now)


def _place(address: str) -> str:
    """One guest's address; for IPv6 the network, since a guest has as many addresses in it as he likes."""
    try:
        known = ip_address(address)
    except ValueError:
        return address or "?"
    if not isinstance(known, IPv6Address):
        return str(known)
    return str(known.ipv4_mapped or IPv6Address(int(known) >> 64 << 64))
