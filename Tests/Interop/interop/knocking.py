"""Asking to be let in without a code, and somebody in between (section 3, Knocking)."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import socket
import time
from contextlib import ExitStack
from dataclasses import dataclass
from threading import Thread
from typing import Any

from .announcements import PORTS
from .checks import same
from .control import Control
from .laptop import Laptop
from .member import PATIENCE, Member
from .tls import Connection, Ended, any_port, dial, free_port, listen

PUBLIC_KEY = b"scoresync knock 1" + bytes(15)
PRIME = 2**255 - 19
#: The symbols by number, as the page lists them.
SYMBOLS = (
    "anchor apple ball banana bee bell bicycle boat book bread bus butterfly cactus cake camel "
    "carrot castle cat cheese cherry clock cloud corn crab crown dog duck egg elephant fire fish "
    "flag frog ghost gift guitar hammer hat heart horse house key leaf lemon moon mushroom octopus "
    "owl panda penguin pizza rocket rose scissors snail snake snowman star sun train tree trumpet "
    "turtle umbrella"
).split()


def x25519(scalar: bytes, point: bytes) -> bytes:
    """The function of RFC 7748, section 5."""
    number = int.from_bytes(scalar, "little") & ~7 & ~(128 << 248) | 64 << 248
    x1 = int.from_bytes(point, "little") % 2**255
    x2, z2, x3, z3, swapped = 1, 0, x1, 1, 0
    for place in reversed(range(255)):
        bit = number >> place & 1
        if swapped != bit:
            x2, x3, z2, z3 = x3, x2, z3, z2
        swapped = bit
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        aa, bb, da, cb = a * a, b * b, d * a, c * b
        e = aa - bb
        x3, z3 = (da + cb) ** 2 % PRIME, x1 * (da - cb) ** 2 % PRIME
        x2, z2 = aa * bb % PRIME, e * (aa + 121_665 * e) % PRIME
    if swapped:
        x2, z2 = x3, z3
    return (x2 * pow(z2, PRIME - 2, PRIME) % PRIME).to_bytes(32, "little")


def hkdf(secret: bytes, salt: bytes, info: str, length: int = 32) -> bytes:
    """HKDF with SHA-256 (RFC 5869), of one block at most."""
    extracted = hmac.digest(salt, secret, "sha256")
    return hmac.digest(extracted, info.encode("ascii") + b"\x01", "sha256")[:length]


def _digest(label: str, data: bytes) -> bytes:
    return hashlib.sha256(label.encode("ascii") + data).digest()


def commitment(key: bytes) -> bytes:
    """What the joiner says of its key before it shows it."""
    return _digest("scoresync commitment 1", key)


@dataclass(frozen=True)
class Agreed:
    """What both laptops know after an exchange."""

    knock: str
    symbols: list[str]
    secret: bytes
    digest: bytes

    def identity(self, pair: bytes | None = None) -> str:
        """The PSK identity of the link on which the joiner waits."""
        return f"{'a' if pair is None else 'p'}:{self.knock}"

    def key(self, pair: bytes | None = None) -> bytes:
        """The key of that link."""
        info = "admission" if pair is None else "admission of a known laptop"
        return hkdf(self.secret + (pair or b""), self.digest, info)


def agree(
    secret: bytes, session: str, door: dict[str, Any], knock: dict[str, Any], keys: list[bytes]
) -> Agreed:
    """The result of an exchange; `keys` are the inviter's and the joiner's."""
    fields = ["scoresync knock 1", session, door["device"], door["laptop"], door["title"]]
    fields += [door["game"], knock["device"], knock["laptop"]]
    data = [field.encode("utf-8") for field in fields]
    data += [bytes.fromhex(knock["commitment"]), *keys]
    digest = hashlib.sha256(b"".join(len(one).to_bytes(4, "big") + one for one in data)).digest()
    bits = int.from_bytes(hkdf(secret, digest, "symbols", 3), "big")
    return Agreed(
        knock=_digest("scoresync knock id 1", digest)[:16].hex(),
        symbols=[SYMBOLS[bits >> shift & 63] for shift in (18, 12, 6, 0)],
        secret=secret,
        digest=digest,
    )


def _key() -> tuple[bytes, bytes]:
    scalar = secrets.token_bytes(32)
    return scalar, x25519(scalar, (9).to_bytes(32, "little"))


def _heard(connection: Connection, kind: str) -> dict[str, Any]:
    message = connection.receive(PATIENCE)
    if message is None or message["type"] != kind:
        raise AssertionError(f"no {kind}, but {message}")
    return message


def exchange(port: int, session: str, member: Member) -> tuple[Agreed, bool]:
    """Knocks at a laptop; what both agree on, and whether it knows this one."""
    with dial("127.0.0.1", port, f"k:{session}", PUBLIC_KEY) as connection:
        door = _heard(connection, "door")
        scalar, key = _key()
        knock = {
            "type": "knock", "device": member.device, "laptop": member.name,
            "commitment": commitment(key).hex(),
        }
        connection.send(knock)
        other = bytes.fromhex(_heard(connection, "key")["key"])
        connection.send({"type": "open", "key": key.hex()})
        known = _heard(connection, "ready")["known"]
        return agree(x25519(scalar, other), session, door, knock, [other, key]), known


def knocks(laptop: Laptop, _: int) -> None:
    """Let in by a yes, it is a member; the next time it is known, and after a no it gets nothing."""
    session = laptop.begin("Ann", "Bob")
    laptop.control.call("session.invite", close=False)
    stranger = Member(session, bytes(32))
    agreed, known = exchange(laptop.port, session, stranger)
    same(known, False, "whether a stranger is known")
    welcome = _answered(laptop, agreed, "yes", device=stranger.device)
    same(welcome["session"], session, "the session")
    pair = bytes.fromhex(welcome["pair"])
    member = Member(session, bytes.fromhex(welcome["key"]), device=stranger.device)
    with member.dial(laptop.port) as link:
        link.until_agreed()
    agreed, known = exchange(laptop.port, session, member)
    same(known, True, "whether it is known")
    told = _answered(laptop, agreed, "no", pair=pair)
    same(told["reason"], "declined", "the answer to a no")


def _answered(
    laptop: Laptop,
    agreed: Agreed,
    answer: str,
    *,
    pair: bytes | None = None,
    device: str = "",
) -> dict[str, Any]:
    with dial("127.0.0.1", laptop.port, agreed.identity(pair), agreed.key(pair)) as connection:
        while not (waiting := laptop.control.call("session.knocks")["knocks"]):
            same(connection.receive(0.01), None, "what is said before the answer")
        symbols = agreed.symbols if pair is None else []
        same([one["name"] for one in waiting[0]["symbols"]], symbols, "the symbols")
        laptop.control.call("session.admit", knock=agreed.knock, answer=answer)
        told = connection.receive(PATIENCE)
        if told is None:
            raise AssertionError("no answer")
        if told["type"] == "welcome":
            connection.send({"type": "guest", "device": device, "laptop": "python-laptop"})
            same(_ending(connection), None, "what follows the welcome")
        return told


def _ending(connection: Connection) -> dict[str, Any] | None:
    """What is said before the connection ends; None for nothing."""
    try:
        told = connection.receive(PATIENCE)
    except Ended:
        return None
    return {} if told is None else told


def crowds(laptop: Laptop, _: int) -> None:
    """Eight may wait; a ninth is heard once there is room again."""
    session = laptop.begin("Ann")
    laptop.control.call("session.invite", close=False)

    def waiting(count: int) -> None:
        while len(laptop.control.call("session.knocks")["knocks"]) != count:
            time.sleep(0.01)

    with ExitStack() as stack:
        links = []
        for number in range(8):
            agreed, _known = exchange(laptop.port, session, Member(session, bytes(32)))
            link = dial("127.0.0.1", laptop.port, agreed.identity(), agreed.key())
            links.append(stack.enter_context(link))
            waiting(number + 1)
        try:
            exchange(laptop.port, session, Member(session, bytes(32)))
            raise AssertionError("a ninth laptop was heard")
        except Ended:
            pass
        links[0].close()
        waiting(7)
        exchange(laptop.port, session, Member(session, bytes(32)))


class Relay:
    """Somebody between two laptops, who has an own key with each."""

    def __init__(self, session: str) -> None:
        self.session = session
        self.port = free_port(PORTS)
        self._server = socket.create_server(("127.0.0.1", self.port))
        self._stack = ExitStack()
        self._stack.callback(self._server.close)

    def __enter__(self) -> Relay:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def accept(self, identity: str, key: bytes) -> Connection:
        """Waits at the port of the relay behind one connection that comes next."""
        port = any_port()
        connection = self._stack.enter_context(listen(port, identity, key))
        Thread(target=self._carry, args=(port,), daemon=True).start()
        return connection

    def _carry(self, port: int) -> None:
        outer, _ = self._server.accept()
        inner = socket.create_connection(("127.0.0.1", port))
        for one, other in [(outer, inner), (inner, outer)]:
            Thread(target=_pump, args=(one, other), daemon=True).start()


def _pump(source: socket.socket, target: socket.socket) -> None:
    try:
        while data := source.recv(65_536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def relays(laptop: Laptop, _: int) -> None:
    """Between two laptops it can finish both exchanges, but their symbols differ."""
    other = Control(f"{laptop.other}/control.sock")
    session = laptop.begin("Ann")
    laptop.control.call("session.invite", close=False)
    with Relay(session) as relay, ExitStack() as stack:
        inner = relay.accept(f"k:{session}", PUBLIC_KEY)
        shown: dict[str, Any] = {}

        def ask() -> None:
            address = f"127.0.0.1:{relay.port}"
            shown.update(other.call("session.knock", session=session, address=address))

        asking = Thread(target=ask, daemon=True)
        asking.start()
        outer = stack.enter_context(dial("127.0.0.1", laptop.port, f"k:{session}", PUBLIC_KEY))
        door = _heard(outer, "door")
        inner.send(door)
        knock = _heard(inner, "knock")
        scalar, key = _key()
        # The joiner's name and device, and a key of the relay's own.
        own = {**knock, "commitment": commitment(key).hex()}
        outer.send(own)
        theirs = bytes.fromhex(_heard(outer, "key")["key"])
        outer.send({"type": "open", "key": key.hex()})
        _heard(outer, "ready")
        inner.send({"type": "key", "key": key.hex()})
        joiner = bytes.fromhex(_heard(inner, "open")["key"])
        there = agree(x25519(scalar, theirs), session, door, own, [theirs, key])
        here = agree(x25519(scalar, joiner), session, door, knock, [key, joiner])
        relay.accept(here.identity(), here.key())
        inner.send({"type": "ready", "known": False})
        asking.join(PATIENCE)
        same([one["name"] for one in shown["symbols"]], here.symbols, "the joiner's screen")
        waiting = stack.enter_context(
            dial("127.0.0.1", laptop.port, there.identity(), there.key())
        )
        while not (knocking := laptop.control.call("session.knocks")["knocks"]):
            same(waiting.receive(0.01), None, "what is said before the answer")
        same([one["name"] for one in knocking[0]["symbols"]], there.symbols, "the inviter's screen")
        same(here.symbols == there.symbols, False, "whether the screens show the same")
        laptop.control.call("session.admit", knock=there.knock, answer="no")
        same(_heard(waiting, "bye")["reason"], "declined", "what the relay gets")


def replays(laptop: Laptop, _: int) -> None:
    """A recorded exchange opens nothing, nor does a key that was not committed to."""
    session = laptop.begin("Ann")
    laptop.control.call("session.invite", close=False)
    agreed, _known = exchange(laptop.port, session, Member(session, bytes(32)))
    with dial("127.0.0.1", laptop.port, agreed.identity(), agreed.key()) as connection:
        while not laptop.control.call("session.knocks")["knocks"]:
            same(connection.receive(0.01), None, "what a waiting laptop is told")
    with dial("127.0.0.1", laptop.port, agreed.identity(), agreed.key()) as connection:
        same(_ending(connection), None, "the answer to a key that was used")
    with dial("127.0.0.1", laptop.port, f"k:{session}", PUBLIC_KEY) as connection:
        _heard(connection, "door")
        _, key = _key()
        connection.send({
            "type": "knock", "device": secrets.token_hex(16), "laptop": "python-laptop",
            "commitment": commitment(key).hex(),
        })
        _heard(connection, "key")
        connection.send({"type": "open", "key": _key()[1].hex()})
        same(_ending(connection), None, "the answer to another key")
