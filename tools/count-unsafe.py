#!/usr/bin/env python3
"""Counts the unsafe blocks of each crate and compares them with tools/unsafe-blocks.txt.

usage: tools/count-unsafe.py

A crate must not have more blocks than the file allows. A change may lower a number freely; a change that raises one
must give the reason in CHANGELOG.md. So it is an error if the working tree, or a commit since SINCE, raises a number
without a change of the changelog. Counts the blocks in `src`, including tests, but not in comments.
"""

import re
import subprocess
import sys
from datetime import datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMITTED = Path("tools/unsafe-blocks.txt")
CHANGELOG = Path("CHANGELOG.md")
# Commits with an earlier author date are not checked: four of them gave the reason in another commit.
SINCE = "2026-11-23T12:00:00+00:00"
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
BLOCK = re.compile(r"\bunsafe\s*\{")


def counted() -> dict[str, int]:
    """The number of unsafe blocks by crate, for crates that have any."""
    numbers = {}
    for manifest in sorted(ROOT.glob("crates/*/Cargo.toml")):
        sources = manifest.parent.glob("src/**/*.rs")
        blocks = sum(len(BLOCK.findall(COMMENT.sub("", source.read_text()))) for source in sources)
        if blocks:
            numbers[manifest.parent.name] = blocks
    return numbers


def parsed(text: str) -> dict[str, int]:
    """The numbers by crate from the text of the file: a crate and its number on each line."""
    return {name: int(number) for name, number in (line.split() for line in text.splitlines() if line.strip())}


def git(*arguments: str) -> str | None:
    """The output of git; None if it fails."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else None


def risen(before: str | None, after: str | None) -> list[str]:
    """The crates whose number rises from one text of the file to another."""
    old = parsed(before or "")
    return [name for name, number in parsed(after or "").items() if number > old.get(name, 0)]


def risen_without_reason() -> list[str]:
    """The changes that raise a number but not the changelog: in the working tree, then in every commit since SINCE."""
    commits = git("log", "--no-merges", "--format=%H %aI", "--", str(COMMITTED))
    if not commits:
        print("SKIPPED: no git history, so rising numbers cannot be detected")
        return []
    problems = []
    if git("show", f"HEAD:{CHANGELOG}") == (ROOT / CHANGELOG).read_text():
        names = risen(git("show", f"HEAD:{COMMITTED}"), (ROOT / COMMITTED).read_text())
        problems += [f"{COMMITTED} rises for {', '.join(names)}, but {CHANGELOG} does not give a reason"] if names else []
    checked = 0
    for commit, date in (line.split() for line in commits.splitlines()):
        if datetime.fromisoformat(date) < datetime.fromisoformat(SINCE):
            continue
        before = git("show", f"{commit}^:{COMMITTED}")
        if before is None:
            print(f"SKIPPED: the parent of commit {commit[:9]} is missing (a shallow clone?)")
            continue
        checked += 1
        names = risen(before, git("show", f"{commit}:{COMMITTED}"))
        if names and str(CHANGELOG) not in (git("diff", "--name-only", f"{commit}^", commit) or "").split():
            problems.append(f"commit {commit[:9]} raises {', '.join(names)} in {COMMITTED} without a change of {CHANGELOG}: "
                            "give the reason in the same commit")
    print(f"{checked} commits since {SINCE[:10]} changed {COMMITTED}")
    return problems


def main() -> int:
    found, committed = counted(), parsed((ROOT / COMMITTED).read_text())
    problems = []
    for name in sorted(found | committed):
        blocks, most = found.get(name, 0), committed.get(name, 0)
        note = "" if blocks == most else f"; lower {COMMITTED}" if blocks < most else "; too many"
        print(f"{blocks:5} unsafe blocks in {name}, {most} allowed{note}")
        if blocks > most:
            problems.append(f"{name} has {blocks} unsafe blocks, {most} allowed: remove some, or raise the number in {COMMITTED} "
                            "and give the reason in CHANGELOG.md")
    problems += risen_without_reason()
    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
