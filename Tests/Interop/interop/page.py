"""What PROTOCOL.md itself shows, so that its examples are held against this client."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parents[3] / "Documentation" / "PROTOCOL.md"


def text() -> str:
    """The page."""
    return PAGE.read_text("utf-8")


def examples(section: int) -> list[bytes]:
    """The lines of JSON that a section shows."""
    pieces = re.split(r"^## (\d+)\. ", text(), flags=re.MULTILINE)
    body = pieces[pieces.index(str(section)) + 1]
    blocks = re.findall(r"^```json\n(.*?)^```", body, flags=re.MULTILINE | re.DOTALL)
    return [line.encode() for block in blocks for line in block.splitlines()]


def value(pattern: str) -> str:
    """What a pattern finds in the page."""
    found = re.search(pattern, text(), flags=re.DOTALL)
    if found is None:
        raise LookupError(f"{PAGE} does not say {pattern}")
    return found.group(1)
