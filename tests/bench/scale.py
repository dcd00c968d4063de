#!/usr/bin/env python3
"""What a request costs the host on a machine of 8192 CPUs, as a ratio to 128.

The same scenario on two synthetic machines of two packages. CPU time of a long run less that of a short one, so that
reading the machine does not count; the median of the pairs.
"""

import argparse
import re
import resource
import statistics
import subprocess

MACHINE = "package:2 [numa(memory=256GiB)] l3:1(size=60MiB) l2:{}(size=2MiB) core:1 pu:2(indexes=core:package)"


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(args, policy, cpus, runtime):
    """CPU seconds, and requests that ended."""
    before = cpu_seconds()
    done = subprocess.run(
        [args.spillway, "run", args.scenario, "--policy", policy, "--threads", "1", "--replications", "1",
         "--set", "machine.synthetic=" + MACHINE.format(cpus // 4), "--set", f"run.runtime={runtime}",
         "--set", "run.ramp_time=50ms", "--out", "-"], capture_output=True, text=True, check=True)
    return cpu_seconds() - before, sum(int(ios) for ios in re.findall(r'"ios": *(\d+)', done.stdout))


def cost(args, policy, cpus):
    """Nanoseconds a request."""
    short, long = run(args, policy, cpus, "1s"), run(args, policy, cpus, "11s")
    return 1e9 * (long[0] - short[0]) / (long[1] - short[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spillway", required=True, help="the program under test")
    parser.add_argument("--scenario", default="scenarios/fuse-spill.toml")
    parser.add_argument("--pairs", type=int, default=3)
    args = parser.parse_args()
    for policy in ("local-only", "same-node", "global"):
        pairs = [(cost(args, policy, 128), cost(args, policy, 8192)) for _ in range(args.pairs)]
        small, large = (statistics.median(side) for side in zip(*pairs))
        ratio = statistics.median(b / a for a, b in pairs)
        print(f"{policy:12} {small:5.0f} ns on 128 CPUs, {large:5.0f} ns on 8192: {ratio:.2f} x", flush=True)


if __name__ == "__main__":
    main()
