"""A laptop under attack: a network namespace, a disk, a clock, and a daemon."""

from __future__ import annotations

import json
import os
import pathlib
import signal
import socket
import struct
import subprocess
import time
from collections import defaultdict

from namespaces import PROGRAMS, Host, run

# Limits of an answer and of a start, in seconds.
ANSWER, START = 20, 20


class Refused(Exception):
    """An answer that says that nothing was written."""


class Unsure(Exception):
    """A call without an answer: whether it was carried out is unknown."""


class Defect(Exception):
    """A law that the programs under test break."""


def faketime() -> str:
    """The library of faketime(1); empty if it is not installed."""
    words = ["sh", "-c", "faketime -m -f +0 printenv LD_PRELOAD"]
    return subprocess.run(words, capture_output=True, text=True).stdout.strip()


FAKETIME = faketime()


class Line:
    """A connection to a control socket."""

    def __init__(self, path: pathlib.Path):
        self.socket, self.number = socket.socket(socket.AF_UNIX), 0
        self.socket.settimeout(ANSWER)
        self.input = self.socket.makefile("rb")
        try:
            self.socket.connect(str(path))
            self.call("negotiate", client="attack", lowest=3, highest=3)
        except (OSError, Unsure) as error:
            self.close()
            raise Refused(f"no connection: {error}") from error

    def call(self, method: str, **parameters) -> dict:
        """Calls a method, and returns its result."""
        self.number += 1
        message = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": parameters}
        try:
            self.send(json.dumps(message).encode())
            answer = self.receive()
        except (OSError, EOFError, ValueError) as error:
            raise Unsure(f"{method}: {error!r}") from error
        if "result" in answer:
            return answer["result"]
        text = f"{method}: {answer['error']['message']}"
        kind = answer["error"].get("data", {}).get("kind")
        raise Unsure(text) if kind in ("failed", "connection-lost") else Refused(text)

    def send(self, payload: bytes) -> None:
        self.socket.sendall(struct.pack(">I", len(payload)) + payload)

    def receive(self) -> dict:
        head = self.input.read(4)
        data = self.input.read(struct.unpack(">I", head)[0]) if len(head) == 4 else b""
        if not data:
            raise EOFError("the connection ended")
        return json.loads(data)

    def close(self) -> None:
        self.input.close()
        self.socket.close()


class Laptop(Host):
    """A host, a disk, a clock, a daemon, and what the daemon acknowledged."""

    def __init__(self, number: int, name: str, place: pathlib.Path):
        super().__init__(number, name)
        self.number = number
        self.folder = place / name
        self.home, self.log, self.clock = (self.folder / part for part in ("home", "log", "clock"))
        self.home.mkdir(parents=True)
        run(f"mount -t tmpfs -o size=96m,nr_inodes=64,mode=700 attack '{self.home}'")
        self.move(0)
        self.set_clock("+0")
        self.daemon: subprocess.Popen | None = None
        self.is_down, self.is_suspended, self.is_full, self.writes = True, False, False, 0
        self.forget()

    def move(self, turn: int) -> None:
        """Sets an address that no other laptop has."""
        self.set_address(f"10.79.0.{10 * turn + self.number + 1}")

    def set_clock(self, offset: str) -> None:
        new = self.folder / "clock.new"
        new.write_text(offset + "\n")
        new.rename(self.clock)

    def start(self) -> bool:
        """Starts the daemon; false if it ended before it was ready."""
        environment = {
            "PATH": os.environ["PATH"], "SWIFT_BACKTRACE": "enable=no",
            "LD_PRELOAD": FAKETIME, "FAKETIME_TIMESTAMP_FILE": str(self.clock),
            "FAKETIME_DONT_FAKE_MONOTONIC": "1", "FAKETIME_CACHE_DURATION": "1"}
        words = [*self.inside.split(), str(PROGRAMS / "scoresyncd"), "--home", str(self.home)]
        with self.log.open("ab") as log:
            self.daemon = subprocess.Popen(words + ["--name", self.name], env=environment,
                                           stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            self.patient_line().close()
            self.is_down = False
        except Refused:
            return False
        return True

    def must_start(self) -> None:
        if not self.start() and not self.is_full:
            raise Defect(f"{self.name} does not start: {self.log.read_text()[-600:]}")

    def line(self) -> Line:
        return Line(self.home / "control.sock")

    def patient_line(self) -> Line:
        """A connection to a daemon that may still start, or make its socket again."""
        deadline = time.monotonic() + START
        while True:
            try:
                return self.line()
            except Refused:
                if self.daemon.poll() is not None:
                    raise
                if time.monotonic() > deadline and self.is_full:
                    # It only reads its home, and has its socket elsewhere, until there is space.
                    self.daemon.kill()
                    self.daemon.wait()
                    raise
                if time.monotonic() > deadline:
                    raise Defect(f"{self.name} does not answer after a start") from None
            time.sleep(0.01)

    def end(self, number: signal.Signals) -> None:
        """Ends the daemon by a signal; by SIGTERM it must exit with 0."""
        if self.is_down:
            return
        self.is_down = True
        self.daemon.send_signal(number)
        try:
            status = self.daemon.wait(10)
        except subprocess.TimeoutExpired:
            raise Defect(f"{self.name} does not end on {number.name}") from None
        if status != (0 if number == signal.SIGTERM else -number):
            raise Defect(f"{self.name} ended with status {status} on {number.name}")

    def check_alive(self) -> None:
        if not self.is_down and self.daemon.poll() is not None:
            raise Defect(f"{self.name} ended by itself with status {self.daemon.returncode}")

    def heal(self) -> None:
        """Ends all faults."""
        run(f"""
            ip link set {self.port} master br0 up
            bridge link set dev {self.port} isolated off
            {self.inside} ip link set eth0 mtu 1500
            {self.inside} ip neigh flush dev eth0 nud permanent""")
        self.set_clock("+0")
        for file in self.home.glob("ballast*"):
            file.unlink()
        self.is_full = False
        if self.is_down:
            self.must_start()
        self.patient_line().call("daemon.offline", offline=False)

    def forget(self) -> None:
        """Forgets an episode, because all laptops are equal."""
        # `is_behind`: it lost what it had, so that earlier scores may win. `is_excused`: it left a
        # session, or its file was damaged, so that sessions may be missing.
        self.is_behind = self.is_excused = False
        # The values acknowledged by session and cell, those of calls without an answer, and the
        # sessions of such calls whose cells are not known.
        self.acknowledged: dict = defaultdict(dict)
        self.unsure: dict = defaultdict(lambda: defaultdict(set))
        self.loose: set[str] = set()
