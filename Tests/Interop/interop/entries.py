"""Entries, their canonical bytes, and the digest (sections 5 and 6)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Iterable, Mapping, Union

from .siphash import siphash128


@dataclass(frozen=True)
class Foreign:
    """A value of a later version, kept and passed on as it is."""

    kind: str
    text: str


Value = Union[None, bool, int, str, Foreign]
Dot = tuple[str, int]
Vector = Mapping[str, int]


@dataclass(frozen=True)
class Entry:
    """What was written once under a key."""

    actor: str
    sequence: int
    stamp: int
    author: str
    value: Value

    @property
    def dot(self) -> Dot:
        """The name of the write."""
        return (self.actor, self.sequence)

    @property
    def rank(self) -> tuple[int, str, int]:
        """What decides who wins: of several live entries the greatest."""
        return (self.stamp, self.actor, self.sequence)

    def is_in(self, vector: Vector) -> bool:
        """Whether the vector covers it."""
        return self.sequence <= vector.get(self.actor, 0)


def canonical(key: str, entry: Entry) -> bytes:
    """The bytes that are hashed and compared."""
    name = key.encode("utf-8")
    return b"".join([
        len(name).to_bytes(2, "big"),
        name,
        bytes.fromhex(entry.actor),
        entry.sequence.to_bytes(8, "big"),
        entry.stamp.to_bytes(8, "big"),
        bytes.fromhex(entry.author),
        _canonical_value(entry.value),
    ])


def _canonical_value(value: Value) -> bytes:
    if value is None:
        return b"\x00"
    # A boolean is an int in Python, and must be asked for first.
    if isinstance(value, bool):
        return b"\x01" + bytes([int(value)])
    if isinstance(value, int):
        return b"\x02" + value.to_bytes(8, "big", signed=True)
    if isinstance(value, str):
        return b"\x03" + _sized(value)
    return b"\x04" + _sized(value.kind) + _sized(value.text)


def _sized(text: str) -> bytes:
    data = text.encode("utf-8")
    return len(data).to_bytes(8, "big") + data


def digest(live: Iterable[tuple[str, Entry]]) -> str:
    """The digest of these live entries."""
    total = 0
    for key, entry in live:
        total += _hash(canonical(key, entry))
    return f"{total % (1 << 128):032x}"


@lru_cache(maxsize=65_536)
def _hash(data: bytes) -> int:
    """The hash as a number; remembered, because Python takes its time over each."""
    hashed = siphash128(data)
    upper = int.from_bytes(hashed[:8], "little")
    lower = int.from_bytes(hashed[8:], "little")
    return upper << 64 | lower
