"""Stories about what the page shows, and what may be read that it does not name."""

from __future__ import annotations

import time

from . import joincode, page
from .announcements import decode
from .checks import member_of, same, same_form
from .deltas import DeltaReader, parts
from .entries import canonical, digest
from .laptop import Laptop
from .member import Member
from .payloads import scan, write
from .replica import Delta
from .siphash import siphash128


def examples(_: Laptop | None = None, __: int = 0) -> None:
    """Everything that the page shows byte by byte is read and written as it says."""
    hashed = siphash128(b"", bytes(range(16)))
    same(hashed.hex(), "a3817f04ba25a8e66df67214c7550293", "SipHash's own vector")
    for line in page.examples(2):
        same(decode(line).datagram(), line, "an announcement")
    messages = page.examples(4)
    for line in messages:
        same(write(scan(line)), line, "a message")
    line = next(line for line in messages if b'"type":"delta"' in line)
    delta = DeltaReader().add(scan(line))
    assert delta is not None
    same(len(delta.changes), 5, "the keys of the example")
    same(_again(delta), delta, "the example, written and read again")
    key = "cell/cccccccccccccccc0000000000000005/birds"
    first = delta.changes[key][0]
    wanted = page.value(r"has the canonical bytes\n\n(.*?)\n\n\(without")
    same(canonical(key, first).hex(), "".join(wanted.split()), "the canonical bytes")
    wanted = page.value(r"and the hash `([0-9a-f]{32})`")
    same(digest([(key, first)]), wanted, "the digest")
    code = joincode.read(page.value(r"Example:\s+`([0-9A-Z-]+)`"))
    same(code.hint, "01", "the hint")
    same(code.key().hex(), page.value(r"example above is\s+`([0-9a-f]{64})`"), "the key of a code")


def _again(delta: Delta) -> Delta | None:
    reader, again = DeltaReader(), None
    for payload in parts(delta):
        again = reader.add(scan(payload))
    return again


def keeps(laptop: Laptop, _: int) -> None:
    """What a later version writes is kept, counted in the digest and passed on."""
    member = member_of(laptop, "Ann")
    with member.dial(laptop.port) as link:
        link.until_agreed()
        link.connection.send({"type": "need", "vector": [], "later": {"a": [1.5, None]}})
        delta = member.replica.delta(link.stated)
        same(delta, None, "what is lacking")
        link.until(lambda: len(link.deltas) >= 2, "everything again")
        key = DeltaReader().add(scan(next(
            line for line in page.examples(4) if b'"type":"delta"' in line
        )))
        assert key is not None
        foreign = key.changes["later/x"][0].value
        member.replica.write({"later/x": foreign, "later/é\u0301": "\u2028\U0001F3B2\x01"})
        # The longest texts, of characters that take six bytes each in JSON.
        member.replica.write({"later/long": "\x01" * 4_096, "session/sheet": "\x01" * 262_144})
        link.until_agreed()
    other = Member(member.session, member.key)
    with other.dial(laptop.port) as link:
        link.until_agreed()
        same(other.replica.value("later/x"), foreign, "the value of a later version")
        same(other.replica.digest, member.replica.digest, "the digest")


def shows(laptop: Laptop, _: int) -> None:
    """The sheet that the page shows in full has the form of a real one, field by field."""
    member = member_of(laptop, "Ann", "Bob")
    replica = member.replica
    with member.dial(laptop.port) as link:
        link.until_agreed()
    laptop.control.call("player.team", team="Reds", players=["Ann"])
    laptop.score("Ann", "round.1=12")
    ann, bob = replica.players()["Ann"], replica.players()["Bob"]
    # Later than what the laptop wrote, which may have been in this very millisecond.
    moment = time.time_ns() // 1_000_000
    while time.time_ns() // 1_000_000 <= moment:
        pass
    replica.score(ann, "round", 1, "9+1")
    replica.score(bob, "round", 1, "nothing")
    with member.dial(laptop.port) as link:
        link.until_agreed()
        real = laptop.control.call("show")
    line = next(line for line in page.examples(8) if line.startswith(b'{"context":{"engine"'))
    same(write(scan(line)), line, "the example")
    same_form(scan(line), real, "show")
