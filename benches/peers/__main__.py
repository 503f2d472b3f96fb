"""Times eltwise and its peers on the same cases."""

import argparse
import importlib
import json
import re
import sys
from pathlib import Path

if not __package__:
    # Run as `python benches/peers`: import the folder as a package, so that its modules are not top-level modules.
    here = Path(__file__).resolve().parent
    sys.path[:] = [str(here.parent), *(p for p in sys.path if Path(p or ".").resolve() != here)]
    __package__ = here.name
    importlib.import_module(__package__)

from . import environment  # noqa: E402


def pattern(text: str) -> re.Pattern:
    """Parses --only."""
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not a regular expression: {error}") from None


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="peers", description=__doc__)
    parser.add_argument("--threads", type=int, default=1, help="threads of every engine; 1 also pins to one CPU")
    parser.add_argument("--only", type=pattern, default="", metavar="REGEX", help="cases whose 'group name' matches")
    parser.add_argument("--engines", default="", metavar="A,B", help="columns, in this order (default: all)")
    parser.add_argument("--isa", metavar="NAME", help="limit eltwise's instruction set: scalar, avx2, avx512 ...")
    parser.add_argument("--budget", type=float, default=0.1, metavar="S", help="seconds per engine; 0: check only")
    parser.add_argument("--passes", type=int, default=1, metavar="N", help="run all cases N times and keep the best")
    parser.add_argument("--json", metavar="FILE", help="write all figures to FILE")
    parser.add_argument("--markdown", metavar="FILE", help="write the tables to FILE")
    parser.add_argument("--bar", action="store_true", help="only cases of the release bar; exit 1 if one is slower")
    parser.add_argument("--overhead", action="store_true", help="only small calls against NumPy; exit 1 if slower")
    parser.add_argument("--self-test", action="store_true", help="run the tests of this program and exit")
    parser.add_argument("--list", action="store_true", help="print the cases and exit")
    parser.add_argument("--reasons", action="store_true", help="print why an engine has no figure")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    environment.prepare(options.threads)
    if options.self_test:
        return self_test()
    # Engines read their thread counts from the environment at import.
    from . import cases

    if options.overhead:
        return overhead(options)
    chosen = [c for c in cases.everything() if options.only.search(f"{c.group} {c.name}")]
    chosen = [c for c in chosen if c.bar or not options.bar]
    if options.list:
        print("\n".join(f"{c.group} {c.name}{' (bar)' if c.bar else ''}" for c in chosen))
        return 0
    return table(options, chosen)


def self_test() -> int:
    import unittest

    here = Path(__file__).resolve().parent
    found = unittest.defaultTestLoader.discover(str(here / "tests"), top_level_dir=str(here.parent))
    return 0 if unittest.TextTestRunner().run(found).wasSuccessful() else 1


def overhead(options: argparse.Namespace) -> int:
    from . import overhead
    from .engines import Settings, load

    loaded, absent = load(["eltwise"], Settings(options.threads, options.isa))
    if not loaded:
        print(f"eltwise: not installed ({absent['eltwise']})", file=sys.stderr)
        return 2
    import eltwise

    return 0 if overhead.run(eltwise.add) else 1


def table(options: argparse.Namespace, chosen: list) -> int:
    from . import engines, measure
    from . import table as tables

    names = options.engines.split(",") if options.engines else list(engines.MODULES)
    unknown = [name for name in names if name not in engines.MODULES]
    if unknown:
        print(f"no engine {', '.join(unknown)}, expected some of: {', '.join(engines.MODULES)}", file=sys.stderr)
        return 2
    try:
        loaded, absent = engines.load(names, engines.Settings(options.threads, options.isa))
    except ValueError as error:  # from eltwise, for --isa
        print(error, file=sys.stderr)
        return 2
    for name, why in absent.items():
        print(f"# {name}: not installed ({why})", file=sys.stderr)
    columns = [engine.name for engine in loaded]
    header = environment.describe(options.threads)
    versions = {engine.name: engine.version() for engine in loaded}
    print("\n".join(f"# {title}: {value}" for title, value in {**header, **versions}.items()))
    print("# microseconds per call, best batch\n" + tables.text_head(columns), flush=True)
    rows: dict[str, measure.Row] = {}
    for number in range(options.passes):
        group = None
        for case in chosen:
            try:
                row = measure.run(case, loaded, options.budget, environment.settle(options.threads))
            except LookupError as error:
                print(f"# {case.name}: {error}", file=sys.stderr)
                continue
            title = f"{case.group} {case.name}"
            if title in rows:
                rows[title].merge(row)
            row = rows.setdefault(title, row)
            if case.group != group:
                group = case.group
                print(f"# {group}" + (f", pass {number + 1} of {options.passes}" if options.passes > 1 else ""))
            print(tables.text_row(row, columns), flush=True)
            for name, why in {**(row.skipped if options.reasons else {}), **row.wrong}.items():
                print(f"#   {name}: {why}")
    return finish(options, list(rows.values()), columns, header, versions)


def finish(options: argparse.Namespace, rows: list, columns: list[str], header: dict, versions: dict) -> int:
    """Prints the summary, writes the files and returns the exit code."""
    from . import report
    from . import table as tables

    summary = report.markdown(rows)
    print("\n" + summary)
    if options.markdown:
        Path(options.markdown).write_text(tables.markdown(header, versions, rows, columns) + "\n" + summary)
    if options.json:
        result = {"header": header, "versions": versions, "budget": options.budget, "isa": options.isa}
        result["rows"] = [tables.json_row(row) for row in rows]
        Path(options.json).write_text(json.dumps(result, indent=1) + "\n")
    return 1 if options.bar and report.bar(rows)[1] else 0


if __name__ == "__main__":
    sys.exit(main())
