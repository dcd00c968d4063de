#!/usr/bin/env python3
"""Runs each command that README.md shows behind a `$`, from the root of the project: each must succeed and print."""

import argparse
import os
import pathlib
import re
import subprocess
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spillway", required=True, help="the program under test")
    parser.add_argument("--root", required=True, help="the root of the project")
    args = parser.parse_args()
    commands = re.findall(r"^\$ (spillway .*)$", pathlib.Path(args.root, "README.md").read_text(), re.M)
    folder = str(pathlib.Path(args.spillway).resolve().parent)
    environment = dict(os.environ, PATH=folder + os.pathsep + os.environ["PATH"])
    failed = 0
    for command in commands:
        done = subprocess.run(command, shell=True, cwd=args.root, env=environment, capture_output=True, text=True)
        good = done.returncode == 0 and done.stdout.strip() != ""
        failed += not good
        print(f"{command}: {'ok' if good else f'exit {done.returncode}: {done.stderr}'}")
    return 0 if commands and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
