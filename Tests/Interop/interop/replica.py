"""What one device holds of a session: merging, writing, and what others lack (section 5)."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Callable, Iterator

from .entries import Entry, Value, Vector, canonical, digest

LEAD = 10_000
EARLIEST = 946_684_800_000
LATEST = 7_258_118_400_000


@dataclass(frozen=True)
class Delta:
    """What one replica sends another."""

    base: Vector
    upto: Vector
    changes: dict[str, tuple[Entry, ...]]
    union: bool = False


def joined(left: Vector, right: Vector) -> dict[str, int]:
    """What both vectors cover together."""
    both = dict(left)
    for actor, sequence in right.items():
        both[actor] = max(both.get(actor, 0), sequence)
    return both


def covers(vector: Vector, other: Vector) -> bool:
    """Whether a vector covers all of another one."""
    return all(vector.get(actor, 0) >= sequence for actor, sequence in other.items())


@dataclass
class Clock:
    """Makes the stamps of one's own writes."""

    now: Callable[[], int]
    last: int = 0
    last_physical: int = 0
    seen: int = 0

    def observe(self, stamp: int) -> None:
        """Notes the stamp of an entry from anywhere."""
        self.seen = max(self.seen, stamp)

    def tick(self) -> int:
        """The stamp of a commit that is made now."""
        physical = min(max(self.now(), EARLIEST), LATEST)
        lead = (physical + LEAD) << 16
        own = min(self.last, lead) if physical < self.last_physical else self.last
        self.last = max(physical << 16, min(self.seen, lead), own) + 1
        self.last_physical = physical
        self.seen = self.last
        return self.last


@dataclass
class Replica:
    """The live entries of a session, and what was seen of it.

    A program that people use writes this to its disk before it tells anybody; this one only
    lives as long as a test.
    """

    author: str
    name: str
    clock: Clock
    live: dict[str, tuple[Entry, ...]] = field(default_factory=dict)
    seen: dict[str, int] = field(default_factory=dict)
    actor: str = field(default_factory=lambda: secrets.token_hex(16))

    # What is held

    @property
    def entries(self) -> Iterator[tuple[str, Entry]]:
        """All live entries with their keys."""
        return ((key, entry) for key, live in self.live.items() for entry in live)

    @property
    def digest(self) -> str:
        """A short form of all live entries."""
        return digest(self.entries)

    def values(self, key: str) -> list[Value]:
        """What is live under a key, the winner first."""
        live = sorted(self.live.get(key, ()), key=lambda entry: entry.rank, reverse=True)
        return [entry.value for entry in live]

    def value(self, key: str) -> Value:
        """What is shown under a key."""
        return next(iter(self.values(key)), None)

    def players(self) -> dict[str, str]:
        """The ids of those who take part, by name."""
        members = [key[7:] for key in self.live if key.startswith("member/")]
        return {
            str(self.value(f"player/{player}/name")): player
            for player in members
            if True in self.values(f"member/{player}")
        }

    # What is written here

    def write(self, changes: dict[str, Value]) -> None:
        """Writes all of it as one commit, and the name of the device where it is another one."""
        stamp = self.clock.tick()
        own_name = f"device/{self.author}"
        if self.value(own_name) != self.name:
            changes = {**changes, own_name: self.name}
        for key, value in changes.items():
            sequence = self.seen.get(self.actor, 0) + 1
            self.seen[self.actor] = sequence
            self.live[key] = (Entry(self.actor, sequence, stamp, self.author, value),)

    def score(self, player: str, row: str, round_: int | None, value: Value) -> None:
        """Enters a score, which keeps the player in."""
        place = f"cell/{player}/{row}" + ("" if round_ is None else f"/{round_}")
        self.write({place: value, f"member/{player}": True})

    # What comes from others

    def merge(self, delta: Delta) -> bool:
        """Takes a delta in, all of it; False where something before it is missing."""
        if delta.union:
            return self._unite(delta)
        if not covers(self.seen, delta.base):
            return False
        if covers(self.seen, delta.upto):
            return True
        for key, theirs in delta.changes.items():
            self._settle(key, self._merged(self.live.get(key, ()), theirs, delta.upto))
        self.seen = joined(self.seen, delta.upto)
        return True

    def _merged(
        self, mine: tuple[Entry, ...], theirs: tuple[Entry, ...], upto: Vector
    ) -> list[Entry]:
        names = {entry.dot for entry in theirs}
        kept = [entry for entry in mine if entry.dot in names or not entry.is_in(upto)]
        return kept + [entry for entry in theirs if not entry.is_in(self.seen)]

    def _unite(self, delta: Delta) -> bool:
        if delta.upto != self.seen:
            return covers(self.seen, delta.base)
        for key, theirs in delta.changes.items():
            both = {entry.dot: entry for entry in self.live.get(key, ())}
            for entry in theirs:
                forms = [entry, both.get(entry.dot, entry)]
                both[entry.dot] = max(forms, key=lambda form: canonical(key, form))
            self._settle(key, list(both.values()))
        return True

    def _settle(self, key: str, live: list[Entry]) -> None:
        for entry in live:
            self.clock.observe(entry.stamp)
        if live:
            self.live[key] = tuple(live)
        else:
            self.live.pop(key, None)

    # What others lack

    def delta(self, base: Vector) -> Delta | None:
        """What somebody lacks who has this; None when that is nothing."""
        if covers(base, self.seen):
            return None
        changes = {
            key: live
            for key, live in self.live.items()
            if any(not entry.is_in(base) for entry in live)
        }
        return Delta(base=dict(base), upto=dict(self.seen), changes=changes)

    def union(self) -> Delta:
        """Everything, for who has seen the same and holds something else."""
        return Delta(dict(self.seen), dict(self.seen), dict(self.live), union=True)
