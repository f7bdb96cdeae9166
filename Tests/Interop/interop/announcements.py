"""Finding each other (section 2)."""

from __future__ import annotations

import socket
import time
from dataclasses import dataclass
from typing import Any

from .deltas import identifier, integer, need
from .payloads import LARGEST_INTEGER, scan, write

LARGEST_DATAGRAM = 512
PORTS = range(47615, 47635)
LOOPBACK = "127.255.255.255"


@dataclass(frozen=True)
class Announced:
    """One session of an announcement."""

    session: str
    is_inviting: bool
    is_searching: bool
    digest: str | None


@dataclass(frozen=True)
class Announcement:
    """Who is there, and holds what."""

    device: str
    instance: str
    port: int
    lowest: int
    highest: int
    sessions: tuple[Announced, ...]

    def datagram(self) -> bytes:
        """How it travels, where it fits into one datagram."""
        data = write({
            "app": "scoresync",
            "device": self.device,
            "instance": self.instance,
            "port": self.port,
            "protocol": {"min": self.lowest, "max": self.highest},
            "sessions": [_form(session) for session in self.sessions],
        })
        need(len(data) <= LARGEST_DATAGRAM, "the announcement is too long")
        return data


def _form(session: Announced) -> list[Any]:
    flags = int(session.is_inviting) + 2 * int(session.is_searching)
    return [session.session, flags] + ([session.digest] if session.digest else [])


def decode(data: bytes) -> Announcement:
    """What a datagram says; `Malformed` where it is no announcement."""
    need(len(data) <= LARGEST_DATAGRAM, "too long")
    fields = scan(data)
    need(isinstance(fields, dict) and fields.get("app") == "scoresync", "not ScoreSync")
    versions = fields["protocol"]
    return Announcement(
        device=identifier(fields["device"]),
        instance=identifier(fields["instance"]),
        port=integer(fields["port"], 0, 65_535, "port"),
        lowest=integer(versions["min"], 1, 65_535, "min"),
        highest=integer(versions["max"], 1, 65_535, "max"),
        sessions=tuple(_session(row) for row in fields["sessions"]),
    )


def _session(row: list[Any]) -> Announced:
    need(len(row) >= 2, "a session without flags")
    flags = integer(row[1], 0, LARGEST_INTEGER, "flags")
    return Announced(
        session=identifier(row[0]),
        is_inviting=bool(flags & 1),
        is_searching=bool(flags & 2),
        digest=row[2] if len(row) > 2 else None,
    )


class Ear:
    """Hears announcements, and makes them, on loopback."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        self._socket.bind(("", port))

    def close(self) -> None:
        """Hears no more."""
        self._socket.close()

    def say(self, announcement: Announcement) -> None:
        """Announces once."""
        self._socket.sendto(announcement.datagram(), (LOOPBACK, self._port))

    def hear(self, device: str, seconds: float) -> tuple[Announcement, str]:
        """The next announcement of a device, and the address that it came from."""
        end = time.monotonic() + seconds
        while True:
            self._socket.settimeout(max(0.001, end - time.monotonic()))
            data, (host, _) = self._socket.recvfrom(65_536)
            announcement = decode(data)
            if announcement.device == device:
                return announcement, host
