#!/usr/bin/env python3
"""Writes docs/performance.md from the JSON of `eltwise bench`, and docs/images/roofline.svg from its HTML report.

usage: tools/performance.py RUN.json REPORT.html [--peers PEERS.json]...

`eltwise bench --json RUN.json --html REPORT.html` writes the first two files, `just peers DIR --json PEERS.json` the
last, once or several times per number of threads. `just performance` runs the benchmark and this script.
"""

import argparse
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GROUPS = {
    "operators": "Operators",
    "math": "Math functions",
    "threads": "All threads",
    "layouts": "Layouts",
    "fused": "Programs of several operators",
    "models": "Shapes of models",
    "calls": "Calls",
}


def duration(ns: float) -> str:
    """A time with three significant digits."""
    for unit, scale in [("ns", 1.0), ("us", 1e3), ("ms", 1e6), ("s", 1e9)]:
        if ns < 1000 * scale or unit == "s":
            value = ns / scale
            return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f} {unit}"
    raise AssertionError


def size(n: int) -> str:
    """Bytes in the largest unit that divides them."""
    for unit, scale in [("MiB", 1 << 20), ("KiB", 1 << 10)]:
        if n >= scale and n % scale == 0:
            return f"{n // scale} {unit}"
    return f"{n} bytes"


def table(head: list[str], rows: list[list[str]]) -> list[str]:
    """A table whose first column is text and whose others are numbers."""
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]


def limits(run: dict) -> list[str]:
    """The section on the limits of the machine."""
    lines = ["## Limits of the machine", "", "Memory bandwidth, billions of bytes per second, reads plus writes:", ""]
    rows = []
    for b in run["limits"]["bandwidth"]:
        figures = [f"{b[loop]:.1f}" for loop in ["fill", "copy", "add", "read"]]
        rows.append([b["level"], str(b["threads"]), size(b["working_set"]), *figures])
    lines += table(["level", "threads", "bytes", "fill", "copy", "add", "read"], rows)
    lines += ["", "Arithmetic in registers, billions of operations per second; a fused multiply-add counts as two:", ""]
    rows = []
    for p in run["limits"]["peaks"]:
        rows.append([p["dtype"], str(p["threads"]), *(f"{p[x]:.1f}" for x in ["fma", "multiply_add", "divide", "sqrt"])])
    return lines + table(["dtype", "threads", "fma", "mul + add", "divide", "sqrt"], rows)


def busy(run: dict) -> list[str]:
    """A warning if the load of the machine was high."""
    if (run.get("load") or 0) <= 0.5 * run["machine"]["threads"]:
        return []
    return ["**Other programs were running.** Rows for DRAM and for all threads do not represent this machine; see their spread.", ""]


def case(c: dict) -> list[str]:
    """The table row of a case. Its limit is arithmetic or a level of the memory."""
    time, limit = c["time"], c["limit"]
    spread = f"{100 * (time['high'] - time['low']) / time['median']:.1f} %"
    row = [f"`{c['name'].split('/', 1)[1]}`", duration(time["median"]), spread]
    if not limit:
        return row
    by = c["level"] if limit["by"] == "memory" else "arithmetic"
    fraction = f"{100 * limit['ns'] / time['median']:.0f} % of {by}"
    return row + [f"{time['median'] / c['elements']:.4f}", f"{c['bytes'] / time['median']:.1f}", fraction]


def cases(run: dict) -> list[str]:
    """One table for each group."""
    lines = []
    for group, title in GROUPS.items():
        those = [c for c in run["cases"] if c["name"].startswith(group + "/")]
        if not those:
            continue
        rows = [case(c) for c in those]
        head = ["case", "time", "spread", "ns per element", "GB/s", "of the limit"][: max(map(len, rows))]
        lines += ["", f"## {title}", "", *table(head, rows)]
    return lines


def peers(found: dict) -> list[str]:
    """The comparison with the best peer: number of rows and geometric mean of the ratios for each group."""
    rows = []
    compared = [row for row in found["rows"] if row["ours_over_best"]]
    for group in dict.fromkeys(row["group"] for row in compared):
        those = [row for row in compared if row["group"] == group]
        product = 1.0
        for row in those:
            product *= row["ours_over_best"] ** (1 / len(those))
        worst = max(those, key=lambda row: row["ours_over_best"])
        ahead = sum(row["ours_over_best"] <= 1 for row in those)
        note = f"{worst['ours_over_best']:.2f} ({worst['case']}, {worst['best_peer']})"
        rows.append([group, str(len(those)), str(ahead), f"{product:.2f}", note])
    lines = ["", "## Comparison with other libraries, threads: " + str(found["header"].get("threads", "?")), ""]
    lines += ["eltwise's time over the time of the fastest other library, measured with `just peers`.", ""]
    lines += ["* " + f"{key}: {value}" for key, value in found["header"].items()]
    lines += ["* " + ", ".join(f"{name} {version}" for name, version in found["versions"].items()), ""]
    return lines + table(["group", "rows", "eltwise faster", "mean ratio", "largest ratio"], rows)


def by_threads(files: list[dict]) -> list[dict]:
    """Merges the files with the same number of threads."""
    merged: dict[str, dict] = {}
    for found in files:
        first = merged.setdefault(found["header"].get("threads", "?"), {**found, "rows": []})
        first["rows"] = first["rows"] + found["rows"]
    return list(merged.values())


def plot(page: str) -> str:
    """The wide roofline plot of a report as a separate SVG file, with the styles that it needs."""
    svg = re.search(r'<svg class="wide".*?</svg>', page, re.S)
    style = re.search(r"<style>(.*?)</style>", page, re.S)
    if not svg or not style:
        sys.exit("error: the page has no roofline plot")
    rules = [rule for rule in re.findall(r"[^{}]+\{(?:[^{}]|\{[^{}]*\})*\}", style[1])
             if re.match(r"\s*(:root|@media \(prefers|svg text|\.grid|\.frame|\.l1|\.l2|\.l3|\.dram|\.roof|\.mark)", rule)]
    css = "".join(rules) + "\nsvg { background: var(--paper); }\n"
    return svg[0].replace('<svg class="wide"', '<svg xmlns="http://www.w3.org/2000/svg" class="wide"', 1).replace(
        ">", f"><style>{css}</style>", 1) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=Path)
    parser.add_argument("page", type=Path)
    parser.add_argument("--peers", type=Path, action="append", default=[])
    args = parser.parse_args()
    run = json.loads(args.run.read_text())
    if run["quick"]:
        sys.exit("error: the run was measured with --quick, which is too inaccurate for this page")
    (ROOT / "docs/images").mkdir(exist_ok=True)
    (ROOT / "docs/images/roofline.svg").write_text(plot(args.page.read_text()))
    machine, build = run["machine"], run["build"]
    flags = f", flags `{build['flags']}`" if build["flags"] else ""
    lines = [
        "# Performance",
        "",
        "Generated by `just performance`. [benchmarking.md](benchmarking.md) explains the figures and how to measure another machine.",
        "",
        f"* Machine: {machine['cpu']}, {machine['threads']} threads; {machine['caches']}; {machine['os']}",
        f"* Instruction set: {machine['isa']}",
        f"* Version: eltwise {build['eltwise']}, {build['rustc']}{flags}",
        f"* Date: {run['date']}; load of the machine before: {run.get('load', 'unknown')} (of {machine['threads']} threads)",
        "",
        *busy(run),
        *limits(run),
        "",
        "## Roofline",
        "",
        "Cases over f32 on one thread with a known number of operations: operations per byte against billions of operations per second.",
        "",
        "![Roofline plot](images/roofline.svg)",
        *cases(run),
    ]
    for found in by_threads([json.loads(path.read_text()) for path in args.peers]):
        lines += peers(found)
    (ROOT / "docs/performance.md").write_text("\n".join(lines) + "\n")
    print(f"docs/performance.md: {len(run['cases'])} cases" + (", with peers" if args.peers else ""))


if __name__ == "__main__":
    main()
