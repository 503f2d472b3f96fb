#!/usr/bin/env python3
"""Runs the tests of some packages in the build of `cargo test --workspace`.

usage: tools/workspace-tests.py [--runner COMMAND] [--features FEATURES] [--test NAME...] PACKAGE... [-- ARGUMENTS...]

`cargo test -p PACKAGE` compiles the kernels again, which takes minutes: its dependencies have other features than in
the whole workspace. This script builds the whole workspace, so that all runs share one build, and runs the unit and
integration tests of the packages in their folders. COMMAND, such as `qemu-x86_64-static -cpu Nehalem`, runs each test
program with ARGUMENTS. With --test, only test programs with these names run; the program of the unit tests has the
package's name.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def programs(features: list[str]) -> list[tuple[str, str, Path, str]]:
    """Package, test name, folder and path of each test program of the workspace."""
    build = ["cargo", "test", "--workspace", "--lib", "--bins", "--tests", "--no-run"]
    build += ["--message-format=json-render-diagnostics", *(f"--features={f}" for f in features)]
    done = subprocess.run(build, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(done.returncode)
    found = []
    for message in map(json.loads, done.stdout.splitlines()):
        if message["reason"] == "compiler-artifact" and message["profile"]["test"] and message["executable"]:
            folder = Path(message["manifest_path"]).parent
            found.append((folder.name, message["target"]["name"], folder, message["executable"]))
    return sorted(found)


def main() -> None:
    arguments, test_arguments = sys.argv[1:], []
    if "--" in arguments:
        at = arguments.index("--")
        arguments, test_arguments = arguments[:at], arguments[at + 1 :]
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n")[0], description=__doc__.split("\n")[0])
    parser.add_argument("packages", nargs="+", metavar="PACKAGE")
    parser.add_argument("--runner", default="", help="command that runs each test program")
    parser.add_argument("--features", action="append", default=[], help="features for cargo, such as eltwise-cli/verify")
    parser.add_argument("--test", action="append", default=[], help="only test programs with this name; may be repeated")
    options = parser.parse_args(arguments)

    chosen = programs(options.features)
    known = {package for package, *_ in chosen}
    if unknown := set(options.packages) - known:
        sys.exit(f"error: no tests in {', '.join(sorted(unknown))}; packages with tests: {', '.join(sorted(known))}")
    chosen = [p for p in chosen if p[0] in options.packages]
    if options.test:
        names = {name for _, name, *_ in chosen}
        if unknown := {t.replace("-", "_") for t in options.test} - {n.replace("-", "_") for n in names}:
            sys.exit(f"error: no tests named {', '.join(sorted(unknown))}, expected some of: {', '.join(sorted(names))}")
        wanted = {t.replace("-", "_") for t in options.test}
        chosen = [p for p in chosen if p[1].replace("-", "_") in wanted]
    for package, name, folder, program in chosen:
        print(f"     Running {package}: {name}", flush=True)
        # Cargo sets this variable when it runs tests; the others are fixed at compile time.
        environment = os.environ | {"CARGO_MANIFEST_DIR": str(folder)}
        code = subprocess.run([*shlex.split(options.runner), program, *test_arguments], cwd=folder, env=environment).returncode
        if code != 0:
            sys.exit(f"error: tests {name} of {package} failed, exit code {code}")


if __name__ == "__main__":
    main()
