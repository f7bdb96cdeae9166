"""Stories of a game on two laptops, one of which is this client."""

from __future__ import annotations

import secrets
from dataclasses import replace

from . import joincode
from .announcements import PORTS, Ear
from .checks import cell, member_of, same
from .deltas import parts
from .laptop import Laptop
from .member import PATIENCE, Link, Member
from .replica import Delta
from .tls import Connection, Ended, dial, free_port


def joins(laptop: Laptop, _: int) -> None:
    """By the code that `scorectl` prints it gets the key, and then everything; by others not."""
    session = laptop.begin("Ann", "Bob")
    laptop.score("Ann", "round.1=12")
    code = joincode.read(laptop.run("session", "invite")["code"])
    member = laptop.admit_by(code)
    same(member.session, session, "the session")
    with member.dial(laptop.port) as link:
        link.until_agreed()
        same(member.replica.value("session/title"), "Friday", "the title")
        same(sorted(member.replica.players()), ["Ann", "Bob"], "the players")
        same(cell(member, "Ann", 1), 12, "the score")
    wrong = secrets.token_bytes(32)
    same("illegal parameter" in _refusal(laptop, code.identity, wrong), True, "a wrong key")
    unknown = "j:ZZ" if code.hint != "ZZ" else "j:YY"
    same("handshake failure" in _refusal(laptop, unknown, wrong), True, "an unknown hint")


def _refusal(laptop: Laptop, identity: str, key: bytes) -> str:
    try:
        with dial("127.0.0.1", laptop.port, identity, key) as connection:
            return f"let in, and told {connection.receive(PATIENCE)}"
    except Ended as ending:
        return str(ending)


def scores(laptop: Laptop, _: int) -> None:
    """What either side writes, the other one shows: scores, sums, clearing, players."""
    with member_of(laptop, "Ann", "Bob").dial(laptop.port) as link:
        member, replica = link.member, link.member.replica
        link.until_agreed()
        ann = replica.players()["Ann"]
        replica.score(ann, "round", 1, 50)
        replica.score(ann, "round", 2, "12+7+9")
        link.until_agreed()
        laptop.sync(link)
        shown = laptop.cells("Ann")
        same([shown[1]["value"], shown[1]["by"]], [50, member.name], "a score of ours")
        same([shown[2]["value"], shown[2]["count"]], ["12+7+9", 28], "a sum of ours")
        laptop.score("Ann", "round.1=51")
        laptop.control.call("clear", words=["Ann", "round.2"])
        link.until(lambda: cell(member, "Ann", 2) is None, "the clearing")
        same(cell(member, "Ann", 1), 51, "a correction of theirs")
        laptop.control.call("player.add", names=["Cem"])
        laptop.control.call("player.remove", players=["Bob"])
        link.until(lambda: sorted(replica.players()) == ["Ann", "Cem"], "the players")
        _add(member, "Dora")
        replica.write({f"member/{replica.players()['Cem']}": False})
        link.until_agreed()
        listed = laptop.control.call("player.list")["players"]
        wanted = [("Ann", False), ("Bob", True), ("Cem", True), ("Dora", False)]
        same(sorted((p["name"], p["removed"]) for p in listed), wanted, "who plays")
        link.connection.send({"type": "ping", "number": 77})
        link.until(lambda: {"type": "pong", "number": 77} in link.heard, "the pong")
        same(link.errors(), [], "errors")


def conflicts(laptop: Laptop, _: int) -> None:
    """What both write while apart shows on both sides, and a correction settles it."""
    member = member_of(laptop, "Ann", "Bob")
    with member.dial(laptop.port) as link:
        link.until_agreed()
    replica = member.replica
    ann, bob = replica.players()["Ann"], replica.players()["Bob"]
    laptop.score("Ann", "round.1=10")
    laptop.control.call("player.remove", players=["Bob"])
    replica.score(ann, "round", 1, 20)
    replica.score(bob, "round", 1, 5)
    with member.dial(laptop.port) as link:
        link.until_agreed()
        laptop.sync(link)
        same(replica.values(f"cell/{ann}/round/1"), [20, 10], "our side of the conflict")
        shown = laptop.cells("Ann")[1]
        same(shown["value"], 20, "the winner there")
        same([loser["value"] for loser in shown["conflict"]], [10], "the loser there")
        same("Bob" in replica.players(), True, "a score keeps Bob in, here")
        same(laptop.cells("Bob")[1]["value"], 5, "a score keeps Bob in, there")
        laptop.control.call("resolve", words=["Ann", "round.1", "10"])
        link.until(lambda: replica.values(f"cell/{ann}/round/1") == [10], "the settling")
        link.until_agreed()
    same(laptop.control.call("conflicts")["conflicts"], [], "conflicts")


def returns(laptop: Laptop, _: int) -> None:
    """After a cut each sends only what the other lacks; who lost more says so by `need`."""
    member = member_of(laptop, "Ann")
    replica = member.replica
    with member.dial(laptop.port) as link:
        link.until_agreed()
        old, old_live = dict(replica.seen), dict(replica.live)
    laptop.score("Ann", "round.1=1")
    with member.dial(laptop.port) as link:
        link.until_agreed()
        same(dict(link.deltas[0].base), old, "the base")
        # Besides the score and the membership nothing was sent.
        same(sorted(key.split("/")[0] for key in link.deltas[0].changes),
             ["cell", "member"], "the keys")
        # A disk that took nothing of it: what comes next does not fit.
        replica.seen, replica.live = dict(old), dict(old_live)
        laptop.score("Ann", "round.2=2")
        link.until(lambda: len(link.deltas) >= 3, "what was missing")
        same(dict(link.deltas[2].base), old, "the base after a need")
        link.until_agreed()
        same([cell(member, "Ann", 1), cell(member, "Ann", 2)], [1, 2], "the scores")
        # And the other way round: one write of ours is left out.
        ahead = replica.seen | {replica.actor: replica.seen.get(replica.actor, 0) + 1}
        link.pushes = False
        link.send(Delta(ahead, ahead, {}))
        link.until(lambda: link.heard[-1]["type"] == "need", "the need")
        same(dict(link.heard[-1]["vector"]), replica.seen, "what is needed")


def listens(laptop: Laptop, udp: int) -> None:
    """An announcement is heard, and one's own brings the laptop to one's door."""
    ear = Ear(udp)
    try:
        session = laptop.begin("Ann")
        laptop.control.call("session.invite", close=False)
        while True:
            heard, host = ear.hear(laptop.device, PATIENCE)
            if any(held.session == session and held.is_inviting for held in heard.sessions):
                break
        same((heard.port, host), (laptop.port, "127.0.0.1"), "where it listens")
        member = laptop.admit()
        # Daemons take the lowest ports, and dial those of other daemons that have gone.
        for port in (free_port(reversed(PORTS)), free_port(reversed(PORTS[:-1]))):
            with member.listen(port) as connection:
                if _is_dialled(member, ear, port, connection):
                    break
        same(cell(member, "Ann", 1), 4, "the score here")
        same(laptop.cells("Ann")[1]["value"], 4, "the score there")
    finally:
        ear.close()


def _is_dialled(member: Member, ear: Ear, port: int, connection: Connection) -> bool:
    """Announces until the laptop dials, and enters a score; False where somebody else came."""
    link = Link(member, connection)
    try:
        for _ in range(200):
            ear.say(member.announcement(port))
            if (message := connection.receive(0.1)) is not None:
                link.take(message)
                break
    except Ended:
        return False
    connection.send(member.hello(port=port))
    link.until_agreed()
    member.replica.score(member.replica.players()["Ann"], "round", 1, 4)
    link.until_agreed()
    return True


def floods(laptop: Laptop, _: int) -> None:
    """Deltas of several parts go both ways."""
    member = member_of(laptop, "Ann")
    replica = member.replica
    with member.dial(laptop.port) as link:
        link.until_agreed()
        ann = replica.players()["Ann"]
        cells = {f"cell/{ann}/round/{number}": number for number in range(1, 2_001)}
        replica.write({**cells, f"member/{ann}": True})
        same(len(list(parts(replica.delta(link.stated) or Delta({}, {}, {})))) > 1, True, "parts")
        link.until_agreed()
    other = replace(member, device=secrets.token_hex(16), instance=secrets.token_hex(16))
    with other.dial(laptop.port) as link:
        link.until_agreed()
        same(max(link.part_counts) > 1, True, "several parts")
        same(other.replica.digest, replica.digest, "the digest")
    same(len(laptop.cells("Ann")), 2_000, "what is shown")


def finishes(laptop: Laptop, _: int) -> None:
    """A link of a finished session ends once both hold the same."""
    member = member_of(laptop, "Ann")
    with member.dial(laptop.port) as link:
        link.until_agreed()
        laptop.control.call("session.finish", finished=True)
        same(link.until_ended(), "finished", "the bye")
        same(member.replica.value("session/status"), "finished", "the status")
    with member.dial(laptop.port) as link:
        same(link.until_ended(), "finished", "the bye of a second link")


def _add(member: Member, name: str) -> None:
    player = secrets.token_hex(16)
    member.replica.write({
        f"player/{player}/name": name,
        f"player/{player}/added": True,
        f"member/{player}": True,
    })
