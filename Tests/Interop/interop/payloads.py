"""Frames, and the scan that each payload passes before it is believed (section 1)."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

LARGEST_PAYLOAD = 2_097_152
LARGEST_INTEGER = (1 << 53) - 1
DEEPEST = 32


class Malformed(Exception):
    """What came breaks the rules of section 1."""


def frame(payload: bytes) -> bytes:
    """The payload with its length before it."""
    if not 1 <= len(payload) <= LARGEST_PAYLOAD:
        raise Malformed(f"a payload of {len(payload)} bytes")
    return len(payload).to_bytes(4, "big") + payload


def write(message: Any) -> bytes:
    """The payload of a message: keys in ascending order, no spaces."""
    text = json.dumps(message, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8")


def scan(payload: bytes) -> Any:
    """What the payload says, if the scan lets it pass."""
    try:
        text = payload.decode("utf-8")
        value = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=_fraction,
            parse_constant=_refuse,
        )
    except (ValueError, RecursionError) as error:
        raise Malformed(str(error)) from error
    _check(value, 0)
    return value


class Fraction(float):
    """A number with a fraction or an exponent: no field of this version has one."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [unicodedata.normalize("NFC", name) for name, _ in pairs]
    if len(set(names)) != len(names):
        raise Malformed("an object has a key twice")
    return dict(pairs)


def _integer(text: str) -> int:
    number = int(text) if len(text) < 20 else LARGEST_INTEGER + 1
    if abs(number) > LARGEST_INTEGER:
        raise Malformed(f"the integer {text[:20]} is too large")
    return number


def _fraction(text: str) -> Fraction:
    return Fraction(text)


def _refuse(text: str) -> Any:
    raise Malformed(f"{text} is no number of JSON")


def _check(value: Any, depth: int) -> None:
    if isinstance(value, str):
        if any(0xD800 <= ord(character) <= 0xDFFF for character in value):
            raise Malformed("half a surrogate pair")
    elif isinstance(value, (list, dict)):
        if depth >= DEEPEST:
            raise Malformed(f"nested deeper than {DEEPEST}")
        parts = value if isinstance(value, list) else [*value.keys(), *value.values()]
        for part in parts:
            _check(part, depth + 1)


class FrameReader:
    """Cuts a stream of bytes into payloads."""

    def __init__(self, limit: int = LARGEST_PAYLOAD) -> None:
        self._bytes = bytearray()
        self._limit = limit

    def feed(self, data: bytes) -> None:
        """Takes in what came."""
        self._bytes += data

    def next(self) -> bytes | None:
        """The next whole payload; None while it has not come."""
        if len(self._bytes) < 4:
            return None
        length = int.from_bytes(self._bytes[:4], "big")
        if not 1 <= length <= self._limit:
            raise Malformed(f"a frame of {length} bytes")
        if len(self._bytes) < 4 + length:
            return None
        payload = bytes(self._bytes[4 : 4 + length])
        del self._bytes[: 4 + length]
        return payload
