#!/usr/bin/env python3
"""Golden cases of the command: each folder in cases/ is one.

    cmd      what the shell runs, in a copy of the folder, with `spillway` on the PATH
    stdout, stderr, exit   what must come of it; a missing file means nothing, and exit code 0
    made     names of the files that must be there afterwards and were not before; missing means none
    *        input files

`cmd` finds the plug-ins of the tests in $PLUGINS.

What depends on the host is masked: the program's version is written as <VERSION>, hwloc's as <HWLOC>, the folder of
the shipped scenarios, which `cmd` finds in $SCENARIOS, as <SCENARIOS>. The hash of the effective scenario is <HASH>, so
that a new key with a default changes no case; that of a plug-in's file is <SHA-256>.
"""

import argparse
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

CASES = pathlib.Path(__file__).resolve().parent / "cases"
EXPECTED = ("stdout", "stderr", "exit", "made")


def read(path):
    return path.read_text() if path.exists() else ""


def run_case(case, spillway, version, scenarios, plugins):
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "case"
        shutil.copytree(case, folder, ignore=shutil.ignore_patterns("cmd", *EXPECTED))
        before = {p.relative_to(folder) for p in folder.rglob("*")}
        environment = dict(os.environ, PATH=f"{spillway.parent}{os.pathsep}{os.environ['PATH']}", LC_ALL="C.UTF-8")
        environment["SCENARIOS"] = str(scenarios)
        environment["PLUGINS"] = str(plugins)
        done = subprocess.run(["bash", "-c", read(case / "cmd")], cwd=folder, env=environment, capture_output=True,
                              timeout=300, check=False)
        made = sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.relative_to(folder) not in before)

    def mask(raw):
        text = raw.decode().replace(version, "<VERSION>").replace(str(scenarios), "<SCENARIOS>")
        text = re.sub(r"effective text [0-9a-f]{16}", "effective text <HASH>", text)
        text = re.sub(r"\b[0-9a-f]{64}\b", "<SHA-256>", text)
        return re.sub(r"hwloc \d+\.\d+\.\d+", "hwloc <HWLOC>", text)

    return {"stdout": mask(done.stdout), "stderr": mask(done.stderr),
            "exit": f"{done.returncode}\n" if done.returncode else "", "made": "".join(f"{name}\n" for name in made)}


def difference(case, name, expected, actual):
    return "".join(difflib.unified_diff(expected.splitlines(True), actual.splitlines(True),
                                        f"{case.name}/{name} expected", f"{case.name}/{name} actual"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spillway", type=pathlib.Path, required=True, help="the program under test")
    parser.add_argument("--approve", action="store_true", help="take what differs as right")
    parser.add_argument("--skip", default="", metavar="A,B,...", help="names of cases to leave out")
    parser.add_argument("cases", nargs="*", help="names of cases; default all")
    options = parser.parse_args()
    spillway = options.spillway.resolve()
    said = subprocess.run([spillway, "--version"], capture_output=True, text=True, check=True).stdout
    version = re.fullmatch(r"spillway (\S+)\n", said).group(1)
    scenarios = CASES.parents[2] / "scenarios"
    plugins = spillway.parents[2] / "tests" / "plugins"

    cases = [c for c in sorted(CASES.iterdir()) if c.is_dir() and (not options.cases or c.name in options.cases)]
    if not cases or len(cases) < len(options.cases):
        sys.exit("no such case")
    cases = [c for c in cases if c.name not in options.skip.split(",")]
    failed = 0
    for case in cases:
        wrong = False
        for name, actual in run_case(case, spillway, version, scenarios, plugins).items():
            expected = read(case / name)
            if expected == actual:
                continue
            wrong = True
            sys.stdout.write(difference(case, name, expected, actual))
            if options.approve and actual:
                (case / name).write_text(actual)
            elif options.approve:
                (case / name).unlink()
        failed += wrong
        print(f"{case.name}: {'approved' if wrong and options.approve else 'DIFFERS' if wrong else 'ok'}")
    print(f"{len(cases)} cases, {failed} {'approved' if options.approve else 'differ'}")
    return 1 if failed and not options.approve else 0


if __name__ == "__main__":
    sys.exit(main())
