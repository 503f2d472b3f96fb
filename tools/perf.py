#!/usr/bin/env python3
"""Counts the instructions and allocations of small runs and compares them with benches/baseline/ir.json.

usage: tools/perf.py check   prints old count, new count and ratio of each case; fails if a count is more than 2 % above the
                             baseline, if a run allocates, or if the baseline has other cases
       tools/perf.py bless   writes the current counts to the baseline

benches/ir makes the counts: instructions under valgrind (iai-callgrind), allocations by a counting allocator. They
depend on the sources, the compiler and its flags, valgrind and the C library. They do not depend on environment
variables, nor on the machine, if it has AVX2: benches/ir fixes the CPU that plans are made for. Counts of parsing may
differ by a few instructions in ten thousand between build folders: iai-callgrind writes the folder's name into the
program, which moves the constants after it.
"""

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BASELINE = ROOT / "benches/baseline/ir.json"
PACKAGE = "eltwise-ir"
# Cargo unifies the features of all selected packages. This selection shares its build with the other benches, and its
# kernels with `cargo run --release`.
BENCH = ["cargo", "bench", "--quiet", "-p", "eltwise-benches", "-p", "eltwise-layouts", "-p", "eltwise-cli", "-p", PACKAGE]
BENCH += ["--features", f"{PACKAGE}/ir", "--bench"]
FOLDER = "/tmp"
"""The folder of the counted program. Its path is on the program's heap, so another length would change the counts.
Temporary folders made here have paths of the same length.
"""
MAX_RATIO = 1.02
"""The largest ratio of the new number of instructions to the old one."""


def output(command: list[str], **options) -> str:
    """The output of a command; exits with its error if it fails."""
    try:
        return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True, **options).stdout
    except FileNotFoundError:
        sys.exit(f"error: {command[0]} is not installed")
    except subprocess.CalledProcessError as error:
        sys.exit(f"{error.stdout or ''}error: {' '.join(command)}: exit code {error.returncode}")


def tools_environment() -> dict[str, str]:
    """The environment with target/ci-tools on the path, and without variables that change the counts."""
    environment = {k: v for k, v in os.environ.items() if k != "ELTWISE_ISA" and not k.startswith("IAI_CALLGRIND")}
    environment["PATH"] = f"{ROOT}/target/ci-tools/bin{os.pathsep}{environment.get('PATH', os.defpath)}"
    return environment


def built(bench: str, environment: dict[str, str]) -> Path:
    """Builds a bench and returns its path."""
    messages = output([*BENCH, bench, "--no-run", "--message-format=json-render-diagnostics"], env=environment)
    for message in map(json.loads, messages.splitlines()):
        if message["reason"] == "compiler-artifact" and message["target"]["name"] == bench and message["executable"]:
            return Path(message["executable"])
    sys.exit(f"error: cargo built no program for the bench {bench}")


def instructions(environment: dict[str, str]) -> dict[str, int]:
    """Runs every case under valgrind; returns the number of instructions by name."""
    for tool in ["valgrind", "iai-callgrind-runner"]:
        if not shutil.which(tool, path=environment["PATH"]):
            sys.exit(f"error: {tool} is not installed; docs/dependencies.md has its version")
    counts = {}
    with tempfile.TemporaryDirectory(prefix="eltwise-", dir=FOLDER) as folder:
        program = shutil.copy(built("ir", environment), Path(folder, "ir"))
        output([str(program), "--bench", "--save-summary=json", f"--home={folder}/results"], env=environment)
        for path in Path(folder).rglob("summary.json"):
            summary = json.loads(path.read_text())
            total = summary["profiles"][0]["summaries"]["total"]["summary"]["Callgrind"]["Ir"]["metrics"]
            counts[f"{summary['function_name']}.{summary['id']}"] = total["Left"]["Int"]
    if not counts:
        sys.exit("error: iai-callgrind-runner wrote no summary.json")
    return dict(sorted(counts.items()))


def allocations(environment: dict[str, str]) -> dict[str, int]:
    """Runs every case with a counting allocator; returns the number of allocations by name."""
    counts = output([*BENCH, "allocations"], env=environment)
    return dict(sorted(json.loads(counts).items()))


def circumstances(metadata: dict) -> dict[str, str]:
    """The properties of the build environment that the counts depend on."""
    profiles = tomllib.loads((ROOT / "Cargo.toml").read_text())["profile"]
    flags = [os.environ.get(name, "") for name in ("RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS")]
    runner = next(p["version"] for p in metadata["packages"] if p["name"] == "iai-callgrind")
    return {
        "rustc": output(["rustc", "-vV"]).strip(),
        "flags": " ".join(flags).replace("\x1f", " ").strip(),
        "profile release": json.dumps(profiles.get("release", {}), sort_keys=True),
        "profile bench": json.dumps(profiles.get("bench", {}), sort_keys=True),
        "valgrind": output(["valgrind", "--version"]).strip(),
        "iai-callgrind": runner,
        "libc": " ".join(platform.libc_ver()),
    }


def measured() -> dict:
    """The current counts in the format of the baseline."""
    metadata = json.loads(output(["cargo", "metadata", "--format-version", "1", "--all-features"]))
    environment = tools_environment()
    counts = instructions(environment)
    return {"circumstances": circumstances(metadata), "instructions": counts, "allocations": allocations(environment)}


def differences(old: dict[str, str], new: dict[str, str]) -> list[str]:
    """Lines for the circumstances that have changed."""
    lines = []
    for name in sorted(old.keys() | new.keys()):
        before, now = old.get(name, "nothing"), new.get(name, "nothing")
        if before != now:
            lines.append(f"  {name}: {before or 'none'}\n  {' ' * len(name)}  now {now or 'none'}")
    return lines


def compared(what: str, old: dict[str, int], new: dict[str, int]) -> tuple[list[str], list[str]]:
    """A table row for each case, and the failures."""
    rows, failures = [f"{what:<34} {'old':>9} {'new':>9}  ratio"], []
    for name in sorted(old.keys() | new.keys()):
        before, now = old.get(name), new.get(name)
        verdict, ratio = "", "-"
        if before is None or now is None:
            verdict = "not in the baseline" if before is None else "gone"
        else:
            ratio = f"{now / before:.4f}" if before else ("1.0000" if not now else "-")
            if now > before * (MAX_RATIO if what == "instructions" else 1):
                verdict = "MORE"
        if what == "allocations" and name.startswith("run.") and now:
            verdict = "A RUN ALLOCATES"
        if verdict:
            failures.append(f"{what} of {name}: {verdict.lower()}")
        cells = ["-" if n is None else str(n) for n in (before, now)]
        rows.append(f"{name:<34} {cells[0]:>9} {cells[1]:>9}  {ratio:<7} {verdict}".rstrip())
    return rows, failures


def report(old: dict, new: dict) -> list[str]:
    """Prints both tables and returns the failures."""
    failures = []
    for what in ["instructions", "allocations"]:
        rows, failed = compared(what, old.get(what, {}), new[what])
        print("\n".join(rows), end="\n\n")
        failures += failed
    return failures


def check() -> int:
    if not BASELINE.exists():
        sys.exit(f"error: {BASELINE.relative_to(ROOT)} does not exist; tools/perf.py bless writes it")
    old, new = json.loads(BASELINE.read_text()), measured()
    failures = report(old, new)
    different = differences(old["circumstances"], new["circumstances"])
    if different:
        print("The baseline was made under other circumstances, which may also change the counts:", *different, sep="\n")
    for failure in failures:
        print(f"error: {failure}", file=sys.stderr)
    if failures:
        print("If the change is intended: `just perf-bless`, and give the reason in CHANGELOG.md.", file=sys.stderr)
        return 1
    instructions, allocations = len(new["instructions"]), len(new["allocations"])
    print(f"{instructions} instruction counts within {MAX_RATIO - 1:.0%}, {allocations} allocation counts not above the baseline")
    return 0


def bless() -> int:
    old = json.loads(BASELINE.read_text()) if BASELINE.exists() else {}
    new = measured()
    report(old, new)
    allocating = [name for name, count in new["allocations"].items() if name.startswith("run.") and count]
    if allocating:
        sys.exit(f"error: runs must not allocate: {', '.join(allocating)}; the baseline is unchanged")
    BASELINE.parent.mkdir(exist_ok=True)
    BASELINE.write_text(json.dumps(new, indent=2) + "\n")
    print(f"wrote {BASELINE.relative_to(ROOT)}")
    changed = [n for n in new["instructions"] if old.get("instructions", {}).get(n) != new["instructions"][n]]
    if changed:
        version = re.search(r"^## \[.*", (ROOT / "CHANGELOG.md").read_text(), re.M)
        heading = version.group() if version else "the newest version"
        print(f"{len(changed)} counts changed: give the reason in CHANGELOG.md under {heading}.")
    return 0


if __name__ == "__main__":
    commands = {"check": check, "bless": bless}
    if len(sys.argv) != 2 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    sys.exit(commands[sys.argv[1]]())
