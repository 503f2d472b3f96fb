#!/usr/bin/env python3
"""Writes the code of the pages docs/python/recipes.md and ten-minutes.md to files, for type checkers.

usage: tools/python-recipes.py FOLDER
A section that imports a library that is not installed is left out.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "crates/eltwise-python/python/tests"))
from test_docs import PAGES, is_runnable, sections  # noqa: E402


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("recipes", "ten-minutes"):
        code = "\n".join(filter(is_runnable, sections(PAGES[name]).values()))
        (folder / f"{name.replace('-', '_')}.py").write_text(code)


if __name__ == "__main__":
    main()
