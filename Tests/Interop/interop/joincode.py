"""Join codes and the keys that are made of them (section 3)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
COST = 131_072


@dataclass(frozen=True)
class JoinCode:
    """A join code as it was read: fifteen characters of the alphabet."""

    text: str

    @property
    def hint(self) -> str:
        """The two characters that say which door."""
        return self.text[:2]

    @property
    def secret(self) -> str:
        """The twelve characters that open it."""
        return self.text[2:14]

    @property
    def identity(self) -> str:
        """The PSK identity."""
        return f"j:{self.hint}"

    def key(self, cost: int = COST) -> bytes:
        """The pre-shared key: half a second of work and 128 MiB at the real cost."""
        return hashlib.scrypt(
            self.secret.encode("ascii"),
            salt=b"scoresync join 1:" + self.hint.encode("ascii"),
            n=cost,
            r=8,
            p=1,
            # 128·N·r bytes are needed, and OpenSSL wants a little more.
            maxmem=128 * cost * 8 + (1 << 20),
            dklen=32,
        )


def read(typed: str) -> JoinCode:
    """The code that somebody typed; `ValueError` where it cannot be one."""
    letters = [letter for letter in typed.upper() if letter not in " -"]
    text = "".join({"O": "0", "I": "1", "L": "1"}.get(letter, letter) for letter in letters)
    if len(text) != 15 or any(letter not in ALPHABET for letter in text):
        raise ValueError("a join code has 15 characters")
    if check(text[:14]) != text[14]:
        raise ValueError("the join code is mistyped")
    return JoinCode(text)


def check(text: str) -> str:
    """The check character behind these: Luhn's formula modulo 32."""
    total = 0
    for place, letter in enumerate(reversed(text)):
        number = ALPHABET.index(letter) * (2 if place % 2 == 0 else 1)
        total += number // 32 + number % 32
    return ALPHABET[(32 - total % 32) % 32]
