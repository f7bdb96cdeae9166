"""Hosts on one switch, in namespaces that end with the script that made them."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAMS = pathlib.Path(os.environ.get("PROGRAMS") or ROOT / ".build/release").resolve()


def run(script: str) -> None:
    """Runs a shell script, which must succeed."""
    ended = subprocess.run(["sh", "-ec", script], capture_output=True, text=True)
    if ended.returncode != 0:
        raise RuntimeError(f"{script}: {ended.stdout}{ended.stderr}")


def make_switch() -> None:
    run("ip link set lo up; ip link add br0 type bridge; ip link set br0 up")


class Host:
    """A host of its own name, with a cable to the switch."""

    def __init__(self, number: int, name: str):
        self.name, self.port = name, f"port{number}"
        self.holder = subprocess.Popen(["unshare", "-n", "-u", "sleep", "infinity"])
        own = os.readlink("/proc/self/ns/uts")
        while os.readlink(f"/proc/{self.holder.pid}/ns/uts") == own:
            time.sleep(0.001)
        self.inside = f"nsenter -t {self.holder.pid} -n -u"
        run(f"""
            ip link add {self.port} type veth peer name eth0 netns {self.holder.pid}
            ip link set {self.port} master br0 up
            {self.inside} sh -c 'echo {name} >/proc/sys/kernel/hostname'
            {self.inside} ip link set lo up
            {self.inside} ip link set eth0 up""")

    def set_address(self, address: str) -> None:
        self.address = address
        run(f"""
            {self.inside} ip addr flush dev eth0
            {self.inside} ip addr add {address}/24 brd + dev eth0""")

    def remove(self) -> None:
        """Pulls the cable, and ends the process that holds the namespaces."""
        run(f"ip link del {self.port}")
        self.holder.kill()
        self.holder.wait()


def enclosed(script: str, words: list[str]) -> int:
    """Runs a script again, as `script --inside FOLDER WORDS…`, in namespaces and a folder that end
    with it, and returns its status."""
    name = pathlib.Path(script).name
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(130))
    os.chdir(ROOT)
    if not (PROGRAMS / "scoresyncd").exists():
        print(f"{name}: no scoresyncd in {PROGRAMS}; `make build` makes it", file=sys.stderr)
        return 2
    user = [] if os.geteuid() == 0 else ["-U", "-r"]
    # All processes inside end with this one.
    enter = ["setpriv", "--pdeathsig", "KILL", "unshare", *user, "-n", "-m", "-p", "-f",
             "--mount-proc", "--kill-child"]
    if subprocess.run(enter + ["ip", "link", "set", "lo", "up"], capture_output=True).returncode:
        needed = os.environ.get("SCORESYNC_NEEDS_NETNS") == "1"
        print(f"{name}: needs root or user namespaces, and iproute2")
        print("0 passed, 1 failed, 0 skipped" if needed else "0 passed, 0 failed, 1 skipped")
        return int(needed)
    with tempfile.TemporaryDirectory(prefix=f"{name}.") as folder:
        # libfaketime keeps files named by process ids there, which processes outside have, too.
        private = ["sh", "-ec", 'mount -t tmpfs shm /dev/shm; exec "$@"', "sh"]
        process = subprocess.Popen(
            [*enter, *private, sys.executable, script, "--inside", folder, *words])
        try:
            return process.wait()
        finally:
            process.kill()
            process.wait()
