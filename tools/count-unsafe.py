#!/usr/bin/env python3
"""Counts the unsafe blocks of each crate, and compares with tools/unsafe-blocks.txt.

usage: tools/count-unsafe.py

A number may fall at any time; the file is then lowered. It may rise only by a change of the file, which gives its reason in
CHANGELOG.md: more blocks than the file says are an error, and so is a file with a higher number than the last commit's beside
an unchanged changelog. Blocks are counted in `src`, tests in it included, after comments are taken out.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMITTED = Path("tools/unsafe-blocks.txt")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
BLOCK = re.compile(r"\bunsafe\s*\{")


def counted() -> dict[str, int]:
    """Unsafe blocks by crate, of crates that have some."""
    numbers = {}
    for manifest in sorted(ROOT.glob("crates/*/Cargo.toml")):
        sources = manifest.parent.glob("src/**/*.rs")
        blocks = sum(len(BLOCK.findall(COMMENT.sub("", source.read_text()))) for source in sources)
        if blocks:
            numbers[manifest.parent.name] = blocks
    return numbers


def parsed(text: str) -> dict[str, int]:
    """The numbers of the committed file: a crate and its number a line."""
    return {name: int(number) for name, number in (line.split() for line in text.splitlines() if line.strip())}


def at_head(path: Path) -> str | None:
    """A file's text in the last commit, if it is there."""
    shown = subprocess.run(["git", "show", f"HEAD:{path}"], cwd=ROOT, capture_output=True, text=True, check=False)
    return shown.stdout if shown.returncode == 0 else None


def main() -> int:
    found, committed = counted(), parsed((ROOT / COMMITTED).read_text())
    problems = []
    for name in sorted(found | committed):
        blocks, most = found.get(name, 0), committed.get(name, 0)
        note = "" if blocks == most else f"; lower {COMMITTED}" if blocks < most else "; too many"
        print(f"{blocks:5} unsafe blocks in {name}, {most} allowed{note}")
        if blocks > most:
            problems.append(f"{name} has {blocks} unsafe blocks, {most} allowed: do without, or raise the number in {COMMITTED} "
                            "and give the reason in CHANGELOG.md")
    before = at_head(COMMITTED)
    changelog = Path("CHANGELOG.md")
    if before is not None and at_head(changelog) == (ROOT / changelog).read_text():
        old = parsed(before)
        risen = [name for name, number in committed.items() if number > old.get(name, 0)]
        if risen:
            problems.append(f"{COMMITTED} rises for {', '.join(risen)}, and CHANGELOG.md gives no reason")
    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
