#!/usr/bin/env python3
"""Writes the code of the pages docs/python/recipes.md and ten-minutes.md to files, for type checkers.

usage: tools/python-recipes.py FOLDER
A section that imports a library that is not installed is left out.
"""

import importlib.util
import re
import sys
from pathlib import Path

PAGES = Path(__file__).resolve().parent.parent / "docs/python"


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("recipes", "ten-minutes"):
        parts = []
        for section in re.split(r"^## ", (PAGES / f"{name}.md").read_text(), flags=re.MULTILINE):
            code = "\n".join(re.findall(r"```python\n(.*?)```", section, re.DOTALL))
            if all(map(importlib.util.find_spec, re.findall(r"^import (\w+)", code, re.MULTILINE))):
                parts.append(code)
        (folder / f"{name.replace('-', '_')}.py").write_text("\n".join(parts))


if __name__ == "__main__":
    main()
