#!/usr/bin/env python3
"""Counts the unsafe blocks of each crate, and compares with tools/unsafe-blocks.txt.

usage: tools/count-unsafe.py

A number may fall at any time; the file is then lowered. It may rise only by a change of the file, which gives its reason in
CHANGELOG.md: more blocks than the file says are an error, and so is a change of the working tree, or a commit since SINCE,
that raises a number and leaves the changelog alone. Blocks are counted in `src`, tests in it included, after comments are
taken out.
"""

import re
import subprocess
import sys
from datetime import datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMITTED = Path("tools/unsafe-blocks.txt")
CHANGELOG = Path("CHANGELOG.md")
# The author's date of the first commit that is looked at: of the older ones four gave the reason in another commit.
SINCE = "2026-11-23T12:00:00+00:00"
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


def git(*arguments: str) -> str | None:
    """What git prints, if it succeeds."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else None


def risen(before: str | None, after: str | None) -> list[str]:
    """The crates whose number rose from one text of the file to another."""
    old = parsed(before or "")
    return [name for name, number in parsed(after or "").items() if number > old.get(name, 0)]


def risen_without_reason() -> list[str]:
    """What rose beside an unchanged changelog: in the working tree, then in every commit since SINCE."""
    commits = git("log", "--no-merges", "--format=%H %aI", "--", str(COMMITTED))
    if not commits:
        print("SKIPPED: no history of git here, so nobody knows whether a number rose")
        return []
    problems = []
    if git("show", f"HEAD:{CHANGELOG}") == (ROOT / CHANGELOG).read_text():
        names = risen(git("show", f"HEAD:{COMMITTED}"), (ROOT / COMMITTED).read_text())
        problems += [f"{COMMITTED} rises for {', '.join(names)}, and {CHANGELOG} gives no reason"] if names else []
    looked_at = 0
    for commit, date in (line.split() for line in commits.splitlines()):
        if datetime.fromisoformat(date) < datetime.fromisoformat(SINCE):
            continue
        before = git("show", f"{commit}^:{COMMITTED}")
        if before is None:
            print(f"SKIPPED: what was before commit {commit[:9]} is not here (a shallow clone?)")
            continue
        looked_at += 1
        names = risen(before, git("show", f"{commit}:{COMMITTED}"))
        if names and str(CHANGELOG) not in (git("diff", "--name-only", f"{commit}^", commit) or "").split():
            problems.append(f"commit {commit[:9]} raises {', '.join(names)} in {COMMITTED}, and leaves {CHANGELOG} alone: "
                            "put the reason into the same commit")
    print(f"{looked_at} commits since {SINCE[:10]} changed {COMMITTED}")
    return problems


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
    problems += risen_without_reason()
    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
