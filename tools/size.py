#!/usr/bin/env python3
"""Prints the size of the kernels and the time to compile them.

usage: tools/size.py [--json]

Builds `eltwise-kernels` twice in release mode under target/size: with every dtype, and without default features (bool,
f32, i32, u32). Prints the number of kernels and bytes of code per instruction set, CPU seconds to compile that crate
alone, and the size of a program that adds two f32 arrays, and the limits for all dtypes. Needs binutils.
"""

import json
import os
import re
import resource
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "size"
# Instruction sets in the order of the report.
ISAS = ("scalar", "avx2", "avx512", "avx512vbmi", "avx512fp16", "neon", "neonfp16")
# Limits for all dtypes: bytes of .text and CPU seconds.
MAX_TEXT = 8_000_000
MAX_SECONDS = 150


def run(*command: str, **environment: str) -> str:
    env = os.environ | {"CARGO_TARGET_DIR": str(TARGET), "CARGO_INCREMENTAL": "0"} | environment
    done = subprocess.run(command, cwd=ROOT, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit(f"error: {' '.join(command)}\n{done.stderr}")
    return done.stdout


def cpu_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def kernels_crate(*features: str) -> dict:
    """Builds the dependencies of the kernels crate, then measures the build of the crate."""
    build = ("cargo", "build", "--quiet", "--release", "-p", "eltwise-kernels", *features)
    run("cargo", "build", "--quiet", "--release", "-p", "eltwise-plan", "-p", "eltwise-math")
    run("cargo", "clean", "--quiet", "--release", "-p", "eltwise-kernels")
    before = cpu_seconds()
    run(*build)
    seconds = cpu_seconds() - before

    archive = TARGET / "release/libeltwise_kernels.rlib"
    count, code = Counter(), Counter()
    for line in run("nm", "--demangle", "--print-size", str(archive)).splitlines():
        # `address size type path::of::isa::enter`, one symbol per kernel
        if match := re.match(r"[0-9a-f]+ ([0-9a-f]+) [tTwW] eltwise_simd::(?:\w+::)*?(\w+)::enter(_\w+)?", line):
            # `enter_fp16` is another ISA than `enter`; `enter_one` is the same ISA with other arguments.
            isa = match[2] + (match[3] or "").removeprefix("_").removeprefix("one")
            count[isa] += 1
            code[isa] += int(match[1], 16)
    text = sum(
        int(fields[1])
        for line in run("size", "--format=sysv", str(archive)).splitlines()
        if (fields := line.split()) and fields[0].startswith(".text")
    )
    return {"seconds": round(seconds, 1), "text": text, "kernels": dict(count), "code": dict(code)}


def smallest_program() -> int:
    """Bytes of text and read-only data of a stripped program that adds f32 arrays, without default features."""
    run("cargo", "build", "--quiet", "--release", "-p", "eltwise-benches", "--no-default-features", "--bin", "smallest")
    fields = run("size", str(TARGET / "release/smallest")).splitlines()[1].split()
    return int(fields[0])


def main() -> None:
    whole = kernels_crate()
    small = kernels_crate("--no-default-features")
    program = smallest_program()
    if not whole["kernels"]:
        sys.exit("error: found no kernels in the symbols of libeltwise_kernels.rlib")
    result = {
        "all dtypes": whole,
        "no default features": small,
        "smallest program": program,
    }
    if "--json" in sys.argv[1:]:
        print(json.dumps(result, indent=2))
        return
    print(f"{'eltwise-kernels, release':34}{'kernels':>9}{'code bytes':>13}")
    for name, build in (("all dtypes", whole), ("without default features", small)):
        print(f"  {name}")
        for isa, kernels in sorted(build["kernels"].items(), key=lambda item: ISAS.index(item[0])):
            print(f"    {isa:30}{kernels:9,}{build['code'][isa]:13,}")
        print(f"    {'.text of the crate':39}{build['text']:13,}")
        print(f"    {'CPU seconds to compile':39}{build['seconds']:13,}")
    print(f"a program that adds f32 arrays, without default features{program:11,} bytes of text and constants")
    print(f"limits for all dtypes: {MAX_TEXT:,} bytes of .text, {MAX_SECONDS} CPU seconds")


if __name__ == "__main__":
    main()
