#!/usr/bin/env python3
"""usage: tests/sweep/kill.py SPILLWAY [STUDY.toml [KILLS]]

Starts a sweep again and again and ends it with SIGKILL at random moments, then lets it finish. Checks after each kill
that every line that was there still is, and that no point is recorded twice; at the end that the bytes are those of a
sweep that nobody disturbed. A worker begins a point only after it has recorded the one before, so at most as many are
made again after a kill as there are threads.
"""

import pathlib
import random
import subprocess
import sys
import tempfile
import time

THREADS = 2


def whole_lines(path):
    """The lines of the file, without a torn one at its end."""
    return [line for line in path.read_bytes().splitlines(True) if line.endswith(b"\n")] if path.exists() else []


def main():
    spillway = pathlib.Path(sys.argv[1]).resolve()
    study = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else pathlib.Path(__file__).parent / "study.toml").resolve()
    kills = int(sys.argv[3]) if len(sys.argv) > 3 else 10
    seed = random.randrange(2**32)
    moments = random.Random(seed)
    with tempfile.TemporaryDirectory() as scratch:
        straight, killed = (pathlib.Path(scratch) / name for name in ("straight.jsonl", "killed.jsonl"))
        command = [spillway, "sweep", study, "--threads", str(THREADS), "--out"]
        started = time.monotonic()
        subprocess.run([*command, straight], check=True, stdout=subprocess.DEVNULL)
        whole_s = time.monotonic() - started
        points = len(whole_lines(straight)) - 1
        print(f"{points} points in {whole_s:.1f} s; seed of the moments {seed}")
        before, made, torn = [], 0, 0
        for kill in range(kills):
            process = subprocess.Popen([*command, killed], stdout=subprocess.DEVNULL)
            # As much as is left for this one and those that follow, twice on average.
            time.sleep(moments.uniform(0, 2 * whole_s / (kills + 1)))
            process.kill()
            process.wait()
            now = whole_lines(killed)
            if process.returncode == 0:
                print(f"kill {kill + 1}: it was finished before")
                break
            torn += killed.exists() and not killed.read_bytes().endswith(b"\n") and killed.stat().st_size > 0
            if now[:len(before)] != before:
                sys.exit(f"kill {kill + 1}: lines that were recorded are gone or changed")
            numbers = [line.split(b",")[0] for line in now[1:]]
            if len(set(numbers)) != len(numbers):
                sys.exit(f"kill {kill + 1}: a point is recorded twice")
            print(f"kill {kill + 1}: {max(len(now) - 1, 0)} points are recorded")
            made += max(len(now) - 1, 0) - max(len(before) - 1, 0)
            before = now
        subprocess.run([*command, killed], check=True, stdout=subprocess.DEVNULL)
        if killed.read_bytes() != straight.read_bytes():
            sys.exit("the bytes are not those of a sweep that was not disturbed")
        print(f"the same bytes; {made} points were recorded by processes that were killed, {torn} lines were torn")


if __name__ == "__main__":
    main()
