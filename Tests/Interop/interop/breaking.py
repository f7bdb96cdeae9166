"""Stories of what breaks the rules, and how it is mended."""

from __future__ import annotations

import secrets
from dataclasses import replace

from .checks import member_of, same
from .deltas import DeltaReader, parts
from .entries import Entry
from .laptop import Laptop
from .member import PATIENCE, Link, Member, milliseconds
from .payloads import Malformed, scan, write
from .replica import Delta
from .tls import any_port, dial


def nonsense(laptop: Laptop, _: int) -> None:
    """What breaks the rules is told so, ends the link, and leaves the laptop as it was."""
    member = member_of(laptop, "Ann")
    with member.dial(laptop.port) as link:
        link.until_agreed()
        link.connection.send({"type": "dance"})
        link.until(lambda: bool(link.errors()), "the answer")
        same(link.errors(), ["unknown-type"], "an unknown type")
        member.replica.score(member.replica.players()["Ann"], "round", 1, 3)
        link.until_agreed()
    before = dict(member.replica.seen)
    uncovered = {"session/title": (Entry("ab" * 16, 2, milliseconds() << 16, "cd" * 16, "!"),)}
    bad = write({"type": "delta", "part": 0})
    for payload, code in [
        (next(parts(Delta(before, before | {"ab" * 16: 1}, uncovered))), "bad-delta"),
        (bad, "bad-delta"),
        (write({"type": "ack"}), "bad-message"),
        (b'{"type":"ping","number":1,"number":2}', "bad-message"),
        (write(member.hello()), None),
    ]:
        with member.dial(laptop.port) as link:
            link.pushes = False
            link.connection.send_payload(payload)
            same(link.until_ended(), "protocol-error", "the bye")
            same(link.errors(), [code] if code else [], "the error")
    with dial("127.0.0.1", laptop.port, member.identity, member.key) as connection:
        link = Link(member, connection)
        connection.send(member.hello(session="ef" * 16))
        same(link.until_ended(), "protocol-error", "the hello of another session")
    with member.dial(laptop.port) as link:
        link.until_agreed()
        same(member.replica.seen, before, "what the laptop has seen")


def refuses(_: Laptop, __: int) -> None:
    """What another one of its kind says against the rules it refuses whole, and says why."""
    ours, theirs = Member("12" * 16, secrets.token_bytes(32)), "cd" * 16
    entry = Entry("ab" * 16, 1, milliseconds() << 16, theirs, 1)
    upto = {entry.actor: 1}
    good = scan(next(parts(Delta({}, upto, {"later/x": (entry,)}))))
    row = good["entries"][0]
    bad = [
        good | {"part": 1},
        good | {"vectors": []},
        good | {"vectors": [[0, 0, 0]]},
        good | {"vectors": [[0, 0, 1], [0, 0, 1]]},
        good | {"entries": [row, row]},
        good | {"entries": [["later/x", *row[1:]], ["later/y", 0, 2, *row[3:]]]},
        good | {"entries": [["", *row[1:]]]},
        good | {"entries": [[*row[:6], "x" * 4_097]]},
        good | {"entries": [[*row[:6], {"kind": "x"}]]},
        good | {"ids": []},
        {name: value for name, value in good.items() if name != "union"},
    ]
    for delta in bad:
        same(_is_read(delta), False, f"whether {delta} is read")
    answers = _answers(ours, bad[4])
    codes = [message.get("code", message.get("reason")) for message in answers]
    same(codes, ["bad-delta", "protocol-error"], "the answer to a bad one")
    same(ours.replica.seen, {}, "what was seen")
    same([m["type"] for m in _answers(ours, good)], ["ack"], "the answer to a good one")
    same(ours.replica.values("later/x"), [1], "what it said")


def _is_read(delta: dict[str, object]) -> bool:
    try:
        DeltaReader().add(delta)
    except Malformed:
        return False
    return True


def _answers(member: Member, delta: dict[str, object]) -> list[dict[str, object]]:
    """What a member who listens answers to somebody's delta."""
    other = Member(member.session, member.key)
    port = any_port()
    with member.listen(port) as listening, other.dial_raw(port) as dialled:
        for message in (other.hello(), delta):
            dialled.send(message)
        link = Link(member, listening)
        listening.send(member.hello())
        link.pushes = False
        try:
            link.until(lambda: bool(link.deltas), "the delta")
        except Malformed:
            pass
        found: list[dict[str, object]] = []
        while not found or found[-1]["type"] not in ("ack", "bye"):
            message = dialled.receive(PATIENCE)
            assert message is not None, f"no answer to {delta}"
            found.append(message)
    same(found[0]["type"], "hello", "the first message")
    return found[1:]


def repairs(laptop: Laptop, _: int) -> None:
    """Two that have seen the same and hold something else send each other everything, once."""
    member = member_of(laptop, "Ann")
    replica = member.replica
    laptop.score("Ann", "round.1=7")
    with member.dial(laptop.port) as link:
        link.until_agreed()
    place = f"cell/{replica.players()['Ann']}/round/1"
    # A bit that fell over: the same dot says something else, and its bytes are the greater.
    replica.live[place] = (replace(replica.live[place][0], value=9),)
    with member.dial(laptop.port) as link:
        link.until_agreed()
        same(any(delta.union for delta in link.deltas), True, "a union came")
        laptop.sync(link)
    same(laptop.cells("Ann")[1]["value"], 9, "the greater bytes stay")
    alarms = [alarm["kind"] for alarm in laptop.control.call("status")["alarms"]]
    same(alarms, ["digest-mismatch"], "the alarm")
