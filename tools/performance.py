#!/usr/bin/env python3
"""Writes docs/performance.md from a run of `eltwise bench`, and docs/images/roofline.svg from its page.

usage: tools/performance.py RUN.json REPORT.html [--peers PEERS.json]...

RUN.json and REPORT.html come from `eltwise bench --json RUN.json --html REPORT.html`, PEERS.json from
`just peers DIR --json PEERS.json`, one or more a number of threads. Every figure of the page stands in
one of these files. `just performance` does it all.
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
    """A time with three digits."""
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
    """What the machine can do."""
    lines = ["## Limits of the machine", "", "Memory, billions of bytes a second, reads and writes together:", ""]
    rows = []
    for b in run["limits"]["bandwidth"]:
        figures = [f"{b[loop]:.1f}" for loop in ["fill", "copy", "add", "read"]]
        rows.append([b["level"], str(b["threads"]), size(b["working_set"]), *figures])
    lines += table(["level", "threads", "bytes", "fill", "copy", "add", "read"], rows)
    lines += ["", "Arithmetic in registers, billions of operations a second, a fused multiply-add as two:", ""]
    rows = []
    for p in run["limits"]["peaks"]:
        rows.append([p["dtype"], str(p["threads"]), *(f"{p[x]:.1f}" for x in ["fma", "multiply_add", "divide", "sqrt"])])
    return lines + table(["dtype", "threads", "fma", "mul + add", "divide", "sqrt"], rows)


def busy(run: dict) -> list[str]:
    """A word of caution about a machine that had other work."""
    if (run.get("load") or 0) <= 0.5 * run["machine"]["threads"]:
        return []
    return ["**Other programs ran meanwhile.** Rows of DRAM and of all threads are no measure of this machine; the spread shows it.", ""]


def case(c: dict) -> list[str]:
    """A row: a limit is a level of the memory or arithmetic."""
    time, limit = c["time"], c["limit"]
    spread = f"{100 * (time['high'] - time['low']) / time['median']:.1f} %"
    row = [f"`{c['name'].split('/', 1)[1]}`", duration(time["median"]), spread]
    if not limit:
        return row
    by = c["level"] if limit["by"] == "memory" else "arithmetic"
    fraction = f"{100 * limit['ns'] / time['median']:.0f} % of {by}"
    return row + [f"{time['median'] / c['elements']:.4f}", f"{c['bytes'] / time['median']:.1f}", fraction]


def cases(run: dict) -> list[str]:
    """A table for each group."""
    lines = []
    for group, title in GROUPS.items():
        those = [c for c in run["cases"] if c["name"].startswith(group + "/")]
        if not those:
            continue
        rows = [case(c) for c in those]
        head = ["case", "time", "spread", "ns an element", "GB/s", "of the limit"][: max(map(len, rows))]
        lines += ["", f"## {title}", "", *table(head, rows)]
    return lines


def peers(found: dict) -> list[str]:
    """Our time beside the best peer's: of each group how many rows, and the geometric mean of the ratios."""
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
    lines = ["", "## Beside other libraries, threads: " + str(found["header"].get("threads", "?")), ""]
    lines += ["Our time over that of the fastest other library, by `just peers`: below 1 we are faster.", ""]
    lines += ["* " + f"{key}: {value}" for key, value in found["header"].items()]
    lines += ["* " + ", ".join(f"{name} {version}" for name, version in found["versions"].items()), ""]
    return lines + table(["group", "rows", "ours ahead", "mean ratio", "largest ratio"], rows)


def by_threads(files: list[dict]) -> list[dict]:
    """Files of as many threads as one, with the rows of all."""
    merged: dict[str, dict] = {}
    for found in files:
        first = merged.setdefault(found["header"].get("threads", "?"), {**found, "rows": []})
        first["rows"] = first["rows"] + found["rows"]
    return list(merged.values())


def plot(page: str) -> str:
    """The wide roofline plot of a page as a file of its own, with the styles that it needs."""
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
        sys.exit("error: the run was measured with --quick, which is too rough for a page")
    (ROOT / "docs/images").mkdir(exist_ok=True)
    (ROOT / "docs/images/roofline.svg").write_text(plot(args.page.read_text()))
    machine, build = run["machine"], run["build"]
    flags = f", flags `{build['flags']}`" if build["flags"] else ""
    lines = [
        "# Performance",
        "",
        "Made by `just performance`; no line is written by hand. [benchmarking.md](benchmarking.md) says what the figures mean and how",
        "to get those of another machine.",
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
        "Cases of f32 on one thread whose arithmetic can be counted: operations a byte to billions of operations a second.",
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
