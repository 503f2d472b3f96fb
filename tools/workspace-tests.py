#!/usr/bin/env python3
"""Runs the tests of some packages as `cargo test --workspace` builds them.

usage: tools/workspace-tests.py [--runner COMMAND] [--features FEATURES] [--test NAME...] PACKAGE... [-- ARGUMENTS...]

`cargo test -p PACKAGE` compiles the kernels again, some minutes: dependencies have other features there than in the
whole workspace. This builds with the workspace's selection, so that what one run compiled serves the next, and starts the
library's and integration tests of the packages in their folders. COMMAND, such as `qemu-x86_64-static -cpu Nehalem`,
starts each program; ARGUMENTS go to it. With --test only tests of these names (the library's has the package's) run.
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
    """Package, name of the test, its folder and its program, of the whole workspace."""
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
    own, rest = sys.argv[1:], []
    if "--" in own:
        at = own.index("--")
        own, rest = own[:at], own[at + 1 :]
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n")[0], description=__doc__.split("\n")[0])
    parser.add_argument("packages", nargs="+", metavar="PACKAGE")
    parser.add_argument("--runner", default="", help="starts each program")
    parser.add_argument("--features", action="append", default=[], help="as of cargo, such as eltwise-cli/verify")
    parser.add_argument("--test", action="append", default=[], help="tests of this name only; may be repeated")
    options = parser.parse_args(own)

    chosen = programs(options.features)
    known = {package for package, *_ in chosen}
    if unknown := set(options.packages) - known:
        sys.exit(f"error: no tests in {', '.join(sorted(unknown))}; packages with tests: {', '.join(sorted(known))}")
    chosen = [p for p in chosen if p[0] in options.packages]
    if options.test:
        names = {name for _, name, *_ in chosen}
        if unknown := {t.replace("-", "_") for t in options.test} - {n.replace("-", "_") for n in names}:
            sys.exit(f"error: no tests {', '.join(sorted(unknown))}; there are {', '.join(sorted(names))}")
        wanted = {t.replace("-", "_") for t in options.test}
        chosen = [p for p in chosen if p[1].replace("-", "_") in wanted]
    for package, name, folder, program in chosen:
        print(f"     Running {package}: {name}", flush=True)
        # What cargo tells its tests; the rest is fixed when they are compiled.
        environment = os.environ | {"CARGO_MANIFEST_DIR": str(folder)}
        code = subprocess.run([*shlex.split(options.runner), program, *rest], cwd=folder, env=environment).returncode
        if code != 0:
            sys.exit(f"error: tests {name} of {package} failed, exit code {code}")


if __name__ == "__main__":
    main()
