#!/usr/bin/env python3
"""Lets a second client, written from Documentation/PROTOCOL.md, meet a running daemon.

    python3 Tests/Interop/run.py joins --home DIR [--scorectl PATH] [--udp PORT] [--cost N]

plays one story and exits with 0 when everything was as the page says. `--list` names them all.
The daemon of DIR gets a session for each; `listens` needs one that was started with `--loopback`
and, unless it is the usual one, `--discovery-port`.
"""

from __future__ import annotations

import argparse
import sys

from interop import joincode
from interop.laptop import Laptop
from interop.stories import ALL


def main() -> int:
    """Plays the story that was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("story", nargs="?", choices=list(ALL))
    parser.add_argument("--list", action="store_true", help="name the stories, and end")
    parser.add_argument("--home", help="the state directory of the daemon")
    parser.add_argument("--other", help="the state directory of another daemon, for `relays`")
    parser.add_argument("--scorectl", default="scorectl", help="the command line")
    parser.add_argument("--udp", type=int, default=47615, help="the port of announcements")
    parser.add_argument(
        "--cost", type=int, default=joincode.COST, help="what scrypt costs: less only in tests"
    )
    words = parser.parse_args()
    if words.list or words.story is None:
        for name, story in ALL.items():
            print(f"{name:10} {(story.__doc__ or '').strip()}")
        return 0
    if words.story == "examples":
        ALL["examples"](None, 0)
        return 0
    if words.home is None:
        parser.error("--home DIR says which daemon to meet")
    laptop = Laptop(words.home, words.scorectl, words.cost, words.other)
    ALL[words.story](laptop, words.udp)
    return 0


if __name__ == "__main__":
    sys.exit(main())
