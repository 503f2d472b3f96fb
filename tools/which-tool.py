#!/usr/bin/env python3
"""Measures eltwise, NumPy, numexpr, PyTorch and JAX on a few cases of `benches/peers`, and writes the table of
docs/python/which-tool.md and the chart of the README, docs/images/peers.svg.

usage: which-tool.py [--threads N] [--budget SECONDS] [--from FILE]
The figures are also written to target/which-tool.json. --from uses those of FILE instead of a measurement. Needs the packages of `benches/peers` and matplotlib.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/python/which-tool.md"
CHART = ROOT / "docs/images/peers.svg"
PEERS = {"numpy": "NumPy", "numexpr": "numexpr", "torch": "PyTorch", "jax": "JAX"}
#: The names of the cases in `benches/peers`, and what to call them.
CASES = {
    "call add/float32/n=64 out": "x + y, 64 float32",
    "contiguous add/float32/n=262144": "x + y, 256 k float32",
    "contiguous add/float32/n=4194304": "x + y, 4 M float32",
    "contiguous add/float16/n=16384": "x + y, 16 k float16",
    "broadcast multiply/float32/nchw [8,64,56,56] [64,1,1]": "image * channel, [8, 64, 56, 56] float32",
    "broadcast add/float32/rgb [1080,1920,3] [3]": "image + colour, [1080, 1920, 3] float32",
    "layouts add/float32/a.T + b 2048": "x.T + y, 2048 x 2048 float32",
    "layouts add/float32/a[::-1] + b 16384": "x[::-1] + y, 16 k float32",
    "casts cast/uint8 to float32/n=262144": "uint8 to float32, 256 k",
    "math exp/float32/n=16384": "exp, 16 k float32",
    "math log/float64/n=16384": "log, 16 k float64",
    "math sin/float64/n=16384": "sin, 16 k float64",
    "math pow/float32/n=16384": "x ** y, 16 k float32",
    "math tanh/float16/n=16384": "tanh, 16 k float16",
    "math gelu/float32/[8,128,3072]": "gelu, [8, 128, 3072] float32",
    "other floor_divide/int32/n=16384": "x // y, 16 k int32",
    "fused a*b+c/float32/n=16384": "x * y + z, 16 k float32",
    "fused a*b+c/float32/n=4194304": "x * y + z, 4 M float32",
    "fused where(a<b,a,b*2)/float32/n=4194304": "where(x < y, x, y * 2), 4 M float32",
    "fused gelu(a+b)/float32/[8,128,3072] [3072]": "gelu(x + bias), [8, 128, 3072] float32",
    "fused (u8-mean)/std/float32/[1080,1920,3] [3] [3]": "(image - mean) / std, uint8 [1080, 1920, 3]",
}


def measure(options):
    """The JSON of a run of `benches/peers` over the cases."""
    path = ROOT / "target/which-tool.json"
    path.parent.mkdir(exist_ok=True)
    only = "|".join(f"^{re.escape(name)}$" for name in CASES)
    engines = ",".join(["eltwise", *PEERS])
    command = [sys.executable, ROOT / "benches/peers", "--threads", str(options.threads), "--budget", str(options.budget)]
    subprocess.run([*command, "--only", only, "--engines", engines, "--json", path], check=True)
    return path


def rows(data):
    """For each case its title, our time, and the times of the peers over ours."""
    wrong = [f"{row['case']}: {row['wrong']}" for row in data["rows"] if row["wrong"]]
    if wrong:
        sys.exit(f"error: wrong results: {'; '.join(wrong)}")
    found = {f"{row['group']} {row['case']}": row["us"] for row in data["rows"]}
    missing = CASES.keys() - found.keys()
    if missing:
        sys.exit(f"error: benches/peers has no case {sorted(missing)}")
    for name, title in CASES.items():
        us = {engine: figures["best"] for engine, figures in found[name].items()}
        yield title, us["eltwise"], {engine: us[engine] / us["eltwise"] for engine in PEERS if engine in us}


def table(data):
    """The table in Markdown. A peer that is faster than eltwise is in bold."""
    lines = [f"| case | eltwise, us | {' | '.join(PEERS.values())} |", "|---|---:|" + "---:|" * len(PEERS)]
    for title, ours, ratios in rows(data):
        cells = [f"{ratios[e]:.2f}" if e in ratios else "-" for e in PEERS]
        cells = [f"**{c}**" if c != "-" and float(c) < 0.995 else c for c in cells]
        ours = f"{ours:,.0f}" if ours >= 100 else f"{ours:.3g}"
        lines.append(f"| {title.replace('*', chr(92) + '*')} | {ours} | {' | '.join(cells)} |")
    return "\n".join(lines)


def machine(data):
    """One sentence on the machine, the versions and the threads."""
    header, versions = data["header"], data["versions"]
    names = {"eltwise": "eltwise", **PEERS}
    known = [f"{names[name]} {version}" for name, version in versions.items() if name in names]
    threads = header["threads"]
    on = f"{header['CPU']} ({header['features']}), {threads} thread{'s' * (threads != '1')}"
    return f"{on}, {header['date'].split()[0]}: {', '.join(known)}."


def draw(data):
    """The chart: for each case the peers' times over ours, on a logarithmic axis."""
    os.environ["SOURCE_DATE_EPOCH"] = "0"
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "eltwise", "svg.fonttype": "none"})
    import matplotlib.pyplot as plot

    figure, axes = plot.subplots(figsize=(9, 0.33 * len(CASES) + 1.1), layout="constrained")
    shapes = dict(zip(PEERS, [("o", "#4477aa"), ("s", "#228833"), ("D", "#ee6677"), ("^", "#aa7700")], strict=True))
    points = {engine: ([], []) for engine in PEERS}
    titles = []
    for at, (title, _, ratios) in enumerate(rows(data)):
        titles.append(title)
        for engine, ratio in ratios.items():
            points[engine][0].append(ratio)
            points[engine][1].append(at)
    for engine, (xs, ys) in points.items():
        axes.scatter(xs, ys, marker=shapes[engine][0], color=shapes[engine][1], label=PEERS[engine], s=36, zorder=3)
    axes.axvline(1, color="#444444", linewidth=1)
    axes.set_xscale("log")
    ticks = [0.5, 1, 2, 5, 10, 20, 50, 100]
    axes.set_xticks(ticks, [f"{tick:g} x" for tick in ticks])
    axes.minorticks_off()
    axes.set_yticks(range(len(titles)), titles)
    axes.invert_yaxis()
    axes.grid(axis="x", color="#dddddd", zorder=0)
    axes.set_xlabel("time of the library / time of eltwise: to the right of the line, eltwise is faster")
    axes.legend(loc="upper center", ncols=4, bbox_to_anchor=(0.5, 1.06), frameon=False)
    CHART.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(CHART, metadata={"Date": None, "Title": "eltwise and other libraries"})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=1, metavar="N")
    parser.add_argument("--budget", type=float, default=1.0, metavar="SECONDS", help="time for each case and engine")
    parser.add_argument("--from", dest="source", type=Path, metavar="FILE")
    options = parser.parse_args()
    data = json.loads((options.source or measure(options)).read_text())
    text = PAGE.read_text()
    begin, end = "<!-- table -->\n", "<!-- end -->"
    head, rest = text.split(begin)
    PAGE.write_text(f"{head}{begin}{machine(data)}\n\n{table(data)}\n{end}{rest.split(end)[1]}")
    draw(data)


if __name__ == "__main__":
    main()
