"""A laptop with a running daemon: its user, and the door to it."""

from __future__ import annotations

import json
import subprocess
from threading import Thread
from typing import Any

from . import joincode
from .control import Control
from .member import PATIENCE, Link, Member
from .tls import dial


class Laptop:
    """A home with its daemon."""

    def __init__(
        self,
        home: str,
        scorectl: str,
        cost: int = joincode.COST,
        other: str | None = None,
    ) -> None:
        self.home = home
        self.other = other
        self.cost = cost
        self._scorectl = scorectl
        self.control = Control(f"{home}/control.sock")
        daemon = self.control.call("status")["daemon"]
        self.device: str = daemon["device"]
        self.port: int = daemon["port"]

    def run(self, *words: str) -> dict[str, Any]:
        """What a command of the command line prints as JSON."""
        command = [self._scorectl, "--no-spawn", "--home", self.home, *words, "--json"]
        outcome = subprocess.run(command, capture_output=True, timeout=60, check=False)
        if outcome.returncode != 0:
            raise RuntimeError(f"{words}: {outcome.stderr.decode()}")
        return json.loads(outcome.stdout)

    def begin(self, *players: str, game: str = "rounds") -> str:
        """A new session; its id."""
        options: dict[str, str] = {}
        reply = self.control.call(
            "session.new", game=game, title="Friday", players=list(players), options=options
        )
        return reply["session"]["id"]

    def score(self, *words: str) -> None:
        """Enters a score there."""
        self.control.call("score", words=list(words))

    def sync(self, link: Link) -> None:
        """Waits until the laptop knows that its peer, who is asked meanwhile, has everything."""
        waiting = Thread(target=self._wait, daemon=True)
        waiting.start()
        link.until(lambda: not waiting.is_alive(), "the end of a wait")
        same = self.control.call("session.show")["session"]["synced"]
        if not same:
            raise AssertionError("the laptop waits for its peer")

    def _wait(self) -> None:
        condition = {"kind": "synced"}
        self.control.call("wait", condition=condition, timeoutMilliseconds=15_000)

    def cells(self, player: str) -> dict[int | None, dict[str, Any]]:
        """What the laptop shows of a player, by round."""
        document = self.control.call("show")["document"]
        found = [shown for shown in document["players"] if shown["name"] == player]
        return {cell["round"]: cell for shown in found for cell in shown["cells"]}

    def admit(self, name: str = "python-laptop") -> Member:
        """Joins its session by a code, as somebody does to whom it was read aloud."""
        code = joincode.read(self.control.call("session.invite", close=False)["code"])
        return self.admit_by(code, name)

    def admit_by(self, code: joincode.JoinCode, name: str = "python-laptop") -> Member:
        """Joins by a code."""
        key = code.key(self.cost)
        with dial("127.0.0.1", self.port, code.identity, key) as connection:
            welcome = connection.receive(PATIENCE)
        if welcome is None or welcome["type"] != "welcome":
            raise RuntimeError(f"no welcome, but {welcome}")
        return Member(welcome["session"], bytes.fromhex(welcome["key"]), name)
