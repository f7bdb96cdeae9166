"""A member of a session, and how its links go (sections 4 and 5)."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass, field
from typing import Any, Callable

from .announcements import Announced, Announcement
from .deltas import DeltaReader, parts
from .payloads import Malformed
from .replica import Clock, Delta, Replica, covers, joined
from .tls import Connection, Ended, dial, listen

#: How long is waited for what must come: longer than a busy machine takes.
PATIENCE = 20.0
LOOK = 0.05
#: What needs no answer here.
KNOWN = frozenset(["pong", "clock", "addresses", "links", "reached", "storage", "bye", "error"])


def milliseconds() -> int:
    """The clock of this machine."""
    return time.time_ns() // 1_000_000


def vector_form(vector: dict[str, int]) -> list[list[Any]]:
    """How a vector travels."""
    return [[actor, sequence] for actor, sequence in sorted(vector.items())]


@dataclass
class Member:
    """A device that holds a session and its key."""

    session: str
    key: bytes
    name: str = "python-laptop"
    device: str = field(default_factory=lambda: secrets.token_hex(16))
    instance: str = field(default_factory=lambda: secrets.token_hex(16))
    replica: Replica = field(init=False)

    def __post_init__(self) -> None:
        self.replica = Replica(self.device, self.name, Clock(milliseconds))

    @property
    def identity(self) -> str:
        """The PSK identity of the links of this session."""
        return f"m:{self.session}"

    def dial(self, port: int) -> Link:
        """A link with who listens there, greeted."""
        return self.greet(self.dial_raw(port))

    def dial_raw(self, port: int) -> Connection:
        """A connection with who listens there, on which nothing was said."""
        return dial("127.0.0.1", port, self.identity, self.key)

    def listen(self, port: int) -> Connection:
        """Waits for somebody to dial this member."""
        return listen(port, self.identity, self.key)

    def greet(self, connection: Connection) -> Link:
        """Says hello and hears it."""
        link = Link(self, connection)
        connection.send(self.hello())
        link.until(lambda: link.peer is not None, "the hello")
        return link

    def hello(self, **changes: Any) -> dict[str, Any]:
        """The first message of a link."""
        return {
            "type": "hello",
            "protocol": {"min": 1, "max": 1},
            "features": [],
            "session": self.session,
            "device": self.device,
            "instance": self.instance,
            "name": self.name,
            "port": 0,
            "clock": milliseconds(),
            "vector": vector_form(self.replica.seen),
            "digest": self.replica.digest,
        } | changes

    def announcement(self, port: int) -> Announcement:
        """That this member listens at a port."""
        session = Announced(self.session, is_inviting=False, is_searching=False, digest=None)
        return Announcement(self.device, self.instance, port, 1, 1, (session,))


class Link:
    """One greeted connection of a member."""

    def __init__(self, member: Member, connection: Connection) -> None:
        self.member = member
        self.connection = connection
        #: What the other side said of itself.
        self.peer: dict[str, Any] | None = None
        #: What the other side has on disk, as far as it is known here.
        self.stated: dict[str, int] = {}
        #: The digest that the other side told last, and the vector that goes with it.
        self.told: tuple[dict[str, int], str] | None = None
        #: The deltas that came, and how many parts each had.
        self.deltas: list[Delta] = []
        self.part_counts: list[int] = []
        #: The messages that came, without the parts of deltas.
        self.heard: list[dict[str, Any]] = []
        #: Whether deltas are sent by themselves.
        self.pushes = True
        self._sent: Delta | None = None
        self._reader: DeltaReader | None = None
        self._parts = 0
        self._united: set[tuple[str, str]] = set()

    # Going on

    def until(self, holds: Callable[[], bool], what: str, seconds: float = PATIENCE) -> None:
        """Takes in what comes until something holds."""
        end = time.monotonic() + seconds
        while not holds():
            # Something else than a message may make it so: a look now and then.
            message = self.connection.receive(min(LOOK, end - time.monotonic()))
            if message is not None:
                self._take_or_refuse(message)
            elif time.monotonic() >= end:
                raise TimeoutError(f"{what} did not come; heard {self.heard[-5:]}")

    def until_agreed(self) -> None:
        """Takes in what comes until both hold the same, and no delta is unanswered."""
        replica = self.member.replica
        self.push()
        self.until(
            lambda: self._sent is None and covers(replica.seen, self.stated)
            and covers(self.stated, replica.seen),
            "the same vector",
        )
        if self.told_vector != replica.seen:
            # Who is sent nothing new acknowledges that too, and says the digest.
            self.send(Delta(dict(replica.seen), dict(replica.seen), {}))
        self.until(
            lambda: self._sent is None and self.told == (replica.seen, replica.digest),
            f"a digest of {replica.digest}",
        )

    def until_ended(self) -> str:
        """Takes in what comes until the other side closes; the reason of its `bye`."""
        try:
            self.until(lambda: False, "the end")
        except Ended:
            pass
        byes = [message["reason"] for message in self.heard if message["type"] == "bye"]
        return byes[-1] if byes else "without a bye"

    def errors(self) -> list[str]:
        """The codes of the errors that the other side answered."""
        return [message["code"] for message in self.heard if message["type"] == "error"]

    def close(self) -> None:
        """Cuts the link."""
        self.connection.close()

    def __enter__(self) -> Link:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # What comes

    def _take_or_refuse(self, message: dict[str, Any]) -> None:
        """Takes a message in, or says what is wrong with it and ends the link."""
        try:
            self.take(message)
        except (Malformed, KeyError, IndexError, TypeError, ValueError) as error:
            code = "bad-delta" if message.get("type") == "delta" else "bad-message"
            self.connection.send({"type": "error", "code": code, "text": str(error)[:128]})
            self.connection.send({"type": "bye", "reason": "protocol-error"})
            raise Malformed(str(error)) from error

    def take(self, message: dict[str, Any]) -> None:
        """Does what a message asks for."""
        if message["type"] == "delta":
            return self._take_part(message)
        self.heard.append(message)
        kind = message["type"]
        if kind == "hello":
            self._take_hello(message)
        elif kind == "ack":
            self._take_ack(message)
        elif kind == "need":
            self._sent = None
            self.stated = dict(message["vector"])
            self.told = None
        elif kind == "ping":
            self.connection.send({"type": "pong", "number": message["number"]})
        elif kind not in KNOWN:
            text = f"unknown message type {str(kind)[:64]}"
            self.connection.send({"type": "error", "code": "unknown-type", "text": text})
        if self.peer is not None and kind in ("hello", "ack", "need"):
            self.push()

    def _take_hello(self, hello: dict[str, Any]) -> None:
        if hello["session"] != self.member.session or self.peer is not None:
            raise Malformed("this hello is not the hello of this link")
        self.peer = hello
        self.stated = dict(hello["vector"])
        self.told = (dict(hello["vector"]), hello["digest"])

    def _take_ack(self, ack: dict[str, Any]) -> None:
        vector = dict(ack["vector"])
        self.stated = joined(self.stated, vector)
        self.told = (vector, ack["digest"])
        if self._sent is not None and covers(vector, self._sent.upto):
            self._sent = None

    def _take_part(self, part: dict[str, Any]) -> None:
        if part["part"] == 0:
            self._reader, self._parts = DeltaReader(), 0
        if self._reader is None:
            raise Malformed("a part without its beginning")
        self._parts += 1
        delta = self._reader.add(part)
        if delta is None:
            return
        self.deltas.append(delta)
        self.part_counts.append(self._parts)
        self._reader = None
        self._take_delta(delta)

    def _take_delta(self, delta: Delta) -> None:
        replica = self.member.replica
        if not replica.merge(delta):
            return self.ask(replica.seen)
        self.stated = joined(self.stated, delta.upto)
        self.told = None if delta.upto != self.told_vector else self.told
        self.acknowledge()
        self.push(unite=delta.union)

    @property
    def told_vector(self) -> dict[str, int] | None:
        """What goes with the digest that was told."""
        return self.told[0] if self.told else None

    # What is said

    def push(self, unite: bool = False) -> None:
        """Sends what the other side lacks, unless a delta is unanswered."""
        if self._sent is not None or not self.pushes:
            return
        delta = self.member.replica.delta(self.stated)
        if delta is None and (unite or self._differs()):
            delta = self._union()
        if delta is not None:
            self.send(delta)

    def _differs(self) -> bool:
        """Whether the other side has seen the same and holds something else."""
        replica = self.member.replica
        return (
            self.told is not None
            and self.told[0] == replica.seen
            and self.told[1] != replica.digest
        )

    def _union(self) -> Delta | None:
        """Everything, once for each pair of digests."""
        replica = self.member.replica
        pair = (replica.digest, self.told[1] if self.told else "")
        if pair in self._united:
            return None
        self._united.add(pair)
        return replica.union()

    def send(self, delta: Delta) -> None:
        """Sends a delta, which waits for its answer."""
        self._sent = delta
        for payload in parts(delta):
            self.connection.send_payload(payload)

    def acknowledge(self) -> None:
        """Says what is held here."""
        replica = self.member.replica
        self.connection.send({
            "type": "ack", "vector": vector_form(replica.seen), "digest": replica.digest
        })

    def ask(self, vector: dict[str, int]) -> None:
        """Says that a delta did not fit, because only so much is here."""
        self.connection.send({"type": "need", "vector": vector_form(vector)})
