"""The PIN of the host: stored as a hash beside the journal, with a limit on tries.

Six digits are few. They are protected by the time that wrong tries cost, for one address and for all
together, and by the hash file, which nobody outside the machine can read.
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
"""Parameters of scrypt: 16 MiB and some 50 ms per try."""

FREE = 5
"""Wrong tries of one address before it has to wait."""

FREE_TOGETHER = 20
"""Wrong tries of all addresses together before everybody has to wait: changing addresses gains nothing."""

FIRST_WAIT_S = 30.0
"""First wait; each further wrong try doubles it."""

LONGEST_WAIT_S = 900.0

FORGET_S = 3600.0
"""Time without a wrong try after which an address's tries are forgotten."""


def is_pin(text: str) -> bool:
    """Whether a text has the form of a PIN: six ASCII digits."""
    return len(text) == DIGITS and text.isascii() and text.isdigit()


def new_pin() -> str:
    """A random PIN."""
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"


@dataclass(frozen=True, slots=True)
class HashedPin:
    """A PIN as it is stored: it cannot be read back."""

    salt: bytes
    digest: bytes

    @classmethod
    def of(cls, pin: str) -> HashedPin:
        """Hash a new PIN with a random salt."""
        salt = secrets.token_bytes(16)
        return cls(salt, hashlib.scrypt(pin.encode(), salt=salt, **COST))

    def matches(self, pin: str) -> bool:
        """Whether this is the PIN; takes equally long for every wrong one."""
        return hmac.compare_digest(self.digest, hashlib.scrypt(pin.encode(), salt=self.salt, **COST))


def pin_place(journal: Path) -> Path:
    """The file beside a journal that holds the PIN's hash."""
    return journal.with_suffix(".pin")


def read_pin(file: Path) -> HashedPin | None:
    """The stored PIN; None if there is none, or it cannot be read."""
    try:
        name, salt, digest = file.read_text("ascii").split()
        kept = HashedPin(bytes.fromhex(salt), bytes.fromhex(digest))
    except (OSError, ValueError):
        return None
    return kept if name == "scrypt" and len(kept.digest) == 64 else None


def keep_pin(file: Path, pin: str) -> HashedPin:
    """Store a PIN's hash in a file that only its owner can read, completely or not at all.

    Raises:
        StammtischError: the file cannot be written.
    """
    hashed = HashedPin.of(pin)
    line = f"scrypt {hashed.salt.hex()} {hashed.digest.hex()}\n"
    try:
        replace_whole(file, line.encode(), 0o600)
    except OSError as wrong:
        raise StammtischError(f"{file}: the host PIN cannot be kept ({wrong.strerror}); fix that") from None
    return hashed


class Tries:
    """Wrong tries of each address and of all together. `now` is seconds on a monotonic clock."""

    def __init__(self) -> None:
        self._wrong: dict[str, tuple[int, float]] = {}

    def counted(self) -> dict[str, int]:
        """The number of wrong tries by address; "" has those of all together."""
        return {key: count for key, (count, _) in self._wrong.items()}

    def go_on(self, counted: dict[str, int], now: float) -> None:
        """Restore the wrong tries from before a restart as if the last of each were made now.

        No clock reliably says how long the plug was out, so the wait begins again.
        """
        self._wrong = {key: (count, now) for key, count in counted.items()}

    def wait_s(self, address: str, now: float) -> float:
        """How long this address must wait before it may try; 0 = it may try now."""
        return max(self._wait(_place(address), FREE, now), self._wait("", FREE_TOGETHER, now))

    def book(self, address: str, now: float) -> None:
        """Count a try as wrong before it is checked, so that many at once count as many."""
        self._wrong = {key: at for key, at in self._wrong.items() if now - at[1] < FORGET_S}
        for key in (_place(address), ""):
            self._wrong[key] = (self._wrong.get(key, (0, now))[0] + 1, now)

    def right(self, address: str) -> None:
        """Note that the try was right: clear the address's count, and take this try out of the common one."""
        self._wrong.pop(_place(address), None)
        count, at = self._wrong.get("", (1, 0.0))
        self._wrong[""] = (count - 1, at)

    def _wait(self, key: str, free: int, now: float) -> float:
        count, at = self._wrong.get(key, (0, now))
        if count < free or now - at >= FORGET_S:
            return 0.0
        return max(0.0, at + min(FIRST_WAIT_S * 2.0 ** min(count - free, 16), LONGEST_WAIT_S) - now)


def _place(address: str) -> str:
    """One guest's address; for IPv6 the /64 network, since a guest has any number of addresses in it."""
    try:
        known = ip_address(address)
    except ValueError:
        return address or "?"
    if not isinstance(known, IPv6Address):
        return str(known)
    return str(known.ipv4_mapped or IPv6Address(int(known) >> 64 << 64))
