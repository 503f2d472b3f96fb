"""What the tools share that write files from the installed Python package."""

import argparse
import sys


def main(doc, path, text):
    """Write `text()` to `path`, or with --check fail if the file has another text. `doc` is the help of the tool."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    is_check = parser.parse_args().check
    if not is_check:
        path.write_text(text())
    elif path.read_text() != text():
        sys.exit(f"error: {path} is not what {sys.argv[0]} writes for the installed package; run it")
