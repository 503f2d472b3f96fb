#!/usr/bin/env python3
"""Checks every dependency of the workspace against deny.toml and docs/dependencies.md.

usage: tools/check-dependencies.py

* the licence of every crate that a member depends on is allowed by deny.toml;
* every crate is from crates.io or from this repository;
* no crate is banned by deny.toml;
* docs/dependencies.md lists exactly the direct dependencies of the members;
* the LICENSES-THIRD-PARTY.txt of a package for Python has every crate that is compiled into its wheel, with its version.

`cargo deny check licenses bans sources` reads the same deny.toml; this script needs no installation and takes a second.
"""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def allowed(expression: str, licences: set[str]) -> bool:
    """Whether `licences` satisfy an SPDX expression. `A/B` is an old spelling of `A OR B`."""
    tokens = re.findall(r"[()]|[^\s()]+", expression.replace("/", " OR "))
    position = 0

    def peek() -> str:
        return tokens[position].upper() if position < len(tokens) else ""

    def take() -> str:
        nonlocal position
        position += 1
        return tokens[position - 1]

    def alternatives() -> bool:
        result = conjunction()
        while peek() == "OR":
            take()
            result = conjunction() or result
        return result

    def conjunction() -> bool:
        result = term()
        while peek() == "AND":
            take()
            result = term() and result
        return result

    def term() -> bool:
        if peek() == "(":
            take()
            result = alternatives()
            take()
            return result
        name = take()
        if peek() == "WITH":
            take()
            name = f"{name} WITH {take()}"
        return name in licences

    return alternatives()


def without_licence_text(package: str) -> list[str]:
    """The crates of a package's wheel that its LICENSES-THIRD-PARTY.txt does not have."""
    command = ["cargo", "tree", "--locked", "-p", package, "-e", "normal", "--prefix", "none", "--format", "{p}"]
    tree = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    linked = {tuple(line.split()[:2]) for line in tree.splitlines() if "proc-macro" not in line and "(/" not in line}
    text = (ROOT / "crates" / package / "LICENSES-THIRD-PARTY.txt").read_text()
    return sorted(f"{name} {version[1:]}" for name, version in linked if f"* {name} {version[1:]}" not in text)


def main() -> int:
    metadata = json.loads(
        subprocess.run(
            ["cargo", "metadata", "--format-version", "1", "--all-features", "--locked"],
            cwd=ROOT, check=True, capture_output=True, text=True,
        ).stdout
    )
    policy = tomllib.loads((ROOT / "deny.toml").read_text())
    licences = set(policy["licenses"]["allow"])
    banned = {ban["crate"]: ban.get("reason", "") for ban in policy["bans"].get("deny", [])}
    members = set(metadata["workspace_members"])
    problems = []

    for package in metadata["packages"]:
        name = f'{package["name"]} {package["version"]}'
        if not allowed(package["license"] or "none", licences):
            problems.append(f'{name}: licence {package["license"]!r} is not allowed by deny.toml')
        if package["name"] in banned:
            problems.append(f'{name}: banned by deny.toml: {banned[package["name"]]}')
        source = package["source"]
        if source is None and not Path(package["manifest_path"]).is_relative_to(ROOT):
            problems.append(f"{name}: path outside the repository")
        if source is not None and not source.startswith("registry+"):
            problems.append(f"{name}: not from a registry: {source}")

    ours = {p["name"] for p in metadata["packages"] if p["id"] in members}
    direct = {
        dependency["name"]
        for package in metadata["packages"] if package["id"] in members
        for dependency in package["dependencies"]
    } - ours
    page = (ROOT / "docs/dependencies.md").read_text()
    documented = set(re.findall(r"^\| `([A-Za-z0-9_-]+)`", page, flags=re.MULTILINE))
    fuzz = tomllib.loads((ROOT / "fuzz/Cargo.toml").read_text()).get("dependencies", {})
    direct |= {name for name in fuzz if not name.startswith("eltwise")}
    for name in sorted(direct - documented):
        problems.append(f"{name}: direct dependency, not listed in docs/dependencies.md")
    for name in sorted(documented - direct):
        problems.append(f"{name}: listed in docs/dependencies.md, but no member depends on it")

    for package in ("eltwise-python", "eltwise-onnxruntime"):
        for name in ("LICENSE-MIT", "LICENSE-APACHE"):
            if (ROOT / name).read_bytes() != (ROOT / "crates" / package / name).read_bytes():
                problems.append(f"crates/{package}/{name} is not a copy of {name}")
        for crate in without_licence_text(package):
            problems.append(f"{crate}: not in crates/{package}/LICENSES-THIRD-PARTY.txt; run `just python-licences`")

    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    if not problems:
        print(f'dependencies: {len(metadata["packages"]) - len(members)} crates, {len(direct)} of them direct, all pass')
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
