"""SipHash-2-4 with 128 bits of result (section 6)."""

from __future__ import annotations

MASK = (1 << 64) - 1


def _rotate(word: int, bits: int) -> int:
    return ((word << bits) | (word >> (64 - bits))) & MASK


class _State:
    """The four words of SipHash."""

    def __init__(self, key: bytes) -> None:
        k0 = int.from_bytes(key[:8], "little")
        k1 = int.from_bytes(key[8:], "little")
        self.v0 = k0 ^ 0x736F6D6570736575
        # The 128-bit form differs by 0xEE here and by the two endings below.
        self.v1 = k1 ^ 0x646F72616E646F6D ^ 0xEE
        self.v2 = k0 ^ 0x6C7967656E657261
        self.v3 = k1 ^ 0x7465646279746573

    def rounds(self, count: int) -> None:
        v0, v1, v2, v3 = self.v0, self.v1, self.v2, self.v3
        for _ in range(count):
            v0 = (v0 + v1) & MASK
            v1 = _rotate(v1, 13) ^ v0
            v0 = _rotate(v0, 32)
            v2 = (v2 + v3) & MASK
            v3 = _rotate(v3, 16) ^ v2
            v0 = (v0 + v3) & MASK
            v3 = _rotate(v3, 21) ^ v0
            v2 = (v2 + v1) & MASK
            v1 = _rotate(v1, 17) ^ v2
            v2 = _rotate(v2, 32)
        self.v0, self.v1, self.v2, self.v3 = v0, v1, v2, v3

    @property
    def folded(self) -> int:
        return self.v0 ^ self.v1 ^ self.v2 ^ self.v3


def siphash128(data: bytes, key: bytes = bytes(16)) -> bytes:
    """The sixteen bytes of the hash of `data`."""
    state = _State(key)
    whole = len(data) - len(data) % 8
    # The last word has what is left, and the length in its highest byte.
    ending = data[whole:] + bytes(7 - len(data) % 8) + bytes([len(data) & 0xFF])
    padded = data[:whole] + ending
    for start in range(0, len(padded), 8):
        word = int.from_bytes(padded[start : start + 8], "little")
        state.v3 ^= word
        state.rounds(2)
        state.v0 ^= word
    state.v2 ^= 0xEE
    state.rounds(4)
    first = state.folded
    state.v1 ^= 0xDD
    state.rounds(4)
    return first.to_bytes(8, "little") + state.folded.to_bytes(8, "little")
