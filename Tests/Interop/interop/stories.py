"""What the second client does with a real laptop, one story each."""

from __future__ import annotations

from typing import Callable

from . import breaking, knocking, playing, reading
from .laptop import Laptop

Story = Callable[[Laptop, int], None]

ALL: dict[str, Story] = {
    story.__name__: story
    for story in [
        reading.examples, playing.joins, playing.scores, playing.conflicts, playing.returns,
        breaking.nonsense, breaking.refuses, breaking.repairs, playing.listens, playing.floods,
        reading.keeps, reading.shows, playing.finishes, knocking.knocks, knocking.replays,
        knocking.crowds, knocking.relays,
    ]
}
