"""The control socket of a laptop (section 8)."""

from __future__ import annotations

import socket
from typing import Any

from .payloads import FrameReader, frame, scan, write

LARGEST_ANSWER = 16 << 20


class Refused(Exception):
    """The daemon answered with an error."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error["message"])
        self.kind: str = error["data"]["kind"]


class Control:
    """One connection to a daemon."""

    def __init__(self, path: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(30)
        self._socket.connect(path)
        self._reader = FrameReader(LARGEST_ANSWER)
        self._last = 0
        self.call("negotiate", client="interop", lowest=3, highest=3)

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """What the daemon answers; `Refused` where that is an error."""
        self._last += 1
        request = {
            "jsonrpc": "2.0", "id": self._last, "method": method, "params": parameters
        }
        self._socket.sendall(frame(write(request)))
        while (payload := self._reader.next()) is None:
            data = self._socket.recv(65_536)
            if not data:
                raise ConnectionError("the daemon has closed the control socket")
            self._reader.feed(data)
        answer = scan(payload)
        if "error" in answer:
            raise Refused(answer["error"])
        return answer["result"]

    def close(self) -> None:
        """Ends the connection."""
        self._socket.close()
