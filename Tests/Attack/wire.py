#!/usr/bin/env python3
"""A cable to the switch that disturbs what passes it.

    wire.py PORT HOLDER ADDRESS KIND

Replaces the cable between a port of the switch, in the namespace of this process, and eth0 in that of
another process, whose address it becomes again. The KIND is

    untidy      packets overtake one another, and some come twice
    nat         a router translates the address and the ports of the laptop: only the answers to its
                own packets reach it, and no broadcast passes

Prints a line once it carries packets, and ends with its standard input.
"""

import ctypes
import fcntl
import heapq
import os
import random
import select
import socket
import struct
import subprocess
import sys
import time

# The requests and constants of <linux/if_tun.h>, <linux/if_ether.h> and <sched.h>.
TUNSETIFF, TAP, WITHOUT_INFORMATION = 0x400454CA, 0x0002, 0x1000
IPV4, ARP = b"\x08\x00", b"\x08\x06"
NEW_NETWORK = 0x40000000


def enter(holder: int | str) -> None:
    """Enters the network namespace of a process."""
    with open(f"/proc/{holder}/ns/net") as namespace:
        if ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), NEW_NETWORK):
            raise OSError(ctypes.get_errno(), "cannot enter the namespace")


def plug(name: str, *commands: str) -> int:
    """Creates an end of the cable in the current namespace, in place of the one with its name."""
    subprocess.run(["ip", "link", "del", name], stderr=subprocess.DEVNULL, check=False)
    end = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    kind = TAP | WITHOUT_INFORMATION
    fcntl.ioctl(end, TUNSETIFF, struct.pack("16sH22x", name.encode(), kind))
    for command in commands:
        subprocess.run(["ip", *command.split()], check=True)
    return end


def replace(frame: bytearray, place: int, new: bytes, *checksums: int) -> None:
    """Replaces bytes at an even place, and updates the checksums over them (RFC 1624)."""
    old = bytes(frame[place : place + len(new)])
    frame[place : place + len(new)] = new
    for at in checksums:
        (before,) = struct.unpack_from("!H", frame, at)
        total = ~before & 0xFFFF
        for (gone,), (come,) in zip(struct.iter_unpack("!H", old), struct.iter_unpack("!H", new)):
            total += (~gone & 0xFFFF) + come
        while total >> 16:
            total = (total & 0xFFFF) + (total >> 16)
        struct.pack_into("!H", frame, at, ~total & 0xFFFF)


class Router:
    """Translates the address and the ports of the laptop behind it."""

    # Each port of the laptop is seen as the one that differs in this bit.
    OTHER = 0x2000

    def __init__(self, address: str):
        self.inner = socket.inet_aton(address)
        self.outer = self.inner[:3] + bytes([self.inner[3] + 200])
        self.flows: set[tuple] = set()

    def pass_on(self, frame: bytearray, is_leaving: bool) -> bool:
        """Translates a packet; returns whether it passes."""
        old, new = (self.inner, self.outer) if is_leaving else (self.outer, self.inner)
        if frame[12:14] == ARP:
            place = 28 if is_leaving else 38
            if frame[place : place + 4] != old:
                return False
            frame[place : place + 4] = new
            return True
        if frame[12:14] != IPV4 or frame[0] & 1 or frame[23] not in (6, 17):
            return False
        start = 14 + 4 * (frame[14] & 15)
        checksum = start + (16 if frame[23] == 6 else 6)
        place, port = (26, start) if is_leaving else (30, start + 2)
        if frame[place : place + 4] != old:
            return False
        other = (30, start + 2) if is_leaving else (26, start)
        (number,) = struct.unpack_from("!H", frame, port)
        inner = number if is_leaving else number ^ self.OTHER
        far = bytes(frame[other[0] : other[0] + 4]) + bytes(frame[other[1] : other[1] + 2])
        flow = (frame[23], inner, far)
        if is_leaving:
            self.flows.add(flow)
        elif flow not in self.flows:
            return False
        replace(frame, place, new, 24, checksum)
        replace(frame, port, struct.pack("!H", number ^ self.OTHER), checksum)
        return True


def carry(ends: list[int], router: Router | None) -> None:
    """Carries packets both ways until the standard input ends."""
    waiting: list[tuple[float, int, int, bytes]] = []
    count = 0
    while True:
        pause = max(0, waiting[0][0] - time.monotonic()) if waiting else None
        readable, _, _ = select.select([sys.stdin, *ends], [], [], pause)
        if sys.stdin in readable:
            return
        for end in set(readable).intersection(ends):
            frame = bytearray(os.read(end, 65_535))
            target = ends[1 - ends.index(end)]
            if router:
                if router.pass_on(frame, end == ends[1]):
                    waiting.append((0, count := count + 1, target, bytes(frame)))
                continue
            for _ in range(random.choice([1, 1, 1, 2])):
                due = time.monotonic() + random.choice([0, 0, 0.002, 0.005])
                heapq.heappush(waiting, (due, count := count + 1, target, bytes(frame)))
        while waiting and waiting[0][0] <= time.monotonic():
            _, _, target, frame = heapq.heappop(waiting)
            try:
                os.write(target, frame)
            except OSError:
                # The other end is down, as a cable that is pulled.
                pass


def main(port: str, holder: str, address: str, kind: str) -> None:
    near = plug(port, f"link set {port} master br0 up")
    enter(holder)
    far = plug(
        "eth0",
        "link set eth0 addrgenmode none up",
        f"addr add {address}/24 brd + dev eth0",
    )
    print("ready", flush=True)
    carry([near, far], Router(address) if kind == "nat" else None)


if __name__ == "__main__":
    main(*sys.argv[1:])
