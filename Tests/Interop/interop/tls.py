"""Connections: TLS 1.3 with a pre-shared key, by the `openssl` program (section 3).

Python's own `ssl` cannot do external keys for TLS 1.3 before 3.13. The key stands in the
arguments of a process for all users of the machine to read: good enough for a test, and for
nothing else.
"""

from __future__ import annotations

import os
import selectors
import socket
import subprocess
import tempfile
import time
from typing import Any, Iterable

from .payloads import FrameReader, frame, scan, write

SUITE = "TLS_AES_128_GCM_SHA256"


class Ended(Exception):
    """The connection has ended; the text is what `openssl` said about it."""


class Connection:
    """One connection that carries messages."""

    def __init__(self, words: list[str]) -> None:
        self._errors = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            ["openssl", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            bufsize=0,
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout
        self._reader = FrameReader()
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._output, selectors.EVENT_READ)

    def send(self, message: dict[str, Any]) -> None:
        """Says something."""
        self.send_payload(write(message))

    def send_payload(self, payload: bytes) -> None:
        """Says something that was written down already."""
        try:
            data = memoryview(frame(payload))
            while data:
                data = data[self._input.write(data) :]
        except BrokenPipeError as error:
            raise Ended(self.reason()) from error

    def receive(self, seconds: float) -> dict[str, Any] | None:
        """The next message; None when none comes in that time."""
        payload = self.receive_payload(seconds)
        return None if payload is None else scan(payload)

    def receive_payload(self, seconds: float) -> bytes | None:
        """The next payload; None when none comes in that time."""
        end = time.monotonic() + seconds
        while (payload := self._reader.next()) is None:
            if not self._selector.select(max(0.0, end - time.monotonic())):
                return None
            data = os.read(self._output.fileno(), 65_536)
            if not data:
                raise Ended(self.reason())
            self._reader.feed(data)
        return payload

    def reason(self) -> str:
        """Why it ended, in the words of `openssl`."""
        self._process.wait(20)
        self._errors.seek(0)
        return self._errors.read().decode("utf-8", "replace")

    def close(self) -> None:
        """Cuts it without a word."""
        self._selector.close()
        self._process.kill()
        self._process.wait()
        self._input.close()
        self._output.close()
        self._errors.close()

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _common(identity: str, key: bytes) -> list[str]:
    # `-quiet` also means that no letter of what is sent is taken for a command, and that the end
    # of the input is not the end of the connection.
    words = ["-quiet", "-tls1_3", "-ciphersuites", SUITE, "-groups", "X25519:P-256"]
    return [*words, "-psk_identity", identity, "-psk", key.hex()]


def dial(host: str, port: int, identity: str, key: bytes) -> Connection:
    """A connection to who listens there; what is wrong with it shows with the first message."""
    # A server that has a certificate instead of the key must not pass.
    words = ["s_client", "-connect", f"{host}:{port}", "-verify_return_error"]
    return Connection([*words, *_common(identity, key)])


def listen(port: int, identity: str, key: bytes) -> Connection:
    """Waits for one connection, at a port of this machine."""
    words = ["s_server", "-accept", f"127.0.0.1:{port}", "-naccept", "1", "-nocert"]
    connection = Connection([*words, "-num_tickets", "0", *_common(identity, key)])
    end = time.monotonic() + 20
    while _is_free(port):
        if time.monotonic() > end:
            raise Ended(f"nobody listens at {port}")
        time.sleep(0.005)
    return connection


def free_port(ports: Iterable[int]) -> int:
    """The first of these ports that nobody listens at."""
    return next(port for port in ports if _is_free(port))


def any_port() -> int:
    """A port that nobody uses, by the system's choice."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True
