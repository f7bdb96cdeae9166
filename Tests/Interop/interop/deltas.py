"""How a delta travels: parts with a table of ids, and rows (section 4, *delta*)."""

from __future__ import annotations

from typing import Any, Iterator

from .entries import Entry, Foreign, Value
from .payloads import LARGEST_INTEGER, Malformed, write
from .replica import Delta

PART_BYTES = 65_536
LAST_MILLISECOND = (1 << 48) - 1
LAST_ROUND = 1_000_000
SYMBOL = frozenset("abcdefghijklmnopqrstuvwxyz0123456789._-")
DIGITS = frozenset("0123456789abcdef")


def need(holds: bool, what: str) -> None:
    """Refuses what is not so."""
    if not holds:
        raise Malformed(what)


def integer(value: Any, lowest: int, highest: int, what: str) -> int:
    """An integer within bounds."""
    need(isinstance(value, int) and not isinstance(value, bool), f"{what} is no integer")
    need(lowest <= value <= highest, f"{what} is out of bounds")
    return value


def identifier(value: Any) -> str:
    """An id: 32 lower-case hexadecimal digits."""
    need(isinstance(value, str) and len(value) == 32 and set(value) <= DIGITS, "no id")
    return value


# Reading


class DeltaReader:
    """Puts the parts of one delta together."""

    def __init__(self) -> None:
        self.base: dict[str, int] = {}
        self.upto: dict[str, int] = {}
        self.union = False
        self._rows: dict[str, list[Entry]] = {}
        self._next = 0
        self._last_key: str | None = None
        self._dots: set[tuple[str, int]] = set()

    def add(self, part: dict[str, Any]) -> Delta | None:
        """Takes the next part in; the delta once it is the last one."""
        need(part.get("part") == self._next, "a part is missing")
        need(isinstance(part.get("last"), bool), "last is neither true nor false")
        ids = [identifier(name) for name in part["ids"]]
        if self._next == 0:
            need(isinstance(part.get("union"), bool), "union is neither true nor false")
            self.union = part["union"]
            self._read_vectors(part["vectors"], ids)
        self._next += 1
        for row in part["entries"]:
            self._read_row(row, ids)
        if not part["last"]:
            return None
        changes = {key: tuple(live) for key, live in self._rows.items()}
        return Delta(self.base, self.upto, changes, self.union)

    def _read_vectors(self, rows: list[Any], ids: list[str]) -> None:
        for row in rows:
            need(len(row) == 3, "a row of vectors has three numbers")
            actor = ids[integer(row[0], 0, len(ids) - 1, "index")]
            need(actor not in self.base and actor not in self.upto, "an actor twice")
            for vector, number in ((self.base, row[1]), (self.upto, row[2])):
                if integer(number, 0, LARGEST_INTEGER, "sequence"):
                    vector[actor] = number
            need(row[1] > 0 or row[2] > 0, "an actor without a number")

    def _read_row(self, row: list[Any], ids: list[str]) -> None:
        need(len(row) == 7, "a row has seven elements")
        key = self._key(row[0], ids)
        need(key == self._last_key or key not in self._rows, "a key comes back")
        self._last_key = key
        entry = Entry(
            actor=ids[integer(row[1], 0, len(ids) - 1, "index")],
            sequence=integer(row[2], 1, LARGEST_INTEGER, "sequence"),
            stamp=integer(row[3], 0, LAST_MILLISECOND, "milliseconds") << 16
            | integer(row[4], 0, 65_535, "counter"),
            author=ids[integer(row[5], 0, len(ids) - 1, "index")],
            value=_value(row[6], key),
        )
        need(entry.dot not in self._dots, "a dot twice")
        need(entry.is_in(self.upto), "a dot that upto does not cover")
        self._dots.add(entry.dot)
        self._rows.setdefault(key, []).append(entry)

    @staticmethod
    def _key(form: Any, ids: list[str]) -> str:
        if isinstance(form, str):
            need(1 <= len(form.encode("utf-8")) <= 512, "the length of a key")
            return form
        need(isinstance(form, list) and len(form) in (2, 3), "a key is no cell")
        player, row = ids[integer(form[0], 0, len(ids) - 1, "index")], form[1]
        need(isinstance(row, str) and 1 <= len(row) <= 64 and set(row) <= SYMBOL, "no row")
        if len(form) == 2:
            return f"cell/{player}/{row}"
        return f"cell/{player}/{row}/{integer(form[2], 1, LAST_ROUND, 'round')}"


def _value(form: Any, key: str) -> Value:
    if form is None or isinstance(form, bool):
        return form
    if isinstance(form, int):
        return integer(form, -LARGEST_INTEGER, LARGEST_INTEGER, "a value")
    limit = 262_144 if key == "session/sheet" else 4_096
    if isinstance(form, str):
        need(len(form.encode("utf-8")) <= limit, "a text is too long")
        return form
    need(isinstance(form, dict) and set(form) == {"kind", "text"}, "no value")
    kind, text = form["kind"], form["text"]
    need(isinstance(kind, str) and isinstance(text, str), "no value")
    need(1 <= len(kind.encode("utf-8")) <= 64, "the length of a kind")
    need(len(text.encode("utf-8")) <= limit, "a text is too long")
    return Foreign(kind, text)


# Writing


class _Part:
    """One part while it fills."""

    def __init__(self) -> None:
        self.ids: dict[str, int] = {}
        self.rows: list[list[Any]] = []
        self.bytes = 256

    def index(self, name: str) -> int:
        if name not in self.ids:
            self.bytes += 35
        return self.ids.setdefault(name, len(self.ids))


def parts(delta: Delta) -> Iterator[bytes]:
    """The payloads of a delta."""
    part, vectors = _Part(), []
    for actor in sorted({*delta.base, *delta.upto}):
        vectors.append([part.index(actor), delta.base.get(actor, 0), delta.upto.get(actor, 0)])
        part.bytes += 40
    number = 0
    for key in sorted(delta.changes):
        for entry in delta.changes[key]:
            row = _row(key, entry, part)
            size = len(write(row)) + 1
            if part.rows and part.bytes + size > PART_BYTES:
                yield _payload(part, number, False, delta, vectors)
                number, part = number + 1, _Part()
                row = _row(key, entry, part)
            part.rows.append(row)
            part.bytes += size
    yield _payload(part, number, True, delta, vectors)


def _row(key: str, entry: Entry, part: _Part) -> list[Any]:
    value: Any = entry.value
    if isinstance(value, Foreign):
        value = {"kind": value.kind, "text": value.text}
    return [
        _form(key, part),
        part.index(entry.actor),
        entry.sequence,
        entry.stamp >> 16,
        entry.stamp & 0xFFFF,
        part.index(entry.author),
        value,
    ]


def _form(key: str, part: _Part) -> Any:
    """A key as rows have it: scores short, everything else by its text."""
    pieces = key.split("/")
    if pieces[0] != "cell" or len(pieces) not in (3, 4) or len(pieces[1]) != 32:
        return key
    rounds = [int(pieces[3])] if len(pieces) == 4 else []
    return [part.index(pieces[1]), pieces[2], *rounds]


def _payload(
    part: _Part, number: int, last: bool, delta: Delta, vectors: list[list[int]]
) -> bytes:
    message: dict[str, Any] = {
        "type": "delta",
        "part": number,
        "last": last,
        "ids": list(part.ids),
        "entries": part.rows,
    }
    if number == 0:
        message |= {"union": delta.union, "vectors": vectors}
    return write(message)
